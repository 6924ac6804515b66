// Recordings of later Terraform and of OpenTofu against the programs themselves, which
// scripts/oracle/install-programs.mjs builds.
import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../scripts/oracle/install-programs.mjs';
import { selectCases } from './case.ts';
import { differences, report } from './difference.ts';
import { referenceProgram } from './program.ts';
import { readRecorded } from './recorded.ts';
import { discard } from './run-case.ts';
import { runTerraform, whyNotLive } from './run-terraform.ts';

const cases = selectCases([]).filter(({ oracle }) => oracle !== undefined);
const used = [...new Set(cases.map(({ oracle = '' }) => oracle))].sort();
/** Development versions exist only where a developer has built them. */
const released = used.filter((name) => PROGRAMS[name]?.module !== undefined);

it.runIf(process.env['CI'] === 'true').each(released)('%s is built', (name) => {
  expect(referenceProgram(name)).toBeDefined();
});

describe.each(used)('recordings equal the behavior of %s', (program) => {
  const programCases = cases.filter(({ oracle }) => oracle === program);
  for (const testCase of programCases) {
    const { name } = testCase;
    const reason = whyNotLive(testCase);
    const title = reason === undefined ? name : `${name} (${reason})`;
    it.skipIf(reason !== undefined).concurrent(title, async () => {
      const result = await runTerraform(testCase);
      discard(result);
      // The order of what is done at the same time is left to chance, in these programs too.
      const mismatches = differences(readRecorded(name) ?? { steps: [] }, result.record);
      expect(report(mismatches.filter(({ path }) => !path.endsWith(' order')))).toBe('');
    });
  }
});
