// Ctrl-C while things are under way: the built program, with real signals.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const program = resolve(import.meta.dirname, '../bin/terrane');
let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-interrupt-'));
  writeFileSync(
    join(work, 'main.tf'),
    `resource "terraform_data" "before" {}

resource "time_sleep" "slow" {
  create_duration = "1h"
  depends_on      = [terraform_data.before]
}

resource "terraform_data" "after" {
  input = time_sleep.slow.id
}
`,
  );
});

afterEach(() => {
  rmSync(work, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Applies, and calls back with everything printed so far whenever more is printed. */
function apply(onOutput: (soFar: string, child: ChildProcess) => void): Promise<Ended> {
  const child = spawn(program, ['apply', '-auto-approve', '-no-color'], {
    cwd: work,
    env: { PATH: process.env['PATH'], HOME: work },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    onOutput(stdout, child);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return new Promise((done) => {
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

it('the first interrupt ends interruptible operations and starts no others', async () => {
  let sent = false;
  const { code, stdout, stderr } = await apply((soFar, child) => {
    if (sent || !soFar.includes('time_sleep.slow: Creating...')) return;
    sent = true;
    child.kill('SIGINT');
  });
  expect(stdout).toContain(
    'Interrupt received.\nPlease wait for Terrane to exit or data loss may occur.\n',
  );
  expect(stdout).toContain('Stopping operation...');
  expect(stdout).not.toContain('terraform_data.after: Creating...');
  expect(stderr).toContain('Create time sleep error');
  expect(code).toBe(1);
  const state = readFileSync(join(work, 'terraform.tfstate'), 'utf8');
  expect(state).toContain('"name": "before"');
  expect(state).not.toContain('"name": "after"');
});

it('the second interrupt does not wait, and loses nothing that was done', async () => {
  // A command that does not end when it is told to.
  writeFileSync(
    join(work, 'main.tf'),
    `resource "terraform_data" "before" {}

resource "terraform_data" "deaf" {
  depends_on = [terraform_data.before]
  provisioner "local-exec" {
    command = "test -e go || { trap '' TERM; echo listening no more; while test ! -e go; do sleep 0.1; done; }"
  }
}
`,
  );
  try {
    let sent = 0;
    const { code, stderr } = await apply((soFar, child) => {
      if (sent === 0 && soFar.includes('): listening no more')) {
        sent = 1;
        child.kill('SIGINT');
      } else if (sent === 1 && soFar.includes('Stopping operation...')) {
        sent = 2;
        child.kill('SIGINT');
      }
    });
    expect(stderr).toContain('Two interrupts received. Exiting immediately.');
    expect(code).toBe(1);
  } finally {
    writeFileSync(join(work, 'go'), '');
  }
  // Created objects are not created again.
  const again = await apply(() => undefined);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/Apply complete! Resources: 1 added, 0 changed, [01] destroyed\./);
});

it('concurrent operations add interrupt listeners without a warning', async () => {
  // Each waits for all of them.
  writeFileSync(
    join(work, 'main.tf'),
    `resource "terraform_data" "each" {
  count = 10
  provisioner "local-exec" {
    command = "touch here-\${count.index}; while test $(ls | grep -c here-) -lt 10; do sleep 0.05; done"
  }
}
`,
  );
  const { code, stderr } = await apply(() => undefined);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
