import {
  convert,
  CtyError,
  DYNAMIC,
  friendlyName,
  nullOf,
  object,
  quoteText,
  STRING,
  tuple,
  type Value,
} from '@terrane/cty';
import { resolveYamlScalar, TAG_PREFIX } from './yaml-scalar.ts';
import {
  YamlFault,
  type YamlMark,
  YamlScanner,
  type YamlScalarStyle,
  type YamlToken,
  type YamlTokenKind,
} from './yaml-scanner.ts';

// libyaml's grammar over the tokens of yaml-scanner, and go-cty-yaml's conversion to values. The productions in
// comments are libyaml's.

/**
 * Decodes a YAML document: YAML 1.1 with parts of 1.2, as go-cty-yaml reads it, with merges of sequences and of
 * `!!merge` keys as in its version 1.2. Throws CtyError with its messages.
 */
export function decodeYaml(source: string): Value {
  // The original's reader is ahead of its parser, so this check comes first.
  if (UNREADABLE.test(source)) throw new CtyError('control characters are not allowed');
  try {
    return new YamlReader(new YamlScanner(source === '' ? '\n' : source)).read();
  } catch (error) {
    if (error instanceof YamlFault) throw new CtyError(faultText(error));
    throw error;
  }
}

const UNREADABLE = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * The reference implementation counts lines from zero except for scanner errors, and reports no position on the first
 * line.
 */
function faultText(error: YamlFault): string {
  const { mark, context, isScanner, message } = error;
  if (mark.line > 0 && isScanner) return withPosition(mark.line + 1, 0, message);
  if (mark.line > 0) return withPosition(mark.line, mark.column, message);
  return context.line > 0 ? withPosition(context.line, context.column, message) : message;
}

function withPosition(line: number, column: number, message: string): string {
  return `on line ${line}, column ${column + 1}: ${message}`;
}

function faultAt(mark: YamlMark, message: string): CtyError {
  return new CtyError(mark.line > 0 ? withPosition(mark.line, mark.column, message) : message);
}

/** The beginning of a node; for a scalar or an alias, the whole node. */
interface NodeStart {
  readonly kind:
    | 'alias'
    | 'scalar'
    | 'block-sequence'
    | 'indentless-sequence'
    | 'flow-sequence'
    | 'block-mapping'
    | 'flow-mapping'
    | 'pair';
  readonly mark: YamlMark;
  readonly anchor: string;
  readonly tag: string;
  /** the text of a scalar, the name of an alias */
  readonly text: string;
  readonly style: YamlScalarStyle;
}

const COLLECTIONS: Partial<Readonly<Record<YamlTokenKind, NodeStart['kind']>>> = {
  'flow-sequence-start': 'flow-sequence',
  'flow-mapping-start': 'flow-mapping',
  'block-sequence-start': 'block-sequence',
  'block-mapping-start': 'block-mapping',
};

const DOCUMENT_TOKENS: ReadonlySet<YamlTokenKind> = new Set([
  'version-directive',
  'tag-directive',
  'document-start',
  'document-end',
  'stream-end',
]);

const IN_BLOCK_MAPPING = ['key', 'value', 'block-end'] as const;
const MAX_DEPTH = 500;

/** The maximum number of nodes in a document; nodes of aliases count each time. */
const MAX_NODES = 10_000_000;

class YamlReader {
  readonly #scanner: YamlScanner;
  readonly #handles: Map<string, string> = new Map();
  readonly #anchors: Map<string, { readonly value: Value; readonly nodes: number }> = new Map();
  #nodes = 0;
  /** names of anchors whose values are being read, and the number of anchors with this name */
  readonly #pending: Map<string, number> = new Map();
  #depth: number = 0;

  constructor(scanner: YamlScanner) {
    this.#scanner = scanner;
  }

  // ----- documents

  /** implicit_document ::= block_node DOCUMENT-END*; explicit_document ::= DIRECTIVE* DOCUMENT-START block_node? DOCUMENT-END* */
  read(): Value {
    const first = this.#peek();
    if (first.kind === 'stream-end') throw faultAt(first.start, 'missing start of document');
    let value: Value;
    if (DOCUMENT_TOKENS.has(first.kind) && first.kind !== 'document-end') {
      this.#documentStart();
      const token = this.#peek();
      value = DOCUMENT_TOKENS.has(token.kind)
        ? this.#finish(emptyNode(token.start))
        : this.#node(true, false);
    } else {
      this.#directives();
      value = this.#node(true, false);
    }
    while (this.#peek().kind === 'document-end') this.#scanner.skip();
    const next = this.#peek();
    if (next.kind !== 'stream-end') {
      this.#handles.clear();
      this.#documentStart();
      throw faultAt(next.start, 'unexpected extra content after value');
    }
    return value;
  }

  #documentStart(): void {
    this.#directives();
    const token = this.#peek();
    if (token.kind !== 'document-start') {
      throw parserFault('did not find expected <document start>', token.start);
    }
    this.#scanner.skip();
  }

