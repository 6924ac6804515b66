/**
 * Builds what is published: the program as a bundle with lazily loaded chunks, and each library
 * package as JavaScript with declarations. `--cli` and `--libraries` build one half only.
 */
import { chmod, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './root.ts';

const cliFolder = join(root, 'packages/cli');
const scratch = join(root, '.build');

/** Bundles the program into packages/cli/dist; dynamic imports become chunks of their own. */
async function bundleCli(): Promise<void> {
  const out = join(cliFolder, 'dist');
  // Made beside the old one and put in its place at the end: a failed build leaves the old program.
  const made = join(scratch, `cli-${process.pid}`);
  await mkdir(scratch, { recursive: true });
  const result = await build({
    absWorkingDir: root,
    entryPoints: { terrane: join(cliFolder, 'src/terrane.ts') },
    outdir: made,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    // What this library gives to Node is CommonJS, which cannot be split or shaken.
    alias: { yaml: join(root, 'node_modules/yaml/browser/dist/index.js') },
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    // Names stay as written, so that a stack trace in a bug report can be read.
    minifyIdentifiers: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  await writeFile(join(scratch, 'cli-meta.json'), JSON.stringify(result.metafile));
  await chmod(join(made, 'terrane.js'), 0o755);
  await rm(out, { recursive: true, force: true });
  await rename(made, out);
}

/** Compiles every library package in one program and moves each result to its dist folder. */
async function buildLibraries(): Promise<void> {
  const out = join(scratch, 'tsc');
  await rm(out, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const done = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const group of ['packages', 'providers']) {
    if (!existsSync(join(out, group))) continue;
    for (const name of await readdir(join(out, group))) {
      const target = join(root, group, name, 'dist');
      await rm(target, { recursive: true, force: true });
      await cp(join(out, group, name, 'src'), target, { recursive: true });
    }
  }
  if (done.status !== 0) process.exitCode = 1;
}

const only = process.argv.slice(2);
if (!only.includes('--libraries')) await bundleCli();
if (!only.includes('--cli')) await buildLibraries();
