import { describe, expect, it } from 'vitest';
import { number, str } from '@terrane/cty';
import { LockLost, type Storage } from '@terrane/host';
import { type ManualClock, MemoryDisk, memoryHost } from '@terrane/testkit';
import { createStateManager } from './manager.ts';
import { nextStateFile, stateFileText } from './next-state-file.ts';
import { EMPTY_STATE } from './snapshot.ts';
import { readStateFile } from './statefile-read.ts';
import { replay } from './draft.ts';
import {
  PATH,
  JOURNAL,
  address,
  put,
  intent,
  fileStorage,
  managerOf,
  ids,
  begin,
  readWritable,
  withThree,
  nextProcess,
} from './testing/managed-state.ts';

describe('a state manager', () => {
  it('begins a state with a lineage, serial 1 and mode 0600', async () => {
    const host = await withThree();
    const { file } = await managerOf(host).read();
    expect(file?.serial).toBe(1);
    expect(file?.lineage).toMatch(/^[0-9a-f-]{36}$/);
    expect(file?.terraformVersion).toBe('1.11.4');
    expect(host.files.statSync(PATH)?.mode).toBe(0o600);
    expect(host.files.statSync(JOURNAL)).toBeUndefined();
  });

  it.each([
    [true, 'Failed to read state file', 'The state file could not be read: 503 Slow Down'],
    [false, '503 Slow Down', ''],
  ])('reports the reason of a failed read (a file: %s)', async (isFile, summary, detail) => {
    const storage: Storage = {
      isFile,
      read: () => Promise.reject(new Error('503 Slow Down')),
      write: () => Promise.resolve(),
    };
    const manager = createStateManager({ host: memoryHost(), storage, journalPath: JOURNAL });
    expect((await manager.read()).diagnostics).toEqual([{ severity: 'error', summary, detail }]);
  });

  it('writes an empty state when nothing was there and nothing was recorded', async () => {
    const host = memoryHost();
    const recorder = await begin(host);
    const { file } = await recorder.finish();
    expect(file.serial).toBe(1);
    expect(host.files.statSync(PATH)?.kind).toBe('file');
  });

  it('leaves serial and file alone when the content has not changed', async () => {
    const host = await withThree();
    const before = host.files.readFileSync(PATH);
    const recorder = await begin(host);
    await recorder.record(put(1));
    const { file } = await recorder.finish();
    expect(file.serial).toBe(1);
    expect(host.files.readFileSync(PATH)).toBe(before);
    expect(host.files.statSync(`${PATH}.backup`)).toBeUndefined();
  });

  it.each([
    ['stays where the first operation brings back what a plan found gone', [0], 1],
    ['grows where something is still gone after the first operation', [0, 1], 2],
  ])('%s', async (_, gone, serial) => {
    const recorder = await begin(await withThree());
    await recorder.record({
      kind: 'batch',
      events: gone.map((i) => ({ kind: 'drop', addr: address(i) })),
    });
    for (const i of gone) await recorder.record(put(i));
    expect((await recorder.finish()).file.serial).toBe(serial);
  });

  it('has a higher serial after a replacement by the same', async () => {
    const recorder = await begin(await withThree());
    await recorder.record({ kind: 'drop', addr: address(1) });
    await recorder.record(put(1));
    expect((await recorder.finish()).file.serial).toBe(2);
  });

  it('backs up the replaced content on the first changing write, once', async () => {
    const host = await withThree();
    const original = host.files.readFileSync(PATH);
    const manager = managerOf(host);
    const first = await begin(host, manager);
    await first.record(put(5));
    await first.finish();
    const second = await begin(host, manager);
    await second.record(put(6));
    expect((await second.finish()).file.serial).toBe(3);
    expect(host.files.readFileSync(`${PATH}.backup`)).toEqual(original);
  });

  it('stores outputs, and restores the marks of sensitive ones', async () => {
    const host = memoryHost();
    const recorder = await begin(host);
    const values = new Map([
      ['open', number(1)],
      ['secret', str('x').mark('sensitive')],
    ]);
    await recorder.record({ kind: 'outputs', values });
    await recorder.finish();
    const { file } = await managerOf(host).read();
    expect(file?.state.outputs.get('open')?.sensitive).toBe(false);
    expect(file?.state.outputs.get('secret')?.sensitive).toBe(true);
    expect(file?.state.outputs.get('secret')?.value.asString()).toBe('x');
  });

  it('replays the journal of a dead run and reports it', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(intent(3));
    await recorder.record(put(3));
    await recorder.record(intent(0, 'delete'));
    const next = nextProcess(host);
    const { file, diagnostics } = await managerOf(next).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(file?.serial).toBe(2);
    expect(diagnostics.map((d) => [d.severity, d.summary])).toEqual([
      ['warning', 'State recovered from an interrupted run'],
      ['warning', 'Interrupted operation'],
    ]);
    expect(diagnostics[1]?.detail).toContain('"delete" on null_resource.x[0]');
    expect(diagnostics[1]?.address).toBe('null_resource.x[0]');
  });

  it('does not report a live run, but includes its changes', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const { file, diagnostics } = await managerOf(host).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(diagnostics).toEqual([]);
    await expect(begin(host)).rejects.toThrow('is recording changes');
  });

  it('makes recovered changes part of the stored state when the next run begins', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    await begin(next);
    expect(next.files.statSync(JOURNAL)).toBeUndefined();
    const { file, diagnostics } = await managerOf(next).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(diagnostics).toEqual([]);
  });

  it('refuses a journal of another state, and keeps it', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const foreign = nextStateFile(undefined, EMPTY_STATE, () => 'another-lineage');
    await next.files.replaceFile(PATH, stateFileText(foreign));
    const { file, diagnostics } = await managerOf(next).read();
    expect(file).toBeUndefined();
    expect(diagnostics.map((d) => d.summary)).toEqual(['Unusable state journal']);
    expect(diagnostics[0]?.detail).toContain(JOURNAL);
    expect(next.files.statSync(JOURNAL)).toBeDefined();
  });

  it('accepts a journal if another version has rewritten the same state', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const text = new TextDecoder().decode(next.files.readFileSync(PATH));
    await next.files.replaceFile(PATH, text.replace('"1.11.4"', '"1.11.3"'));
    const { file } = await managerOf(next).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
  });

  it('reports a damaged record that is not the last one', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    for (const i of [3, 4, 5]) await recorder.record(put(i));
    const next = nextProcess(host);
    const bytes = next.files.readFileSync(JOURNAL).slice();
    const at = new TextDecoder('latin1').decode(bytes).indexOf('id-4');
    bytes[at] = 0x20;
    await next.files.replaceFile(JOURNAL, bytes);
    const { diagnostics } = await managerOf(next).read();
    expect(diagnostics.map((d) => d.summary)).toEqual(['Unusable state journal']);
    expect(diagnostics[0]?.detail).toContain('is damaged');
  });

  it('writes a complete state with the passed serial', async () => {
    const host = await withThree();
    const state = await readWritable(managerOf(host));
    const pushed = { ...nextStateFile(state.file, EMPTY_STATE, () => ''), serial: 17 };
    expect(await state.write(pushed)).toEqual([]);
    const read = await managerOf(host).read();
    expect(read.file?.serial).toBe(17);
    expect(read.file?.state.isEmpty).toBe(true);
  });

  it('keeps the journal and leaves errored.tfstate when the state cannot be stored', async () => {
    const host = await withThree();
    const storage = fileStorage(host);
    const full: Storage = {
      ...storage,
      write: () => Promise.reject(new Error('the bucket is gone')),
    };
    const manager = managerOf(host, full);
    const recorder = await begin(host, manager);
    await recorder.record(put(3));
    const { diagnostics } = await recorder.finish();
    expect(diagnostics.map((d) => d.summary)).toEqual([
      'Failed to save state',
      'Failed to persist state to backend',
    ]);
    expect(diagnostics[0]?.detail).toBe('Error saving state: the bucket is gone');
    const saved = readStateFile(host.files.readFileSync('/project/errored.tfstate')).file;
    expect(ids(saved)['null_resource.x[3]']).toBe('id-3');
    const next = nextProcess(host);
    expect(ids((await managerOf(next).read()).file)['null_resource.x[3]']).toBe('id-3');
    // Pushing the file, as the message says, goes together with the journal.
    const text = next.files.readFileSync('/project/errored.tfstate');
    await next.files.replaceFile(PATH, text);
    const pushed = await managerOf(next).read();
    expect(pushed.diagnostics).toEqual([]);
    expect(ids(pushed.file)['null_resource.x[3]']).toBe('id-3');
  });

  it('continues with a snapshot if the journal cannot be written', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    host.files.fault = ({ kind, path }) =>
      kind === 'write' && path === JOURNAL ? 'ENOSPC' : undefined;
    await recorder.record(put(4));
    const stored = readStateFile(host.files.readFileSync(PATH)).file;
    expect(ids(stored)['null_resource.x[4]']).toBe('id-4');
    // An intent has no place in a snapshot.
    host.files.fault = undefined;
    await recorder.record(intent(5));
    const { diagnostics } = await managerOf(nextProcess(host)).read();
    expect(diagnostics.map((d) => d.summary)).toContain('Interrupted operation');
  });

  it('describes an unusable journal', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const other = await begin(memoryHost({ seed: 99 }));
    await other.record(put(7));
    const { file } = await other.finish();
    await next.files.replaceFile(PATH, stateFileText(file));
    const { diagnostics } = await managerOf(next).read();
    expect(diagnostics[0]?.summary).toBe('Unusable state journal');
    expect(diagnostics[0]?.detail).toContain('It is about:\n\n    null_resource.x[3]\n');
    expect(next.files.statSync(JOURNAL)).toBeDefined();
  });

  it('ignores a journal whose changes are in the state, regardless of who stored that', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const { file: stored } = readStateFile(next.files.readFileSync(PATH));
    const changed = { ...stored!, serial: 9, state: replay(stored!.state, [put(3), put(8)]) };
    await next.files.replaceFile(PATH, stateFileText(changed));
    const { file, diagnostics } = await managerOf(next).read();
    expect(diagnostics).toEqual([]);
    expect(file?.serial).toBe(9);
  });

  it('rejects changes that cannot be recorded, and stores them at the end if it can', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    host.files.fault = ({ kind }) => (kind === 'write' ? 'ENOSPC' : undefined);
    await expect(recorder.record(put(3))).rejects.toThrow('no space left on device');
    await expect(recorder.record(intent(4))).rejects.toThrow('no space left on device');
    host.files.fault = undefined;
    const { file, diagnostics } = await recorder.finish();
    expect(diagnostics).toEqual([]);
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(ids((await managerOf(host).read()).file)['null_resource.x[3]']).toBe('id-3');
  });
});

