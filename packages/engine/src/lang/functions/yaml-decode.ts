import {
  bool,
  convert,
  CtyError,
  DYNAMIC,
  friendlyName,
  nullOf,
  number,
  object,
} from '@terrane/cty';
import { parseNumber, quoteText, STRING, str, tuple, type Value } from '@terrane/cty';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import type { Document, Node, Pair, Scalar, YAMLError, YAMLMap, YAMLSeq } from 'yaml';
import { decodeBase64 } from './encodings.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

/** The value of a YAML document, read by the rules of go-cty-yaml (YAML 1.1 with some of 1.2). */
export function decodeYaml(source: string): Value {
  const lines = new LineCounter();
  const documents = parseAllDocuments(source, {
    lineCounter: lines,
    schema: 'failsafe',
    resolveKnownTags: false,
    keepSourceTokens: true,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const reader = new YamlReader(source, lines);
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined || (document.contents === null && isBlank(source))) {
    const line = Math.max(source.split('\n').length - 1, 1);
    throw new CtyError(`on line ${line}, column 1: missing start of document`);
  }
  const fault = document.errors[0];
  if (fault !== undefined) throw reader.syntaxError(fault);
  if (second !== undefined) {
    throw reader.fail(second.range[0], 'unexpected extra content after value');
  }
  return reader.read(document);
}

/** Whether there is nothing but space and comments. */
function isBlank(source: string): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*$/.test(source);
}

/** The words of libyaml for what is wrong, as near as the two parsers' errors correspond. */
function syntaxMessage(fault: YAMLError): string {
  const message = fault.message.split('\n')[0] ?? '';
  switch (fault.code) {
    case 'TAB_AS_INDENT':
      return 'found character that cannot start any token';
    case 'MISSING_CHAR':
      if (message.includes('quote')) return 'found unexpected end of stream';
      return message.includes(']') || message.includes('sequence')
        ? "did not find expected ',' or ']'"
        : message.includes('}') || message.includes('map')
          ? "did not find expected ',' or '}'"
          : "could not find expected ':'";
    case 'BAD_INDENT':
      if (message.startsWith('Flow map')) return "did not find expected ',' or '}'";
      return message.startsWith('Flow') || message.includes('flow') || message.includes(']')
        ? "did not find expected ',' or ']'"
        : 'did not find expected key';
    case 'UNEXPECTED_TOKEN':
      return 'did not find expected key';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'mapping values are not allowed in this context';
    default:
      return message;
  }
}

const TAG_PREFIX = 'tag:yaml.org,2002:';

class YamlReader {
  readonly #source: string;
  readonly #lines: LineCounter;
  readonly #anchors: Map<string, Value> = new Map();
  readonly #pending: Set<string> = new Set();

  constructor(source: string, lines: LineCounter) {
    this.#source = source;
    this.#lines = lines;
  }

