// Runs the integration tests of go-tfe against the run server and prints the result of each:
//   npm run test:go-tfe -- [--version=1.108.0] [--run=REGEXP] [--verbose] [--requests] [--table]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runGoTfe } from './go-tfe.ts';
import { tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    version: { type: 'string', default: '1.108.0' },
    run: { type: 'string' },
    parallel: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3600' },
    timeout: { type: 'string', default: '9m' },
    verbose: { type: 'boolean', default: false },
    requests: { type: 'boolean', default: false },
    table: { type: 'string' },
  },
});
const { version, run: pattern } = values;
const result = await runGoTfe({
  version,
  parallel: Number(values.parallel),
  timeout: values.timeout,
  seconds: Number(values.seconds),
  progress(test, action, output) {
    if (action === 'pass' || action === 'fail') console.error(`${action} ${test}`);
    if (action === 'fail' && values.verbose) console.error(output());
  },
  ...(pattern !== undefined && { pattern }),
});
for (const { name, group, result: outcome, subtests } of result.tests) {
  const { pass, fail, skip } = subtests;
  console.log(`${outcome}  ${group}  ${name}  ${pass} passed, ${fail} failed, ${skip} skipped`);
}
if (values.requests) {
  const requests = [...result.requests].sort(([a], [b]) => a.localeCompare(b));
  for (const [request, count] of requests) console.log(`${count} ${request}`);
}
const count = (outcome: string): number =>
  result.tests.filter((test) => test.result === outcome).length;
console.log(`${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped`);
for (const difference of result.differences) console.log(`differs: ${difference}`);
console.log(`${result.validated.size} operations validated`);
if (values.table !== undefined) writeFileSync(values.table, tableOf(result));
