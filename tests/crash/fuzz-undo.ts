// Undoes runs of random histories: npm run fuzz:undo -- --runs=10000 --seed=1 [--kills=50]
import { undoRandomHistory } from './undo-histories.ts';

const options = new Map(
  process.argv.slice(2).map((arg) => {
    const [name = '', value = ''] = arg.replace(/^--/, '').split('=');
    return [name, Number(value)] as const;
  }),
);
const runs = options.get('runs') ?? 1000;
const first = options.get('seed') ?? 1;
/** percentage of histories with kills */
const kills = options.get('kills') ?? 50;

const totals = { exact: 0, reversible: 0, lossy: 0, impossible: 0, additional: 0, killed: 0 };
const failures: string[] = [];
for (let seed = first; seed < first + runs; seed++) {
  const outcome = await undoRandomHistory(seed, (seed * 37) % 100 < kills);
  const { reversible, lossy, impossible, additional } = outcome.actions;
  if (outcome.isExact) totals.exact++;
  if (outcome.killedApply || outcome.killedUndo) totals.killed++;
  totals.reversible += reversible;
  totals.lossy += lossy;
  totals.impossible += impossible;
  totals.additional += additional;
  failures.push(...outcome.problems);
  if ((seed - first + 1) % 500 === 0) console.log(`${seed - first + 1} histories …`);
}
console.log(
  `${runs} histories (seed ${first}), ${totals.killed} with a kill: ${totals.exact} worlds restored exactly; actions: ${totals.reversible} reversible, ${totals.lossy} lossy, ${totals.impossible} impossible, ${totals.additional} additional; ${failures.length} problems`,
);
for (const failure of failures.slice(0, 40)) console.log(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
