import { type StateName, stateNameOf } from './envelope.ts';
import { EncryptionError } from './failure.ts';
import { jsonMembers, JsonFault, memberValue } from './json-members.ts';
import type { KeyHost } from './key-provider.ts';
import { RecordSeal, SEAL_KEY_LENGTH } from './record-seal.ts';
import type { TargetEncryption } from './target-encryption.ts';

/** Encryption of states and of the records of their changes. */
export class StateEncryption {
  readonly #target: TargetEncryption;
  readonly #host: Pick<KeyHost, 'random'>;

  constructor(target: TargetEncryption, host: Pick<KeyHost, 'random'>) {
    this.#target = target;
    this.#host = host;
  }

  /**
   * Encrypts a state for storage; `name` is readable without the key. The result can be iterated once. Rejects with an
   * EncryptionError.
   */
  async encode(state: Iterable<Uint8Array>, name: StateName): Promise<Iterable<Uint8Array>> {
    return await this.#target.encrypt(state, name);
  }

  /**
   * Decrypts a state. `outdated`: it was stored in a format that is no longer written. Rejects with an EncryptionError,
   * also if the file belongs to another state.
   */
  async decode(
    bytes: Uint8Array,
  ): Promise<{ readonly bytes: Uint8Array; readonly outdated: boolean }> {
    const {
      bytes: plain,
      outdated,
      envelope,
    } = await this.#target.decrypt(bytes, plainStateProblem);
    if (envelope !== undefined) checkName(envelope.name, plain);
    return { bytes: plain, outdated };
  }

  /**
   * Creates the seal for the records of one journal; undefined without encryption. Rejects with an EncryptionError if
   * its key cannot be encrypted.
   */
  async newSeal(): Promise<RecordSeal | undefined> {
    if (!this.#target.encrypts) return undefined;
    const key = this.#host.random.bytes(SEAL_KEY_LENGTH);
    const kept = Buffer.concat([...(await this.#target.encrypt([key]))]);
    return new RecordSeal(this.#host.random, key, kept);
  }

  /**
   * Opens the seal of a journal from its stored key; undefined for a journal without one, if that may be read. Rejects
   * with an EncryptionError.
   */
  async openSeal(kept: Uint8Array | undefined): Promise<RecordSeal | undefined> {
    if (kept === undefined) {
      if (this.#target.allowsPlain) return undefined;
      throw new EncryptionError(
        'encountered unencrypted payload without unencrypted method configured',
      );
    }
    const { bytes: key } = await this.#target.decrypt(kept, () => 'it has no encrypted key');
    if (key.length !== SEAL_KEY_LENGTH) throw new EncryptionError('its key is of a wrong length');
    return new RecordSeal(this.#host.random, key, kept);
  }
}

function plainStateProblem(bytes: Uint8Array): string | undefined {
  try {
    for (const member of jsonMembers(bytes)) {
      if (member.name !== 'terraform_version') continue;
      const version = memberValue(bytes, member);
      if (typeof version === 'string' && version !== '') return undefined;
    }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return error.message;
  }
  return 'Given payload is not a state file';
}

function checkName(expected: StateName, plain: Uint8Array): void {
  let state: StateName;
  try {
    state = stateNameOf(plain);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new EncryptionError(error.message);
  }
  if (
    expected.serial !== undefined &&
    state.serial !== undefined &&
    expected.serial !== state.serial
  ) {
    throw new EncryptionError(
      `invalid state metadata, serial field mismatch ${expected.serial} vs ${state.serial}`,
    );
  }
  if (expected.lineage !== '' && expected.lineage !== state.lineage) {
    throw new EncryptionError(
      `invalid state metadata, linage field mismatch ${expected.lineage} vs ${state.lineage}`,
    );
  }
}
