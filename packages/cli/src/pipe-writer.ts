import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';

/** The amount of unread output, in bytes, above which a write waits for its reader, and what produces output pauses. */
export const MAX_PENDING: number = 4 * 1024 * 1024;
/** The time in milliseconds that a write waits for the reader of a pipe that has much to read. */
const MAX_WAIT = 50;
/** The time in milliseconds between attempts to write to a full pipe, in a wait and, growing, beside other work. */
const RETRY = 0.2;
const RETRY_LATER = { first: 1, last: 50 };

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * A pipe or socket that is written without blocking: what it does not accept yet waits in a queue. A write waits a
 * moment for a reader that is far behind. After an error, output is discarded.
 *
 * Node's stream passes a full pipe 64 KiB in each turn of the event loop, and keeps the rest, which a large run produces
 * faster. Its modules also take a noticeable part of the start-up time.
 */
export class PipeWriter {
  readonly #fd: number;
  /** what the pipe has not accepted yet, and its length in bytes */
  readonly #queue: Uint8Array[] = [];
  #queued = 0;
  #retry: NodeJS.Timeout | undefined;
  #retryDelay = RETRY_LATER.first;
  /** true if a wait was in vain; nothing waits for the reader again until it has caught up */
  #isStalled = false;
  readonly #drained: (() => void)[] = [];
  #failure: { readonly error: unknown } | undefined;

  /** A write to the descriptor must fail with EAGAIN if the pipe is full. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The first error of a write; undefined if there was none. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** The number of bytes that the pipe has not accepted yet. */
  get pending(): number {
    return this.#queued;
  }

