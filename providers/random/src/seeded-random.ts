/**
 * Go's `math/rand` generator with a fixed seed: the same seed yields the same numbers as in the published provider. An
 * additive lagged Fibonacci generator, y(n) = y(n-607) + y(n-273) modulo 2^64.
 */
export class SeededRandom {
  readonly #state: BigUint64Array;
  #tap = 0;
  #feed = LENGTH - TAP;

  /** @param seed a signed 64-bit integer */
  constructor(seed: bigint) {
    const start = ((seed % LEHMER_MODULUS) + LEHMER_MODULUS) % LEHMER_MODULUS;
    const next = lehmer(start === 0n ? 89_482_311n : start);
    const cooked = (cookedState ??= cook());
    this.#state = new BigUint64Array(LENGTH);
    for (let i = 0; i < LENGTH; i++) {
      const drawn = (next() << 40n) ^ (next() << 20n) ^ next();
      this.#state[i] = drawn ^ (cooked[i] ?? 0n);
    }
  }

  /** An integer from 0 up to, but not including, `n`, which is positive and below 2^63. */
  below(n: bigint): bigint {
    return n < INT31 ? this.#limited(n, INT31, 32n) : this.#limited(n, INT63, 0n);
  }

  /** The numbers from 0 up to, but not including, `n` in random order. */
  permutation(n: number): readonly number[] {
    const order: number[] = [];
    for (let i = 0; i < n; i++) {
      const j = Number(this.below(BigInt(i + 1)));
      order[i] = order[j] ?? i;
      order[j] = i;
    }
    return order;
  }

  /** Draws until the number is below the highest multiple of `n`, so that all remainders are equally likely. */
  #limited(n: bigint, range: bigint, shift: bigint): bigint {
    if ((n & (n - 1n)) === 0n) return (this.#int63() >> shift) & (n - 1n);
    const limit = range - (range % n);
    let drawn = this.#int63() >> shift;
    while (drawn >= limit) drawn = this.#int63() >> shift;
    return drawn % n;
  }

  #int63(): bigint {
    this.#tap = this.#tap === 0 ? LENGTH - 1 : this.#tap - 1;
    this.#feed = this.#feed === 0 ? LENGTH - 1 : this.#feed - 1;
    const sum = (this.#state[this.#feed] ?? 0n) + (this.#state[this.#tap] ?? 0n);
    this.#state[this.#feed] = sum;
    return sum & (INT63 - 1n);
  }
}

const LENGTH = 607;
const TAP = 273;
const INT31 = 1n << 31n;
const INT63 = 1n << 63n;
const MASK = (1n << 64n) - 1n;
const LEHMER_MODULUS = (1n << 31n) - 1n;
/** The number of steps that Go ran the generator to compute `rngCooked`, with which every seed is combined. */
const COOKING_STEPS = 7_800_000_000_000n;

let cookedState: BigUint64Array | undefined;

/** Lehmer's generator with multiplier 48271, after its first twenty numbers. */
function lehmer(seed: bigint): () => bigint {
  let x = seed;
  const next = () => (x = (x * 48_271n) % LEHMER_MODULUS);
  for (let i = 0; i < 20; i++) next();
  return next;
}

/**
 * The state after `COOKING_STEPS` steps from seed 1. As the generator is linear, the steps are not run
 * one by one: x^steps is computed modulo the characteristic polynomial x^607 = x^334 + 1, and its
 * coefficients weigh the first numbers of the sequence.
 */
function cook(): BigUint64Array {
  const next = lehmer(1n);
  const initial: bigint[] = [];
  for (let i = 0; i < LENGTH; i++) initial.push((next() << 20n) ^ (next() << 10n) ^ next());
  // The sequence in the order in which it is drawn: the state is filled from index 333 downwards.
  const sequence: bigint[] = [];
  for (let n = 1; n <= LENGTH; n++) sequence.push(initial[index(n)] ?? 0n);
  for (let n = LENGTH; n < 2 * LENGTH; n++) {
    sequence.push(((sequence[n - LENGTH] ?? 0n) + (sequence[n - TAP] ?? 0n)) & MASK);
  }
  const weights = powerOfX(COOKING_STEPS);
  const state = new BigUint64Array(LENGTH);
  for (let n = 1; n <= LENGTH; n++) {
    let sum = 0n;
    for (let k = 0; k < LENGTH; k++) sum += (weights[k] ?? 0n) * (sequence[n - 1 + k] ?? 0n);
    // After a number of steps that is not a multiple of the length, the state is rotated.
    state[(index(n) + LENGTH - Number(COOKING_STEPS % BigInt(LENGTH))) % LENGTH] = sum & MASK;
  }
  return state;
}

function index(n: number): number {
  return (((LENGTH - TAP - n) % LENGTH) + LENGTH) % LENGTH;
}

/** Bits for one coefficient of a product: 607 times the square of a 64-bit number fits. */
const SLOT = 144;
const SLOT_DIGITS = SLOT / 4;

/** The coefficients of x^exponent, reduced, lowest first. */
function powerOfX(exponent: bigint): readonly bigint[] {
  let power: readonly bigint[] = [1n];
  for (const bit of exponent.toString(2)) {
    power = reduce(square(power));
    if (bit === '1') power = reduce([0n, ...power]);
  }
  return power;
}

/** Squares a polynomial as one big number with a slot for each coefficient. */
function square(a: readonly bigint[]): readonly bigint[] {
  const packed = a.map((c) => c.toString(16).padStart(SLOT_DIGITS, '0'));
  const number = BigInt(`0x${packed.toReversed().join('')}`);
  const digits = (number * number).toString(16);
  const product: bigint[] = [];
  for (let end = digits.length; end > 0; end -= SLOT_DIGITS) {
    product.push(BigInt(`0x${digits.slice(Math.max(0, end - SLOT_DIGITS), end)}`) & MASK);
  }
  return product;
}

function reduce(a: readonly bigint[]): readonly bigint[] {
  const c = a.slice();
  for (let i = c.length - 1; i >= LENGTH; i--) {
    const top = c[i] ?? 0n;
    c[i - LENGTH] = ((c[i - LENGTH] ?? 0n) + top) & MASK;
    c[i - TAP] = ((c[i - TAP] ?? 0n) + top) & MASK;
  }
  return c.slice(0, LENGTH);
}
