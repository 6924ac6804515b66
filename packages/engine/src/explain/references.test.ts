import { parseExpression, Source } from '@terrane/hcl';
import { expect, it } from 'vitest';
import { calledNames, impureCalls, traversalsIn } from './references.ts';

function expressionOf(text: string) {
  const { expression } = parseExpression(new Source('main.tf', text));
  if (expression === undefined) throw new Error(`no expression: ${text}`);
  return expression;
}

it.each([
  ['var.a + var.b + var.a', ['var.a', 'var.b']],
  ['[for x in var.a : x.name]', ['var.a']],
  ['"text"', []],
])('the references of %s are distinct', (text, expected) => {
  expect(traversalsIn(expressionOf(text)).map(({ range }) => range.text())).toEqual(expected);
});

it('names called functions without their namespace', () => {
  expect(calledNames(expressionOf('core::upper(lower("x"))')).map(([name]) => name)).toEqual([
    'upper',
    'lower',
  ]);
});

it.each([
  ['timestamp()', ['timestamp']],
  ['"${core::uuid()}-${upper("x")}"', ['uuid']],
  ['upper("x")', []],
])('finds the impure functions of %s', (text, expected) => {
  expect(impureCalls(expressionOf(text)).map(({ name }) => name)).toEqual(expected);
});
