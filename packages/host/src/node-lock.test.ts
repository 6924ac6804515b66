import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileLock } from './file-system.ts';
import { nodeFiles } from './node-files.ts';

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'lock-')));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function probe(): Promise<boolean> {
  const result = await nodeFiles(tmpdir()).lock(`probe-${process.pid}`);
  if (result.kind !== 'locked') return false;
  await result.lock.release();
  return true;
}

async function lockOf(name: string): Promise<FileLock> {
  const result = await nodeFiles(directory).lock(name);
  if (result.kind !== 'locked') throw new Error(`not locked: ${result.kind}`);
  return result.lock;
}

const supported = await probe();
const terraform =
  supported && spawnSync('terraform', ['version'], { stdio: 'ignore' }).status === 0;

describe.runIf(supported)('the lock of a file', () => {
  it('excludes a second holder until it is released', async () => {
    const lock = await lockOf('s');
    expect((await nodeFiles(directory).lock('s')).kind).toBe('held');
    await lock.release();
    await (await lockOf('s')).release();
  });

  it('creates the file, and removes it if it is still empty', async () => {
    const lock = await lockOf('s');
    expect(lock.created).toBe(true);
    expect(statSync(join(directory, 's')).size).toBe(0);
    await lock.release();
    expect(existsSync(join(directory, 's'))).toBe(false);
  });

  it('moves along when the file is replaced', async () => {
    writeFileSync(join(directory, 's'), 'old');
    const lock = await lockOf('s');
    await lock.replace('new');
    expect((await nodeFiles(directory).lock('s')).kind).toBe('held');
    await lock.release();
    expect(readFileSync(join(directory, 's'), 'utf8')).toBe('new');
    await (await lockOf('s')).release();
  });

  it('stays with the file when replacing fails', async () => {
    writeFileSync(join(directory, 's'), 'old');
    const lock = await lockOf('s');
    const beforeCommit = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(lock.replace('new', { beforeCommit })).rejects.toThrow('no');
    expect((await nodeFiles(directory).lock('s')).kind).toBe('held');
    expect(readFileSync(join(directory, 's'), 'utf8')).toBe('old');
    await lock.release();
  });

  it('has one holder, however many try', async () => {
    writeFileSync(join(directory, 's'), '{}');
    const results = await Promise.all(
      Array.from({ length: 20 }, () => nodeFiles(directory).lock('s')),
    );
    const held = results.filter((result) => result.kind === 'locked');
    expect(held.length).toBe(1);
    for (const result of held) await result.lock.release();
  });
});

describe.runIf(terraform)('the lock and Terraform', () => {
  const run = (...args: string[]): ChildProcess =>
    spawn('terraform', args, {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: directory, CHECKPOINT_DISABLE: '1' },
    });
  const finish = async (child: ChildProcess): Promise<{ code: number | null; output: string }> => {
    let output = '';
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
    return await new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
  };
  /** Waits until a process holds a file open. */
  const hasOpened = async ({ pid }: ChildProcess, path: string): Promise<void> => {
    const descriptors = `/proc/${pid}/fd`;
    const linkOf = (name: string): string => {
      try {
        return readlinkSync(join(descriptors, name));
      } catch {
        return ''; // closed meanwhile
      }
    };
    // Other platforms do not report waiting processes.
    if (process.platform !== 'linux') return await sleep(5_000);
    while (!readdirSync(descriptors).some((name) => linkOf(name) === path)) await sleep(20);
  };
  const state = '{"version":4,"serial":1,"lineage":"l","outputs":{},"resources":[]}';

  it('keep each other out, also after the file was replaced', async () => {
    writeFileSync(join(directory, 'main.tf'), 'output "a" { value = 1 }\n');
    writeFileSync(join(directory, 'terraform.tfstate'), state);
    const lock = await lockOf('terraform.tfstate');
    const blocked = await finish(run('plan', '-no-color'));
    expect(blocked.output).toContain('Error acquiring the state lock');
    await lock.replace(state.replace('"serial":1', '"serial":2'));
    const again = await finish(run('plan', '-no-color'));
    expect(again.output).toContain('Error acquiring the state lock');
    await lock.release();
    expect((await finish(run('plan', '-no-color'))).code).toBe(0);
  });

  it('see each other the other way round', async () => {
    writeFileSync(
      join(directory, 'main.tf'),
      'resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = "touch started; while test ! -e go; do sleep 0.1; done"\n  }\n}\n',
    );
    await finish(run('init'));
    const applying = run('apply', '-auto-approve');
    const done = finish(applying);
    while (!existsSync(join(directory, 'started'))) {
      await sleep(20);
    }
    const result = await nodeFiles(directory).lock('terraform.tfstate');
    expect(result.kind).toBe('held');
    if (process.platform === 'linux') {
      expect(result.kind === 'held' ? result.pid : undefined).toBe(applying.pid);
    }
    writeFileSync(join(directory, 'go'), '');
    expect((await done).code).toBe(0);
    await (await lockOf('terraform.tfstate')).release();
  });

  it('a Terraform that waited while the file was replaced fails instead of using the old one', async () => {
    writeFileSync(join(directory, 'main.tf'), 'output "a" { value = 1 }\n');
    writeFileSync(join(directory, 'terraform.tfstate'), state);
    // It waits only for a lock that contains information.
    const info =
      '{"ID":"1","Operation":"x","Info":"","Who":"a@b","Version":"1","Created":"2024-01-01T00:00:00Z","Path":"p"}';
    writeFileSync(join(directory, '.terraform.tfstate.lock.info'), info);
    const lock = await lockOf('terraform.tfstate');
    const applying = run('apply', '-auto-approve', '-no-color', '-lock-timeout=60s');
    const waiting = finish(applying);
    await hasOpened(applying, join(directory, 'terraform.tfstate'));
    const replaced = state.replace('"serial":1', '"serial":5');
    await lock.replace(replaced);
    await lock.release();
    const { code, output } = await waiting;
    expect(code).toBe(1);
    expect(output).toContain('Unsupported state file format');
    expect(readFileSync(join(directory, 'terraform.tfstate'), 'utf8')).toBe(replaced);
  });
});
