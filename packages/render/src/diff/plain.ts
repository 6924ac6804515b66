import { formatNumber, type JsonNode, type Num, type Value } from '@terrane/cty';

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

// Marks do not change the payload, which is read directly: this runs for every attribute of a plan.
function plain({ type, payload, isKnown }: Value): JsonNode | undefined {
  if (payload === null) return null;
  if (!isKnown) return undefined;
  switch (type.kind) {
    case 'bool':
      return payload as boolean;
    case 'string':
      return payload as string;
    case 'number':
      return { number: formatNumber(payload as Num) };
    case 'list':
    case 'set':
    case 'tuple':
      return (payload as readonly Value[]).map(plainValue);
    case 'map': {
      const result = new Map<string, JsonNode>();
      for (const [key, element] of payload as ReadonlyMap<string, Value>) {
        const node = plain(element);
        if (node !== undefined) result.set(key, node);
      }
      return result;
    }
    case 'object': {
      const result = new Map<string, JsonNode>();
      const { names } = type;
      const elements = payload as readonly Value[];
      for (let i = 0; i < elements.length; i++) {
        const node = plain(elements[i] as Value);
        if (node !== undefined) result.set(names[i] as string, node);
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
  if (value.isWhollyKnown()) return false;
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

/** Returns the positions inside a known value; `flags` returns those of a part. */
function flagsInside({ type, payload }: Value, flags: (part: Value) => Flags): Flags {
  if (payload === null) return false;
  switch (type.kind) {
    case 'map': {
      let result: Map<string, Flags> | undefined;
      for (const [key, element] of payload as ReadonlyMap<string, Value>) {
        const inside = flags(element);
        if (inside !== false) (result ??= new Map()).set(key, inside);
      }
      return result ?? false;
    }
    case 'object': {
      const elements = payload as readonly Value[];
      let result: Map<string, Flags> | undefined;
      for (let i = 0; i < elements.length; i++) {
        const inside = flags(elements[i] as Value);
        if (inside !== false) (result ??= new Map()).set(type.names[i] as string, inside);
      }
      return result ?? false;
    }
    case 'list':
    case 'set':
    case 'tuple': {
      const result = (payload as readonly Value[]).map(flags);
      return result.some((inside) => inside !== false) ? result : false;
    }
    default:
      return false;
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
