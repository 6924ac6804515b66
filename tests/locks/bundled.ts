// Programs of these tests as one file each, since many processes that each compile them would do nothing else.
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/root.ts';

const bundles = new Map<string, Promise<string>>();

/** Bundles a program of the repository, once; gives the path of the bundle. */
export async function bundled(entry: string): Promise<string> {
  const known = bundles.get(entry) ?? bundle(entry);
  bundles.set(entry, known);
  return await known;
}

async function bundle(entry: string): Promise<string> {
  const folder = join(root, '.build/locks');
  const outfile = join(folder, `${basename(entry, '.ts')}-${process.pid}.mjs`);
  await mkdir(folder, { recursive: true });
  const built = await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22.18',
    format: 'esm',
    conditions: ['terrane-source'],
    external: ['fs-native-extensions', 'cpu-features', '*.node', 'vitest'],
    banner: {
      js: "import { createRequire as _make } from 'node:module'; const require = _make(import.meta.url);",
    },
    logLevel: 'error',
  });
  if (built.errors.length > 0) throw new Error(`${entry} cannot be built`);
  return outfile;
}
