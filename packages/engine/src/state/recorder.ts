import type { InstanceAddr } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { type Clock, type FileSystem, errorText } from '@terrane/host';
import { StateDraft } from './draft.ts';
import { sameState } from './equal.ts';
import type { StateEvent } from './event.ts';
import { carriedOver, type Interrupted, PendingIntents } from './interrupted.ts';
import { StateJournal } from './journal.ts';
import type { JournalHeader, SnapshotName } from './journal-record.ts';
import { EMPTY_STATE } from './snapshot.ts';
import type { InstanceState, State, StateFile } from './model.ts';
import type { JournalSeal } from './state-codec.ts';
import type { Written } from './stored-state.ts';

/** The error for a change that could not be made durable anywhere. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';

  constructor(cause: unknown) {
    super(errorText(cause), { cause });
  }
}

/** Converts the rejection of `record` to a diagnostic. Rethrows any other error. */
export function recordingFailure(error: unknown): Diagnostic {
  if (!(error instanceof RecordingError)) throw error;
  return errorDiagnostic(
    'Failed to record a change',
    `The journal of the state could not be written: ${error.message}. No further operations were started.`,
  );
}

/** Records the changes of one run. */
export interface StateRecorder {
  /** the state as it is now */
  readonly draft: StateDraft;
  /**
   * Applies an event and journals it; resolves when it is durable. With `sync: false` it resolves when the event is
   * written and survives the end of the process; it becomes durable with a later one. Rejects with RecordingError if it
   * cannot be made durable anywhere; the applied event stays in the draft, and `finish` tries again to store it.
   */
  record(event: StateEvent, options?: { readonly sync?: boolean }): Promise<void> | void;
  /**
   * Stores the final snapshot, with an incremented serial if the content has changed, and drops the journal, except for
   * open creations. On failure the journal stays, the state is written to `errored.tfstate`, and the diagnostics report
   * it.
   */
  finish(): Promise<FinishedRecording>;
}

/** The state at the end of a recording. */
export interface FinishedRecording {
  readonly file: StateFile;
  /** the name of the stored snapshot; the previous one if the state could not be stored */
  readonly name: SnapshotName;
  /** operations that were started and have no result */
  readonly interrupted: readonly Interrupted[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The services that a state manager provides to its recorder. */
export interface RecorderPorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly journalPath: string;
  readonly version: string;
  /** a journal shorter than this is not worth a checkpoint */
  readonly smallJournal: number;
  header(base: SnapshotName): JournalHeader;
  /** encrypts records, if encryption is configured */
  readonly seal?: JournalSeal | undefined;
  /** stores a snapshot, after creating a pending backup */
  store(file: StateFile, announce?: (name: SnapshotName) => Promise<void>): Promise<Written>;
  /** stores the state elsewhere if its storage fails */
  rescue(
    file: StateFile,
    error: unknown,
    announce: (name: SnapshotName) => Promise<void>,
  ): Promise<readonly Diagnostic[]>;
  /** called when recording has ended, regardless of the result */
  ended(): void;
}

/** The stored state that a recorder starts from. */
export interface RecorderBase {
  /** `undefined`: there is no state yet */
  readonly file: StateFile | undefined;
  readonly lineage: string;
  readonly name: SnapshotName;
  readonly bytes: number;
  /** open operations of previous runs */
  readonly carried?: readonly Interrupted[];
  /** true if its encoding is outdated, so that it is written even without changes */
  readonly outdated?: boolean;
}

// A checkpoint may take a tenth of the time.
const PAUSE_FACTOR = 9;

/** The recorder over a storage. */
export class JournalingRecorder implements StateRecorder {
  readonly draft: StateDraft;
  readonly #ports: RecorderPorts;
  readonly #base: RecorderBase;
  #journal: StateJournal;
  #serial: number;
  /** the state last stored, and the size of its file */
  #storedState: State | undefined;
  #storedName: SnapshotName;
  #storedBytes: number;
  #checkpoint: Promise<void> | undefined;
  #nextCheckpoint = 0;
  #rescue: Promise<void> | undefined;
  #used = false;
  /** the promise of the event recorded last without a sync, and the one that resolves also on its failure */
  #written: Promise<void> | undefined;
  #settled: Promise<void> | undefined;
  readonly #pending: PendingIntents;
  /** number of events recorded, and of those that the last rescue has */
  #count = 0;
  #rescued = 0;
  /** true if the state differed from the last snapshot after any operation, even if it is equal now */
  #altered = false;
  /** the instances that differ from the last snapshot; unused if `#altered` is true */
  readonly #differing = new Set<InstanceAddr>();

