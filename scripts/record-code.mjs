/**
 * Runs a command of the bundled program and records the code that V8 compiled for it:
 * `node scripts/record-code.mjs DIRECTORY CODE COMMAND...`. CODE is the name of the file with the code of the script
 * `program`. Part of the build; see compile-code.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import promisedTimers from 'node:timers/promises';
import { Script } from 'node:vm';

const [, , directory = '', code = '', ...command] = process.argv;
const launcher = join(directory, 'terrane.js');
process.argv = [process.execPath, launcher, ...command];

// Time stands still, so that a busy machine records no code for slow runs: no progress, no estimates.
process.hrtime.bigint = () => 0n;
performance.now = () => 0;
const MAX_TIMER_MS = 2 ** 31 - 1;
for (const timers of [globalThis, promisedTimers]) {
  const { setTimeout } = timers;
  timers.setTimeout = (first, second, ...rest) => {
    const [delay] = [first, second].filter((each) => typeof each === 'number');
    const longer = (each) => (each === delay && delay >= 20 ? MAX_TIMER_MS : each);
    return setTimeout(longer(first), longer(second), ...rest);
  };
}

/**
 * Runs one of the scripts with what was recorded before; records all that is compiled when the process exits. The code
 * of the second script is that of all commands.
 */
function run(name) {
  const file = join(directory, `${name}.cjs`);
  const cache = join(directory, `${name === 'program' ? code : name}.cache`);
  const script = new Script(readFileSync(file, 'latin1'), {
    // Part of the recorded code: the place of the build must not be in it.
    filename: `${name}.cjs`,
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
  });
  if (script.cachedDataRejected === true) throw new Error(`V8 rejects ${cache}`);
  process.once('exit', () => writeFileSync(cache, script.createCachedData()));
  return script.runInThisContext();
}

run('program')(createRequire(launcher), launcher, directory, () => run('seldom'));
