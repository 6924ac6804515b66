import { unrefined } from '@terrane/cty';
import type { Value } from '@terrane/cty';

/** Returns true if two values are exactly equal without refinements of unknown values. */
export function sameUnrefined(a: Value, b: Value): boolean {
  if (a === b || a.rawEquals(b)) return true;
  if (a.isWhollyKnown() || b.isWhollyKnown()) return false;
  return unrefined(a).rawEquals(unrefined(b));
}
