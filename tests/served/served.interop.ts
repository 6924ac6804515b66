// The test provider in three ways: as a plugin of the real terraform, as a plugin of Terrane, and in Terrane's own
// process. Plans, states, messages and events are the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences, report } from '../differential/difference.ts';
import { findTerraform } from '../differential/program.ts';
import { readRecorded } from '../differential/recorded.ts';
import { isRecordedRelease, recordedName, servedCases, Workshop } from './served-cases.ts';
import type { Way } from './served-cases.ts';

const terraform = findTerraform();
let workshop: Workshop;

beforeAll(async () => {
  workshop = await Workshop.open();
});

afterAll(() => workshop.dispose());

it.runIf(process.env['CI'] === 'true')('terraform 1.11 is on PATH', () => {
  expect(terraform !== undefined && isRecordedRelease(terraform)).toBe(true);
});

const ways: readonly Way[] = ['the oracle', 'terrane over the plugin', 'terrane in-process'];

// INTEROP_SAMPLE=N: fewer cases, for runs that have little time. There are not many, and each has much in it.
const every = Math.ceil(Number(process.env['INTEROP_SAMPLE'] ?? 1) / 3);
const cases = servedCases().filter((_, position) => position % every === 0);

describe.each(cases.map((each) => [each.name, each] as const))('%s', (name, testCase) => {
  it.concurrent.each(ways)('%s', async (way) => {
    const expected = readRecorded(recordedName(name));
    if (expected === undefined) throw new Error('nothing recorded');
    const actual = await workshop.run(way, testCase);
    if (actual === undefined && way === 'the oracle') return;
    if (actual === undefined) throw new Error('nothing ran');
    const mismatches = differences(expected, actual, testCase.exceptions);
    expect(report(mismatches)).toBe('');
  });
});
