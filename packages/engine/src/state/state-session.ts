import { Bug } from '@terrane/cty';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { type Host, type Storage, userErrorText } from '@terrane/host';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import type { LockGuard } from './held-lock.ts';
import { carriedOver, type Interrupted, isOpenCreate } from './interrupted.ts';
import type { JournalPlace } from './journal-place.ts';
import { encodeBeginning, encodeMark, type SnapshotName } from './journal-record.ts';
import type { StateFile } from './model.ts';
import { JournalingRecorder, type StateRecorder } from './recorder.ts';
import {
  type DeadJournal,
  type MergedSnapshot,
  type MergedState,
  readMergedState,
} from './read-merged-state.ts';
import { rescueState } from './rescue-state.ts';
import type { SnapshotStore, StoreOptions } from './snapshot-store.ts';
import type { StateCodec } from './state-codec.ts';
import type { StateLock } from './state-lock.ts';
import type { Written } from './stored-state.ts';

// A session passes through phases, and each has a type with the operations that are possible in it:
// StateSession (locked) → WritableState (read) → StateRecorder (recording) or a single write → released.

/** First phase of a session: the state is locked, unless `-lock=false`, and not read. */
export interface StateSession {
  /** reports the loss of the lock, after which nothing may be changed; undefined without a lock */
  readonly guard: LockGuard | undefined;
  /**
   * Reads the stored snapshot and adds the changes in the journal of an interrupted run, with warnings. Without errors,
   * the result has the next phase. To be called once.
   */
  read(): Promise<StateReading>;
  /** Ends the session and releases its lock, if it has one. Reports a lock that was lost. */
  release(): Promise<readonly Diagnostic[]>;
}

/** Result of reading the state in a session; it has no state after errors. */
export interface StateReading {
  readonly state?: WritableState;
  readonly diagnostics: readonly Diagnostic[];
}

/** The state with the changes of interrupted runs. */
export interface ReadState {
  /** undefined if there is no state yet */
  readonly file: StateFile | undefined;
  /** the name of the stored snapshot, which lacks the changes of interrupted runs; undefined after errors */
  readonly name: SnapshotName | undefined;
  /** journal of a run that ended before it had stored its state; undefined if there is none */
  readonly deadJournal: DeadJournal | undefined;
  /** operations that interrupted runs began and that have no result */
  readonly interrupted: readonly Interrupted[];
}

/** Second phase of a session: the state is read, and can be changed in one of three ways, once. */
export interface WritableState extends ReadState {
  /** the guard of the session */
  readonly guard: LockGuard | undefined;
  /**
   * Starts to record changes. First stores the changes of an interrupted run, because the new journal replaces the old
   * one. Rejects if a live process is recording changes of the same state, which is only possible without locks.
   */
  begin(): Promise<StateRecorder>;
  /**
   * Stores a state with its own lineage and serial (see `nextStateFile`) and this program's version. Removes the
   * journal of an interrupted run, except for the creations without a result of which the new state has no object.
   */
  write(file: StateFile, options?: StoreOptions): Promise<readonly Diagnostic[]>;
  /**
   * Stores the state with the changes of an interrupted run. Of the interrupted operations, the journal keeps those for
   * which `staysOpen` returns true.
   */
  storeRecovered(staysOpen: (operation: Interrupted) => boolean): Promise<readonly Diagnostic[]>;
}

/** The services and settings that all sessions of one state share. */
export interface SessionContext {
  readonly storage: Storage;
  readonly host: Pick<Host, 'files' | 'clock' | 'random' | 'environment'>;
  readonly store: SnapshotStore;
  readonly journal: JournalPlace;
  readonly codec?: StateCodec | undefined;
  readonly erroredPath?: string | undefined;
  /** size in bytes up to which a journal is not worth a checkpoint */
  readonly smallJournal: number;
}

/** A session with or without a lock. */
export class OpenSession implements StateSession {
  readonly #context: SessionContext;
  readonly #lock: StateLock | undefined;
  readonly #firstReading: MergedState | undefined;
  #isRead = false;

