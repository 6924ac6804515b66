import { formatNumber, type JsonNode, type Type, type Value } from '@terrane/cty';

/**
 * The positions within a value that have a property (unknown, sensitive): all, none, or by element and attribute. Its
 * structure is that of the value.
 */
export type Flags = boolean | readonly Flags[] | ReadonlyMap<string, Flags>;

/**
 * Converts a value to plain JSON for comparison and display. Marks are dropped; unknown attributes and map elements are
 * omitted; unknown elements of sequences become null, to preserve positions; a wholly unknown value becomes null.
 * Numbers keep their exact text.
 */
export function plainValue(value: Value): JsonNode {
  return plain(value) ?? null;
}

function plain(marked: Value): JsonNode | undefined {
  if (!marked.isKnown) return undefined;
  if (marked.isNull) return null;
  const value = marked.isMarked ? marked.unmark() : marked;
  const type = value.type;
  switch (type.kind) {
    case 'bool':
      return value.asBool();
    case 'string':
      return value.asString();
    case 'number':
      return { number: formatNumber(value.asNum()) };
    case 'list':
    case 'set':
    case 'tuple':
      return value.elements().map(plainValue);
    case 'map': {
      const result = new Map<string, JsonNode>();
      for (const [key, element] of mapEntries(value)) {
        const node = plain(element);
        if (node !== undefined) result.set(key, node);
      }
      return result;
    }
    case 'object': {
      const result = new Map<string, JsonNode>();
      const elements = value.elements();
      for (let i = 0; i < elements.length; i++) {
        const name = type.names[i];
        const element = elements[i];
        if (name === undefined || element === undefined) continue;
        const node = plain(element);
        if (node !== undefined) result.set(name, node);
      }
      return result;
    }
    case 'dynamic':
    case 'capsule':
      return null;
  }
}

/** Returns keys and elements of a known, unmarked map, sorted by key. */
export function mapEntries(value: Value): Iterable<readonly [string, Value]> {
  // The payload of a map is a Map: reading it spares a string value per key.
  return value.payload instanceof Map
    ? (value.payload as ReadonlyMap<string, Value>)
    : [...value.entries()].map(([key, element]) => [key.asString(), element] as const);
}

/** Returns the positions of unknown values. */
export function unknownFlags(value: Value): Flags {
  if (!value.isKnown) return true;
  return flagsInside(value, unknownFlags);
}

/** Combines the positions of two properties. */
export function eitherFlags(a: Flags, b: Flags): Flags {
  if (a === true || b === true) return true;
  if (a === false) return b;
  if (b === false) return a;
  if (isSequence(a) && isSequence(b)) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, i) => eitherFlags(a[i] ?? false, b[i] ?? false));
  }
  if (isSequence(a) || isSequence(b)) return true;
  const keys = new Set([...a.keys(), ...b.keys()]);
  return new Map(
    Array.from(keys, (key) => [key, eitherFlags(a.get(key) ?? false, b.get(key) ?? false)]),
  );
}

// Array.isArray does not know readonly arrays.
function isSequence(flags: Flags): flags is readonly Flags[] {
  return Array.isArray(flags);
}

/** Returns the positions of sensitive values. Parts of a sensitive value are not searched. */
export function sensitiveFlags(value: Value): Flags {
  if (!value.containsMarked()) return false;
  if (value.hasMark('sensitive')) return true;
  if (!value.isKnown) return false;
  return flagsInside(value, sensitiveFlags);
}

function flagsInside(marked: Value, flags: (v: Value) => Flags): Flags {
  if (marked.isNull || isLeaf(marked.type)) return false;
  const value = marked.isMarked ? marked.unmark() : marked;
  if (value.type.kind === 'map') {
    let result: Map<string, Flags> | undefined;
    for (const [key, element] of mapEntries(value)) {
      const inside = flags(element);
      if (inside !== false) (result ??= new Map()).set(key, inside);
    }
    return result ?? false;
  }
  const elements = value.elements();
  if (value.type.kind === 'object') {
    let result: Map<string, Flags> | undefined;
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i];
      const inside = element === undefined ? false : flags(element);
      if (inside !== false) (result ??= new Map()).set(value.type.names[i] ?? '', inside);
    }
    return result ?? false;
  }
  let any = false;
  const result = elements.map((element) => {
    const inside = flags(element);
    if (inside !== false) any = true;
    return inside;
  });
  return any ? result : false;
}

function isLeaf(type: Type): boolean {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'tuple':
    case 'map':
    case 'object':
      return false;
    default:
      return true;
  }
}

/** Returns names and values of a known, unmarked object. */
export function* attributes(value: Value): Iterable<readonly [string, Value]> {
  if (value.type.kind !== 'object') return;
  const elements = value.elements();
  for (let i = 0; i < elements.length; i++) {
    const name = value.type.names[i];
    const element = elements[i];
    if (name !== undefined && element !== undefined) yield [name, element];
  }
}

/** Returns the kind of a JSON node. */
export function jsonKind(
  node: JsonNode,
): 'null' | 'bool' | 'string' | 'number' | 'array' | 'object' {
  if (node === null) return 'null';
  if (typeof node === 'boolean') return 'bool';
  if (typeof node === 'string') return 'string';
  if (Array.isArray(node)) return 'array';
  return node instanceof Map ? 'object' : 'number';
}

/** Deep equality of JSON; numbers by their text. */
export function jsonEqual(a: JsonNode, b: JsonNode): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isArray(a)) {
    if (!isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) {
      if (!jsonEqual(a[i] ?? null, b[i] ?? null)) return false;
    }
    return true;
  }
  if (isMap(a)) {
    if (!isMap(b) || a.size !== b.size) return false;
    for (const [key, value] of a) {
      const other = b.get(key);
      if (other === undefined || !jsonEqual(value, other)) return false;
    }
    return true;
  }
  return !isArray(b) && !isMap(b) && a.number === b.number;
}

/** Returns true if the node is a JSON array. */
export function isArray(node: JsonNode): node is readonly JsonNode[] {
  return Array.isArray(node);
}

/** Returns true if the node is a JSON object. */
export function isMap(node: JsonNode): node is ReadonlyMap<string, JsonNode> {
  return node instanceof Map;
}

/**
 * Returns a text that is equal for equal JSON, so that long sequences can be compared through a hash table. Object keys
 * are sorted.
 */
export function jsonKey(node: JsonNode): string {
  if (node === null || typeof node === 'boolean') return String(node);
  if (typeof node === 'string') return JSON.stringify(node);
  if (isArray(node)) return `[${node.map(jsonKey).join(',')}]`;
  if (isMap(node)) {
    const keys = [...node.keys()].sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${jsonKey(node.get(key) ?? null)}`).join(',')}}`;
  }
  return node.number;
}