  constructor(ports: RecorderPorts, base: RecorderBase) {
    this.#ports = ports;
    this.#base = base;
    this.draft = new StateDraft(base.file?.state ?? EMPTY_STATE);
    this.#serial = base.file?.serial ?? 0;
    this.#storedState = base.file?.state;
    this.#storedName = base.name;
    this.#storedBytes = base.bytes;
    this.#pending = new PendingIntents(base.carried);
    this.#journal = this.#newJournal(base.name);
  }

  #newJournal(
    base: SnapshotName,
    carried: readonly Interrupted[] = this.#pending.list(),
  ): StateJournal {
    const { files, journalPath, seal } = this.#ports;
    return new StateJournal(files, journalPath, this.#ports.header(base), carried, seal);
  }

  record(event: StateEvent, options?: { readonly sync?: boolean }): Promise<void> | void {
    const isNothing = event.kind === 'drop' && !this.draft.hasObject(event.addr, event.deposed);
    this.draft.apply(event);
    this.#pending.note(event);
    const number = ++this.#count;
    if (!isNothing) this.#noteAltered(event);
    this.#used = true;
    const journal = this.#journal;
    if (options?.sync === false) {
      // On failure the state is stored at the end nevertheless, or rescued.
      const written = journal.write(event);
      // Events of a batch have the same promise.
      if (written !== this.#written) this.#settled = written.catch(() => undefined);
      this.#written = written;
      return this.#settled;
    }
    this.#written = undefined;
    const appended = journal.append(event);
    this.#considerCheckpoint();
    return appended.catch(async () => {
      try {
        await this.#afterFailure(journal, event, number);
      } catch (error) {
        throw new RecordingError(error);
      }
    });
  }

  /**
   * Each operation is a separate state with a serial. The changes that a plan adopts, in one batch, become a state only
   * with the first operation, which may revert them.
   */
  #noteAltered(event: StateEvent): void {
    if (this.#altered || (event.kind !== 'drop' && event.kind !== 'put' && event.kind !== 'batch'))
      return;
    for (const { addr } of event.kind === 'batch' ? event.events.filter(isOfObject) : [event]) {
      const [before, after] = [this.#storedState?.instance(addr), this.draft.instance(addr)];
      if (sameObjects(before, after)) this.#differing.delete(addr);
      else this.#differing.add(addr);
    }
    this.#altered = event.kind !== 'batch' && this.#differing.size > 0;
  }

  /** The journal cannot be written: make its events durable in a snapshot. */
  async #afterFailure(failed: StateJournal, event: StateEvent, number: number): Promise<void> {
    if (this.#journal === failed) {
      this.#rescue ??= this.#replaceJournal().finally(() => {
        this.#rescue = undefined;
      });
      await this.#rescue;
    } else if (this.#rescue !== undefined) {
      await this.#rescue;
    }
    // A snapshot contains neither intents, with which the new journal starts, nor events since its start.
    if (hasIntent(event)) await this.#journal.begin();
    else if (number > this.#rescued) await this.#journal.append(event);
  }

  async #replaceJournal(): Promise<void> {
    await this.#checkpoint;
    const file = this.#current(this.draft.freeze());
    const rescued = this.#count;
    const failed = this.#journal;
    // Records that the snapshot contains the events of the journal, in case the process ends now. On a full disk that
    // fails, and a reader of both gets the same result.
    const announce = (name: SnapshotName): Promise<void> => failed.markFailed(name).catch(() => {});
    const writtenSnapshot = await this.#ports.store(file, announce);
    this.#noteStored(file, writtenSnapshot);
    this.#rescued = rescued;
    this.#journal = this.#newJournal(writtenSnapshot.name);
    await failed.close();
  }

