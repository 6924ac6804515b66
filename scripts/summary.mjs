// Prints what the last run of the tests came to: "N passed, N failed".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Counts of a Vitest report; a file that could not even be loaded counts as one failure. */
export function countTests(report) {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

/** The report's summary line; no report at all is a failure. */
export function summarize(text) {
  const { passed, failed } =
    text === undefined ? { passed: 0, failed: 1 } : countTests(JSON.parse(text));
  return `${passed} passed, ${failed} failed`;
}

if (process.argv[1]?.endsWith('summary.mjs')) {
  let text;
  try {
    text = readFileSync(join(root, '.build/vitest.json'), 'utf8');
  } catch {
    console.error('The tests left no report.');
  }
  console.log(summarize(text));
}
