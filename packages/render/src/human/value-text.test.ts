import { expect, test } from 'vitest';
import {
  bool,
  BOOL,
  list,
  listType,
  map,
  NULL,
  nullOf,
  NUMBER,
  number,
  object,
  objectType,
  parseNumber,
  set,
  str,
  STRING,
  tuple,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { outputsText, valueText } from './value-text.ts';

// Right-hand sides are what Terraform's console answers.
const cases: readonly (readonly [string, Value, string])[] = [
  ['escapes', str('a\u0007\u00a0"é😀'), '"a\\a\\u00a0\\"é😀"'],
  ['lines', str('one\ntwo'), '<<EOT\none\ntwo\nEOT'],
  [
    'object',
    object({
      a: str('x\ny'),
      'b c': tuple([number(1), str('EOT\nx')]),
      n: NULL,
    }),
    `{
  "a" = <<-EOT
  x
  y
  EOT
  "b c" = [
    1,
    <<-EOT_
    EOT
    x
    EOT_,
  ]
  "n" = null
}`,
  ],
  ['list', list(STRING, [str('a')]), 'tolist([\n  "a",\n])'],
  ['set', set(NUMBER, [number(1), number(parseNumber('2.5') ?? 0)]), 'toset([\n  1,\n  2.5,\n])'],
  ['map', map(BOOL, [['a', bool(true)]]), 'tomap({\n  "a" = true\n})'],
  ['empty tuple', tuple([]), '[]'],
  ['empty object', object({}), '{}'],
  ['empty map', map(STRING, []), 'tomap({})'],
  ['long number', number(12345678901234567890123n), '12345678901234567890123'],
  ['typed null', nullOf(STRING), 'tostring(null)'],
  ['null list', nullOf(listType(STRING)), 'tolist(null) /* of string */'],
  ['null object', nullOf(objectType({ a: STRING })), 'null /* object */'],
  ['unknown', unknownOf(STRING), '(known after apply)'],
  ['sensitive', str('x').mark('sensitive'), '(sensitive value)'],
  ['sensitive null', nullOf(STRING).mark('sensitive'), '(sensitive value)'],
  ['ephemeral', str('x').mark('ephemeral'), '(ephemeral value)'],
  [
    'partly sensitive',
    tuple([str('x').mark('sensitive'), number(1)]),
    '[\n  (sensitive value),\n  1,\n]',
  ],
  ['key of lines', object({ 'a\nb': number(1) }), '{\n  <<-EOT\n  a\n  b\n  EOT = 1\n}'],
];

test.each(cases)('%s', (_name, value, text) => {
  expect(valueText(value, { color: false, width: 0 })).toBe(text);
});

test('outputs are listed by name, sensitive ones without their values', () => {
  const outputs = new Map([
    ['b', { value: str('x'), sensitive: true }],
    ['a', { value: number(1), sensitive: false }],
  ]);
  expect(outputsText(outputs, { color: false, width: 78 })).toBe(
    '\nOutputs:\n\na = 1\nb = <sensitive>\n',
  );
  expect(outputsText(new Map(), { color: false, width: 78 })).toBe('');
});
