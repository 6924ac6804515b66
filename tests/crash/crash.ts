/**
 * Ends runs at every write and provider call, with every outcome of what the disk keeps, then kills runs of the built
 * program at random instants, and verifies that later runs recover.
 *
 *   npm run test:crash                                      every moment, and 100 kills from seed 1
 *   npm run test:crash -- --every=4 --kills=100             every fourth moment
 *   npm run test:crash -- --kills=0 --only=update,state     workloads and commands whose name contains one of the texts
 *   npm run test:crash -- --kills=1000 --seed=7 --every=0   only kills, at other instants
 *
 * The last line is the result: "N passed, N failed".
 */
import { availableParallelism } from 'node:os';
import { COMMAND_CASES } from './command-cases.ts';
import { encrypted } from './encrypted.ts';
import { enumerateCommand } from './enumerate-commands.ts';
import { enumerate } from './enumerate.ts';
import { killRuns } from './kills.ts';
import { enumerateUndo } from './undo-histories.ts';
import { WORKLOADS } from './workloads.ts';

const options = new Map(
  process.argv.slice(2).map((arg) => {
    const [name = '', value = ''] = arg.replace(/^--/, '').split('=');
    return [name, value] as const;
  }),
);
const every = Number(options.get('every') ?? 1);
const kills = Number(options.get('kills') ?? 100);
const seed = Number(options.get('seed') ?? 1);
const jobs = Number(options.get('jobs') ?? Math.min(4, availableParallelism()));
const only = (options.get('only') ?? '').split(',');
const isSelected = (name: string): boolean => only.some((text) => name.includes(text));
let passed = 0;
const failures: string[] = [];

if (every > 0) {
  const sealed = WORKLOADS.flatMap((each) => [
    encrypted(each, 'static'),
    ...(each.before.length > 0 ? [encrypted(each, 'static', 'unencrypted')] : []),
    ...(each.before.length > 0 ? [encrypted(each, 'static', 'another key')] : []),
  ]);
  for (const workload of [...WORKLOADS, ...sealed].filter(({ name }) => isSelected(name))) {
    const began = performance.now();
    const { faults, recoveries, problems } = await enumerate(workload, every);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `${workload.name}: ${faults} faults left ${recoveries} distinct disk states, from which later runs recovered; ${problems.length} problems (${seconds} s)`,
    );
    passed += recoveries - new Set(problems.map(placeOf)).size;
    failures.push(...problems);
  }
}
if (every > 0) {
  for (const [case_, isEncrypted] of COMMAND_CASES.flatMap(
    (each) =>
      [
        [each, false],
        [each, true],
      ] as const,
  )) {
    if (!isSelected(case_.command)) continue;
    const { faults, recoveries, problems } = await enumerateCommand(case_, every, isEncrypted);
    console.log(
      `${case_.command}${isEncrypted ? ' (encrypted)' : ''}: ${faults} faults left ${recoveries} distinct disk states; ${problems.length} problems`,
    );
    passed += recoveries - new Set(problems.map(placeOf)).size;
    failures.push(...problems);
  }
}
if (every > 0 && isSelected('history and undo')) {
  const { ends, problems } = await enumerateUndo(every);
  console.log(
    `history and undo: ${ends} moments at which an apply or an undo ended; ${problems.length} problems`,
  );
  passed += ends - new Set(problems.map(placeOf)).size;
  failures.push(...problems);
}
if (kills > 0) {
  const began = performance.now();
  const killed = await killRuns(kills, seed, jobs, (done) => {
    if (done % 100 === 0 && done < kills) console.log(`${done} kills (seed ${seed}) …`);
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `SIGKILL: ${killed.kills} kills (seed ${seed}), ${killed.inCalls} in the middle of calls; ${killed.unreadable} states unreadable, ${killed.recovered} objects recovered, ${killed.reported} reported; ${killed.problems.length} problems (${seconds} s)`,
  );
  const failed = new Set(killed.problems.map(placeOf)).size;
  passed += Math.max(0, killed.kills - failed);
  failures.push(...killed.problems);
  if (killed.kills < kills && killed.problems.length === 0)
    failures.push('too few runs were killed');
}
for (const failure of failures.slice(0, 40)) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${new Set(failures.map(placeOf)).size} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Returns the place of a problem; one place may have several. */
function placeOf(problem: string): string {
  return problem.slice(0, problem.indexOf(': ', problem.indexOf(': ') + 2));
}
