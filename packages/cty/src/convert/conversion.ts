import { CtyError } from '../cty-error.ts';
import { refine } from '../refine.ts';
import { lengthRange, definitelyNotNull } from '../range.ts';
import { withoutOptional } from '../object-type.ts';
import { DYNAMIC, isCollection, isPrimitive, nodeOf, type Type } from '../type.ts';
import type { Refinement } from '../unknown.ts';
import { nullOf, plainUnknown, unknownNotNull, type Value } from '../value.ts';
import { collectionToList, collectionToMap, collectionToSet } from './collection.ts';
import { replaceDynamic } from './dynamic.ts';
import type { Conversion } from './find-conversion.ts';
import { describeMismatch } from './mismatch.ts';
import { primitiveConversion } from './primitive.ts';
import {
  mapToObject,
  objectToMap,
  objectToObject,
  tupleToList,
  tupleToSet,
  tupleToTuple,
} from './structural.ts';
import { unifyTypes } from './unify.ts';

/**
 * Returns the conversion from one type to another, or undefined if there is none. Safe conversions succeed for every
 * value; unsafe ones (string to number, list to set, map to object) may fail. Cached on the types.
 */
function findConversion(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  const { caches } = nodeOf(from);
  const cache = unsafe
    ? (caches.unsafeConversions ??= new Map<Type, unknown>())
    : (caches.safeConversions ??= new Map<Type, unknown>());
  const cached = cache.get(to) as Conversion | null | undefined;
  if (cached !== undefined) return cached ?? undefined;
  const inner = makeConversion(from, to, unsafe);
  const conversion = inner === undefined ? undefined : wrapConversion(inner, to);
  cache.set(to, conversion ?? null);
  return conversion;
}

/** Wraps a conversion: marks are removed before and restored after it; it never receives null or unknown values. */
function wrapConversion(inner: Conversion, to: Type): Conversion {
  const plain = withoutOptional(to);
  const convertPlain = (v: Value): Value => {
    if (to === DYNAMIC) return v;
    if (!v.isKnown) return unknownResult(v, replaceDynamic(v.type, plain, findConversion));
    if (v.isNull) return nullOf(replaceDynamic(v.type, plain, findConversion));
    return inner(v);
  };
  return (v) => (v.isMarked ? convertPlain(v.unmark()).withMarks(v.marks) : convertPlain(v));
}

function makeConversion(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  if (to === DYNAMIC) return (v) => v;
  if (unsafe && from === DYNAMIC) return (v) => convert(v, to);
  if (isPrimitive(from) && isPrimitive(to)) return primitiveConversion(from, to, unsafe);
  switch (to.kind) {
    case 'object':
      if (from.kind === 'object') return objectToObject(from, to, unsafe, findConversion);
      return from.kind === 'map' && unsafe ? mapToObject(from, to, findConversion) : undefined;
    case 'tuple':
      return from.kind === 'tuple' ? tupleToTuple(from, to, unsafe, findConversion) : undefined;
    case 'list':
      if (from.kind === 'tuple') return tupleToList(from, to.element, unsafe, findConversion);
      return from.kind === 'list' || from.kind === 'set'
        ? withElements(from.element, to.element, unsafe, collectionToList)
        : undefined;
    case 'set':
      if (from.kind === 'tuple') return tupleToSet(from, to.element, unsafe, findConversion);
      // A conversion from list to set loses the order and duplicates.
      return from.kind === 'set' || (from.kind === 'list' && unsafe)
        ? withElements(from.element, to.element, unsafe, collectionToSet)
        : undefined;
    case 'map':
      if (from.kind === 'object') return objectToMap(from, to.element, unsafe, findConversion);
      return from.kind === 'map' ? mapToMap(from.element, to.element, unsafe) : undefined;
    default:
      return undefined;
  }
}

type MakeCollection = (element: Type, conversion: Conversion | undefined) => Conversion;

function withElements(
  from: Type,
  to: Type,
  unsafe: boolean,
  make: MakeCollection,
): Conversion | undefined {
  if (from === to) return make(to, undefined);
  const element = findConversion(from, to, unsafe);
  return element === undefined ? undefined : make(to, element);
}

function mapToMap(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  const element = findConversion(from, to, unsafe);
  return element === undefined ? undefined : collectionToMap(to, element, findConversion);
}

/**
 * Returns the unknown result of a conversion with the refinements that a conversion preserves: not null, and the
 * length.
 */
function unknownResult(v: Value, to: Type): Value {
  const result = definitelyNotNull(v) ? unknownNotNull(to) : plainUnknown(to);
  const length = resultLength(v, to);
  return length === undefined ? result : refine(result, length);
}

function resultLength(v: Value, to: Type): Refinement | undefined {
  const from = v.type;
  if (from.kind === 'object') {
    if (to.kind !== 'map') return undefined;
    return { minLength: from.names.length, maxLength: from.names.length };
  }
  if (from.kind === 'tuple') {
    const { length } = from.elements;
    if (to.kind === 'list') return { minLength: length, maxLength: length };
    // Elements may turn out equal and become one.
    return to.kind === 'set' ? { minLength: Math.min(length, 1), maxLength: length } : undefined;
  }
  if (!isCollection(from) || !isCollection(to)) return undefined;
  const { min, max } = lengthRange(v);
  return { minLength: to.kind === 'set' ? Math.min(min, 1) : min, maxLength: max };
}

/**
 * Converts a value to a type or type constraint, by safe or unsafe conversion. Null and unknown values remain null or
 * unknown, with the new type; marks are preserved. Throws CtyError with cty's wording ("a number is required",
 * `attribute "x" is required`).
 */
export function convert(v: Value, to: Type): Value {
  if (v.type === to || v.type === withoutOptional(to)) return v;
  const conversion = findConversion(v.type, to, true);
  if (conversion === undefined) throw new CtyError(mismatchMessage(v.type, to));
  return conversion(v);
}

/** Returns true if values of a type convert to another: always ('safe'), perhaps ('unsafe'), or never ('no'). */
export function canConvert(from: Type, to: Type): 'safe' | 'unsafe' | 'no' {
  if (from === to || findConversion(from, to, false) !== undefined) return 'safe';
  return findConversion(from, to, true) === undefined ? 'no' : 'unsafe';
}

/** Describes why values of type `got` cannot be converted to `want`. Requires that no conversion exists. */
export function mismatchMessage(got: Type, want: Type): string {
  return describeMismatch(got, want, findConversion);
}

/**
 * Returns the most specific type to which all types can be converted, safely or (if `unsafe`) possibly; undefined if
 * there is none. Dynamic among collections or among structural types makes the result dynamic.
 */
export function unify(types: readonly Type[], unsafe = false): Type | undefined {
  return unifyTypes(types, unsafe, findConversion);
}
