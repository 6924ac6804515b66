import { describe, expect, it } from 'vitest';
import type { LockInfo, LockOutcome, Storage } from '@terrane/host';
import { memoryHost, MemoryDisk, type MemoryHost, type MemoryHostOptions } from '@terrane/testkit';
import { localStateFiles, timestampedBackupPath } from './local-files.ts';
import { lockText } from '../lock-text.ts';
import { localStorage } from './local-storage.ts';

const PATH = 'terraform.tfstate';
const INFO = '/project/.terraform.tfstate.lock.info';
const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : new TextDecoder().decode(bytes);
const bytes = (content: string): Uint8Array[] => [new TextEncoder().encode(content)];

function request(id: string): LockInfo {
  return {
    id,
    operation: 'OperationTypeApply',
    info: '',
    who: 'tester@machine',
    version: '1.11.4',
    created: '2024-01-02T03:04:05.000Z',
    path: '',
  };
}

/** Two processes on one disk. */
function processes(options: MemoryHostOptions = {}): {
  readonly one: MemoryHost;
  readonly two: MemoryHost;
  readonly running: Set<number>;
} {
  const running = new Set([1, 2]);
  const disk = new MemoryDisk();
  return {
    one: memoryHost({ disk, pid: 1, running, seed: 1, ...options }),
    two: memoryHost({ disk, pid: 2, running, seed: 2, ...options }),
    running,
  };
}

async function lock(storage: Storage, id: string): Promise<LockOutcome> {
  const outcome = await storage.lock?.(request(id));
  if (outcome === undefined) throw new Error('no locks');
  return outcome;
}

describe('a local state', () => {
  it('is absent until the first write, which creates its directory', async () => {
    const host = memoryHost();
    const storage = localStorage(host, { path: 'a/b/s.tfstate' });
    expect(await storage.read()).toBeUndefined();
    await storage.write(bytes('one'));
    expect(text(await storage.read())).toBe('one');
    expect(host.files.statSync('a/b/s.tfstate')?.mode).toBe(0o600);
  });

  it('is read from -state until it was written to -state-out', async () => {
    const host = memoryHost();
    await host.files.writeFile('in', 'old');
    await host.files.writeFile('out', 'other');
    const storage = localStorage(host, { path: 'out', readPath: 'in' });
    expect(text(await storage.read())).toBe('old');
    expect(text(await storage.readTarget?.())).toBe('other');
    await storage.write(bytes('new'));
    expect(text(await storage.read())).toBe('new');
    expect(text(await host.files.readFile('in'))).toBe('old');
  });

  it('has its other files beside it, under the names of Terraform', () => {
    expect(localStateFiles('x/terraform.tfstate', { platform: 'linux' })).toEqual({
      lockInfo: 'x/.terraform.tfstate.lock.info',
      journal: 'x/.terraform.tfstate.journal',
      backup: 'x/terraform.tfstate.backup',
      history: 'x/.terraform.tfstate.history',
    });
    expect(localStateFiles('.hidden', { platform: 'linux' }).lockInfo).toBe('.hidden.lock.info');
    expect(timestampedBackupPath('s', new Date(1_700_000_000_999))).toBe('s.1700000000.backup');
  });
});

