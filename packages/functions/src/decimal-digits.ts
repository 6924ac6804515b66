import { BigFloat, formatNumber, numToInt, type Num } from '@terrane/cty';

/** A number 0.ddd × 10^point; no zeros at either end of the digits, none at all for zero. */
export interface DecimalDigits {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

/** The shortest digits that stand for a finite number at its precision. */
export function shortestDigits(n: Num): DecimalDigits {
  return fromFixed(formatNumber(n));
}

/** All digits of a finite number. */
export function exactDigits(n: Num): DecimalDigits {
  const integerValue = numToInt(n);
  if (integerValue !== undefined || !(n instanceof BigFloat))
    return fromFixed(String(integerValue ?? 0n));
  // m × 2^-k is m × 5^k with the point moved by k places.
  const places = -n.exponent;
  const mantissa = n.mantissa < 0n ? -n.mantissa : n.mantissa;
  const digits = (mantissa * 5n ** BigInt(places)).toString();
  return trimmed(n.mantissa < 0n, digits, digits.length - places);
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

/** Rounded to so many digits, halves to even. */
export function roundDigits(d: DecimalDigits, count: number): DecimalDigits {
  if (count < 0) return { ...d, digits: '', point: 0 };
  if (count >= d.digits.length) return d;
  const kept = d.digits.slice(0, count);
  const rest = d.digits.slice(count);
  const isHalf = rest === '5';
  const isOdd = count > 0 && Number(kept[count - 1]) % 2 === 1;
  const up = isHalf ? isOdd : (rest[0] ?? '0') >= '5';
  if (!up) return trimmed(d.negative, kept, d.point);
  if (count === 0) return { negative: d.negative, digits: '1', point: d.point + 1 };
  const raised = (BigInt(kept) + 1n).toString();
  return trimmed(d.negative, raised, d.point + raised.length - kept.length);
}

/** With so many digits after the point. */
export function fixedText(d: DecimalDigits, places: number): string {
  const integerPart = d.point > 0 ? d.digits.slice(0, d.point).padEnd(d.point, '0') : '0';
  if (places <= 0) return integerPart;
  let fraction = '';
  for (let i = 0; i < places; i++) fraction += d.digits[d.point + i] ?? '0';
  return `${integerPart}.${fraction}`;
}

/** With one digit before the point, so many after it, and an exponent. */
export function exponentText(d: DecimalDigits, places: number, letter: string): string {
  const first = d.digits[0] ?? '0';
  const fraction = places > 0 ? `.${d.digits.slice(1, 1 + places).padEnd(places, '0')}` : '';
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
  const shown = requestedPrecision > d.point ? count : requestedPrecision;
  return fixedText(d, Math.max(shown - d.point, 0));
}
