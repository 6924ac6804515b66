import { type MemoryFiles, memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { LOCK_FILE } from './lock-file-name.ts';
import { readDependencyLock } from './read-lock-file.ts';

async function filesWith(lock: string): Promise<MemoryFiles> {
  const host = memoryHost();
  await host.files.makeDirectory('.');
  await host.files.writeFile(LOCK_FILE, lock);
  return host.files;
}

describe('the dependency lock file', () => {
  it('names a version, constraints and hashes for each provider', async () => {
    const files = await filesWith(
      'provider "registry.terraform.io/hashicorp/null" {\n  version     = "3.2.4"\n  constraints = "~> 3.2"\n  hashes = [\n    "h1:a",\n    "zh:b",\n  ]\n}\n',
    );
    const { providers, diagnostics } = readDependencyLock(files);
    expect(diagnostics).toEqual([]);
    expect([...providers].map(([source, lock]) => [source.text, lock])).toEqual([
      [
        'registry.terraform.io/hashicorp/null',
        { version: '3.2.4', constraints: '~> 3.2', hashes: ['h1:a', 'zh:b'] },
      ],
    ]);
  });

  it('may be missing', () => {
    expect(readDependencyLock(memoryHost().files).providers.size).toBe(0);
  });

  it.each([
    ['provider "a/b/c/d" {\n  version = "1.0.0"\n}\n', 'Invalid provider source address'],
    ['provider "registry.terraform.io/hashicorp/null" {}\n', 'Missing required argument'],
    ['provider {', 'Unclosed configuration block'],
  ])('rejects invalid content: %j', async (text, summary) => {
    const { diagnostics } = readDependencyLock(await filesWith(text));
    expect(diagnostics.map((each) => each.summary)).toContain(summary);
    expect(diagnostics[0]?.subject?.filename).toBe(LOCK_FILE);
  });
});
