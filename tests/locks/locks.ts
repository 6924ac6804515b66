// `npm run test:locks`: 50 processes contend for one state on each storage, 1,000 times in all.
// --backend=NAME,…  --processes=N  --attempts=N
import { contend } from './contend.ts';
import { LOCK_BACKENDS } from './lock-backends.ts';

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1];
const processes = Number(option('processes') ?? 50);
const attempts = Number(option('attempts') ?? 1000);
const wanted = option('backend')?.split(',');

let failed = 0;
for (const backend of LOCK_BACKENDS) {
  if (wanted !== undefined && !wanted.includes(backend.name)) continue;
  if (!backend.isHere) {
    console.log(`${backend.name}: NOT RUN, what it needs is not installed`);
    failed += wanted === undefined ? 0 : 1;
    continue;
  }
  const { problems, refused, seconds } = await contend(backend, { processes, attempts });
  console.log(
    `${backend.name}: ${processes} processes, ${attempts} updates, ${refused} times held by another, ${seconds.toFixed(1)} s: ${problems.length === 0 ? 'none lost, never two at once' : 'FAILED'}`,
  );
  for (const problem of new Set(problems)) console.log(`  ${problem}`);
  failed += problems.length === 0 ? 0 : 1;
}
process.exit(failed === 0 ? 0 : 1);
