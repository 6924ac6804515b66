// Terrane against what Terraform did, for every case; see README.md.
import { describe, expect, it } from 'vitest';
import { caseNames, loadCase } from './case.ts';
import { differences, report } from './difference.ts';
import { elements, member } from './json.ts';
import type { JsonObject } from './json.ts';
import { findTerraform, findTerraneShim } from './program.ts';
import { readRecorded } from './recorded.ts';
import { discard, planOnTop, runCase } from './run-case.ts';
import { runTerraform, whyNotLive } from './run-terraform.ts';
import { TERRANE_WITHIN } from './terrane-within.ts';

const live = (process.env['DIFFERENTIAL_LIVE'] ?? '') !== '' && findTerraform() !== undefined;
const level = process.env['DIFFERENTIAL_LEVEL'] === '1' ? 1 : 2;
const terrane = findTerraneShim();
/** Every how many cases the program is started as its users start it; with each, a run takes ten times as long. */
const started = Number(process.env['DIFFERENTIAL_STARTED'] ?? (live ? 1 : 20));

function recorded(name: string): JsonObject {
  const recording = readRecorded(name);
  if (recording === undefined)
    throw new Error(`nothing recorded for ${name}; npm run record -- ${name}`);
  return recording;
}

/** Returns true if Terraform reported no changes at the end, and resources exist. */
function settles(record: JsonObject): boolean {
  if (member(record, 'settle', 'exit') !== 0) return false;
  const states = elements(record['steps']).map((step) => member(step, 'state'));
  const last = states.findLast((state) => state !== undefined && state !== null);
  return elements(member(last, 'resources')).length > 0;
}

describe.concurrent('Terrane equals the recordings of Terraform', () => {
  it.each(caseNames().map((name, position) => [name, position] as const))(
    '%s',
    async (name, position) => {
      const testCase = loadCase(name);
      const { calledAs } = testCase;
      // The name belongs to the process, so other names need one of their own.
      const needsProcess =
        process.env['TERRANE_BIN'] === undefined &&
        calledAs === 'terraform' &&
        position % started !== 0;
      const program = needsProcess ? TERRANE_WITHIN : findTerraneShim(calledAs);
      const result = await runCase(program, testCase);
      discard(result);
      const mismatches = differences(recorded(name), result.record, testCase.exceptions);
      expect(report(mismatches.filter((difference) => difference.level <= level))).toBe('');
    },
  );
});

describe.runIf(live).concurrent('recordings equal the behavior of Terraform', () => {
  it.each(caseNames())('%s', async (name) => {
    const testCase = loadCase(name);
    if (whyNotLive(testCase) !== undefined) return;
    const result = await runTerraform(testCase);
    discard(result);
    expect(report(differences(recorded(name), result.record))).toBe('');
  });
});

describe
  .runIf(live && terrane.name === 'terrane')
  .concurrent('a state of one is settled for the other', () => {
    const settled = caseNames().filter((name) => settles(readRecorded(name) ?? {}));
    it.each(settled)('%s', async (name) => {
      const testCase = loadCase(name);
      // Terraform on PATH cannot plan cases that need another release.
      if (testCase.oracle !== undefined || whyNotLive(testCase) !== undefined) return;
      const byTerraform = await runTerraform(testCase);
      const thenTerrane = await planOnTop(terrane, testCase, byTerraform);
      discard(byTerraform);
      expect({
        exit: thenTerrane.exit,
        output: thenTerrane.stdout + thenTerrane.stderr,
      }).toMatchObject({ exit: 0 });
      const byTerrane = await runCase(terrane, testCase);
      const oracle = findTerraform();
      if (oracle === undefined) return;
      const thenTerraform = await planOnTop(oracle, testCase, byTerrane);
      discard(byTerrane);
      expect({
        exit: thenTerraform.exit,
        output: thenTerraform.stdout + thenTerraform.stderr,
      }).toMatchObject({ exit: 0 });
    });
  });
