import type { AppendFile, FileSystem } from '@terrane/host';
import type { StateEvent } from './event.ts';
import {
  decodeJournal,
  encodeBeginning,
  encodeEvent,
  encodeMark,
  type JournalHeader,
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

const NOTHING = new Uint8Array();

interface Waiter {
  /** true: wait for the disk; false: wait until the operating system has the bytes */
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
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
  #pending: Uint8Array[] = [];
  #waiters: Waiter[] = [];
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
    return this.#recorded(encodeEvent(event, this.#seal), { isEvent: true, sync: true });
  }

  write(event: StateEvent): Promise<void> {
    return this.#recorded(encodeEvent(event, this.#seal), { isEvent: true, sync: false });
  }

  /** Resolves when the header, the carried operations and all recorded events are durable. */
  begin(): Promise<void> {
    return this.#recorded(NOTHING, { isEvent: false, sync: true });
  }

  /**
   * Records that a snapshot that is about to be stored contains the events before `upTo`, a result of `cut`, so that
   * they are not applied to it again if the process ends before `restart`.
   */
  mark(snapshot: SnapshotName, upTo: number): Promise<void> {
    const mark = encodeMark({ snapshot, upTo }, this.#seal);
    return this.#recorded(mark, { isEvent: false, sync: true });
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
        this.#pending = [];
        this.#waiters = [];
        this.#size = tail.reduce((sum, record) => sum + record.length, this.#header.length);
        try {
          const old = this.#file;
          this.#file = undefined;
          await old?.close();
          await this.#files.replaceFile(this.#path, [this.#header, ...tail], { mode: 0o600 });
          this.#file = await this.#files.openAppend(this.#path);
          for (const waiter of waiters) waiter.resolve();
          resolve();
        } catch (error) {
          for (const waiter of waiters) waiter.reject(error);
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

  #recorded(
    record: Uint8Array,
    { isEvent, sync }: { readonly isEvent: boolean; readonly sync: boolean },
  ): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(toError(this.#failure.error));
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject, sync });
      this.#enqueue(record, isEvent);
      this.#start();
    });
  }

  #enqueue(record: Uint8Array, isEvent: boolean): void {
    this.#pending.push(record);
    if (isEvent) this.#tail?.push(record);
    this.#size += record.length;
  }

  #start(): void {
    if (this.#running !== undefined || this.#failure !== undefined) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      // Events may have arrived since the last check.
      if (this.#pending.length > 0 || this.#exclusive !== undefined) this.#start();
    });
  }

  async #run(): Promise<void> {
    let waiters: readonly Waiter[] = [];
    try {
      // Include all events of this turn of the event loop in the first batch.
      await Promise.resolve();
      for (;;) {
        const exclusive = this.#exclusive;
        if (exclusive !== undefined) {
          this.#exclusive = undefined;
          await exclusive.run();
        }
        if (this.#pending.length === 0) return;
        const records = this.#pending;
        waiters = this.#waiters;
        this.#pending = [];
        this.#waiters = [];
        if (this.#file === undefined) {
          this.#file = await this.#create(records);
        } else {
          await this.#file.write(joined(records));
          if (waiters.some(({ sync }) => sync)) await this.#file.sync();
        }
        for (const waiter of waiters) waiter.resolve();
        waiters = [];
      }
    } catch (error) {
      // The end of the file is unknown now; further records could not be read.
      this.#failure = { error };
      this.#pending = [];
      for (const waiter of [...waiters, ...this.#waiters]) waiter.reject(toError(error));
      this.#waiters = [];
      this.#exclusive?.reject(toError(error));
      this.#exclusive = undefined;
    }
  }

  async #create(records: readonly Uint8Array[]): Promise<AppendFile> {
    // Replaces the processed journal atomically, so that readers never see a mixture.
    await this.#files.replaceFile(this.#path, [this.#header, ...records], { mode: 0o600 });
    return await this.#files.openAppend(this.#path);
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function joined(records: readonly Uint8Array[]): Uint8Array {
  const only = records[0];
  if (records.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + record.length, 0));
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    at += record.length;
  }
  return bytes;
}