describe.each([
  ['a lock of the operating system', { locks: true }],
  ['a lock file alone', { locks: false }],
])('%s', (_name, options) => {
  it('has a single holder and names it', async () => {
    const { one, two } = processes(options);
    const first = localStorage(one, { path: PATH });
    const second = localStorage(two, { path: PATH });
    expect(await lock(first, 'id-1')).toEqual({ kind: 'locked', id: 'id-1' });
    const held = await lock(second, 'id-2');
    expect(held).toEqual({
      kind: 'held',
      error: 'resource temporarily unavailable',
      info: { ...request('id-1'), path: PATH },
    });
    await first.unlock?.('id-1');
    expect(one.files.statSync(INFO)).toBeUndefined();
    expect(one.files.statSync(PATH)).toBeUndefined();
    expect((await lock(second, 'id-2')).kind).toBe('locked');
  });

  it('is not waited for to be on the disk, because a crash of the machine ends it', async () => {
    const { one } = processes(options);
    const storage = localStorage(one, { path: PATH });
    await lock(storage, 'id-1');
    await storage.unlock?.('id-1');
    const kinds = one.files.steps.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith('sync'))).toEqual([]);
  });

  it('holds while the state is written', async () => {
    const { one, two } = processes(options);
    const first = localStorage(one, { path: PATH });
    await lock(first, 'id-1');
    await first.write(bytes('one'));
    await first.write(bytes('two'));
    expect((await lock(localStorage(two, { path: PATH }), 'id-2')).kind).toBe('held');
    await first.unlock?.('id-1');
    expect(text(await localStorage(two, { path: PATH }).read())).toBe('two');
  });

  it('is released only by its holder', async () => {
    const { one } = processes(options);
    const storage = localStorage(one, { path: PATH });
    await expect(storage.unlock?.('x')).rejects.toThrow('LocalState not locked');
    await lock(storage, 'id-1');
    await expect(storage.unlock?.('x')).rejects.toThrow('invalid lock id: "x". current id: "id-1"');
    await expect(lock(storage, 'id-2')).rejects.toThrow('state "terraform.tfstate" already locked');
  });

  it('takes the place of a lock file that a killed Terraform left', async () => {
    const { one } = processes(options);
    await one.files.writeFile(INFO, lockText(request('dead')));
    expect((await lock(localStorage(one, { path: PATH }), 'id-1')).kind).toBe('locked');
    expect(JSON.parse(await one.files.readText(INFO))).toMatchObject({ ID: 'id-1', Path: PATH });
  });
});

describe('a lock file alone', () => {
  it('of a dead process is replaced, of a living one it is not', async () => {
    const { one, two, running } = processes({ locks: false });
    await lock(localStorage(one, { path: PATH }), 'id-1');
    expect((await lock(localStorage(two, { path: PATH }), 'id-2')).kind).toBe('held');
    running.delete(1);
    expect((await lock(localStorage(two, { path: PATH }), 'id-2')).kind).toBe('locked');
    expect(JSON.parse(await two.files.readText(INFO))).toMatchObject({ ID: 'id-2' });
    expect(two.files.readDirectorySync('/project').map(({ name }) => name)).toEqual([
      '.terraform.tfstate.lock.info',
    ]);
  });

  it('of another machine is never replaced', async () => {
    const { one, two, running } = processes({ locks: false });
    await lock(localStorage(one, { path: PATH }), 'id-1');
    running.clear();
    const other = memoryHost({ disk: two.files.disk, locks: false, hostName: 'elsewhere', pid: 2 });
    expect((await lock(localStorage(other, { path: PATH }), 'id-2')).kind).toBe('held');
  });

  it('is respected by those that have locks of the operating system', async () => {
    const { one, running } = processes({ locks: false });
    await lock(localStorage(one, { path: PATH }), 'id-1');
    const able = memoryHost({ disk: one.files.disk, pid: 2, running });
    expect((await lock(localStorage(able, { path: PATH }), 'id-2')).kind).toBe('held');
    running.delete(1);
    expect((await lock(localStorage(able, { path: PATH }), 'id-2')).kind).toBe('locked');
  });

  it('that is no JSON is neither awaited nor replaced', async () => {
    const { one } = processes({ locks: false });
    await one.files.writeFile(INFO, '{');
    const outcome = await lock(localStorage(one, { path: PATH }), 'id-1');
    expect(outcome.kind === 'held' ? [outcome.info, outcome.error] : outcome).toEqual([
      undefined,
      expect.stringContaining('could not unmarshal lock info'),
    ]);
  });

  it('has one holder, however many find the same stale one', async () => {
    const running = new Set<number>();
    const disk = new MemoryDisk();
    const host = (pid: number): MemoryHost =>
      memoryHost({ disk, pid, running, seed: pid, locks: false });
    running.add(1);
    await lock(localStorage(host(1), { path: PATH }), 'id-1');
    running.delete(1);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => {
        running.add(10 + i);
        return lock(localStorage(host(10 + i), { path: PATH }), `new-${i}`);
      }),
    );
    expect(outcomes.filter(({ kind }) => kind === 'locked').length).toBe(1);
  });
});
