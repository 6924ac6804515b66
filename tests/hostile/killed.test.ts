// SIGKILL while objects are created that only exist in the state: what was reported must be known afterwards.
import { describe, expect, it } from 'vitest';
import { Work } from './fixture.ts';

const CONFIGURATION = `resource "terraform_data" "a" {
  count = 2000
  input = count.index
}
resource "random_id" "b" {
  count       = 500
  byte_length = 4
}
`;

describe.skipIf(process.platform === 'win32')('objects reported as complete', () => {
  it.each([1, 200, 1500])('are known after kill -9, when %i were reported', async (least) => {
    const work = new Work({ 'main.tf': CONFIGURATION });
    let isKilled = false;
    const { stdout } = await work.run(['apply', '-auto-approve', '-no-color'], {
      onOutput(soFar, child) {
        if (isKilled || soFar.split('Creation complete').length <= least) return;
        isKilled = true;
        child.kill('SIGKILL');
      },
    });
    const reported = [...stdout.matchAll(/^(\S+): Creation complete/gm)].map(([, addr]) => addr);
    expect(reported.length).toBeGreaterThanOrEqual(least);
    const listed = await work.run(['state', 'list']);
    const known = new Set(listed.stdout.split('\n'));
    expect(reported.filter((addr) => !known.has(addr ?? ''))).toEqual([]);
  });
});
