import { quoteText } from '@terrane/cty';

const LIMIT = 2n ** 63n;

/** Parses a 64-bit decimal integer, or returns the error message of Go's `strconv.ParseInt`. */
export function parseInt64(text: string): bigint | string {
  const problem = (reason: string) => `strconv.ParseInt: parsing ${quoteText(text)}: ${reason}`;
  if (!/^[+-]?[0-9]+$/.test(text)) return problem('invalid syntax');
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  if (value < -LIMIT || value >= LIMIT) return problem('value out of range');
  return value;
}
