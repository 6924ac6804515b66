import { fstatSync, statSync, writeSync } from 'node:fs';
import { terminalText } from '@terrane/render/terminal-text';
import { openOutput } from './output-file.ts';
import { MAX_PENDING, PipeWriters, type PipeWriter } from './pipe-writer.ts';
import type { OutputFile, OutputStream } from './world.ts';

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
  readonly #targets: readonly Target[];
  readonly #pipes = new PipeWriters();
  #current: Target | undefined;
  #text = '';
  #isScheduled = false;
  #isLeaving = false;

  constructor() {
    const stdout = new Target('standard output', 1, () => process.stdout, this.#pipes);
    const stderr = new Target('standard error', 2, () => process.stderr, this.#pipes);
    this.#targets = [stdout, stderr];
    this.stdout = this.#streamOf(stdout);
    this.stderr = this.#streamOf(stderr);
    process.once('exit', () => {
      this.#flush();
      this.#pipes.waitForReaders(MAX_WAIT_AT_EXIT);
    });
  }

  /** Opens a file or named pipe for writing. Throws the system error. */
  openFile(path: string): OutputFile {
    // It may be the pipe of a standard stream, which must have one writer.
    for (const target of this.#targets) void target.pipe;
    return openOutput(path, this.#pipes);
  }

  /** Waits until all output has been written or has failed. Returns the failures. */
  async failures(): Promise<readonly OutputFailure[]> {
    this.#flush();
    await this.#drained(this.#pipes.drained());
    return this.#targets.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  }

  /** Returns undefined while little output waits for its readers, and otherwise a promise that resolves when none does. */
  room(): Promise<void> | undefined {
    const waiting = this.#targets.reduce((sum, { buffered }) => sum + buffered, 0);
    if (waiting + this.#text.length + this.#pipes.pending < MAX_PENDING) return undefined;
    this.#flush();
    return this.#drained(this.#pipes.read());
  }

  /** As {@link room}, but undefined after {@link limitWaits}. */
  printRoom(): Promise<void> | undefined {
    return this.#isLeaving ? undefined : this.room();
  }

  /**
   * From now on, {@link printRoom} waits for no reader, and {@link failures} discards what pipes do not accept within a
   * moment.
   */
  limitWaits(): void {
    this.#isLeaving = true;
    this.#pipes.limitWaits(MAX_WAIT_AT_EXIT);
  }

  async #drained(pipes: Promise<void>): Promise<void> {
    await Promise.all([...this.#targets.map((target) => target.drained()), pipes]);
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
    setImmediate(() => {
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

/** The maximum amount of output collected in a turn of the event loop, in UTF-16 code units. */
const MAX_BATCH = 1024 * 1024;
/** The time in milliseconds that an exiting process waits for the readers of its pipes. */
const MAX_WAIT_AT_EXIT = 500;

/**
 * A standard stream. Node's stream is opened on first use, for a file or a pipe that has a writer of its own never,
 * because loading its modules takes a noticeable part of the start-up time.
 */
class Target {
  readonly #name: OutputFailure['name'];
  readonly #fd: number;
  readonly #open: () => NodeJS.WriteStream;
  readonly #pipes: PipeWriters;
  #stream: NodeJS.WriteStream | undefined;
  #isTerminal: boolean | undefined;
  #isFile: boolean | undefined;
  #knownKind: TargetKind | undefined;
  #pipe: PipeWriter | undefined;
  #failure: OutputFailure | undefined;

  constructor(
    name: OutputFailure['name'],
    fd: number,
    open: () => NodeJS.WriteStream,
    pipes: PipeWriters,
  ) {
    this.#name = name;
    this.#fd = fd;
    this.#open = open;
    this.#pipes = pipes;
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

  /** The first failure to write to this stream. */
  get failure(): OutputFailure | undefined {
    const failed = this.#pipe?.failure;
    if (failed !== undefined) this.#fail(failed.error);
    return this.#failure;
  }

  /** The number of bytes in the buffer of Node's stream. */
  get buffered(): number {
    return this.failure === undefined ? (this.#stream?.writableLength ?? 0) : 0;
  }

  write(data: string | Uint8Array): void {
    if (this.failure !== undefined) return;
    if (this.#isPipe) {
      this.pipe?.write(data);
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

  /** The writer of the pipe; undefined if the stream is no pipe. */
  get pipe(): PipeWriter | undefined {
    if (this.#pipe !== undefined || !this.#isPipe) return this.#pipe;
    // Node's stream sets the mode in which a write to a full pipe fails.
    return (this.#pipe = this.#pipes.acquire(this.#fd, () => void this.stream));
  }

  /** True if the stream is a pipe that can be written without blocking. */
  get #isPipe(): boolean {
    return this.#kind === 'pipe' && process.platform !== 'win32';
  }

  /** Resolves when Node's stream has written its buffer. */
  async drained(): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined || this.#isPipe || this.#writesDirectly || stream.destroyed) return;
    await new Promise<void>((done) => {
      stream.once('close', done);
      stream.write('', () => done());
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= { name: this.#name, error };
  }
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
