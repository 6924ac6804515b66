// The two programs under comparison, and running one of them in a folder.
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { PROGRAMS, findProgram } from '../../scripts/oracle/install-programs.mjs';
import { here } from './case.ts';

/** A program that takes Terraform's command line. */
export interface Program {
  readonly name: 'terraform' | 'tofu' | 'terrane';
  readonly command: string;
  /** Runs it otherwise than by starting the command. */
  readonly inPlace?: RunInPlace;
}

/** Runs a program in some way of its own. */
export type RunInPlace = (
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Record<string, string>;
    readonly input?: string | undefined;
  },
) => Promise<Ran>;

/** The result of one run of a program. */
export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The folder that `scripts/oracle/install-providers.mjs` fills. */
export function mirrorDirectory(): string {
  const cache = process.env['TERRANE_ORACLE_CACHE'] ?? join(homedir(), '.cache', 'terrane-oracle');
  return join(cache, 'mirror');
}

/** The oracle, or undefined where no `terraform` is on PATH. */
export function findTerraform(): Program | undefined {
  return findOnPath('terraform');
}

/** A reference program by its name (`tofu-1.12`), or undefined if it is not on this machine. */
export function referenceProgram(name: string): Program | undefined {
  const [reference, command] = [PROGRAMS[name], findProgram(name)];
  if (reference === undefined || command === undefined) return undefined;
  return { name: reference.program, command };
}

function findOnPath(name: 'terraform'): Program | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const command = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    try {
      accessSync(command, constants.X_OK);
      return { name, command };
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** The program under test: `TERRANE_BIN`, or the launcher of this clone. */
export function findTerrane(): Program {
  const named = process.env['TERRANE_BIN'];
  if (named !== undefined && basename(named) === 'terraform') {
    const terraform = findTerraform();
    return {
      name: 'terraform',
      command: named === 'terraform' ? (terraform?.command ?? named) : named,
    };
  }
  return {
    name: 'terrane',
    command: named === undefined ? resolve(here, '../../bin/terrane') : resolve(named),
  };
}

/** The program under test by the name of a reference program, as which its advice has the same words. */
export function findTerraneShim(calledAs: 'terraform' | 'tofu' = 'terraform'): Program {
  if (process.env['TERRANE_BIN'] !== undefined) return findTerrane();
  return { name: 'terrane', command: resolve(here, `../../packages/cli/dist/${calledAs}.js`) };
}

/** Writes the CLI configuration for a program into a folder and gives its path. */
export function writeCliConfig(
  program: Program,
  folder: string,
  providers: readonly string[],
): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'cli.tfrc');
  const isBundled = program.name === 'terrane' || providers.length === 0;
  writeFileSync(path, isBundled ? '' : installation(mirrorFor(program, folder)));
  return path;
}

function installation(mirror: string): string {
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`;
}

/** OpenTofu looks for the same providers under the name of its own registry. */
function mirrorFor(program: Program, folder: string): string {
  if (program.name !== 'tofu') return mirrorDirectory();
  const mirror = join(folder, 'mirror');
  const to = join(mirror, 'registry.opentofu.org');
  linkPackages(join(mirrorDirectory(), 'registry.terraform.io'), to, PACKAGE_DEPTH);
  return mirror;
}

/** Namespace, type, version, platform. */
const PACKAGE_DEPTH = 4;

/** Links the packages below a folder: OpenTofu follows links to packages, but not to what holds them. */
function linkPackages(from: string, to: string, depth: number): void {
  if (depth === 0) {
    symlinkSync(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) linkPackages(join(from, name), join(to, name), depth - 1);
}

/** Ends what hangs, before the limit of the test does. */
const LIMIT_MS = 240_000;

/** Runs a command and waits for its end. Never rejects: what can't be started is exit code 127. */
export function run(
  program: Program,
  args: readonly string[],
  options: {
    cwd: string;
    env: Record<string, string>;
    input?: string | undefined;
    timeout?: number;
  },
): Promise<Ran> {
  if (program.inPlace !== undefined) return program.inPlace(args, options);
  return new Promise((done) => {
    let stdout = '';
    let stderr = '';
    const child = spawn(program.command, [...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => {
      stderr += `\n[killed: no end after ${options.timeout ?? LIMIT_MS} ms]\n`;
      child.kill('SIGKILL');
    }, options.timeout ?? LIMIT_MS);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.on('error', (error) => {
      clearTimeout(timer);
      done({ exit: 127, stdout, stderr: `${stderr}${error.message}` });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      done({
        exit: code ?? 128,
        stdout,
        stderr: signal === null ? stderr : `${stderr}\n[ended by ${signal}]`,
      });
    });
  });
}

/** Maps with at most `limit` at a time, keeping order. */
export async function mapLimited<A, B>(
  items: readonly A[],
  limit: number,
  each: (item: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = new Array<B>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as A;
      results[index] = await each(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
