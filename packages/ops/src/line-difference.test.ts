import { expect, it } from 'vitest';
import { unifiedDifference } from './line-difference.ts';

const NAMES = { before: 'old/x', after: 'new/x' };
const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

it.each([
  { what: 'one line', before: 'a\n', after: 'b\n', hunks: '@@ -1 +1 @@\n-a\n+b\n' },
  {
    what: 'a new line',
    before: 'a\nb\n',
    after: 'a\nx\nb\n',
    hunks: '@@ -1,2 +1,3 @@\n a\n+x\n b\n',
  },
  { what: 'a text from nothing', before: '', after: 'a\n', hunks: '@@ -0,0 +1 @@\n+a\n' },
  { what: 'a text that goes', before: 'a\n', after: '', hunks: '@@ -1 +0,0 @@\n-a\n' },
  {
    what: 'a missing end of line',
    before: 'a',
    after: 'a\n',
    hunks: '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n',
  },
  {
    what: 'context, at most three lines of it',
    before: `${numbered(1, 5)}x\n${numbered(7, 11)}`,
    after: `${numbered(1, 5)}y\n${numbered(7, 11)}`,
    hunks: '@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-x\n+y\n 7\n 8\n 9\n',
  },
  {
    what: 'two places far apart',
    before: `a\n${numbered(1, 8)}b\n`,
    after: `A\n${numbered(1, 8)}B\n`,
    hunks: '@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-b\n+B\n',
  },
  {
    what: 'two places close together',
    before: 'a\n1\nb\n',
    after: 'A\n1\nB\n',
    hunks: '@@ -1,3 +1,3 @@\n-a\n+A\n 1\n-b\n+B\n',
  },
])('$what', ({ before, after, hunks }) => {
  expect(unifiedDifference(before, after, NAMES)).toBe(`--- old/x\n+++ new/x\n${hunks}`);
});

it('equal texts have none', () => {
  expect(unifiedDifference('a\n', 'a\n', NAMES)).toBeUndefined();
});

it('text with null bytes is not shown', () => {
  expect(unifiedDifference('a\n', '\0\n', NAMES)).toBe('Binary files old/x and new/x differ\n');
});

it('changes stand as far down as they can, and join', () => {
  expect(unifiedDifference('a\n\nb\n\nc\n', 'a\n\nb\n\nb\n\nc\n', NAMES)).toBe(
    '--- old/x\n+++ new/x\n@@ -2,4 +2,6 @@\n \n b\n \n+b\n+\n c\n',
  );
});

it('the difference of large unrelated texts is as long as their lines', () => {
  const before = Array.from({ length: 30_000 }, (_, i) => ` x${i}\n${i % 3 === 0 ? '\n' : ''}`);
  const after = before.map((line) => line.trimStart());
  const lines = unifiedDifference(before.join(''), after.join(''), NAMES)?.split('\n') ?? [];
  expect(lines.filter((line) => line.startsWith('-')).length).toBeGreaterThan(30_000);
});
