import {
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileSystem } from './file-system.ts';
import { errorText } from './error-text.ts';
import { nodeFiles } from './node-files.ts';

let directory: string;
let files: FileSystem;
let umask: number;

beforeEach(() => {
  umask = process.umask(0o022);
  directory = mkdtempSync(join(tmpdir(), 'files-'));
  files = nodeFiles(directory);
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
  process.umask(umask);
});

const mode = (name: string): number => statSync(join(directory, name)).mode & 0o777;

describe('replacing a file', () => {
  it('creates a file with the requested mode, and leaves no temporary files', async () => {
    await files.replaceFile('a', [new Uint8Array([65]), new Uint8Array([66])], { mode: 0o600 });
    expect(await files.readText('a')).toBe('AB');
    expect(mode('a')).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['a']);
  });

  it('keeps the mode of an old one', async () => {
    await files.writeFile('a', 'old');
    await files.chmod('a', 0o640);
    await files.replaceFile('a', 'new', { mode: 0o600 });
    expect(await files.readText('a')).toBe('new');
    expect(mode('a')).toBe(0o640);
  });

  it('keeps the old content and cleans up when the content fails', async () => {
    await files.writeFile('a', 'old');
    function* failing(): Iterable<Uint8Array> {
      yield new Uint8Array(10);
      throw new Error('no more');
    }
    await expect(files.replaceFile('a', failing())).rejects.toThrow('no more');
    expect(await files.readText('a')).toBe('old');
    expect(readdirSync(directory)).toEqual(['a']);
  });

  it('keeps the old content when it may not commit', async () => {
    await files.writeFile('a', 'old');
    let seen = '';
    const beforeCommit = async (): Promise<void> => {
      seen = await files.readText('a');
      throw new Error('not now');
    };
    await expect(files.replaceFile('a', 'new', { beforeCommit })).rejects.toThrow('not now');
    expect(seen).toBe('old');
    expect(await files.readText('a')).toBe('old');
    expect(readdirSync(directory)).toEqual(['a']);
  });

  it('follows links, including dangling ones', async () => {
    await files.writeFile('target', 'old');
    symlinkSync('target', join(directory, 'link'));
    symlinkSync('later', join(directory, 'dangling'));
    await files.replaceFile('link', 'new');
    await files.replaceFile('dangling', 'made');
    expect(await files.readText('target')).toBe('new');
    expect(await files.readText('later')).toBe('made');
    expect((await files.readDirectory('.')).filter(({ kind }) => kind === 'link').length).toBe(2);
  });
});

describe('leftovers of replacements', () => {
  it('are removed only if they are old', async () => {
    const names = [
      '.s.0123456789ab.tmp',
      '.s.0123456789ac.tmp',
      '.s.x.tmp',
      '.other.0123456789ab.tmp',
      's',
    ];
    for (const name of names) await files.writeFile(name, '');
    const old = new Date(Date.now() - 3_600_000);
    for (const name of names) {
      if (name !== '.s.0123456789ac.tmp') utimesSync(join(directory, name), old, old);
    }
    await files.removeLeftovers('s');
    expect(readdirSync(directory).sort()).toEqual(names.slice(1).sort());
    await files.removeLeftovers('no/such/directory');
  });
});

