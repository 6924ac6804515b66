// Runs Terrane as it is built, and the real terraform where it is on PATH, with nothing of the caller's environment.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** True if the real terraform is installed. */
export const TERRAFORM: boolean = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((directory) => existsSync(join(directory, 'terraform')));

const TERRANE = fileURLToPath(new URL('../../packages/cli/dist/terrane.js', import.meta.url));

/** The result of a run. */
export interface Done {
  readonly code: number;
  /** both streams */
  readonly output: string;
}

/** A directory for a configuration, with a name of which no other test knows. */
export class Workplace {
  readonly directory: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(directory: string, env: Readonly<Record<string, string>>) {
    this.directory = directory;
    this.#env = env;
  }

  static async make(env: Readonly<Record<string, string>>): Promise<Workplace> {
    return new Workplace(await realpath(await mkdtemp(join(tmpdir(), 'terrane-backends-'))), env);
  }

  async write(name: string, content: string): Promise<void> {
    await writeFile(join(this.directory, name), content);
  }

  terrane(...args: readonly string[]): Promise<Done> {
    return this.#run(process.execPath, [TERRANE, ...args]);
  }

  terraform(...args: readonly string[]): Promise<Done> {
    return this.#run('terraform', args);
  }

  /** Another program. */
  run(program: string, ...args: readonly string[]): Promise<Done> {
    return this.#run(program, args);
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  #run(program: string, args: readonly string[]): Promise<Done> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: this.directory,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: this.directory,
          CHECKPOINT_DISABLE: '1',
          ...this.#env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      const add = (chunk: Buffer): void => {
        output += chunk.toString();
      };
      child.stdout.on('data', add);
      child.stderr.on('data', add);
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 1, output }));
    });
  }
}

/** Returns the output of a run, which must succeed. */
export async function worked(done: Promise<Done>): Promise<string> {
  const { code, output } = await done;
  expect(code, output).toBe(0);
  return output;
}

/** Returns the path of a server that an install script has put there; undefined if it is not installed. */
export function installedServer(...path: readonly string[]): string | undefined {
  const home = process.env['HOME'] ?? '';
  const cache = process.env['XDG_CACHE_HOME'] ?? join(home, '.cache');
  const file = join(cache, 'terrane-servers', ...path);
  return existsSync(file) ? file : undefined;
}
