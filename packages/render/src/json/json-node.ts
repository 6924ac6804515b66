import type { JsonNode } from '@terrane/cty';

/** The members of a JSON object. */
export type Members = ReadonlyMap<string, JsonNode>;

/** Returns the members of an object; empty for other nodes. */
export function membersOf(node: JsonNode | undefined): Members {
  return node instanceof Map ? node : new Map();
}

/** Returns the elements of an array; empty for other nodes. */
export function items(node: JsonNode | undefined): readonly JsonNode[] {
  return Array.isArray(node) ? node : [];
}

/** Returns a string node; "" for other nodes. */
export function text(node: JsonNode | undefined): string {
  return typeof node === 'string' ? node : '';
}

/** Returns an integer node; 0 for other nodes. */
export function integer(node: JsonNode | undefined): number {
  return typeof node === 'object' && node !== null && 'number' in node ? Number(node.number) : 0;
}

/** A JSON value as JavaScript has it. */
export function plainJson(node: JsonNode): unknown {
  if (Array.isArray(node)) return node.map(plainJson);
  if (node instanceof Map) return Object.fromEntries([...node].map(([k, v]) => [k, plainJson(v)]));
  return node;
}
