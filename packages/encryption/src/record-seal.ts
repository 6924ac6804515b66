import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '@terrane/host';

/** Bytes of a seal's key: AES-256. */
export const SEAL_KEY_LENGTH = 32;

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * Seals the records of one journal, each for itself, with a key of its own. The key is kept with the journal, encrypted
 * as states are, so that a record costs no more where that is done by a program or far away.
 */
export class RecordSeal {
  /** the key as it is kept */
  readonly kept: Uint8Array;
  readonly #random: Random;
  readonly #key: Uint8Array;

  constructor(random: Random, key: Uint8Array, kept: Uint8Array) {
    this.#random = random;
    this.#key = key;
    this.kept = kept;
  }

  /** A record nobody else can read, nor take for one of another kind. */
  seal(record: Uint8Array, kind: number): Uint8Array {
    // There are never so many records of one journal that two of these could meet.
    const nonce = this.#random.bytes(NONCE);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    cipher.setAAD(Uint8Array.of(kind));
    return Buffer.concat([nonce, cipher.update(record), cipher.final(), cipher.getAuthTag()]);
  }

  /** A record as it was. Throws where it was not sealed so. */
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
