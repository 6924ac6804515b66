import { safePrefix } from '@terrane/cty';

// More is of no use, and values with long prefixes are refused by providers.
const LONGEST = 128;

/**
 * Returns the certain prefix of a text that starts with these pieces and continues with an unknown one: at most 128
 * bytes, without a last character that the continuation may still change.
 */
export function knownPrefix(pieces: readonly string[]): string {
  const text = pieces.join('');
  if (text === '') {
    return '';
  }
  return safePrefix(firstBytes(text));
}

function firstBytes(text: string): string {
  if (text.length * 3 <= LONGEST) {
    return text;
  }
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= LONGEST) {
    return text;
  }
  let end = LONGEST;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end--;
  }
  return new TextDecoder().decode(bytes.subarray(0, end));
}
