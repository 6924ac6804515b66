// One life of objects of published providers, with the real terraform and with Terrane, both over the
// plugin protocol.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadCase, type Case } from '../differential/case.ts';
import { differences, report } from '../differential/difference.ts';
import { findTerraform, mirrorDirectory, type Program } from '../differential/program.ts';
import { discard, runCase, type CaseRun } from '../differential/run-case.ts';
import { missingProviders } from '../differential/installed-providers.ts';
import { withServers } from './servers.ts';

const terrane: Program = {
  name: 'terrane',
  command: resolve(import.meta.dirname, 'terrane-with-plugins.mjs'),
};

/** The cases by name, or all of them. */
export function interopCases(wanted: readonly string[] = []): readonly Case[] {
  return readdirSync(join(import.meta.dirname, 'cases'))
    .sort()
    .filter((name) => wanted.length === 0 || wanted.includes(name))
    .map((name) => loadCase(name, '../interop/cases'));
}

/** Returns the differences between the two programs (empty: none), or the providers that are not installed. */
export async function compareCase(
  testCase: Case,
): Promise<{ readonly missing: readonly string[]; readonly report: string }> {
  const terraform = findTerraform();
  const missing = [
    ...(terraform === undefined ? ['terraform'] : []),
    ...missingProviders(testCase),
  ];
  if (terraform === undefined || missing.length > 0) return { missing, report: '' };
  const expected = await run(terraform, testCase);
  const actual = await run(terrane, testCase);
  discard(expected);
  discard(actual);
  const mismatches = differences(
    withoutChance(expected.record),
    withoutChance(actual.record),
    testCase.exceptions,
  );
  return { missing, report: report(mismatches.filter(({ level }) => level <= 2)) };
}

/** Runs a case, where its servers are new. */
function run(program: Program, testCase: Case): Promise<CaseRun> {
  return withServers(testCase, (env) =>
    runCase(program, {
      ...testCase,
      env: { ...testCase.env, ...env, INTEROP_MIRROR: mirrorDirectory() },
    }),
  );
}

/** Returns a record without values that differ from run to run: ports, and times that old providers use as ids. */
function withoutChance(record: CaseRun['record']): CaseRun['record'] {
  const text = JSON.stringify(record)
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000 UTC/g, '<time>')
    .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:<port>')
    .replace(/("port":(?:\{"value":)?)"?\d{4,5}"?/g, '$10');
  return JSON.parse(text) as CaseRun['record'];
}
