import { quoteText } from '@terrane/cty';
import type { Random } from '@terrane/host';

type Parsed = { readonly bytes: Uint8Array } | { readonly problem: string };

/** Sixteen bytes in the notation of UUIDs. */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, i) => hex.slice(cuts[i], end))
    .join('-');
}

/** A random UUID of version 4. */
export function version4(random: Random): string {
  return formatUuid(withVersion(random.bytes(16), 4));
}

/** A UUID of version 7: the milliseconds since 1970, then random bits. */
export function version7(random: Random, now: Date): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes.writeUIntBE(now.getTime(), 0, 6);
  return formatUuid(withVersion(bytes, 7));
}

function withVersion(drawn: Uint8Array, version: number): Uint8Array {
  const bytes = Uint8Array.from(drawn);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}

const HYPHENS = [8, 13, 18, 23];

function hyphenated(text: string): boolean {
  return HYPHENS.every((i) => text[i] === '-');
}

/** Parses a UUID in standard notation; errors are worded as in hashicorp/go-uuid. */
export function parsePlainUuid(text: string): Parsed {
  if (Buffer.byteLength(text) !== 36) return { problem: 'uuid string is wrong length' };
  if (!hyphenated(text)) return { problem: 'uuid is improperly formatted' };
  const hex = HYPHENS.toReversed().reduce((t, i) => t.slice(0, i) + t.slice(i + 1), text);
  const invalidCharacter = [...hex].find((char) => !/[0-9a-fA-F]/.test(char));
  if (invalidCharacter === undefined) return { bytes: Buffer.from(hex, 'hex') };
  const code = (invalidCharacter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return { problem: `encoding/hex: invalid byte: U+${code} '${invalidCharacter}'` };
}

/** Parses a UUID in any notation; errors are worded as in google/uuid. */
export function parseUuid(text: string): Parsed {
  const length = Buffer.byteLength(text);
  let plain = text;
  if (length === 45) {
    const prefix = text.slice(0, 9);
    if (prefix.toLowerCase() !== 'urn:uuid:') {
      return { problem: `invalid urn prefix: ${quoteText(prefix)}` };
    }
    plain = text.slice(9);
  } else if (length === 38) {
    plain = text.slice(1, 37);
  } else if (length !== 36 && length !== 32) {
    return { problem: `invalid UUID length: ${length}` };
  }
  if (length !== 32 && !hyphenated(plain)) return { problem: 'invalid UUID format' };
  const hex = length === 32 ? plain : plain.replaceAll('-', '');
  if (!/^[0-9a-fA-F]{32}$/.test(hex)) return { problem: 'invalid UUID format' };
  return { bytes: Buffer.from(hex, 'hex') };
}
