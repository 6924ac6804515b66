import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './root.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

const folders = ['packages', 'providers'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(parent, name)),
);

describe.each(folders)('%s/package.json', (folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

  test('names no file that is not packed under a condition that other programs may set', () => {
    const conditions = Object.values(manifest.exports ?? {}).flatMap((target) =>
      typeof target === 'object' && target !== null ? Object.keys(target) : [],
    );
    const known = new Set(['terrane-source', 'types', 'default']);
    expect(conditions.filter((condition) => !known.has(condition))).toEqual([]);
  });
});
