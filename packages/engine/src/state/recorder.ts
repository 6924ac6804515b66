import type { InstanceAddr } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { type Clock, type FileSystem, errorText } from '@terrane/host';
import { StateDraft } from './draft.ts';
import { sameState } from './equal.ts';
import type { StateEvent } from './event.ts';
import { carried, type Interrupted, PendingIntents } from './interrupted.ts';
import { StateJournal } from './journal.ts';
import type { JournalHeader, SnapshotName } from './journal-record.ts';
import { EMPTY_STATE } from './snapshot.ts';
import type { InstanceState, State, StateFile, StoredObject } from './model.ts';
import type { JournalSeal } from './state-codec.ts';
import type { Written } from './stored-state.ts';

/** The error of a change that could not be made durable anywhere. */
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
   * written and survives the end of the process; it becomes durable with a later one. Rejects with RecordingError when it can be made durable nowhere; what was applied
   * stays in the draft, and `finish` tries again to save it.
   */
  record(event: StateEvent, options?: { readonly sync?: boolean }): Promise<void> | void;
  /**
   * Stores the final snapshot, its serial one higher if the content has changed, and drops the journal; but
   * what may have been created without anybody knowing stays in it. When that fails the journal stays, the state is written to `errored.tfstate`, and the diagnostics
   * say so.
   */
  finish(): Promise<{ readonly file: StateFile; readonly diagnostics: readonly Diagnostic[] }>;
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
  /** seals what is recorded, if it is to be sealed */
  readonly seal?: JournalSeal | undefined;
  /** stores a snapshot, making the backup first if it is still to be made */
  store(file: StateFile, announce?: (name: SnapshotName) => Promise<void>): Promise<Written>;
  /** saves what can't be stored where it belongs */
  rescue(
    file: StateFile,
    error: unknown,
    announce: (name: SnapshotName) => Promise<void>,
  ): Promise<readonly Diagnostic[]>;
  /** called when nothing more is recorded, whatever became of it */
  ended(): void;
}

/** The stored state that a recorder starts from. */
export interface RecorderBase {
  /** `undefined`: there is no state yet */
  readonly file: StateFile | undefined;
  readonly lineage: string;
  readonly name: SnapshotName;
  readonly bytes: number;
  /** what runs before this one left open */
  readonly carried?: readonly Interrupted[];
  /** it is stored in a way that states are not stored any more, so it is to be written even where nothing changes */
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
  #stored: State | undefined;
  #storedName: SnapshotName;
  #storedBytes: number;
  #checkpoint: Promise<void> | undefined;
  #nextCheckpoint = 0;
  #rescue: Promise<void> | undefined;
  #used = false;
  readonly #pending: PendingIntents;
  /** number of events recorded, and of those that the last rescue has */
  #count = 0;
  #rescued = 0;
  /** after an operation something was not as in the last snapshot, even if by now it is */
  #altered = false;
  /** the instances that are not as in the last snapshot; unused once something is altered */
  readonly #differing = new Set<InstanceAddr>();

  constructor(ports: RecorderPorts, base: RecorderBase) {
    this.#ports = ports;
    this.#base = base;
    this.draft = new StateDraft(base.file?.state ?? EMPTY_STATE);
    this.#serial = base.file?.serial ?? 0;
    this.#stored = base.file?.state;
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
    const isNothing = event.kind === 'drop' && objectAt(this.draft, event) === undefined;
    this.draft.apply(event);
    this.#pending.note(event);
    const number = ++this.#count;
    if (!isNothing) this.#noteAltered(event);
    this.#used = true;
    const journal = this.#journal;
    if (options?.sync === false) {
      // Where it fails the state is stored at the end all the same, or rescued.
      return journal.write(event).catch(() => undefined);
    }
    const done = journal.append(event);
    this.#considerCheckpoint();
    return done.catch(async () => {
      try {
        await this.#afterFailure(journal, event, number);
      } catch (error) {
        throw new RecordingError(error);
      }
    });
  }

