import { numFromFloat, parseNumber } from '@terrane/cty';
import type { Num } from '@terrane/cty';

/**
 * The number that a JavaScript number stands for: 0.1 is one tenth, as it would be when written in a
 * configuration, and not the double nearest to it.
 */
export function exactNumber(n: number): Num {
  if (Number.isSafeInteger(n) || !Number.isFinite(n)) return numFromFloat(n);
  return parseNumber(String(n)) ?? numFromFloat(n);
}
