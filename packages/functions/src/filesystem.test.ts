import { type Value, valueToJson } from '@terrane/cty';
import { constantScope, type Diagnostic, evaluate, parseExpression, Source } from '@terrane/hcl';
import { win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { globFiles } from './glob.ts';
import { loadFunctionLibraries } from './libraries.ts';
import { functionTable } from './table.ts';

/** Files of the imaginary drive C:, whose file system ignores case. */
const FILES: Readonly<Record<string, string>> = {
  'c:\\proj\\sub\\a.txt': 'text',
  'c:\\proj\\sub\\deep\\b.txt': 'deep',
  'c:\\abs\\c.txt': 'abs',
};
const at = (path: string): string => win32.resolve('C:\\proj', path).toLowerCase();
const namesIn = (directory: string): string[] => {
  const prefix = `${at(directory)}\\`;
  const below = Object.keys(FILES).filter((path) => path.startsWith(prefix));
  return [...new Set(below.map((path) => path.slice(prefix.length).split('\\')[0] ?? ''))];
};

await loadFunctionLibraries();
const table = functionTable(
  {
    files: {
      readFileSync: (path) => new TextEncoder().encode(FILES[at(path)]),
      readDirectorySync: (path) => namesIn(path).map((name) => ({ name, kind: 'file' as const })),
      statSync(path) {
        const text = FILES[at(path)];
        if (text === undefined && namesIn(path).length === 0) return undefined;
        const kind = text === undefined ? 'directory' : 'file';
        return { kind, size: text?.length ?? 0, mtimeMs: 0, mode: 0o666, inode: 0 };
      },
    },
    environment: { cwd: 'C:\\proj', homeDirectory: 'C:\\Users\\me', platform: 'win32' },
    clock: { now: () => new Date(0) },
    random: { bytes: (n) => new Uint8Array(n), uuid: () => '00000000-0000-4000-8000-000000000000' },
  },
  { baseDir: '.', pure: false, consoleMode: true },
);

function call(text: string): { readonly value: Value; readonly diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const { expression } = parseExpression(new Source('<test>', text));
  if (expression === undefined) throw new Error(`cannot parse ${text}`);
  const value = evaluate(expression, constantScope({}, table), diagnostics);
  return { value, diagnostics };
}

// Recorded with Terraform 1.12.2 for Windows, run by Wine 10 in C:\proj.
const RESULTS: readonly (readonly [string, unknown])[] = [
  [String.raw`abspath("sub")`, 'C:/proj/sub'],
  [String.raw`abspath("sub\\..\\x/")`, 'C:/proj/x'],
  [String.raw`abspath("C:\\a\\..\\b\\")`, 'C:/b'],
  [String.raw`abspath("C:/a/b")`, 'C:/a/b'],
  [String.raw`abspath("\\a")`, 'C:/a'],
  [String.raw`abspath("\\\\server\\share\\a\\..\\b")`, '//server/share/b'],
  [String.raw`abspath("")`, 'C:/proj'],
  [String.raw`basename("a\\b/c")`, 'c'],
  [String.raw`basename("a\\")`, 'a'],
  [String.raw`basename("C:\\")`, '\\'],
  [String.raw`basename("C:x")`, 'x'],
  [String.raw`basename("")`, '.'],
  [String.raw`dirname("a\\b/c")`, 'a\\b'],
  [String.raw`dirname("C:\\a\\b")`, 'C:\\a'],
  [String.raw`dirname("C:/a")`, 'C:\\'],
  [String.raw`dirname("C:x")`, 'C:.'],
  [String.raw`dirname("\\\\server\\share\\a")`, '\\\\server\\share\\'],
  [String.raw`dirname("a")`, '.'],
  [String.raw`dirname("")`, '.'],
  [String.raw`pathexpand("~")`, 'C:\\Users\\me'],
  [String.raw`pathexpand("~\\a/b")`, 'C:\\Users\\me\\a\\b'],
  [String.raw`pathexpand("~/a")`, 'C:\\Users\\me\\a'],
  [String.raw`pathexpand("C:\\~")`, 'C:\\~'],
  [String.raw`file("sub\\a.txt")`, 'text'],
  [String.raw`file("C:\\abs\\c.txt")`, 'abs'],
  [String.raw`file("C:/abs/c.txt")`, 'abs'],
  [String.raw`file("/sub/a.txt")`, 'text'],
  [String.raw`fileexists("SUB\\A.TXT")`, true],
  [String.raw`fileset("sub", "**")`, ['a.txt', 'deep/b.txt']],
  [String.raw`fileset("sub", "deep\\*.txt")`, ['deep/b.txt']],
  [String.raw`fileset("C:\\proj\\", "sub/**")`, ['sub/a.txt', 'sub/deep/b.txt']],
  [String.raw`fileset("C:/proj", "sub\\*.txt")`, ['sub/a.txt']],
  [String.raw`fileset(".", "sub\\**\\*.txt")`, ['sub/a.txt', 'sub/deep/b.txt']],
  [String.raw`fileset("sub\\deep", "..\\*.txt")`, ['../a.txt']],
  [String.raw`templatefile("sub\\a.txt", {})`, 'text'],
];

describe('functions of files on Windows', () => {
  it.each(RESULTS)('evaluate %s', (text, expected) => {
    const { value, diagnostics } = call(text);
    expect(diagnostics).toEqual([]);
    expect(JSON.parse(valueToJson(value, value.type))).toEqual(expected);
  });

  it.each([
    [String.raw`pathexpand("~user\\a")`, 'cannot expand user-specific home dir'],
    [String.raw`file("\\abs\\c.txt")`, String.raw`no file exists at "\\abs\\c.txt"`],
    [String.raw`file("sub\\none.txt")`, String.raw`no file exists at "sub\\none.txt"`],
    [String.raw`file("sub")`, 'failed to read file: read sub: '],
    [String.raw`filemd5("sub\\none.txt")`, String.raw`open sub\none.txt: `],
    [String.raw`fileexists("sub\\deep")`, String.raw`"sub\\deep" is a directory, not a`],
  ])('reject %s', (text, expected) => {
    expect(call(text).diagnostics[0]?.detail).toContain(expected);
  });
});

describe('fileset', () => {
  const kinds = { 'sub/deep': 'directory', 'sub/a.txt': 'file' } as const;
  const files: Parameters<typeof globFiles>[0] = {
    readDirectorySync: (path) =>
      path === 'sub' ? ['a.txt', 'deep'].map((name) => ({ name, kind: 'file' })) : [],
    statSync: (path) => {
      const kind = kinds[path as keyof typeof kinds];
      return kind && { kind, size: 0, mtimeMs: 0, mode: 0, inode: 0 };
    },
  };

  it('finds files outside of its directory, relative to it', () => {
    expect(globFiles(files, 'sub/deep', 'sub/*.txt')).toEqual(['../a.txt']);
  });
});
