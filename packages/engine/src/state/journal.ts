import type { AppendFile, FileSystem } from '@terrane/host';
import type { StateEvent } from './event.ts';
import {
  appendMark,
  decodeJournal,
  encodeBeginning,
  encodeEvent,
  encodeMark,
  type JournalHeader,
  RecordBatch,
  type SnapshotName,
} from './journal-record.ts';
import type { JournalSeal } from './state-codec.ts';

/** An append-only record of events on the disk. */
export interface Journal {
  /** Resolves when the event is durable; rejects when it may not be, and from then on always. */
  append(event: StateEvent): Promise<void>;
  /**
   * Resolves when the event is in the file, where it survives the end of the process; it becomes durable with the next
   * appended event. Rejects like `append`.
   */
  write(event: StateEvent): Promise<void>;
  close(): Promise<void>;
  /** length of the journal, including pending records */
  readonly bytes: number;
}

/** The calls that wait for the same batch of records; they share a promise. */
class Waiters {
  /** true if a call waits for the disk, and not only until the operating system has the bytes */
  sync = false;
  resolve: () => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;
  readonly promise: Promise<void> = new Promise((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/**
 * The journal of one run. It writes one batch at a time: events that arrive while a batch is written and synced form
 * the next batch, so that one sync serves all of them. The file is created with the first event, readable only by its
 * owner, and its name is durable before the event is.
 */
export class StateJournal implements Journal {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #seal: JournalSeal | undefined;
  #header: Uint8Array;
  #file: AppendFile | undefined;
  #size: number;
  readonly #pending: RecordBatch = new RecordBatch();
  /** the calls that wait for the pending records */
  #waiters: Waiters | undefined;
  #running: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** events since `cut`, while a snapshot of the previous ones is stored */
  #tail: Uint8Array[] | undefined;
  #exclusive:
    | { readonly run: () => Promise<void>; readonly reject: (error: Error) => void }
    | undefined;

  /** `carried`: open operations of earlier runs; they come first. */
  constructor(
    files: FileSystem,
    path: string,
    header: JournalHeader,
    carried: readonly StateEvent[] = [],
    seal?: JournalSeal,
  ) {
    this.#files = files;
    this.#path = path;
    this.#seal = seal;
    this.#header = encodeBeginning(header, carried, seal);
    this.#size = this.#header.length;
  }

  get bytes(): number {
    return this.#size;
  }

  /** The error after which nothing more can be recorded, or undefined. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  append(event: StateEvent): Promise<void> {
    return this.#record(event, true);
  }

  write(event: StateEvent): Promise<void> {
    return this.#record(event, false);
  }

  #record(event: StateEvent, sync: boolean): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(toError(this.#failure.error));
    const length = encodeEvent(event, this.#pending, this.#seal);
    this.#tail?.push(this.#pending.last(length));
    return this.#written(length, sync);
  }

  /** Resolves when the header, the carried operations and all recorded events are durable. */
  begin(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(toError(this.#failure.error));
    return this.#written(0, true);
  }

  /**
   * Records that a snapshot that is about to be stored contains the events before `upTo`, a result of `cut`, so that
   * they are not applied to it again if the process ends before `restart`.
   */
  mark(snapshot: SnapshotName, upTo: number): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(toError(this.#failure.error));
    return this.#written(appendMark({ snapshot, upTo }, this.#pending, this.#seal), true);
  }

  /**
   * Variant of `mark` for all events in the file of a journal that cannot be appended to any more: another file
   * replaces it, without an incomplete record.
   */
  async markFailed(snapshot: SnapshotName): Promise<void> {
    if ((await this.#files.stat(this.#path)) === undefined) return;
    const bytes = await this.#files.readFile(this.#path);
    const content = decodeJournal(bytes, this.#seal);
    if (content === undefined) return;
    if ('error' in content) throw new Error(content.error);
    const upTo = content.length;
    const mark = encodeMark({ snapshot, upTo }, this.#seal);
    await this.#files.replaceFile(this.#path, [bytes.subarray(0, upTo), mark], { mode: 0o600 });
  }

  /** Starts to collect events for `restart`; returns the current position. */
  cut(): number {
    this.#tail = [];
    return this.#size;
  }

  /** Discards the cut after the snapshot has failed. */
  uncut(): void {
    this.#tail = undefined;
  }

  /**
   * Restarts the journal on top of a stored snapshot, with the operations that were open at the cut and the events
   * since.
   */
  async restart(header: JournalHeader, open: readonly StateEvent[]): Promise<void> {
    if (this.#failure !== undefined) throw toError(this.#failure.error);
    await new Promise<void>((resolve, reject) => {
      const run = async (): Promise<void> => {
        const tail = this.#tail ?? [];
        const waiters = this.#waiters;
        this.#header = encodeBeginning(header, open, this.#seal);
        this.#tail = undefined;
        this.#pending.take();
        this.#waiters = undefined;
        this.#size = tail.reduce((sum, record) => sum + record.length, this.#header.length);
        try {
          const old = this.#file;
          this.#file = undefined;
          await old?.close();
          await this.#files.replaceFile(this.#path, [this.#header, ...tail], { mode: 0o600 });
          this.#file = await this.#files.openAppend(this.#path);
          waiters?.resolve();
          resolve();
        } catch (error) {
          waiters?.reject(error);
          reject(error instanceof Error ? error : new Error(String(error)));
          throw error;
        }
      };
      this.#exclusive = { run, reject };
      this.#start();
    });
  }

  /** Waits for pending records and closes the file. Nothing can be recorded afterwards. */
  async close(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    this.#failure ??= { error: new Error('the state journal is closed') };
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  /** Closes the journal and removes its file: a snapshot contains all events. */
  async drop(): Promise<void> {
    await this.close();
    await this.#files.remove(this.#path);
  }

  /** Waits for the pending records, the last of which has this length. */
  #written(length: number, sync: boolean): Promise<void> {
    this.#size += length;
    const waiters = (this.#waiters ??= new Waiters());
    waiters.sync ||= sync;
    this.#start();
    return waiters.promise;
  }

  #start(): void {
    if (this.#running !== undefined || this.#failure !== undefined) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      // Events may have arrived since the last check.
      if (this.#waiters !== undefined || this.#exclusive !== undefined) this.#start();
    });
  }

  async #run(): Promise<void> {
    let waiters: Waiters | undefined;
    try {
      // Include all events of this turn of the event loop in the first batch.
      await Promise.resolve();
      for (;;) {
        const exclusive = this.#exclusive;
        if (exclusive !== undefined) {
          this.#exclusive = undefined;
          await exclusive.run();
        }
        if (this.#waiters === undefined) return;
        const records = this.#pending.take();
        waiters = this.#waiters;
        this.#waiters = undefined;
        if (this.#file === undefined) {
          this.#file = await this.#create(records);
        } else {
          await this.#file.write(records);
          if (waiters.sync) await this.#file.sync();
        }
        waiters.resolve();
        waiters = undefined;
      }
    } catch (error) {
      // The end of the file is unknown now; further records could not be read.
      this.#failure = { error };
      this.#pending.take();
      waiters?.reject(toError(error));
      this.#waiters?.reject(toError(error));
      this.#waiters = undefined;
      this.#exclusive?.reject(toError(error));
      this.#exclusive = undefined;
    }
  }

  async #create(records: Uint8Array): Promise<AppendFile> {
    // Replaces the processed journal atomically, so that readers never see a mixture.
    await this.#files.replaceFile(this.#path, [this.#header, records], { mode: 0o600 });
    return await this.#files.openAppend(this.#path);
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
