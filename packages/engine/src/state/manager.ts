import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { type Host, type Storage, userErrorText } from '@terrane/host';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { sameState } from './equal.ts';
import { carried, type Interrupted, isOpenCreate } from './interrupted.ts';
import type { LockGuard } from './held-lock.ts';
import { JournalPlace } from './journal-place.ts';
import {
  encodeBeginning,
  encodeMark,
  type JournalHeader,
  type SnapshotName,
} from './journal-record.ts';
import { joinDiagnostics, lockFailure } from './lock-message.ts';
import { JournalingRecorder, type StateRecorder } from './recorder.ts';
import type { RecoveredChange } from './recovered-change.ts';
import { journalFailure, recoveryDiagnostics, tryRecover } from './recovery.ts';
import type { StateFile } from './model.ts';
import { nextStateFile } from './next-state-file.ts';
import { rescueState } from './rescue-state.ts';
import type { JournalSeal, StateCodec } from './state-codec.ts';
import { StateLock } from './state-lock.ts';
import { readStateFile } from './statefile-read.ts';
import { digestOf, storeSnapshot, type Written } from './stored-state.ts';

/** One state in a storage, with its lock, its journal and its history of serials. */
export interface StateManager {
  /**
   * Locks the state, trying again with growing pauses until `timeoutMs` have passed or the signal is
   * aborted. `id` is there when the lock was had; diagnostics are in Terraform's words. `onHeld` is called when somebody
   * else holds it and it is waited for.
   */
  lock(
    info: { readonly operation: string; readonly info?: string },
    timeoutMs: number,
    signal?: AbortSignal,
    onHeld?: () => void,
  ): Promise<{ readonly id?: string; readonly diagnostics: readonly Diagnostic[] }>;
  /**
   * What tells whether the lock is still held: nothing may be changed once it is lost, which `unlock` reports. Undefined
   * where no lock is held.
   */
  readonly guard: LockGuard | undefined;
  /** Gives the lock back; nothing happens when there is none. */
  unlock(): Promise<readonly Diagnostic[]>;
  /**
   * The state as it is: what is stored, with what the journal of a dead run adds, of which warnings
   * tell. `file` is `undefined` when there is no state yet, or after an error.
   */
  read(): Promise<{
    readonly file: StateFile | undefined;
    readonly diagnostics: readonly Diagnostic[];
  }>;
  /**
   * Begins to record changes of what `read` gave. Rejects when another process that lives is recording
   * changes of the same state, which only happens without locks.
   */
  begin(base: StateFile | undefined): Promise<StateRecorder>;
  /**
   * Stores a state whole, with the lineage and serial it has (see `nextStateFile`) and this program's
   * version. The journal of a dead run is dropped, for `read` has shown what it holds; but what may have been
   * created without anybody knowing stays open, unless there is an object in its place now. With `force` a service
   * that compares lineages and serials by itself is told not to.
   */
  write(file: StateFile, options?: { readonly force?: boolean }): Promise<readonly Diagnostic[]>;
  /** Whether the state is a file of this machine, whose lock takes no time unless somebody else holds it. */
  readonly isFile: boolean;
  /** Where its journal is, on this machine; what else is kept of the state here goes beside it. */
  readonly journalPath: string;
  /** What runs before left open, as the last `read` found it. */
  readonly interrupted: readonly Interrupted[];
  /** The journal of a dead run, as the last `read` found it; undefined where there is none. */
  readonly deadJournal: DeadJournal | undefined;
  /**
   * Stores what the journal of a dead run adds to the state, as `read` gave it, and keeps of what is open only
   * what `stays` says. To be called under the lock.
   */
  settle(stays: (open: Interrupted) => boolean): Promise<readonly Diagnostic[]>;
}

/** What a run left that ended before it had stored its state. */
export interface DeadJournal {
  readonly path: string;
  readonly header: JournalHeader;
  /** what it adds to the stored state, one change per object in journal order; without intents */
  readonly changes: readonly RecoveredChange[];
  readonly interrupted: readonly Interrupted[];
}

