import { bool, CtyError, DYNAMIC, nullOf, number } from '@terrane/cty';
import { parseNumber, quoteText, str, type Value } from '@terrane/cty';
import { decodeBase64 } from './encodings.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

/** The prefix of YAML's own tags. */
export const TAG_PREFIX = 'tag:yaml.org,2002:';

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

/** The value of a scalar with a resolved tag, by the rules of go-cty-yaml; throws CtyError. */
export function resolveYamlScalar(longTag: string, source: string, isQuoted: boolean): Value {
  let tag = longTag.startsWith(TAG_PREFIX) ? longTag.slice(TAG_PREFIX.length) : longTag;
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
  return byTag(tag, source);
}

function byTag(tag: string, source: string): Value {
  const cannotParse = (reason = ''): CtyError =>
    new CtyError(`cannot parse ${quoteText(source)} as ${TAG_PREFIX}${tag}${reason}`);
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
