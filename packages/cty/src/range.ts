import { conforms } from './conformance.ts';
import { compareNum, type Num } from './number.ts';
import type { Bound } from './unknown.ts';
import { DYNAMIC, isCollection, NUMBER, STRING } from './type.ts';
import type { Value } from './value.ts';

/** The number of elements a collection can have. */
export interface LengthRange {
  readonly min: number;
  readonly max: number;
}

/** Returns true if the unmarked value can't be null: it is known and isn't, or is unknown and refined so. */
export function definitelyNotNull(v: Value): boolean {
  return v.isKnown ? !v.isNull : v.refinement?.notNull === true;
}

/**
 * Returns the bounds of the number of elements of a non-null unmarked collection. A known set with unknown elements may
 * have fewer than it shows, since they can turn out equal to others.
 */
export function lengthRange(v: Value): LengthRange {
  if (!v.isKnown) {
    return { min: v.refinement?.minLength ?? 0, max: v.refinement?.maxLength ?? Infinity };
  }
  const { length } = v;
  const exact = v.type.kind !== 'set' || length <= 1 || v.isWhollyKnown();
  return { min: exact ? length : 1, max: length };
}

const MINUS_INFINITY: Bound = { value: -Infinity, inclusive: false };
const PLUS_INFINITY: Bound = { value: Infinity, inclusive: false };

/** The least that a non-null unmarked number can be. */
export function numberMin(v: Value): Bound {
  if (v.isKnown) return { value: v.payload as Num, inclusive: true };
  return v.refinement?.min ?? MINUS_INFINITY;
}

/** The most that a non-null unmarked number can be. */
export function numberMax(v: Value): Bound {
  if (v.isKnown) return { value: v.payload as Num, inclusive: true };
  return v.refinement?.max ?? PLUS_INFINITY;
}

/** Returns true if an unknown value cannot become the known one. False means that this is possible. */
export function excludes(unknown: Value, known: Value): boolean {
  if (known.isNull) return unknown.refinement?.notNull === true;
  if (!conforms(known.type, unknown.type)) return true;
  const refinement = unknown.refinement;
  if (refinement === undefined || known.type === DYNAMIC) return false;
  if (known.type === STRING) {
    return (
      refinement.prefix !== undefined && !(known.payload as string).startsWith(refinement.prefix)
    );
  }
  if (known.type === NUMBER) return outside(known.payload as Num, refinement.min, refinement.max);
  if (isCollection(known.type)) {
    const { min, max } = lengthRange(known);
    return max < (refinement.minLength ?? 0) || min > (refinement.maxLength ?? Infinity);
  }
  return false;
}

function outside(n: Num, min: Bound | undefined, max: Bound | undefined): boolean {
  if (min !== undefined) {
    const order = compareNum(n, min.value);
    if (order < 0 || (order === 0 && !min.inclusive)) return true;
  }
  if (max !== undefined) {
    const order = compareNum(n, max.value);
    if (order > 0 || (order === 0 && !max.inclusive)) return true;
  }
  return false;
}
