import { BigFloat, formatNumber, numToInt, type Num } from '@terrane/cty';

/** A number 0.ddd × 10^point without leading and trailing zeros; zero has no digits. */
export interface DecimalDigits {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

/** Returns the shortest digits that represent a finite number at its precision. */
export function shortestDigits(n: Num): DecimalDigits {
  return fromFixed(formatNumber(n));
}

/** Returns all digits of a finite number. */
export function exactDigits(n: Num): DecimalDigits {
  const integerValue = numToInt(n);
  if (integerValue !== undefined || !(n instanceof BigFloat))
    return fromFixed(String(integerValue ?? 0n));
  // m × 2^-k is m × 5^k with the decimal point moved by k digits.
  const fractionDigits = -n.exponent;
  const mantissa = n.mantissa < 0n ? -n.mantissa : n.mantissa;
  const digits = (mantissa * 5n ** BigInt(fractionDigits)).toString();
  return trimmed(n.mantissa < 0n, digits, digits.length - fractionDigits);
}

function fromFixed(text: string): DecimalDigits {
  const negative = text.startsWith('-');
  const [integerPart = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  return trimmed(negative, integerPart + fraction, integerPart.length);
}

function trimmed(negative: boolean, digits: string, point: number): DecimalDigits {
  const start = digits.search(/[1-9]/);
  if (start < 0) return { negative, digits: '', point: 0 };
  return { negative, digits: digits.slice(start).replace(/0+$/, ''), point: point - start };
}

/** Rounds to a number of digits, half to even. */
export function roundDigits(d: DecimalDigits, count: number): DecimalDigits {
  if (count < 0) return { ...d, digits: '', point: 0 };
  if (count >= d.digits.length) return d;
  const retainedDigits = d.digits.slice(0, count);
  const rest = d.digits.slice(count);
  const isHalf = rest === '5';
  const isOdd = count > 0 && Number(retainedDigits[count - 1]) % 2 === 1;
  const roundsUp = isHalf ? isOdd : (rest[0] ?? '0') >= '5';
  if (!roundsUp) return trimmed(d.negative, retainedDigits, d.point);
  if (count === 0) return { negative: d.negative, digits: '1', point: d.point + 1 };
  const raised = (BigInt(retainedDigits) + 1n).toString();
  return trimmed(d.negative, raised, d.point + raised.length - retainedDigits.length);
}

/** Formats digits with a fixed number of decimal places. */
export function fixedText(d: DecimalDigits, decimalPlaces: number): string {
  const integerPart = d.point > 0 ? d.digits.slice(0, d.point).padEnd(d.point, '0') : '0';
  if (decimalPlaces <= 0) return integerPart;
  let fraction = '';
  for (let i = 0; i < decimalPlaces; i++) fraction += d.digits[d.point + i] ?? '0';
  return `${integerPart}.${fraction}`;
}

/** Formats digits in exponential form, with one digit before the decimal point. */
export function exponentText(d: DecimalDigits, decimalPlaces: number, letter: string): string {
  const first = d.digits[0] ?? '0';
  const fraction =
    decimalPlaces > 0 ? `.${d.digits.slice(1, 1 + decimalPlaces).padEnd(decimalPlaces, '0')}` : '';
  const exponent = d.digits === '' ? 0 : d.point - 1;
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${first}${fraction}${letter}${exponent < 0 ? '-' : '+'}${size}`;
}

/**
 * Formats a number in fixed or exponential form, whichever is shorter; without `precision` with the shortest digits
 * (big.Float's 'g').
 */
export function generalText(
  d: DecimalDigits,
  precision: number | undefined,
  letter: string,
): string {
  const count = d.digits.length;
  const requestedPrecision = precision ?? count;
  let limit = requestedPrecision;
  if (limit > count && count >= d.point) limit = count;
  if (precision === undefined) limit = 6;
  const exponent = d.point - 1;
  if (exponent < -4 || exponent >= limit) {
    return exponentText(d, Math.min(requestedPrecision, count) - 1, letter);
  }
  const digitCount = requestedPrecision > d.point ? count : requestedPrecision;
  return fixedText(d, Math.max(digitCount - d.point, 0));
}
