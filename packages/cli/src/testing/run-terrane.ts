// Loaded here and not when a command first needs them, so that no test pays for it.
import '@terrane/ops';
import '@terrane/render';
import '@terrane/provider-terraform';
import '@terrane/provider-null';
import { memoryHost, type MemoryFilesOptions, MemoryDisk, ManualClock } from '@terrane/testkit';
import { dirname } from 'node:path/posix';
import { runProgram } from '../run-program.ts';
import type { World } from '../world.ts';

/** The inputs of a run. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * typed lines; without them the input is empty. In edited lines, a trailing tab requests completion, whose candidates
   * are printed; a trailing Ctrl-C (`\\x03`) interrupts.
   */
  readonly input?: readonly string[];
  /** text after these lines, without a final line break */
  readonly rest?: string;
  readonly terminal?: boolean;
  readonly fault?: MemoryFilesOptions['fault'];
  /** number of the process, the only one that runs; 100 by default */
  readonly pid?: number;
  readonly providers?: World['providers'];
  readonly calledAs?: World['calledAs'];
  /** called when the program reads input, to send interrupts */
  readonly onRead?: (interrupt: () => void) => void;
}

/** The result of a run. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A directory in memory where the program can be run, again and again. */
export class Workbench {
  readonly disk: MemoryDisk;
  readonly clock: ManualClock = new ManualClock();
  /** the chunks that the program wrote, by absolute path */
  readonly outputs: Map<string, string> = new Map();
  #seed = 1;

  constructor(disk: MemoryDisk = new MemoryDisk()) {
    this.disk = disk;
  }

  /** Creates a workbench with files, by their path in the working directory. */
  static async with(files: Readonly<Record<string, string>>): Promise<Workbench> {
    const bench = new Workbench();
    for (const [path, text] of Object.entries(files)) await bench.write(path, text);
    return bench;
  }

  get #files(): ReturnType<typeof memoryHost>['files'] {
    return memoryHost({ disk: this.disk, clock: this.clock, cwd: '/project' }).files;
  }

  async write(path: string, text: string): Promise<void> {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    await this.#files.makeDirectory(folder);
    await this.#files.writeFile(path, text);
  }

  async read(path: string): Promise<string> {
    return await this.#files.readText(path);
  }

  async readBytes(path: string): Promise<Uint8Array> {
    return await this.#files.readFile(path);
  }

  async writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    await this.#files.writeFile(path, bytes);
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#files.stat(path)) !== undefined;
  }

  async remove(path: string): Promise<void> {
    await this.#files.remove(path);
  }

  /** Truncates a file to its first bytes. */
  async truncate(path: string, bytes: number): Promise<void> {
    const content = await this.#files.readFile(path);
    await this.#files.writeFile(path, content.subarray(0, bytes));
  }

  async mode(path: string): Promise<number | undefined> {
    return (await this.#files.stat(path))?.mode;
  }

  /** Returns the names in the working directory, without hidden ones. */
  async names(): Promise<readonly string[]> {
    const entries = await this.#files.readDirectory('.');
    return entries.map((each) => each.name).filter((name) => !name.startsWith('.'));
  }

  /** Holds the lock of a state, as another run would; returns the release function. */
  async lock(path: string): Promise<() => Promise<void>> {
    const other = memoryHost({
      disk: this.disk,
      cwd: '/project',
      pid: 200,
      running: new Set([100, 200]),
    });
    const result = await other.files.lock(path);
    if (result.kind !== 'locked') throw new Error(`could not lock ${path}`);
    return async () => await result.lock.release();
  }

  /** Runs the program with a command line whose words are separated by single spaces, or passed as an array. */
  async run(command: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const args =
      typeof command === 'string' ? command.split(' ').filter((word) => word !== '') : command;
    const { world, result } = this.#world(options);
    const code = await runProgram(args, world);
    return { code, ...result() };
  }

  #world(options: RunOptions): { world: World; result: () => { stdout: string; stderr: string } } {
    let stdout = '';
    let stderr = '';
    const lines = [...(options.input ?? [])];
    let rest = options.rest ?? '';
    const everything = (): string => {
      const all = lines.splice(0).map((line) => `${line}\n`);
      all.push(rest);
      rest = '';
      return all.join('');
    };
    const listeners = new Set<() => void>();
    const interrupt = (): void => {
      for (const listener of listeners) listener();
    };
    const seed = this.#seed++;
    const pid = options.pid ?? 100;
    const running = new Set([pid]);
    const hostAt = (cwd: string) => {
      const { disk, clock } = this;
      const fault = options.fault === undefined ? {} : { fault: options.fault };
      return memoryHost({ disk, clock, cwd, seed, pid, running, ...fault });
    };
    const terminal = { isTerminal: options.terminal ?? false, columns: 78 };
    const world: World = {
      directory: '/project',
      environment: options.environment ?? {},
      stdout: { write: (text) => void (stdout += textOf(text)), ...terminal },
      stderr: { write: (text) => void (stderr += textOf(text)), ...terminal },
      stdin: {
        isTerminal: options.terminal ?? false,
        async readLine({ signal } = {}) {
          options.onRead?.(interrupt);
          await Promise.resolve();
          signal?.throwIfAborted();
          return lines.shift();
        },
        readAll: () => Promise.resolve(everything()),
        readBytes: () => Promise.resolve(new TextEncoder().encode(everything())),
        edit: (complete) =>
          Promise.resolve({
            next(prompt) {
              stdout += prompt;
              for (;;) {
                const text = lines.shift();
                if (text === undefined) return Promise.resolve(text);
                stdout += `${text}\n`;
                if (text.endsWith('\x03'))
                  return Promise.resolve({ kind: 'interrupt', text: text.slice(0, -1) });
                if (!text.endsWith('\t')) return Promise.resolve({ kind: 'line', text });
                stdout += `${complete(text.slice(0, -1)).candidates.join(' ')}\n`;
              }
            },
            close: () => undefined,
          }),
        close: () => undefined,
      },
      onInterrupt(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      kindOf(path) {
        const stat = hostAt('/project').files.statSync(path);
        if (stat === undefined) return undefined;
        return stat.kind === 'directory' ? 'directory' : 'other';
      },
      namesIn: (path) =>
        hostAt('/project')
          .files.readDirectorySync(path)
          .map(({ name }) => name),
      openOutput: (path) => {
        if (hostAt('/project').files.statSync(dirname(path))?.kind !== 'directory') {
          const message = `ENOENT: no such file or directory, open '${path}'`;
          throw Object.assign(new Error(message), { code: 'ENOENT', syscall: 'open', path });
        }
        this.outputs.set(path, '');
        const write = (text: string | Uint8Array): void =>
          void this.outputs.set(path, (this.outputs.get(path) ?? '') + textOf(text));
        return { write, close: () => Promise.resolve(undefined), isTerminal: false, columns: 78 };
      },
      hostAt,
      leave: () => undefined,
      ...(options.providers === undefined ? {} : { providers: options.providers }),
      ...(options.calledAs === undefined ? {} : { calledAs: options.calledAs }),
    };
    return { world, result: () => ({ stdout, stderr }) };
  }
}

function textOf(written: string | Uint8Array): string {
  return typeof written === 'string' ? written : new TextDecoder().decode(written);
}
