import { str } from '@terrane/cty';
import { parseExpression, type Range, Source } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { asPossible, distinct, leadsFurther, secret, withPath, writtenAt } from './cause-parts.ts';
import type { Cause } from './model.ts';

const at = (line: number): Range => {
  const { expression } = parseExpression(new Source('main.tf', `${'\n'.repeat(line)}"x"`));
  if (expression === undefined) throw new Error('no expression');
  return expression.range;
};
const local = (name: string, more: Partial<Extract<Cause, { kind: 'local' }>> = {}): Cause => ({
  kind: 'local',
  address: `local.${name}`,
  causes: [],
  ...more,
});

describe('distinct causes', () => {
  it.each<readonly [string, readonly Cause[], readonly number[]]>([
    ['another address', [local('a'), local('b')], [0, 1]],
    ['the same address', [local('a'), local('a')], [0]],
    [
      'another attribute',
      [local('a'), local('a', { attribute: [{ kind: 'attr', name: 'x' }] })],
      [0, 1],
    ],
    [
      'another place, without an address',
      [writtenAt(at(1), undefined, undefined), writtenAt(at(2), undefined, undefined)],
      [0, 1],
    ],
    [
      'the same place, without an address',
      [writtenAt(at(1), undefined, undefined), writtenAt(at(1), undefined, undefined)],
      [0],
    ],
    [
      'one explained elsewhere beside one explained here',
      [
        local('a', { isExplainedElsewhere: true, attribute: [{ kind: 'attr', name: 'x' }] }),
        local('a'),
      ],
      [1],
    ],
    ['one explained elsewhere alone', [local('a', { isExplainedElsewhere: true })], [0]],
  ])('keep those with %s', (_name, causes, expected) => {
    expect(distinct(causes)).toEqual(expected.map((position) => causes[position]));
  });
});

it('marks a cause and the causes behind it as possible', () => {
  const [found, inner] = [asPossible(local('a', { causes: [local('b')] })), local('b')];
  expect(found.possible).toBe(true);
  expect(found.causes).toEqual([{ ...inner, possible: true }]);
});

it('follows all causes but literal text', () => {
  expect(leadsFurther(writtenAt(at(1), undefined, undefined))).toBe(false);
  expect(leadsFurther(local('a'))).toBe(true);
});

it('omits unknown parts', () => {
  expect(withPath([])).toEqual({});
  expect(Object.keys(writtenAt(at(1), undefined, str('x')))).toEqual([
    'kind',
    'range',
    'after',
    'causes',
  ]);
  expect(Object.keys(writtenAt(at(1), str('x'), undefined))).toEqual([
    'kind',
    'range',
    'before',
    'causes',
  ]);
});

it.each([true, false])('marks a value of a sensitive source: %s', (sensitive) => {
  expect(secret(str('x'), sensitive).isMarked).toBe(sensitive);
});
