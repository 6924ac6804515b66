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
   * one that is appended. Rejects like `append`.
   */
  write(event: StateEvent): Promise<void>;
  close(): Promise<void>;
  /** length of the journal, with what waits to be written */
  readonly bytes: number;
}

const NOTHING = new Uint8Array();

interface Waiter {
  /** whether it waits for the disk, rather than for the system to have the bytes */
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The journal of one run. It writes one batch at a time: everything that came while the last one was
 * being written and synced goes out together, so one sync serves all that wait for it. The file is
 * made with the first event, for its owner only, and its name is durable before the event is.
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
  /** events since `cut`, while a snapshot of those before is made */
  #tail: Uint8Array[] | undefined;
  #exclusive:
    | { readonly run: () => Promise<void>; readonly reject: (error: Error) => void }
    | undefined;

  /** `carried`: what was recorded before and is still open; it comes first. */
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

  /** Resolves when the beginning, with what is carried, is durable, and all that was recorded. */
  begin(): Promise<void> {
    return this.#recorded(NOTHING, { isEvent: false, sync: true });
  }

  /**
   * Says that a snapshot about to be stored has the events before `upTo`, a result of `cut`; so that
   * they are not applied to it again if this is the last that is heard of this process.
   */
  mark(snapshot: SnapshotName, upTo: number): Promise<void> {
    const mark = encodeMark({ snapshot, upTo }, this.#seal);
    return this.#recorded(mark, { isEvent: false, sync: true });
  }

  /**
   * The same of all that stands in the file of a journal that can't be appended to any more: another file takes its
   * place, without what was only half written.
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

  /** Remembers what is recorded from now on, for `restart`; gives the position now. */
  cut(): number {
    this.#tail = [];
    return this.#size;
  }

  /** Forgets the cut: the snapshot has failed. */
  uncut(): void {
    this.#tail = undefined;
  }

  /** Begins anew on top of a stored snapshot, with what was still open at the cut and the events since. */
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

  /** Waits for what is recorded, and closes the file. Nothing can be recorded after it. */
  async close(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    this.#failure ??= { error: new Error('the state journal is closed') };
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  /** Closes the journal and removes its file: a snapshot has everything. */
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
      // Something may have come between the last look and here.
      if (this.#pending.length > 0 || this.#exclusive !== undefined) this.#start();
    });
  }

  async #run(): Promise<void> {
    let waiters: readonly Waiter[] = [];
    try {
      // Let everything that is recorded in this turn of the event loop into the first batch.
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
      // The end of the file is unknown now; what would follow could not be read.
      this.#failure = { error };
      this.#pending = [];
      for (const waiter of [...waiters, ...this.#waiters]) waiter.reject(toError(error));
      this.#waiters = [];
      this.#exclusive?.reject(toError(error));
      this.#exclusive = undefined;
    }
  }

  async #create(records: readonly Uint8Array[]): Promise<AppendFile> {
    // Over a journal that has been dealt with, at once: never a moment with a mixture.
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
