// `init` with providers under development.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const program = resolve(import.meta.dirname, '../../bin/terrane');

it('init neither looks for a provider under dev_overrides nor drops it from the lock file', () => {
  const work = mkdtempSync(join(tmpdir(), 'terrane-overrides-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  mkdirSync(join(work, 'empty'));
  writeFileSync(
    join(work, 'main.tf'),
    'terraform {\n  required_providers {\n    x = { source = "acme/x" }\n  }\n}\n',
  );
  const lock = 'provider "registry.terraform.io/acme/x" {\n  version = "1.2.3"\n}\n';
  writeFileSync(join(work, '.terraform.lock.hcl'), lock);
  writeFileSync(
    join(work, 'cli.tfrc'),
    `provider_installation {\n  dev_overrides {\n    "acme/x" = "${work}"\n  }\n  filesystem_mirror {\n    path = "${work}/empty"\n  }\n}\n`,
  );
  const env = { PATH: process.env['PATH'], HOME: work, TF_CLI_CONFIG_FILE: join(work, 'cli.tfrc') };
  const { status, stdout, stderr } = spawnSync(program, ['init', '-no-color'], {
    cwd: work,
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('Finding');
  // Recorded of Terraform 1.17-dev; up to 1.13 it looked for the provider.
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    `- acme/x in ${work} These providers are not installed as part of init since they were overwritten.`,
  );
  expect(readFileSync(join(work, '.terraform.lock.hcl'), 'utf8')).toBe(lock);
});
