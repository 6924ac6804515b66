// Bounds of a value that may be unknown.

import type { Bound, Num, Value } from '@terrane/cty';

/** Returns true if the value is never null, even after it becomes known. Marks are ignored. */
export function definitelyNotNull(v: Value): boolean {
  return v.isKnown ? !v.isNull : v.refinement?.notNull === true;
}

/** Returns the lower bound of a number; undefined if there is none. */
export function numberMin(v: Value): Bound | undefined {
  return v.isKnown ? exactly(v) : v.refinement?.min;
}

/** Returns the upper bound of a number; undefined if there is none. */
export function numberMax(v: Value): Bound | undefined {
  return v.isKnown ? exactly(v) : v.refinement?.max;
}

function exactly(v: Value): Bound | undefined {
  if (v.isNull) {
    return undefined;
  }
  const value: Num = v.unmark().asNum();
  return { value, inclusive: true };
}

/** Returns the bounds of the number of elements of a collection. */
export function lengthBounds(v: Value): { readonly min: number; readonly max: number } {
  if (!v.isKnown) {
    return { min: v.refinement?.minLength ?? 0, max: v.refinement?.maxLength ?? Infinity };
  }
  if (v.isNull) {
    return { min: 0, max: Infinity };
  }
  const { length } = v;
  // Unknown elements of a set may become equal.
  const min = v.type.kind === 'set' && !v.isWhollyKnown() ? Math.min(1, length) : length;
  return { min, max: length };
}
