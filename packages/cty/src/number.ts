import {
  addNum,
  BigFloat,
  compareNum,
  divNum,
  DOUBLE_PRECISION,
  isNegative,
  minimumPrecision,
  mulNum,
  negNum,
  type Num,
  precisionOf,
  roundNum,
  TEXT_PRECISION,
  truncateToBigInt,
} from './big-float.ts';
import { PathError } from './path-error.ts';
import { formatNumber, nearestDouble } from './number-text.ts';

/** Returns true if the number is neither positive nor negative infinity. */
function isFiniteNum(n: Num): boolean {
  return typeof n !== 'number' || Number.isFinite(n);
}

/**
 * Returns the exact number that a double represents, with a precision of 53 bits. Infinities are returned unchanged,
 * NaN is rejected.
 */
export function numFromFloat(n: number): Num {
  if (Number.isSafeInteger(n) || n === Infinity || n === -Infinity) return n;
  if (Number.isNaN(n)) throw new PathError('not a number');
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, n);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const exponent = (biased === 0 ? 1 : biased) - 1075;
  return roundNum(n < 0 ? -mantissa : mantissa, exponent, DOUBLE_PRECISION);
}

/** The double nearest to the number. */
export function numToFloat(n: Num): number {
  return nearestDouble(n);
}

/** The number as an exact integer, or undefined if it has a fraction or is infinite. */
export function numToInt(n: Num): bigint | undefined {
  if (typeof n === 'number') return Number.isFinite(n) ? BigInt(n) : undefined;
  return n.exponent >= 0 ? n.mantissa << BigInt(n.exponent) : undefined;
}

/** Converts an integer of any size, rounded to `precision` bits (default 512). */
export function numFromBigInt(n: bigint, precision: number = TEXT_PRECISION): Num {
  return roundNum(n, 0, precision);
}

/**
 * Compares numbers as the language does: integers by value, others by their text, so that 0.1 from a double equals 0.1
 * from text although they differ in the last bits.
 */
export function equalNum(a: Num, b: Num): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (typeof a === 'number' || typeof b === 'number') return false;
  if (a.mantissa === b.mantissa && a.exponent === b.exponent) return true;
  if (a.precision === b.precision || a.exponent >= 0 || b.exponent >= 0) return false;
  return formatNumber(a) === formatNumber(b);
}

/** Returns the precision of the result of a binary operation: the greater of the operands' precisions. */
function commonPrecision(a: Num, b: Num): number {
  return Math.max(precisionOf(a), precisionOf(b));
}

/** Adds at the given precision. Throws CtyError for opposing infinities. */
export function addAt(a: Num, b: Num, precision: number): Num {
  if (!isFiniteNum(a) || !isFiniteNum(b)) {
    if (!isFiniteNum(a) && !isFiniteNum(b) && a !== b) {
      throw new PathError("can't compute sum of opposing infinities");
    }
    return isFiniteNum(a) ? b : a;
  }
  return addNum(a, b, precision);
}

/** Subtracts at the given precision. Throws CtyError for equal infinities. */
export function subAt(a: Num, b: Num, precision: number): Num {
  if (!isFiniteNum(a) && a === b) throw new PathError("can't subtract infinity from itself");
  return addAt(a, negNum(b), precision);
}

/** Returns the zero with the sign of the product. */
function signedZero(a: Num, b: Num): Num {
  return isNegative(a) === isNegative(b) ? 0 : -0;
}

/**
 * Multiplies at the given precision, the greater one of the operands. The result has more bits, up to 512, if it needs
 * them. Throws CtyError for zero times infinity.
 */
export function mulAt(a: Num, b: Num, precision: number): Num {
  if (!isFiniteNum(a) || !isFiniteNum(b)) {
    if (a === 0 || b === 0) throw new PathError("can't multiply zero by infinity");
    return isNegative(a) === isNegative(b) ? Infinity : -Infinity;
  }
  if (a === 0 || b === 0) return signedZero(a, b);
  const wide = mulNum(a, b, TEXT_PRECISION);
  if (typeof wide === 'number' || precision >= TEXT_PRECISION) return wide;
  const needed = minimumPrecision(wide);
  return roundNum(wide.mantissa, wide.exponent, Math.max(precision, needed));
}

/** Divides at the given precision; division by zero returns an infinity. Throws CtyError for 0/0 and ∞/∞. */
export function divAt(a: Num, b: Num, precision: number): Num {
  const finiteA = isFiniteNum(a);
  const finiteB = isFiniteNum(b);
  if ((a === 0 && b === 0) || (!finiteA && !finiteB)) {
    throw new PathError("can't divide zero by zero or infinity by infinity");
  }
  const negative = isNegative(a) !== isNegative(b);
  if (b === 0 || !finiteA) return negative ? -Infinity : Infinity;
  if (!finiteB || a === 0) return negative ? -0 : 0;
  return divNum(a, b, precision);
}

/**
 * The remainder of the division that rounds towards zero, with the rounding of cty's `Modulo`; `a` if `b` is zero.
 * Throws CtyError for infinities, as Terraform's operator does.
 */
export function modAt(a: Num, b: Num, precisionA: number, precisionB: number): Num {
  if (b === 0) return a;
  if (!isFiniteNum(a) || !isFiniteNum(b)) {
    throw new PathError("can't use modulo with zero and infinity");
  }
  if (a === 0) return Object.is(a, -0) && !isNegative(b) ? -0 : 0;
  if (typeof a === 'number' && typeof b === 'number') {
    return a % b || 0;
  }
  const quotient = truncateToBigInt(divNum(a, b, Math.max(precisionA, precisionB)));
  const product = mulNum(b, roundNum(quotient, 0, precisionA), precisionA);
  return addNum(a, negNum(product), precisionA);
}

function roundToInteger(n: Num, direction: 1 | -1): Num {
  if (typeof n === 'number' || n.exponent >= 0) return n;
  const towardsZero = truncateToBigInt(n);
  const away = direction === 1 ? n.mantissa > 0n : n.mantissa < 0n;
  return roundNum(away ? towardsZero + BigInt(direction) : towardsZero, 0, n.precision);
}

/**
 * Arithmetic on numbers. The precision of a result depends on the operands; JavaScript numbers count as 512 bits.
 * Throws CtyError for undefined operations such as ∞ − ∞.
 */
export const num: {
  add(a: Num, b: Num): Num;
  sub(a: Num, b: Num): Num;
  mul(a: Num, b: Num): Num;
  div(a: Num, b: Num): Num;
  mod(a: Num, b: Num): Num;
  neg(a: Num): Num;
  abs(a: Num): Num;
  floor(a: Num): Num;
  ceil(a: Num): Num;
  isInt(a: Num): boolean;
} = {
  add: (a, b) => addAt(a, b, commonPrecision(a, b)),
  sub: (a, b) => subAt(a, b, commonPrecision(a, b)),
  mul: (a, b) => mulAt(a, b, commonPrecision(a, b)),
  div: (a, b) => divAt(a, b, commonPrecision(a, b)),
  mod: (a, b) => modAt(a, b, precisionOf(a), precisionOf(b)),
  neg: negNum,
  abs: (a) => (isNegative(a) ? negNum(a) : a),
  floor: (a) => roundToInteger(a, -1),
  ceil: (a) => roundToInteger(a, 1),
  isInt: (a) => (typeof a === 'number' ? Number.isFinite(a) : a.exponent >= 0),
};

export { BigFloat, compareNum, negNum };
export type { Num };
