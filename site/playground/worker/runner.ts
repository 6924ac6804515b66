import type { Host } from '@terrane/host';
import { MemoryDisk, MemoryFiles } from '@terrane/testkit';
import { runProgram } from '../../../packages/cli/src/run-program.ts';
import { unexpectedError } from '../../../packages/cli/src/unexpected-error.ts';
import type { OutputFile, World } from '../../../packages/cli/src/world.ts';
import type { DoneMessage, OutputMessage, Reply, RunMessage } from '../protocol.ts';
import { browserHost } from './browser-host.ts';
import { NotInBrowser } from './not-in-browser.ts';

/** The directory of the root module. */
const DIRECTORY = '/project';

/** Runs the program on files in memory, which last as long as the runner. Runs do not overlap. */
export class Runner {
  readonly #disk = new MemoryDisk();
  readonly #reply: (message: Reply) => void;
  #known = new Map<string, Uint8Array>();
  #interrupts = new Set<() => void>();
  #running = -1;
  #last: Promise<void> = Promise.resolve();
  /** called with the absolute paths of files that a run was given or has changed */
  onChange: (paths: readonly string[]) => void = () => undefined;

  constructor(reply: (message: Reply) => void) {
    this.#reply = reply;
    this.#disk.directories.add(DIRECTORY);
  }

  /** Runs the program after earlier runs have ended, and replies with its output and its end. */
  run(message: RunMessage): Promise<void> {
    this.#last = this.#last.then(() => this.#run(message));
    return this.#last;
  }

  /** Returns the machine as seen from a directory, for other programs on the same files. */
  hostAt(directory: string): Host {
    return browserHost(this.#disk, directory);
  }

  /** Interrupts a run. */
  stop(id: number): void {
    if (id === this.#running) for (const listener of this.#interrupts) listener();
  }

  async #run(message: RunMessage): Promise<void> {
    const { id } = message;
    const start = performance.now();
    this.#running = id;
    await this.#write(message.files);
    const world = this.#world(message);
    let code: number;
    try {
      code = await runProgram(message.args, world);
    } catch (error) {
      code = 1;
      world.stderr.write(
        error instanceof NotInBrowser ? `Error: ${error.message}\n` : unexpectedError(error),
      );
    }
    this.#interrupts.clear();
    const changed = this.#changes();
    const paths = Object.keys({ ...message.files, ...changed });
    if (paths.length > 0) this.onChange(paths.map((path) => `${DIRECTORY}/${path}`));
    const done: DoneMessage = {
      kind: 'done',
      id,
      code,
      files: changed,
      milliseconds: performance.now() - start,
    };
    this.#reply(done);
  }

  async #write(files: RunMessage['files']): Promise<void> {
    const system = new MemoryFiles({ disk: this.#disk, cwd: DIRECTORY });
    for (const [path, text] of Object.entries(files)) {
      if (text === null) {
        await system.remove(path);
        continue;
      }
      await system.makeDirectory(`${path}/..`);
      await system.writeFile(path, text);
    }
    this.#changes();
  }

  /** Returns the text files that differ from the last call. */
  #changes(): DoneMessage['files'] {
    const prefix = `${DIRECTORY}/`;
    const changed: Record<string, string | null> = {};
    const known = new Map<string, Uint8Array>();
    for (const [path, { content }] of this.#disk.names) {
      if (!path.startsWith(prefix) || path.startsWith(`${prefix}.terraform/`)) continue;
      const name = path.slice(prefix.length);
      known.set(name, content);
      if (this.#known.get(name) === content) continue;
      const text = textOf(content);
      if (text !== undefined) changed[name] = text;
    }
    for (const name of this.#known.keys()) if (!known.has(name)) changed[name] = null;
    this.#known = known;
    return changed;
  }

  #world({ id, environment, input, columns }: RunMessage): World {
    const stream = (name: OutputMessage['stream']): World['stdout'] => ({
      isTerminal: false,
      columns,
      write: (text) => {
        const plain = typeof text === 'string' ? text : new TextDecoder().decode(text);
        this.#reply({ kind: 'output', id, stream: name, text: plain });
      },
    });
    const disk = this.#disk;
    const lines = input === '' ? [] : input.replace(/\n$/, '').split('\n');
    return {
      directory: DIRECTORY,
      environment: { FORCE_COLOR: '1', HOME: '/home/browser', ...environment },
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      stdin: {
        isTerminal: false,
        readLine: () => Promise.resolve(lines.shift()),
        readAll: () => Promise.resolve(lines.splice(0).join('\n')),
        readBytes: () => Promise.resolve(new TextEncoder().encode(lines.splice(0).join('\n'))),
        edit: () => Promise.reject(new NotInBrowser('Prompts')),
        close: () => undefined,
      },
      onInterrupt: (listener) => {
        this.#interrupts.add(listener);
        return () => void this.#interrupts.delete(listener);
      },
      kindOf: (path) => {
        if (disk.directories.has(path)) return 'directory';
        return disk.names.has(path) ? 'other' : undefined;
      },
      namesIn: () => undefined,
      openOutput: (path) => memoryOutput(disk, path),
      hostAt: (directory) => browserHost(disk, directory),
      leave: () => undefined,
    };
  }
}

function memoryOutput(disk: MemoryDisk, path: string): OutputFile {
  const parts: string[] = [];
  return {
    isTerminal: false,
    columns: 78,
    write: (text) =>
      void parts.push(typeof text === 'string' ? text : new TextDecoder().decode(text)),
    close: () => {
      const node = disk.newNode(0o600, Date.now());
      node.content = new TextEncoder().encode(parts.join(''));
      disk.names.set(path, node);
      return Promise.resolve(undefined);
    },
  };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
