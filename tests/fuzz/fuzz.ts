// Mutates configurations, states, plans and variable files at random and runs the program on them.
// Nothing may throw, hang, or fail without a diagnostic.
//
//   npm run fuzz                                 one minute, from a seed of the clock
//   npm run fuzz -- --seconds=600 --seed=7       ten minutes, from this seed
//   npm run fuzz -- --runs=2000 --seed=1         a number of runs
//   npm run fuzz -- --only=state,plan-file       some kinds of input
//   npm run fuzz -- --seed=12345 --runs=1        repeats one run; each failure prints this command
//
// The same for complete lifecycles of projects with random faults:
//
//   npm run fuzz:lifecycle -- --runs=1000000 --seed=1
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Attempt } from './attempt.ts';

const HANG_SECONDS = 60;

const options = new Map(
  process.argv.slice(2).map((arg) => {
    const [name = '', value = ''] = arg.replace(/^--/, '').split('=');
    return [name, value] as const;
  }),
);
const begin = Number(options.get('seed') ?? Date.now() % 1_000_000);
const runs = Number(options.get('runs') ?? Number.POSITIVE_INFINITY);
const seconds = Number(options.get('seconds') ?? (Number.isFinite(runs) ? 3600 : 60));
const jobs = Math.min(Number(options.get('jobs') ?? '2'), runs);
const names = (options.get('only') ?? '').split(',').filter((name) => name !== '');
const until = performance.now() + seconds * 1000;

interface Worker {
  readonly child: ChildProcess;
  ask(seed: number): Promise<Attempt>;
}

async function startWorker(): Promise<Worker> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
    execArgv: ['--conditions=terrane-source'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  });
  return {
    child,
    ask: (seed) =>
      new Promise<Attempt>((resolve) => {
        const finish = (result: Attempt): void => {
          clearTimeout(timer);
          child.off('message', finish).off('exit', died);
          resolve(result);
        };
        const died = (): void => finish({ target: '?', fault: 'the process ended' });
        const timer = setTimeout(() => {
          finish({ target: '?', fault: `no end within ${HANG_SECONDS} s` });
          child.kill('SIGKILL');
        }, HANG_SECONDS * 1000);
        child.once('message', finish).once('exit', died);
        child.send({ seed, names });
      }),
  };
}

const counts = new Map<string, number>();
let next = begin;
let failed = 0;

async function work(): Promise<void> {
  let worker = await startWorker();
  while (next < begin + runs && performance.now() < until) {
    const seed = next++;
    const { target, fault } = await worker.ask(seed);
    counts.set(target, (counts.get(target) ?? 0) + 1);
    if (fault === undefined) continue;
    failed++;
    const again = `npm run fuzz -- --seed=${seed} --runs=1${names.length === 0 ? '' : ` --only=${names.join(',')}`}`;
    console.log(`\nFAILED ${target} (${again})\n${runs === 1 ? fault : fault.slice(0, 4000)}`);
    if (worker.child.exitCode !== null || worker.child.signalCode !== null || worker.child.killed)
      worker = await startWorker();
  }
  worker.child.disconnect();
}

await Promise.all(Array.from({ length: jobs }, work));
const total = next - begin;
const shares = [...counts].map(([name, count]) => `${name} ${count}`).sort();
console.log(`seed ${begin}: ${shares.join(', ')}`);
console.log(`${total - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
