import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changeCost } from './change-cost.ts';
import { requireKnown } from './known-names.ts';
import { editorBench } from './editor/editor.ts';
import { hclParse } from './hcl-parse.ts';
import { historyOverhead } from './history-overhead.ts';
import { printInstructions } from './instructions.ts';
import { type Measured, measure, median } from './measure.ts';
import { nameOf, openSchema } from './open-schema.ts';
import { pageFrames } from './page-frames.ts';
import { policyEvaluation } from './policy-evaluation.ts';
import { pluginWorkloads } from './plugin-workload.ts';
import { runHistory } from './run-history.ts';
import { printTable } from './table.ts';
import type { Workload } from './workload.ts';
import { workloads } from './workloads.ts';

// Times Terrane and, where it is on PATH, Terraform on the same work, in alternating runs:
//   npm run bench                       everything
//   npm run bench -- table              the table of frequent commands, with CPU time and goals (under ten minutes)
//   npm run bench -- table --record     and appends it to bench/history.jsonl
//   npm run bench -- instructions       executed instructions of its rows, counted by valgrind; names may follow
//   npm run bench -- editor             the language server, beside terraform-ls; names of rows may follow
//   npm run bench -- plan-10000 one     some of it
//   npm run bench -- page               frames of the plan page of 5,000 resources in Chromium
//   npm run bench -- plugin-plan-10000  with a published provider, see plugin-workload.ts
//   npm run bench -- --scale=0.1        a quick look
//   npm run bench -- --against=PATH     another build of Terrane (its bin/terrane) as the reference

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const terrane = [join(root, 'bin', 'terrane')];
const args = process.argv.slice(2);
const scale = Number(optionOf('scale') ?? '1');
const against = optionOf('against');
const names = args.filter((arg) => !arg.startsWith('--'));
const scratch = mkdtempSync(join(tmpdir(), 'terrane-bench-'));
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: join(scratch, 'home'),
  CHECKPOINT_DISABLE: '1',
};
mkdirSync(environment.HOME);

function optionOf(name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}

function findReference(): readonly string[] | undefined {
  if (against !== undefined) return [against];
  const folder = environment.PATH.split(':').find((path) => existsSync(join(path, 'terraform')));
  return folder === undefined ? undefined : [join(folder, 'terraform')];
}

/** A folder in which a workload is ready to be run by a program. */
async function prepare(
  workload: Workload,
  program: readonly string[],
  label: string,
): Promise<string> {
  const folder = join(scratch, `${workload.name}-${label}`);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(workload.files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const command of workload.terraneFirst ?? [])
    await measure([...terrane, ...command], folder, { ...environment, ...workload.environment });
  for (const command of workload.prepare)
    await measure([...program, ...command], folder, { ...environment, ...workload.environment });
  return folder;
}

