import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { type HistoryEntry, type HistoryRow, writeChart } from './history.ts';
import { requireKnown } from './known-names.ts';
import { median } from './measure.ts';
import { TABLE, type TableWorkload } from './table-workloads.ts';
import { type Usage, usageOf } from './usage.ts';

/** The programs to compare and the place to do it. */
export interface TablePorts {
  readonly root: string;
  readonly scratch: string;
  readonly terrane: readonly string[];
  /** undefined: only Terrane is measured */
  readonly reference: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** appends the result to bench/history.jsonl and draws the chart again */
  readonly isRecorded: boolean;
}

interface Summary {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
}

/** Peak memory must not exceed this multiple of Terraform's. */
const PEAK_GOAL = 1.3;

/**
 * Prints the table of frequent commands: medians of alternating runs of Terraform and Terrane with CPU time, peak
 * memory and goals. Returns false if a goal is missed. Rows that other programs disturbed are marked.
 */
export async function printTable(ports: TablePorts, names: readonly string[]): Promise<boolean> {
  requireKnown(
    names,
    TABLE.map(({ name }) => name),
  );
  const rows: HistoryRow[] = [];
  const workloads = TABLE.filter(({ name }) => names.length === 0 || names.includes(name));
  process.stdout.write(
    '| workload | Terraform wall, CPU, peak | Terrane wall, CPU, peak | ratio | goal | peak ratio | |\n|---|---|---|---|---|---|---|\n',
  );
  let isMet = true;
  for (const workload of workloads) {
    const row = await measureRow(workload, ports);
    rows.push(row);
    isMet = printRow(workload, row) && isMet;
  }
  if (ports.isRecorded) record(ports, rows);
  return isMet;
}

function printRow(workload: TableWorkload, row: HistoryRow): boolean {
  const { terrane, terraform, isUnderLoad } = row;
  const text = ({ wall, cpu, peak }: Summary): string =>
    `${wall.toFixed(2)} s, ${cpu.toFixed(2)} s, ${peak.toFixed(0)} MiB`;
  const ratio = terraform === undefined ? undefined : terraform.wall / terrane.wall;
  const peakRatio = terraform === undefined ? undefined : terrane.peak / terraform.peak;
  const isFast = ratio === undefined || ratio >= workload.goal;
  const isSmall = peakRatio === undefined || peakRatio <= PEAK_GOAL;
  const notes = [
    ...(isFast ? [] : ['speed MISSED']),
    ...(isSmall ? [] : [`memory MISSED (${PEAK_GOAL})`]),
    ...(isUnderLoad ? ['under load'] : []),
  ];
  const cells = [
    workload.title,
    terraform === undefined ? '' : text(terraform),
    text(terrane),
    ratio?.toFixed(ratio < 10 ? 2 : 1) ?? '',
    `≥ ${workload.goal}`,
    peakRatio?.toFixed(2) ?? '',
    notes.join(', '),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  return isFast && isSmall;
}

async function measureRow(workload: TableWorkload, ports: TablePorts): Promise<HistoryRow> {
  const { terrane, reference, environment } = ports;
  const directories = [await prepare(workload, terrane, 'terrane', ports)];
  if (reference !== undefined)
    directories.push(await prepare(workload, reference, 'terraform', ports));
  const usages: Usage[][] = [[], []];
  for (let round = 0; round < workload.rounds; round++) {
    for (const [index, directory] of directories.entries()) {
      const program = index === 0 ? terrane : (reference ?? []);
      const place = workload.changes === true ? `${directory}-copy` : directory;
      if (place !== directory) cpSync(directory, place, { recursive: true });
      const usage = await usageOf(
        [...program, ...workload.command],
        place,
        environment,
        workload.exitCode,
      );
      usages[index]?.push(usage);
      if (place !== directory) rmSync(place, { recursive: true });
    }
  }
  const [ours = [], theirs = []] = usages;
  return {
    name: workload.name,
    terrane: summaryOf(ours),
    ...(reference === undefined ? {} : { terraform: summaryOf(theirs) }),
    isUnderLoad:
      [...ours, ...theirs].filter((usage) => usage.isUnderLoad).length > workload.rounds / 2,
  };
}

/** Creates the directory of a workload for a program. */
export async function prepare(
  { name, files, needsInit, isApplied }: TableWorkload,
  program: readonly string[],
  label: string,
  { scratch, terrane, environment }: TablePorts,
): Promise<string> {
  const directory = join(scratch, `table-${name}-${label}`);
  mkdirSync(directory);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const init = ['init', '-input=false'];
  if (isApplied === true) {
    await usageOf([...terrane, ...init], directory, environment);
    await usageOf([...terrane, 'apply', '-auto-approve'], directory, environment);
    rmSync(join(directory, '.terraform'), { recursive: true, force: true });
  }
  if (needsInit) await usageOf([...program, ...init], directory, environment);
  return directory;
}

function summaryOf(usages: readonly Usage[]): Summary {
  const round = (number: number): number => Number(number.toFixed(3));
  return {
    wall: round(median(usages.map(({ wall }) => wall))),
    cpu: round(median(usages.map(({ cpu }) => cpu))),
    peak: round(Math.max(...usages.map(({ peak }) => peak ?? 0))),
  };
}

function record({ root }: TablePorts, rows: readonly HistoryRow[]): void {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  const entry: HistoryEntry = {
    date: new Date().toISOString().slice(0, 10),
    revision: git('rev-parse', '--short=8', 'HEAD'),
    node: process.versions.node,
    cores: availableParallelism(),
    rows,
  };
  appendFileSync(join(root, 'bench/history.jsonl'), `${JSON.stringify(entry)}\n`);
  writeChart(root);
}
