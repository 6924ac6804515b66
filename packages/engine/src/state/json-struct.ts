import type { JsonBytes } from './json-bytes.ts';
import { jsonString } from './json-writer.ts';

/**
 * The Go type that encoding/json decodes a JSON value into. `unsigned?` is a pointer, which null resets; `bytes` is
 * base64 text; `raw` and `any` keep the text of any value, but `any` treats null as absent.
 */
export type JsonShape =
  | 'string'
  | 'bool'
  | 'unsigned'
  | 'unsigned?'
  | 'integer'
  | 'bytes'
  | 'raw'
  | 'any'
  | { readonly kind: 'list' | 'map'; readonly of: JsonShape }
  | StructShape;

/** A struct with its members by their names. */
export interface StructShape {
  readonly kind: 'struct';
  readonly fields: ReadonlyMap<string, JsonShape>;
  /** the names by their case-folded form */
  readonly folded: ReadonlyMap<string, string>;
  /** true if null removes the value, rather than leaving it unchanged */
  readonly pointer: boolean;
}

/** A struct. */
export function struct(
  fields: Readonly<Record<string, JsonShape>>,
  pointer: boolean = false,
): StructShape {
  const entries = Object.entries(fields);
  return {
    kind: 'struct',
    fields: new Map(entries),
    folded: new Map(entries.map(([name]) => [fold(name), name])),
    pointer,
  };
}

/** A list. */
export function list(of: JsonShape): JsonShape {
  return { kind: 'list', of };
}

/** A map by texts. */
export function map(of: JsonShape): JsonShape {
  return { kind: 'map', of };
}

/**
 * Returns the member of a key: the one with exactly this name, otherwise one that differs only in case; `undefined` if
 * there is none, so that the key is ignored.
 */
export function memberOf(shape: StructShape, key: string): string | undefined {
  return shape.fields.has(key) ? key : shape.folded.get(fold(key));
}

/** Long s and the Kelvin sign fold to s and k, as they have the same upper case. */
function fold(name: string): string {
  return name
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    .replaceAll('\u017f', 'S')
    .replaceAll('\u212a', 'K');
}

/** A value of the wrong type; `found` is worded as in Go's decoder. */
export interface JsonMismatch {
  /** the path of member names, joined by dots; "" at the top */
  readonly field: string;
  readonly actual: string;
}

/**
 * Rewrites the JSON value at `at` to the result of Go's encoding/json: each member once, under its canonical name,
 * without ignored members. Of duplicate members the last one applies, but maps are merged, and elements of lists and
 * members of objects keep parts that a later one does not contain. `mismatch` is the first value of a wrong type.
 * Throws JsonSyntaxError.
 */
export function decodeAs(
  shape: JsonShape,
  json: JsonBytes,
  at: number,
): { readonly text: string; readonly end: number; readonly mismatch: JsonMismatch | undefined } {
  const decoder = new Decoder(json);
  const { node, end } = decoder.decode(at, shape, undefined);
  return { text: write(shape, node), end, mismatch: decoder.mismatch };
}

/** Leaves are JSON text. `undefined` is the zero value. */
type Node = string | Entries | Elements | undefined;

class Entries {
  readonly of: Map<string, Node> = new Map();
}

/** Elements beyond the length remain from a longer list, as in a slice's memory. */
class Elements {
  readonly of: Node[] = [];
  length = 0;
}

class Decoder {
  readonly #json: JsonBytes;
  readonly #path: string[] = [];
  mismatch: JsonMismatch | undefined;

  constructor(json: JsonBytes) {
    this.#json = json;
  }