  /**
   * @param lock undefined for a session without lock
   * @param firstReading the state, if it was read in order to lock it
   */
  constructor(context: SessionContext, lock: StateLock | undefined, firstReading?: MergedState) {
    this.#context = context;
    this.#lock = lock;
    this.#firstReading = firstReading;
  }

  get guard(): LockGuard | undefined {
    return this.#lock?.guard;
  }

  async read(): Promise<StateReading> {
    if (this.#isRead) throw new Bug('a session reads its state once');
    this.#isRead = true;
    const { snapshot, diagnostics } = await this.#merged();
    if (snapshot === undefined) return { diagnostics };
    return { state: new SessionState(this.#context, this.#lock, snapshot), diagnostics };
  }

  async #merged(): Promise<MergedState> {
    const { storage } = this.#context;
    try {
      return this.#firstReading ?? (await readMergedState(this.#context, this.#lock));
    } catch (error) {
      const reason = userErrorText(error);
      const unread =
        storage.isFile === true
          ? errorDiagnostic(
              'Failed to read state file',
              `The state file could not be read: ${reason}`,
            )
          : errorDiagnostic(reason, '');
      return { diagnostics: [unread], fileDiagnostics: [] };
    }
  }

  async release(): Promise<readonly Diagnostic[]> {
    return (await this.#lock?.unlock()) ?? [];
  }
}

class SessionState implements WritableState {
  readonly #context: SessionContext;
  readonly #lock: StateLock | undefined;
  readonly #snapshot: MergedSnapshot;
  #isSpent = false;
  /** digest of the snapshot known to be stored; undefined while unknown, because another location was read */
  #knownDigest: { readonly digest: string | undefined } | undefined;

  constructor(context: SessionContext, lock: StateLock | undefined, snapshot: MergedSnapshot) {
    this.#context = context;
    this.#lock = lock;
    this.#snapshot = snapshot;
    if (context.storage.readsElsewhere !== true) this.#knownDigest = snapshot.name;
  }

  get file(): StateFile | undefined {
    return this.#snapshot.file;
  }

  get name(): SnapshotName {
    return this.#snapshot.name;
  }

  get deadJournal(): DeadJournal | undefined {
    return this.#snapshot.dead;
  }

  get interrupted(): readonly Interrupted[] {
    return this.#snapshot.dead?.interrupted ?? [];
  }

  get guard(): LockGuard | undefined {
    return this.#lock?.guard;
  }

  async begin(): Promise<StateRecorder> {
    this.#spend();
    const { host, storage, journal, codec, smallJournal, erroredPath } = this.#context;
    const { files, clock, random } = host;
    const { path: journalPath } = journal;
    if (this.#lock?.isHeld !== true) await journal.refuseLive();
    const { file } = this.#snapshot;
    const lineage = file?.lineage ?? random.uuid();
    const open = carriedOver(this.interrupted);
    let { name, bytes } = this.#snapshot;
    let outdated = this.#snapshot.outdated || storage.readsElsewhere === true;
    if (this.#snapshot.hasChanges && file !== undefined) {
      ({ name, bytes } = await this.#storeOverJournal(file, open));
      outdated = false;
    } else if (file === undefined) {
      name = { ...name, lineage };
    }
    // Before any change: without a key, nothing could be recorded or stored.
    const seal = await codec?.newSeal();
    const ended = journal.record();
    return new JournalingRecorder(
      {
        files,
        clock,
        journalPath,
        version: TERRAFORM_VERSION,
        smallJournal,
        header: (base) => journal.header(base),
        seal,
        store: (next, announce) => this.#store(next, announce),
        rescue: (next, error, announce) =>
          rescueState({ files, erroredPath, journalPath, codec }, next, error, announce),
        ended,
      },
      { file, lineage, name, bytes, carried: open, outdated },
    );
  }

  async write(file: StateFile, options?: StoreOptions): Promise<readonly Diagnostic[]> {
    this.#spend();
    const previousState = this.#snapshot.file?.state;
    // An object at the address of a creation without a result concludes it, unless it existed before.
    const open = this.interrupted.filter(
      (operation) =>
        isOpenCreate(operation) &&
        (file.state.instance(operation.addr)?.current === undefined ||
          previousState?.instance(operation.addr)?.current !== undefined),
    );
    return await saving(async () => {
      await this.#storeOverJournal(file, open, options);
    });
  }

  async storeRecovered(
    staysOpen: (operation: Interrupted) => boolean,
  ): Promise<readonly Diagnostic[]> {
    this.#spend();
    const { dead, file, hasChanges, name } = this.#snapshot;
    if (dead === undefined) return [];
    const open = dead.interrupted.filter(staysOpen);
    return await saving(async () => {
      if (hasChanges && file !== undefined) await this.#storeOverJournal(file, open);
      else await this.#replaceJournal(name, open);
    });
  }

  /** Marks the session as used: the state that it read is outdated after the first change. */
  #spend(): void {
    if (this.#isSpent) throw new Bug('a session changes its state once');
    this.#isSpent = true;
  }

  /**
   * Stores a state that includes or replaces the changes of the journal. The mark is appended first, in case this
   * process ends before the journal is replaced.
   */
  async #storeOverJournal(
    file: StateFile,
    open: readonly Interrupted[],
    options?: StoreOptions,
  ): Promise<Written> {
    const { host, journal: place } = this.#context;
    const { journal } = this.#snapshot;
    const mark = async (snapshot: SnapshotName): Promise<void> => {
      if (journal === undefined) return;
      const { bytes, seal } = journal;
      const record = encodeMark({ snapshot, upTo: bytes.length }, seal);
      await host.files.replaceFile(place.path, [bytes, record], { mode: 0o600 });
    };
    const writtenSnapshot = await this.#store(file, mark, options);
    await this.#replaceJournal(writtenSnapshot.name, open);
    return writtenSnapshot;
  }

  /** Replaces the journal by one that has only the open operations, or removes it if there are none. */
  async #replaceJournal(base: SnapshotName, open: readonly Interrupted[]): Promise<void> {
    const { host, journal, codec } = this.#context;
    if (open.length === 0) {
      await host.files.remove(journal.path);
      return;
    }
    const bytes = encodeBeginning(journal.header(base), carriedOver(open), await codec?.newSeal());
    await host.files.replaceFile(journal.path, bytes, { mode: 0o600 });
  }

  /** Stores a snapshot under the lock. A lost lock is acquired again if nothing has been stored meanwhile. */
  async #store(
    file: StateFile,
    announce?: (name: SnapshotName) => Promise<void>,
    options?: StoreOptions,
  ): Promise<Written> {
    const { store } = this.#context;
    const ready = async (name: SnapshotName): Promise<void> => {
      await announce?.(name);
      await this.#lock?.confirmWrite();
    };
    let writtenSnapshot: Written;
    try {
      writtenSnapshot = await store.write(file, ready, options);
    } catch (error) {
      // Results must not be stored only in a local file because of a lock that has no other holder.
      const isHeldAgain = await this.#lock?.reacquire(() => this.#isUnchanged());
      if (isHeldAgain !== true) throw error;
      writtenSnapshot = await store.write(file, ready, options);
    }
    this.#knownDigest = writtenSnapshot.name;
    return writtenSnapshot;
  }

  async #isUnchanged(): Promise<boolean> {
    if (this.#knownDigest === undefined) return false;
    return (await this.#context.store.targetDigest()) === this.#knownDigest.digest;
  }
}

/** Returns the diagnostic of a failed write. */
async function saving(write: () => Promise<void>): Promise<readonly Diagnostic[]> {
  try {
    await write();
    return [];
  } catch (error) {
    return [errorDiagnostic('Failed to save state', `Error saving state: ${userErrorText(error)}`)];
  }
}
