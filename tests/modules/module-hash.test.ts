import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { afterEach, describe, expect, it } from 'vitest';
import { checkedOutCommit, modulePackageHash } from '@terrane/registry';

const { files } = nodeHost();
const directories: string[] = [];
afterEach(() => {
  for (const each of directories.splice(0)) rmSync(each, { recursive: true, force: true });
});

function place(content: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-hash-'));
  directories.push(directory);
  for (const [name, text] of Object.entries(content)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

const MAIN = 'output "v" {\n  value = 1\n}\n';
const TREE = {
  'ü name.txt': 'x',
  empty: '',
  'sub/Z.tf': 'y\n',
  'sub-file': 'z',
  'sub.tf': 'u',
};

describe('the hash of a module package', () => {
  // Recorded from golang.org/x/mod/sumdb/dirhash; tests/modules/module-hash.interop.ts compares with the real one.
  it('is that of Go', async () => {
    expect(await modulePackageHash(files, place(TREE))).toBe(
      'h1:eEYx+wLDkx8Q5rxuhojP7y/lsZjrwZcciTDXGK5oY8U=',
    );
    const linked = place({ 'main.tf': MAIN });
    symlinkSync('main.tf', join(linked, 'link'));
    expect(await modulePackageHash(files, linked)).toBe(
      'h1:FH9Wd/Dm0+vvzSCD62SIUvFYhSEoDlKrTOBcGaJG4bE=',
    );
  });

  it('leaves out the directories of Git and Mercurial, and the files of submodules', async () => {
    const clone = place({ ...TREE, '.git/HEAD': 'a', 'sub/.git': 'gitdir: x', '.hg/store': 'b' });
    expect(await modulePackageHash(files, clone)).toBe(
      'h1:eEYx+wLDkx8Q5rxuhojP7y/lsZjrwZcciTDXGK5oY8U=',
    );
    expect(await modulePackageHash(files, place({ ...TREE, '.gitignore': 'a' }))).not.toBe(
      'h1:eEYx+wLDkx8Q5rxuhojP7y/lsZjrwZcciTDXGK5oY8U=',
    );
  });

  it('has the targets of links that lead elsewhere, and does not read these', async () => {
    const linking = async (target: string): Promise<string> => {
      const directory = place({ ...TREE, '.git/config': 'secret' });
      symlinkSync(target, join(directory, 'link'));
      return await modulePackageHash(files, directory);
    };
    const outside = place({ secret: 'one' });
    const before = await linking(join(outside, 'secret'));
    writeFileSync(join(outside, 'secret'), 'two');
    expect(await linking(join(outside, 'secret'))).toBe(before);
    const hashes = [
      before,
      ...(await Promise.all(['sub', '.', 'nowhere', '.git/config', 'sub.tf'].map(linking))),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('differs between a link and a file with its target as content', async () => {
    const link = place(TREE);
    symlinkSync('sub', join(link, 'link'));
    expect(await modulePackageHash(files, link)).not.toBe(
      await modulePackageHash(files, place({ ...TREE, link: 'sub' })),
    );
  });

  it('fails for names with line breaks, as in Go', async () => {
    await expect(modulePackageHash(files, place({ 'a\nb': '' }))).rejects.toThrow(
      'filenames with newlines are not supported',
    );
  });
});

describe('the commit of a package', () => {
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
  it.each([
    ['detached', { '.git/HEAD': `${one}\n` }, one],
    ['on a branch', { '.git/HEAD': 'ref: refs/heads/a\n', '.git/refs/heads/a': `${two}\n` }, two],
    [
      'on a packed branch',
      { '.git/HEAD': 'ref: refs/heads/a\n', '.git/packed-refs': `# pack\n${one} refs/heads/a\n` },
      one,
    ],
    ['not from Git', { 'main.tf': '' }, undefined],
    ['with a path that leads outside', { '.git/HEAD': 'ref: refs/../../x\n', x: one }, undefined],
    ['on a branch that is missing', { '.git/HEAD': 'ref: refs/heads/a\n' }, undefined],
  ])('is found: %s', async (_name, content, commit) => {
    expect(await checkedOutCommit(files, place(content))).toBe(commit);
  });
});
