import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFailures, summarize } from './summary.mjs';

const root = join(import.meta.dirname, '..');

function report(results: readonly object[], passed: number, failed: number): string {
  return JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: results });
}

test('the summary shows the numbers of the report', () => {
  const file = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
  expect(summarize(report([file], 12, 1))).toBe('12 passed, 1 failed');
});

test('a test file that could not be loaded is a failure', () => {
  expect(summarize(report([{ status: 'failed', assertionResults: [] }], 3, 0))).toBe(
    '3 passed, 1 failed',
  );
});

test('no report at all is a failure', () => {
  expect(summarize(undefined)).toBe('0 passed, 1 failed');
});

test('reports of other test runs count too', () => {
  expect(summarize(report([], 5, 0), [report([], 3, 1)])).toBe('8 passed, 1 failed');
});

test('samples count by their last line, and as a failure where it is missing', () => {
  const samples = ['seed 1: state 2\n2 passed, 0 failed\n', 'ended in the middle', undefined];
  expect(summarize(report([], 5, 0), samples)).toBe('7 passed, 2 failed');
});

test('failed tests are named with their messages', () => {
  const failed = {
    status: 'failed',
    fullName: 'adds',
    failureMessages: ['\u001b[31mwrong\u001b[39m'],
  };
  const results = [
    {
      status: 'failed',
      name: join(root, 'a.test.ts'),
      assertionResults: [failed, { status: 'passed' }],
    },
    {
      status: 'failed',
      name: join(root, 'b.test.ts'),
      message: 'no such module',
      assertionResults: [],
    },
    { status: 'passed', name: join(root, 'c.test.ts'), assertionResults: [{ status: 'passed' }] },
  ];
  expect(listFailures([report(results, 2, 1), '2 passed, 0 failed', undefined])).toEqual([
    'FAILED a.test.ts: adds\n    wrong',
    'FAILED b.test.ts: could not be loaded\n    no such module',
  ]);
});