  /** A parser's error at its place; a scanner's at the beginning of its line, which it counts from one. */
  syntaxError(fault: YAMLError): CtyError {
    const atEnd = fault.code === 'MISSING_CHAR' || fault.pos[0] >= this.#source.trimEnd().length;
    const expected = syntaxMessage(fault);
    // The original says what is missing: behind these, a value comes before the closing bracket could.
    const isOpen = atEnd && expected.startsWith("did not find expected ','");
    const message =
      isOpen && /[[{,:]\s*$/.test(this.#source) ? 'did not find expected node content' : expected;
    const spaces = /^[ \t]*/.exec(this.#source.slice(fault.pos[0]))?.[0].length ?? 0;
    const lineCount = this.#source.split('\n').length - (this.#source.endsWith('\n') ? 1 : 0);
    const { line, col } = this.#lines.linePos(fault.pos[0] + spaces);
    if (message.startsWith('found ')) {
      return new CtyError(`on line ${atEnd ? lineCount + 1 : line}, column 1: ${message}`);
    }
    if (atEnd) return new CtyError(`on line ${lineCount}, column 1: ${message}`);
    return line > 1
      ? new CtyError(`on line ${line - 1}, column ${col}: ${message}`)
      : new CtyError(message);
  }

  fail(offset: number, message: string): CtyError {
    // The original counts lines from zero, and names no place on the first.
    const { line, col } = this.#lines.linePos(offset);
    const where = line > 1 ? `on line ${line - 1}, column ${Math.max(col, 1)}: ` : '';
    return new CtyError(where + message);
  }

  read(document: Document.Parsed): Value {
    const root: Node | null = document.contents;
    return root === null ? nullOf(DYNAMIC) : this.#node(root);
  }

  #node(node: Node): Value {
    if (isAlias(node)) {
      const name = node.source;
      if (this.#pending.has(name)) {
        throw this.#at(
          node,
          `cannot refer to anchor ${quoteText(name)} from inside its own definition`,
        );
      }
      const known = this.#anchors.get(name);
      if (known !== undefined) return known;
      throw this.#at(node, `reference to undefined anchor ${quoteText(name)}`);
    }
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#pending.add(anchor);
    const value = this.#content(node);
    if (anchor !== undefined) {
      this.#pending.delete(anchor);
      this.#anchors.set(anchor, value);
    }
    return value;
  }

  #content(node: Node): Value {
    if (isMap(node)) return this.#mapping(node);
    if (isSeq(node)) return this.#sequence(node);
    if (isScalar(node)) return this.#scalar(node) ?? str('<<');
    throw this.#at(node, 'unexpected content');
  }

  #at(node: Node, message: string): CtyError {
    const start = node.range?.[0] ?? 0;
    if (!('tag' in node) || node.tag === undefined) return this.fail(start, message);
    // The original's place of a node is that of its tag.
    const tag = this.#source.lastIndexOf('!', start);
    return this.fail(tag < 0 ? start : tag, message);
  }

  #mapping(node: YAMLMap): Value {
    if (node.tag !== undefined && node.tag !== `${TAG_PREFIX}map`) {
      throw this.#at(node, `can't interpret mapping as ${node.tag}`);
    }
    const attributes = new Map<string, Value>();
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const { key } = pair;
      if (!isScalar(key)) throw this.#at(key, 'only strings are allowed as mapping keys');
      const name = this.#scalar(key);
      const value = pair.value === null ? nullOf(DYNAMIC) : this.#node(pair.value);
      if (name === undefined) this.#merge(key, value, attributes);
      else attributes.set(this.#keyText(key, name), value);
    }
    return object(attributes);
  }

  #merge(key: Scalar, value: Value, into: Map<string, Value>): void {
    if (value.type.kind !== 'object') {
      throw this.#at(key, `cannot merge ${friendlyName(value.type)} into mapping`);
    }
    for (const [name, element] of value.entries()) into.set(name.asString(), element);
  }

  #keyText(key: Scalar, name: Value): string {
    const text = convert(name, STRING);
    if (text.isNull) throw this.#at(key, 'mapping key cannot be null');
    return text.asString();
  }

  #sequence(node: YAMLSeq): Value {
    if (node.tag !== undefined && node.tag !== `${TAG_PREFIX}seq`) {
      throw this.#at(node, `can't interpret sequence as ${node.tag}`);
    }
    return tuple(
      (node.items as (Node | null)[]).map((item) =>
        item === null ? nullOf(DYNAMIC) : this.#node(item),
      ),
    );
  }

  /** undefined for the merge key. */
  #scalar(node: Scalar): Value | undefined {
    const source = typeof node.value === 'string' ? node.value : '';
    const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
    try {
      return resolveScalar(node.tag ?? '', source, isQuoted);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      throw this.#at(node, error.message);
    }
  }
}

