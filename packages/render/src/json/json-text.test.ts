import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attrStep, indexStep } from '@terrane/cty';
import { indentJson, JsonMembers, jsonString, MemberWriter, textParts } from './json-text.ts';
import { inSetOrder } from './path-order.ts';
import { canonicalConstraints } from './version-constraint-text.ts';

test('strings are escaped as Go does it', () => {
  expect(jsonString('<a>&"\\\u2028\u0007\ud800')).toBe(
    '"\\u003ca\\u003e\\u0026\\"\\\\\\u2028\\u0007\ufffd"',
  );
});

test('indented JSON is the same as from JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('an object that is written has the text of one that is built, in parts of a megabyte', () => {
  const numbers = Array.from({ length: 400_000 }, (_, i) => i);
  const parts = textParts((write) =>
    new MemberWriter(write)
      .add('a', undefined)
      .addText('b', '')
      .addText('c', '<')
      .addArray('none', [], () => undefined)
      .addArray('numbers', numbers, (n) => write(String(n)))
      .addWritten('empty', () => new MemberWriter(write).end())
      .end(),
  );
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join('')).toBe(
    new JsonMembers()
      .add('a', undefined)
      .addText('b', '')
      .addText('c', '<')
      .add('numbers', JSON.stringify(numbers))
      .add('empty', '{}')
      .text(),
  );
});

test('paths are sorted by checksum, ignoring keys', () => {
  const paths = ['b', 'a', 'triggers_replace', 'input'].map((name) => [attrStep(name)]);
  const names = inSetOrder([...paths, [attrStep('a'), indexStep(0)]]).map((path) =>
    path.map((step) => (step.kind === 'attr' ? step.name : '#')).join('.'),
  );
  // The order in which go-cty lists this set.
  expect(names).toEqual(SET_ORDER);
});

const SET_ORDER = ['triggers_replace', 'input', 'a', 'b', 'a.#'];

describe('version constraints', () => {
  test.each([
    [['>=3'], '>= 3.0.0'],
    [['~> 3.1, >= 3.0'], '>= 3.0.0, ~> 3.1'],
    [['~> 3.1.2', '~> 3.1.2'], '~> 3.1.2'],
    [['= 1.0', '!= 1.0, < 2, > 1'], '> 1.0.0, 1.0.0, != 1.0.0, < 2.0.0'],
    [['1.0.0-beta.2', '1.0.0-beta.10', '1.0.0'], '1.0.0-beta.2, 1.0.0-beta.10, 1.0.0'],
    [['nonsense'], ''],
  ])('%j', (constraints, canonical) => {
    expect(canonicalConstraints(constraints)).toBe(canonical);
  });
});
