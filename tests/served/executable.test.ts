// The executable of a provider, as whoever starts it sees it: its handshake, what it does when that goes wrong, and
// attaching to it while it runs.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { acceptanceTest } from '@terrane/provider-testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findTerraform, findTerrane } from '../differential/program.ts';
import { buildPlugins } from './build-plugins.ts';
import type { Built } from './build-plugins.ts';
import { ADDRESS, VERSION } from './test-provider/provider.ts';

const COOKIE = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
};

let built: Built;
let executable: string;
let directory: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  built = await buildPlugins([{ entry: 'noisy-probe.ts', address: ADDRESS, version: VERSION }]);
  executable = join(built.overrides.get(ADDRESS) ?? '', `terraform-provider-probe_v${VERSION}`);
  directory = mkdtempSync(join(tmpdir(), 'served-run-'));
});

afterEach(() => {
  for (const each of running.splice(0)) each.kill('SIGKILL');
});

afterAll(() => {
  built.dispose();
  rmSync(directory, { recursive: true, force: true });
});

function start(env: Readonly<Record<string, string>>, args: readonly string[] = []): ChildProcess {
  const child = spawn(executable, args, {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  return '';
}

it.each([{}, { TF_PLUGIN_MAGIC_COOKIE: 'biscuit' }])(
  'with the cookie %o it only explains itself',
  (env) => {
    const { status, stderr } = spawnSync(executable, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('This binary is a plugin.');
  },
);

it('output of the modules of a provider does not precede its handshake', async () => {
  const line = await firstLine(start({ ...COOKIE, PLUGIN_PROTOCOL_VERSIONS: '5,6' }));
  expect(line).toMatch(/^1\|6\|unix\|[^|]+\|grpc\|$/);
});

it('without a common version of the protocol it offers its lowest, for the other side to refuse', async () => {
  const line = await firstLine(start({ ...COOKIE, PLUGIN_PROTOCOL_VERSIONS: '3,4' }));
  expect(line).toMatch(/^1\|5\|/);
});

it('it listens on TCP if no socket can be created', async () => {
  const long = join(directory, 'd'.repeat(120));
  const line = await firstLine(
    start({
      ...COOKIE,
      PLUGIN_UNIX_SOCKET_DIR: long,
      PLUGIN_MIN_PORT: '23411',
      PLUGIN_MAX_PORT: '23499',
    }),
  );
  expect(line).toMatch(/^1\|5\|tcp\|127\.0\.0\.1:234\d\d\|grpc\|$/);
});

it('a plugin ends on a signal of the system, and removes its socket', async () => {
  const child = start(COOKIE);
  const socket = (await firstLine(child)).split('|')[3] ?? '';
  expect(existsSync(socket)).toBe(true);
  // Ctrl-C in a terminal reaches it too, and is for whoever started it to act on.
  child.kill('SIGINT');
  child.kill('SIGTERM');
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect(code).toBe(0);
  expect(existsSync(socket)).toBe(false);
});

/** A provider in debug mode, and what attaches to it. */
async function debugged(): Promise<{ readonly child: ChildProcess; readonly reattach: string }> {
  const child = start({}, ['-debug']);
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const reattach = /^\tTF_REATTACH_PROVIDERS='(.*)'$/.exec(line)?.[1];
    if (reattach !== undefined) return { child, reattach };
  }
  throw new Error('it does not say how to attach to it');
}

it('acceptance tests attach to a running provider, and leave it running', async () => {
  const { child, reattach } = await debugged();
  const test = {
    parentDirectory: directory,
    steps: [
      {
        config: 'resource "probe_identified" "it" {\n  name = "n"\n  region = "r"\n}\n',
        plan: { 'probe_identified.it': 'create' },
        state: { 'probe_identified.it': { id: 'identified/n', size: null } },
      },
      { import: 'probe_identified.it', id: 'r:n' },
      {
        config: 'resource "probe_identified" "it" {\n  name = "n"\n  region = "r"\n  size = 2\n}\n',
        plan: { 'probe_identified.it': 'update' },
      },
      {
        refresh: true,
        // The provider keeps its objects in the directory that it was started in.
        before: () => rmSync(join(directory, 'store/probe_identified-n.json')),
        plan: { 'probe_identified.it': 'create' },
      },
    ],
  } as const;
  await acceptanceTest({ ...test, providers: { [ADDRESS]: { kind: 'running', reattach } } });
  const other = acceptanceTest({ ...test, providers: { x: { kind: 'running', reattach } } });
  await expect(other).rejects.toThrow('registry.terraform.io/hashicorp/x does not run');
  expect(child.exitCode).toBeNull();
});

const CONFIG = `terraform {
  required_providers {
    probe = { source = "${ADDRESS}" }
  }
}
resource "probe_everything" "a" {
  name = "a"
  one  = { s = "x" }
}
`;

it.each([
  ['terrane', findTerrane()],
  ['terraform', findTerraform()],
] as const)('%s can be attached to a provider that somebody runs', async (_name, program) => {
  // The other suites insist on it where it has to be there.
  if (program === undefined) return;
  const { child, reattach } = await debugged();
  const work = mkdtempSync(join(directory, 'work-'));
  writeFileSync(join(work, 'main.tf'), CONFIG);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: work,
    CHECKPOINT_DISABLE: '1',
    TF_REATTACH_PROVIDERS: reattach,
  };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program.command, args, {
      cwd: work,
      env,
      encoding: 'utf8',
    });
    return { status, text: stdout + stderr };
  };
  expect(run('init')).toMatchObject({ status: 0 });
  const applied = run('apply', '-auto-approve', '-no-color');
  expect(applied.text).toContain('Apply complete! Resources: 1 added');
  expect(readFileSync(join(work, 'terraform.tfstate'), 'utf8')).toContain('made in one');
  expect(run('destroy', '-auto-approve', '-no-color').text).toContain(
    'Destroy complete! Resources: 1 destroyed',
  );
  // It goes on for the next run, until somebody ends it.
  expect(child.exitCode).toBeNull();
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
});
