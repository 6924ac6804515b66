import { expect, test } from 'vitest';
import { findTerraform } from './differential/program.ts';

// On a developer's machine the recorded results of terraform are enough; a gate compares with the
// program itself, and must not pass because it happens to be missing.
test('terraform is there to compare with, wherever CI is set', () => {
  if (process.env['CI'] === 'true') expect(findTerraform()).toBeDefined();
});