  #directives(): void {
    let hasVersion = false;
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'version-directive') {
        if (hasVersion) throw parserFault('found duplicate %YAML directive', token.start);
        if (token.value !== '1.1') {
          throw parserFault('found incompatible YAML document', token.start);
        }
        hasVersion = true;
      } else if (token.kind === 'tag-directive') {
        if (this.#handles.has(token.value)) {
          throw parserFault('found duplicate %TAG directive', token.start);
        }
        this.#handles.set(token.value, token.suffix);
      } else break;
      this.#scanner.skip();
    }
    if (!this.#handles.has('!')) this.#handles.set('!', '!');
    if (!this.#handles.has('!!')) this.#handles.set('!!', TAG_PREFIX);
  }

  // ----- nodes

  #peek(): YamlToken {
    return this.#scanner.peek();
  }

  #isNext(...kinds: readonly YamlTokenKind[]): boolean {
    return kinds.includes(this.#peek().kind);
  }

  #node(isBlock: boolean, mayBeIndentless: boolean): Value {
    return this.#finish(this.#start(isBlock, mayBeIndentless));
  }

  /** block_node ::= ALIAS | properties block_content? | block_content; properties ::= TAG ANCHOR? | ANCHOR TAG? */
  #start(isBlock: boolean, mayBeIndentless: boolean): NodeStart {
    const first = this.#peek();
    if (first.kind === 'alias') {
      this.#scanner.skip();
      return { ...emptyNode(first.start), kind: 'alias', text: first.value };
    }
    const { anchor, tag } = this.#properties();
    const token = this.#peek();
    const mark = first.start;
    const node = { mark, anchor, tag, text: '', style: token.style };
    if (mayBeIndentless && token.kind === 'block-entry') {
      return { ...node, kind: 'indentless-sequence' };
    }
    if (token.kind === 'scalar') {
      this.#scanner.skip();
      return { ...node, kind: 'scalar', text: token.value };
    }
    const kind = COLLECTIONS[token.kind];
    if (kind !== undefined && (isBlock || kind.startsWith('flow'))) return { ...node, kind };
    if (anchor !== '' || tag !== '') return { ...emptyNode(mark), anchor, tag };
    throw parserFault('did not find expected node content', token.start, mark);
  }

  #properties(): { readonly anchor: string; readonly tag: string } {
    const properties: Partial<Record<'anchor' | 'tag', YamlToken>> = {};
    for (let token = this.#peek(); ; token = this.#peek()) {
      const { kind } = token;
      if ((kind !== 'anchor' && kind !== 'tag') || properties[kind] !== undefined) break;
      properties[kind] = token;
      this.#scanner.skip();
    }
    const start = properties.anchor?.start;
    return {
      anchor: properties.anchor?.value ?? '',
      tag:
        properties.tag === undefined
          ? ''
          : this.#resolveTag(properties.tag, start ?? properties.tag.start),
    };
  }

  #resolveTag(token: YamlToken, context: YamlMark): string {
    if (token.value === '') return token.suffix;
    const prefix = this.#handles.get(token.value);
    if (prefix !== undefined) return prefix + token.suffix;
    throw parserFault('found undefined tag handle', token.start, context);
  }

  #finish(node: NodeStart): Value {
    if (node.kind === 'alias') return this.#alias(node);
    this.#count(1, node);
    const { anchor } = node;
    const before = this.#nodes;
    if (anchor !== '') this.#pending.set(anchor, (this.#pending.get(anchor) ?? 0) + 1);
    const value = this.#content(node);
    if (anchor !== '') {
      const remaining = (this.#pending.get(anchor) ?? 1) - 1;
      if (remaining === 0) this.#pending.delete(anchor);
      else this.#pending.set(anchor, remaining);
      this.#anchors.set(anchor, { value, nodes: this.#nodes - before + 1 });
    }
    return value;
  }

  /** Counts nodes of the result. Nested aliases can expand a document of a few bytes to billions of nodes. */
  #count(nodes: number, at: NodeStart): void {
    this.#nodes += nodes;
    if (this.#nodes > MAX_NODES) throw faultAt(at.mark, 'document contains excessive aliasing');
  }

  #alias(node: NodeStart): Value {
    const name = quoteText(node.text);
    if (this.#pending.has(node.text)) {
      throw faultAt(node.mark, `cannot refer to anchor ${name} from inside its own definition`);
    }
    const anchored = this.#anchors.get(node.text);
    if (anchored !== undefined) {
      this.#count(anchored.nodes, node);
      return anchored.value;
    }
    throw faultAt(node.mark, `reference to undefined anchor ${name}`);
  }

  #content(node: NodeStart): Value {
    if (node.kind === 'scalar') return scalarValue(node);
    if (this.#depth >= MAX_DEPTH) {
      throw faultAt(node.mark, `more than ${MAX_DEPTH} levels of mappings and sequences`);
    }
    this.#depth++;
    const value = node.kind.endsWith('sequence') ? this.#sequence(node) : this.#mapping(node);
    this.#depth--;
    return value;
  }

  // ----- sequences

  #sequence(node: NodeStart): Value {
    if (node.tag !== '' && node.tag !== `${TAG_PREFIX}seq`) {
      throw faultAt(node.mark, `can't interpret sequence as ${node.tag}`);
    }
    if (node.kind === 'flow-sequence') return this.#flowSequence();
    return node.kind === 'block-sequence' ? this.#blockSequence() : this.#indentlessSequence();
  }

  /** block_sequence ::= BLOCK-SEQUENCE-START (BLOCK-ENTRY block_node?)* BLOCK-END */
  #blockSequence(): Value {
    const { start } = this.#peek();
    this.#scanner.skip();
    const values: Value[] = [];
    while (this.#isNext('block-entry')) values.push(this.#entry('block-entry', 'block-end'));
    if (!this.#isNext('block-end')) {
      throw parserFault("did not find expected '-' indicator", this.#peek().start, start);
    }
    this.#scanner.skip();
    return tuple(values);
  }

  /** indentless_sequence ::= (BLOCK-ENTRY block_node?)+ */
  #indentlessSequence(): Value {
    const values: Value[] = [];
    while (this.#isNext('block-entry')) {
      values.push(this.#entry('block-entry', ...IN_BLOCK_MAPPING));
    }
    return tuple(values);
  }

  #entry(...empty: readonly YamlTokenKind[]): Value {
    const { end } = this.#peek();
    this.#scanner.skip();
    return this.#isNext(...empty) ? this.#finish(emptyNode(end)) : this.#node(true, false);
  }

  /** flow_sequence ::= FLOW-SEQUENCE-START (flow_sequence_entry FLOW-ENTRY)* flow_sequence_entry? FLOW-SEQUENCE-END */
  #flowSequence(): Value {
    const { start } = this.#peek();
    this.#scanner.skip();
    const values: Value[] = [];
    while (!this.#isNext('flow-sequence-end')) {
      if (values.length > 0) {
        this.#comma("did not find expected ',' or ']'", start);
        if (this.#isNext('flow-sequence-end')) break;
      }
      values.push(this.#isNext('key') ? this.#finish(this.#pairStart()) : this.#node(false, false));
    }
    this.#scanner.skip();
    return tuple(values);
  }

  #comma(message: string, context: YamlMark): void {
    if (!this.#isNext('flow-entry')) throw parserFault(message, this.#peek().start, context);
    this.#scanner.skip();
  }

  #pairStart(): NodeStart {
    const { start } = this.#peek();
    this.#scanner.skip();
    return { ...emptyNode(start), kind: 'pair' };
  }

  // ----- mappings

  #mapping(node: NodeStart): Value {
    if (node.tag !== '' && node.tag !== `${TAG_PREFIX}map`) {
      throw faultAt(node.mark, `can't interpret mapping as ${node.tag}`);
    }
    const attributes = new Map<string, Value>();
    if (node.kind === 'pair') this.#pair(attributes);
    else if (node.kind === 'flow-mapping') this.#flowMapping(attributes);
    else this.#blockMapping(attributes);
    return object(attributes);
  }

  /** block_mapping ::= BLOCK-MAPPING-START ((KEY node?)? (VALUE node?)?)* BLOCK-END */
  #blockMapping(into: Map<string, Value>): void {
    const { start } = this.#peek();
    this.#scanner.skip();
    for (let token = this.#peek(); token.kind === 'key'; token = this.#peek()) {
      this.#scanner.skip();
      const key = this.#isNext(...IN_BLOCK_MAPPING)
        ? emptyNode(token.end)
        : this.#start(true, true);
      this.#attribute(key, into, () => this.#blockValue());
    }
    if (!this.#isNext('block-end')) {
      throw parserFault('did not find expected key', this.#peek().start, start);
    }
    this.#scanner.skip();
  }

  #blockValue(): Value {
    const token = this.#peek();
    if (token.kind !== 'value') return this.#finish(emptyNode(token.start));
    this.#scanner.skip();
    return this.#isNext(...IN_BLOCK_MAPPING)
      ? this.#finish(emptyNode(token.end))
      : this.#node(true, true);
  }

  /** flow_mapping ::= FLOW-MAPPING-START (flow_mapping_entry FLOW-ENTRY)* flow_mapping_entry? FLOW-MAPPING-END */
  #flowMapping(into: Map<string, Value>): void {
    const { start } = this.#peek();
    this.#scanner.skip();
    for (let isFirst = true; !this.#isNext('flow-mapping-end'); isFirst = false) {
      if (!isFirst) {
        this.#comma("did not find expected ',' or '}'", start);
        if (this.#isNext('flow-mapping-end')) break;
      }
      if (!this.#isNext('key')) {
        // A key without a value.
        const key = this.#start(false, false);
        this.#attribute(key, into, () => this.#finish(emptyNode(this.#peek().start)));
        continue;
      }
      this.#scanner.skip();
      const key = this.#isNext('value', 'flow-entry', 'flow-mapping-end')
        ? emptyNode(this.#peek().start)
        : this.#start(false, false);
      this.#attribute(key, into, () => this.#flowValue('flow-mapping-end'));
    }
    this.#scanner.skip();
  }

  #flowValue(close: YamlTokenKind): Value {
    if (this.#isNext('value')) {
      this.#scanner.skip();
      if (!this.#isNext('flow-entry', close)) return this.#node(false, false);
    }
    return this.#finish(emptyNode(this.#peek().start));
  }

  /** flow_sequence_entry ::= KEY flow_node? (VALUE flow_node?)? */
  #pair(into: Map<string, Value>): void {
    const token = this.#peek();
    let key: NodeStart;
    if (['value', 'flow-entry', 'flow-sequence-end'].includes(token.kind)) {
      // As in the reference implementation, which then skips the token.
      this.#scanner.skip();
      key = emptyNode(token.end);
    } else key = this.#start(false, false);
    this.#attribute(key, into, () => this.#flowValue('flow-sequence-end'));
  }

  /**
   * Reads an attribute of an object, or the attributes of a merge key. Errors of the key come before those of the
   * value.
   */
  #attribute(key: NodeStart, into: Map<string, Value>, read: () => Value): void {
    if (key.kind !== 'scalar') {
      throw faultAt(key.mark, 'only strings are allowed as mapping keys');
    }
    if (key.tag === `${TAG_PREFIX}merge` || (key.tag === '' && key.text === '<<')) {
      return merge(key, read(), into);
    }
    const resolved = resolveYamlScalar(key.tag, key.text, key.style === 'quoted');
    if (resolved.isNull) throw faultAt(key.mark, 'mapping key cannot be null');
    into.set(convert(resolved, STRING).asString(), read());
  }
}

