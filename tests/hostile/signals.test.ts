// Signals that end programs: an apply ends softly, and nothing is lost.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Work } from './fixture.ts';

describe.skipIf(process.platform === 'win32')('an apply ends softly', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('at %s', async (signal) => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "before" {}
resource "time_sleep" "slow" {
  create_duration = "1h"
  depends_on      = [terraform_data.before]
}
resource "terraform_data" "after" {
  input = time_sleep.slow.id
}
`,
    });
    let isSent = false;
    const ended = await work.run(['apply', '-auto-approve', '-no-color'], {
      onOutput(soFar, child) {
        if (isSent || !soFar.includes('time_sleep.slow: Creating...')) return;
        isSent = true;
        child.kill(signal);
      },
    });
    expect(ended.stdout).toContain('Interrupt received.');
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(existsSync(work.at('.terraform.tfstate.lock.info'))).toBe(false);
    expect(work.read('terraform.tfstate')).toContain('"before"');
    expect(work.read('terraform.tfstate')).not.toContain('"after"');
  });

  it('and a plan that was interrupted fails and cannot be applied', async () => {
    const before = 'resource "terraform_data" "before" {}\n';
    const work = new Work({ 'main.tf': before });
    expect(await work.run(['apply', '-auto-approve'])).toMatchObject({ code: 0 });
    work.write(
      'main.tf',
      `${before}resource "terraform_data" "after" {
  count = 200000
  input = terraform_data.before.id
}
`,
    );
    const state = work.read('terraform.tfstate');
    let isSent = false;
    const planned = await work.run(['plan', '-no-color', '-out=saved'], {
      onOutput(soFar, child) {
        if (isSent || !soFar.includes('terraform_data.before: Refreshing state...')) return;
        isSent = true;
        child.kill('SIGINT');
      },
    });
    expect(planned.stdout).toContain('Interrupt received.');
    expect(planned.stderr).toContain('Error: execution halted');
    expect(planned).toMatchObject({ code: 1, signal: null });
    const applied = await work.run(['apply', '-no-color', 'saved']);
    expect(applied.stderr).toContain('Cannot apply incomplete plan');
    expect(work.read('terraform.tfstate')).toBe(state);
  });

  it('and the error of a local-exec that was ended does not repeat its output', async () => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "for i in 1 2 3; do echo shown $i; done; exec sleep 100"
  }
}
`,
    });
    let isSent = false;
    const { stderr } = await work.run(['apply', '-auto-approve', '-no-color'], {
      onOutput(soFar, child) {
        if (isSent || !soFar.includes('shown 3\n')) return;
        isSent = true;
        child.kill('SIGINT');
      },
    });
    expect(stderr).toContain('signal: killed.');
    expect(stderr).not.toContain('shown 1');
  });
});
