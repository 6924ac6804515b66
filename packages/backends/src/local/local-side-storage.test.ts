import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { expect, it, onTestFinished } from 'vitest';
import { localSideStorage } from './local-side-storage.ts';

it('stays in its directory, whatever identifiers the stored data contains', async () => {
  const root = await mkdtemp(join(tmpdir(), 'terrane-side-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const other = join(root, 'other');
  await writeFile(other, 'kept');
  const side = localSideStorage(nodeHost(), join(root, 'history'));
  await side.write('runs/20260101T000000Z-1a', Buffer.from('run'));
  expect(Buffer.from((await side.read('runs/20260101T000000Z-1a')) ?? []).toString()).toBe('run');
  for (const name of [
    'runs/../../other',
    '../other',
    'runs/./a',
    'runs/',
    '/etc/x',
    'runs/a\\..\\b',
  ]) {
    await expect(side.read(name)).rejects.toThrow('is not a name of stored data');
    await expect(side.write(name, Buffer.from('x'))).rejects.toThrow('is not a name');
    await expect(side.remove(name)).rejects.toThrow('is not a name');
  }
  expect(await readFile(other, 'utf8')).toBe('kept');
});
