// Plugins whose calls are interrupted, never answered or broken off by a crash: the built program, a plugin in
// a process of its own, and real signals.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const program = resolve(import.meta.dirname, '../../bin/terrane');
const source = resolve(import.meta.dirname, 'odd-provider.ts');
let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-plugin-life-'));
  const plugins = join(work, 'plugins');
  mkdirSync(plugins);
  const executable = join(plugins, 'terraform-provider-odd');
  writeFileSync(
    executable,
    `#!/bin/sh\nexec "${process.execPath}" --conditions=terrane-source "${source}"\n`,
  );
  chmodSync(executable, 0o755);
  writeFileSync(
    join(work, 'cli.tfrc'),
    `provider_installation {\n  dev_overrides {\n    "acme/odd" = "${plugins}"\n  }\n}\n`,
  );
});

afterEach(() => {
  rmSync(work, { recursive: true, force: true });
});

function configure(modes: Readonly<Record<string, string>>): void {
  const things = Object.entries(modes).map(
    ([name, mode]) => `resource "odd_thing" "${name}" {\n  mode = "${mode}"\n}\n`,
  );
  const required =
    'terraform {\n  required_providers {\n    odd = { source = "acme/odd" }\n  }\n}\n';
  writeFileSync(join(work, 'main.tf'), [required, ...things].join('\n'));
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

function apply(
  onOutput: (soFar: string, child: ChildProcess) => void = () => undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(program, ['apply', '-auto-approve', '-no-color'], {
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
  const begun = performance.now();
  return new Promise((done) => {
    child.on('close', (code) => done({ code, stdout, stderr, ms: performance.now() - begun }));
  });
}

/** Sends an interrupt when each of the texts has been printed. */
function interruptAt(...texts: readonly string[]): (soFar: string, child: ChildProcess) => void {
  let sent = 0;
  return (soFar, child) => {
    const text = texts[sent];
    if (text === undefined || !soFar.includes(text)) return;
    sent++;
    child.kill('SIGINT');
  };
}

const state = (): string => readFileSync(join(work, 'terraform.tfstate'), 'utf8');

it('the first interrupt requests plugins to stop, and awaits their responses', async () => {
  configure({ a: 'stops' });
  const { code, stderr } = await apply(interruptAt('odd_thing.a: Creating...'));
  expect(stderr).toContain('stopped as asked');
  expect(stderr).not.toContain('Two interrupts');
  expect(code).toBe(1);
  expect(state()).not.toContain('odd_thing');
});

it('the second interrupt ends an unresponsive plugin and records completed operations', async () => {
  configure({ a: 'quick', b: 'deaf' });
  const { code, stderr } = await apply(
    interruptAt('odd_thing.a: Creation complete', 'Stopping operation...'),
  );
  expect(stderr).toContain('Two interrupts received. Exiting immediately.');
  expect(code).toBe(1);
  expect(state()).toContain('made-quick');
  expect(state()).not.toContain('made-deaf');
});

it('a plugin that exits during a creation is reported, and other created objects are kept', async () => {
  configure({ a: 'quick' });
  expect((await apply()).code).toBe(0);
  configure({ a: 'quick', b: 'crashes' });
  const { code, stderr } = await apply();
  expect(code).toBe(1);
  expect(stderr).toContain('Plugin did not respond');
  expect(stderr).toContain('odd_thing.b');
  expect(stderr).toContain("The plugin's process ended with code 3.");
  expect(state()).toContain('made-quick');
});
