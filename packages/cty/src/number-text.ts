import {
  type BigFloat,
  bitLength,
  exponentOf,
  isNegative,
  mantissaOf,
  type Num,
  roundNum,
  roundUnbounded,
  TEXT_PRECISION,
} from './big-float.ts';

const plainInteger = /^-?[0-9]{1,15}$/;
const numberPattern = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:([eEpP])([+-]?[0-9]+))?$/;
const infinityPattern = /^([+-]?)(?:Inf|inf)$/;
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_EXPONENT_BITS = 2 ** 31 - 1;

/**
 * Parses a number as `big.ParseFloat(text, 10, 512, ToNearestEven)` does for numbers in configurations and JSON:
 * decimal digits, an optional fraction, an optional exponent of ten (`e`) or two (`p`), or `Inf`. Undefined if the text
 * is not a number.
 */
export function parseNumber(text: string): Num | undefined {
  if (plainInteger.test(text)) return Number(text);
  const match = numberPattern.exec(text);
  if (match === null) {
    const infinity = infinityPattern.exec(text);
    if (infinity === null) return undefined;
    return infinity[1] === '-' ? -Infinity : Infinity;
  }
  const [, sign, integerPart = '', fraction = '', onlyFraction = '', marker, exponentText] = match;
  const negative = sign === '-';
  const fractionDigits = fraction + onlyFraction;
  const digits = BigInt(integerPart + fractionDigits);
  const exponent = exponentText === undefined ? 0n : BigInt(exponentText);
  if (exponent > MAX_INT64 || exponent < -MAX_INT64 - 1n) return undefined;
  if (digits === 0n) return negative ? -0 : 0;

  const binary = marker === 'p' || marker === 'P';
  const exp5 = (binary ? 0 : Number(exponent)) - fractionDigits.length;
  const exp2 = Number(exponent) - fractionDigits.length;
  if (Math.abs(exp2 + bitLength(digits)) > MAX_EXPONENT_BITS) return undefined;
  const mantissa = negative ? -digits : digits;
  return applyPowerOfFive(mantissa, exp2, exp5);
}

function applyPowerOfFive(mantissa: bigint, exp2: number, exp5: number): Num {
  if (exp5 === 0) return roundNum(mantissa, exp2, TEXT_PRECISION);
  const power = powerOfFive(Math.abs(exp5));
  const pm = mantissaOf(power);
  const pe = exponentOf(power);
  if (exp5 > 0) return roundNum(mantissa * pm, exp2 + pe, TEXT_PRECISION);
  const abs = mantissa < 0n ? -mantissa : mantissa;
  const shift = Math.max(0, TEXT_PRECISION + 2 + bitLength(pm) - bitLength(abs));
  const shifted = abs << BigInt(shift);
  const quotient = shifted / pm;
  const sticky = quotient * pm !== shifted;
  const exponent = exp2 - pe - shift;
  return roundNum(mantissa < 0n ? -quotient : quotient, exponent, TEXT_PRECISION, sticky);
}

const EXACT_POWERS = 248; // 5^248 is the last power that fits 576 bits

/**
 * 5^n to 576 bits. Greater powers are multiplied up with the same intermediate roundings as Go does it: for numbers
 * with hundreds of digits they decide the last bit.
 */
function powerOfFive(n: number): Num {
  if (n <= EXACT_POWERS) return roundNum(5n ** BigInt(n), 0, 1024);
  const precision = TEXT_PRECISION + 64;
  let result: Num = roundNum(5n ** 27n, 0, precision);
  let factor: Num = 5;
  for (let rest = n - 27; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, factor, precision);
    factor = product(factor, factor, precision + 64);
  }
  return result;
}

/** Returns the product of finite numbers, whose exponent may be out of range. */
function product(a: Num, b: Num, precision: number): Num {
  const mantissa = mantissaOf(a) * mantissaOf(b);
  return roundUnbounded(mantissa, exponentOf(a) + exponentOf(b), precision);
}

