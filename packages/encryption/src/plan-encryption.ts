import type { TargetEncryption } from './target-encryption.ts';

/** Encryption of plan files. */
export class PlanEncryption {
  readonly #target: TargetEncryption;

  constructor(target: TargetEncryption) {
    this.#target = target;
  }

  /** Encrypts a plan file for storage. Rejects with an EncryptionError. */
  async encode(plan: Uint8Array): Promise<Uint8Array> {
    return Buffer.concat([...(await this.#target.encrypt([plan]))]);
  }

  /**
   * Decrypts a plan file; `isPlan` recognizes an unencrypted one. Rejects with an EncryptionError.
   */
  async decode(bytes: Uint8Array, isPlan: (bytes: Uint8Array) => boolean): Promise<Uint8Array> {
    const plain = await this.#target.decrypt(bytes, (decrypted) =>
      isPlan(decrypted) ? undefined : invalidPlan(decrypted),
    );
    return plain.bytes;
  }
}

function invalidPlan(bytes: Uint8Array): string {
  const magic = Buffer.from(bytes.subarray(0, 2)).toString('latin1');
  return /^[\x20-\x7e]*$/.test(magic) ? `Invalid plan file ${magic}` : 'Invalid plan file';
}
