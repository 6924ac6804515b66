// Records what Terraform does: `npm run record [-- NAME...]`; a name may end in `*`.
// `--check` writes nothing and tells what differs from the recorded results; with `--as=PROGRAM`, how another
// reference program differs from them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { here, selectCases } from './case.ts';
import { differences, report } from './difference.ts';
import { mapLimited } from './program.ts';
import { readRecorded, writeRecorded } from './recorded.ts';
import { discard } from './run-case.ts';
import { runTerraform, whyNotLive } from './run-terraform.ts';

const args = process.argv.slice(2);
const check = args.includes('--check');
const as = args.find((argument) => argument.startsWith('--as='))?.slice('--as='.length);
if (as !== undefined && !check) throw new Error('--as is for --check: recordings follow the case');
const cases = selectCases(args.filter((argument) => !argument.startsWith('--'))).map((testCase) =>
  as === undefined ? testCase : { ...testCase, oracle: as },
);
const timings: Record<string, number> = {};
let failed = 0;

await mapLimited(cases, 3, async (testCase) => {
  const reason = whyNotLive(testCase);
  if (reason !== undefined) {
    console.log(`- ${testCase.name}: not run: ${reason}`);
    failed += 1;
    return;
  }
  const result = await runTerraform(testCase);
  discard(result);
  timings[testCase.name] = result.milliseconds;
  if (check) {
    const mismatches = differences(readRecorded(testCase.name) ?? { steps: [] }, result.record);
    if (mismatches.length > 0) failed += 1;
    console.log(
      `${mismatches.length === 0 ? '=' : '!'} ${testCase.name} ${result.milliseconds} ms`,
    );
    if (mismatches.length > 0) console.log(report(mismatches));
    return;
  }
  writeRecorded(testCase.name, result.record);
  console.log(`+ ${testCase.name} ${result.milliseconds} ms`);
});

if (args.length === 0) {
  const sorted = Object.fromEntries(Object.entries(timings).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(here, 'recorded', '_timings.json'), `${JSON.stringify(sorted, null, 2)}\n`);
}
const total = Object.values(timings).reduce((sum, each) => sum + each, 0);
console.log(`${cases.length} cases, ${total} ms of terraform, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
