/**
 * Makes single executables of the built program: `npm run build:executable [-- --platform OS-CPU]...`, by default for
 * this platform, each as packages/cli/executable/OS-CPU/terrane. Those for other platforms have no compiled code, which
 * V8 makes on the platform itself, and are checked for their format and contents only.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { adaptCode, codeHeader, COMMANDS_WITH_CODE } from './compile-code.ts';
import {
  alignableCode,
  alignCode,
  codeIn,
  containsApplication,
  platformOfExecutable,
  replaceDigests,
} from './executable-format.ts';
import { pinnedPackage } from './pinned-node.mjs';
import { root } from './root.ts';

const dist = join(root, 'packages/cli/dist');
const scratch = join(root, '.build/executable');
const here = `${process.platform}-${process.arch}`;

/**
 * V8 options of the executable; sizes are in MiB (docs/evidence/performance.md):
 *
 * - A young generation of 3 × 4. In the default of up to 3 × 32, a short run touches each page once, and the page faults
 *   take longer than the collections that a smaller one needs. One that grows from 3 × 1 is collected in runs of one
 *   resource too.
 * - An old generation that is first collected when it has 64. By default V8 lowers this limit while little survives,
 *   and then collects a heap of 15, in the middle of runs that end a moment later.
 * - No function is optimized by TurboFan, whose code pays in long runs only. The program resets this for them.
 * - Maglev neither inlines calls nor peels loops nor analyses escapes, which takes longer than it gains in short runs.
 *   The program resets this as well.
 * - Maglev frees the memory of a compilation when it ends. By default another task does, which runs late while there are
 *   functions to compile, and the compilations of a run take up to 30 at the same time.
 */
const START_OPTIONS: readonly string[] = [
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--initial-old-space-size=64',
  '--turbo-filter=none',
  '--no-maglev-inlining',
  '--no-maglev-loop-peeling',
  '--no-maglev-escape-analysis',
  '--no-maglev-destroy-on-background',
];

/** Node.js contains the compiled code of at least so many built-in modules. */
const BUILT_IN_MODULES = 200;

const isCode = (file: string): boolean => file.endsWith('.cache');

interface Target {
  /** of Node's binaries, such as "win32-x64" */
  readonly name: string;
  readonly os: string;
  readonly cpu: string;
}

/** Parses a platform such as "linux-arm64" or "win-x64". */
function parseTarget(name: string): Target {
  const [os = '', cpu = ''] = name.replace(/^win-/, 'win32-').split('-');
  if (pinnedPackage(os, cpu) === undefined)
    throw new Error(
      `"${name}" is not a platform that an executable can be built for: linux-x64, linux-arm64, darwin-arm64, darwin-x64, win-x64`,
    );
  return { name: `${os}-${cpu}`, os, cpu };
}

/** Runs a command and returns its standard output; throws if it fails. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): string {
  const env = { ...process.env, ...variables };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr + stdout}`);
  return stdout;
}

/** Returns the path of Node.js for a platform: of the package in the lock file, verified by its digest. */
async function nodeFor({ name, os, cpu }: Target): Promise<string> {
  const pinned = pinnedPackage(os, cpu);
  if (pinned === undefined) throw new Error(`no Node.js is pinned for ${name}`);
  const file = os === 'win32' ? 'node.exe' : 'node';
  if (name === here) return join(root, 'node_modules', pinned.name, 'bin', file);
  const place = join(scratch, `node-${name}-${pinned.version}`);
  await mkdir(place, { recursive: true });
  const specifier = `${pinned.name}@${pinned.version}`;
  const archive = run('npm', ['pack', '--silent', specifier], place).trim();
  // Written by npm.
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  const digest = createHash('sha512')
    .update(await readFile(join(place, archive)))
    .digest('base64');
  if (lock.packages[`node_modules/${pinned.name}`]?.integrity !== `sha512-${digest}`)
    throw new Error(`${specifier} is not what the lock file names`);
  run('tar', ['-xzf', archive, `package/bin/${file}`], place);
  return join(place, 'package/bin', file);
}

/** Returns the files that the executable contains, by the name that the program loads them by. */
async function assetsFor({ name }: Target): Promise<Record<string, string>> {
  const files = (await readdir(dist)).filter(
    (file) => file.endsWith('.cjs') || (name === here && isCode(file)),
  );
  const addon = `fs-native-extensions/prebuilds/${name}/fs-native-extensions.node`;
  const paths = files.map((file) => {
    const path = join(dist, file);
    if (!isCode(file)) return [file, path] as const;
    const made = join(scratch, `${process.pid}-${file}`);
    adaptCode(path, START_OPTIONS, made);
    writeFileSync(made, alignableCode(readFileSync(made)));
    return [file, made] as const;
  });
  return {
    ...Object.fromEntries(paths),
    [addon]: join(root, 'node_modules', addon),
  };
}

