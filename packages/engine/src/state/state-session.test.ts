import { Bug } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { nextStateFile } from './next-state-file.ts';
import { EMPTY_STATE } from './snapshot.ts';
import {
  begin,
  fileStorage,
  ids,
  intent,
  JOURNAL,
  managerOf,
  nextProcess,
  put,
  readWritable,
  withThree,
} from './testing/managed-state.ts';

describe('a session of a state', () => {
  it('has only the operations of its phase', async () => {
    const manager = managerOf(await withThree());
    const { session } = await manager.lock({ operation: 'test' }, 0);
    // @ts-expect-error -- a state is read before changes are recorded
    expect(session?.begin).toBeUndefined();
    // @ts-expect-error -- and before another one is written
    expect(session?.write).toBeUndefined();
    const read = await manager.read();
    // @ts-expect-error -- a state that is read without a session cannot be changed
    expect(read.write).toBeUndefined();
    const stored = (await session?.read())?.state;
    // @ts-expect-error -- only a recorder records
    expect(stored?.record).toBeUndefined();
    expect(await session?.release()).toEqual([]);
  });

  it('reads its state once', async () => {
    const session = managerOf(await withThree()).withoutLock();
    await session.read();
    await expect(session.read()).rejects.toThrow(Bug);
  });

  it('changes its state once, because its snapshot is then out of date', async () => {
    const stored = await readWritable(managerOf(await withThree()));
    const next = nextStateFile(stored.file, EMPTY_STATE, () => '');
    expect(await stored.write(next)).toEqual([]);
    await expect(stored.write(next)).rejects.toThrow(Bug);
    await expect(stored.begin()).rejects.toThrow(Bug);
    await expect(stored.storeRecovered(() => true)).rejects.toThrow(Bug);
  });

  it('has no state to change after a reading error', async () => {
    const storage = {
      ...fileStorage(await withThree()),
      read: () => Promise.reject(new Error('x')),
    };
    const { state, diagnostics } = await managerOf(await withThree(), storage)
      .withoutLock()
      .read();
    expect(state).toBeUndefined();
    expect(diagnostics).toHaveLength(1);
  });

  it('stores the changes of an interrupted run without recording others', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    await recorder.record(intent(4));
    const next = nextProcess(host);
    const stored = await readWritable(managerOf(next));
    expect(stored.interrupted).toHaveLength(1);
    expect(await stored.storeRecovered(() => false)).toEqual([]);
    expect(next.files.statSync(JOURNAL)).toBeUndefined();
    const read = await managerOf(next).read();
    expect(ids(read.file)['null_resource.x[3]']).toBe('id-3');
    expect(read.deadJournal).toBeUndefined();
  });

  it('reads once while locking if the storage requires it', async () => {
    const host = await withThree();
    let reads = 0;
    const storage = fileStorage(host);
    const manager = managerOf(host, {
      ...storage,
      readsWhenLocking: true,
      read: () => {
        reads += 1;
        return storage.read();
      },
    });
    const { session } = await manager.lock({ operation: 'test' }, 0);
    expect(reads).toBe(1);
    expect((await session?.read())?.state?.file?.serial).toBe(1);
    expect(reads).toBe(1);
  });
});
