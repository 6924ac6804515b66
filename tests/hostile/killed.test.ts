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

  it('are named by plan and state recover with the values to be stored', async () => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "ready" {}
resource "terraform_data" "provisioned" {
  depends_on = [terraform_data.ready]
  provisioner "local-exec" {
    command = "sleep 5"
  }
}
`,
    });
    await work.run(['apply', '-auto-approve', '-no-color'], {
      onOutput(soFar, child) {
        if (soFar.includes('(local-exec): Executing')) child.kill('SIGKILL');
      },
    });
    const changes = `Changes that it adds to the state (2):

  store terraform_data.ready
  store terraform_data.provisioned as tainted: to be replaced
`;
    const plan = await work.run(['plan', '-no-color']);
    const output = plan.stdout.replace(/\s+/g, ' ');
    expect(output).toContain('(2 changes)');
    expect(output).toContain(
      'one that only reads it, such as "terrane plan", leaves the files as they are.',
    );
    expect(output).toContain('To store them now: terrane state recover -write');
    expect(output).toContain('terraform_data.provisioned is tainted, so must be replaced');
    const shown = await work.run(['state', 'recover']);
    expect(shown.stdout).toContain(changes);
    expect(shown.stdout).toContain(
      'Nothing was changed. Commands that only read the state use these changes without storing them;',
    );
    const written = await work.run(['state', 'recover', '-write']);
    expect(written.stdout).toContain(`${changes}\nThe state was stored.\n`);
    const after = await work.run(['plan', '-no-color']);
    expect(after.stdout).not.toContain('State recovered');
    expect(after.stdout).toContain('terraform_data.provisioned is tainted, so must be replaced');
    expect((await work.run(['state', 'recover'])).stdout).toBe(
      'No run has left a journal: there is nothing to recover.\n',
    );
  });
});