/** What a manager works with. */
export interface StateManagerOptions {
  readonly storage: Storage;
  readonly host: Pick<Host, 'files' | 'clock' | 'random' | 'environment'>;
  /** where the journal is kept, on this machine */
  readonly journalPath: string;
  /** where what is overwritten first is kept; `undefined`: nowhere */
  readonly backupPath?: string | undefined;
  /** where a state that can't be stored is left; `errored.tfstate` by default */
  readonly erroredPath?: string | undefined;
  /** how states and journals are kept; as they are by default */
  readonly codec?: StateCodec | undefined;
  /** bytes of journal that are never worth a checkpoint: reading them back takes no time; 1 MiB by default */
  readonly smallJournal?: number | undefined;
}

const SMALL_JOURNAL = 1024 * 1024;

/** A manager of the state in a storage. */
export function createStateManager(options: StateManagerOptions): StateManager {
  return new StoredStateManager(options);
}

const NOTHING = new Uint8Array();

type ParsedState = ReturnType<typeof readStateFile>;

/** What was read last. */
interface ReadState {
  readonly file: StateFile | undefined;
  /** the journal of a dead run, up to its last whole record */
  readonly journal: Uint8Array | undefined;
  /** that of the journal */
  readonly seal?: JournalSeal | undefined;
  /** that journal has changes which are not stored yet */
  readonly recovered: boolean;
  readonly dead?: DeadJournal | undefined;
  readonly name: SnapshotName;
  readonly bytes: number;
  /** it is not stored as states are now */
  readonly outdated?: boolean;
}

/** Stored bytes as they were before they were encoded. */
interface Decoded {
  readonly bytes: Uint8Array | undefined;
  readonly outdated: boolean;
}

class StoredStateManager implements StateManager {
  readonly #options: StateManagerOptions;
  readonly #lock: StateLock;
  readonly #journal: JournalPlace;
  /** the stored bytes that were parsed last, for they mostly come again */
  #parsed: { readonly bytes: Uint8Array; readonly result: ParsedState } | undefined;
  #read: ReadState | undefined;
  /** the result of reading while the lock was taken, to be given by the next `read` */
  #early: Awaited<ReturnType<StateManager['read']>> | undefined;
  #backupDone = false;
  /** of what this manager has read or written last; unknown where a write replaces something else than what was read */
  #knownDigest: { readonly digest: string | undefined } | undefined;

  constructor(options: StateManagerOptions) {
    this.#options = options;
    this.#lock = new StateLock(options.storage, options.host);
    this.#journal = new JournalPlace(options);
  }

  get journalPath(): string {
    return this.#options.journalPath;
  }

  get isFile(): boolean {
    return this.#options.storage.isFile === true;
  }

  get guard(): LockGuard | undefined {
    return this.#lock.guard;
  }

  async lock(
    request: { readonly operation: string; readonly info?: string },
    timeoutMs: number,
    signal?: AbortSignal,
    onHeld?: () => void,
  ): Promise<{ readonly id?: string; readonly diagnostics: readonly Diagnostic[] }> {
    const locked = await this.#lock.lock(request, timeoutMs, signal, onHeld);
    const reads = this.#options.storage.readsWhenLocking === true;
    return reads && locked.id !== undefined ? await this.#readUnderLock(locked.id) : locked;
  }

  async unlock(): Promise<readonly Diagnostic[]> {
    this.#early = undefined;
    return await this.#lock.unlock();
  }

