import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MemoryFiles } from '@terrane/testkit';
import { stateFileText } from './next-state-file.ts';
import { SnapshotStore } from './snapshot-store.ts';
import { EMPTY_STATE } from './snapshot.ts';

test('the name of a snapshot has its digest in every form: read, spread and as JSON', async () => {
  const file = { lineage: 'l', serial: 3, terraformVersion: '1.11.4', state: EMPTY_STATE };
  const bytes = new TextEncoder().encode(stateFileText(file));
  const store = new SnapshotStore({
    storage: { isFile: true, read: () => Promise.resolve(bytes), write: () => Promise.resolve() },
    files: new MemoryFiles(),
  });
  const { snapshot } = await store.read();
  const name = {
    lineage: 'l',
    serial: 3,
    digest: createHash('sha256').update(bytes).digest('hex'),
  };
  expect(JSON.parse(JSON.stringify(snapshot?.name))).toEqual(name);
  expect({ ...snapshot?.name }).toEqual(name);
  expect(snapshot?.name.digest).toBe(name.digest);
});
