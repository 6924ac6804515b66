/**
 * Binary floating-point numbers of a given precision, like Go's `big.Float`: the representation of every number that is
 * not a safe integer. All operations round to nearest, ties to even.
 */

/** Bits of mantissa that numbers written in configuration, JSON or strings have. */
export const TEXT_PRECISION = 512;
/** Precision, in mantissa bits, of numbers converted from a double. */
export const DOUBLE_PRECISION = 53;

/**
 * The greatest binary exponent: numbers beyond some 78,900 decimal digits overflow to an infinity, and their inverses
 * to zero. Go allows 2^31, but the text of such a number would not fit into memory.
 */
const MAX_EXPONENT = 2 ** 18;

/** `mantissa × 2^exponent`, never zero, never an integer that a JavaScript number holds exactly. */
export class BigFloat {
  /** Odd, so that equal numbers have equal fields. Its sign is the sign of the number. */
  readonly mantissa: bigint;
  readonly exponent: number;
  /** Bits to which results are rounded; the mantissa may have fewer. */
  readonly precision: number;

  constructor(mantissa: bigint, exponent: number, precision: number) {
    this.mantissa = mantissa;
    this.exponent = exponent;
    this.precision = precision;
  }
}

/** A safe integer (with negative zero), an infinity, or a {@link BigFloat} for everything else. */
export type Num = number | BigFloat;

/** The number of bits of a non-negative integer; 0 for 0. */
export function bitLength(n: bigint): number {
  if (n === 0n) return 0;
  const hex = n.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

/**
 * Rounds `mantissa × 2^exponent` to `precision` bits. `sticky` means that the exact number is slightly further from
 * zero than the mantissa; the mantissa must then have more than `precision` bits.
 */
export function roundNum(
  mantissa: bigint,
  exponent: number,
  precision: number,
  sticky = false,
): Num {
  const rounded = roundUnbounded(mantissa, exponent, precision, sticky);
  if (typeof rounded === 'number') return rounded;
  const negative = rounded.mantissa < 0n;
  const top = rounded.exponent + bitLength(negative ? -rounded.mantissa : rounded.mantissa);
  if (top > MAX_EXPONENT) return negative ? -Infinity : Infinity;
  if (top < -MAX_EXPONENT) return negative ? -0 : 0;
  return rounded;
}

/** Variant of {@link roundNum} without limits of the exponent, for intermediate results. */
export function roundUnbounded(
  mantissa: bigint,
  exponent: number,
  precision: number,
  sticky = false,
): Num {
  if (mantissa === 0n) return 0;
  const negative = mantissa < 0n;
  let m = negative ? -mantissa : mantissa;
  let e = exponent;
  let bits = bitLength(m);
  const excess = bits - precision;
  if (excess > 0) {
    const shift = BigInt(excess);
    const low = m & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    m >>= shift;
    if (low > half || (low === half && (sticky || (m & 1n) === 1n))) m += 1n;
    e += excess;
  }
  if ((m & 1n) === 0n) {
    const zeros = bitLength(m & -m) - 1;
    m >>= BigInt(zeros);
    e += zeros;
  }
  bits = bitLength(m);
  if (e >= 0 && bits + e <= DOUBLE_PRECISION) {
    const n = Number(m) * 2 ** e;
    return negative ? -n : n;
  }
  return new BigFloat(negative ? -m : m, e, precision);
}

/** The precision of a number; that of JavaScript numbers, which do not record it, is {@link TEXT_PRECISION}. */
export function precisionOf(n: Num): number {
  return typeof n === 'number' ? TEXT_PRECISION : n.precision;
}

/** The mantissa of a finite number. */
export function mantissaOf(n: Num): bigint {
  return typeof n === 'number' ? BigInt(n) : n.mantissa;
}

/** The exponent that belongs to {@link mantissaOf}. */
export function exponentOf(n: Num): number {
  return typeof n === 'number' ? 0 : n.exponent;
}

/** The sum of two finite numbers rounded to `precision` bits. */
export function addNum(a: Num, b: Num, precision: number): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const ma = mantissaOf(a);
  const mb = mantissaOf(b);
  if (ma === 0n) return mb === 0n ? 0 : roundNum(mb, exponentOf(b), precision);
  if (mb === 0n) return roundNum(ma, exponentOf(a), precision);
  const ea = exponentOf(a);
  const eb = exponentOf(b);
  return ea >= eb ? addAligned(ma, ea, mb, eb, precision) : addAligned(mb, eb, ma, ea, precision);
}

