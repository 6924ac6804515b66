import { Source } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { lockFileText } from './dependency-lock.ts';
import { type LockedModule, moduleLockFileText, sameModuleLocks } from './module-locks.ts';
import { parseDependencyLock } from './read-lock-file.ts';
import { parseModuleLockFile } from './read-module-locks.ts';

const TEXT = `# This file is maintained automatically by "terrane init".
# Manual edits may be lost in future updates.

module "a.b" {
  source = "git::https://example.com/a.git?ref=$\${x}"
  commit = "0123456789012345678901234567890123456789"
  hashes = [
    "h1:a=",
  ]
}

module "network" {
  source  = "registry.terraform.io/a/network/aws"
  version = "1.2.0"
  hashes = [
    "h1:a=",
    "h1:b=",
  ]
}
`;

const locks = parseModuleLockFile(new Source('lock', TEXT)).modules;

describe('the locks of modules', () => {
  it('are written in the format that they are read in', () => {
    const { modules, diagnostics } = parseModuleLockFile(new Source('lock', TEXT));
    expect(diagnostics).toEqual([]);
    expect(modules.get('a.b')?.source).toBe('git::https://example.com/a.git?ref=${x}');
    expect(moduleLockFileText(new Map([...modules].reverse()))).toBe(TEXT);
  });

  it('can follow those of providers', () => {
    const text = lockFileText(new Map(), locks);
    const parsed = parseDependencyLock(new Source('lock', text));
    expect(parsed.diagnostics).toEqual([]);
    expect(sameModuleLocks(parsed.modules, locks)).toBe(true);
    expect(lockFileText(parsed.providers, parsed.modules)).toBe(text);
  });

  it('differ in any argument', () => {
    const changed = (change: Partial<LockedModule>): boolean => {
      const [path, lock] = [...locks][0] ?? [];
      if (path === undefined || lock === undefined) throw new Error('no lock');
      return !sameModuleLocks(locks, new Map([...locks, [path, { ...lock, ...change }]]));
    };
    expect(changed({})).toBe(false);
    expect(changed({ source: 'other' })).toBe(true);
    expect(changed({ hashes: ['h1:c='] })).toBe(true);
    expect(changed({ version: '1.0.0' })).toBe(true);
  });

  it.each([
    ['source = "a"', 'The argument "hashes" is required'],
    ['hashes = ["h1:a"]', 'The argument "source" is required'],
    ['source = "a"\nhashes = []', 'must either be omitted or contain at least one hash value'],
    ['source = "a"\nhashes = ["x"]', 'Cannot interpret "x" as a module hash'],
    ['source = "a"\nhashes = ["h1:a"]\nversion = "one"', 'is not a version number'],
    ['source = "a"\nhashes = ["h1:a"]\nother = 1', 'An argument named "other" is not expected'],
  ])('are read strictly: %j', (body, detail) => {
    const { diagnostics } = parseModuleLockFile(new Source('lock', `module "m" {\n${body}\n}\n`));
    expect(diagnostics.map((each) => each.detail).join('\n')).toContain(detail);
  });

  it('are unique', () => {
    const block = 'module "m" {\n  source = "a"\n  hashes = ["h1:a"]\n}\n';
    const { diagnostics } = parseModuleLockFile(new Source('lock', block + block));
    expect(diagnostics.map((each) => each.summary)).toEqual(['Duplicate module lock']);
  });
});
