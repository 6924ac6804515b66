import { mkdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { median } from './measure.ts';
import { largeProvider, LARGE_REQUIRED, overrideOf } from './large-provider.ts';

// The cost of opening a provider, until its schema is available: that of `validate` for a configuration that only requires
// the provider, less that for one that requires nothing. Both programs load the schema then, and make no other call. It is
// measured in processor time of the program and its child processes, because wall-clock differences are too noisy.

const ROUNDS = 15;
const GOAL = 1;
const OUTPUT = 'output "a" {\n  value = 1\n}\n';

/**
 * Compares the cost of opening a provider; true where the goal is met, or nothing can be measured.
 *
 * @param types of 100 attributes each
 */
export function openSchema(
  types: number,
  place: { readonly scratch: string; readonly root: string },
  programs: {
    readonly terrane: readonly string[];
    readonly reference: readonly string[] | undefined;
  },
  environment: Readonly<Record<string, string>>,
): boolean {
  const name = nameOf(types);
  const folder = largeProvider(place.scratch, place.root, types);
  if (folder === undefined) {
    process.stdout.write(`${name.padEnd(20)} left out: it takes Go to build the provider\n`);
    return true;
  }
  const configuration = join(place.scratch, `${name}.tfrc`);
  writeFileSync(configuration, overrideOf('bench/large', folder));
  const env = { ...environment, TF_CLI_CONFIG_FILE: configuration };
  const works = ([label, program]: readonly [string, readonly string[]]): Work => ({
    program,
    env,
    bare: folderWith(join(place.scratch, `${name}-bare-${label}`), OUTPUT),
    opening: folderWith(join(place.scratch, `${name}-${label}`), `${LARGE_REQUIRED}${OUTPUT}`),
    taken: [],
  });
  const ours = works(['terrane', programs.terrane]);
  const all = [ours];
  if (programs.reference !== undefined) all.push(works(['reference', programs.reference]));
  for (const work of all) opening(work); // the first time does not count
  for (let round = 0; round < ROUNDS; round++) {
    for (const work of all) work.taken.push(opening(work));
  }
  const [mine = 0, its] = all.map(({ taken }) => median(taken));
  const line = [
    `open a provider with ${types * 100} attributes: ${milliseconds(mine)} of processor time`,
  ];
  let met = true;
  if (its !== undefined) {
    met = its / mine >= GOAL;
    line.push(`reference ${milliseconds(its)}`, `${(its / mine).toFixed(1)} times as fast`);
    line.push(`goal ${GOAL}: ${met ? 'met' : 'MISSED'}`);
  }
  process.stdout.write(`${name.padEnd(20)} ${line.join(' · ')}\n`);
  return met;
}

/** Returns the name of the comparison on the command line. */
export function nameOf(types: number): string {
  return `plugin-open-${types * 100}`;
}

interface Work {
  readonly program: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly bare: string;
  readonly opening: string;
  /** seconds of each round */
  readonly taken: number[];
}

function folderWith(folder: string, text: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.tf'), text);
  return folder;
}

function opening({ program, env, bare, opening: full }: Work): number {
  return validating(program, full, env) - validating(program, bare, env);
}

/** The processor seconds of a run of `validate`, and of all processes that it starts. */
function validating(
  program: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): number {
  // The shell tells what its children took, and theirs, in milliseconds.
  const script = '"$@" >/dev/null || exit; times';
  const ran = spawnSync('bash', ['-c', script, 'bash', ...program, 'validate'], {
    cwd,
    env,
    encoding: 'utf8',
  });
  const [, , user, system] = [...ran.stdout.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  if (user === undefined || system === undefined) {
    throw new Error(`validate failed in ${cwd}: ${ran.stderr.slice(-2000)}`);
  }
  return user + system;
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(0)} ms`;
}
