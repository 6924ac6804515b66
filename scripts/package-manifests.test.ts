import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './root.ts';

interface Manifest {
  readonly name: string;
  readonly license?: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const folders = ['packages', 'providers'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(parent, name)),
);

describe.each(folders)('%s/package.json', (folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

  test('has a licence and a README that names the package', () => {
    const read = (name: string): string => readFileSync(join(root, folder, name), 'utf8');
    expect(manifest.license).toBe('MPL-2.0');
    expect(read('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    expect(read('README.md')).toMatch(new RegExp(`^# ${manifest.name}\n\n\\S`));
  });

  test('names no file that is not packed under a condition that other programs may set', () => {
    const conditions = Object.values(manifest.exports ?? {}).flatMap((target) =>
      typeof target === 'object' && target !== null ? Object.keys(target) : [],
    );
    const known = new Set(['terrane-source', 'types', 'default']);
    expect(conditions.filter((condition) => !known.has(condition))).toEqual([]);
  });
});

// Amazon publishes a client only when it changes, so the newest versions differ. Clients of one version share the core.
test('all packages use one version of the clients of the AWS SDK', () => {
  const versions = ['.', ...folders].flatMap((folder) => {
    const manifest = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    ) as Manifest;
    return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      .filter(([name]) => /^@aws-sdk\/(client-|credential-providers$)/.test(name))
      .map(([, version]) => version);
  });
  expect(versions.length).toBeGreaterThan(16);
  expect(new Set(versions).size).toBe(1);
});

// Each `libraries` file re-exports packages that are installed on request only.
test('packages of optional features are optional, and named where they are loaded', () => {
  const libraries = readdirSync(join(root, 'packages'), {
    recursive: true,
    encoding: 'utf8',
  }).filter((path) => /^(?!cli\/)[\w-]+\/src\/.*\blibraries\/[\w-]+\.ts$/.test(path));
  expect(libraries.length).toBeGreaterThan(8);
  for (const path of libraries) {
    const [folder = ''] = path.split('/');
    const manifest = JSON.parse(
      readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
    ) as Manifest;
    const sources = readdirSync(join(root, 'packages', folder, 'src'), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((source) => source.endsWith('.ts') && !/\.test\.ts$|\blibraries\//.test(source))
      .map((source) => readFileSync(join(root, 'packages', folder, 'src', source), 'utf8'));
    const text = readFileSync(join(root, 'packages', path), 'utf8');
    for (const [, name = ''] of text.matchAll(/from '((?:@[\w-]+\/)?[\w-]+)/g)) {
      expect(manifest.peerDependenciesMeta?.[name], `${path}: ${name}`).toEqual({ optional: true });
      expect(manifest.dependencies?.[name], `${path}: ${name}`).toBeUndefined();
      const callers = sources.filter((source) => source.includes('importOptional('));
      expect(
        callers.some((source) => source.includes(`'${name}'`)),
        `${path}: ${name} is not named in a call of importOptional`,
      ).toBe(true);
    }
  }
});
