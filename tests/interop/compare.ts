// Runs cases of published providers through terraform and Terrane and prints what differs:
//
//   npm run ts -- tests/interop/compare.ts [NAME…]
import { compareCase, interopCases } from './lifecycle.ts';

let failed = 0;
for (const testCase of interopCases(process.argv.slice(2))) {
  const started = Date.now();
  const { missing, report } = await compareCase(testCase);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const result = missing.length > 0 ? `not here: ${missing.join(', ')}` : report || 'equal';
  if (report !== '') failed++;
  console.log(`${testCase.name} (${seconds} s): ${result}`);
}
process.exitCode = failed === 0 ? 0 : 1;
