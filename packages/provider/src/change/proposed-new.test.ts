import {
  list,
  map,
  nullOf,
  number,
  NUMBER,
  object,
  objectType,
  set,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { describeValue } from '../go-syntax/describe.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { AttributeSchema, BlockSchema, NestedBlock } from '../schema/model.ts';
import { plannedDataResource, proposedNew } from './proposed-new.ts';

const same = (got: Value, wanted: Value) => {
  expect(describeValue(got)).toBe(describeValue(wanted));
};

const ATTRIBUTES: Readonly<Record<string, AttributeSchema>> = {
  given: { type: STRING, optional: true },
  both: { type: STRING, optional: true, computed: true },
  made: { type: STRING, computed: true },
};
const flat: BlockSchema = { attributes: ATTRIBUTES, blocks: {} };
const FLAT = impliedType(flat);
const none = nullOf(STRING);

/** An object of three texts; undefined: null. */
const o = (configured?: string, both?: string, made?: string) => {
  const text = (t: string | undefined) => (t === undefined ? none : str(t));
  return object({ given: text(configured), both: text(both), made: text(made) });
};

describe('attributes', () => {
  test.each<[string, Value, Value, Value]>([
    ['what is written is taken', o('old', 'old', 'm'), o('new', 'new'), o('new', 'new', 'm')],
    ['what is computed and not written stays', o('g', 'b', 'm'), o('g'), o('g', 'b', 'm')],
    ['what is not computed and not written goes', o('g', 'b', 'm'), o(), o(undefined, 'b', 'm')],
    ['a new object has nothing computed yet', nullOf(FLAT), o('g'), o('g')],
    ['an object that goes is null', o('g'), nullOf(FLAT), o('g')],
  ])('%s', (_, prior, config, expected) => {
    same(proposedNew(flat, prior, config), expected);
  });

  test('null for null is null', () => {
    same(proposedNew(flat, nullOf(FLAT), nullOf(FLAT)), nullOf(FLAT));
  });

  test('unknown configured values are proposed as unknown', () => {
    const config = object({ given: unknownOf(STRING), both: unknownOf(STRING), made: none });
    const expected = object({ given: unknownOf(STRING), both: unknownOf(STRING), made: str('m') });
    same(proposedNew(flat, o('g', 'b', 'm'), config), expected);
  });
});

type Nesting = NestedBlock['nesting'];
const blockOf = (nesting: Nesting): BlockSchema => ({
  attributes: {},
  blocks: { x: { nesting, block: flat } },
});
const nestedOf = (nesting: Exclude<Nesting, 'group'>): BlockSchema => ({
  attributes: { x: { nested: { nesting, attributes: ATTRIBUTES }, optional: true } },
  blocks: {},
});

const l = (...values: Value[]) => list(FLAT, values);
const s = (...values: Value[]) => set(FLAT, values);
const m = (entries: Readonly<Record<string, Value>>) => map(FLAT, Object.entries(entries));

const CASES: [string, Exclude<Nesting, 'group'>, Value, Value, Value][] = [
  ['one is merged', 'single', o('a', 'b', 'm'), o('c'), o('c', 'b', 'm')],
  ['one that is not written any more goes', 'single', o('a'), nullOf(FLAT), nullOf(FLAT)],
  ['one that is new has nothing computed yet', 'single', nullOf(FLAT), o('a'), o('a')],
  [
    'elements of a list are merged by their place',
    'list',
    l(o('a', 'b1', 'm1'), o('b', 'b2', 'm2')),
    l(o('b'), o('a'), o('c')),
    l(o('b', 'b1', 'm1'), o('a', 'b2', 'm2'), o('c')),
  ],
  [
    'a shorter list loses its end',
    'list',
    l(o('a', 'b', 'm'), o('b')),
    l(o('a')),
    l(o('a', 'b', 'm')),
  ],
  ['an empty list is empty', 'list', l(o('a')), l(), l()],
  [
    'a list of unknown length is unknown',
    'list',
    l(o('a')),
    unknownOf(l().type),
    unknownOf(l().type),
  ],
  [
    'elements of a map are merged by their key',
    'map',
    m({ p: o('a', 'b1', 'm1'), q: o('b', 'b2', 'm2') }),
    m({ q: o('b'), r: o('c') }),
    m({ q: o('b', 'b2', 'm2'), r: o('c') }),
  ],
  [
    'elements of a set are merged with those that can have come from the same text',
    'set',
    s(o('a', 'b1', 'm1'), o('b', 'b2', 'm2')),
    s(o('b'), o('c')),
    s(o('b', 'b2', 'm2'), o('c')),
  ],
  [
    'an element of a set that is written otherwise is a new one',
    'set',
    s(o('a', 'b1', 'm1')),
    s(o('a', 'b2')),
    s(o('a', 'b2')),
  ],
  [
    'each element of a set is used once',
    'set',
    s(o('a', 'b1', 'm1')),
    s(o('a'), o('a', 'b1')),
    // Elements are taken in their order within the set.
    s(o('a', 'b1', 'm1'), o('a')),
  ],
];

describe('blocks', () => {
  test.each(CASES)('%s', (_, nesting, prior, config, expected) => {
    const got = proposedNew(blockOf(nesting), object({ x: prior }), object({ x: config }));
    same(got, object({ x: expected }));
  });

  test('a group is merged', () => {
    const got = proposedNew(blockOf('group'), object({ x: o('a', 'b', 'm') }), object({ x: o() }));
    same(got, object({ x: o(undefined, 'b', 'm') }));
  });
});

describe('nested attributes', () => {
  test.each(CASES)('%s', (_, nesting, prior, config, expected) => {
    const got = proposedNew(nestedOf(nesting), object({ x: prior }), object({ x: config }));
    same(got, object({ x: expected }));
  });

  const computed: BlockSchema = {
    attributes: {
      x: {
        nested: { nesting: 'single', attributes: ATTRIBUTES },
        optional: true,
        computed: true,
      },
    },
    blocks: {},
  };

  test('an object that only the provider can have created is kept if it is not configured', () => {
    const config = object({ x: nullOf(FLAT) });
    const prior = object({ x: o(undefined, 'b', 'm') });
    same(proposedNew(computed, prior, config), prior);
  });

  test('an object that was configured is removed with its configuration', () => {
    const config = object({ x: nullOf(FLAT) });
    same(proposedNew(computed, object({ x: o('a', 'b', 'm') }), config), config);
  });
});

test('a set is matched that is too large for a comparison of all pairs', () => {
  const inner: BlockSchema = {
    attributes: { n: { type: NUMBER, required: true } },
    blocks: {},
  };
  const block: BlockSchema = { attributes: {}, blocks: { x: { nesting: 'set', block: inner } } };
  const type = objectType({ n: NUMBER });
  const elements = Array.from({ length: 150_000 }, (_, n) => object({ n: number(n) }));
  const v = object({ x: set(type, elements) });
  expect(proposedNew(block, v, v).rawEquals(v)).toBe(true);
});

test('the attributes of a deferred read are unknown unless configured', () => {
  const got = plannedDataResource(flat, o('g'));
  same(got, object({ given: str('g'), both: unknownOf(STRING), made: unknownOf(STRING) }));
  const listed = plannedDataResource(blockOf('list'), object({ x: l(o('g', 'b')) }));
  const element = object({ given: str('g'), both: str('b'), made: unknownOf(STRING) });
  same(listed, object({ x: l(element) }));
});
