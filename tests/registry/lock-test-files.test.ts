// `providers lock` of the built program with test files, from an empty filesystem mirror: which providers it looks for.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../packages/cli/dist/terraform.js');
const requiring = (name: string): string =>
  `terraform {\n  required_providers {\n    ${name} = { source = "example.com/acme/${name}" }\n  }\n}\n`;
const FILES: Readonly<Record<string, string>> = {
  'main.tf': requiring('one'),
  'module/main.tf': requiring('two'),
  'spec/x.tftest.hcl': 'run "x" {\n  module {\n    source = "./module"\n  }\n}\n',
  '.terraform/modules/modules.json': JSON.stringify({
    Modules: [
      { Key: '', Source: '', Dir: '.' },
      { Key: 'test.spec.x.x', Source: './module', Dir: 'module' },
    ],
  }),
  'mirror/README': '',
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'terrane-lock-'));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(join(directory, dirname(name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function lock(...args: readonly string[]): string {
  const { status, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, 'providers', 'lock', '-no-color', '-fs-mirror=mirror', ...args],
    { cwd: directory, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: directory } },
  );
  expect(status).toBe(1);
  return stderr;
}

it('needs the providers of the configuration only', () => {
  const output = lock();
  expect(output).toContain('- example.com/acme/one:');
  expect(output).not.toContain('acme/two');
});

it('needs the providers of test files in -test-directory too', () => {
  const output = lock('-test-directory=spec');
  expect(output).toContain('- example.com/acme/one:');
  expect(output).toContain('- example.com/acme/two:');
});

it('refuses several mirrors', () => {
  expect(lock('-oci-mirror=reg.example/{type}')).toContain(
    'The mirror command line options are mutually-exclusive.',
  );
});