/** A decimal number 0.ddd × 10^point without leading or trailing zeros in its digits; zero has no digits. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

function decimalOf(mantissa: bigint, exponent: number): Decimal {
  const text = (
    exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent)
  ).toString();
  return trimmed(text, exponent >= 0 ? text.length : text.length + exponent);
}

function trimmed(digits: string, point: number): Decimal {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end === 0 ? { digits: '', point: 0 } : { digits: digits.slice(0, end), point };
}

function roundUp(d: Decimal, count: number): Decimal {
  let n = count;
  while (n > 0 && d.digits.charCodeAt(n - 1) === 57) n--;
  if (n === 0) return { digits: '1', point: d.point + 1 };
  const last = String.fromCharCode(d.digits.charCodeAt(n - 1) + 1);
  return { digits: d.digits.slice(0, n - 1) + last, point: d.point };
}

function roundDown(d: Decimal, count: number): Decimal {
  return trimmed(d.digits.slice(0, count), d.point);
}

function roundTo(d: Decimal, count: number): Decimal {
  if (count >= d.digits.length) return d;
  const next = d.digits.charCodeAt(count);
  const halfway = next === 53 && count + 1 === d.digits.length;
  const isOdd = count > 0 && d.digits.charCodeAt(count - 1) % 2 === 1;
  return (halfway ? isOdd : next >= 53) ? roundUp(d, count) : roundDown(d, count);
}

/** The shortest decimal that reads back as `n` at the precision of `n`. */
function shortestDecimal(n: BigFloat): Decimal {
  const mantissa = n.mantissa < 0n ? -n.mantissa : n.mantissa;
  const exact = decimalOf(mantissa, n.exponent);
  // Decimals this short are distinct at this precision, so the exact one is the shortest.
  if (exact.digits.length <= Math.floor((n.precision - 1) * Math.LOG10E * Math.LN2)) return exact;

  // Include one more bit than the precision: half a unit in the last place.
  const shift = n.precision + 1 - bitLength(mantissa);
  const fine = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  const exponent = n.exponent - shift;
  const lower = decimalOf(fine - 1n, exponent).digits;
  const upper = decimalOf(fine + 1n, exponent).digits;
  const inclusive = (fine & 2n) === 0n;
  for (let i = 0; i < exact.digits.length; i++) {
    const m = exact.digits.charCodeAt(i);
    const l = i < lower.length ? lower.charCodeAt(i) : 48;
    const u = i < upper.length ? upper.charCodeAt(i) : 48;
    const down = l !== m || (inclusive && i + 1 === lower.length);
    const up = m !== u && (inclusive || m + 1 < u || i + 1 < upper.length);
    if (down && up) return roundTo(exact, i + 1);
    if (down) return roundDown(exact, i + 1);
    if (up) return roundUp(exact, i + 1);
  }
  return exact;
}

function fixedNotation(d: Decimal): string {
  if (d.digits === '') return '0';
  const { digits, point } = d;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function exponentNotation(d: Decimal): string {
  const fraction = d.digits.length > 1 ? `.${d.digits.slice(1)}` : '';
  const exponent = d.point - 1;
  const size = Math.abs(exponent);
  return `${d.digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
}

/**
 * Formats a number without an exponent: the shortest decimal that is parsed as the same number at its precision.
 * Infinities are "+Inf" and "-Inf", negative zero is "-0". Equals Go's `Text('f', -1)` and thus Terraform's `tostring`.
 */
export function formatNumber(n: Num): string {
  if (typeof n === 'number') {
    if (n === 0) return Object.is(n, -0) ? '-0' : '0';
    if (n === Infinity) return '+Inf';
    return n === -Infinity ? '-Inf' : `${n}`;
  }
  const text = fixedNotation(shortestDecimal(n));
  return isNegative(n) ? `-${text}` : text;
}

/**
 * Formats a number with at most ten significant digits, in exponent notation if it is very large or small: Go's
 * `Text('g', 10)`. Sets of compound values are ordered by it.
 */
export function formatNumberShort(n: Num): string {
  if (typeof n === 'number' && Math.abs(n) < 1e10) return formatNumber(n);
  if (n === Infinity || n === -Infinity) return formatNumber(n);
  const mantissa = mantissaOf(n);
  const d = roundTo(decimalOf(mantissa < 0n ? -mantissa : mantissa, exponentOf(n)), 10);
  const threshold = 10 > d.digits.length && d.digits.length >= d.point ? d.digits.length : 10;
  const exponent = d.point - 1;
  const text = exponent < -4 || exponent >= threshold ? exponentNotation(d) : fixedNotation(d);
  return isNegative(n) ? `-${text}` : text;
}

/**
 * Formats the shortest text that is parsed as the same number, with an exponent from 10^6 on and below 10^-4:
 * `Text('g', -1)`.
 */
export function formatNumberGeneral(n: Num): string {
  if (n === Infinity || n === -Infinity || Object.is(n, -0) || n === 0) {
    return formatNumber(n);
  }
  const mantissa = mantissaOf(n);
  const d =
    typeof n === 'number' ? decimalOf(mantissa < 0n ? -mantissa : mantissa, 0) : shortestDecimal(n);
  const exponent = d.point - 1;
  const text = exponent < -4 || exponent >= 6 ? exponentNotation(d) : fixedNotation(d);
  return isNegative(n) ? `-${text}` : text;
}

/** The double nearest to the number. */
export function nearestDouble(n: Num): number {
  if (typeof n === 'number') return n;
  const mantissa = n.mantissa < 0n ? -n.mantissa : n.mantissa;
  const top = n.exponent + bitLength(mantissa);
  if (top > 1100) return n.mantissa < 0n ? -Infinity : Infinity;
  if (top < -1100) return n.mantissa < 0n ? -0 : 0;
  // The engine's own parser rounds a decimal of any length correctly, denormals included.
  const d = decimalOf(mantissa, n.exponent);
  const value = Number(`0.${d.digits}e${d.point}`);
  return n.mantissa < 0n ? -value : value;
}