  write(data: string | Uint8Array): void {
    if (this.#failure !== undefined) return;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.#queue.push(bytes);
    this.#queued += bytes.length;
    if (this.#retry === undefined) this.send();
    if (!this.#isStalled && this.#queued > MAX_PENDING) {
      sendUntil([this], () => this.#queued <= MAX_PENDING, MAX_WAIT);
      this.#isStalled = this.#queued > MAX_PENDING;
    }
    this.#sendLater();
  }

  /** Resolves when all output has been accepted, or has failed. */
  async drained(): Promise<void> {
    if (this.#queue.length > 0) await new Promise<void>((done) => this.#drained.push(done));
  }

  /** Discards what the pipe has not accepted. */
  discard(): void {
    this.#queue.length = 0;
    this.#queued = 0;
  }

  /** Writes what the pipe accepts. */
  send(): void {
    const queue = this.#queue;
    let sent = 0;
    try {
      for (let next = queue[0]; next !== undefined; next = queue[sent]) {
        const written = writeSync(this.#fd, next);
        this.#queued -= written;
        if (this.#queued < MAX_PENDING / 2) this.#isStalled = false;
        this.#retryDelay = RETRY_LATER.first;
        if (written === next.length) sent++;
        else queue[sent] = next.subarray(written);
      }
    } catch (error) {
      if (!isFull(error)) {
        this.#failure = { error };
        sent = queue.length;
        this.#queued = 0;
      }
    }
    // All at once, because each removal at the front moves the rest of a long queue.
    if (sent > 0) queue.splice(0, sent);
  }

  #sendLater(): void {
    if (this.#queue.length === 0 || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.send();
      this.#sendLater();
      if (this.#queue.length > 0) return;
      for (const done of this.#drained.splice(0)) done();
    }, this.#retryDelay);
    this.#retryDelay = Math.min(2 * this.#retryDelay, RETRY_LATER.last);
  }
}

/** Writes what pipes accept until `isDone`, for a time in milliseconds at most. Blocks the process. */
function sendUntil(
  writers: readonly PipeWriter[],
  isDone: () => boolean,
  milliseconds: number,
): void {
  const end = performance.now() + milliseconds;
  for (;;) {
    for (const writer of writers) writer.send();
    if (isDone() || performance.now() >= end) return;
    Atomics.wait(sleeper, 0, 0, RETRY);
  }
}

/** A writer with the number of its users, and its own descriptor if it has one. */
interface Open {
  readonly writer: PipeWriter;
  readonly own: number | undefined;
  users: number;
}

/** The pipes that a process writes, each with one writer, so that all output to a pipe stays in order. */
export class PipeWriters {
  readonly #open = new Map<string, Open>();
  #patience: number | undefined;

  /**
   * Returns the writer of the pipe or socket `fd`, which must stay open.
   *
   * Whether writes block is a property of the open file, which other processes share: their writes would fail
   * unexpectedly, and a Node.js program among them changes it back when it ends. On Linux, a pipe is therefore opened
   * again. Where that is impossible (sockets, pipes of other users, other systems), `makeNonBlocking` is called to
   * change the mode of `fd`; without it, the result is undefined.
   */
  acquire(fd: number, makeNonBlocking?: () => void): PipeWriter | undefined {
    const key = keyOf(fd);
    const known = this.#open.get(key);
    if (known !== undefined) {
      known.users++;
      return known.writer;
    }
    const own = openedAgain(fd);
    if (own === undefined && makeNonBlocking === undefined) return undefined;
    if (own === undefined) makeNonBlocking?.();
    const writer = new PipeWriter(own ?? fd);
    this.#open.set(key, { writer, own, users: 1 });
    return writer;
  }

  /**
   * Ends a use of the writer of `fd` when all its output has been accepted or has failed. The last use closes the writer
   * and returns its failure, if any; after {@link limitWaits}, it stays open for output that has not been accepted.
   */
  async release(fd: number): Promise<PipeWriter['failure']> {
    const key = keyOf(fd);
    const open = this.#open.get(key);
    if (open === undefined) return undefined;
    const { writer, own } = open;
    if (this.#patience === undefined) await writer.drained();
    if (--open.users > 0) return undefined;
    if (writer.pending > 0) return undefined;
    this.#open.delete(key);
    if (own !== undefined) closeSync(own);
    return writer.failure;
  }

  /** The number of bytes that the pipes have not accepted yet. */
  get pending(): number {
    let sum = 0;
    for (const { writer } of this.#open.values()) sum += writer.pending;
    return sum;
  }

  /**
   * From now on, {@link drained} discards what is not accepted within a time in milliseconds, for all pipes together, and
   * {@link release} does not wait.
   */
  limitWaits(milliseconds: number): void {
    this.#patience = milliseconds;
  }

  /** Resolves when all output to all pipes has been accepted, or has failed. */
  async read(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.drained()));
  }

  /** Resolves when all output to all pipes has been accepted, has failed, or has been discarded: see {@link limitWaits}. */
  async drained(): Promise<void> {
    if (this.#patience === undefined) {
      await this.read();
      return;
    }
    this.waitForReaders(this.#patience);
    for (const writer of this.#writers) writer.discard();
  }

  /** Waits for the readers of all pipes, for a time in milliseconds at most. Blocks the process. */
  waitForReaders(milliseconds: number): void {
    sendUntil(this.#writers, () => this.pending === 0, milliseconds);
  }

  get #writers(): readonly PipeWriter[] {
    return Array.from(this.#open.values(), (open) => open.writer);
  }
}

function keyOf(fd: number): string {
  const { dev, ino } = fstatSync(fd);
  return `${dev}:${ino}`;
}

/** Opens a pipe again, in the mode in which a write to a full pipe fails; undefined where the system does not allow it. */
function openedAgain(fd: number): number | undefined {
  if (!fstatSync(fd).isFIFO()) return undefined;
  try {
    // Fails if the descriptor is the end for reading, which could be opened for writing.
    writeSync(fd, new Uint8Array(0));
    // Linux only: elsewhere there is no such file.
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Returns true for the error of a write to a pipe that is full. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
