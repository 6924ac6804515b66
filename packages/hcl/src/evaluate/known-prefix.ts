import { safePrefix } from '@terrane/cty';

/** Longer prefixes are not useful, and providers reject values with long prefixes. */
export const MAX_PREFIX_BYTES = 128;

/**
 * Returns the known prefix of a text that starts like this and continues with unknown text: at most 128 bytes,
 * without a last character that the continuation may still change.
 */
export function knownPrefix(text: string): string {
  if (text === '') {
    return '';
  }
  return safePrefix(firstBytes(text));
}

function firstBytes(text: string): string {
  if (text.length * 3 <= MAX_PREFIX_BYTES) {
    return text;
  }
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_PREFIX_BYTES) {
    return text;
  }
  let end = MAX_PREFIX_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end--;
  }
  return new TextDecoder().decode(bytes.subarray(0, end));
}
