// The same with the provider as a plugin, of Terrane and of the real terraform.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTerraform } from '../differential/program.ts';
import { isRecordedRelease } from '../served/served-cases.ts';
import { compareRun } from './compare-runs.ts';
import { lifecycleCases } from './read-cases.ts';
import { Workshop } from './run-cases.ts';

const terraform = findTerraform();
const isThere = terraform !== undefined && isRecordedRelease(terraform);
/** `INTEROP_SAMPLE=10`: one case of ten. */
const each = Number(process.env['INTEROP_SAMPLE'] ?? 1);
const cases = lifecycleCases().filter((_, position) => position % each === 0);
let workshop: Workshop;

beforeAll(async () => {
  workshop = await Workshop.open();
});

afterAll(() => workshop.dispose());

describe.each(cases.map((testCase) => [testCase.name, testCase] as const))('%s', (_, testCase) => {
  it.concurrent('over the plugin', async () => {
    const run = await workshop.run('terrane over the plugin', testCase);
    expect(compareRun(testCase, run)).toBe('');
  });

  it.runIf(isThere).concurrent('terraform, with the provider as a process', async () => {
    const run = await workshop.run('the oracle', testCase, 1);
    expect(compareRun(testCase, run, 'terraform')).toBe('');
  });
});
