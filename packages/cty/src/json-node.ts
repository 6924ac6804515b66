import { CtyError } from './cty-error.ts';
import { JsonReader } from './json-reader.ts';
import { EMPTY_OBJECT, objectType } from './object-type.ts';
import { BOOL, DYNAMIC, EMPTY_TUPLE, NUMBER, STRING, tupleType, type Type } from './type.ts';

/** JSON data with exact numbers. */
export type JsonNode =
  | null
  | boolean
  | string
  | JsonNumber
  | readonly JsonNode[]
  | ReadonlyMap<string, JsonNode>;

/** A JSON number as it was written. */
export interface JsonNumber {
  readonly number: string;
}

/** Returns JSON text from text or UTF-8 bytes. */
function jsonSource(json: string | Uint8Array): string {
  return typeof json === 'string'
    ? json
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(json);
}

/**
 * Parses JSON and preserves the text of numbers. Of duplicate keys, the last one applies. Throws JsonSyntaxError with
 * Go's message and the offset for invalid JSON.
 */
export function parseJson(json: string | Uint8Array): JsonNode {
  const reader = new JsonReader(jsonSource(json));
  const node = readNode(reader);
  expectEnd(reader);
  return node;
}

/** Rejects text after the first value, except closing brackets, which Go's token reader ignores too. */
function expectEnd(reader: JsonReader): void {
  const rest = reader.peek();
  if (rest !== -1 && rest !== 0x5d && rest !== 0x7d) {
    reader.fail('extraneous data after JSON object');
  }
}

function readNode(reader: JsonReader): JsonNode {
  switch (reader.peek()) {
    case 0x7b: {
      const members = new Map<string, JsonNode>();
      reader.open();
      for (let first = true; ; first = false) {
        const key = reader.nextKey(first);
        if (key === undefined) return members;
        members.set(key, readNode(reader));
      }
    }
    case 0x5b: {
      const elements: JsonNode[] = [];
      reader.open();
      for (let first = true; reader.nextElement(first); first = false) {
        elements.push(readNode(reader));
      }
      return elements;
    }
    case 0x22:
      return reader.readString();
    default:
      return reader.readScalar();
  }
}

/** Returns true if the node is a number. */
export function isJsonNumber(node: JsonNode): node is JsonNumber {
  return typeof node === 'object' && node !== null && 'number' in node;
}

/** Returns the type of JSON data when no type is specified: objects and tuples; null is dynamic. */
export function impliedJsonType(node: JsonNode): Type {
  if (node === null) return DYNAMIC;
  if (typeof node === 'string') return STRING;
  if (typeof node === 'boolean') return BOOL;
  if (Array.isArray(node)) {
    const elements = node as readonly JsonNode[];
    return elements.length === 0 ? EMPTY_TUPLE : tupleType(elements.map(impliedJsonType));
  }
  if (node instanceof Map) {
    const types = new Map<string, Type>();
    for (const [key, member] of node as ReadonlyMap<string, JsonNode>) {
      types.set(key, impliedJsonType(member));
    }
    return types.size === 0 ? EMPTY_OBJECT : objectType(types);
  }
  if (isJsonNumber(node)) return NUMBER;
  throw new CtyError('not JSON data');
}
