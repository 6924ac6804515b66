import { EMPTY_STRING } from './constants.ts';
import { Bug } from './bug.ts';
import { equal } from './equality.ts';
import { type Marks, NO_MARKS, unionMarks } from './marks.ts';
import { compareNum, type Num, numFromBigInt, numFromFloat } from './number.ts';
import { compareCanonical, compareHashed, hashText } from './set-order.ts';
import { compareText, normalizeText, textOrder } from './text.ts';
import { friendlyName } from './type-name.ts';
import { arrangementOf, type Shape, shapeOfObjectType, withoutOptional } from './object-type.ts';
import {
  type CapsuleType,
  DYNAMIC,
  isPrimitive,
  listType,
  mapType,
  NUMBER,
  type ObjectType,
  setType,
  STRING,
  tupleTypeOf,
  type Type,
} from './type.ts';
import {
  cachesOf,
  compound,
  nullOf,
  numberValue,
  plainUnknown,
  PRECISION_53,
  PRECISION_64,
  textValue,
  Value,
} from './value.ts';

/** Returns a string value; the text is normalised (NFC). */
export function str(s: string): Value {
  if (s === '') return EMPTY_STRING;
  return s.length <= MAX_SHARED_LENGTH ? shortText(s) : textValue(normalizeText(s));
}

/** V8 stores strings up to this length in one piece, so that reading their characters is fast. */
const MAX_SHARED_LENGTH = 12;
/** The number of characters at the end of a text, where similar texts differ most, that select its place. */
const HASHED_LENGTH = 4;
const SHARED_TEXTS = 1024;
/** The latest value of each hash. */
const sharedTexts = new Array<Value | undefined>(SHARED_TEXTS);

/** Returns the string value of a short text. Such texts recur often (names, tags, states) and share recent values. */
function shortText(s: string): Value {
  const { length } = s;
  let hash = length;
  for (let i = length > HASHED_LENGTH ? length - HASHED_LENGTH : 0; i < length; i++) {
    hash = (Math.imul(hash, 31) + s.charCodeAt(i)) | 0;
  }
  const slot = (hash ^ (hash >>> 10)) & (SHARED_TEXTS - 1);
  const shared = sharedTexts[slot];
  if (shared?.payload === s) return shared;
  const value = textValue(normalizeText(s));
  sharedTexts[slot] = value;
  return value;
}

/**
 * Creates a number value with the precision of numbers in text (512 bits; a {@link BigFloat} keeps its own). A double
 * that is not a safe integer represents its exact binary value.
 */
export function number(n: number | bigint | Num): Value {
  if (typeof n === 'bigint') return numberValue(numFromBigInt(n), 0);
  return numberValue(typeof n === 'number' ? numFromFloat(n) : n, 0);
}

/**
 * A number value with the precision of machine integers (64 bits), as lengths, counts and indexes have. It differs from
 * {@link number} only in how results of dividing two such numbers are rounded: `length(a) / length(b)` has 20 digits.
 */
export function integer(n: number | bigint): Value {
  if (typeof n === 'bigint') {
    const value = numFromBigInt(n, 64);
    return numberValue(value, typeof value === 'number' ? PRECISION_64 : 0);
  }
  if (!Number.isSafeInteger(n)) throw new Bug(`${n} is no safe integer`);
  return new Value(NUMBER, n, NO_MARKS, PRECISION_64);
}

/** Creates a number value with the precision of a double (53 bits), as functions that compute with doubles do. */
export function double(n: number): Value {
  return numberValue(numFromFloat(n), PRECISION_53);
}

/** A capsule value around any object but null. */
export function capsule(type: CapsuleType, v: unknown): Value {
  if (v === null || v === undefined) throw new Bug('a capsule needs something to hide');
  return new Value(type, v, NO_MARKS, 0);
}

