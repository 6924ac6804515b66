// The published providers as plugins: the differential cases that need them, in projects where the real
// `terraform init` has installed them. What was recorded from terraform must come out again.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { selectCases } from '../differential/case.ts';
import { differences, report } from '../differential/difference.ts';
import { missingProviders } from '../differential/installed-providers.ts';
import { findTerraform, mirrorDirectory } from '../differential/program.ts';
import type { Program } from '../differential/program.ts';
import { readRecorded } from '../differential/recorded.ts';
import { discard, runCase } from '../differential/run-case.ts';

const program: Program = {
  name: 'terrane',
  command: resolve(import.meta.dirname, 'terrane-with-plugins.mjs'),
};

// INTEROP_SAMPLE=N: every Nth case, for runs that have little time.
const every = Number(process.env['INTEROP_SAMPLE'] ?? 1);
const cases = selectCases([])
  .filter(({ providers, oracle }) => providers.length > 0 && oracle?.startsWith('tofu') !== true)
  .filter((_, index) => index % every === 0);

for (const testCase of cases) {
  const { name } = testCase;
  const lacks = missingProviders(testCase);
  const title = lacks.length === 0 ? name : `${name} (not here: ${lacks.join(', ')})`;
  const canRun = findTerraform() !== undefined && lacks.length === 0;
  it.skipIf(!canRun)(`${title} comes out as with terraform`, async () => {
    const expected = readRecorded(name);
    if (expected === undefined) throw new Error('nothing recorded');
    process.env['INTEROP_MIRROR'] = mirrorDirectory();
    const result = await runCase(program, {
      ...testCase,
      env: { ...testCase.env, INTEROP_MIRROR: mirrorDirectory() },
    });
    try {
      const mismatches = differences(expected, result.record, testCase.exceptions);
      expect(report(mismatches.filter(({ level }) => level <= 2))).toBe('');
      const lock = join(result.directory, 'work', '.terraform.lock.hcl');
      const used = join(result.directory, 'work', '.terraform', 'providers');
      // If terraform installed a provider, Terrane must have installed it too instead of using its bundled one.
      if (existsSync(lock)) expect(existsSync(used)).toBe(true);
    } finally {
      discard(result);
    }
  });
}
