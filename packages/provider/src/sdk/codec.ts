import {
  bool,
  exactNumber,
  formatNumber,
  indexStep,
  list,
  map,
  membershipIn,
  nullOf,
  number,
  numFromBigInt,
  numToFloat,
  numToInt,
  parseNumber,
  quoteText,
  set,
  str,
  Value,
} from '@terrane/cty';
import type { CollectionType, Path, Type } from '@terrane/cty';
import { ConversionError } from './provider-error.ts';
import { isUnknown, Unknown } from './unknown.ts';

/** Turns values of one type into JavaScript values, and back. */
export interface Codec {
  readonly type: Type;
  /** null is a valid element */
  readonly nullable: boolean;
  /** returns the path of a forbidden null in a known value; absent: null is allowed everywhere */
  readonly nullInside: ((v: Value) => Path | undefined) | undefined;
  /** the JavaScript value of a known value that is not null */
  readonly read: (v: Value) => unknown;
  /** converts a value that is neither null nor unknown; throws ConversionError */
  readonly write: (x: unknown) => Value;
  /** the value that represents absence; default: null */
  readonly absent?: Value;
  /** merges two semantically equal values; absent: only identical values are equal */
  readonly keep: Keep | undefined;
}

/** Returns the prior value if it is semantically equal to the new one, otherwise the new one (or a mix of both). */
export type Keep = (before: Value, after: Value) => Value;

// The origins of arrays and objects. They are frozen, so they still represent that value.
const origins = new WeakMap<object, Value>();

/** The JavaScript value of any value of the codec's type. */
export function readWith(codec: Codec, v: Value): unknown {
  if (v.isNull) return null;
  if (!v.isKnown) return new Unknown({}, v);
  return codec.read(v);
}

/** Converts the result of a handler to a value. */
export function writeWith(codec: Codec, x: unknown): Value {
  if (x === null || x === undefined) return codec.absent ?? nullOf(codec.type);
  if (isUnknown(x)) return x.toValue(codec.type);
  if (typeof x === 'object') {
    const origin = origins.get(x);
    if (origin !== undefined && origin.type === codec.type) return origin;
  }
  return codec.write(x);
}

/** Freezes a converted value and remembers its origin, so that writing it back returns the original value. */
export function remember<T extends object>(x: T, origin: Value): T {
  origins.set(x, origin);
  return Object.freeze(x);
}

/** Throws the error for a value of an unexpected type. It does not contain the value, which may have sensitive parts. */
export function mismatch(expected: string, x: unknown): never {
  throw new ConversionError(`expected ${expected}, got ${nameOf(x)}`);
}

/** {@link mismatch} for values without parts; the error contains the value. */
function scalarMismatch(expected: string, x: unknown): never {
  throw new ConversionError(`expected ${expected}, got ${nameOf(x)}`, scalarText(x));
}

const MAX_SHOWN_LENGTH = 40;

function scalarText(x: unknown): string | undefined {
  if (typeof x === 'string') {
    return quoteText(x.length > MAX_SHOWN_LENGTH ? `${x.slice(0, MAX_SHOWN_LENGTH)}…` : x);
  }
  return typeof x === 'number' || typeof x === 'bigint' || typeof x === 'boolean'
    ? String(x)
    : undefined;
}

function nameOf(x: unknown): string {
  if (x === null || x === undefined) return String(x);
  if (Array.isArray(x)) return 'an array';
  if (typeof x === 'object') return 'an object';
  return `a ${typeof x}`;
}

function primitive(type: Type, read: (v: Value) => unknown, write: (x: unknown) => Value): Codec {
  return { type, nullable: false, nullInside: undefined, read, write, keep: undefined };
}

/** Strings. */
export function stringCodec(type: Type): Codec {
  return primitive(
    type,
    (v) => v.asString(),
    (x) => (typeof x === 'string' ? str(x) : scalarMismatch('a string', x)),
  );
}

/** Booleans. */
export function boolCodec(type: Type): Codec {
  return primitive(
    type,
    (v) => v.asBool(),
    (x) => (typeof x === 'boolean' ? bool(x) : scalarMismatch('a boolean', x)),
  );
}

/** Numbers as JavaScript numbers; integers that these cannot hold exactly are rejected. */
export function numberCodec(type: Type): Codec {
  return primitive(
    type,
    (v) => {
      const n = v.asNum();
      if (typeof n === 'number') return n;
      const near = numToFloat(n);
      if (!Number.isInteger(near) || numToInt(n) === undefined) return near;
      throw new ConversionError(
        'the number is too large for a JavaScript number; the schema has to take it as bigInt64 or decimal',
        formatNumber(n),
      );
    },
    (x) => {
      if (typeof x === 'bigint') return number(x);
      if (typeof x !== 'number') return scalarMismatch('a number', x);
      if (Number.isNaN(x)) throw new ConversionError('NaN is not a number');
      return number(exactNumber(x));
    },
  );
}

/** Integers of any size as bigint. */
export function bigintCodec(type: Type): Codec {
  return primitive(
    type,
    (v) => {
      const n = numToInt(v.asNum());
      if (n !== undefined) return n;
      throw new ConversionError('the number is not an integer', formatNumber(v.asNum()));
    },
    (x) => {
      if (typeof x === 'bigint') return number(numFromBigInt(x));
      return Number.isSafeInteger(x) ? number(Number(x)) : scalarMismatch('a bigint', x);
    },
  );
}