function emptyNode(mark: YamlMark): NodeStart {
  return { kind: 'scalar', mark, anchor: '', tag: '', text: '', style: 'plain' };
}

function parserFault(
  problem: string,
  mark: YamlMark,
  context: YamlMark = { line: 0, column: 0 },
): YamlFault {
  return new YamlFault(problem, mark, context, false);
}

function merge(key: NodeStart, value: Value, into: Map<string, Value>): void {
  const isSequence = value.type.kind === 'tuple' && !value.isNull;
  for (const part of isSequence ? value.elements() : [value]) {
    if (part.type.kind !== 'object') {
      const from = isSequence ? ' (from sequence)' : '';
      throw faultAt(key.mark, `cannot merge ${friendlyName(part.type)}${from} into mapping`);
    }
    for (const [name, element] of part.entries()) into.set(name.asString(), element);
  }
}

function scalarValue(node: NodeStart): Value {
  let value: Value;
  try {
    value = resolveYamlScalar(node.tag, node.text, node.style === 'quoted');
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw faultAt(node.mark, error.message);
  }
  if (node.style !== 'block' || node.tag !== '') return value;
  // Block scalars are strings, converted from their implicit type: "yes" becomes "true".
  return value.type === DYNAMIC ? nullOf(STRING) : convert(value, STRING);
}
