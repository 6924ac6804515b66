import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeFiles } from './node-files.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'terrane-files-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('a file can be read at any place, and not beyond its end', async () => {
  await writeFile(join(directory, 'long'), '0123456789');
  const file = await nodeFiles(directory).openRead('long');
  const text = async (offset: number, length: number): Promise<string> =>
    new TextDecoder().decode(await file.read(offset, length));
  expect(file.size).toBe(10);
  expect([await text(2, 3), await text(8, 5), await text(10, 5)]).toEqual(['234', '89', '']);
  await file.close();
});

it('links are created, and distinguished from other files', async () => {
  const files = nodeFiles(directory);
  await files.makeDirectory('target');
  await files.symbolicLink(join(directory, 'target'), 'link');
  await symlink('nowhere', join(directory, 'dangling'));
  expect(await files.readLink('link')).toBe(join(directory, 'target'));
  expect(await files.readLink('dangling')).toBe('nowhere');
  expect(await files.readLink('target')).toBeUndefined();
  expect(await files.readLink('missing')).toBeUndefined();
  expect((await files.stat('link'))?.kind).toBe('directory');
  await expect(files.symbolicLink('other', 'link')).rejects.toHaveProperty('code', 'EEXIST');
});