/** Converts a value to an element of a collection: a value without a type gets the element type. */
function asElement(v: Value, element: Type): Value {
  if (v.type === element) return v;
  if (v.type === DYNAMIC) {
    const typed = v.isNull ? nullOf(element) : plainUnknown(element);
    return typed.withMarks(v.marks);
  }
  throw new Bug(
    `a collection of ${friendlyName(element)} cannot have an element of another type, ${friendlyName(v.type)}`,
  );
}

function asElements(values: readonly Value[], element: Type): readonly Value[] {
  for (let i = 0; i < values.length; i++) {
    if ((values[i] as Value).type !== element) return values.map((v) => asElement(v, element));
  }
  return values;
}

/** Returns the common type of all values, ignoring values without a type; undefined if types differ. */
export function commonType(values: Iterable<Value>): Type | undefined {
  let type: Type = DYNAMIC;
  for (const v of values) {
    if (type === DYNAMIC) type = v.type;
    else if (v.type !== DYNAMIC && v.type !== type) return undefined;
  }
  return type;
}

/** Returns a list. Every value must be of the element type or dynamic. Takes ownership of the array. */
export function list(element: Type, values: readonly Value[]): Value {
  const type = listType(withoutOptional(element));
  if (values.length === 0) return (cachesOf(type).emptyValue ??= compound(type, []));
  return compound(type, asElements(values, type.element));
}

/**
 * Returns a set: duplicates are removed, and the elements are sorted in canonical order. Marks of the elements, at any
 * depth, are moved to the set. Every value must be of the element type or dynamic.
 */
export function set(element: Type, values: readonly Value[]): Value {
  const type = setType(withoutOptional(element));
  if (values.length === 0) return (cachesOf(type).emptyValue ??= compound(type, []));
  let marks: Marks = NO_MARKS;
  let plain = values;
  if (values.some((v) => v.containsMarked())) {
    plain = values.map((v) => {
      const stripped = v.unmarkDeep();
      marks = unionMarks(marks, stripped.marks);
      return stripped.value;
    });
  }
  return compound(type, canonicalElements(type.element, asElements(plain, type.element))).withMarks(
    marks,
  );
}

function canonicalElements(element: Type, values: readonly Value[]): readonly Value[] {
  if (values.length === 1) return values;
  if (element === STRING && values.every((v) => typeof v.payload === 'string')) {
    const order = textOrder(values.map((v) => v.payload as string));
    return distinct(values).sort((a, b) => order(a.payload as string, b.payload as string));
  }
  if (element === NUMBER && values.every((v) => typeof v.payload === 'number')) {
    return distinct(values).sort((a, b) => compareNum(a.payload as Num, b.payload as Num));
  }
  return filedElements(element, values);
}

/** Removes duplicates of payloads that a Set compares correctly. */
function distinct(values: readonly Value[]): Value[] {
  const seen = new Set<unknown>();
  const kept: Value[] = [];
  for (const v of values) {
    const { size } = seen;
    if (seen.add(v.payload).size > size) kept.push(v);
  }
  return kept;
}

function filedElements(element: Type, values: readonly Value[]): readonly Value[] {
  const filed = new Map<string, Value[]>();
  const distinct: (readonly [Value, string])[] = [];
  for (const v of values) {
    const text = hashText(v);
    const same = filed.get(text);
    if (same === undefined) filed.set(text, [v]);
    else if (same.some((other) => isSame(v, other))) continue;
    else same.push(v);
    distinct.push([v, text]);
  }
  const order = isPrimitive(element)
    ? (a: readonly [Value, string], b: readonly [Value, string]) => compareCanonical(a[0], b[0])
    : compareHashed;
  return distinct.sort(order).map((entry) => entry[0]);
}

/** Returns true if two elements are identical. Unknown elements never are, as each may become any value. */
function isSame(a: Value, b: Value): boolean {
  return equal(a, b).payload === true;
}

