import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

import type { Random } from './host.ts';

/** The operating system's random numbers. */
export function nodeRandom(): Random {
  return {
    bytes: (n) => new Uint8Array(randomBytes(n)),
    uuid: uuids(),
    async rsaKey() {
      const { privateKey } = await promisify(generateKeyPair)('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      });
      return privateKey;
    },
  };
}

/** The number of UUIDs that are created at once. A retained UUID may keep the text of all of them in memory. */
const UUID_BATCH = 64;
const UUID_BYTES = 16;
const UUID_LENGTH = 36;
const DIGITS = Buffer.from('0123456789abcdef');
const HYPHEN = 0x2d;

/** Returns a function that returns UUIDs. A large run needs one per object, and Node composes each of twenty texts. */
function uuids(): () => string {
  let texts = '';
  let at = 0;
  // Most runs need few.
  let isFirst = true;
  return () => {
    if (isFirst) {
      isFirst = false;
      return randomUUID();
    }
    if (at >= texts.length) {
      texts = uuidTexts();
      at = 0;
    }
    at += UUID_LENGTH;
    return texts.slice(at - UUID_LENGTH, at);
  };
}

/** Returns the texts of version 4 UUIDs without separators between them. */
function uuidTexts(): string {
  const random = randomBytes(UUID_BATCH * UUID_BYTES);
  const text = Buffer.allocUnsafe(UUID_BATCH * UUID_LENGTH);
  let at = 0;
  for (let i = 0; i < random.length; i++) {
    let byte = random[i] ?? 0;
    const position = i % UUID_BYTES;
    if (position === 6) byte = (byte & 0x0f) | 0x40; // version
    if (position === 8) byte = (byte & 0x3f) | 0x80; // variant
    if (position === 4 || position === 6 || position === 8 || position === 10) text[at++] = HYPHEN;
    text[at++] = DIGITS[byte >> 4] ?? 0;
    text[at++] = DIGITS[byte & 0x0f] ?? 0;
  }
  return text.toString('latin1');
}