  decode(at: number, shape: JsonShape, before: Node): { node: Node; end: number } {
    const json = this.#json;
    const kind = json.kind(at);
    if (typeof shape === 'object' && kind !== 'null') {
      if (shape.kind === 'list' && kind === 'array') return this.#list(at, shape.of, before);
      if (shape.kind === 'map' && kind === 'object') return this.#map(at, shape.of, before);
      if (shape.kind === 'struct' && kind === 'object') return this.#struct(at, shape, before);
    }
    const end = json.value(at);
    if (kind === 'null') return { node: nullOf(shape, before), end };
    const text = json.text(at, end);
    const fits =
      shape === 'raw' ||
      shape === 'any' ||
      (shape === 'bytes' ? kind === 'string' : shape === kind) ||
      (kind === 'number' && isWhole(text, shape));
    if (fits) return { node: text, end };
    const isNumber = kind === 'number' && WHOLE.has(shape);
    this.mismatch ??= { field: this.#path.join('.'), actual: isNumber ? `number ${text}` : kind };
    return { node: before, end };
  }

  #list(at: number, of: JsonShape, before: Node): { node: Node; end: number } {
    const elements = before instanceof Elements ? before : new Elements();
    let length = 0;
    const end = this.#json.elements(at, (value) => {
      const decoded = this.decode(value, of, elements.of[length]);
      elements.of[length] = decoded.node;
      length++;
      return decoded.end;
    });
    elements.length = length;
    if (length === 0) elements.of.length = 0; // Go allocates a new slice
    return { node: elements, end };
  }

  #map(at: number, of: JsonShape, before: Node): { node: Node; end: number } {
    const entries = before instanceof Entries ? before : new Entries();
    const end = this.#json.members(at, (key, value) => {
      const decoded = this.decode(value, of, undefined);
      entries.of.set(this.#json.stringAt(key), decoded.node);
      return decoded.end;
    });
    return { node: entries, end };
  }

  #struct(at: number, shape: StructShape, before: Node): { node: Node; end: number } {
    const json = this.#json;
    const entries = before instanceof Entries ? before : new Entries();
    const end = json.members(at, (key, value) => {
      const name = memberOf(shape, json.stringAt(key));
      const member = name === undefined ? undefined : shape.fields.get(name);
      if (name === undefined || member === undefined) return json.value(value);
      this.#path.push(name);
      const decoded = this.decode(value, member, entries.of.get(name));
      this.#path.pop();
      entries.of.set(name, decoded.node);
      return decoded.end;
    });
    return { node: entries, end };
  }
}

const WHOLE: ReadonlySet<JsonShape> = new Set<JsonShape>(['unsigned', 'unsigned?', 'integer']);
const UINT64 = 2n ** 64n;
const INT64 = 2n ** 63n;

function isWhole(text: string, shape: JsonShape): boolean {
  if (!/^-?\d+$/.test(text)) return false;
  const number = BigInt(text);
  if (shape === 'unsigned' || shape === 'unsigned?')
    return !text.startsWith('-') && number < UINT64;
  return shape === 'integer' && number >= -INT64 && number < INT64;
}

/** Decodes null over a previous value: strings, numbers and structs keep it, as in Go. */
function nullOf(shape: JsonShape, before: Node): Node {
  if (shape === 'raw') return 'null';
  if (shape === 'any' || shape === 'bytes' || shape === 'unsigned?') return undefined;
  if (typeof shape === 'string') return before;
  return shape.kind === 'struct' && !shape.pointer ? before : undefined;
}

function write(shape: JsonShape, node: Node): string {
  if (typeof shape === 'string') return typeof node === 'string' ? node : ZEROS[shape];
  if (node instanceof Elements) {
    const of = shape.kind === 'list' ? shape.of : 'any';
    return `[${node.of
      .slice(0, node.length)
      .map((element) => write(of, element))
      .join(',')}]`;
  }
  const entries = node instanceof Entries ? [...node.of] : undefined;
  if (entries === undefined) return shape.kind === 'struct' && !shape.pointer ? '{}' : 'null';
  const members = entries.flatMap(([name, member]) => {
    if (shape.kind !== 'struct') {
      return [`${jsonString(name)}:${write(shape.kind === 'map' ? shape.of : 'any', member)}`];
    }
    // Absent members are omitted, so that they have their default.
    const field = shape.fields.get(name);
    return member === undefined || field === undefined
      ? []
      : [`${jsonString(name)}:${write(field, member)}`];
  });
  return `{${members.join(',')}}`;
}

const ZEROS = {
  string: '""',
  bool: 'false',
  unsigned: '0',
  'unsigned?': 'null',
  integer: '0',
  bytes: 'null',
  raw: 'null',
  any: 'null',
} as const;
