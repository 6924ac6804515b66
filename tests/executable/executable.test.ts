// The single executable: it works without any other file, and takes code from no other file.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { nodeHost } from '@terrane/host';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Collector } from '../traces/collector.ts';

const root = resolve(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'terrane-executable-'));
const executable = join(place, 'built', `${process.platform}-${process.arch}`, 'terrane');
let work: string;

beforeAll(() => {
  const args = [join(root, 'scripts/build-executable.ts'), '--out', join(place, 'built')];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 300_000);

beforeEach(() => {
  work = mkdtempSync(join(place, 'work-'));
  mkdirSync(join(work, 'temporary'));
});

test('V8 accepts the compiled code of both scripts, under the options of the start and after their reset', () => {
  const compiled = { TERRANE_CODE_CACHE: 'require' };
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
  for (const args of [['validate'], ['apply', '-auto-approve'], ['drift']])
    expect(run(executable, args, compiled)).toMatchObject({ status: 0, stderr: '' });
});

test.each(['fmt', 'validate', 'plan'])('%s loads no large module of Node.js', (command) => {
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
  const profiles = join(work, 'profiles');
  const env = {
    ...environment(),
    NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}`,
    // Also on a slow machine the run is not a long one, which would load node:v8.
    TERRANE_CODE_CACHE: 'require',
  };
  // A terminal or a pipe would be a stream.
  const { status } = spawnSync(executable, [command], { cwd: work, env, stdio: 'ignore' });
  expect(status).toBe(0);
  const [profile = ''] = readdirSync(profiles);
  const text = readFileSync(join(profiles, profile), 'utf8');
  expect(text).toContain('node:vm');
  expect(text).not.toMatch(/node:(?:stream|v8|crypto|zlib|fs\/promises)"/);
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Nothing of the caller: no PATH with a Node.js either. */
const environment = (): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  HOME: work,
  TMPDIR: join(work, 'temporary'),
  CHECKPOINT_DISABLE: '1',
});

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: work, encoding: 'utf8', env: { ...environment(), ...env } } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  return { status, stdout, stderr };
}

test('an estate is planned, applied and destroyed', () => {
  writeFileSync(
    join(work, 'main.tf'),
    'resource "random_pet" "a" {}\nresource "local_file" "a" {\n  filename = "out"\n  content  = random_pet.a.id\n}\n',
  );
  expect(run(executable, ['version']).stdout).toMatch(/^Terrane v/);
  expect(run(executable, ['init'])).toMatchObject({ status: 0, stderr: '' });
  expect(run(executable, ['apply', '-auto-approve'])).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(join(work, 'out'), 'utf8')).toMatch(/^\w+-\w+$/);
  expect(run(executable, ['plan', '-detailed-exitcode'])).toMatchObject({ status: 0, stderr: '' });
  expect(run(executable, ['destroy', '-auto-approve'])).toMatchObject({ status: 0, stderr: '' });
  // The addon was there only while it was loaded.
  expect(readdirSync(join(work, 'temporary'))).toEqual([]);
});

test('the state is locked by the addon', async () => {
  writeFileSync(
    join(work, 'main.tf'),
    'resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = "touch started; while [ ! -e end ]; do sleep 0.05; done"\n  }\n}\n',
  );
  const child = spawn(executable, ['apply', '-auto-approve'], { cwd: work, env: environment() });
  const ended = new Promise((done) => child.once('close', done));
  child.stdout.resume();
  child.stderr.resume();
  const { files } = nodeHost({ cwd: work });
  await expect.poll(() => existsSync(join(work, 'started'))).toBe(true);
  expect((await files.lock('terraform.tfstate')).kind).toBe('held');
  writeFileSync(join(work, 'end'), '');
  expect(await ended).toBe(0);
  const after = await files.lock('terraform.tfstate');
  expect(after.kind).toBe('locked');
  if (after.kind === 'locked') await after.lock.release();
});

test('libraries are loaded when they are needed', async () => {
  await using collector = await Collector.start();
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
  const env = {
    ...environment(),
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
  const child = spawn(executable, ['plan'], { cwd: work, env, stdio: 'ignore' });
  expect(await new Promise((done) => child.once('close', done))).toBe(0);
  expect(collector.spans().map(({ name }) => name)).toContain('terrane plan');
});

test('files beside it, in the working directory and in search paths are not run', () => {
  const planted = "require('node:fs').writeFileSync('planted', '');\n";
  const beside = join(work, 'beside');
  mkdirSync(beside);
  linkSync(executable, join(beside, 'terrane'));
  for (const folder of [beside, work]) {
    for (const name of ['program.cjs', 'program.cache', 'seldom.cjs', 'library-yaml.cjs'])
      writeFileSync(join(folder, name), planted);
    for (const modules of ['node_modules', '.node_modules']) {
      mkdirSync(join(folder, modules, 'fs-native-extensions'), { recursive: true });
      writeFileSync(join(folder, modules, 'fs-native-extensions/index.js'), planted);
    }
  }
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {}\n');
  const env = { NODE_PATH: join(work, 'node_modules') };
  const done = run(join(beside, 'terrane'), ['apply', '-auto-approve'], env);
  expect(done).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(join(work, 'planted'))).toBe(false);
});

test('the shim runs it under the name of Terraform and OpenTofu', () => {
  expect(run(executable, ['shim', 'bin']).status).toBe(0);
  expect(run(executable, ['shim', '-tofu', 'bin']).status).toBe(0);
  expect(run(join(work, 'bin/terraform'), ['version']).stdout).toMatch(/^Terraform v/);
  expect(run(join(work, 'bin/tofu'), ['version']).stdout).toMatch(/^OpenTofu v/);
  expect(run(join(work, 'bin/tofu'), ['plan', '-help']).stdout).toMatch(/^Usage: tofu /);
});

test('the program of a clone runs it', () => {
  const clone = join(work, 'clone');
  const launcher = join(clone, 'bin/terrane');
  const stand = join(clone, 'packages/cli/executable/terrane');
  for (const path of [launcher, stand]) mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(root, 'bin/terrane'), launcher);
  writeFileSync(stand, '#!/bin/sh\necho "executable: $*"\n');
  chmodSync(stand, 0o755);
  expect(run(launcher, ['plan', '-out=x y']).stdout).toBe('executable: plan -out=x y\n');
});
