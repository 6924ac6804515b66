// Records what terraform (or the oracle that a case names) makes of the test provider: `npm run ts -- tests/served/record.ts`,
// with names of cases for some. `--compare` compares Terrane in both ways with what is recorded, `--in-process` and
// `--plugin` in one.
import { differences, report } from '../differential/difference.ts';
import { readRecorded, writeRecorded } from '../differential/recorded.ts';
import { recordedName, servedCases, Workshop } from './served-cases.ts';
import type { Way } from './served-cases.ts';

const args = process.argv.slice(2);
const cases = servedCases(args.filter((argument) => !argument.startsWith('--')));
const compared: readonly Way[] = args.includes('--compare')
  ? ['terrane in-process', 'terrane over the plugin']
  : args.includes('--in-process')
    ? ['terrane in-process']
    : args.includes('--plugin')
      ? ['terrane over the plugin']
      : [];
const workshop = await Workshop.open();
try {
  for (const testCase of cases) {
    const name = recordedName(testCase.name);
    if (compared.length === 0) {
      const record = await workshop.run('the oracle', testCase);
      if (record === undefined) throw new Error(`the oracle of ${testCase.name} is not there`);
      writeRecorded(name, record);
      console.log(`+ ${testCase.name}`);
    }
    for (const way of compared) {
      const actual = await workshop.run(way, testCase);
      const mismatches = differences(
        readRecorded(name) ?? { steps: [] },
        actual ?? { steps: [] },
        testCase.exceptions,
      );
      console.log(
        `${mismatches.length === 0 ? '=' : '!'} ${testCase.name} ${way}: ${mismatches.length}`,
      );
      if (mismatches.length > 0) console.log(report(mismatches));
    }
  }
} finally {
  workshop.dispose();
}
