import { describe, expect, it } from 'vitest';
import { globOf, matchGlob } from './glob.ts';

describe('a pattern with asterisks', () => {
  it.each([
    ['aws_*', 'aws_instance', true],
    ['aws_*', 'aws', false],
    ['*', '', true],
    ['*_policy', 'aws_iam_policy', true],
    ['aws_*_policy', 'aws_policy', false],
    ['a*a', 'a', false],
    ['a*b*c', 'a.bb\nc', true],
    ['a*b*b', 'ab', false],
    ['a**', 'a', true],
    ['a.c', 'abc', false],
  ])('%s for %j: %s', (pattern, text, isMatching) => {
    expect(matchGlob(globOf(pattern), text)).toBe(isMatching);
  });

  it('is matched without backtracking', () => {
    const pattern = globOf(`${'*a'.repeat(20_000)}*b`);
    expect(matchGlob(pattern, 'a'.repeat(30_000))).toBe(false);
  });
});
