import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { type FileSystem, type Storage, userErrorText } from '@terrane/host';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { sameState } from './equal.ts';
import type { SnapshotName } from './journal-record.ts';
import type { StateFile } from './model.ts';
import type { StateCodec } from './state-codec.ts';
import { readStateFile } from './statefile-read.ts';
import { digestOf, storeSnapshot, type Written } from './stored-state.ts';

/** Settings of a snapshot store. */
export interface SnapshotStoreOptions {
  readonly storage: Storage;
  readonly files: FileSystem;
  /** path of the backup of the snapshot that the first changing write replaces; undefined: no backup */
  readonly backupPath?: string | undefined;
  /** encoding of stored snapshots; none by default */
  readonly codec?: StateCodec | undefined;
}

/** A stored snapshot of the state, decoded and parsed. */
export interface StoredSnapshot {
  /** undefined if nothing is stored */
  readonly file: StateFile | undefined;
  readonly name: SnapshotName;
  /** size in bytes, decoded */
  readonly bytes: number;
  /** true if its encoding differs from that of new snapshots */
  readonly outdated: boolean;
}

/** Result of reading the stored snapshot; it has no snapshot after errors. */
export interface SnapshotReading {
  readonly snapshot?: StoredSnapshot;
  readonly diagnostics: readonly Diagnostic[];
}

/** Options of storing a snapshot. */
export interface StoreOptions {
  /** true if a service that compares lineages and serials itself must accept the snapshot */
  readonly force?: boolean;
}

type ParsedState = ReturnType<typeof readStateFile>;

const NO_BYTES = new Uint8Array();

/** Returns the name of a snapshot, whose digest is computed when it is first read: a plan without a journal needs none. */
function nameOf(lineage: string, serial: number, bytes: Uint8Array | undefined): SnapshotName {
  let content = bytes;
  let digest: string | undefined;
  return {
    lineage,
    serial,
    get digest() {
      digest ??= digestOf(content);
      content = undefined;
      return digest;
    },
  };
}

/** Reads, stores and backs up the snapshots of a storage, independently of locks and journals. */
export class SnapshotStore {
  readonly #options: SnapshotStoreOptions;
  /** the bytes parsed last: a run reads the same snapshot up to three times, and parses it once */
  #parsed: { readonly bytes: Uint8Array; readonly result: ParsedState } | undefined;
  #isBackedUp = false;

  constructor(options: SnapshotStoreOptions) {
    this.#options = options;
  }

  /** Reads the stored snapshot. Rejects if the storage cannot be read. */
  async read(): Promise<SnapshotReading> {
    const storedBytes = await this.#options.storage.read();
    let decoded: { readonly bytes: Uint8Array | undefined; readonly outdated: boolean };
    try {
      decoded = await this.#decode(storedBytes);
    } catch (error) {
      return { diagnostics: [errorDiagnostic(userErrorText(error), '')] };
    }
    const { bytes, outdated } = decoded;
    const { file, diagnostics } = this.#parse(bytes ?? NO_BYTES);
    if (hasErrors(diagnostics)) return { diagnostics };
    const { lineage = '', serial = 0 } = file ?? {};
    const name = nameOf(lineage, serial, bytes);
    return { snapshot: { file, name, bytes: bytes?.length ?? 0, outdated }, diagnostics };
  }

  /** Validates the snapshot that a write would replace, if the storage reads from another location. */
  async checkTarget(): Promise<readonly Diagnostic[]> {
    const { bytes } = await this.#decode(await this.#options.storage.readTarget?.());
    return bytes === undefined ? [] : this.#parse(bytes).diagnostics;
  }

  /** Returns the digest of the snapshot that a write would replace. */
  async targetDigest(): Promise<string | undefined> {
    return digestOf(await this.#readTarget());
  }

  /**
   * Backs up the snapshot that this store replaces first, then stores a new one with this program's version. `announce`
   * receives its name before any of it is visible.
   */
  async write(
    file: StateFile,
    announce: (name: SnapshotName) => Promise<void>,
    options?: StoreOptions,
  ): Promise<Written> {
    await this.#backUp(file);
    const { storage, codec } = this.#options;
    const current = { ...file, terraformVersion: TERRAFORM_VERSION };
    return await storeSnapshot(storage, current, announce, codec, options);
  }

  async #readTarget(): Promise<Uint8Array | undefined> {
    const { storage } = this.#options;
    const storedBytes = await (storage.readTarget === undefined
      ? storage.read()
      : storage.readTarget());
    return (await this.#decode(storedBytes)).bytes;
  }

  async #decode(
    stored: Uint8Array | undefined,
  ): Promise<{ readonly bytes: Uint8Array | undefined; readonly outdated: boolean }> {
    const { codec } = this.#options;
    if (codec === undefined || stored === undefined || stored.length === 0) {
      return { bytes: stored, outdated: false };
    }
    return await codec.decode(stored);
  }

  #parse(bytes: Uint8Array): ParsedState {
    const last = this.#parsed;
    if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.result;
    const result = readStateFile(bytes);
    this.#parsed = { bytes, result };
    return result;
  }

  async #backUp(next: StateFile): Promise<void> {
    const { backupPath, files, codec } = this.#options;
    if (backupPath === undefined || this.#isBackedUp) return;
    const old = await this.#readTarget();
    if (old === undefined || old.length === 0) {
      // There is nothing to back up: later writes replace snapshots of this run.
      this.#isBackedUp = true;
      return;
    }
    const { file } = this.#parse(old);
    this.#parsed = undefined;
    if (file !== undefined && sameState(file.state, next.state)) return;
    try {
      const { serial, lineage = '' } = file ?? {};
      const backup = codec === undefined ? old : await codec.encode([old], { serial, lineage });
      await files.replaceFile(backupPath, backup, { mode: 0o600 });
    } catch (error) {
      throw new Error(`failed to create local state backup file: ${userErrorText(error)}`, {
        cause: error,
      });
    }
    this.#isBackedUp = true;
  }
}
