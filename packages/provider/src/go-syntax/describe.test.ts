import {
  attrStep,
  BOOL,
  bool,
  DYNAMIC,
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  indexStep,
  list,
  listType,
  map,
  mapType,
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
  tupleType,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { expect, test } from 'vitest';
import { describePath, describeType, describeValue } from './describe.ts';

const parsed = (text: string) => number(parseNumber(text) ?? 0);

// Output of go-cty 1.16.2 for %#v.
test.each<[Value, string]>([
  [number(0), 'cty.NumberIntVal(0)'],
  [number(-5), 'cty.NumberIntVal(-5)'],
  [number(123456), 'cty.NumberIntVal(123456)'],
  [number(1000000), 'cty.NumberIntVal(1e+06)'],
  [parsed('1e30'), 'cty.NumberIntVal(1e+30)'],
  [parsed('12345678901234567890'), 'cty.NumberIntVal(1.234567890123456789e+19)'],
  [parsed('1.5'), 'cty.NumberFloatVal(1.5)'],
  [parsed('123456.75'), 'cty.NumberFloatVal(123456.75)'],
  [parsed('0.1'), 'cty.MustParseNumberVal("0.1")'],
  [parsed('1e-7'), 'cty.MustParseNumberVal("0.0000001")'],
  [number(Infinity), 'cty.NumberFloatVal(+Inf)'],
  [bool(true), 'cty.True'],
  [str('a\n"b\\\u0001é☃\u200b😀'), 'cty.StringVal("a\\n\\"b\\\\\\x01é☃\\u200b😀")'],
  [
    list(STRING, [str('a'), nullOf(STRING)]),
    'cty.ListVal([]cty.Value{cty.StringVal("a"), cty.NullVal(cty.String)})',
  ],
  [
    set(STRING, [str('b'), str('a')]),
    'cty.SetVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})',
  ],
  [
    map(BOOL, [
      ['b', bool(true)],
      ['a', bool(false)],
    ]),
    'cty.MapVal(map[string]cty.Value{"a":cty.False, "b":cty.True})',
  ],
  [
    object({ b: bool(true), a: unknownOf(NUMBER) }),
    'cty.ObjectVal(map[string]cty.Value{"a":cty.UnknownVal(cty.Number), "b":cty.True})',
  ],
  [
    tuple([bool(true), EMPTY_TUPLE_VALUE]),
    'cty.TupleVal([]cty.Value{cty.True, cty.EmptyTupleVal})',
  ],
  [list(mapType(BOOL), []), 'cty.ListValEmpty(cty.Map(cty.Bool))'],
  [unknownOf(DYNAMIC), 'cty.DynamicVal'],
  [nullOf(DYNAMIC), 'cty.NullVal(cty.DynamicPseudoType)'],
  [EMPTY_OBJECT_VALUE, 'cty.EmptyObjectVal'],
  [unknownOf(STRING, { notNull: true }), 'cty.UnknownVal(cty.String).RefineNotNull()'],
  [
    unknownOf(STRING, { notNull: true, prefix: 'ab' }),
    'cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull("ab").NewValue()',
  ],
  [
    unknownOf(NUMBER, {
      notNull: true,
      min: { value: 1, inclusive: true },
      max: { value: 9, inclusive: false },
    }),
    'cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound(cty.NumberIntVal(1), true).NumberUpperBound(cty.NumberIntVal(9), false).NewValue()',
  ],
  [
    unknownOf(listType(STRING), { minLength: 1 }),
    'cty.UnknownVal(cty.List(cty.String)).Refine().CollectionLengthLowerBound(1).NewValue()',
  ],
])('a value is written as in Go: %#', (value, text) => {
  expect(describeValue(value)).toBe(text);
});

test('types are written as in Go', () => {
  const type = objectType({ z: STRING, a: tupleType([BOOL]) }, ['z']);
  expect(describeType(type)).toBe(
    'cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a":cty.Tuple([]cty.Type{cty.Bool}), "z":cty.String}, []string{"z"})',
  );
});

test('paths are written as in Go', () => {
  expect(describePath([attrStep('foo'), indexStep(0), indexStep('k')])).toBe(
    'cty.Path{cty.GetAttrStep{Name:"foo"}, cty.IndexStep{Key:cty.NumberIntVal(0)}, cty.IndexStep{Key:cty.StringVal("k")}}',
  );
});