  /**
   * Each operation is a state of its own, which has a serial. What a plan adopts, all in one batch, becomes a state
   * with the first operation only, which may bring back what was.
   */
  #noteAltered(event: StateEvent): void {
    if (this.#altered || (event.kind !== 'drop' && event.kind !== 'put' && event.kind !== 'batch'))
      return;
    for (const { addr } of event.kind === 'batch' ? event.events.filter(isOfObject) : [event]) {
      const [before, after] = [this.#stored?.instance(addr), this.draft.instance(addr)];
      if (sameObjects(before, after)) this.#differing.delete(addr);
      else this.#differing.add(addr);
    }
    this.#altered = event.kind !== 'batch' && this.#differing.size > 0;
  }

  /** The journal can't be written: what it would have held is made durable as a snapshot. */
  async #afterFailure(failed: StateJournal, event: StateEvent, number: number): Promise<void> {
    if (this.#journal === failed) {
      this.#rescue ??= this.#replaceJournal().finally(() => {
        this.#rescue = undefined;
      });
      await this.#rescue;
    } else if (this.#rescue !== undefined) {
      await this.#rescue;
    }
    // A snapshot does not hold intents, which the new journal begins with, nor what came while it was made.
    if (hasIntent(event)) await this.#journal.begin();
    else if (number > this.#rescued) await this.#journal.append(event);
  }

  async #replaceJournal(): Promise<void> {
    await this.#checkpoint;
    const file = this.#current(this.draft.freeze());
    const rescued = this.#count;
    const failed = this.#journal;
    // So that it is known, should this process end now, that the snapshot has what the journal holds. Where the disk
    // is full that can't be said, and whoever reads both finds that they come to the same.
    const announce = (name: SnapshotName): Promise<void> => failed.markFailed(name).catch(() => {});
    const written = await this.#ports.store(file, announce);
    this.#noteStored(file, written);
    this.#rescued = rescued;
    this.#journal = this.#newJournal(written.name);
    await failed.close();
  }

  #current(state: State): StateFile {
    const { lineage } = this.#base;
    const changed = this.#altered || this.#stored === undefined || !sameState(this.#stored, state);
    return {
      state,
      lineage,
      serial: changed ? this.#serial + 1 : this.#serial,
      terraformVersion: this.#ports.version,
    };
  }

  #noteStored(file: StateFile, written: Written): void {
    this.#stored = file.state;
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
      // The journal has everything, and `finish` will report what is wrong with the storage.
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
    const written = await this.#ports.store(file, (name) => journal.mark(name, upTo));
    this.#noteStored(file, written);
    await journal.restart(this.#ports.header(written.name), open);
  }

  async finish(): Promise<{
    readonly file: StateFile;
    readonly diagnostics: readonly Diagnostic[];
  }> {
    try {
      return await this.#finish();
    } finally {
      this.#ports.ended();
    }
  }

  async #finish(): Promise<{
    readonly file: StateFile;
    readonly diagnostics: readonly Diagnostic[];
  }> {
    await this.#checkpoint;
    await this.#rescue?.catch(() => {});
    const file = this.#current(this.draft.freeze());
    const upTo = this.#journal.cut();
    const announce = async (name: SnapshotName): Promise<void> => {
      // Without events there is no journal; a broken one can't be helped and has no newer events.
      if (this.#used && this.#journal.failure === undefined) await this.#journal.mark(name, upTo);
    };
    const carriedIntents = carried(this.#pending.list());
    if (this.#isStored(file)) {
      // If this fails, what the journal holds comes to the same once more.
      await this.#leave(this.#storedName, carriedIntents).catch(() => {});
      return { file, diagnostics: [] };
    }
    let written: Written;
    try {
      written = await this.#ports.store(file, announce);
    } catch (error) {
      const diagnostics = await this.#ports.rescue(file, error, announce);
      await this.#journal.close().catch(() => {});
      return { file, diagnostics };
    }
    this.#noteStored(file, written);
    // If this fails the mark tells the next run that the snapshot has everything.
    await this.#leave(written.name, carriedIntents).catch(() => {});
    return { file, diagnostics: [] };
  }

  /** Leaves the journal as the next run is to find it: there only if something is still open. */
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
    if (this.#stored === undefined || this.#serial !== file.serial) return false;
    if (this.#storedName !== this.#base.name) return true;
    const { file: base, outdated } = this.#base;
    if (outdated === true) return false;
    return base?.terraformVersion === file.terraformVersion && base.lineage === file.lineage;
  }
}

type ObjectEvent = Extract<StateEvent, { kind: 'drop' | 'put' }>;

const isOfObject = (event: StateEvent): event is ObjectEvent =>
  event.kind === 'drop' || event.kind === 'put';

function objectAt(draft: StateDraft, { addr, deposed }: ObjectEvent): StoredObject | undefined {
  const instance = draft.instance(addr);
  return deposed === undefined ? instance?.current : instance?.deposed.get(deposed);
}

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
