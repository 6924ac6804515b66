// For developers: runs cases through Terrane and prints how they differ from what Terraform did.
//
//   npm run differential -- NAME...       one or several cases; a name may end in `*`; none means all
//   --level=1    only what must be equal above all (exit codes, plan, state, outputs, what a diagnostic says and where)
//   --only=TEXT  only differences whose path matches the regular expression
//   --quiet      one line per case
//   --within     run Terrane in this process, as the tests do with most cases
//   --keep       keep the folder of the run and print where it is
//   --show       print the whole actual record
//   --table      only print the cases that show another release than Terraform 1.11
import { selectCases } from './case.ts';
import { differences, report } from './difference.ts';
import { formatJson } from './json.ts';
import { findTerrane, findTerraneShim, mapLimited } from './program.ts';
import { readRecorded } from './recorded.ts';
import { discard, runCase } from './run-case.ts';
import { TERRANE_WITHIN } from './terrane-within.ts';

const args = process.argv.slice(2);
const option = (name: string): string | undefined =>
  args
    .find((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
const cases = selectCases(args.filter((argument) => !argument.startsWith('--')));
if (option('table') !== undefined) {
  for (const { name, oracle, about } of cases) {
    if (oracle === undefined) continue;
    console.log(`${name} | ${oracle} | ${about}`);
  }
  process.exit();
}
const only = new RegExp(option('only') ?? '');
const level = option('level') === '1' ? 1 : 2;
const program = option('within') === undefined ? findTerrane() : TERRANE_WITHIN;
let equal = 0;

await mapLimited(cases, 3, async (testCase) => {
  const output: string[] = [];
  const expected = readRecorded(testCase.name);
  if (expected === undefined) {
    console.log(`? ${testCase.name}: nothing recorded`);
    return;
  }
  try {
    const { calledAs } = testCase;
    const called = calledAs === 'terraform' ? program : findTerraneShim(calledAs);
    const result = await runCase(called, testCase);
    const mismatches = differences(expected, result.record, testCase.exceptions).filter(
      (difference) => difference.level <= level && only.test(difference.path),
    );
    if (mismatches.length === 0) equal += 1;
    const primary = mismatches.filter((difference) => difference.level === 1).length;
    const count =
      mismatches.length === 0 ? '' : `: ${mismatches.length} differences (${primary} primary)`;
    output.push(
      `${mismatches.length === 0 ? '=' : '!'} ${testCase.name}${count} ${result.milliseconds} ms`,
    );
    if (option('quiet') === undefined) {
      if (mismatches.length > 0) output.push(report(mismatches));
      for (const [index, logs] of result.logs.entries()) {
        const touched = mismatches.some((difference) =>
          difference.path.startsWith(`step ${index + 1}`),
        );
        if (touched) for (const log of logs) output.push(`-- step ${index + 1}\n${log}`);
      }
      if (option('show') !== undefined) output.push(formatJson(result.record));
    }
    if (option('keep') === undefined) discard(result);
    else output.push(`kept in ${result.directory}`);
  } catch (error) {
    output.push(
      `! ${testCase.name}: the harness failed: ${error instanceof Error ? error.stack : String(error)}`,
    );
  }
  console.log(output.join('\n'));
});

console.log(`${equal} of ${cases.length} equal`);
process.exitCode = equal === cases.length ? 0 : 1;