function addAligned(
  high: bigint,
  highExponent: number,
  low: bigint,
  lowExponent: number,
  precision: number,
): Num {
  const gap = highExponent - lowExponent;
  const lowBits = bitLength(low < 0n ? -low : low);
  const room = precision + 4;
  if (gap > lowBits + room) {
    // The low number is smaller than the last retained bit, so only its sign matters.
    const widened = (high << BigInt(room)) + (low < 0n ? -1n : 1n);
    return roundNum(widened, highExponent - room, precision);
  }
  return roundNum((high << BigInt(gap)) + low, lowExponent, precision);
}

/** The product of two finite numbers rounded to `precision` bits. */
export function mulNum(a: Num, b: Num, precision: number): Num {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product;
  }
  return roundNum(mantissaOf(a) * mantissaOf(b), exponentOf(a) + exponentOf(b), precision);
}

/** The quotient of two finite numbers, the second not zero, rounded to `precision` bits. */
export function divNum(a: Num, b: Num, precision: number): Num {
  if (typeof a === 'number' && typeof b === 'number' && a % b === 0) return a / b;
  const ma = mantissaOf(a);
  const mb = mantissaOf(b);
  const negative = ma < 0n !== mb < 0n;
  const numerator = ma < 0n ? -ma : ma;
  const denominator = mb < 0n ? -mb : mb;
  const shift = Math.max(0, precision + 2 + bitLength(denominator) - bitLength(numerator));
  const shifted = numerator << BigInt(shift);
  const quotient = shifted / denominator;
  const sticky = quotient * denominator !== shifted;
  const exponent = exponentOf(a) - exponentOf(b) - shift;
  return roundNum(negative ? -quotient : quotient, exponent, precision, sticky);
}

/** The number with its sign turned. */
export function negNum(a: Num): Num {
  return typeof a === 'number' ? -a : new BigFloat(-a.mantissa, a.exponent, a.precision);
}

/** Returns true if the number is below zero or negative zero. */
export function isNegative(a: Num): boolean {
  return typeof a === 'number' ? a < 0 || Object.is(a, -0) : a.mantissa < 0n;
}

/** Exact order of two numbers. */
export function compareNum(a: Num, b: Num): -1 | 0 | 1 {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (a === Infinity || b === -Infinity) return 1;
  if (a === -Infinity || b === Infinity) return -1;
  const ma = mantissaOf(a);
  const mb = mantissaOf(b);
  if (ma <= 0n && mb >= 0n) return ma === 0n && mb === 0n ? 0 : -1;
  if (ma >= 0n && mb <= 0n) return 1;
  const sign = ma < 0n ? -1 : 1;
  const x = ma < 0n ? -ma : ma;
  const y = mb < 0n ? -mb : mb;
  const ea = exponentOf(a);
  const eb = exponentOf(b);
  const topA = bitLength(x) + ea;
  const topB = bitLength(y) + eb;
  if (topA !== topB) return topA < topB === sign > 0 ? -1 : 1;
  const left = ea > eb ? x << BigInt(ea - eb) : x;
  const right = eb > ea ? y << BigInt(eb - ea) : y;
  if (left === right) return 0;
  return left < right === sign > 0 ? -1 : 1;
}

/** The integer part, rounding towards zero, of a finite number. */
export function truncateToBigInt(n: Num): bigint {
  if (typeof n === 'number') return BigInt(n);
  if (n.exponent >= 0) return n.mantissa << BigInt(n.exponent);
  const shift = BigInt(-n.exponent);
  return n.mantissa < 0n ? -(-n.mantissa >> shift) : n.mantissa >> shift;
}

/** The bits a number's mantissa needs; 0 for zero. */
export function minimumPrecision(n: Num): number {
  const m = mantissaOf(n);
  if (m === 0n) return 0;
  const abs = m < 0n ? -m : m;
  return bitLength(abs) - (bitLength(abs & -abs) - 1);
}
