import type { Random } from '@terrane/host';

/** Returns the delay in milliseconds before attempt `attempt`; the first attempt is number 0. */
export type Backoff = (attempt: number) => number;

/** Parameters of an exponential back-off. */
export interface BackoffOptions {
  /** wait before the second try, in milliseconds; default 100 */
  readonly initial?: number;
  /** multiplier of the wait after each retry; default 2 */
  readonly factor?: number;
  /** the maximum delay in milliseconds; default 10 seconds */
  readonly cap?: number;
  /**
   * The random part of each delay, so that many clients do not retry simultaneously: `full` (default) is the whole
   * delay, `equal` its second half, `none` nothing, a number between 0 and 1 that share of it.
   */
  readonly jitter?: 'full' | 'equal' | 'none' | number;
}

/** Returns delays that grow exponentially up to a cap, with jitter. The first attempt is immediate. */
export function exponentialBackoff(random: Random, options: BackoffOptions = {}): Backoff {
  const { initial = 100, factor = 2, cap = 10_000, jitter = 'full' } = options;
  const share = typeof jitter === 'number' ? jitter : { full: 1, equal: 0.5, none: 0 }[jitter];
  if (!(share >= 0 && share <= 1)) throw new RangeError(`jitter ${share} is not between 0 and 1`);
  return (attempt) => {
    if (attempt <= 0) return 0;
    // A power that is too large becomes infinite, which the cap takes care of.
    const wait = Math.min(cap, initial * factor ** (attempt - 1));
    return share === 0 ? wait : wait * (1 - share) + wait * share * fraction(random);
  };
}

/** A number from 0 up to, but without, 1. */
function fraction(random: Random): number {
  let value = 0;
  for (const byte of random.bytes(6)) value = (value + byte) / 256;
  return value;
}
