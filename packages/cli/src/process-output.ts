import { fstatSync, statSync, writeSync } from 'node:fs';
import { terminalText } from '@terrane/render/terminal-text';
import type { OutputStream } from './world.ts';

/** The failure of a standard stream to write all output. */
export interface OutputFailure {
  readonly name: 'standard output' | 'standard error';
  /** the first error */
  readonly error: unknown;
}

/**
 * The standard streams of this process. A stream that fails (a full disk, a closed reader, a closed terminal) never
 * ends the run: later output is discarded, and {@link failures} reports it.
 *
 * A large run prints thousands of lines, each of which would be a system call. Lines of one turn of the event loop are
 * written together, in their order across the streams, and at the latest when the process exits. Terminals receive them
 * immediately.
 */
export class ProcessOutput {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly #targets: { readonly stdout: Target; readonly stderr: Target };
  #current: Target | undefined;
  #text = '';
  #isScheduled = false;

  constructor() {
    this.#targets = {
      stdout: new Target('standard output', 1, () => process.stdout),
      stderr: new Target('standard error', 2, () => process.stderr),
    };
    this.stdout = this.#streamOf(this.#targets.stdout);
    this.stderr = this.#streamOf(this.#targets.stderr);
  }

  /** Waits until all output has been written or has failed. Returns the failures. */
  async failures(): Promise<readonly OutputFailure[]> {
    this.#flush();
    const targets = [this.#targets.stdout, this.#targets.stderr];
    await Promise.all(targets.map((target) => target.drained()));
    return targets.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  }

  /** Returns undefined while little output waits for its readers, and otherwise a promise that resolves when none does. */
  room(): Promise<void> | undefined {
    const targets = [this.#targets.stdout, this.#targets.stderr];
    const waiting = targets.reduce((sum, { pending }) => sum + pending, this.#text.length);
    if (waiting < MAX_PENDING) return undefined;
    this.#flush();
    return Promise.all(targets.map((target) => target.drained())).then(() => undefined);
  }

  #streamOf(target: Target): OutputStream {
    return {
      write: (text) => {
        const isShown = typeof text === 'string' && target.isTerminal;
        this.#write(target, isShown ? terminalText(text) : text);
      },
      control: (sequences) => this.#write(target, sequences),
      get isTerminal() {
        return target.isTerminal;
      },
      get columns() {
        return target.isTerminal ? target.stream.columns || 78 : 78;
      },
      get rows() {
        return target.isTerminal ? target.stream.rows : undefined;
      },
      onResize(listener) {
        if (!target.isTerminal) return () => undefined;
        target.stream.on('resize', listener);
        return () => void target.stream.off('resize', listener);
      },
    };
  }

  #write(target: Target, text: string | Uint8Array): void {
    if (target !== this.#current) this.#flush();
    this.#current = target;
    if (typeof text !== 'string') {
      this.#flush();
      target.write(text);
      return;
    }
    this.#text += text;
    if (target.isTerminal || this.#text.length > MAX_BATCH) this.#flush();
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const end = (): void => {
      this.#flush();
      for (const target of Object.values(this.#targets)) target.waitForReader(0, MAX_WAIT_AT_EXIT);
    };
    process.once('exit', end);
    setImmediate(() => {
      process.off('exit', end);
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#current?.write(text);
  }
}

/** The amount of unread output, in bytes, above which output of other programs is no longer read. */
const MAX_PENDING = 4 * 1024 * 1024;
/** The maximum amount of output collected in a turn of the event loop, in UTF-16 code units. */
const MAX_BATCH = 1024 * 1024;
/** The time in milliseconds that a write waits for the reader of a pipe that has much to read. */
const MAX_WAIT = 50;
/** The time in milliseconds that an exiting process waits for the readers of its pipes. */
const MAX_WAIT_AT_EXIT = 500;
/** The time in milliseconds between attempts to write to a full pipe, in a wait and, growing, beside other work. */
const RETRY = 0.2;
const RETRY_LATER = { first: 1, last: 50 };

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * A standard stream. Node's stream is opened on first use, for a file never, and for a pipe only to write, because
 * loading its modules takes a noticeable part of the start-up time.
 *
 * Node's stream passes a full pipe 64 KiB in each turn of the event loop, and keeps the rest, which a large run produces
 * faster. Pipes are therefore written directly, and writes wait a moment for a reader that is far behind.
 */
class Target {
  readonly #name: OutputFailure['name'];
  readonly #fd: number;
  readonly #open: () => NodeJS.WriteStream;
  #stream: NodeJS.WriteStream | undefined;
  #isTerminal: boolean | undefined;
  #isFile: boolean | undefined;
  #knownKind: TargetKind | undefined;
  /** what the pipe has not accepted yet, and its length in bytes */
  readonly #queue: Uint8Array[] = [];
  #queued = 0;
  #retry: NodeJS.Timeout | undefined;
  #retryDelay = RETRY_LATER.first;
  /** true if the reader has read nothing for a whole wait; nothing waits for it until it reads */
  #isStalled = false;
  readonly #drained: (() => void)[] = [];
  failure: OutputFailure | undefined;

  constructor(name: OutputFailure['name'], fd: number, open: () => NodeJS.WriteStream) {
    this.#name = name;
    this.#fd = fd;
    this.#open = open;
  }

  get stream(): NodeJS.WriteStream {
    if (this.#stream === undefined) {
      this.#stream = this.#open();
      this.#stream.on('error', (error) => this.#fail(error));
    }
    return this.#stream;
  }

  get isTerminal(): boolean {
    return (this.#isTerminal ??= this.#kind === 'unknown' && this.stream.isTTY === true);
  }

  /** True if writes are synchronous and may be partial, as for regular files and devices such as `/dev/full`. */
  get #writesDirectly(): boolean {
    this.#isFile ??=
      this.#kind === 'file' ||
      (this.#kind === 'unknown' && this.stream.isTTY !== true && isFileOrDevice(this.#fd));
    return this.#isFile;
  }

  get #kind(): TargetKind {
    return (this.#knownKind ??= kindOf(this.#fd));
  }

  /** The number of bytes that were written and not consumed yet. */
  get pending(): number {
    return this.failure === undefined ? this.#queued + (this.#stream?.writableLength ?? 0) : 0;
  }

  write(data: string | Uint8Array): void {
    if (this.failure !== undefined) return;
    if (this.#isQueued) {
      this.#writeToPipe(data);
      return;
    }
    if (!this.#writesDirectly) {
      this.stream.write(data);
      return;
    }
    // Node's stream for files drops the remaining data after a partial write to a full disk.
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    try {
      for (let offset = 0; offset < bytes.length;) offset += writeSync(this.#fd, bytes, offset);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** True if the stream is a pipe that can be written directly without blocking. */
  get #isQueued(): boolean {
    return this.#kind === 'pipe' && process.platform !== 'win32';
  }

  #writeToPipe(data: string | Uint8Array): void {
    // Opening it sets the pipe to the mode in which a write to a full pipe fails.
    void this.stream;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.#queue.push(bytes);
    this.#queued += bytes.length;
    if (this.#retry === undefined) this.#send();
    if (!this.#isStalled) this.waitForReader(MAX_PENDING, MAX_WAIT);
    this.#sendLater();
  }

  /** Writes what the pipe accepts. */
  #send(): void {
    try {
      for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
        const written = writeSync(this.#fd, next);
        this.#queued -= written;
        this.#isStalled = false;
        this.#retryDelay = RETRY_LATER.first;
        if (written === next.length) this.#queue.shift();
        else this.#queue[0] = next.subarray(written);
      }
    } catch (error) {
      if (isFull(error)) return;
      this.#fail(error);
      this.#queue.length = 0;
      this.#queued = 0;
    }
  }

  /** Waits until the queue is not longer than `most` bytes, for a time in milliseconds at most. */
  waitForReader(most: number, milliseconds: number): void {
    if (this.#queued <= most) return;
    const end = performance.now() + milliseconds;
    this.#isStalled = true;
    for (this.#send(); this.#queued > most && performance.now() < end; this.#send())
      Atomics.wait(sleeper, 0, 0, RETRY);
  }

  #sendLater(): void {
    if (this.#queue.length === 0 || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#send();
      this.#sendLater();
      if (this.#queue.length > 0) return;
      for (const done of this.#drained.splice(0)) done();
    }, this.#retryDelay);
    this.#retryDelay = Math.min(2 * this.#retryDelay, RETRY_LATER.last);
  }

  async drained(): Promise<void> {
    if (this.#queue.length > 0) {
      await new Promise<void>((done) => this.#drained.push(done));
      return;
    }
    const stream = this.#stream;
    if (stream === undefined || this.#isQueued || this.#writesDirectly || stream.destroyed) return;
    await new Promise<void>((done) => {
      stream.once('close', done);
      stream.write('', () => done());
    });
  }

  #fail(error: unknown): void {
    this.failure ??= { name: this.#name, error };
  }
}

/** Returns true for the error of a write to a pipe that is full. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

/** The kind of a file descriptor: a file or the null device, a pipe or socket, or anything else, such as a terminal. */
type TargetKind = 'file' | 'pipe' | 'unknown';

function kindOf(fd: number): TargetKind {
  try {
    const stats = fstatSync(fd);
    if (stats.isFIFO() || stats.isSocket()) return 'pipe';
    const isNull = stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev;
    return stats.isFile() || isNull ? 'file' : 'unknown';
  } catch {
    return 'unknown';
  }
}

function isFileOrDevice(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || stats.isCharacterDevice() || stats.isBlockDevice();
  } catch {
    return false;
  }
}
