import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PROGRAM = resolve('bin/terrane');

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'terrane-json-into-'));
  writeFileSync(join(directory, 'main.tf'), 'resource "terraform_data" "a" {}\n');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a script of the shell, in which `$terrane` is the program. */
function shell(script: string): string {
  const env = { PATH: process.env['PATH'], HOME: directory, terrane: PROGRAM };
  return execFileSync('sh', ['-c', script], { cwd: directory, env, encoding: 'utf8' });
}

const types = (lines: string): readonly unknown[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line): unknown => (JSON.parse(line) as { type?: unknown }).type); // Each line is an object.

const PLANNED = ['version', 'planned_change', 'change_summary'];

it('writes into a descriptor of a file that the shell has opened', () => {
  const shown = shell('"$terrane" plan -json-into=/dev/fd/3 3>out.json');
  expect(shown).toContain('# terraform_data.a will be created');
  expect(types(readFileSync(join(directory, 'out.json'), 'utf8'))).toEqual(PLANNED);
});

it('writes into a pipe', () => {
  const json = shell('{ "$terrane" plan -json-into=/dev/fd/3 3>&1 >shown.txt; } | cat');
  expect(types(json)).toEqual(PLANNED);
  expect(readFileSync(join(directory, 'shown.txt'), 'utf8')).toContain('Plan: 1 to add');
});

it('writes into a named pipe', () => {
  const json = shell('mkfifo p; "$terrane" plan -json-into=p >shown.txt & cat p; wait');
  expect(types(json)).toEqual(PLANNED);
});

it('completes if the file cannot be written, and reports it', () => {
  const output = shell('"$terrane" apply -auto-approve -json-into=/dev/full 2>&1; echo "code $?"');
  expect(output).toContain('Apply complete! Resources: 1 added');
  expect(output).toContain('Warning: not all of the output could be written to "/dev/full"');
  expect(output).toContain('code 0');
});

it('makes a file that only its owner can read', () => {
  shell('umask 000; "$terrane" plan -json-into=out.json');
  expect(statSync(join(directory, 'out.json')).mode & 0o777).toBe(0o600);
});
