import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../scripts/oracle/install-programs.mjs';
import { type EncryptionCase, RESOURCES } from './cases.ts';

/** A directory with a case's files. */
export interface Place extends AsyncDisposable {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

/** The result of a program. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program of OpenTofu to compare with, if there is one. */
export const TOFU: string | undefined = findProgram('tofu-1.12');

const PROGRAM = join(import.meta.dirname, '../../packages/cli/dist/terrane.js');

/** Creates a directory for a case. */
export async function placeFor({ files, environment = {} }: EncryptionCase): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'terrane-encryption-'));
  const write = (path: string, text: string): Promise<void> =>
    writeFile(join(directory, path), text);
  await write('resources.tf', RESOURCES);
  for (const [path, text] of Object.entries(files)) await write(path, text);
  await cp(join(import.meta.dirname, 'programs'), join(directory, 'programs'), { recursive: true });
  return {
    directory,
    environment,
    read: (path) => readFile(join(directory, path), 'utf8'),
    write,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

function run(place: Place, command: string, args: readonly string[]): Ran {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: place.directory,
    encoding: 'utf8',
    env: { PATH, HOME: place.directory, CHECKPOINT_DISABLE: '1', ...place.environment },
  });
  return { code: status ?? -1, stdout, stderr };
}

/** Runs Terrane to its end, as it was built, whatever comes of it. */
export function runTerrane(place: Place, args: readonly string[]): Ran {
  return run(place, process.execPath, [PROGRAM, ...args, '-no-color']);
}

/** Runs OpenTofu to its end, whatever comes of it. */
export function runTofu(place: Place, args: readonly string[]): Ran {
  if (TOFU === undefined)
    throw new Error('no tofu-1.12; run scripts/oracle/install-programs.mjs tofu-1.12');
  return run(place, TOFU, [...args, '-no-color']);
}

/** Runs Terrane; that it fails is an error. */
export function terrane(place: Place, args: readonly string[]): string {
  return succeeded(runTerrane(place, args), `terrane ${args.join(' ')}`);
}

/** Runs OpenTofu; that it fails is an error. */
export function tofu(place: Place, args: readonly string[]): string {
  return succeeded(runTofu(place, args), `tofu ${args.join(' ')}`);
}

function succeeded({ code, stdout, stderr }: Ran, what: string): string {
  if (code !== 0) throw new Error(`${what} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** The version of OpenTofu. */
export function tofuVersion(): string {
  const { stdout } = spawnSync(TOFU ?? 'tofu', ['version'], { encoding: 'utf8' });
  return /v(\S+)/.exec(stdout)?.[1] ?? '';
}

/** The output `text` in what `output -json` prints. */
export function outputOf(json: string): string {
  const outputs: { readonly text?: { readonly value?: string } } = JSON.parse(json);
  return outputs.text?.value ?? '';
}
