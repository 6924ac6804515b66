import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { readDependencyLock } from './dependency-lock.ts';
import { LOCK_FILE } from './lock-file-name.ts';
import { openProject, type Project } from './project.ts';

async function projectWith(lock: string): Promise<Project> {
  const host = memoryHost();
  await host.files.makeDirectory('.');
  await host.files.writeFile(LOCK_FILE, lock);
  return openProject(host);
}

describe('the dependency lock file', () => {
  it('names a version, constraints and hashes for each provider', async () => {
    const project = await projectWith(
      'provider "registry.terraform.io/hashicorp/null" {\n  version     = "3.2.4"\n  constraints = "~> 3.2"\n  hashes = [\n    "h1:a",\n    "zh:b",\n  ]\n}\n',
    );
    const { providers, diagnostics } = readDependencyLock(project);
    expect(diagnostics).toEqual([]);
    expect([...providers].map(([source, lock]) => [source.text, lock])).toEqual([
      [
        'registry.terraform.io/hashicorp/null',
        { version: '3.2.4', constraints: '~> 3.2', hashes: ['h1:a', 'zh:b'] },
      ],
    ]);
  });

  it('may be missing', () => {
    expect(readDependencyLock(openProject(memoryHost())).providers.size).toBe(0);
  });

  it.each([
    ['provider "a/b/c/d" {\n  version = "1.0.0"\n}\n', 'Invalid provider source address'],
    ['provider "registry.terraform.io/hashicorp/null" {}\n', 'Missing required argument'],
    ['provider {', 'Unclosed configuration block'],
  ])('is refused where it is wrong: %j', async (text, summary) => {
    const { diagnostics } = readDependencyLock(await projectWith(text));
    expect(diagnostics.map((each) => each.summary)).toContain(summary);
    expect(diagnostics[0]?.subject?.filename).toBe(LOCK_FILE);
  });
});
