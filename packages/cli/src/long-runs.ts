import { isSea } from 'node:sea';

/** The processor time in microseconds after which the code of a run pays for its optimization. */
const LONG_RUN = 500_000;

/** The time in milliseconds until a run may be long. */
const FIRST_CHECK = 300;

/** The options of V8 that the executable is started without (`START_OPTIONS` in build-executable.ts). */
const OPTIONS = [
  '--turbo-filter=*',
  '--maglev-inlining',
  '--maglev-loop-peeling',
  '--maglev-escape-analysis',
];

let isOptimized = false;

/**
 * Enables the optimizations of V8 that the options of the executable disable, unless the run is still short. V8 then
 * compiles what it has not read yet from the text, as the options differ from those of the compiled code. They are those
 * of all threads; the program starts none that runs scripts.
 */
function optimizeLongRun(): void {
  if (isOptimized) return;
  const { user, system } = process.cpuUsage();
  if (user + system < LONG_RUN) return;
  isOptimized = true;
  // Most runs are too short to load it.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const option of OPTIONS) setFlagsFromString(option);
}

/** Checks in growing intervals, so that a program that mostly waits is not woken for it. */
function checkAfter(delay: number): void {
  setTimeout(() => {
    optimizeLongRun();
    if (!isOptimized) checkAfter(2 * delay);
  }, delay).unref();
}

/**
 * Optimizes the code of the executable when its run is long. Returns a function that long synchronous computations call
 * now and then, because timers wait until they end; undefined if all optimizations are enabled.
 */
export function watchLongRun(): (() => void) | undefined {
  // The build sets the variable to verify the compiled code under the options of the executable.
  if (!isSea() || process.env['TERRANE_CODE_CACHE'] === 'require') return undefined;
  checkAfter(FIRST_CHECK);
  return optimizeLongRun;
}
