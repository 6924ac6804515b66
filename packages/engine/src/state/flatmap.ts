import {
  CtyError,
  STRING,
  convert,
  emptyCollection,
  list,
  map,
  nullOf,
  object,
  set,
  str,
  tuple,
  unknownOf,
  type Type,
  type Value,
} from '@terrane/cty';

// The placeholder of SDKs before 0.12 for an unknown value.
const UNKNOWN_TEXT = '74D93920-ED26-11E3-AC10-0800200C9A66';

/**
 * Decodes a value from the flat form in which states before Terraform 0.12 stored attributes: names joined by dots, `#`
 * for the length of lists and sets, `%` for that of maps. `type` is an object type. Throws CtyError for mismatches.
 */
export function valueFromFlatmap(flat: Readonly<Record<string, string>>, type: Type): Value {
  return read(new Map(Object.entries(flat)), '', type, true);
}

type Flat = ReadonlyMap<string, string>;

function read(flat: Flat, key: string, type: Type, isRoot = false): Value {
  const prefix = isRoot ? '' : `${key}.`;
  switch (type.kind) {
    case 'bool':
    case 'number':
    case 'string':
      return readPrimitive(flat, key, type);
    case 'object':
      return object(
        new Map(
          type.names.map((name, i) => [name, read(flat, prefix + name, type.types[i] ?? STRING)]),
        ),
      );
    case 'tuple': {
      const count = readCount(flat, key, prefix, type);
      if (typeof count !== 'number') return count;
      if (count !== type.elements.length) {
        throw new CtyError(
          `wrong number of values for "${prefix}" in state: got ${count}, but need ${type.elements.length}`,
        );
      }
      return tuple(type.elements.map((element, i) => read(flat, `${prefix}${i}`, element)));
    }
    case 'list': {
      const count = readCount(flat, key, prefix, type);
      if (typeof count !== 'number') return count;
      return list(
        type.element,
        Array.from({ length: count }, (_, i) => read(flat, `${prefix}${i}`, type.element)),
      );
    }
    case 'set':
      return readSet(flat, key, prefix, type);
    case 'map':
      return readMap(flat, key, prefix, type);
    case 'dynamic':
    case 'capsule':
      throw new CtyError(`cannot decode ${type.kind} from flatmap`);
  }
}

function readPrimitive(flat: Flat, key: string, type: Type): Value {
  const raw = flat.get(key);
  if (raw === undefined) return nullOf(type);
  if (raw === UNKNOWN_TEXT) return unknownOf(type);
  try {
    return convert(str(raw), type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError(`invalid value for "${key}" in state: ${error.message}`, error.path);
  }
}

/** The number of elements, or the value when that is already decided. */
function readCount(flat: Flat, key: string, prefix: string, type: Type): number | Value {
  if (flat.get(key) === UNKNOWN_TEXT) return unknownOf(type);
  const text = flat.get(`${prefix}#`);
  if (text === undefined) return nullOf(type);
  if (text === UNKNOWN_TEXT) return unknownOf(type);
  if (!/^[+-]?\d+$/.test(text)) {
    throw new CtyError(
      `invalid count value for "${prefix}" in state: strconv.Atoi: parsing "${text}": invalid syntax`,
    );
  }
  return Number(text);
}

function readMap(
  flat: Flat,
  key: string,
  prefix: string,
  type: Extract<Type, { kind: 'list' | 'set' | 'map' }>,
): Value {
  if (flat.get(key) === UNKNOWN_TEXT) return unknownOf(type);
  const count = flat.get(`${prefix}%`);
  if (count === undefined) return nullOf(type);
  if (count === UNKNOWN_TEXT) return unknownOf(type);
  const entries: [string, Value][] = [];
  for (const name of flat.keys()) {
    if (!name.startsWith(prefix) || name === `${prefix}%`) continue;
    // A map's key may contain dots, so its end is ambiguous: maps only had primitive values.
    entries.push([name.slice(prefix.length), read(flat, name, type.element)]);
  }
  return map(type.element, entries);
}

function readSet(
  flat: Flat,
  key: string,
  prefix: string,
  type: Extract<Type, { kind: 'list' | 'set' | 'map' }>,
): Value {
  if (flat.get(key) === UNKNOWN_TEXT) return unknownOf(type);
  const count = flat.get(`${prefix}#`);
  if (count === undefined) return nullOf(type);
  if (count === UNKNOWN_TEXT) return unknownOf(type);
  const keys = new Set<string>();
  for (const name of flat.keys()) {
    if (!name.startsWith(prefix)) continue;
    const rest = name.slice(prefix.length);
    if (rest === '#') continue;
    const dot = rest.indexOf('.');
    keys.add(dot === -1 ? name : prefix + rest.slice(0, dot));
  }
  const values = [...keys].map((each) => read(flat, each, type.element));
  // A single element without attributes is only visible in the count.
  if (values.length === 0 && count === '1') values.push(emptyElement(type.element));
  return set(type.element, values);
}

function emptyElement(type: Type): Value {
  switch (type.kind) {
    case 'map':
    case 'list':
    case 'set':
      return emptyCollection(type);
    case 'object':
      return object(new Map(type.names.map((name, i) => [name, nullOf(type.types[i] ?? STRING)])));
    default:
      return nullOf(type);
  }
}
