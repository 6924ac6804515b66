import type { Random } from '@terrane/host';

/** A random integer from 0 up to, but not including, `limit` (at most 2^32), all equally likely. */
export function drawBelow(random: Random, limit: number): number {
  const highest = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const drawn = Buffer.from(random.bytes(4)).readUInt32BE();
    if (drawn < highest) return drawn % limit;
  }
}

/** Variant of `drawBelow` for limits up to 2^64. */
export function drawBigBelow(random: Random, limit: bigint): bigint {
  const highest = 2n ** 64n - (2n ** 64n % limit);
  for (;;) {
    const drawn = Buffer.from(random.bytes(8)).readBigUInt64BE();
    if (drawn < highest) return drawn % limit;
  }
}

/** The elements in random order, all orders equally likely. */
export function shuffled<T>(random: Random, elements: readonly T[]): T[] {
  const order = elements.slice();
  for (let i = order.length - 1; i > 0; i--) {
    const j = drawBelow(random, i + 1);
    const [a, b] = [order[i], order[j]];
    if (a === undefined || b === undefined) continue;
    order[i] = b;
    order[j] = a;
  }
  return order;
}