/** A map. Keys are normalised and sorted by code point; of equal keys the last counts. Elements as in {@link list}. */
export function map(element: Type, entries: Iterable<readonly [string, Value]>): Value {
  const type = mapType(withoutOptional(element));
  const sorted: (readonly [string, Value])[] = [];
  let ordered = true;
  for (const [key, value] of entries) {
    const normal = normalizeText(key);
    const last = sorted[sorted.length - 1];
    if (last !== undefined && compareText(last[0], normal) >= 0) ordered = false;
    sorted.push([normal, asElement(value, type.element)]);
  }
  if (sorted.length === 0) return (cachesOf(type).emptyValue ??= compound(type, new Map()));
  if (!ordered) {
    const order = textOrder(sorted.map((entry) => entry[0]));
    sorted.sort((a, b) => order(a[0], b[0]));
  }
  return compound(type, new Map(sorted));
}

/** Returns a tuple of values of any types. Takes ownership of the array. */
export function tuple(values: readonly Value[]): Value {
  return compound(tupleTypeOf(values), values);
}

/**
 * Returns an object whose type is derived from the values. Names are normalised; of duplicate names the last applies.
 */
export function object(
  attributes: Readonly<Record<string, Value>> | ReadonlyMap<string, Value>,
): Value {
  const names: string[] = [];
  const inputValues: Value[] = [];
  if (attributes instanceof Map) {
    for (const [name, value] of attributes as ReadonlyMap<string, Value>) {
      names.push(name);
      inputValues.push(value);
    }
  } else {
    const record = attributes as Readonly<Record<string, Value>>;
    for (const name in record) {
      if (!Object.hasOwn(record, name)) continue;
      names.push(name);
      inputValues.push(record[name] as Value);
    }
  }
  const { shape, positions } = arrangementOf(names);
  const values = new Array<Value>(shape.names.length);
  for (let i = 0; i < inputValues.length; i++) {
    values[positions[i] as number] = inputValues[i] as Value;
  }
  return compound(shape.typeOfValues(values), values);
}

/** The attribute names of objects that are created repeatedly: they are normalised and sorted once. */
export class ObjectLayout {
  /** The index of the value of each name. Names that normalise to the same one share an index. */
  readonly positions: readonly number[];
  /** The number of attributes. */
  readonly length: number;
  readonly #shape: Shape;

  constructor(names: readonly string[]) {
    const { shape, positions } = arrangementOf(names);
    this.#shape = shape;
    this.positions = positions;
    this.length = shape.names.length;
  }

  /** Returns the object with these values, each at its position. Takes ownership of the array. */
  object(values: readonly Value[]): Value {
    return compound(this.#shape.typeOfValues(values), values);
  }
}

/**
 * Returns an object from its attributes by index in `type`. If a value's type differs from that of the attribute (a
 * constraint with dynamic or optional attributes), the object takes the types of the values. Takes ownership of the
 * array.
 */
export function objectOf(type: ObjectType, values: readonly Value[]): Value {
  if (values.length !== type.names.length) {
    throw new Bug(`object type has ${type.names.length} attributes, ${values.length} were given`);
  }
  let exact = type.optional.size === 0;
  for (let i = 0; exact && i < values.length; i++) {
    exact = (values[i] as Value).type === type.types[i];
  }
  return compound(exact ? type : shapeOfObjectType(type).typeOfValues(values), values);
}

/** The object without attributes. */
export const EMPTY_OBJECT_VALUE: Value = object({});
/** The tuple without elements. */
export const EMPTY_TUPLE_VALUE: Value = tuple([]);

/** The value of a list, set or map type that has no elements; other types are a bug. */
export function emptyCollection(type: Type): Value {
  switch (type.kind) {
    case 'list':
      return list(type.element, []);
    case 'set':
      return set(type.element, []);
    case 'map':
      return map(type.element, []);
    default:
      throw new Bug(`a ${type.kind} is no collection`);
  }
}
