import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { describe, expect, it } from 'vitest';
import { mergedArchive } from './merge.ts';

/** Files of a commit: their text, or a link as `-> target`. */
type Tree = Readonly<Record<string, string>>;

const archiveOf = async (tree: Tree, mode = 0o644): Promise<Buffer> =>
  gzipSync(
    await packTar([
      { header: { name: 'repo/', type: 'directory', size: 0 } },
      ...Object.entries(tree).map(([name, text]) =>
        text.startsWith('-> ')
          ? {
              header: {
                name: `repo/${name}`,
                type: 'symlink' as const,
                size: 0,
                linkname: text.slice(3),
              },
            }
          : {
              header: { name: `repo/${name}`, size: Buffer.byteLength(text), mode },
              body: text,
            },
      ),
    ]),
  );

async function merge(ancestor: Tree, base: Tree, head: Tree): Promise<Tree | undefined> {
  const [a, b, c] = await Promise.all([ancestor, base, head].map((tree) => archiveOf(tree)));
  if (a === undefined || b === undefined || c === undefined) throw new Error('unreachable');
  const merged = await mergedArchive({ ancestor: a, base: b, head: c });
  if (merged === undefined) return undefined;
  const entries = await unpackTar(gunzipSync(merged));
  return Object.fromEntries(
    entries.map(({ header: { name, linkname }, data }) => [
      name,
      linkname === undefined || linkname === ''
        ? Buffer.from(data ?? new Uint8Array()).toString()
        : `-> ${linkname}`,
    ]),
  );
}

const lines = (...list: readonly string[]): string => list.map((line) => `${line}\n`).join('');

describe('a merge', () => {
  it('has the files that each side added, changed and removed', async () => {
    const before = {
      kept: 'k',
      ours: '1',
      theirs: '1',
      'a/gone': 'g',
      'a/dropped': 'd',
      link: '-> kept',
    };
    const base = {
      kept: 'k',
      ours: '2',
      theirs: '1',
      'a/dropped': 'd',
      'new/base': 'b',
      link: '-> kept',
    };
    const head = {
      kept: 'k',
      ours: '1',
      theirs: '2',
      'a/gone': 'g',
      'new/head': 'h',
      link: '-> ours',
    };
    expect(await merge(before, base, head)).toEqual({
      kept: 'k',
      ours: '2',
      theirs: '2',
      'new/base': 'b',
      'new/head': 'h',
      link: '-> ours',
    });
  });

  it('combines changes of different lines of a file', async () => {
    const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const base = lines('a', 'B', 'c', 'd', 'e', 'f', 'g');
    const head = lines('a', 'b', 'c', 'd', 'E', 'f', 'g', 'h');
    expect(await merge({ x: before }, { x: base }, { x: head })).toEqual({
      x: lines('a', 'B', 'c', 'd', 'E', 'f', 'g', 'h'),
    });
    expect(await merge({ x: before }, { x: base }, { x: base })).toEqual({ x: base });
  });

  it.each([
    ['of the same line', { x: 'a\n' }, { x: 'b\n' }, { x: 'c\n' }],
    ['of adjacent lines', { x: 'a\nb\n' }, { x: 'A\nb\n' }, { x: 'a\nB\n' }],
    ['of a file that the other side removed', { x: 'a\n' }, { y: '' }, { x: 'c\n' }],
    ['of a file that both add', {}, { x: 'a\n' }, { x: 'b\n' }],
    ['of a file and a directory of its name', {}, { x: 'a' }, { 'x/y': 'b' }],
    ['of a link and a file', { x: 'a' }, { x: '-> y' }, { x: 'b' }],
    ['of a binary file', { x: '\0a\nb\nc\n' }, { x: '\0A\nb\nc\n' }, { x: '\0a\nb\nC\n' }],
  ])('does not exist with changes %s', async (_name, ancestor: Tree, base: Tree, head: Tree) => {
    expect(await merge(ancestor, base, head)).toBeUndefined();
  });

  it('does not exist if the comparison would take long', async () => {
    const many = '}\n'.repeat(4_000);
    const trees = [`a\n${many}z\n`, `b\n${many}z\n{\n`, `{\na\n${many}y\n`].map((x) => ({ x }));
    const [ancestor = {}, base = {}, head = {}] = trees;
    expect(await merge(ancestor, base, head)).toBeUndefined();
  });

  it('does not exist if a repository is too large when unpacked', async () => {
    const large = 'x'.repeat(65 * 1024 * 1024);
    expect(await merge({ large }, { large, a: '' }, { large, b: '' })).toBeUndefined();
  });
});
