// Functions of configured providers, as OpenTofu calls them: the built program and a plugin in a process of its own.
// The expected values are OpenTofu 1.12's; Terraform's are those of a provider that is not configured.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, 'greeting-provider.ts');
let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-configured-functions-'));
  const plugins = join(work, 'plugins');
  mkdirSync(plugins);
  const executable = join(plugins, 'terraform-provider-greeting');
  writeFileSync(
    executable,
    `#!/bin/sh\nexec "${process.execPath}" --conditions=terrane-source "${source}"\n`,
  );
  chmodSync(executable, 0o755);
  writeFileSync(
    join(work, 'cli.tfrc'),
    `provider_installation {\n  dev_overrides {\n    "acme/greeting" = "${plugins}"\n  }\n}\n`,
  );
});

afterEach(() => {
  rmSync(work, { recursive: true, force: true });
});

const REQUIRED = `
terraform {
  required_providers {
    greeting = { source = "acme/greeting" }
  }
}
`;
const CONFIGURED = `
resource "terraform_data" "name" {
  input = "Hello"
}

provider "greeting" {
  greeting = "Good day,"
  function = "main"
}

provider "greeting" {
  alias    = "by"
  greeting = "\${terraform_data.name.output},"
  function = "salute"
}
`;
const CALLS = `
output "default" {
  value = provider::greeting::greet("Ada").greeting
}

output "alias" {
  value = provider::greeting::by::greet("Ada").greeting
}

output "listed" {
  value = provider::greeting::main("Ada")
}

output "listed_by_alias" {
  value = provider::greeting::by::salute("Ada")
}
`;

type ProgramName = 'terraform' | 'terrane' | 'tofu';

function run(program: ProgramName, configuration: string, ...args: readonly string[]) {
  writeFileSync(join(work, 'main.tf'), REQUIRED + configuration);
  const script = resolve(import.meta.dirname, `../../packages/cli/dist/${program}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args, '-no-color'], {
    cwd: work,
    env: { ...process.env, TF_CLI_CONFIG_FILE: join(work, 'cli.tfrc') },
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.replaceAll(/\s+/g, ' ') };
}

function outputs(program: ProgramName): unknown {
  const { stdout } = run(program, CONFIGURED + CALLS, 'output', '-json');
  const values = JSON.parse(stdout) as Readonly<Record<string, { readonly value: unknown }>>;
  return Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
}

it('calls functions on the configuration that the alias names, once it is configured', () => {
  const applied = run('tofu', CONFIGURED + CALLS, 'apply', '-auto-approve');
  expect(applied).toMatchObject({ status: 0 });
  expect(outputs('tofu')).toEqual({
    default: 'Good day, Ada',
    alias: 'Hello, Ada',
    listed: { greeting: 'Good day, Ada', by: 'main' },
    listed_by_alias: { greeting: 'Hello, Ada', by: 'salute' },
  });
});

it('reports functions that the configured provider does not list, while planning', () => {
  const calls = CONFIGURED + 'output "missing" { value = provider::greeting::by::main("Ada") }\n';
  expect(run('tofu', calls, 'validate').status).toBe(0);
  const { status, stderr } = run('tofu', calls, 'plan');
  expect(status).toBe(1);
  expect(stderr).toContain('Error: Function not found in provider');
});

it('calls functions without an alias on any instance of the provider under its own name', () => {
  const calls = `${CONFIGURED}
output "default" { value = provider::greeting::greet("Ada").by }
output "alias" { value = provider::greeting::by::salute("Ada").greeting }
`;
  expect(run('terrane', calls, 'apply', '-auto-approve')).toMatchObject({ status: 0 });
  expect(outputs('terrane')).toEqual({ default: 'greet', alias: 'Hello, Ada' });
});

it('rejects an alias when called as terraform', () => {
  const { status, stderr } = run('terraform', CONFIGURED + CALLS, 'validate');
  expect(status).toBe(1);
  expect(stderr).toContain('There is no function named "provider::greeting::by::greet".');
});
