import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const terrane = join(import.meta.dirname, '../../bin/terrane');

let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "terrane shim's-"));
  onTestFinished(() => rmSync(work, { recursive: true }));
});

function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: work,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: work, ...env },
  });
  return { status, stdout, stderr };
}

describe.skipIf(process.platform === 'win32')('terrane shim', () => {
  test('writes a program that is Terrane and answers to the name of Terraform', () => {
    const made = start(terrane, ['shim', 'some bin']);
    expect(made).toMatchObject({ status: 0, stderr: '' });
    const path = /export (PATH=.*)/.exec(made.stdout)?.[1] ?? '';
    const result = start('sh', ['-c', `${path} terraform version`]);
    expect(result.stdout).toMatch(/^Terraform v1\.11\.4\n/);
    // Arguments, exit codes and the environment pass through.
    writeFileSync(join(work, 'main.tf'), 'variable "x" {}\noutput "x" {\n  value = var.x\n}\n');
    const shim = join(work, 'some bin/terraform');
    const planned = start(shim, ['plan', '-detailed-exitcode', '-no-color'], { TF_VAR_x: "a b'c" });
    expect(planned.status).toBe(2);
    expect(planned.stdout).toContain(`+ x = "a b'c"`);
    // It needs nothing in PATH: callers may clear it.
    expect(start(shim, ['version'], { PATH: '' }).status).toBe(0);
  });

  test('answers to the name of OpenTofu with -tofu', () => {
    expect(start(terrane, ['shim', '-tofu', 'bin']).stdout).toContain('run OpenTofu use it with');
    const tofu = join(work, 'bin/tofu');
    expect(start(tofu, ['version']).stdout).toMatch(/^OpenTofu v1\.\d+\.\d+\n/);
    writeFileSync(
      join(work, 'main.tf'),
      'module "a" {\n  source = "git::https://example.invalid/a"\n}\n',
    );
    expect(start(tofu, ['plan', '-no-color']).stderr).toContain('Run "tofu init" to install');
    expect(start(tofu, ['plan', '-help']).stdout).toMatch(/^Usage: tofu /);
  });

  test('overwrites itself, but never another program', () => {
    expect(start(terrane, ['shim', 'bin']).status).toBe(0);
    expect(start(terrane, ['shim', 'bin']).status).toBe(0);
    mkdirSync(join(work, 'other'));
    writeFileSync(join(work, 'other/terraform'), 'the real one');
    const refused = start(terrane, ['shim', 'other']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('is none of ours');
    expect(readFileSync(join(work, 'other/terraform'), 'utf8')).toBe('the real one');
  });

  test('reports unsupported cases', () => {
    expect(start(terrane, ['shim']).stderr).toContain('expects one argument');
    writeFileSync(join(work, 'file'), '');
    const failed = start(terrane, ['shim', 'file']);
    expect(failed).toMatchObject({ status: 1, stdout: '' });
    expect(failed.stderr).toContain('file/terraform could not be written');
  });

  test('is found through a link of that name too', () => {
    const built = join(import.meta.dirname, '../../packages/cli/dist/terrane.js');
    symlinkSync(built, join(work, 'terraform'));
    expect(start(join(work, 'terraform'), ['version']).stdout).toMatch(/^Terraform v/);
  });
});
