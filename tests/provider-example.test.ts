// The example of a provider runs its own tests, with the test runner of Node.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../examples/provider');

test('the example of a provider passes its tests', () => {
  const tests = readdirSync(resolve(folder, 'test'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`);
  const args = ['--conditions=terrane-source', '--test', '--test-reporter=tap', ...tests];
  const ran = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect(ran.status, `${ran.stdout}${ran.stderr}`).toBe(0);
  expect(ran.stdout).toMatch(/# pass 3\n/);
});