describe('locking', () => {
  function lockedBy(info: Record<string, string>, clock: ManualClock, freeAt: number): Storage {
    const storage = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };
    return {
      ...storage,
      lock: (request) =>
        Promise.resolve(
          clock.monotonicMs() >= freeAt
            ? { kind: 'locked', id: request.id }
            : {
                kind: 'held',
                error: 'resource temporarily unavailable',
                info: { ...request, ...info },
              },
        ),
      unlock: () => Promise.reject(new Error('gone')),
    };
  }
  const other = {
    id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    operation: 'OperationTypeApply',
    who: 'a@b',
    version: '1.11.4',
    created: '2024-05-01T10:00:00.120Z',
    path: 'terraform.tfstate',
  };

  it('reports the holder of the lock, worded as in Terraform', async () => {
    const host = memoryHost();
    const manager = managerOf(host, lockedBy(other, host.clock, Infinity));
    const { id, diagnostics } = await manager.lock({ operation: 'OperationTypePlan' }, 0);
    expect(id).toBeUndefined();
    expect(diagnostics[0]?.summary).toBe('Error acquiring the state lock');
    expect(diagnostics[0]?.detail).toBe(`Error message: resource temporarily unavailable
Lock Info:
  ID:        6ba7b810-9dad-11d1-80b4-00c04fd430c8
  Path:      terraform.tfstate
  Operation: OperationTypeApply
  Who:       a@b
  Version:   1.11.4
  Created:   2024-05-01 10:00:00.12 +0000 UTC
  Info:      


Terraform acquires a state lock to protect the state from being written
by multiple users at the same time. Please resolve the issue above and try
again. For most commands, you can disable locking with the "-lock=false"
flag, but this is not recommended.`);
  });

  it.each([
    [0, 7_000],
    [255, 7_000 - 3_500 + 14],
  ])('tries again until the lock is free: %d', async (chance, after) => {
    const memory = memoryHost();
    // The pauses are between half a second and a second, one and two, two and four.
    const random = { ...memory.random, bytes: (n: number) => new Uint8Array(n).fill(chance) };
    const host = { ...memory, random };
    const free = chance === 0 ? 5_000 : 3_000;
    const manager = managerOf(host, lockedBy(other, host.clock, free));
    const locking = manager.lock({ operation: 'x' }, 60_000);
    await host.clock.advance(after - 1);
    expect(host.clock.sleeping).toBe(1);
    await host.clock.advance(1);
    const { id, session } = await locking;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const released = (await session?.release()) ?? [];
    expect(released[0]?.summary).toBe('Error releasing the state lock');
    expect(released[0]?.detail).toContain('Error message: gone\n');
  });

  it('makes a last attempt at the time-out, and reports that it waits', async () => {
    const host = memoryHost();
    let waits = 0;
    const storage = lockedBy(other, host.clock, 2_400);
    const locking = managerOf(host, storage).lock({ operation: 'x' }, 2_500, undefined, () => {
      waits += 1;
    });
    await host.clock.advance(2_500);
    expect((await locking).id).toBeDefined();
    expect(waits).toBe(1);
  });

  it('continues if the holder is temporarily unknown, as during a release', async () => {
    const host = memoryHost();
    // Locked, its holder already forgotten, then free, and so on: only every fifth attempt gets the lock.
    let attempts = 0;
    const storage: Storage = {
      read: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
      lock: ({ id }) =>
        Promise.resolve(
          ++attempts % 5 === 0 ? { kind: 'locked', id } : { kind: 'held', error: 'unavailable' },
        ),
    };
    const locking = managerOf(host, storage).lock({ operation: 'x' }, 60_000);
    await host.clock.advance(1_000);
    expect((await locking).id).toBeDefined();
  });

  it('fails for a lock whose holder is permanently unknown, before the time-out', async () => {
    const host = memoryHost();
    const storage = lockedBy({ ...other, id: '' }, host.clock, Infinity);
    const locking = managerOf(host, storage).lock({ operation: 'x' }, 60_000);
    await host.clock.advance(2_000);
    expect((await locking).id).toBeUndefined();
  });

  it('reports a lock as lost that cannot be released because it is not held any more', async () => {
    const host = memoryHost();
    const storage: Storage = {
      ...lockedBy(other, host.clock, 0),
      confirmLock: () => Promise.reject(new LockLost('somebody has removed it')),
    };
    const manager = managerOf(host, storage);
    const { session } = await manager.lock({ operation: 'x' }, 0);
    const [released] = (await session?.release()) ?? [];
    expect(released?.summary).toBe('State lock lost');
    expect(released?.detail).toContain('somebody has removed it');
  });

  it('fails at the time-out, and if the wait is aborted', async () => {
    const host = memoryHost();
    const late = managerOf(host, lockedBy(other, host.clock, Infinity)).lock(
      { operation: 'x' },
      2_500,
    );
    await host.clock.advance(2_500);
    expect((await late).id).toBeUndefined();
    const abort = new AbortController();
    const waiting = managerOf(host, lockedBy(other, host.clock, Infinity)).lock(
      { operation: 'x' },
      60_000,
      abort.signal,
    );
    await host.clock.advance(10);
    abort.abort();
    expect((await waiting).diagnostics[0]?.summary).toBe('Error acquiring the state lock');
  });
});

describe('checkpoints', () => {
  it('bring the stored state up to date and keep the journal short', async () => {
    const host = memoryHost({ disk: new MemoryDisk() });
    const recorder = await begin(host, managerOf(host, fileStorage(host), 10_000));
    const large = 'x'.repeat(2_000);
    let longest = 0;
    for (let i = 0; i < 40; i++) {
      await recorder.record(put(i % 4, `${i}-${large}`));
      for (let k = 0; k < 20; k++) await host.clock.advance(0);
      await host.clock.advance(1_000);
      longest = Math.max(longest, host.files.statSync(JOURNAL)?.size ?? 0);
    }
    expect(longest).toBeLessThan(20_000);
    expect(readStateFile(host.files.readFileSync(PATH)).file?.state.instanceCount).toBe(4);
    await recorder.finish();
    expect(ids((await managerOf(host).read()).file)['null_resource.x[3]']?.slice(0, 2)).toBe('39');
    // There was nothing before this run, and its own snapshots are not worth a backup.
    expect(host.files.statSync(`${PATH}.backup`)).toBeUndefined();
  });
});
