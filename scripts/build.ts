/**
 * Builds what is published: the program as one file with a launcher, and each library
 * package as JavaScript with declarations. `--cli` and `--libraries` build one half only.
 */
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { partsWithout } from './bundle-size.ts';
import { directImports } from './direct-imports.ts';
import { minifiedPages } from './minified-pages.ts';
import { compileCode } from './compile-code.ts';
import { joinParts } from './join-parts.ts';
import { OLDEST_NODE } from './pinned-node.mjs';
import { root } from './root.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

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

/**
 * Optional packages of bundled libraries, which work without them. They are not installed with the program, so a
 * `require` left in the bundle could only ever find a file that somebody else put in Node's search path.
 */
const withoutOptionalPackages: Plugin = {
  name: 'without-optional-packages',
  setup({ onLoad, onResolve }) {
    const optional =
      /^(?:cpu-features|kerberos|pg-native|supports-color|@aws-sdk\/signature-v4-crt)$|[\\/]sshcrypto\.node$/;
    onResolve({ filter: optional }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw Object.assign(new Error(${JSON.stringify(`Cannot find module '${path}'`)}),{code:'MODULE_NOT_FOUND'});`,
    }));
  },
};

/** Packages with files of their own that few users need: an error names the command that installs them. */
const SEPARATELY_INSTALLED = ['@electric-sql/pglite'];

/** Throws if a bundle imports anything but built-in modules, library bundles and those packages. */
function assertSelfContained({ outputs }: Metafile): void {
  for (const [output, { imports }] of Object.entries(outputs)) {
    for (const { path, external } of imports) {
      if (external !== true || isBuiltin(path) || path.startsWith('./library-')) continue;
      if (SEPARATELY_INSTALLED.includes(path)) continue;
      throw new Error(`${output} imports "${path}", which is not part of the program`);
    }
  }
}

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
  plugins: [
    sshClientOnly,
    withoutOptionalPackages,
    librariesApart,
    minifiedPages,
    directImports(root),
  ],
  absWorkingDir: root,
  bundle: true,
  external: SEPARATELY_INSTALLED,
  platform: 'node',
  target: 'node22.18',
  conditions: ['terrane-source'],
  // The entry that this library has for Node is CommonJS, which cannot be split or shaken.
  alias: {
    yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
    // Its smallest form, which does not ask where its own file is.
    openpgp: join(root, 'node_modules/openpgp/dist/node/openpgp.min.cjs'),
  },
  minifySyntax: true,
  minifyWhitespace: true,
  // Names stay as written, so that a stack trace in a bug report can be read.
  minifyIdentifiers: false,
  // Plain ASCII takes half the memory, and can be read without decoding.
  charset: 'ascii',
  // THIRD-PARTY-NOTICES.txt beside the bundle has the licences in full.
  legalComments: 'none',
  logLevel: 'warning',
};

/** Modules that a usual plan or apply does not need: they are in a separate file, which is loaded on demand. */
const SELDOM =
  /^node_modules\/(?!protobufjs\/)|^packages\/(?:server\/|cli\/src\/commands\/(?:adopt|agent|drift|explain|history|lsp|mcp|metadata|policy|refactor|server|undo)[\w-]*\/|policy\/|history\/src\/(?!record\/|lazy)|backends\/src\/(?!local\/)|encryption\/|provisioners\/|registry\/|engine\/src\/explain\/|ops\/src\/remote-runs\/)|^providers\/(?!terraform\/)/;

/**
 * Bundles the program into packages/cli/dist: two scripts whose parts run when they are first needed, the code that V8
 * compiles of each, and a launcher that verifies and loads them.
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
  assertSelfContained(metafile);
  // The files that the entry and each command load, for the size check.
  await writeFile(join(scratch, 'cli-meta.json'), JSON.stringify(metafile));
  const usual = partsWithout(metafile, 'packages/cli/src/terrane.ts', SELDOM);
  const scripts = joinParts(
    outputFiles.map(({ path, text }) => ({ name: basename(path), text })),
    'terrane.js',
    (name) => !usual.has(name),
  );
  await writeFile(join(made, 'program.cjs'), scripts.program);
  await writeFile(join(made, 'seldom.cjs'), scripts.seldom);
  const inputs = new Set([
    ...Object.keys(metafile.inputs),
    ...(await bundleSeparateLibraries(made)),
  ]);
  await writeFile(join(made, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, inputs));
  // For the bill of materials of a release.
  await writeFile(join(scratch, 'cli-inputs.json'), JSON.stringify([...inputs].sort()));
  await writeFile(join(made, 'package.json'), '{"type":"commonjs"}\n');
  const compiledCode = await compileCode(made);
  await build({
    ...program,
    entryPoints: [join(cliFolder, 'src/launcher/launch.ts')],
    outfile: join(made, 'terrane.js'),
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    // Older releases have to get as far as the message that they are too old.
    target: 'node14.18',
    define: {
      COMPILED_CODE: JSON.stringify(compiledCode),
      OLDEST_NODE: JSON.stringify(OLDEST_NODE),
    },
  });
  // The scripts that `terrane shim` runs: the program takes its name from that of the script.
  const stub = "#!/usr/bin/env node\nrequire('./terrane.js');\n";
  for (const name of ['terraform', 'tofu'])
    await writeFile(join(made, `${name}.js`), stub, { mode: 0o755 });
  await chmod(join(made, 'terrane.js'), 0o755);
  const isChanged = !(await haveSameScripts(made, out));
  await rm(out, { recursive: true, force: true });
  await rename(made, out);
  // Executables contain the program as it was before.
  if (isChanged) await rm(join(cliFolder, 'executable'), { recursive: true, force: true });
}

/** Returns true if the scripts in two directories are the same, whatever code was compiled from them. */
async function haveSameScripts(a: string, b: string): Promise<boolean> {
  const scripts = async (directory: string): Promise<readonly string[]> =>
    (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.cjs')).sort();
  const names = await scripts(a);
  if (!isDeepStrictEqual(names, await scripts(b))) return false;
  for (const name of names) {
    const [one, other] = await Promise.all([readFile(join(a, name)), readFile(join(b, name))]);
    if (!one.equals(other)) return false;
  }
  return true;
}

/** Bundles each library that is loaded on demand into a file of its own. Returns the files in the bundles. */
async function bundleSeparateLibraries(out: string): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (const source of await libraryFiles()) {
    const library = await build({
      ...program,
      entryPoints: [source],
      outfile: join(out, libraryBundle(source)),
      format: 'cjs',
      supported: { 'dynamic-import': false },
      // Libraries written as modules may ask where they are, to load what is beside them.
      define: { 'import.meta.url': 'libraryUrl' },
      banner: { js: "const libraryUrl = require('node:url').pathToFileURL(__filename).href;" },
      metafile: true,
    });
    assertSelfContained(library.metafile);
    inputs.push(...Object.keys(library.metafile.inputs));
  }
  return inputs;
}

/** The files that re-export libraries for bundles of their own. */
async function libraryFiles(): Promise<readonly string[]> {
  const paths = await readdir(join(root, 'packages'), { recursive: true });
  const sources = paths.filter((path) =>
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
if (!only.includes('--libraries')) {
  console.log('Bundling the program…');
  await bundleCli();
}
if (!only.includes('--cli')) {
  console.log('Compiling the library packages, which takes a minute or two…');
  await buildLibraries();
  console.log('Done.');
}
