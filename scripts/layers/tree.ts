import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from './rules.ts';
import { readSource, type SourceFile } from './source-file.ts';

/** The input of the layer rules, read from a repository. */
export interface Tree {
  readonly files: readonly SourceFile[];
  readonly packages: readonly Package[];
  /** The dependencies that the repository declares for all its tests and scripts. */
  readonly shared: readonly string[];
}

const groups = ['packages', 'providers'];
const sideFolders = ['scripts', 'tests', 'bench'];
const ignored = new Set(['node_modules', 'dist', 'fixtures', 'goldens', 'recorded']);

/** Reads every TypeScript file of the repository at `root`, in the order of their paths. */
export function readTree(root: string): Tree {
  const packages: Package[] = [];
  const paths: string[] = [];
  for (const group of groups) {
    for (const name of entries(root, group)) {
      const folder = `${group}/${name}`;
      if (!existsSync(join(root, folder, 'package.json'))) continue;
      packages.push(readPackage(root, folder));
      collect(root, `${folder}/src`, paths);
    }
  }
  for (const folder of sideFolders) collect(root, folder, paths);
  const files = paths.map((path) => readSource(path, readFileSync(join(root, path), 'utf8')));
  return { files, packages, shared: Object.keys(readManifest(root, '.').devDependencies ?? {}) };
}

interface Manifest {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readManifest(root: string, folder: string): Manifest {
  // Our own package.json files, whose shape npm checks.
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

function readPackage(root: string, folder: string): Package {
  const manifest = readManifest(root, folder);
  const exported = Object.keys(manifest.exports ?? {});
  return {
    name: manifest.name ?? folder,
    folder,
    exports: exported.filter((path) => path !== './package.json'),
    dependencies: [
      manifest.dependencies,
      manifest.devDependencies,
      manifest.optionalDependencies,
      manifest.peerDependencies,
    ].flatMap((list) => Object.keys(list ?? {})),
  };
}

function entries(root: string, folder: string): string[] {
  const path = join(root, folder);
  return existsSync(path) ? readdirSync(path).sort() : [];
}

function collect(root: string, folder: string, into: string[]): void {
  if (!existsSync(join(root, folder))) return;
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !ignored.has(entry.name)) collect(root, path, into);
    else if (entry.isFile() && entry.name.endsWith('.ts')) into.push(path);
  }
}