describe('files', () => {
  it('that are missing are distinguished from errors', async () => {
    writeFileSync(join(directory, 'f'), '');
    expect(await files.stat('nope')).toBeUndefined();
    expect(await files.stat('f/nope')).toBeUndefined();
    expect(files.statSync('nope')).toBeUndefined();
    expect(files.statSync('f/nope')).toBeUndefined();
    await files.remove('nope');
    await files.removeTree('nope');
    await expect(files.readFile('nope')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are created once', async () => {
    expect(await files.createExclusive('a', '1', 0o600)).toBe(true);
    expect(await files.createExclusive('a', '2')).toBe(false);
    expect(await files.readText('a')).toBe('1');
    expect(mode('a')).toBe(0o600);
  });

  it('grow by appending', async () => {
    const file = await files.openAppend('a', { mode: 0o600 });
    await file.write(new TextEncoder().encode('one '));
    await file.sync();
    await file.write(new TextEncoder().encode('two '));
    const large = 'x'.repeat(200_000);
    await file.write(new TextEncoder().encode(large));
    await file.write(new TextEncoder().encode(' three'));
    await file.close();
    expect(await files.readText('a')).toBe(`one two ${large} three`);
    expect(mode('a')).toBe(0o600);
  });

  it('are created with their parents if they do not exist', async () => {
    await files.makeDirectory('m/n/o');
    await files.makeDirectory('m/n/o');
    expect(files.statSync('m/n/o')?.kind).toBe('directory');
  });

  it.runIf(process.platform === 'linux')('are not made for ever in /proc', async () => {
    await expect(files.makeDirectory('/proc/nope/x')).rejects.toHaveProperty('code', 'ENOENT');
  });

  it('fail with the path as passed by the caller', async () => {
    await files.writeFile('file', '');
    await files.makeDirectory('d');
    const why = async (work: () => unknown): Promise<string> => {
      try {
        await work();
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        expect(errorText(error)).toBe(message);
        return message;
      }
      return 'nothing';
    };
    const { lock } = files;
    expect(await why(() => files.readText('absent'))).toBe(
      'open absent: no such file or directory',
    );
    expect(await why(() => files.readFileSync('absent'))).toBe(
      'open absent: no such file or directory',
    );
    expect(await why(() => files.readFile('d'))).toBe('read d: is a directory');
    expect(await why(() => files.readFile('file/x'))).toBe('open file/x: not a directory');
    expect(await why(() => files.readFile('a\0b'))).toContain('null bytes');
    expect(await why(() => files.makeDirectory('file'))).toBe('mkdir file: not a directory');
    expect(await why(() => files.makeDirectory('file/x'))).toBe('mkdir file/x: not a directory');
    expect(await why(() => files.replaceFile('absent/x', ''))).toBe(
      'open absent/x: no such file or directory',
    );
    expect(await why(() => files.rename('absent', 'other'))).toBe(
      'rename absent other: no such file or directory',
    );
    expect(await why(() => lock('absent/x'))).toBe('open absent/x: no such file or directory');
  });

  it('are listed by name with their kinds', async () => {
    await files.makeDirectory('d/e');
    await files.writeFile('B', '');
    await files.writeFile('a', '');
    symlinkSync('a', join(directory, 'l'));
    const expected = [
      { name: 'B', kind: 'file' },
      { name: 'a', kind: 'file' },
      { name: 'd', kind: 'directory' },
      { name: 'l', kind: 'link' },
    ];
    expect(await files.readDirectory('.')).toEqual(expected);
    expect(files.readDirectorySync('.')).toEqual(expected);
  });

  it.each([0, 1, 1024 * 1024, 1024 * 1024 + 1, 40 * 1024 * 1024])(
    'are read completely: %d bytes',
    async (size) => {
      const content = new Uint8Array(size).map((_, i) => i % 251);
      await files.replaceFile('a', content);
      expect(Buffer.compare(await files.readFile('a'), content)).toBe(0);
    },
  );
});

describe('links and copies', () => {
  it('point to their target, and are distinguished from other files', async () => {
    await files.makeDirectory('d');
    await files.writeFile('d/a', 'A');
    await files.symbolicLink('d/a', 'file');
    await files.symbolicLink('d', 'directory');
    await files.symbolicLink('nowhere', 'broken');
    expect(await files.readText('file')).toBe('A');
    expect(await files.readText('directory/a')).toBe('A');
    expect(files.readLinkSync('directory')).toBe('d');
    expect(await files.readLink('broken')).toBe('nowhere');
    expect(await files.readLink('d')).toBeUndefined();
    expect(files.readLinkSync('d/a')).toBeUndefined();
    expect(files.readLinkSync('absent')).toBeUndefined();
    await expect(files.symbolicLink('d', 'file')).rejects.toHaveProperty('code', 'EEXIST');
  });

  it('keep content and mode', async () => {
    await files.writeFile('a', 'A', { mode: 0o750 });
    await files.writeFile('b', 'longer than before');
    await files.copyFile('a', 'b');
    await files.copyFile('a', 'c');
    expect(await files.readText('b')).toBe('A');
    expect(await files.readText('c')).toBe('A');
    expect(mode('c')).toBe(0o750);
  });
});
