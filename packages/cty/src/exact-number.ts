import { type Num, numFromFloat } from './number.ts';
import { parseNumber } from './number-text.ts';

/**
 * Returns the number that a JavaScript number denotes when written as a decimal: 0.1 is one tenth, as in a
 * configuration, and not the double nearest to it.
 */
export function exactNumber(n: number): Num {
  if (Number.isSafeInteger(n) || !Number.isFinite(n)) return numFromFloat(n);
  return parseNumber(String(n)) ?? numFromFloat(n);
}
