// Terrane on a terminal: the built program, started on a pseudo-terminal, and what is on the screen.
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import xterm from '@xterm/headless';

const program = resolve(import.meta.dirname, '../../bin/terrane');

/** Options for starting a program. */
export interface TerminalOptions {
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Keys that are no text. */
export const KEYS = { interrupt: '\u0003', end: '\u0004', tab: '\t', up: '\u001b[A' } as const;

/** A program on a terminal of its own. */
export class Terminal {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  readonly #ended: Promise<number | null>;
  #raw = '';
  #read = 0;
  #device = '';
  #exit: number | null | undefined;
  #changed: () => void = () => undefined;

  private constructor(args: readonly string[], options: TerminalOptions) {
    const { columns = 80, rows = 24 } = options;
    this.#screen = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 10_000,
      allowProposedApi: true,
    });
    const command = [program, ...args]
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(' ');
    // The device is told first, so that its size can be changed from here.
    const script = `stty cols ${columns} rows ${rows}; tty; exec ${command}`;
    this.#child = spawn('script', ['-qefc', script, '/dev/null'], {
      cwd: options.cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: options.cwd,
        SHELL: '/bin/sh',
        TERM: 'xterm-256color',
        CHECKPOINT_DISABLE: '1',
        ...options.env,
      },
    });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.#raw += chunk;
      this.#screen.write(chunk);
      this.#changed();
    });
    this.#ended = new Promise((done) => {
      this.#child.once('close', (code) => {
        this.#exit = code;
        this.#changed();
        done(code);
      });
    });
  }

  /** Starts the program; resolves when it is about to run. */
  static async start(args: readonly string[], options: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal(args, options);
    await terminal.#until(
      () => /^\/dev\/\S+\r?\n/m.test(terminal.#raw),
      'the name of the terminal',
    );
    const [line = '', device = ''] = /^(\/dev\/\S+)\r?\n/m.exec(terminal.#raw) ?? [];
    terminal.#device = device;
    terminal.#read = terminal.#raw.indexOf(line) + line.length;
    return terminal;
  }

  /** Waits until the program has written a text (colors apart), after what was waited for before. */
  async seen(text: string | RegExp): Promise<void> {
    let plain = '';
    await this.#until(() => {
      plain = withoutColors(this.#raw.slice(this.#read));
      return typeof text === 'string' ? plain.includes(text) : text.test(plain);
    }, String(text));
    const end =
      typeof text === 'string'
        ? plain.indexOf(text) + text.length
        : (text.exec(plain)?.index ?? 0) + (text.exec(plain)?.[0].length ?? 0);
    this.#read += rawLength(this.#raw.slice(this.#read), end);
  }

  /** Types on the keyboard. */
  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** Resizes the terminal, as a user does with the window. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#settled();
    this.#screen.resize(columns, rows);
    execFileSync('stty', ['-F', this.#device, 'cols', String(columns), 'rows', String(rows)]);
  }

  /** The exit code, when the program has ended. */
  async ended(): Promise<number | null> {
    return await this.#ended;
  }

  /** Returns the lines of the screen and of its scrollback, as a person sees them, without empty lines at the end. */
  async lines(): Promise<readonly string[]> {
    await this.#settled();
    const { active } = this.#screen.buffer;
    const lines: string[] = [];
    for (let i = 0; i < active.length; i++) {
      const line = active.getLine(i);
      const text = line?.translateToString(true) ?? '';
      if (line?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
      else lines.push(text);
    }
    while (lines.at(-1) === '') lines.pop();
    return lines.slice(1);
  }

  /** Everything that was written, with escape sequences. */
  get raw(): string {
    return this.#raw;
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    if (this.#exit === undefined) this.#child.kill('SIGHUP');
    await this.#ended;
    this.#screen.dispose();
  }

  async #settled(): Promise<void> {
    await new Promise<void>((done) => this.#screen.write('', done));
  }

  async #until(isSo: () => boolean, what: string): Promise<void> {
    while (!isSo()) {
      if (this.#exit !== undefined) {
        throw new Error(`the program ended (${this.#exit}) before ${what}:\n${this.#raw}`);
      }
      await new Promise<void>((done) => {
        this.#changed = done;
      });
    }
  }
}

// oxlint-disable-next-line no-control-regex
const ESCAPE = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\r/g;

function withoutColors(text: string): string {
  return text.replace(ESCAPE, '');
}

/** Returns the length of the prefix of a text whose visible part has a given length. */
function rawLength(raw: string, plain: number): number {
  let [at, seen] = [0, 0];
  for (const match of raw.matchAll(ESCAPE)) {
    const text = match.index - at;
    if (seen + text >= plain) break;
    seen += text;
    at = match.index + match[0].length;
  }
  return at + (plain - seen);
}
