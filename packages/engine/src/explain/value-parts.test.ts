import { bool, nullOf, number, str, STRING, unknownOf, type Value } from '@terrane/cty';
import { valueFromPlain } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import {
  asText,
  decodeJson,
  elementSteps,
  entriesOf,
  holds,
  isUnchanged,
  keyOfStep,
  nameOfStep,
} from './value-parts.ts';

const MAP = valueFromPlain({ a: 'x', b: 'y' });
const LIST = valueFromPlain(['x', 'y']);

it.each<readonly [Value, string, boolean]>([
  [MAP, 'a', true],
  [MAP, 'x', false],
  [LIST, 'x', true],
  [LIST, 'a', false],
  [valueFromPlain([1, true]), '1', true],
  [MAP.mark('sensitive'), 'b', true],
  [unknownOf(MAP.type), 'a', false],
  [nullOf(MAP.type), 'a', false],
  [str('a'), 'a', false],
])('%s holds %s: %s', (value, key, expected) => {
  expect(holds(value, key)).toBe(expected);
});

it.each<readonly [Value, string | undefined]>([
  [str('x'), 'x'],
  [number(1.5), '1.5'],
  [bool(true), 'true'],
  [LIST, undefined],
])('%s as text is %s', (value, expected) => {
  expect(asText(value)).toBe(expected);
});

describe('the elements of a value', () => {
  it.each<readonly [string, Value, readonly string[]]>([
    ['a list has positions', LIST, ['0', '1']],
    ['an object has keys', MAP, ['a', 'b']],
    ['a text has none', str('x'), []],
    ['an unknown value has none', unknownOf(LIST.type), []],
  ])('%s', (_name, value, expected) => {
    expect(elementSteps(value).map(nameOfStep)).toEqual(expected);
  });

  it.each<readonly [string, Value, readonly string[] | undefined]>([
    ['of an object', MAP, ['a', 'b']],
    ['of a list', LIST, undefined],
    ['of null', nullOf(MAP.type), undefined],
  ])('by key %s', (_name, value, expected) => {
    const entries = entriesOf(value);
    expect(entries === undefined ? undefined : [...entries.keys()]).toEqual(expected);
  });
});

it.each<readonly [string, Value, string | undefined]>([
  ['an object', str('{"a":1}'), 'a'],
  ['malformed text', str('{'), undefined],
  ['unknown text', unknownOf(STRING), undefined],
  ['a number', number(1), undefined],
])('decodes the JSON text of %s', (_name, value, key) => {
  const entries = entriesOf(decodeJson(value) ?? str(''));
  expect(entries?.keys().next().value).toBe(key);
});

it('keeps the marks of a JSON text', () => {
  expect(decodeJson(str('{}').mark('sensitive'))?.hasMarkDeep('sensitive')).toBe(true);
});

it.each<readonly [Value, string | number | undefined]>([
  [str('k'), 'k'],
  [number(2), 2],
  [unknownOf(STRING), undefined],
  [bool(true), undefined],
])('the instance key of %s is %s', (value, expected) => {
  expect(keyOfStep(value)).toBe(expected);
});

it.each<readonly [Value | undefined, Value | undefined, boolean]>([
  [str('x'), str('x').mark('sensitive'), true],
  [str('x'), str('y'), false],
  [undefined, undefined, true],
  [undefined, str('x'), false],
])('%s is unchanged as %s: %s', (before, after, expected) => {
  expect(isUnchanged(before, after)).toBe(expected);
});