async function once(
  workload: Workload,
  program: readonly string[],
  folder: string,
): Promise<Measured> {
  const all = { ...environment, ...workload.environment };
  if (!workload.fresh) return await measure([...program, ...workload.command], folder, all);
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  try {
    return await measure([...program, ...workload.command], copy, all);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

interface Result {
  readonly seconds: number;
  readonly spread: string;
  readonly peak: number;
}

function resultOf(runs: readonly Measured[]): Result {
  const seconds = runs.map((run) => run.seconds);
  return {
    seconds: median(seconds),
    spread: `${Math.min(...seconds).toFixed(3)}–${Math.max(...seconds).toFixed(3)}`,
    peak: Math.max(...runs.map((run) => run.peak ?? 0)),
  };
}

async function compare(
  workload: Workload,
  reference: readonly string[] | undefined,
): Promise<boolean> {
  const ours = await prepare(workload, terrane, 'terrane');
  const withReference = reference !== undefined && workload.referenceRounds > 0;
  const theirs = withReference ? await prepare(workload, reference, 'reference') : '';
  const ourRuns: Measured[] = [];
  const other: Measured[] = [];
  for (let round = 0; round < Math.max(workload.rounds, workload.referenceRounds); round++) {
    if (round < workload.rounds) ourRuns.push(await once(workload, terrane, ours));
    if (withReference && round < workload.referenceRounds)
      other.push(await once(workload, reference, theirs));
  }
  const mine = resultOf(ourRuns);
  const line = [
    `${workload.title}: ${mine.seconds.toFixed(3)} s (${mine.spread}), ${mine.peak.toFixed(0)} MiB`,
  ];
  let met = true;
  if (other.length > 0) {
    const its = resultOf(other);
    const ratio = its.seconds / mine.seconds;
    line.push(`reference ${its.seconds.toFixed(3)} s (${its.spread}), ${its.peak.toFixed(0)} MiB`);
    line.push(`${ratio.toFixed(1)} times as fast`);
    if (workload.goal !== undefined) {
      met = ratio >= workload.goal;
      line.push(`goal ${workload.goal}: ${met ? 'met' : 'MISSED'}`);
    }
  }
  process.stdout.write(`${workload.name.padEnd(20)} ${line.join(' · ')}\n`);
  return met;
}

/** Measures the cost of starting: a plan of one instance and the version, beside an empty Node program. */
async function startUp(): Promise<boolean> {
  const folder = join(scratch, 'start');
  mkdirSync(folder);
  const [single] = workloads(1).filter((workload) => workload.name === 'one');
  for (const [name, text] of Object.entries(single?.files ?? {}))
    writeFileSync(join(folder, name), text);
  const empty: Measured[] = [];
  const version: Measured[] = [];
  const plan: Measured[] = [];
  for (let round = 0; round < 21; round++) {
    empty.push(await measure([process.execPath, '-e', '0'], folder, environment));
    version.push(await measure([...terrane, 'version'], folder, environment));
    plan.push(
      await measure([...terrane, 'plan', '-input=false', '-lock=false'], folder, environment),
    );
  }
  const base = resultOf(empty).seconds;
  const goals = [
    { what: 'version', value: (resultOf(version).seconds - base) * 1_000, goal: 30, unit: 'ms' },
    { what: 'plan of one', value: (resultOf(plan).seconds - base) * 1_000, goal: 100, unit: 'ms' },
    { what: 'its memory', value: resultOf(plan).peak, goal: 90, unit: 'MiB' },
  ];
  const lines = goals.map(({ what, value, goal, unit }) => {
    const judged = value <= goal ? 'met' : 'MISSED';
    return `${what}: ${unit === 'ms' ? '+' : ''}${value.toFixed(0)} ${unit} (goal ${goal}: ${judged})`;
  });
  process.stdout.write(
    `${'start-up'.padEnd(20)} node -e 0: ${(base * 1_000).toFixed(0)} ms · ${lines.join(' · ')}\n`,
  );
  return goals.every(({ value, goal }) => value <= goal);
}

const reference = findReference();
if (reference === undefined)
  process.stdout.write('terraform is not on PATH: only Terrane is timed\n');
let met = true;
try {
  const isRecorded = args.includes('--record');
  const ports = { root, scratch, terrane, reference, environment, isRecorded };
  if (names[0] === 'table') met = await printTable(ports, names.slice(1));
  else if (names[0] === 'instructions') await printInstructions(ports, names.slice(1));
  else if (names[0] === 'editor') {
    met = await editorBench({ root, scratch, terrane, environment, scale }, names.slice(1));
  } else await runBenchmarks();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = met ? 0 : 1;

async function runBenchmarks(): Promise<void> {
  const known = new Set<string>();
  const wanted = (name: string): boolean => {
    known.add(name);
    return names.length === 0 || names.includes(name);
  };
  if (wanted('start-up')) met = (await startUp()) && met;
  if (wanted('hcl-parse')) met = (await hclParse(scale)) && met;
  if (wanted('policies')) met = (await policyEvaluation(scale)) && met;
  if (wanted('page')) met = (await pageFrames(scratch, terrane, environment, scale)) && met;
  if (wanted('run-history')) met = (await runHistory(scratch, scale)) && met;
  if (wanted('history-overhead'))
    met = (await historyOverhead({ scratch, terrane, environment, scale })) && met;
  for (const types of [100, 1_000]) {
    if (!wanted(nameOf(types))) continue;
    const programs = { terrane, reference };
    met = openSchema(types, { scratch, root }, programs, environment) && met;
  }
  const sized = (count: number): number => Math.max(1, Math.round(count * scale));
  if (wanted('change-cost'))
    met = (await changeCost([sized(1_000), sized(100_000)], scratch, terrane, environment)) && met;
  const plugins = pluginWorkloads(scratch, root, sized, wanted);
  for (const workload of [...workloads(scale), ...plugins]) {
    if (!wanted(workload.name)) continue;
    met = (await compare(workload, reference)) && met;
  }
  requireKnown(names, [...known]);
}
