// Prints what the last run of the tests, and of the samples beside them, came to: "N passed, N failed".
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './run.mjs';

/** Counts of a Vitest report; a file that could not even be loaded counts as one failure. */
export function countTests(report) {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

/** Counts of what a sample printed, whose last line they are. */
export function countSample(text) {
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(text) ?? [];
  return passed === undefined
    ? { passed: 0, failed: 1 }
    : { passed: Number(passed), failed: Number(failed) };
}

/** Counts of another run: a report of Vitest, or a sample's output. */
function countOther(text) {
  return text.startsWith('{') ? countTests(JSON.parse(text)) : countSample(text);
}

/** The summary line of a Vitest report and of other reports and samples' outputs; each that is missing is a failure. */
export function summarize(report, samples = []) {
  const counts = [
    report === undefined ? { passed: 0, failed: 1 } : countTests(JSON.parse(report)),
    ...samples.map((text) => countOther(text ?? '')),
  ];
  const sum = (key) => counts.reduce((total, each) => total + each[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}

const MAX_FAILURES = 50;

/** Names the failed tests of Vitest reports with the beginnings of their messages, at most fifty. */
export function listFailures(texts) {
  const files = texts
    .filter((text) => text?.startsWith('{'))
    .flatMap((text) => JSON.parse(text).testResults)
    .filter(({ status }) => status === 'failed');
  const failures = files.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return [failureText(file, 'could not be loaded', message)];
    return failed.map((test) => failureText(file, test.fullName, test.failureMessages?.[0]));
  });
  return failures.slice(0, MAX_FAILURES);
}

function failureText(file, title, message = '') {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 12);
  return [`FAILED ${file}: ${title}`, ...lines].join('\n    ');
}

function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    console.error(`${path} is missing: what should have written it did not end as it must.`);
    return undefined;
  }
}

if (process.argv[1]?.endsWith('summary.mjs')) {
  const [report, ...samples] = ['.build/vitest.json', ...process.argv.slice(2)].map(read);
  for (const failure of listFailures([report, ...samples])) console.log(failure);
  console.log(summarize(report, samples));
}
