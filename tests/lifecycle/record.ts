// Records what terraform makes of the lifecycle cases, or compares Terrane with it; see README.md.
//   npm run ts -- tests/lifecycle/record.ts [--in-process | --plugin] [NAME or TOPIC…]
//   … --doubt [NAME or TOPIC…]   asks terraform once more about the order that Terrane does not keep to
// Options: --missing records only what is not recorded yet; --processes runs the provider as a process of its own for
// each command, by dev_overrides, and not attached (slower, the same); --jobs=3 says how many cases run at a time.
import { mapLimited } from '../differential/program.ts';
import type { Case } from '../differential/case.ts';
import { outOfOrder } from './call-order.ts';
import type { Call } from './call-order.ts';
import { compareRun, narrowOrder, recordedCalls, RUNS, writeLifecycle } from './compare-runs.ts';
import type { Surroundings } from './provider/provider.ts';
import { slowness } from './provider/slowness.ts';
import { lifecycleCases } from './read-cases.ts';
import type { LifecycleRun } from './run-cases.ts';
import { runAttached, runInProcess, Workshop } from './run-cases.ts';

/**
 * Verifies a recorded order that Terrane violates: runs terraform with a very slow first call. If terraform violates the
 * order too, it is removed from the recording.
 */
async function doubt(testCase: Case): Promise<string> {
  const { name } = testCase;
  let refuted = 0;
  for (;;) {
    const recorded = recordedCalls(name);
    if (recorded === undefined) return 'nothing recorded';
    const inProcess = await runInProcess(testCase);
    const doubtful = recorded.flatMap((each, i) => {
      const calls = inProcess.calls[i]?.calls ?? [];
      return calls.length === each.calls.length ? outOfOrder(each, calls) : [];
    });
    if (doubtful.length === 0) return refuted === 0 ? 'in order' : `${refuted} were by chance`;
    const narrowed = narrowOrder(name, await runAttached(testCase, heldBack(doubtful), true));
    if (narrowed === 0) return `${refuted} were by chance, but not ${doubtful.length}`;
    refuted += narrowed;
  }
}

const HELD_MS = 1500;

/** Holds the first of each pair back until the second has begun, or for a long time. */
function heldBack(pairs: readonly (readonly [Call, Call])[]): Surroundings['wait'] {
  const seconds = new Map<string, Set<string>>();
  for (const [first, second] of pairs) {
    const all = seconds.get(first.what) ?? new Set();
    seconds.set(first.what, all.add(second.what));
  }
  const held = new Set<{ readonly remaining: Set<string>; readonly go: () => void }>();
  return (_object, call) => {
    for (const each of held)
      if (each.remaining.delete(call) && each.remaining.size === 0) each.go();
    const wanted = seconds.get(call);
    if (wanted === undefined) return undefined;
    return new Promise((resolve) => {
      const each = {
        remaining: new Set(wanted),
        go: () => {
          held.delete(each);
          resolve();
        },
      };
      held.add(each);
      setTimeout(each.go, HELD_MS);
    });
  };
}

const args = process.argv.slice(2);
const cases = lifecycleCases(args.filter((argument) => !argument.startsWith('--')));
const inProcess = args.includes('--in-process');
const plugin = args.includes('--plugin');
const limit = Number(args.find((each) => each.startsWith('--jobs='))?.slice('--jobs='.length) ?? 3);
const processes = args.includes('--processes');
const missing = args.includes('--missing');
const workshop = plugin || processes ? await Workshop.open() : undefined;
let different = 0;
try {
  await mapLimited(cases, limit, async (testCase) => {
    const { name } = testCase;
    if (args.includes('--doubt')) {
      console.log(`${name}: ${await doubt(testCase)}`);
      return;
    }
    if (inProcess || plugin) {
      const run = inProcess
        ? await runInProcess(testCase)
        : await workshop?.run('terrane over the plugin', testCase);
      if (run === undefined) return;
      const problems = compareRun(testCase, run);
      if (problems !== '') different += 1;
      console.log(`${problems === '' ? '=' : '!'} ${name}`);
      if (problems !== '') console.log(problems);
      return;
    }
    if (missing && recordedCalls(name) !== undefined) return;
    const runs: LifecycleRun[] = [];
    for (let slow = 1; slow <= RUNS; slow += 1) {
      runs.push(
        workshop === undefined
          ? await runAttached(testCase, slowness(slow), slow > 1)
          : await workshop.run('the oracle', testCase, slow),
      );
    }
    const difference = writeLifecycle(testCase, runs);
    console.log(
      difference === ''
        ? `+ ${name}`
        : `! ${name}: runs of terraform differ\n${difference.slice(0, 3000)}`,
    );
    if (difference !== '') different += 1;
  });
} finally {
  workshop?.dispose();
}
if (inProcess || plugin) console.log(`${cases.length - different} of ${cases.length} are equal`);
process.exitCode = different === 0 ? 0 : 1;
