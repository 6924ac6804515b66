// What runs first: loads the program with the code that V8 compiled in an earlier run. Compiling takes
// most of the time of a short run otherwise. Bundled as CommonJS, which starts faster than a module.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';
import { isCalledTerraform } from './called-terraform.ts';
import { plainVersion } from './plain-version.ts';

/** A digest of the program's text, set by the build: compiled code belongs to one text only. */
declare const PROGRAM_DIGEST: string;

const file = join(__dirname, 'program.cjs');
// Each command runs other parts of the program, and keeps those that it compiled.
const command = /^[a-z]+$/.exec(process.argv[2] ?? '')?.[0] ?? 'any';
const cacheName = `program-${PROGRAM_DIGEST}-${process.version}-${process.platform}-${process.arch}-${command}.cache`;

/** Beside the program where that can be written, else where the user's caches are. */
function cacheFolders(): readonly string[] {
  const home = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return [__dirname, join(home, 'terrane')];
}

function readCache(): Buffer | undefined {
  for (const folder of cacheFolders()) {
    try {
      return readFileSync(join(folder, cacheName));
    } catch {
      // Not there: the next place, or none.
    }
  }
  return undefined;
}

/** Keeps what was compiled; a run that cannot is none the worse. */
function writeCache(script: Script): void {
  const data = script.createCachedData();
  for (const folder of cacheFolders()) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const beside = join(folder, `${cacheName}.${process.pid}`);
      writeFileSync(beside, data, { mode: 0o600 });
      renameSync(beside, join(folder, cacheName));
      return;
    } catch {
      // Not writable: the next place, or none.
    }
  }
}

function runProgram(): void {
  const cachedData = readCache();
  // The build has made a function expression of it.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // What a program learns by running is worth keeping too, so the cache is written at the end of a run.
  if (cachedData === undefined || script.cachedDataRejected === true) {
    process.once('exit', () => writeCache(script));
  }
  const program = { exports: {} };
  const run: unknown = script.runInThisContext();
  if (typeof run === 'function') {
    run(program.exports, createRequire(file), program, file, __dirname);
  }
}

const version = plainVersion(
  process.argv.slice(2),
  {
    environment: process.env,
    kindOf: (path) => (existsSync(path) ? 'other' : undefined),
    ...(isCalledTerraform(process.argv) ? { calledAs: 'terraform' } : {}),
  },
  process,
);
if (version === undefined) runProgram();
else process.stdout.write(version);