const WORDS: ReadonlyMap<string, Value> = new Map(
  (
    [
      [bool(true), ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']],
      [bool(false), ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']],
      [nullOf(DYNAMIC), ['', '~', 'null', 'Null', 'NULL']],
      [number(Infinity), ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']],
      [number(-Infinity), ['-.inf', '-.Inf', '-.INF']],
    ] as const
  ).flatMap(([value, words]) => words.map((word) => [word, value] as const)),
);

const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const RESOLVABLE = new Set(['str', 'bool', 'int', 'float', 'null', 'timestamp', 'binary']);
const MEANINGFUL_START = /^[-+0-9yYnNtTfFoO~.]/;

/** undefined for the merge key. */
function resolveScalar(longTag: string, source: string, isQuoted: boolean): Value | undefined {
  let tag = longTag.startsWith(TAG_PREFIX) ? longTag.slice(TAG_PREFIX.length) : longTag;
  if (tag === '!') tag = 'str';
  if (tag !== '' && !RESOLVABLE.has(tag)) {
    throw new CtyError(`unsupported tag ${quoteText(longTag)}`);
  }
  if ((source === '' || MEANINGFUL_START.test(source)) && tag !== 'str' && tag !== 'binary') {
    if (isQuoted) return str(source);
    const word = WORDS.get(source);
    if (word !== undefined) return word;
    if (tag === '' && /^\.(?:nan|NaN|NAN)$/.test(source)) {
      throw new CtyError('floating point NaN is not supported');
    }
    if (source.startsWith('.')) {
      const parsed = parseNumber(source);
      if (parsed !== undefined) return number(parsed);
    } else if (/^[-+0-9]/.test(source)) {
      const time = tag === '' || tag === 'timestamp' ? yamlTimestamp(source) : undefined;
      if (time !== undefined) return str(time);
      if (INTEGER.test(source)) tag = 'int';
      else if (FLOAT.test(source)) tag = 'float';
    }
  }
  if (tag === '' && source === '<<' && !isQuoted) return undefined;
  return byTag(tag, longTag, source);
}

function byTag(tag: string, longTag: string, source: string): Value {
  const cannotParse = (why = ''): CtyError =>
    new CtyError(`cannot parse ${quoteText(source)} as ${longTag || TAG_PREFIX + tag}${why}`);
  switch (tag) {
    case 'binary':
      if (typeof decodeBase64(source) === 'number') throw cannotParse(': not valid base64');
      return str(source);
    case 'bool': {
      const word = WORDS.get(source);
      if (word?.type.kind !== 'bool') throw cannotParse();
      return word;
    }
    case 'int':
    case 'float': {
      const parsed = yamlNumber(source.replaceAll('_', ''));
      if (parsed === undefined) throw cannotParse();
      return parsed;
    }
    case 'timestamp': {
      const time = yamlTimestamp(source);
      if (time === undefined) throw cannotParse();
      return str(time);
    }
    case 'null':
      return nullOf(DYNAMIC);
    default:
      return str(source);
  }
}

function yamlNumber(source: string): Value | undefined {
  const parsed = parseNumber(source);
  if (parsed !== undefined) return number(parsed);
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.exec(source);
  if (match === null) return undefined;
  const size = BigInt((match[2] ?? '').toLowerCase());
  if (size >= 2n ** 64n) return undefined;
  return number(match[1] === '-' ? -size : size);
}

const YAML_TIMESTAMP =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.[0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2}))|(?: ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.[0-9]+)?))?$/;

function yamlTimestamp(source: string): string | undefined {
  const match = YAML_TIMESTAMP.exec(source);
  if (match === null) return undefined;
  const pad = (part: string | undefined): string => (part ?? '0').padStart(2, '0');
  const [, year, month, day, h1, m1, s1, zone, h2, m2, s2] = match;
  const time = `${pad(h1 ?? h2)}:${pad(m1 ?? m2)}:${pad(s1 ?? s2)}`;
  try {
    const text = `${year}-${pad(month)}-${pad(day)}T${time}${zone ?? 'Z'}`;
    return formatTimestamp(parseTimestamp(text, false));
  } catch {
    return undefined;
  }
}
