import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableWorkloads, type TableWorkload } from '../../bench/table-workloads.ts';
import type { Counts } from './count-work.ts';

/** The rows of the benchmark table at a twentieth of their sizes. */
export const WORKLOADS: readonly TableWorkload[] = tableWorkloads(1 / 20);

/** The same rows at twice these sizes, where the growth of the work with the size is examined. */
export const DOUBLED: readonly TableWorkload[] = tableWorkloads(1 / 10);

const path = join(import.meta.dirname, 'recorded.json');

/** The recorded counts of each workload. */
export function readRecordedCounts(): Readonly<Record<string, Counts>> {
  return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Counts>>;
}

/** Replaces the recorded counts. */
export function writeRecordedCounts(counts: Readonly<Record<string, Counts>>): void {
  writeFileSync(path, `${JSON.stringify(counts, undefined, 2)}\n`);
}
