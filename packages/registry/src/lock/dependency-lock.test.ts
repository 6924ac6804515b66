import { ProviderSource } from '@terrane/addresses';
import { Source } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { type LockedProvider, lockFileText, normalHashes, sameLocks } from './dependency-lock.ts';
import { parseDependencyLock } from './read-lock-file.ts';

const address = (text: string): ProviderSource => {
  const source = ProviderSource.parse(text);
  if ('error' in source) throw new Error(source.error);
  return source;
};

const TEXT = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.

provider "example.com/a/z" {
  version = "1.0.0"
}

provider "registry.terraform.io/hashicorp/null" {
  version     = "3.2.4"
  constraints = ">= 3.0.0, ~> 3.2"
  hashes = [
    "h1:a",
    "zh:b",
  ]
}
`;

describe('the lock file', () => {
  it('is written in the format that it is read in', () => {
    const { providers, diagnostics } = parseDependencyLock(new Source('lock', TEXT));
    expect(diagnostics).toEqual([]);
    expect(lockFileText(new Map([...providers].reverse()))).toBe(TEXT);
  });

  it('without providers is its header', () => {
    expect(lockFileText(new Map())).toBe(TEXT.split('\n\n')[0] + '\n');
  });

  it('ignores constraints in the comparison', () => {
    const locked: LockedProvider = { version: '1.0.0', constraints: '1.0.0', hashes: ['h1:a'] };
    const of = (lock: LockedProvider) => new Map([[address('a/b'), lock]]);
    expect(sameLocks(of(locked), of({ ...locked, constraints: '' }))).toBe(true);
    expect(sameLocks(of(locked), of({ ...locked, version: '1.0.1' }))).toBe(false);
    expect(sameLocks(of(locked), of({ ...locked, hashes: ['h1:a', 'h1:b'] }))).toBe(false);
    expect(sameLocks(of(locked), new Map())).toBe(false);
  });

  it('has each hash once', () => {
    expect(normalHashes(['zh:1', 'h1:b', 'zh:1', 'h1:B'])).toEqual(['h1:B', 'h1:b', 'zh:1']);
  });

  it.each([
    ['version = "1.0"', 'must be written in normalized form: "1.0.0".'],
    ['version = "v1"', 'is invalid: a "v" prefix should not be used.'],
    ['version = null', 'A provider lock block must contain a "version" argument.'],
    ['version = []', 'Unsuitable value: string required'],
    ['version = "1.0.0"\nconstraints = ">= 1"', 'must be written in normalized form: ">= 1.0.0".'],
    [
      'version = "1.0.0"\nhashes = []',
      'must either be omitted or contain at least one hash value.',
    ],
    ['version = "1.0.0"\nhashes = ["x"]', 'Cannot interpret "x" as a provider hash'],
    ['version = "1.0.0"\nhashes = "x"', 'A static list expression is required.'],
    ['version = "1.0.0"\nother = 1', 'An argument named "other" is not expected here.'],
  ])('is read strictly: %j', (body, detail) => {
    const source = new Source('lock', `provider "registry.terraform.io/a/b" {\n${body}\n}\n`);
    const { diagnostics } = parseDependencyLock(source);
    expect(diagnostics.map((each) => each.detail).join('\n')).toContain(detail);
  });

  it.each([
    ['provider "a/b" {\n version = "1.0.0"\n}', 'must be written as "registry.terraform.io/a/b"'],
    ['provider "terraform.io/builtin/terraform" {\n version = "1.0.0"\n}', 'built-in provider'],
    ['module "x" {\n}', 'only supports dependency locks for providers'],
    ['other {\n}', 'Blocks of type "other" are not expected here.'],
    [
      'provider "registry.terraform.io/a/b" {\n version = "1.0.0"\n}\nprovider "registry.terraform.io/a/b" {\n version = "1.0.0"\n}',
      'already declared a lock for provider registry.terraform.io/a/b at lock:1,1-37.',
    ],
  ])('reports unexpected content: %j', (text, detail) => {
    const { diagnostics } = parseDependencyLock(new Source('lock', `${text}\n`));
    expect(diagnostics.map((each) => each.detail).join('\n')).toContain(detail);
  });
});
