import { terminalText } from '@terrane/render/terminal-text';
import { realpathSync, statSync } from 'node:fs';
import { isSea } from 'node:sea';
import { calledAs } from './launcher/called-as.ts';
import { namesIn } from './launcher/names-in.ts';
import { watchLongRun } from './long-runs.ts';
import { type OutputFailure, ProcessOutput } from './process-output.ts';
import type { Complete, InputStream, LineEditor, World } from './world.ts';

/** Signals that end a run softly. A closed terminal sends SIGHUP, Ctrl-\\ sends SIGQUIT. */
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** The world of the program, with the output that could not be written to its standard streams. */
export interface ProcessWorld extends World {
  /** Waits until all output has been written or has failed. Returns the failures. */
  outputFailures(): Promise<readonly OutputFailure[]>;
}

/** The process's own streams, environment and signals. */
export function processWorld(): ProcessWorld {
  const output = new ProcessOutput();
  const script = process.argv[1] ?? '';
  const whileComputing = watchLongRun();
  return {
    directory: process.cwd(),
    environment: process.env,
    stdout: output.stdout,
    stderr: output.stderr,
    outputFailures: () => output.failures(),
    outputRoom: () => output.room(),
    printRoom: () => output.printRoom(),
    limitOutputWaits: () => output.limitWaits(),
    limitHeapGrowth,
    ...(whileComputing === undefined ? {} : { whileComputing }),
    stdin: new ProcessInput(),
    onInterrupt(listener) {
      for (const signal of INTERRUPTS) process.on(signal, listener);
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, listener);
      };
    },
    kindOf(path) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return undefined;
      return stat.isDirectory() ? 'directory' : 'other';
    },
    namesIn,
    openOutput: (path) => output.openFile(path),
    leave: (code) => process.exit(code),
    ...calledAs(process.argv),
    get start() {
      const node = process.execPath;
      return isSea() ? { node } : { node, program: realpathSync(script) };
    },
  };
}

let isHeapLimited = false;

/**
 * V8 lets a heap grow to four times its content before it collects garbage, and allocates objects as long-lived if the
 * first of their kind were. Without both, a large run takes less memory for the same processor time. The options cannot
 * be set on the command line, because V8 rejects compiled code that was recorded under other options. V8 decides at each
 * collection how large the heap is at the next one, so that one follows at once.
 */
async function limitHeapGrowth(): Promise<void> {
  if (isHeapLimited) return;
  isHeapLimited = true;
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--expose-gc');
  const { runInNewContext } = await import('node:vm');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

class ProcessInput implements InputStream {
  #buffer = '';
  #ended = false;
  #opened = false;
  #wake: () => void = () => undefined;

  get isTerminal(): boolean {
    return process.stdin.isTTY === true;
  }

  async readLine(
    options: { readonly signal?: AbortSignal; readonly secret?: boolean } = {},
  ): Promise<string | undefined> {
    this.#open();
    const raw = options.secret === true && this.isTerminal;
    if (raw) process.stdin.setRawMode(true);
    try {
      return raw ? await this.#readSecret(options.signal) : await this.#readLine(options.signal);
    } finally {
      if (raw) process.stdin.setRawMode(false);
    }
  }

  async readAll(): Promise<string> {
    this.#open();
    while (!this.#ended) await this.#more(undefined);
    const all = this.#buffer;
    this.#buffer = '';
    return all;
  }

  async readBytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin)
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return Buffer.concat(chunks);
  }

  async edit(complete: Complete): Promise<LineEditor> {
    const { TerminalEditor } = await import('./terminal-editor.ts');
    // The editor writes completions to the terminal itself, so names with control characters are not offered.
    const safe: Complete = (before) => {
      const { partial, candidates } = complete(before);
      return { partial, candidates: candidates.filter((each) => terminalText(each) === each) };
    };
    return new TerminalEditor(process.stdin, process.stdout, safe);
  }

  close(): void {
    if (!this.#opened) return;
    process.stdin.pause();
    process.stdin.unref?.();
  }

  async #readLine(signal: AbortSignal | undefined): Promise<string | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n');
      if (end >= 0) return this.#take(end);
      if (this.#ended) return undefined;
      await this.#more(signal);
    }
  }

  async #readSecret(signal: AbortSignal | undefined): Promise<string | undefined> {
    let secret = '';
    for (;;) {
      for (const char of this.#take(this.#buffer.length)) {
        if (char === '\r' || char === '\n') return secret;
        if (char === '\u0003') {
          // In raw mode, Ctrl-C does not send a signal.
          process.kill(process.pid, 'SIGINT');
          return undefined;
        }
        if (char === '\u0004') return undefined;
        secret = char === '\u007f' || char === '\b' ? secret.slice(0, -1) : secret + char;
      }
      if (this.#ended) return undefined;
      await this.#more(signal);
    }
  }

  #take(end: number): string {
    const text = this.#buffer.slice(0, end);
    this.#buffer = this.#buffer.slice(end + 1);
    return text;
  }

  #open(): void {
    if (this.#opened) {
      process.stdin.ref?.();
      process.stdin.resume();
      return;
    }
    this.#opened = true;
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk: string) => {
      this.#buffer += chunk;
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    process.stdin.on('end', end);
    process.stdin.on('error', end);
  }

  async #more(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const wake = (): void => this.#wake();
    signal?.addEventListener('abort', wake, { once: true });
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    signal?.removeEventListener('abort', wake);
    signal?.throwIfAborted();
  }
}
