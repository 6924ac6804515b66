import { quoteText } from '@terrane/cty';

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const LIMIT = 2n ** 63n;

/** Parses a duration such as `1h15m30.5s` to nanoseconds, or returns the error of Go's `time.ParseDuration`. */
export function parseDuration(text: string): bigint | string {
  const invalid = `time: invalid duration ${quoteText(text)}`;
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/su.exec(text) ?? [];
  if (body === '0') return 0n;
  if (body === '') return invalid;
  let rest = body;
  let total = 0n;
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?/.exec(rest);
    const [number = '', integerPart = '', fraction = ''] = match ?? [];
    if (integerPart === '' && fraction === '') return invalid;
    rest = rest.slice(number.length);
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? '';
    if (unit === '') return `time: missing unit in duration ${quoteText(text)}`;
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (size === undefined) {
      return `time: unknown unit ${quoteText(unit)} in duration ${quoteText(text)}`;
    }
    rest = rest.slice(unit.length);
    total += BigInt(integerPart === '' ? 0 : integerPart) * size;
    if (fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    if (total > LIMIT) return invalid;
  }
  const value = sign === '-' ? -total : total;
  return value >= LIMIT ? invalid : value;
}
