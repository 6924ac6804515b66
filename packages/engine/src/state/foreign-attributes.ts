import { type JsonNode, parseJson, type Type } from '@terrane/cty';

/**
 * Returns the JSON text of stored attributes without those that the type does not have, at any depth; undefined if
 * there are none. Other mismatches are left to the decoder.
 */
export function withoutForeignAttributes(json: string, type: Type): string | undefined {
  const parsed = parseJson(json);
  const stripped = text(strip(parsed, type));
  return stripped === text(parsed) ? undefined : stripped;
}

function strip(node: JsonNode, type: Type): JsonNode {
  if (node instanceof Map) {
    const members = new Map<string, JsonNode>();
    for (const [name, value] of node) {
      if (type.kind === 'map') members.set(name, strip(value, type.element));
      else if (type.kind !== 'object') members.set(name, value);
      else {
        const position = type.indexOf(name);
        const attribute = position === undefined ? undefined : type.types[position];
        if (attribute !== undefined) members.set(name, strip(value, attribute));
      }
    }
    return members;
  }
  if (Array.isArray(node)) {
    if (type.kind === 'list' || type.kind === 'set')
      return node.map((element) => strip(element, type.element));
    if (type.kind === 'tuple')
      return node.map((element, index) => strip(element, type.elements[index] ?? type));
  }
  return node;
}

function text(node: JsonNode): string {
  if (node === null || typeof node === 'boolean') return String(node);
  if (typeof node === 'string') return JSON.stringify(node);
  if (node instanceof Map) {
    return `{${[...node].map(([name, value]) => `${JSON.stringify(name)}:${text(value)}`).join(',')}}`;
  }
  if (Array.isArray(node)) return `[${node.map(text).join(',')}]`;
  return 'number' in node ? node.number : '';
}
