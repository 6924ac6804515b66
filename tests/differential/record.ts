// Records what Terraform does: `npm run record [-- NAME...]`; a name may end in `*`.
// `--check` writes nothing and tells what differs from the recorded results.
// `--draft` writes what Terrane does now for cases whose results are written by hand: a beginning, to be held
// against the source line by line and cut down to what the source tells.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { here, isByHand, selectCases } from './case.ts';
import { differences, report } from './difference.ts';
import { findTerrane, mapLimited } from './program.ts';
import { readRecorded, writeRecorded } from './recorded.ts';
import { discard, runCase } from './run-case.ts';
import { runTerraform, whyNotLive } from './run-terraform.ts';

const args = process.argv.slice(2);
const check = args.includes('--check');
const draft = args.includes('--draft');
const cases = selectCases(args.filter((argument) => !argument.startsWith('--')));
const timings: Record<string, number> = {};
let failed = 0;

await mapLimited(cases, 3, async (testCase) => {
  if (isByHand(testCase) && draft) {
    const result = await runCase(findTerrane(), testCase);
    discard(result);
    writeRecorded(testCase.name, result.record);
    console.log(`+ ${testCase.name}: a draft; read ${testCase.oracle?.source} beside it`);
    return;
  }
  // They stay as they were written.
  if (isByHand(testCase)) return;
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
    const found = differences(readRecorded(testCase.name) ?? { steps: [] }, result.record);
    if (found.length > 0) failed += 1;
    console.log(`${found.length === 0 ? '=' : '!'} ${testCase.name} ${result.milliseconds} ms`);
    if (found.length > 0) console.log(report(found));
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
