// `npm run test:locks`: 50 processes contend for one state on each storage, 1,000 times in all.
// --backend=NAME,…  --processes=N  --attempts=N
// `npm run test:locks -- --losses`: on each storage the lock is lost at each operation of a run of twenty, in each way.
// --backend=NAME,…  --loss=NAME,…  --at-once=N
import { contend } from './contend.ts';
import { LOCK_BACKENDS, type LockBackend } from './lock-backends.ts';
import { LOSSES } from './lose-lock.ts';
import { lossesOn } from './losses.ts';

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1];
const wanted = option('backend')?.split(',');

/** Returns whether all went well. */
async function contention(backend: LockBackend): Promise<boolean> {
  const processes = Number(option('processes') ?? 50);
  const attempts = Number(option('attempts') ?? 1000);
  const { problems, refused, seconds } = await contend(backend, { processes, attempts });
  console.log(
    `${backend.name}: ${processes} processes, ${attempts} updates, ${refused} times held by another, ${seconds.toFixed(1)} s: ${problems.length === 0 ? 'none lost, never two at once' : 'FAILED'}`,
  );
  for (const problem of new Set(problems)) console.log(`  ${problem}`);
  return problems.length === 0;
}

/** Returns whether all went well. */
async function losses(backend: LockBackend): Promise<boolean> {
  const losses = LOSSES.filter((loss) => option('loss')?.split(',').includes(loss) !== false);
  const atOnce = Number(option('at-once') ?? 4);
  const figures = await lossesOn(backend, { losses, atOnce });
  for (const { loss, experiments, after, recorded, overtaken, problems } of figures) {
    console.log(
      `${backend.name}, ${loss}: ${experiments} runs, ${after} operations begun afterwards, ${recorded} results recorded, ${overtaken} newer states left as they were${problems.length === 0 ? '' : ': FAILED'}`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
  }
  return figures.every(({ problems }) => problems.length === 0);
}

let failed = 0;
for (const backend of LOCK_BACKENDS) {
  if (wanted !== undefined && !wanted.includes(backend.name)) continue;
  if (!backend.isHere) {
    console.log(`${backend.name}: NOT RUN, what it needs is not installed`);
    failed += wanted === undefined ? 0 : 1;
    continue;
  }
  const passed = await (process.argv.includes('--losses') ? losses(backend) : contention(backend));
  failed += passed ? 0 : 1;
}
process.exit(failed === 0 ? 0 : 1);
