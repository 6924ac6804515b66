import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { nodeHost } from '@terrane/host';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unpackConfiguration } from './unpack-configuration.ts';
import { variablesFile } from './job-directory.ts';

describe('configurations of strangers', () => {
  const link = (name: string, linkname: string) => ({
    header: { name, linkname, size: 0, type: 'symlink' as const },
  });

  it.each([
    ['a link behind a link', [link('a/b', '.'), link('a/b/up', '../..')]],
    ['a directory behind a link', [link('a/b/up', '../..'), link('a/b/up/out/evil', '.')]],
    ['a target that leaves through a link', [link('d/e/up', '../..'), link('out', 'd/e/up/..')]],
  ])('do not lead outside of their directory: %s', async (_name, entries) => {
    const root = await mkdtemp(join(tmpdir(), 'terrane-unpack-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const { files } = nodeHost();
    const directory = join(root, 'job', 'configuration');
    await files.makeDirectory(directory);
    const problem = await unpackConfiguration(
      files,
      gzipSync(await packTar(entries)),
      directory,
    ).catch((error: unknown) => error);
    expect(await readdir(root)).toEqual(['job']);
    expect(await readdir(join(root, 'job'))).toEqual(['configuration']);
    if (problem !== undefined) {
      expect(String(problem)).toContain('outside of its directory');
      return;
    }
    const inside = await stat(join(directory, 'd/e'));
    expect((await stat(join(directory, 'out'))).ino).toBe(inside.ino);
  });
});

it('refuses a configuration that is larger than its archive says, without writing a file', async () => {
  const root = await mkdtemp(join(tmpdir(), 'terrane-unpack-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const { files } = nodeHost();
  const names = Array.from({ length: 100_001 }, (_, index) => ({
    header: { name: `f${index}`, size: 0, type: 'file' as const },
  }));
  const archive = gzipSync(await packTar(names));
  await expect(unpackConfiguration(files, archive, root)).rejects.toThrow('too many files');
  const cut = gzipSync(Buffer.alloc(4 * 1024 * 1024)).subarray(0, 2_000);
  await expect(unpackConfiguration(files, cut, root)).rejects.toThrow('cannot be unpacked');
  const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
  const refused = unpackConfiguration(files, bomb, root, 1_000_000);
  await expect(refused).rejects.toThrow('it has more than 1000000 bytes');
  expect(await readdir(root)).toEqual([]);
});

it('writes values of variables unchanged, without template evaluation', () => {
  const variable = { key: 'a', category: 'terraform', hcl: false, sensitive: false };
  const value = 'cost $5, ${file("x")} and %{ if true } $${b}';
  expect(variablesFile([{ ...variable, value }])).toBe(
    'a = "cost $5, $${file(\\"x\\")} and %%{ if true } $$${b}"\n',
  );
});
