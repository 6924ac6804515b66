// A working directory for attacks on the built program, and ways to run it there.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** The built program, as it is started from a clone. */
export const PROGRAM: string = resolve(import.meta.dirname, '../../bin/terrane');
/** The directory of the built program: its launcher `terrane.js` and the scripts that it loads. */
export const DIST: string = resolve(import.meta.dirname, '../../packages/cli/dist');

/** The exit status of a run and its output. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  /** Environment variables besides the defaults; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The working directory, if it is not that of the fixture. */
  readonly cwd?: string;
  /** The command to run instead of the built program, with its first arguments. */
  readonly command?: readonly string[];
  /** Standard streams, where they are not pipes that are read to the end. */
  readonly stdio?: StdioOptions;
  /** Called with the process once it has started. */
  readonly started?: (child: ChildProcess) => void;
  /** Called with all of standard output so far whenever there is more. */
  readonly onOutput?: (soFar: string, child: ChildProcess) => void;
  /** The standard input of the program; empty by default. */
  readonly input?: string;
}

/** A temporary working directory, removed after the test. `HOME` is a directory `home` below it. */
export class Work {
  readonly path: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), 'terrane-hostile-')));
    mkdirSync(join(this.path, 'home'));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** The absolute path of a file in the directory. */
  at(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  /** Writes a file, with the directories above it. */
  write(name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  /** The environment of a run. */
  environment(more: RunOptions['env'] = {}): Record<string, string> {
    const all = {
      PATH: process.env['PATH'],
      HOME: this.at('home'),
      TMPDIR: process.env['TMPDIR'],
      CHECKPOINT_DISABLE: '1',
      ...more,
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  /** Runs the program in the directory until it ends. A process that is still running is killed after the test. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const [command = '', ...first] = options.command ?? [PROGRAM];
    const child = spawn(command, [...first, ...args], {
      cwd: options.cwd ?? this.path,
      env: this.environment(options.env),
      stdio: options.stdio ?? 'pipe',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      options.onOutput?.(stdout, child);
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.stdin?.on('error', () => undefined).end(options.input ?? '');
    return await new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code, signal) => done({ code, signal, stdout, stderr }));
      options.started?.(child);
    });
  }
}
