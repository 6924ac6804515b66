// The example of a program that embeds the engine runs: to its end, and when it is stopped on its way.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-embed-'));
  onTestFinished(() => rmSync(work, { recursive: true }));
  copyFileSync(join(root, 'examples/embed/main.tf'), join(work, 'main.tf'));
});

/** Runs it; `interruptAt` interrupts as soon as this was printed. */
async function embed(seconds: string, interruptAt?: string) {
  const program = join(root, 'examples/embed/embed.ts');
  const args = ['--conditions=terrane-source', program, work, seconds];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  let isInterrupted = false;
  child.stdout.on('data', (piece: Buffer) => {
    stdout += piece.toString();
    if (interruptAt === undefined || isInterrupted || !stdout.includes(interruptAt)) return;
    isInterrupted = true;
    child.kill('SIGINT');
  });
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const code = await new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return { code, stdout, stderr };
}

test('the example loads, plans, applies and reports', async () => {
  expect(await embed('0')).toEqual({
    code: 0,
    stderr: '',
    stdout: `resources: terraform_data.greeting, time_sleep.pause, terraform_data.after
will create terraform_data.after
will create terraform_data.greeting
will create time_sleep.pause
create terraform_data.greeting ...
create terraform_data.greeting: done
create time_sleep.pause ...
create time_sleep.pause: done
create terraform_data.after ...
create terraform_data.after: done
hello world
`,
  });
});

test('the example ends softly when it is interrupted', async () => {
  const { code, stdout, stderr } = await embed('600', 'create time_sleep.pause ...');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: /);
  expect(stdout).not.toContain('\ncreate terraform_data.after');
  const state = readFileSync(join(work, 'terraform.tfstate'), 'utf8');
  expect(state).toContain('"greeting"');
});
