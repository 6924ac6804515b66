import { str } from '@terrane/cty';
import { type Expression, parseExpression, Source } from '@terrane/hcl';
import { expect, it } from 'vitest';
import { templateHoles } from './template-holes.ts';

/** The parts of a template whose interpolations are `a` and `b`. */
function partsOf(text: string): readonly Expression[] {
  const { expression } = parseExpression(new Source('t', text));
  if (expression?.kind !== 'template') throw new Error(`no template: ${text}`);
  return expression.parts;
}

const valueOf = (values: Readonly<Record<string, string | undefined>>) => (part: Expression) => {
  const value = values[part.range.text()];
  return value === undefined ? undefined : str(value);
};

it.each([
  ['one changed part', '"is ${a}-${b}."', { a: '1', b: '2' }, 'is 7-2.', { a: '7' }],
  ['the other changed part', '"is ${a}-${b}."', { a: '1', b: '2' }, 'is 1-7.', { b: '7' }],
  [
    'all parts, told apart by literals',
    '"is ${a}-${b}."',
    { a: '1', b: '2' },
    'is 7-8.',
    { a: '7', b: '8' },
  ],
  ['parts of unknown value', '"is ${a}-${b}."', {}, 'is 7-8.', { a: '7', b: '8' }],
  ['a part at the end', '"is ${a}"', { a: '1' }, 'is 78', { a: '78' }],
  ['another literal', '"is ${a}-${b}."', { a: '1', b: '2' }, 'was 7-8.', 'other text'],
  ['a missing literal', '"is ${a}-${b}."', {}, 'is 7', 'other text'],
  ['text after the end', '"is ${a}."', {}, 'is 7.8.9', 'other text'],
  ['adjacent parts', '"${a}${b}"', {}, '78', 'unclear'],
])('finds %s', (_name, template, values, text, expected) => {
  const found = templateHoles(partsOf(template), text, valueOf(values));
  expect(
    typeof found === 'string'
      ? found
      : Object.fromEntries(found.map(([part, value]) => [part.range.text(), value])),
  ).toEqual(expected);
});
