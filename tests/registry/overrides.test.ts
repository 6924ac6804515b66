// Providers under development: what `init` does with them, and which commands warn of them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findTerraform, findTerrane } from '../differential/program.ts';

const program = findTerrane().command;

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

/** The commands, in the order in which they run in one directory, and whether Terraform 1.11 warns of overrides. */
const COMMANDS: readonly (readonly [string, boolean])[] = [
  ['validate -no-color', true],
  ['import -no-color terraform_data.b x', false],
  ['plan -no-color -out=saved', true],
  ['show -no-color saved', false],
  ['apply -no-color saved', true],
  ['apply -no-color -auto-approve', true],
  ['refresh -no-color', false],
  ['apply -no-color -refresh-only -auto-approve', true],
  ['console', false],
  ['test -no-color', false],
  ['output -no-color', false],
  ['destroy -no-color -auto-approve', true],
];

describe('commands that warn of providers under development', () => {
  const programs = [findTerraform(), findTerrane()].flatMap((each) => each ?? []);
  it.each(programs.map((each) => [each.name, each.command] as const))('%s', (_, command) => {
    const work = mkdtempSync(join(tmpdir(), 'terrane-overrides-'));
    onTestFinished(() => rmSync(work, { recursive: true, force: true }));
    writeFileSync(
      join(work, 'main.tf'),
      'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {}\noutput "o" { value = 1 }\n',
    );
    writeFileSync(
      join(work, 'cli.tfrc'),
      `provider_installation {\n  dev_overrides {\n    "acme/x" = "${work}"\n  }\n  direct {}\n}\n`,
    );
    const env = {
      PATH: process.env['PATH'],
      HOME: work,
      TF_CLI_CONFIG_FILE: join(work, 'cli.tfrc'),
    };
    const warned = COMMANDS.map(([line]) => {
      const args = line.split(' ');
      const ran = spawnSync(command, args, { cwd: work, env, encoding: 'utf8', input: '' });
      expect([line, ran.status, ran.stderr]).toEqual([line, 0, '']);
      const [warning, first] = [
        ran.stdout.indexOf('Provider development overrides are in effect'),
        ran.stdout.indexOf('terraform_data.'),
      ];
      // The warning precedes the progress of the run.
      if (warning !== -1 && first !== -1) expect(warning).toBeLessThan(first);
      return [line, warning !== -1];
    });
    expect(warned).toEqual(COMMANDS);
  });
});
