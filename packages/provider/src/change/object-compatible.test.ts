import {
  list,
  map,
  nullOf,
  number,
  NUMBER,
  object,
  SENSITIVE_MARKS,
  set,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { impliedType } from '../schema/implied-type.ts';
import type { BlockSchema, NestedBlock } from '../schema/model.ts';
import { formatContractError } from './contract-error.ts';
import { includes } from './includes.ts';
import { normalizeLegacyObject } from './legacy-object.ts';
import { assertObjectCompatible, assertValueCompatible } from './object-compatible.ts';

const U = unknownOf(STRING);
const none = nullOf(STRING);

describe('values', () => {
  const texts = (...values: string[]) => list(STRING, values.map(str));
  const textSet = (...values: Value[]) => set(STRING, values);
  const textMap = (entries: Readonly<Record<string, Value>>) =>
    map(STRING, Object.entries(entries));

  test.each<[Value, Value]>([
    [str('a'), str('a')],
    [U, str('a')],
    [U, none],
    [unknownOf(list(STRING, []).type), texts('a', 'b')],
    [textSet(U, str('a')), textSet(str('a'), str('b'))],
    [textMap({ a: U }), textMap({ a: str('x') })],
    [object({ a: U, b: str('x') }), object({ a: str('y'), b: str('x') })],
  ])('%#: a completion passes', (planned, actual) => {
    expect(assertValueCompatible(planned, actual)).toEqual([]);
  });

  test.each<[Value, Value, string[]]>([
    [str('a'), str('b'), ['was cty.StringVal("a"), but now cty.StringVal("b")']],
    [str('a'), none, ['was cty.StringVal("a"), but now null']],
    [none, str('a'), ['was null, but now cty.StringVal("a")']],
    [U, number(1), ['wrong final value type: string required']],
    [
      unknownOf(STRING, { notNull: true }),
      none,
      [
        'final value cty.NullVal(cty.String) does not conform to planning placeholder cty.UnknownVal(cty.String).RefineNotNull()',
      ],
    ],
    [
      unknownOf(STRING, { prefix: 'ab' }),
      str('xy'),
      [
        'final value cty.StringVal("xy") does not conform to planning placeholder cty.UnknownVal(cty.String).Refine().StringPrefixFull("ab").NewValue()',
      ],
    ],
    [texts('a'), texts('a', 'b'), ['new element 1 has appeared']],
    [texts('a', 'b'), texts('a'), ['element 1 has vanished']],
    [texts('a'), texts('b'), ['[0]: was cty.StringVal("a"), but now cty.StringVal("b")']],
    [
      textMap({ a: U }),
      textMap({ b: U }),
      ['element "a" has vanished', 'new element "b" has appeared'],
    ],
    [
      textSet(str('a')),
      textSet(str('b')),
      ['planned set element cty.StringVal("a") does not correlate with any element in actual'],
    ],
    [
      textSet(str('a')),
      textSet(str('a'), str('b')),
      [
        'actual set element cty.StringVal("b") does not correlate with any element in plan',
        'length changed from 1 to 2',
      ],
    ],
  ])('%#: anything else is described', (planned, actual, expected) => {
    const messages = assertValueCompatible(planned, actual).map((error) =>
      formatContractError(error),
    );
    expect(messages.toSorted()).toEqual(expected.toSorted());
  });
});

const inner: BlockSchema = {
  attributes: { a: { type: STRING, optional: true, computed: true } },
  blocks: {},
};
const I = impliedType(inner);
const i = (a: Value) => object({ a });
const l = (...values: Value[]) => list(I, values);

describe('objects', () => {
  const compare = (b: BlockSchema, planned: Value, actual: Value) =>
    assertObjectCompatible(b, planned, actual).map((error) => formatContractError(error));
  const nest = (nesting: NestedBlock['nesting']): BlockSchema => ({
    attributes: {},
    blocks: { x: { nesting, block: inner } },
  });

  test('an object must not appear or vanish', () => {
    expect(compare(inner, i(U), nullOf(I))).toEqual(['Root object was present, but now absent']);
    expect(compare(inner, nullOf(I), i(U))).toEqual(['Root object was absent, but now present']);
    expect(compare(inner, nullOf(I), nullOf(I))).toEqual([]);
  });

  test.each<[NestedBlock['nesting'], Value, Value, string[]]>([
    ['single', i(U), i(str('x')), []],
    [
      'single',
      i(str('x')),
      i(str('y')),
      ['.x.a: was cty.StringVal("x"), but now cty.StringVal("y")'],
    ],
    ['list', l(i(U)), l(i(str('x'))), []],
    ['list', l(i(U)), l(), ['.x: block count changed from 1 to 0']],
    ['map', map(I, [['p', i(U)]]), map(I, []), ['.x: block count changed from 1 to 0']],
    [
      'map',
      map(I, [['p', i(str('x'))]]),
      map(I, [['p', i(str('y'))]]),
      ['.x["p"].a: was cty.StringVal("x"), but now cty.StringVal("y")'],
    ],
    // Different keys pass as long as the number of elements is equal, as in Terraform.
    ['map', map(I, [['p', i(U)]]), map(I, [['q', i(U)]]), []],
    ['set', set(I, [i(U)]), set(I, [i(str('x'))]), []],
    [
      'set',
      set(I, [i(str('x')), i(str('y'))]),
      set(I, [i(str('x'))]),
      [
        '.x: planned set element cty.ObjectVal(map[string]cty.Value{"a":cty.StringVal("y")}) does not correlate with any element in actual',
      ],
    ],
  ])('%#: blocks of nesting %s', (nesting, planned, actual, expected) => {
    expect(compare(nest(nesting), object({ x: planned }), object({ x: actual }))).toEqual(expected);
  });

  test('sensitive values are not shown', () => {
    const secret: BlockSchema = {
      attributes: { a: { type: STRING, optional: true, sensitive: true } },
      blocks: {},
    };
    const hidden = ['.a: inconsistent values for sensitive attribute'];
    expect(compare(secret, i(str('x')), i(str('y')))).toEqual(hidden);
    const marked = i(str('x').withMarks(SENSITIVE_MARKS));
    expect(compare(inner, marked, i(str('y')))).toEqual(hidden);
  });
});

const atLeast2 = unknownOf(NUMBER, { min: { value: 2, inclusive: true } });

test.each<[Value, Value, boolean | undefined]>([
  [U, none, true],
  [U, str('a'), undefined],
  [U, number(1), false],
  [str('a'), none, false],
  [str('a'), U, undefined],
  [none, none, true],
  [none, str('a'), false],
  [unknownOf(STRING, { notNull: true }), none, false],
  [unknownOf(STRING, { prefix: 'a' }), str('b'), false],
  [atLeast2, number(2), undefined],
  [atLeast2, number(1), false],
])('%#: whether a value lies in the range of another', (range, v, expected) => {
  expect(includes(range, v)).toBe(expected);
});

test('objects of the legacy SDK get empty blocks for null ones', () => {
  const block: BlockSchema = {
    attributes: {},
    blocks: { x: { nesting: 'list', block: inner }, y: { nesting: 'single', block: inner } },
  };
  const broken = object({ x: nullOf(l().type), y: nullOf(I) });
  expect(normalizeLegacyObject(block, broken).rawEquals(object({ x: l(), y: nullOf(I) }))).toBe(
    true,
  );
  const open = object({ x: unknownOf(l().type), y: i(str('a')) });
  const repaired = normalizeLegacyObject(block, open);
  expect(repaired.attr('x').rawEquals(l(i(U)))).toBe(true);
  const sound = object({ x: l(i(str('a'))), y: nullOf(I) });
  expect(normalizeLegacyObject(block, sound)).toBe(sound);
});
