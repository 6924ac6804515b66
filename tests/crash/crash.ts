// Lets runs go wrong in every way at every moment, then kills runs of the built program, and looks at what later
// runs make of it:
//
//   npm run test:crash                              every moment, and 100 kills from seed 1
//   npm run test:crash -- --every=4 --kills=100     every fourth moment
//   npm run test:crash -- --kills=1000 --seed=7     1,000 kills at other instants
//   npm run test:crash -- --kills=1000 --every=0    only kills
//
// The last line says what came of it: "N passed, N failed".
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
    return [name, Number(value)] as const;
  }),
);
const { every, kills, seed, jobs } = {
  every: options.get('every') ?? 1,
  kills: options.get('kills') ?? 100,
  seed: options.get('seed') ?? 1,
  jobs: options.get('jobs') ?? Math.min(4, availableParallelism()),
};
let passed = 0;
const failures: string[] = [];

if (every > 0) {
  const sealed = WORKLOADS.flatMap((each) => [
    encrypted(each, 'static'),
    ...(each.before.length > 0 ? [encrypted(each, 'static', 'unencrypted')] : []),
    ...(each.before.length > 0 ? [encrypted(each, 'static', 'another key')] : []),
  ]);
  for (const workload of [...WORKLOADS, ...sealed]) {
    const began = performance.now();
    const { faults, recoveries, problems } = await enumerate(workload, every);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `${workload.name}: ${faults} faults left ${recoveries} different scenes, from which later runs took up; ${problems.length} problems (${seconds} s)`,
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
    const { faults, recoveries, problems } = await enumerateCommand(case_, every, isEncrypted);
    console.log(
      `${case_.command}${isEncrypted ? ' (encrypted)' : ''}: ${faults} faults left ${recoveries} different scenes; ${problems.length} problems`,
    );
    passed += recoveries - new Set(problems.map(placeOf)).size;
    failures.push(...problems);
  }
}
if (every > 0) {
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
    `SIGKILL: ${killed.kills} kills (seed ${seed}), ${killed.inCalls} in the middle of calls; ${killed.unreadable} states unreadable, ${killed.recovered} objects found again, ${killed.reported} told of; ${killed.problems.length} problems (${seconds} s)`,
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

/** Where something went wrong; more than one thing may. */
function placeOf(problem: string): string {
  return problem.slice(0, problem.indexOf(': ', problem.indexOf(': ') + 2));
}
