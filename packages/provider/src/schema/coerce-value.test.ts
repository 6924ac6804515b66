import {
  bool,
  CtyError,
  DYNAMIC,
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  formatPath,
  list,
  map,
  mapType,
  NULL,
  nullOf,
  NUMBER,
  number,
  object,
  objectType,
  SENSITIVE_MARKS,
  set,
  str,
  STRING,
  tuple,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { expect, test } from 'vitest';
import { describeValue } from '../go-syntax/describe.ts';
import { coerceValue } from './coerce-value.ts';
import { emptyValue } from './empty-value.ts';
import { impliedType } from './implied-type.ts';
import type { BlockSchema, NestedBlock } from './model.ts';

const inner: BlockSchema = {
  attributes: { n: { type: NUMBER, optional: true } },
  blocks: {},
};
const open: BlockSchema = { attributes: { any: { type: DYNAMIC, optional: true } }, blocks: {} };

const block: BlockSchema = {
  attributes: {
    must: { type: STRING, required: true },
    may: { type: mapType(NUMBER), optional: true },
    made: { type: STRING, computed: true },
  },
  blocks: {
    one: { nesting: 'single', block: inner },
    group: { nesting: 'group', block: inner },
    some: { nesting: 'list', block: inner },
    each: { nesting: 'set', block: inner },
    keyed: { nesting: 'map', block: inner },
    mixed: { nesting: 'list', block: open },
    other: { nesting: 'map', block: open },
  },
};

const N = objectType({ n: NUMBER });
const n = (value: number) => object({ n: number(value) });

const NOTHING = {
  may: nullOf(mapType(NUMBER)),
  made: nullOf(STRING),
  one: nullOf(N),
  group: object({ n: nullOf(NUMBER) }),
  some: list(N, []),
  each: set(N, []),
  keyed: map(N, []),
  mixed: EMPTY_TUPLE_VALUE,
  other: EMPTY_OBJECT_VALUE,
};

function same(got: Value, wanted: Value): void {
  expect(describeValue(got)).toBe(describeValue(wanted));
}

test('absent attributes are null, and blocks are empty', () => {
  const coerced = coerceValue(block, object({ must: str('x') }));
  same(coerced, object({ ...NOTHING, must: str('x') }));
});

test('the empty value has everything null and all blocks empty', () => {
  same(emptyValue(block), object({ ...NOTHING, must: nullOf(STRING) }));
});

test('arguments are converted, at any depth', () => {
  const written = object({
    must: number(12),
    may: object({ a: str('1'), b: number(2) }),
    some: tuple([object({ n: str('3') }), EMPTY_OBJECT_VALUE]),
    each: tuple([n(1), object({ n: str('1') })]),
    keyed: object({ k: n(4) }),
    mixed: tuple([object({ any: str('s') }), object({ any: bool(true) })]),
    other: object({ k: object({ any: number(1) }) }),
  });
  same(
    coerceValue(block, written),
    object({
      ...NOTHING,
      must: str('12'),
      may: map(NUMBER, [
        ['a', number(1)],
        ['b', number(2)],
      ]),
      some: list(N, [n(3), object({ n: nullOf(NUMBER) })]),
      each: set(N, [n(1)]),
      keyed: map(N, [['k', n(4)]]),
      mixed: tuple([object({ any: str('s') }), object({ any: bool(true) })]),
      other: object({ k: object({ any: number(1) }) }),
    }),
  );
});

test('null, unknown and marked values stay so', () => {
  const type = impliedType(block);
  same(coerceValue(block, NULL), nullOf(type));
  same(coerceValue(block, unknownOf(DYNAMIC)), unknownOf(type));
  const secret = str('x').withMarks(SENSITIVE_MARKS);
  const coerced = coerceValue(block, object({ must: secret, some: unknownOf(DYNAMIC) }));
  same(coerced.attr('must'), secret);
  expect(coerced.attr('some').isKnown).toBe(false);
});

test('a conforming value is returned unchanged', () => {
  const coerced = coerceValue(block, object({ must: str('x') }));
  const again = coerceValue(inner, n(1));
  expect(coerceValue(inner, again)).toBe(again);
  same(coerceValue(block, coerced), coerced);
});

test.each<[string, Value, string, string]>([
  ['no object', str('x'), '', 'an object is required'],
  ['an argument too many', object({ must: str('x'), no: NULL }), '', 'unexpected attribute "no"'],
  ['a required one missing', EMPTY_OBJECT_VALUE, '', 'attribute "must" is required'],
  ['a wrong argument', object({ must: EMPTY_TUPLE_VALUE }), '.must', 'string required'],
  [
    'a wrong argument in an argument',
    object({ must: str('x'), may: object({ a: str('x') }) }),
    '.may["a"]',
    'a number is required',
  ],
  [
    'a wrong argument in a block',
    object({ must: str('x'), some: tuple([n(1), object({ n: str('x') })]) }),
    '.some[1].n',
    'a number is required',
  ],
  ['no list of blocks', object({ must: str('x'), some: str('x') }), '', 'must be a list'],
  ['no map of blocks', object({ must: str('x'), keyed: tuple([n(1)]) }), '', 'must be a map'],
])('%s is rejected', (_, written, path, message) => {
  let caught: unknown;
  try {
    coerceValue(block, written);
  } catch (error) {
    caught = error;
  }
  if (!(caught instanceof CtyError)) throw new Error('nothing refused');
  expect([formatPath(caught.path), caught.message]).toEqual([path, message]);
});

test.each<NestedBlock['nesting']>(['list', 'set', 'map'])(
  'null for blocks of nesting %s stays null',
  (nesting) => {
    const outer: BlockSchema = { attributes: {}, blocks: { b: { nesting, block: inner } } };
    expect(coerceValue(outer, object({ b: NULL })).attr('b').isNull).toBe(true);
  },
);