  async #readUnderLock(
    id: string,
  ): Promise<{ readonly id?: string; readonly diagnostics: readonly Diagnostic[] }> {
    const problems: Diagnostic[] = [];
    try {
      const target = await this.#decoded(await this.#options.storage.readTarget?.());
      if (target !== undefined) problems.push(...this.#parse(target).diagnostics);
      if (!hasErrors(problems)) {
        const stored = await this.#readStored();
        problems.push(...stored.fileDiagnostics);
        this.#early = stored;
      }
    } catch (error) {
      await this.unlock();
      return { diagnostics: [lockFailure(userErrorText(error))] };
    }
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) return { id, diagnostics: [] };
    await this.unlock();
    return { diagnostics: [lockFailure(joinDiagnostics(errors))] };
  }

  async read(): Promise<{
    readonly file: StateFile | undefined;
    readonly diagnostics: readonly Diagnostic[];
  }> {
    const early = this.#early;
    this.#early = undefined;
    if (early !== undefined) return early;
    try {
      return await this.#readStored();
    } catch (error) {
      const reason = userErrorText(error);
      const unread =
        this.#options.storage.isFile === true
          ? errorDiagnostic(
              'Failed to read state file',
              `The state file could not be read: ${reason}`,
            )
          : errorDiagnostic(reason, '');
      return { file: undefined, diagnostics: [unread] };
    }
  }

  async #readStored(): Promise<{
    readonly file: StateFile | undefined;
    readonly diagnostics: readonly Diagnostic[];
    readonly fileDiagnostics: readonly Diagnostic[];
  }> {
    const { storage, journalPath } = this.#options;
    const stored = await storage.read();
    let decoded: Decoded;
    try {
      decoded = await this.#decode(stored);
    } catch (error) {
      const unreadable = [errorDiagnostic(userErrorText(error), '')];
      return { file: undefined, diagnostics: unreadable, fileDiagnostics: unreadable };
    }
    const { bytes, outdated } = decoded;
    const { file, diagnostics } = this.#parse(bytes ?? NOTHING);
    if (hasErrors(diagnostics))
      return { file: undefined, diagnostics, fileDiagnostics: diagnostics };
    const digest = digestOf(bytes);
    if (this.#options.storage.readsElsewhere !== true) this.#knownDigest = { digest };
    const name = { lineage: file?.lineage ?? '', serial: file?.serial ?? 0, digest };
    const size = bytes?.length ?? 0;
    this.#read = { file, journal: undefined, recovered: false, name, bytes: size, outdated };

    const result = { file, diagnostics, fileDiagnostics: diagnostics };
    const journalBytes = await this.#journal.read();
    if (journalBytes === undefined) return result;
    const { journal, seal } = await this.#journal.decode(journalBytes);
    if (journal === undefined) return result;
    if ('error' in journal) {
      const failure = journalFailure(journalPath, journal.error);
      return { file: undefined, diagnostics: [failure], fileDiagnostics: [] };
    }
    // Without the lock the journal may be that of a run which is going on.
    const isLive = !this.#lock.isHeld && this.#journal.isRunning(journal.header);
    const recovered = tryRecover(journal, file, digest, journalPath);
    if ('severity' in recovered) {
      if (isLive) return result;
      return { file: undefined, diagnostics: [recovered], fileDiagnostics: [] };
    }
    const lineage = file?.lineage ?? journal.header.base.lineage;
    const dead: DeadJournal | undefined = isLive
      ? undefined
      : {
          path: journalPath,
          header: journal.header,
          changes: recovered.changes,
          interrupted: recovered.interrupted,
        };
    const merged = nextStateFile(file, recovered.state, () => lineage);
    const current = file === undefined && !recovered.hasChanges ? undefined : merged;
    this.#read = {
      ...this.#read,
      file: current,
      journal: journalBytes.subarray(0, journal.length),
      seal,
      recovered: recovered.hasChanges,
      dead,
    };
    return {
      file: current,
      diagnostics: isLive
        ? diagnostics
        : [...diagnostics, ...recoveryDiagnostics(recovered, journal, journalPath)],
      fileDiagnostics: diagnostics,
    };
  }

  /** Stored bytes as they were before they were encoded. */
  async #decoded(stored: Uint8Array | undefined): Promise<Uint8Array | undefined> {
    return (await this.#decode(stored)).bytes;
  }

  /** Reads a state; the same bytes, as they are read for several reasons, only once. */
  #parse(bytes: Uint8Array): ParsedState {
    const known = this.#parsed;
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.result;
    const result = readStateFile(bytes);
    this.#parsed = { bytes, result };
    return result;
  }

  async #decode(stored: Uint8Array | undefined): Promise<Decoded> {
    const { codec } = this.#options;
    if (codec === undefined || stored === undefined || stored.length === 0) {
      return { bytes: stored, outdated: false };
    }
    return await codec.decode(stored);
  }

  async begin(base: StateFile | undefined): Promise<StateRecorder> {
    const { host, journalPath, storage } = this.#options;
    const { clock, random, files } = host;
    if (!this.#lock.isHeld) await this.#journal.refuseLive();
    const read = this.#read;
    const lineage = base?.lineage ?? random.uuid();
    const left = carried(this.interrupted);
    let name = read?.name ?? { lineage, serial: 0, digest: undefined };
    let bytes = read?.bytes ?? 0;
    let outdated = read?.outdated === true || storage.readsElsewhere === true;
    if (read?.recovered === true && base !== undefined) {
      // The new journal takes the place of the old one, so first the state must have what that holds.
      const written = await this.#storeOverJournal(base, left);
      name = written.name;
      bytes = written.bytes;
      outdated = false;
    } else if (base === undefined) {
      name = { ...name, lineage };
    }
    // Had before anything is changed: where no key can be had, nothing could be recorded or stored.
    const seal = await this.#options.codec?.newSeal();
    const ended = this.#journal.record();
    return new JournalingRecorder(
      {
        files,
        clock,
        journalPath,
        version: TERRAFORM_VERSION,
        smallJournal: this.#options.smallJournal ?? SMALL_JOURNAL,
        header: (snapshot) => this.#journal.header(snapshot),
        seal,
        store: (file, announce) => this.#store(file, announce),
        rescue: (file, error, announce) =>
          rescueState({ ...this.#options, files }, file, error, announce),
        ended,
        finished: (file, stored, left) => {
          const dead = this.#deadJournal(stored, left);
          this.#read = { file, journal: undefined, recovered: false, dead, name: stored, bytes: 0 };
        },
      },
      { file: base, lineage, name, bytes, carried: left, outdated },
    );
  }

  #deadJournal(base: SnapshotName, interrupted: readonly Interrupted[]): DeadJournal | undefined {
    if (interrupted.length === 0) return undefined;
    const { journalPath: path } = this.#options;
    return { path, header: this.#journal.header(base), changes: [], interrupted };
  }

  get interrupted(): readonly Interrupted[] {
    return this.#read?.dead?.interrupted ?? [];
  }

  get deadJournal(): DeadJournal | undefined {
    return this.#read?.dead;
  }

  async settle(stays: (open: Interrupted) => boolean): Promise<readonly Diagnostic[]> {
    const { dead, file, recovered, name } = this.#read ?? {};
    if (dead === undefined || name === undefined) return [];
    const left = dead.interrupted.filter(stays);
    try {
      if (recovered === true && file !== undefined) await this.#storeOverJournal(file, left);
      else await this.#leaveJournal(name, left);
      return [];
    } catch (error) {
      return [
        errorDiagnostic('Failed to save state', `Error saving state: ${userErrorText(error)}`),
      ];
    }
  }

  /** Puts a journal that holds only what is open in the place of another, or none where nothing is. */
  async #leaveJournal(base: SnapshotName, left: readonly Interrupted[]): Promise<void> {
    const { host, journalPath } = this.#options;
    if (left.length === 0) await host.files.remove(journalPath);
    else {
      const seal = await this.#options.codec?.newSeal();
      const bytes = encodeBeginning(this.#journal.header(base), carried(left), seal);
      await host.files.replaceFile(journalPath, bytes, { mode: 0o600 });
    }
    if (this.#read !== undefined)
      this.#read = { ...this.#read, journal: undefined, dead: this.#deadJournal(base, left) };
  }

  async #store(
    file: StateFile,
    announce?: (name: SnapshotName) => Promise<void>,
    options?: { readonly force?: boolean },
  ): Promise<Written> {
    await this.#backUp(file);
    const current = { ...file, terraformVersion: TERRAFORM_VERSION };
    const { storage, codec } = this.#options;
    const ready = async (name: SnapshotName): Promise<void> => {
      await announce?.(name);
      await this.#lock.confirmWrite();
    };
    const write = (): Promise<Written> => storeSnapshot(storage, current, ready, codec, options);
    let written: Written;
    try {
      written = await write();
    } catch (error) {
      // What was done must not be left in a file here because of a lock that nobody else has taken.
      if (!(await this.#lock.reacquire(() => this.#isUnchanged()))) throw error;
      written = await write();
    }
    this.#knownDigest = { digest: written.name.digest };
    return written;
  }

  /** Whether what is stored is what this manager has read or written last. */
  async #isUnchanged(): Promise<boolean> {
    const known = this.#knownDigest;
    if (known === undefined) return false;
    const { storage } = this.#options;
    const stored = await (storage.readTarget === undefined ? storage.read() : storage.readTarget());
    return digestOf(await this.#decoded(stored)) === known.digest;
  }

  /** Stores a state that includes, or takes the place of, what the journal of a dead run holds. */
  async #storeOverJournal(
    file: StateFile,
    left: readonly Interrupted[],
    options?: { readonly force?: boolean },
  ): Promise<Written> {
    const { host, journalPath } = this.#options;
    const { journal, seal } = this.#read ?? {};
    const written = await this.#store(
      file,
      journal === undefined
        ? undefined
        : async (snapshot) => {
            const mark = encodeMark({ snapshot, upTo: journal.length }, seal);
            await host.files.replaceFile(journalPath, [journal, mark], { mode: 0o600 });
          },
      options,
    );
    this.#read = { file, journal, recovered: false, name: written.name, bytes: written.bytes };
    await this.#leaveJournal(written.name, left);
    return written;
  }

  /** Keeps what the first changing write of this manager replaces. */
  async #backUp(file: StateFile): Promise<void> {
    const { backupPath, storage, host, codec } = this.#options;
    if (backupPath === undefined || this.#backupDone) return;
    const stored =
      storage.readTarget === undefined ? await storage.read() : await storage.readTarget();
    const old = await this.#decoded(stored);
    if (old === undefined || old.length === 0) {
      // What a later write replaces is this run's own.
      this.#backupDone = true;
      return;
    }
    const known = this.#parse(old).file;
    this.#parsed = undefined;
    if (known !== undefined && sameState(known.state, file.state)) return;
    try {
      const { serial, lineage = '' } = known ?? {};
      const kept = codec === undefined ? old : await codec.encode([old], { serial, lineage });
      await host.files.replaceFile(backupPath, kept, { mode: 0o600 });
    } catch (error) {
      throw new Error(`failed to create local state backup file: ${userErrorText(error)}`, {
        cause: error,
      });
    }
    this.#backupDone = true;
  }

  async write(
    file: StateFile,
    options: { readonly force?: boolean } = {},
  ): Promise<readonly Diagnostic[]> {
    const known = this.#read?.file?.state;
    // What is put where an object may have been created is that object, as whoever puts it there knows.
    const left = this.interrupted.filter(
      (open) =>
        isOpenCreate(open) &&
        (file.state.instance(open.addr)?.current === undefined ||
          known?.instance(open.addr)?.current !== undefined),
    );
    try {
      await this.#storeOverJournal(file, left, options);
      this.#early = undefined;
      return [];
    } catch (error) {
      return [
        errorDiagnostic('Failed to save state', `Error saving state: ${userErrorText(error)}`),
      ];
    }
  }
}
