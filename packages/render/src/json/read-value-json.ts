import {
  bool,
  DYNAMIC,
  impliedJsonType,
  type JsonNode,
  list,
  listType,
  map,
  mapType,
  nullOf,
  number,
  object,
  objectOf,
  type ObjectType,
  parseNumber,
  set,
  str,
  STRING,
  tuple,
  type Type,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type { Members } from './json-node.ts';

/** Decodes a value of `type` (inferred from the JSON if absent) from values, unknown flags and sensitive flags in JSON. */
export function valueOf(
  node: JsonNode,
  unknown: JsonNode,
  sensitive: JsonNode,
  type: Type | undefined,
): Value {
  const value = unmarkedOf(node, unknown, sensitive, type?.kind === 'dynamic' ? undefined : type);
  return sensitive === true ? value.mark('sensitive') : value;
}

function unmarkedOf(
  node: JsonNode,
  unknown: JsonNode,
  sensitive: JsonNode,
  type: Type | undefined,
): Value {
  if (unknown === true) return unknownOf(type ?? typeOfUnknown(sensitive));
  if (node === null && !(unknown instanceof Map && unknown.size > 0)) {
    return nullOf(type ?? impliedJsonType(null));
  }
  const flag = (flags: JsonNode, key: string): JsonNode =>
    flags instanceof Map ? ((flags as Members).get(key) ?? false) : false;
  const flagAt = (flags: JsonNode, index: number): JsonNode =>
    Array.isArray(flags) ? ((flags as readonly JsonNode[])[index] ?? false) : false;
  if (Array.isArray(node)) {
    const elements = (node as readonly JsonNode[]).map((element, i) => {
      const elementType =
        type === undefined
          ? undefined
          : type.kind === 'tuple'
            ? type.elements[i]
            : (type as { element: Type }).element;
      return valueOf(element, flagAt(unknown, i), flagAt(sensitive, i), elementType);
    });
    if (type?.kind === 'list') return list(elements[0]?.type ?? type.element, elements);
    if (type?.kind === 'set') return set(elements[0]?.type ?? type.element, elements);
    return tuple(elements);
  }
  if (node === null || node instanceof Map) {
    const members: Members = node ?? new Map();
    const child = (key: string, childType: Type | undefined): Value =>
      valueOf(members.get(key) ?? null, flag(unknown, key), flag(sensitive, key), childType);
    if (type?.kind === 'object') {
      return objectOf(
        type as ObjectType,
        type.names.map((name, i) => child(name, type.types[i])),
      );
    }
    const keys = new Set([
      ...members.keys(),
      ...(unknown instanceof Map ? (unknown as Members).keys() : []),
    ]);
    if (type?.kind === 'map') {
      const entries = [...keys].map((key) => [key, child(key, type.element)] as const);
      return map(entries[0]?.[1].type ?? type.element, entries);
    }
    return object(new Map([...keys].sort().map((key) => [key, child(key, undefined)])));
  }
  if (typeof node === 'boolean') return bool(node);
  if (typeof node === 'string') return str(node);
  return number(parseNumber((node as { number: string }).number) ?? 0);
}

// The type of an unknown value can only be inferred from the structure of its sensitive flags.
function typeOfUnknown(sensitive: JsonNode): Type {
  if (Array.isArray(sensitive)) return listType(STRING);
  return sensitive instanceof Map ? mapType(STRING) : DYNAMIC;
}
