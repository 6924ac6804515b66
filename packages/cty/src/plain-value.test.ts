import { describe, expect, test } from 'vitest';
import { inspect } from 'node:util';
import {
  bool,
  list,
  map,
  NULL,
  number,
  object,
  parseNumber,
  plainFromValue,
  type PlainInput,
  SensitiveValue,
  set,
  str,
  STRING,
  tuple,
  UNKNOWN,
  UNKNOWN_VALUE,
  valueFromPlain,
} from './index.ts';

describe('JavaScript data becomes a value', () => {
  test.each<[string, PlainInput, unknown]>([
    ['text', 'a', str('a')],
    ['a boolean', false, bool(false)],
    ['null', null, NULL],
    ['undefined', undefined, NULL],
    ['an integer', 3, number(3)],
    ['a decimal, by its digits', 0.1, number(parseNumber('0.1') ?? 0)],
    ['a bigint', 2n ** 70n, number(2n ** 70n)],
    ['an array', ['a', 1], tuple([str('a'), number(1)])],
    ['an object', { b: 1, a: undefined }, object({ b: number(1) })],
    ['a Map', new Map([['a', 'b']]), object({ a: str('b') })],
    ['an object without prototype', Object.create(null) as {}, object({})],
    ['a value', list(STRING, [str('x')]), list(STRING, [str('x')])],
    ['the placeholder of unknown values', UNKNOWN_VALUE, UNKNOWN],
    ['a sensitive value', new SensitiveValue('s'), str('s').mark('sensitive')],
  ])('%s', (_, input, expected) => {
    expect(valueFromPlain(input)).toEqual(expected);
  });

  test('with a property named __proto__', () => {
    const input = JSON.parse('{"__proto__": {"a": "b"}}') as PlainInput;
    const value = valueFromPlain(input);
    expect(value.entries().map(([key]) => key.asString())).toEqual(['__proto__']);
    expect(JSON.stringify(plainFromValue(value))).toBe('{"__proto__":{"a":"b"}}');
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  test.each<[string, unknown, string]>([
    ['NaN', { a: [1, NaN] }, 'NaN is not a number'],
    ['a function', () => 1, 'a function cannot be a value'],
    ['a symbol', [Symbol.iterator], 'a symbol cannot be a value'],
    ['a date', { at: new Date(0) }, 'an instance of Date cannot be a value'],
    ['a cycle', cycle, 'is nested too deeply, or contains itself'],
    ['a Map with other keys', new Map([[1, 'a']]), 'keys of a Map must be strings'],
  ])('but not %s', (_, input, message) => {
    expect(() => valueFromPlain(input as PlainInput)).toThrow(message);
  });

  test('and errors contain the path', () => {
    expect(() => valueFromPlain({ a: [1, NaN] })).toThrow(
      expect.objectContaining({
        path: [expect.objectContaining({ name: 'a' }), expect.anything()],
      }),
    );
  });
});

describe('a value becomes JavaScript data', () => {
  test('of every kind', () => {
    const value = object({
      text: str('a'),
      none: NULL,
      yes: bool(true),
      tenth: number(parseNumber('0.1') ?? 0),
      large: number(2n ** 70n),
      list: list(STRING, [str('x')]),
      set: set(STRING, [str('b'), str('a')]),
      map: map(STRING, new Map([['k', str('v')]])),
      later: UNKNOWN,
    });
    expect(plainFromValue(value)).toEqual({
      text: 'a',
      none: null,
      yes: true,
      tenth: 0.1,
      large: 2n ** 70n,
      list: ['x'],
      set: ['a', 'b'],
      map: { k: 'v' },
      later: UNKNOWN_VALUE,
    });
  });

  test('beyond the range of doubles as infinity', () => {
    expect(plainFromValue(number(parseNumber('1e400') ?? 0))).toBe(Infinity);
  });

  test.each(['sensitive', 'ephemeral'] as const)('that hides what is %s', (mark) => {
    const plain = plainFromValue(object({ password: str('hunter2').mark(mark) }));
    for (const text of [JSON.stringify(plain), inspect(plain), `${Object.values(plain ?? {})}`]) {
      expect(text).toContain('(sensitive value)');
      expect(text).not.toContain('hunter2');
    }
    const { password } = plain as { password: SensitiveValue };
    expect(password.reveal()).toBe('hunter2');
  });

  test('that does not spread the content of sensitive values', () => {
    const plain = plainFromValue(str('hunter2').mark('sensitive'));
    expect({ ...(plain as object) }).toEqual({});
    expect(structuredClone(plain)).toEqual({});
  });
});
