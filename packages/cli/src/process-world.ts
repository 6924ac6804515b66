import { realpathSync, statSync } from 'node:fs';
import { calledAs } from './launcher/called-as.ts';
import { openOutput } from './output-file.ts';
import type { Complete, InputStream, LineEditor, OutputStream, World } from './world.ts';

/** The process's own streams, environment and signals. */
export function processWorld(): World {
  const pending = new PendingOutput();
  const script = process.argv[1] ?? '';
  return {
    directory: process.cwd(),
    environment: process.env,
    stdout: outputOf(() => process.stdout, pending),
    stderr: outputOf(() => process.stderr, pending),
    stdin: new ProcessInput(),
    onInterrupt(listener) {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      return () => {
        process.off('SIGINT', listener);
        process.off('SIGTERM', listener);
      };
    },
    kindOf(path) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      return found.isDirectory() ? 'directory' : 'other';
    },
    openOutput,
    leave: (code) => process.exit(code),
    ...calledAs(process.argv),
    get start() {
      return { node: process.execPath, program: realpathSync(script) };
    },
  };
}

// The streams are made when first used: opening them takes a noticeable part of the start.
function outputOf(stream: () => NodeJS.WriteStream, pending: PendingOutput): OutputStream {
  return {
    write: (text) => pending.write(stream(), text),
    get isTerminal() {
      return stream().isTTY === true;
    },
    get columns() {
      return stream().isTTY === true ? stream().columns || 78 : 78;
    },
    get rows() {
      return stream().isTTY === true ? stream().rows : undefined;
    },
    onResize(listener) {
      const terminal = stream();
      terminal.on('resize', listener);
      return () => void terminal.off('resize', listener);
    },
  };
}

/**
 * What is not yet in files and pipes: a large run tells thousands of lines, each of which would be a
 * call of the system. Those of one turn of the event loop go out together, in their order across the
 * streams, and at the latest when the process ends. Terminals get theirs at once.
 */
class PendingOutput {
  #stream: NodeJS.WriteStream | undefined;
  #text = '';
  #scheduled = false;

  write(stream: NodeJS.WriteStream, text: string | Uint8Array): void {
    if (stream !== this.#stream) this.#flush();
    this.#stream = stream;
    if (typeof text !== 'string') {
      this.#flush();
      stream.write(text);
      return;
    }
    this.#text += text;
    if (stream.isTTY === true) this.#flush();
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const end = (): void => this.#flush();
    process.once('exit', end);
    setImmediate(() => {
      process.off('exit', end);
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#stream?.write(text);
  }
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
    return new TerminalEditor(process.stdin, process.stdout, complete);
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
          // Raw mode keeps Ctrl-C from becoming a signal.
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
