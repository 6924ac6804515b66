import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '@terrane/host';

/** The length of the key in bytes (AES-256). */
export const SEAL_KEY_LENGTH = 32;

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * Seals the records of one journal individually with a key of the journal. The key is stored in the journal, encrypted
 * like a state, so that sealing a record needs no external program or service.
 */
export class RecordSeal {
  /** the encrypted key, as stored in the journal */
  readonly kept: Uint8Array;
  readonly #random: Random;
  readonly #key: Uint8Array;

  constructor(random: Random, key: Uint8Array, kept: Uint8Array) {
    this.#random = random;
    this.#key = key;
    this.kept = kept;
  }

  /** Encrypts and authenticates a record, including its kind. */
  seal(record: Uint8Array, kind: number): Uint8Array {
    // Random nonces are safe: a journal has too few records for a likely collision.
    const nonce = this.#random.bytes(NONCE);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    cipher.setAAD(Uint8Array.of(kind));
    return Buffer.concat([nonce, cipher.update(record), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts a record. Throws if it was not sealed with this key and kind. */
  open(sealed: Uint8Array, kind: number): Uint8Array {
    if (sealed.length < NONCE + TAG) throw new Error('it is too short to be encrypted');
    const end = sealed.length - TAG;
    const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(0, NONCE));
    decipher.setAAD(Uint8Array.of(kind));
    decipher.setAuthTag(sealed.subarray(end));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(NONCE, end)), decipher.final()]);
    } catch {
      throw new Error('it was not encrypted with the key of this journal');
    }
  }
}
