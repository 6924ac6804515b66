// Data beside a state, such as the history of runs: the same for every backend that can store it.
import { randomBytes } from 'node:crypto';
import type { Backend } from '@terrane/backends';
import { expect } from 'vitest';

/** Stores data beside the states of two workspaces, and expects it there, and nowhere among the states. */
export async function expectSideStorage(backend: Backend): Promise<void> {
  const workspaces = await backend.workspaces?.names();
  const side = await backend.sideStorage?.('default');
  const other = await backend.sideStorage?.('other');
  if (side === undefined || other === undefined) throw new Error('no storage beside the state');
  expect(await side.read('index')).toBeUndefined();
  await side.remove('index');
  await side.write('index', Buffer.from('first'));
  // Larger than what some services store in one value, and not compressible.
  const large = randomBytes(1_500_000);
  await side.write('runs/20240102-030405-093d2574', large);
  await other.write('index', Buffer.from('of another workspace'));
  await side.write('index', Buffer.from([0, 255, 10, 13]));
  // A storage that is opened later sees the same.
  const again = await backend.sideStorage?.('default');
  expect([...((await again?.read('index')) ?? [])]).toEqual([0, 255, 10, 13]);
  const stored = await again?.read('runs/20240102-030405-093d2574');
  expect(stored !== undefined && Buffer.compare(stored, large)).toBe(0);
  for (const name of ['../index', 'runs/../../x', '', '/index', 'a//b', '.hidden'])
    await expect((async () => await side.read(name))()).rejects.toThrow(
      'not a name of stored data',
    );
  expect(await backend.workspaces?.names()).toEqual(workspaces);
  await side.remove('runs/20240102-030405-093d2574');
  await side.remove('index');
  expect(await side.read('runs/20240102-030405-093d2574')).toBeUndefined();
  expect(await side.read('index')).toBeUndefined();
  expect(Buffer.from((await other.read('index')) ?? []).toString()).toBe('of another workspace');
  await other.remove('index');
}