  #current(state: State): StateFile {
    const { lineage } = this.#base;
    const changed =
      this.#altered || this.#storedState === undefined || !sameState(this.#storedState, state);
    return {
      state,
      lineage,
      serial: changed ? this.#serial + 1 : this.#serial,
      terraformVersion: this.#ports.version,
    };
  }

  #noteStored(file: StateFile, written: Written): void {
    this.#storedState = file.state;
    this.#altered = false;
    this.#differing.clear();
    this.#serial = file.serial;
    this.#storedName = written.name;
    this.#storedBytes = written.bytes;
  }

  #considerCheckpoint(): void {
    if (this.#checkpoint !== undefined || this.#rescue !== undefined) return;
    if (this.#journal.bytes <= Math.max(this.#storedBytes, this.#ports.smallJournal)) return;
    const started = this.#ports.clock.monotonicMs();
    if (started < this.#nextCheckpoint) return;
    this.#checkpoint = this.#makeCheckpoint()
      // The journal contains all events, and `finish` will report the error of the storage.
      .catch(() => this.#journal.uncut())
      .finally(() => {
        const now = this.#ports.clock.monotonicMs();
        this.#nextCheckpoint = now + (now - started) * PAUSE_FACTOR;
        this.#checkpoint = undefined;
      });
  }

  async #makeCheckpoint(): Promise<void> {
    const journal = this.#journal;
    const upTo = journal.cut();
    const open = this.#pending.list();
    const file = this.#current(this.draft.freeze());
    const writtenSnapshot = await this.#ports.store(file, (name) => journal.mark(name, upTo));
    this.#noteStored(file, writtenSnapshot);
    await journal.restart(this.#ports.header(writtenSnapshot.name), open);
  }

  async finish(): Promise<FinishedRecording> {
    try {
      return await this.#finish();
    } finally {
      this.#ports.ended();
    }
  }

  async #finish(): Promise<FinishedRecording> {
    await this.#checkpoint;
    await this.#rescue?.catch(() => {});
    const file = this.#current(this.draft.freeze());
    const upTo = this.#journal.cut();
    const announce = async (name: SnapshotName): Promise<void> => {
      // Without events there is no journal; a failed one has no newer events and cannot be used.
      if (this.#used && this.#journal.failure === undefined) await this.#journal.mark(name, upTo);
    };
    const interrupted = this.#pending.list();
    const carriedIntents = carriedOver(interrupted);
    if (this.#isStored(file)) {
      // If this fails, replaying the journal has the same result.
      await this.#leave(this.#storedName, carriedIntents).catch(() => {});
      return { file, name: this.#storedName, interrupted, diagnostics: [] };
    }
    let writtenSnapshot: Written;
    try {
      writtenSnapshot = await this.#ports.store(file, announce);
    } catch (error) {
      const diagnostics = await this.#ports.rescue(file, error, announce);
      await this.#journal.close().catch(() => {});
      return { file, name: this.#storedName, interrupted, diagnostics };
    }
    this.#noteStored(file, writtenSnapshot);
    // If this fails, the mark tells the next run that the snapshot contains all events.
    await this.#leave(writtenSnapshot.name, carriedIntents).catch(() => {});
    return { file, name: writtenSnapshot.name, interrupted, diagnostics: [] };
  }

  /** Leaves the journal for the next run: it exists only if an operation is still open. */
  async #leave(stored: SnapshotName, carriedIntents: readonly Interrupted[]): Promise<void> {
    if (carriedIntents.length === 0) {
      await this.#journal.drop();
      return;
    }
    if (this.#journal.failure !== undefined) {
      await this.#journal.close().catch(() => {});
      this.#journal = this.#newJournal(stored, carriedIntents);
      await this.#journal.begin();
    } else if (this.#used || this.#storedName !== this.#base.name) {
      await this.#journal.restart(this.#ports.header(stored), carriedIntents);
    }
    await this.#journal.close();
  }

  /** Returns true if the storage already has exactly this file. */
  #isStored(file: StateFile): boolean {
    if (this.#storedState === undefined || this.#serial !== file.serial) return false;
    if (this.#storedName !== this.#base.name) return true;
    const { file: base, outdated } = this.#base;
    if (outdated === true) return false;
    return base?.terraformVersion === file.terraformVersion && base.lineage === file.lineage;
  }
}

type ObjectEvent = Extract<StateEvent, { kind: 'drop' | 'put' }>;

const isOfObject = (event: StateEvent): event is ObjectEvent =>
  event.kind === 'drop' || event.kind === 'put';

function sameObjects(a: InstanceState | undefined, b: InstanceState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.deposed.size === b.deposed.size &&
    sameText(a.current?.attributesJson, b.current?.attributesJson) &&
    [...a.deposed].every(([key, object]) =>
      sameText(object.attributesJson, b.deposed.get(key)?.attributesJson),
    )
  );
}

/** Returns true if two JSON texts are equal except for white space. */
function sameText(before: string | undefined, after: string | undefined): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  return JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after));
}

function hasIntent(event: StateEvent): boolean {
  if (event.kind === 'batch') return event.events.some(hasIntent);
  return event.kind === 'intent' || event.kind === 'invoke';
}
