// Published providers as processes: start, end and logs, equal to those of Terraform 1.11.4.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cliConfig } from '../../scripts/oracle/install-providers.mjs';
import { missingProviders } from '../differential/installed-providers.ts';
import { findTerraform, mirrorDirectory } from '../differential/program.ts';

const program = resolve(import.meta.dirname, '../../bin/terrane');
// The module proxy has the time provider, so that every machine with Go can build it.
const missing = [
  ...(findTerraform() === undefined ? ['terraform on PATH'] : []),
  ...missingProviders({ providers: ['time'] }).map(
    (name) => `provider ${name} (scripts/oracle/install-providers.mjs)`,
  ),
];
const present = missing.length === 0;
let work: string;

it.runIf(process.env['CI'] === 'true')('nothing is missing that these tests need', () => {
  expect(missing).toEqual([]);
});

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-plugins-'));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onOutput: (soFar: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(program, [...args], {
    cwd: work,
    env: { ...process.env, TF_CLI_CONFIG_FILE: join(work, 'cli.tfrc'), ...env },
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

const REQUIRED = `terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}
`;

function project(text: string): void {
  writeFileSync(join(work, 'main.tf'), REQUIRED + text);
  writeFileSync(join(work, 'cli.tfrc'), cliConfig(mirrorDirectory()));
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: 'cli.tfrc' };
  const made = spawnSync('terraform', ['init', '-input=false'], { cwd: work, env });
  expect(made.status).toBe(0);
}

it.skipIf(!present)(
  'the first interrupt cancels operations of the provider, as in Terraform',
  async () => {
    project('resource "time_sleep" "slow" {\n  create_duration = "100s"\n}\n');
    let sent = false;
    const ended = await run(['apply', '-auto-approve', '-no-color'], {}, (soFar, child) => {
      // A provider cannot stop what it has not been asked for yet.
      if (sent || !soFar.includes('time_sleep.slow: Still creating...')) return;
      sent = true;
      child.kill('SIGINT');
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Error: Create time sleep error');
    expect(ended.stderr).toContain('with time_sleep.slow,');
    expect(ended.stderr).toContain('Original Error: context canceled');
    expect(readFileSync(join(work, 'terraform.tfstate'), 'utf8')).not.toContain('time_sleep');
  },
);

const COUNTED = `provider "time" {}
provider "time" {
  alias = "other"
}
resource "time_static" "a" {}
resource "time_static" "b" {
  provider = time.other
}
output "hours" {
  value = provider::time::duration_parse("3h").hours
}
`;

it.skipIf(!present)(
  'there is a process for each configuration, and the log reports it',
  async () => {
    project(COUNTED);
    const log = join(work, 'all.log');
    const ended = await run(['apply', '-auto-approve', '-no-color'], {
      TF_LOG: 'debug',
      TF_LOG_PATH: log,
    });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('hours = 3');
    const lines = readFileSync(log, 'utf8').split('\n');
    const started = lines.filter((line) => line.includes('provider: starting plugin: path='));
    // Two while planning, two while applying: a provider that is configured cannot be configured again.
    expect(started.length).toBeLessThanOrEqual(4);
    expect(started.length).toBeGreaterThanOrEqual(2);
    const exits = lines.filter((line) => line.includes('[INFO]  provider: plugin process exited'));
    expect(exits).toHaveLength(started.length);
    const addressLine = lines.find((line) => line.includes('plugin address: address='));
    expect(addressLine).toMatch(
      /^\S+Z \[DEBUG\] provider\.terraform-provider-time_v[\d.]+_x5: plugin address: address=\S+ network=unix timestamp=\S+$/,
    );
  },
);

it.skipIf(!present)(
  'a long name of the temporary directory does not matter, nor does TLS',
  async () => {
    project('output "o" {\n  value = provider::time::duration_parse("3h").minutes\n}\n');
    const long = join(work, 'x'.repeat(60), 'y'.repeat(60));
    mkdirSync(long, { recursive: true });
    for (const env of [{ TMPDIR: long }, { TF_DISABLE_PLUGIN_TLS: '1' }]) {
      const ended = await run(['plan', '-no-color'], env);
      expect(ended.stderr).toBe('');
      expect(ended.stdout).toContain('+ o = 180');
    }
  },
);

it.skipIf(!present)('providers end with the program, however that ends', async () => {
  project('resource "time_sleep" "slow" {\n  create_duration = "100s"\n}\n');
  const texts = ['time_sleep.slow: Creating...', 'Interrupt received.'];
  await run(['apply', '-auto-approve', '-no-color'], {}, (soFar, child) => {
    if (texts[0] === undefined || !soFar.includes(texts[0])) return;
    texts.shift();
    child.kill('SIGINT');
  });
  await expect
    .poll(() => {
      const processes = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout;
      return processes.split('\n').filter((line) => line.startsWith(work));
    })
    .toEqual([]);
});
