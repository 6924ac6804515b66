import { describe, expect, it } from 'vitest';
import { goPaths, pathsOf } from './file-paths.ts';

interface GoResult {
  readonly isAbsolute: boolean;
  readonly clean: string;
  readonly directory: string;
  readonly base: string;
  readonly joined: string;
}

// The output of a Go 1.26 program for Windows: IsAbs, Clean, Dir, Base, and Join with "mod".
const WINDOWS: readonly (readonly [string, boolean, string, string, string, string])[] = [
  ['', false, '.', '.', '.', 'mod'],
  ['.', false, '.', '.', '.', 'mod'],
  ['..', false, '..', '.', '..', '.'],
  ['C:\\x', true, 'C:\\x', 'C:\\', 'x', 'mod\\C:\\x'],
  ['C:/x/y', true, 'C:\\x\\y', 'C:\\x', 'y', 'mod\\C:\\x\\y'],
  ['C:x', false, 'C:x', 'C:.', 'x', 'mod\\C:x'],
  ['C:', false, 'C:.', 'C:.', '\\', 'mod\\C:'],
  ['c:\\', true, 'c:\\', 'c:\\', '\\', 'mod\\c:'],
  ['\\x', false, '\\x', '\\', 'x', 'mod\\x'],
  ['/x', false, '\\x', '\\', 'x', 'mod\\x'],
  [
    '\\\\srv\\share\\x\\..\\y',
    true,
    '\\\\srv\\share\\y',
    '\\\\srv\\share\\',
    'y',
    'mod\\srv\\share\\y',
  ],
  ['//srv/share/x', true, '\\\\srv\\share\\x', '\\\\srv\\share\\', 'x', 'mod\\srv\\share\\x'],
  ['\\\\srv\\share', true, '\\\\srv\\share', '\\\\srv\\share', '\\', 'mod\\srv\\share'],
  ['\\\\?\\C:\\x', true, '\\\\?\\C:\\x', '\\\\?\\C:\\', 'x', 'mod\\?\\C:\\x'],
  ['\\\\.\\pipe\\x', true, '\\\\.\\pipe\\x', '\\\\.\\pipe\\', 'x', 'mod\\pipe\\x'],
  ['a\\b/c', false, 'a\\b\\c', 'a\\b', 'c', 'mod\\a\\b\\c'],
  ['a\\..\\..\\b', false, '..\\b', '..', 'b', 'b'],
  ['a/b/', false, 'a\\b', 'a\\b', 'b', 'mod\\a\\b'],
  ['.\\x', false, 'x', '.', 'x', 'mod\\x'],
  ['..\\x', false, '..\\x', '..', 'x', 'x'],
  ['~\\x', false, '~\\x', '~', 'x', 'mod\\~\\x'],
  ['NUL', false, 'NUL', '.', 'NUL', 'mod\\NUL'],
  ['a/NUL', false, 'a\\NUL', 'a', 'NUL', 'mod\\a\\NUL'],
  ['con.txt', false, 'con.txt', '.', 'con.txt', 'mod\\con.txt'],
  ['C:\\a\\..\\..\\b', true, 'C:\\b', 'C:\\', 'b', 'mod\\b'],
  ['C:..\\b', false, 'C:..\\b', 'C:..', 'b', 'mod\\C:..\\b'],
  ['a//b', false, 'a\\b', 'a', 'b', 'mod\\a\\b'],
  ['\\\\', true, '\\\\', '\\\\.', '\\', 'mod'],
  ['x\\', false, 'x', 'x', 'x', 'mod\\x'],
  ['a/../c:', false, '.\\c:', '.', 'c:', 'mod\\c:'],
  ['a/../c:/d', false, '.\\c:\\d', '.\\c:', 'd', 'mod\\c:\\d'],
  ['C:\\..', true, 'C:\\', 'C:\\', '..', 'mod'],
  ['\\\\srv', true, '\\\\srv', '\\\\srv', '\\', 'mod\\srv'],
  ['\\\\srv\\', true, '\\\\srv\\', '\\\\srv\\', '\\', 'mod\\srv'],
  ['\\\\srv\\share\\', true, '\\\\srv\\share\\', '\\\\srv\\share\\', '\\', 'mod\\srv\\share'],
  ['\\\\srv\\share\\..', true, '\\\\srv\\share\\', '\\\\srv\\share\\', '..', 'mod\\srv'],
  ['//srv//share', true, '\\\\srv\\\\share', '\\\\srv\\\\', 'share', 'mod\\srv\\share'],
  [
    '\\\\?\\UNC\\srv\\share\\x',
    true,
    '\\\\?\\UNC\\srv\\share\\x',
    '\\\\?\\UNC\\srv\\share',
    'x',
    'mod\\?\\UNC\\srv\\share\\x',
  ],
  ['\\\\?\\UNC', true, '\\\\?\\UNC', '\\\\?\\UNC', '\\', 'mod\\?\\UNC'],
  ['a:b\\c', false, 'a:b\\c', 'a:b', 'c', 'mod\\a:b\\c'],
  ['1:x', false, '1:x', '1:.', 'x', 'mod\\1:x'],
  ['C:/', true, 'C:\\', 'C:\\', '\\', 'mod\\C:'],
  ['/', false, '\\', '\\', '\\', 'mod'],
  ['//', true, '\\\\', '\\\\.', '\\', 'mod'],
  ['///', true, '\\\\\\', '\\\\\\', '\\', 'mod'],
  ['///a', true, '\\\\\\a', '\\\\\\a', '\\', 'mod\\a'],
  ['a\\.', false, 'a', 'a', '.', 'mod\\a'],
  ['.\\..', false, '..', '.', '..', '.'],
  ['...', false, '...', '.', '...', 'mod\\...'],
  ['a. \\b', false, 'a. \\b', 'a. ', 'b', 'mod\\a. \\b'],
];

describe('paths by the rules of Go on Windows', () => {
  const { base, clean, directory, isAbsolute, join } = goPaths({ platform: 'win32' });

  it.each(WINDOWS)('%j', (path, ...expected) => {
    const [absolute, cleaned, above, last, joined] = expected;
    const result: GoResult = {
      isAbsolute: isAbsolute(path),
      clean: clean(path),
      directory: directory(path),
      base: base(path),
      joined: join('mod', path),
    };
    expect(result).toEqual({
      isAbsolute: absolute,
      clean: cleaned,
      directory: above,
      base: last,
      joined,
    });
  });
});

describe('paths by the rules of Go on other systems', () => {
  const { absolute, base, clean, directory, isAbsolute, join, toSlash } = goPaths({
    platform: 'linux',
  });

  it('treat a backslash as a letter', () => {
    expect(clean('a\\..\\b/')).toBe('a\\..\\b');
    expect(base('a\\b')).toBe('a\\b');
    expect(directory('/a\\b/c')).toBe('/a\\b');
    expect(toSlash('a\\b')).toBe('a\\b');
    expect(isAbsolute('C:\\a')).toBe(false);
  });

  it('have one root', () => {
    expect(join('/', '/a')).toBe('/a');
    expect(directory('//a')).toBe('/');
    expect(base('//')).toBe('/');
    expect(absolute('/here', '../x/')).toBe('/x');
    expect(absolute('/here', '/x/')).toBe('/x');
  });
});

it('path functions follow the platform of the host, not that of this process', () => {
  expect(pathsOf({ platform: 'win32' }).join('a', 'b')).toBe('a\\b');
  expect(pathsOf({ platform: 'darwin' }).join('a', 'b')).toBe('a/b');
});