/** Numbers as decimal text, exactly. */
export function decimalCodec(type: Type): Codec {
  return primitive(
    type,
    (v) => formatNumber(v.asNum()),
    (x) => {
      if (typeof x !== 'string') return scalarMismatch('a number in decimals as a string', x);
      const n = parseNumber(x);
      if (n === undefined) throw new ConversionError('the text is not a number', scalarText(x));
      return number(n);
    },
  );
}

/** Values of any type, without conversion. */
export function dynamicCodec(type: Type): Codec {
  return primitive(
    type,
    (v) => v,
    (x) => (x instanceof Value ? x : mismatch('a value of any type (Value)', x)),
  );
}

/** Lists and sets as frozen arrays. */
export function sequenceCodec(type: CollectionType, element: Codec): Codec {
  const make = type.kind === 'set' ? set : list;
  return {
    type,
    nullable: false,
    nullInside: nullInElements(element),
    read: (v) => {
      const out = v.elements().map((value, i) => readElement(element, value, i));
      return remember(out, v);
    },
    write: (x) => {
      if (!Array.isArray(x)) return mismatch('an array', x);
      const values = x.map((value: unknown, i) => writeElement(element, value, i));
      return make(values[0]?.type ?? type.element, values);
    },
    keep: element.keep && keepElements(type, element.keep),
  };
}

/** Maps as frozen records. */
export function mapCodec(type: CollectionType, element: Codec): Codec {
  return {
    type,
    nullable: false,
    nullInside: nullInElements(element),
    read: (v) => {
      const entries = v.entries().map(([key, value]) => {
        const name = key.asString();
        return [name, readElement(element, value, name)] as const;
      });
      return remember(Object.fromEntries(entries), v);
    },
    write: (x) => {
      if (!isRecord(x)) return mismatch('an object', x);
      const entries = Object.entries(x).map(
        ([key, value]) => [key, writeElement(element, value, key)] as const,
      );
      return map(entries[0]?.[1].type ?? type.element, entries);
    },
    keep: element.keep && keepElements(type, element.keep),
  };
}

function nullInElements(element: Codec): Codec['nullInside'] {
  if (element.nullable && element.nullInside === undefined) return undefined;
  return (v) => {
    for (const [key, value] of v.entries()) {
      const nullPath = nullIn(element, value);
      if (nullPath !== undefined) return [indexStep(key), ...nullPath];
    }
    return undefined;
  };
}

/** Returns the path of the first forbidden null in a nested value. */
export function nullIn(codec: Codec, v: Value): Path | undefined {
  if (!v.isKnown) return undefined;
  if (v.isNull) return codec.nullable ? undefined : [];
  return codec.nullInside?.(v);
}

/** Returns true for objects with named members, not for arrays and functions. */
export function isRecord(x: unknown): x is Readonly<Record<string, unknown>> {
  return typeof x === 'object' && x !== null && !Array.isArray(x);
}

/** Converts an element to its JavaScript value; errors carry the element's path. */
export function readElement(codec: Codec, v: Value, key: number | string): unknown {
  try {
    return readWith(codec, v);
  } catch (problem) {
    return ConversionError.under(indexStep(key), problem);
  }
}

/** Converts an element to a value; null is an error unless the codec allows it. */
export function writeElement(codec: Codec, x: unknown, key: number | string): Value {
  try {
    if ((x === null || x === undefined) && !codec.nullable) {
      throw new ConversionError('elements must not be null');
    }
    return writeWith(codec, x);
  } catch (problem) {
    return ConversionError.under(indexStep(key), problem);
  }
}

/** Keeps the elements that are semantically equal to the previous one at the same position. */
function keepElements(type: CollectionType, keep: Keep): Keep {
  return (before, after) => {
    if (type.kind === 'set') return keepSet(type, keep, before, after);
    let changed = false;
    const kept = after.entries().map(([key, value]) => {
      const previous =
        type.kind === 'map' ? before.get(key.asString()) : (before.at(key.asInt()) ?? undefined);
      const next = previous === undefined ? value : keepOne(keep, previous, value);
      changed ||= next !== value;
      return [key, next] as const;
    });
    if (!changed) return after;
    if (type.kind === 'list')
      return list(
        type.element,
        kept.map((entry) => entry[1]),
      );
    return map(
      type.element,
      kept.map(([key, value]) => [key.asString(), value] as const),
    );
  };
}

/** Elements of a set have no position: each is compared with all previous elements without an equal new one. */
function keepSet(type: CollectionType, keep: Keep, before: Value, after: Value): Value {
  const stays = membershipIn(after.elements());
  const open = before.elements().filter((was) => !stays(was));
  if (open.length === 0) return after;
  const kept = after.elements().map((value) => {
    const at = open.findIndex((was) => keepOne(keep, was, value).rawEquals(was));
    return at === -1 ? value : (open.splice(at, 1)[0] ?? value);
  });
  return set(type.element, kept);
}

/** Applies `keep` if both values are comparable, otherwise returns the new value. */
export function keepOne(keep: Keep, before: Value, after: Value): Value {
  if (before === after || before.isNull || after.isNull) return after;
  if (!before.isKnown || !after.isKnown || before.rawEquals(after)) return after;
  return keep(before, after);
}

/** The codec of elements that may be null. */
export function nullableCodec(codec: Codec): Codec {
  return { ...codec, nullable: true };
}
