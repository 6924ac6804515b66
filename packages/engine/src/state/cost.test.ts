import { memoryHost, type MemoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { createStateManager } from './manager.ts';
import { StateDraft } from './draft.ts';
import type { StateFile } from './model.ts';
import { stateFileText } from './next-state-file.ts';
import { EMPTY_STATE } from './snapshot.ts';
import type { StateRecorder } from './recorder.ts';
import {
  address,
  fileStorage,
  JOURNAL,
  object,
  PATH,
  readWritable,
} from './testing/managed-state.ts';

/** A recorder over a state of so many instances. */
async function recorderOver(
  instances: number,
): Promise<{ readonly host: MemoryHost; readonly recorder: StateRecorder }> {
  const host = memoryHost();
  const options = { storage: fileStorage(host), host, journalPath: JOURNAL };
  const draft = new StateDraft(EMPTY_STATE);
  for (let i = 0; i < instances; i++) {
    draft.apply({ kind: 'put', addr: address(i), object: object('old') });
  }
  const state = draft.freeze();
  const base: StateFile = { state, lineage: 'l', serial: 1, terraformVersion: '1.11.4' };
  await host.files.writeFile(PATH, stateFileText(base));
  const manager = createStateManager(options);
  const stored = await readWritable(manager);
  expect(stored.file?.state.instanceCount).toBe(instances);
  return { host, recorder: await stored.begin() };
}

/** The number of writes and syncs, and the bytes added to the journal. */
interface Cost {
  readonly writes: number;
  readonly syncs: number;
  readonly bytes: number;
}

async function costOf(host: MemoryHost, work: () => Promise<void>): Promise<Cost> {
  const begin = host.files.steps.length;
  const before = host.files.statSync(JOURNAL)?.size ?? 0;
  await work();
  const steps = host.files.steps.slice(begin);
  return {
    writes: steps.filter(({ kind }) => kind === 'write').length,
    syncs: steps.filter(({ kind }) => kind === 'sync' || kind === 'syncDirectory').length,
    bytes: (host.files.statSync(JOURNAL)?.size ?? 0) - before,
  };
}

async function change(recorder: StateRecorder, index: number): Promise<void> {
  const addr = address(index);
  await recorder.record({ kind: 'intent', step: index, action: 'update', addr });
  await recorder.record({ kind: 'put', addr, object: object('new') });
}

describe('the cost of recording a change', () => {
  it('is exactly the same in a state of 100, 1,000 and 10,000 instances', async () => {
    const costs: Cost[][] = [];
    for (const instances of [100, 1_000, 10_000]) {
      const { host, recorder } = await recorderOver(instances);
      await change(recorder, 10);
      const each: Cost[] = [];
      for (let i = 11; i < 61; i++) each.push(await costOf(host, () => change(recorder, i)));
      costs.push(each);
    }
    const [small, middle, large] = costs;
    expect(middle).toEqual(small);
    expect(large).toEqual(small);
    // One write and one sync for the intent, and for the result.
    for (const cost of small ?? []) expect(cost).toEqual({ ...cost, writes: 2, syncs: 2 });
    expect(new Set(small?.map(({ bytes }) => bytes)).size).toBe(1);
    expect(small?.[0]?.bytes).toBeLessThan(500);
  });

  it('is shared by all changes that are recorded while one is being synced', async () => {
    for (const instances of [100, 10_000]) {
      const { host, recorder } = await recorderOver(instances);
      await change(recorder, 10);
      const cost = await costOf(host, async () => {
        await Promise.all(Array.from({ length: 50 }, (_, i) => change(recorder, 11 + i)));
      });
      // 100 records: the intents in one batch, the results in another.
      expect(cost.syncs).toBe(2);
      expect(cost.writes).toBe(2);
    }
  });

  it('has the state written once at the end, however many changes there were', async () => {
    for (const changes of [1, 10, 90]) {
      const { host, recorder } = await recorderOver(100);
      for (let i = 0; i < changes; i++) await change(recorder, i);
      const begin = host.files.steps.length;
      await recorder.finish();
      const kinds = host.files.steps
        .slice(begin)
        .filter(({ kind }) => kind !== 'write' && kind !== 'read')
        .map(({ kind, path }) => `${kind} ${path.replace(/\.\d+\.tmp$/, '')}`);
      expect(kinds).toEqual([
        'create /project/.terraform.tfstate',
        'sync /project/.terraform.tfstate',
        `sync ${JOURNAL}`,
        `rename ${PATH}`,
        'syncDirectory /project',
        `remove ${JOURNAL}`,
        'syncDirectory /project',
      ]);
    }
  });
});