/** Throws unless a file is an executable for the platform with all assets. */
async function verify(
  path: string,
  { name, os, cpu }: Target,
  assets: readonly string[],
): Promise<void> {
  const bytes = await readFile(path);
  const platform = platformOfExecutable(bytes);
  if (platform?.os !== os || platform.cpu !== cpu)
    throw new Error(`${path} is no executable for ${name}`);
  const contents = assets.map((asset) =>
    isCode(asset) ? codeIn(readFileSync(asset)) : readFileSync(asset),
  );
  if (!containsApplication(bytes, contents))
    throw new Error(`${path} does not contain the program`);
  if (name !== here) return;
  for (const command of [[], ...COMMANDS_WITH_CODE.map((each) => [each])])
    run(path, [...command, '-help'], scratch, { TERRANE_CODE_CACHE: 'require' });
}

/**
 * The size of the pieces that the executable is written in. Linux caches a file in pieces as large as the writes, and
 * maps such a piece as a whole when a program touches a page of it, which then counts as the program's memory. Pieces
 * of 64 KiB are what it maps at least.
 */
const WRITE_SIZE = 64 * 1024;

/** Writes an executable file in pieces of {@link WRITE_SIZE}. */
function writeInPieces(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', 0o755);
  try {
    for (let at = 0; at < bytes.length;)
      at += writeSync(file, bytes, at, Math.min(WRITE_SIZE, bytes.length - at));
  } finally {
    closeSync(file);
  }
}

async function buildExecutable(target: Target, folder: string): Promise<string> {
  const node = await nodeFor(target);
  const assets = await assetsFor(target);
  // Its path is in the executable, so that it is equal in all builds. Builds may run at the same time.
  const main = join(scratch, 'launch.cjs');
  const bundled = join(scratch, `launch-${process.pid}.cjs`);
  await build({
    entryPoints: [join(root, 'packages/cli/src/launcher/launch-executable.ts')],
    outfile: bundled,
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'cjs',
    conditions: ['terrane-source'],
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  await rename(bundled, main);
  await mkdir(folder, { recursive: true });
  const output = join(folder, target.os === 'win32' ? 'terrane.exe' : 'terrane');
  const made = `${output}.${process.pid}`;
  const generated = join(scratch, `${target.name}-${process.pid}`);
  const config = join(scratch, `${target.name}-${process.pid}.json`);
  const settings = {
    main,
    executable: node,
    output: generated,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Only for the launcher: the code of the program is among the assets.
    useCodeCache: false,
    execArgv: START_OPTIONS,
    assets,
  };
  await writeFile(config, JSON.stringify(settings));
  run(process.execPath, ['--build-sea', config], root);
  await rm(config);
  const bytes = await readFile(generated);
  for (const path of Object.values(assets)) if (isCode(path)) alignCode(bytes, readFileSync(path));
  // Otherwise V8 would compile the built-in modules of Node.js from their text.
  if (replaceDigests(bytes, codeHeader([]), codeHeader(START_OPTIONS)) < BUILT_IN_MODULES)
    throw new Error(`Node.js for ${target.name} has no compiled code of V8's default options`);
  writeInPieces(made, bytes);
  await rm(generated);
  await chmod(made, 0o755);
  await verify(made, target, Object.values(assets));
  await rename(made, output);
  for (const path of Object.values(assets)) if (path.startsWith(scratch)) await rm(path);
  await copyFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), join(folder, 'THIRD-PARTY-NOTICES.txt'));
  return output;
}

const { values } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true, default: [here] },
    out: { type: 'string', default: join(root, 'packages/cli/executable') },
  },
});
let targets: readonly Target[];
try {
  targets = values.platform.map(parseTarget);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
await mkdir(scratch, { recursive: true });
for (const target of targets) {
  const output = await buildExecutable(
    target,
    join(values.out, target.name.replace('win32', 'win')),
  );
  const { size } = await stat(output);
  if (target.name === here && process.platform !== 'win32') {
    // The entry point of bin/terrane.
    const link = join(values.out, 'terrane');
    await rm(link, { force: true });
    await symlink(join(target.name, 'terrane'), link);
  }
  console.log(`${output} (${Math.round(size / 1e6)} MB)`);
}
