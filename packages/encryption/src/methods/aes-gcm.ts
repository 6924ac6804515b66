import { createCipheriv, createDecipheriv } from 'node:crypto';
import { listType, NUMBER, numToFloat } from '@terrane/cty';
import { EncryptionError } from '../failure.ts';
import type { Method, MethodKind } from '../method.ts';
import { keys, type Settings } from '../settings.ts';

const KEY_LENGTHS: readonly number[] = [16, 24, 32];
const NONCE = 12;
const TAG = 16;

/** AES in Galois/Counter Mode: a random nonce, the cipher text, and the authentication tag. */
export const AES_GCM: MethodKind = {
  shape: { arguments: [keys('keys', true), { name: 'aad', type: listType(NUMBER) }] },
  build(settings, { random }): Method {
    const { encryption, decryption } = settings.configuredKeys('keys')?.keys ?? {};
    checkLength(encryption, 'encryption');
    if (decryption !== undefined && decryption.length > 0) checkLength(decryption, 'decryption');
    const aad = additionalData(settings);
    return {
      encrypt: (data) =>
        Promise.resolve(
          encryptPieces(encryption ?? new Uint8Array(), random.bytes(NONCE), aad, data),
        ),
      decrypt: (data) =>
        // An error that is thrown synchronously rejects the promise.
        Promise.resolve().then(() => {
          if (decryption === undefined || decryption.length === 0) {
            throw new EncryptionError('no decryption key available');
          }
          return decryptPieces(decryption, aad, data);
        }),
    };
  },
};

function checkLength(key: Uint8Array | undefined, purpose: string): void {
  // During validation, no key has been requested yet.
  if (key === undefined || KEY_LENGTHS.includes(key.length)) return;
  throw new EncryptionError(
    `invalid method configuration: AES-GCM requires the key length to be one of: 16, 24, 32, received ${key.length} bytes in the ${purpose} key`,
  );
}

function additionalData(settings: Settings): Uint8Array {
  const elements = settings.value('aad')?.elements() ?? [];
  return Uint8Array.from(elements, (element) => {
    const byte = numToFloat(element.asNum());
    if (Number.isInteger(byte) && byte >= 0 && byte <= 255) return byte;
    throw new EncryptionError(
      'Unsuitable value: value must be a whole number, between 0 and 255 inclusive',
    );
  });
}

function cipherName(key: Uint8Array): 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm' {
  if (key.length === 16) return 'aes-128-gcm';
  return key.length === 24 ? 'aes-192-gcm' : 'aes-256-gcm';
}

function* encryptPieces(
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  data: Iterable<Uint8Array>,
): Iterable<Uint8Array> {
  const cipher = createCipheriv(cipherName(key), key, nonce);
  cipher.setAAD(aad);
  yield nonce;
  for (const piece of data) yield cipher.update(piece);
  yield cipher.final();
  yield cipher.getAuthTag();
}

/** Decrypts data. The authentication tag is at the end, so the last bytes are held back until the input ends. */
function decryptPieces(key: Uint8Array, aad: Uint8Array, data: Iterable<Uint8Array>): Uint8Array {
  let head: Uint8Array = new Uint8Array();
  let pending: Uint8Array = new Uint8Array();
  let decipher: ReturnType<typeof decipherOf> | undefined;
  const plain: Uint8Array[] = [];
  let length = 0;
  for (const piece of data) {
    length += piece.length;
    let rest = piece;
    if (decipher === undefined) {
      head = Buffer.concat([head, rest]);
      if (head.length < NONCE) continue;
      decipher = decipherOf(key, head.subarray(0, NONCE), aad);
      rest = head.subarray(NONCE);
    }
    pending = pending.length === 0 ? rest : Buffer.concat([pending, rest]);
    if (pending.length <= TAG) continue;
    plain.push(decipher.update(pending.subarray(0, pending.length - TAG)));
    pending = pending.slice(pending.length - TAG);
  }
  if (length === 0) throw failure('cannot decrypt empty data');
  if (decipher === undefined) {
    throw failure('cannot decrypt data because it is too small (likely data corruption)');
  }
  if (pending.length < TAG) throw failure('cipher: message authentication failed');
  decipher.setAuthTag(pending);
  try {
    plain.push(decipher.final());
  } catch {
    throw failure('cipher: message authentication failed');
  }
  return Buffer.concat(plain);
}

function decipherOf(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array) {
  const decipher = createDecipheriv(cipherName(key), key, nonce);
  decipher.setAAD(aad);
  return decipher;
}

function failure(reason: string): EncryptionError {
  return new EncryptionError(`decryption failed: ${reason}`);
}
