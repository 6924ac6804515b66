import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { type Host, type LockInfo, type Storage, userErrorText } from '@terrane/host';
import { JournalPlace } from './journal-place.ts';
import { joinDiagnostics, lockFailure } from './lock-message.ts';
import { type MergedState, readMergedState } from './read-merged-state.ts';
import { SnapshotStore } from './snapshot-store.ts';
import type { StateCodec } from './state-codec.ts';
import { StateLock } from './state-lock.ts';
import {
  OpenSession,
  type ReadState,
  type SessionContext,
  type StateSession,
} from './state-session.ts';

/** One state in a storage, with its journal on this machine. Sessions lock, read and change it. */
export interface StateManager {
  /** true if the state is a local file, whose lock is immediate unless another process holds it */
  readonly isFile: boolean;
  /** path of the journal; other local files of the state are in the same directory */
  readonly journalPath: string;
  /**
   * Locks the state, with increasing pauses between attempts, until `timeoutMs` have passed or the signal is aborted.
   * Calls `onHeld` if it has to wait for another holder of the lock. Without errors, the result has a session.
   * Diagnostics are worded as Terraform's.
   */
  lock(
    request: LockRequest,
    timeoutMs: number,
    signal?: AbortSignal,
    onHeld?: () => void,
  ): Promise<LockedSession>;
  /** Starts a session without a lock, for `-lock=false`. */
  withoutLock(): StateSession;
  /**
   * Returns the holder of the lock, for a session without a lock. Undefined if the state is not locked, if the lease of
   * the holder has expired, or if the storage cannot report it.
   */
  lockHolder(): Promise<LockInfo | undefined>;
  /** Reads the state without a lock and for reading only. After errors, `file` is undefined. */
  read(): Promise<ReadState & { readonly diagnostics: readonly Diagnostic[] }>;
}

/** The description of a lock that its holder stores with it. */
export interface LockRequest {
  readonly operation: string;
  readonly info?: string;
}

/** Result of locking a state. */
export interface LockedSession {
  /** undefined if the state could not be locked */
  readonly session?: StateSession;
  /** ID of the lock; empty for a storage without locks */
  readonly id?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Options of a state manager. */
export interface StateManagerOptions {
  readonly storage: Storage;
  readonly host: Pick<Host, 'files' | 'clock' | 'random' | 'environment'>;
  /** path of the journal on this machine */
  readonly journalPath: string;
  /** path of the backup of the snapshot that the first changing write replaces; undefined: no backup */
  readonly backupPath?: string | undefined;
  /** path for a state that cannot be stored; `errored.tfstate` by default */
  readonly erroredPath?: string | undefined;
  /** encoding of snapshots and journals, for encryption */
  readonly codec?: StateCodec | undefined;
  /** size in bytes up to which a journal is not worth a checkpoint; 1 MiB by default */
  readonly smallJournal?: number | undefined;
}

const SMALL_JOURNAL = 1024 * 1024;

/** Returns a manager of the state in a storage. */
export function createStateManager(options: StateManagerOptions): StateManager {
  return new StoredStateManager(options);
}

class StoredStateManager implements StateManager {
  readonly #context: SessionContext;

  constructor(options: StateManagerOptions) {
    const { storage, host, backupPath, codec, smallJournal = SMALL_JOURNAL } = options;
    this.#context = {
      storage,
      host,
      store: new SnapshotStore({ storage, files: host.files, backupPath, codec }),
      journal: new JournalPlace(options),
      codec,
      erroredPath: options.erroredPath,
      smallJournal,
    };
  }

  get journalPath(): string {
    return this.#context.journal.path;
  }

  get isFile(): boolean {
    return this.#context.storage.isFile === true;
  }

  async lock(
    request: LockRequest,
    timeoutMs: number,
    signal?: AbortSignal,
    onHeld?: () => void,
  ): Promise<LockedSession> {
    const { storage, host } = this.#context;
    const lock = new StateLock(storage, host);
    const { id, diagnostics } = await lock.lock(request, timeoutMs, signal, onHeld);
    if (id === undefined) return { diagnostics };
    if (storage.readsWhenLocking !== true)
      return { session: new OpenSession(this.#context, lock), id, diagnostics };
    const reading = await this.#readUnderLock(lock);
    if ('severity' in reading) {
      await lock.unlock();
      return { diagnostics: [reading] };
    }
    return { session: new OpenSession(this.#context, lock, reading), id, diagnostics };
  }

  /** Reads a state whose lock Terraform acquires only if the state is valid. Returns a lock failure if it is not. */
  async #readUnderLock(lock: StateLock): Promise<MergedState | Diagnostic> {
    try {
      const target = await this.#context.store.checkTarget();
      if (hasErrors(target)) return lockFailure(joinDiagnostics(target.filter(isError)));
      const reading = await readMergedState(this.#context, lock);
      const errors = reading.fileDiagnostics.filter(isError);
      return errors.length === 0 ? reading : lockFailure(joinDiagnostics(errors));
    } catch (error) {
      return lockFailure(userErrorText(error));
    }
  }

  withoutLock(): StateSession {
    return new OpenSession(this.#context, undefined);
  }

  async lockHolder(): Promise<LockInfo | undefined> {
    const { storage, host } = this.#context;
    try {
      const holder = await (storage.recordedHolder ?? storage.lockHolder)?.call(storage);
      const expires = holder?.lease?.expires;
      const isExpired = expires !== undefined && Date.parse(expires) < host.clock.now().getTime();
      return isExpired ? undefined : holder;
    } catch (error) {
      // Reading a state does not depend on the permission to read its lock.
      userErrorText(error);
      return undefined;
    }
  }

  async read(): Promise<ReadState & { readonly diagnostics: readonly Diagnostic[] }> {
    const { state, diagnostics } = await this.withoutLock().read();
    const { file, name, deadJournal, interrupted = [] } = state ?? {};
    return { file, name, deadJournal, interrupted, diagnostics };
  }
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
