// What runs first: loads the program with the code that V8 compiled in an earlier run. Compiling takes
// most of the time of a short run otherwise. Bundled as CommonJS, which starts faster than a module.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { isCalledTerraform } from './called-terraform.ts';
import { plainVersion } from './plain-version.ts';

/** A digest of the program's text, set by the build: compiled code belongs to one text only. */
declare const PROGRAM_DIGEST: string;

// Each command runs other parts of the program, and keeps those that it compiled.
const command = /^[a-z]+$/.exec(process.argv[2] ?? '')?.[0] ?? 'any';

/** Where compiled code is kept: beside the program where that can be written, else where the user's caches are. */
function cacheFiles(name: string): readonly string[] {
  const file = `${name}-${PROGRAM_DIGEST}-${process.version}-${process.platform}-${process.arch}-${command}.cache`;
  const home = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return [join(__dirname, file), join(home, 'terrane', file)];
}

function readCache(name: string): Buffer | undefined {
  for (const file of cacheFiles(name)) {
    try {
      return readFileSync(file);
    } catch {
      // Not there: the next place, or none.
    }
  }
  return undefined;
}

/** Keeps what was compiled; a run that cannot is none the worse. */
function writeCache(name: string, script: Script): void {
  const data = script.createCachedData();
  for (const file of cacheFiles(name)) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const beside = `${file}.${process.pid}`;
      writeFileSync(beside, data, { mode: 0o600 });
      renameSync(beside, file);
      return;
    } catch {
      // Not writable: the next place, or none.
    }
  }
}

/** The value of a script beside this file: the build has made a function expression of each. */
function runScript(name: 'program' | 'seldom'): unknown {
  const cachedData = readCache(name);
  const file = join(__dirname, `${name}.cjs`);
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // What a program learns by running is worth keeping too, so the cache is written at the end of a run.
  if (cachedData === undefined || script.cachedDataRejected === true) {
    process.once('exit', () => writeCache(name, script));
  }
  return script.runInThisContext();
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
if (version === undefined) {
  const program = runScript('program');
  if (typeof program === 'function')
    program(require, __filename, __dirname, () => runScript('seldom'));
} else {
  process.stdout.write(version);
}
