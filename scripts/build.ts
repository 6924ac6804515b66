/**
 * Builds what is published: the program as one file with a launcher, and each library
 * package as JavaScript with declarations. `--cli` and `--libraries` build one half only.
 */
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { partsWithout } from './bundle-size.ts';
import { joinParts } from './join-parts.ts';
import { root } from './root.ts';

const cliFolder = join(root, 'packages/cli');
const scratch = join(root, '.build');

/** Leaves out what the SSH library has besides a client: a server, file systems, the making of keys. */
const sshClientOnly: Plugin = {
  name: 'ssh-client-only',
  setup({ onLoad }) {
    const unused = /[\\/]ssh2[\\/]lib[\\/](server|keygen|http-agents|protocol[\\/]SFTP)\.js$/;
    onLoad({ filter: unused }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The bundle of a library that few runs need: `packages/backends/src/s3/libraries/aws.ts` is in `library-aws.cjs`. */
const libraryBundle = (source: string): string => `library-${basename(source, '.ts')}.cjs`;

/**
 * Leaves libraries of clouds and the like out of the program: files in folders `libraries`, which re-export a library
 * and nothing else. Each becomes a bundle beside the program that is read when it is imported.
 */
const librariesApart: Plugin = {
  name: 'libraries-apart',
  setup({ onResolve }) {
    onResolve({ filter: /[\\/]libraries[\\/][\w-]+\.ts$/ }, ({ path, kind, importer }) => {
      if (kind === 'dynamic-import') return { path: `./${libraryBundle(path)}`, external: true };
      if (kind === 'entry-point') return undefined;
      return { errors: [{ text: `${importer} must import ${path} when it is needed: import()` }] };
    });
  },
};

const program: BuildOptions = {
  plugins: [sshClientOnly, librariesApart],
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  conditions: ['terrane-source'],
  // What this library gives to Node is CommonJS, which cannot be split or shaken.
  alias: {
    yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
    // Its smallest form, which does not ask where its own file is.
    openpgp: join(root, 'node_modules/openpgp/dist/node/openpgp.min.cjs'),
  },
  // Compiled parts of the SSH library, which does without them.
  external: ['cpu-features', '*.node'],
  minifySyntax: true,
  minifyWhitespace: true,
  // Names stay as written, so that a stack trace in a bug report can be read.
  minifyIdentifiers: false,
  // Plain ASCII takes half the memory, and can be read without decoding.
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
};

/** What a usual plan or apply does without: it is in a file of its own, which is read when any of it is needed. */
const SELDOM =
  /^node_modules\/(?!protobufjs\/)|^packages\/(?:backends\/src\/(?!local\/)|encryption\/|provisioners\/|registry\/|engine\/src\/explain\/|ops\/src\/remote-runs\/)|^providers\/(?!terraform\/)/;

/**
 * Bundles the program into packages/cli/dist: two files whose parts run when they are first needed, and a launcher
 * that keeps the compiled code from run to run.
 */
async function bundleCli(): Promise<void> {
  const out = join(cliFolder, 'dist');
  // Made beside the old one and put in its place at the end: a failed build leaves the old program.
  const made = join(scratch, `cli-${process.pid}`);
  await mkdir(made, { recursive: true });
  const { metafile, outputFiles } = await build({
    ...program,
    entryPoints: { terrane: join(cliFolder, 'src/terrane.ts') },
    outdir: join(scratch, 'parts'),
    splitting: true,
    format: 'esm',
    metafile: true,
    write: false,
  });
  // What the entry and each command load, for the size check.
  await writeFile(join(scratch, 'cli-meta.json'), JSON.stringify(metafile));
  const usual = partsWithout(metafile, 'packages/cli/src/terrane.ts', SELDOM);
  const scripts = joinParts(
    outputFiles.map(({ path, text }) => ({ name: basename(path), text })),
    'terrane.js',
    (name) => !usual.has(name),
  );
  await writeFile(join(made, 'program.cjs'), scripts.program);
  await writeFile(join(made, 'seldom.cjs'), scripts.seldom);
  for (const source of await libraryFiles()) {
    await build({
      ...program,
      entryPoints: [source],
      outfile: join(made, libraryBundle(source)),
      format: 'cjs',
      supported: { 'dynamic-import': false },
      // Libraries written as modules may ask where they are, to load what is beside them.
      define: { 'import.meta.url': 'libraryUrl' },
      banner: { js: "const libraryUrl = require('node:url').pathToFileURL(__filename).href;" },
    });
  }
  const digest = createHash('sha256').update(scripts.program).update(scripts.seldom);
  await build({
    ...program,
    entryPoints: [join(cliFolder, 'src/launcher/launch.ts')],
    outfile: join(made, 'terrane.js'),
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    define: { PROGRAM_DIGEST: JSON.stringify(digest.digest('hex').slice(0, 16)) },
  });
  // What `terrane shim` has run: the program sees the name of this file.
  await writeFile(join(made, 'terraform.js'), "require('./terrane.js');\n");
  await writeFile(join(made, 'package.json'), '{"type":"commonjs"}\n');
  await chmod(join(made, 'terrane.js'), 0o755);
  await rm(out, { recursive: true, force: true });
  await rename(made, out);
}

/** The files that re-export libraries for bundles of their own. */
async function libraryFiles(): Promise<readonly string[]> {
  const found = await readdir(join(root, 'packages'), { recursive: true });
  const sources = found.filter((path) =>
    /^[\w-]+[\\/]src[\\/].*\blibraries[\\/][\w-]+\.ts$/.test(path),
  );
  if (new Set(sources.map(libraryBundle)).size < sources.length) {
    throw new Error(`two files in folders "libraries" have one name: ${sources.join(', ')}`);
  }
  return sources.map((path) => join(root, 'packages', path));
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
