import { describe, expect, it } from 'vitest';
import { snapshotFiles } from './snapshot-files.ts';

const files = snapshotFiles(
  new Map([
    ['main.tf', 'root'],
    ['./other.tf', 'ö'],
    ['modules/a/main.tf', 'a'],
    ['modules/b/deep/main.tf', 'b'],
    ['../shared/main.tf', 'shared'],
    ['/far/away/main.tf', 'far'],
  ]),
);
const textOf = (path: string): string => Buffer.from(files.readFileSync(path)).toString();
const names = (path: string): readonly string[] =>
  files
    .readDirectorySync(path)
    .map(({ name, kind }) => `${kind} ${name}`)
    .sort();

describe('the files of a plan', () => {
  it('are found by any spelling of their names', () => {
    expect(textOf('main.tf')).toBe('root');
    expect(textOf('./modules/../modules/a/main.tf')).toBe('a');
    expect(textOf('other.tf')).toBe('ö');
    expect(textOf('../shared/main.tf')).toBe('shared');
  });

  it('are listed with the directories above them', () => {
    expect(names('.')).toEqual(['directory modules', 'file main.tf', 'file other.tf']);
    expect(names('modules')).toEqual(['directory a', 'directory b']);
    expect(names('./modules/b/')).toEqual(['directory deep']);
    expect(names('modules/b/deep')).toEqual(['file main.tf']);
    expect(names('../shared')).toEqual(['file main.tf']);
    expect(names('/')).toEqual(['directory far']);
    expect(names('/far/away')).toEqual(['file main.tf']);
  });

  it('have a kind, and there is nothing else', () => {
    expect(files.statSync('main.tf')?.kind).toBe('file');
    expect(files.statSync('modules/a/')?.kind).toBe('directory');
    expect(files.statSync('.')?.kind).toBe('directory');
    expect(files.statSync('modules/c')).toBeUndefined();
    expect(() => files.readFileSync('modules')).toThrow('the plan has no file modules');
    expect(() => files.readDirectorySync('main.tf')).toThrow('the plan has no directory main.tf');
  });

  it('may be none', () => {
    expect(snapshotFiles(new Map()).readDirectorySync('.')).toEqual([]);
  });
});
