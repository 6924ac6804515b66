// The same directory installed by Terrane and by the real terraform: what they say, and what is there afterwards.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';

// The built program by the name `terraform`, so that its advice has the same words and line breaks.
const TERRANE = resolve(import.meta.dirname, '../../packages/cli/dist/terraform.js');
// By its own name it also creates locks of modules.
const OWN_NAME = resolve(import.meta.dirname, '../../packages/cli/dist/terrane.js');

/** True if the real terraform is on PATH, which is required with CI=true. */
export const TERRAFORM: boolean = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((directory) => existsSync(join(directory, 'terraform')));

/** The result of one run of a program. */
export interface Run {
  readonly code: number;
  /** standard output and errors, with Terraform's name for either program */
  readonly output: string;
}

/** The files after the run. */
export interface Outcome {
  readonly runs: readonly Run[];
  readonly manifest: string | undefined;
  /** files with their mode and what is in them, links with where they lead */
  readonly tree: Readonly<Record<string, string>>;
}

/** The commands of a scenario and their directories. */
export interface Scenario {
  readonly files: Readonly<Record<string, string>>;
  /** command lines, one after the other */
  readonly steps: readonly (readonly string[])[];
  /** what changes before a step, by its number */
  readonly changes?: Readonly<Record<number, Readonly<Record<string, string | undefined>>>>;
  /** called before a step, with its number */
  readonly before?: (step: number) => Promise<void> | void;
  readonly env?: Readonly<Record<string, string>>;
  /** rewrites terraform's output where Terrane's differs on purpose */
  readonly expectedOutput?: (output: string) => string;
}

/** A place for tests, gone at the end. */
export class Place {
  readonly directory: string;
  #count = 0;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async make(): Promise<Place> {
    return new Place(await realpath(await mkdtemp(join(tmpdir(), 'terrane-modules-'))));
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  async write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const path = this.path(name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
  }

  /** Runs something to its end; throws where it fails. */
  async shell(directory: string, command: string): Promise<string> {
    const { code, output } = await run(this.path(directory), 'sh', ['-ec', command], {
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    });
    if (code !== 0) throw new Error(output);
    return output.trim();
  }

  /** Runs a scenario with Terrane, and verifies that terraform has the same result. */
  async same(scenario: Scenario): Promise<Outcome> {
    const ours = await this.terrane(scenario);
    if (!TERRAFORM) return ours;
    const theirs = await this.terraform(scenario);
    const { expectedOutput = (output) => output } = scenario;
    const expectedRuns = theirs.runs.map(({ code, output }) => ({
      code,
      output: expectedOutput(output),
    }));
    expect(ours.runs).toEqual(expectedRuns);
    expect(ours.manifest).toBe(theirs.manifest);
    // After a failure terraform leaves an incomplete module; Terrane leaves none.
    if (theirs.runs.every(({ code }) => code === 0)) expect(ours.tree).toEqual(theirs.tree);
    return ours;
  }

  async terrane(scenario: Scenario): Promise<Outcome> {
    return await this.#play('terrane', scenario);
  }

  /** Runs a scenario with the built program under its own name. */
  async ownName(scenario: Scenario): Promise<Outcome> {
    return await this.#play('own name', scenario);
  }

  async terraform(scenario: Scenario): Promise<Outcome> {
    return await this.#play('terraform', scenario);
  }

  async #play(program: string, scenario: Scenario): Promise<Outcome> {
    // The same path for both, as messages and manifests may name it.
    const directory = this.path('project');
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    await put(directory, scenario.files);
    const runs: Run[] = [];
    for (const [step, args] of scenario.steps.entries()) {
      await put(directory, scenario.changes?.[step] ?? {});
      await scenario.before?.(step);
      const executable =
        program === 'terraform' ? program : program === 'terrane' ? TERRANE : OWN_NAME;
      const env = {
        HOME: this.directory,
        CHECKPOINT_DISABLE: '1',
        AWS_EC2_METADATA_DISABLED: 'true',
        ...scenario.env,
      };
      runs.push(await run(directory, executable, args, env));
    }
    const manifest = join(directory, '.terraform/modules/modules.json');
    const outcome = {
      runs,
      manifest: existsSync(manifest) ? await readFile(manifest, 'utf8') : undefined,
      tree: await treeOf(directory),
    };
    this.#count += 1;
    if (process.env['KEEP_MODULES'] !== undefined) {
      await cp(directory, this.path(`kept-${this.#count}-${program}`), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    return outcome;
  }
}

async function put(
  directory: string,
  files: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    if (content === undefined) await rm(path, { recursive: true, force: true });
    else await writeFile(path, content);
  }
}

async function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  const child = spawn(command, [...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (number) => resolve(number ?? 1));
  });
  const output = `${stdout}${stderr}`
    .replaceAll('Terrane', 'Terraform')
    .replaceAll('terrane ', 'terraform ');
  return { code, output };
}

// Terraform leaves hidden files out of all copies of a package but the first.
const LEFT_OUT = new Set([
  '.git',
  '.gitmodules',
  '.hg',
  '.hgtags',
  'modules.json',
  '.terraform.lock.hcl',
  'providers',
]);

async function treeOf(directory: string, below = ''): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const name of (await readdir(join(directory, below))).sort()) {
    if (LEFT_OUT.has(name)) continue;
    const path = join(below, name);
    const full = join(directory, path);
    const stat = await lstat(full);
    if (stat.isSymbolicLink()) tree[path] = `-> ${await readlink(full)}`;
    else if (stat.isDirectory())
      Object.assign(tree, { [path]: 'directory' }, await treeOf(directory, path));
    else {
      const digest = createHash('sha256')
        .update(await readFile(full))
        .digest('hex');
      tree[path] = `${(stat.mode & 0o777).toString(8)} ${digest.slice(0, 12)}`;
    }
  }
  return tree;
}
