// The bundled providers, served as plugins and run by the real terraform: the differential cases that use them come
// out as they did with the published providers, and so as they do in Terrane.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selectCases } from '../differential/case.ts';
import { differences, report } from '../differential/difference.ts';
import { findTerraform } from '../differential/program.ts';
import { readRecorded } from '../differential/recorded.ts';
import { discard, runCase } from '../differential/run-case.ts';
import { buildPlugins } from './build-plugins.ts';
import type { Built } from './build-plugins.ts';

const VERSIONS: Readonly<Record<string, string>> = {
  local: '2.9.0',
  null: '3.3.1',
  random: '3.9.0',
  time: '0.14.2',
  tls: '4.2.1',
};
const program = findTerraform();

let built: Built;
const before = process.env['TERRANE_ORACLE_CACHE'];

beforeAll(async () => {
  built = await buildPlugins(
    Object.entries(VERSIONS).map(([name, version]) => ({
      entry: `${name}.ts`,
      address: `registry.terraform.io/hashicorp/${name}`,
      version,
    })),
  );
  process.env['TERRANE_ORACLE_CACHE'] = join(built.mirror, '..');
});

afterAll(() => {
  if (before === undefined) delete process.env['TERRANE_ORACLE_CACHE'];
  else process.env['TERRANE_ORACLE_CACHE'] = before;
  built.dispose();
});

it.runIf(process.env['CI'] === 'true')('terraform is on PATH', () => {
  expect(program).toBeDefined();
});

const cases = selectCases([]).filter(
  ({ providers, oracle }) =>
    oracle === undefined &&
    providers.length > 0 &&
    providers.every((name) => Object.hasOwn(VERSIONS, name)),
);

// INTEROP_SAMPLE=N: every Nth case, for runs that have little time.
const every = Number(process.env['INTEROP_SAMPLE'] ?? 1);
const sample = cases.filter((_, index) => index % every === 0);

it.skipIf(program === undefined).each(sample.map((each) => [each.name, each] as const))(
  '%s equals the result with the published provider',
  async (name, testCase) => {
    const expected = readRecorded(name);
    if (program === undefined || expected === undefined) throw new Error('nothing recorded');
    const result = await runCase(program, testCase);
    try {
      const mismatches = differences(expected, result.record, testCase.exceptions);
      expect(report(mismatches.filter(({ level }) => level <= 2))).toBe('');
    } finally {
      discard(result);
    }
  },
);
