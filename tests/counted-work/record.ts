// Records the counted work again: `npm run count:work -- [WORKLOAD…]`. A change that makes the program do more says why.
import { requireKnown } from '../../bench/known-names.ts';
import { countWork, type Counts, differingCounts } from './count-work.ts';
import { readRecordedCounts, WORKLOADS, writeRecordedCounts } from './workloads.ts';

const names = process.argv.slice(2);
requireKnown(
  names,
  WORKLOADS.map(({ name }) => name),
);
const recorded: Record<string, Counts> = { ...readRecordedCounts() };
for (const workload of WORKLOADS) {
  if (names.length > 0 && !names.includes(workload.name)) continue;
  const counts = countWork(workload);
  for (const line of differingCounts(recorded[workload.name] ?? {}, counts)) {
    process.stdout.write(`${workload.name}: ${line}\n`);
  }
  recorded[workload.name] = counts;
}
writeRecordedCounts(recorded);
