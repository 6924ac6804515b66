import { list, map, nullOf, object, set, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { impliedType } from '../schema/implied-type.ts';
import type { AttributeSchema, BlockSchema, NestedBlock } from '../schema/model.ts';
import { formatContractError } from './contract-error.ts';
import { assertPlanValid } from './plan-valid.ts';

const problems = (b: BlockSchema, prior: Value, config: Value, planned: Value) =>
  assertPlanValid(b, prior, config, planned).map((error) => formatContractError(error));

const none = nullOf(STRING);
const U = unknownOf(STRING);

/** Checks one argument `a`. */
function argument(schema: AttributeSchema, prior: Value, config: Value, planned: Value): string[] {
  const block: BlockSchema = { attributes: { a: schema }, blocks: {} };
  return problems(block, object({ a: prior }), object({ a: config }), object({ a: planned }));
}

const optional: AttributeSchema = { type: STRING, optional: true };
const computed: AttributeSchema = { type: STRING, computed: true };
const both: AttributeSchema = { type: STRING, optional: true, computed: true };
const secret: AttributeSchema = { type: STRING, optional: true, sensitive: true };
const writeOnly: AttributeSchema = { type: STRING, optional: true, writeOnly: true };

describe('arguments', () => {
  test.each<[string, AttributeSchema, Value, Value, Value]>([
    ['as written', optional, none, str('a'), str('a')],
    ['as before, for what now means the same', optional, str('A'), str('a'), str('A')],
    ['anything where it is computed', computed, none, none, str('x')],
    ['unknown where it is computed', computed, str('a'), none, U],
    ['anything where it is computed and not written', both, str('a'), none, U],
    ['unknown for unknown', optional, none, U, U],
    ['null for what is only written', writeOnly, none, str('a'), none],
  ])('may be %s', (_, schema, prior, config, planned) => {
    expect(argument(schema, prior, config, planned)).toEqual([]);
  });

  test.each<[AttributeSchema, Value, Value, Value, string]>([
    [
      optional,
      none,
      str('a'),
      str('b'),
      'planned value cty.StringVal("b") does not match config value cty.StringVal("a")',
    ],
    [
      optional,
      str('c'),
      str('a'),
      str('b'),
      'planned value cty.StringVal("b") does not match config value cty.StringVal("a") nor prior value cty.StringVal("c")',
    ],
    [
      optional,
      none,
      none,
      str('b'),
      'planned value cty.StringVal("b") for a non-computed attribute',
    ],
    [
      both,
      none,
      str('a'),
      U,
      'planned value cty.UnknownVal(cty.String) does not match config value cty.StringVal("a")',
    ],
    [secret, none, none, str('b'), 'sensitive planned value for a non-computed attribute'],
    [secret, none, str('a'), str('b'), 'sensitive planned value does not match config value'],
    [
      secret,
      str('c'),
      str('a'),
      str('b'),
      'sensitive planned value does not match config value nor prior value',
    ],
    [writeOnly, none, str('a'), str('b'), 'planned value for write-only attribute is not null'],
  ])('%#: other plans are rejected', (schema, prior, config, planned, message) => {
    expect(argument(schema, prior, config, planned)).toEqual([`.a: ${message}`]);
  });
});

const ATTRIBUTES: Readonly<Record<string, AttributeSchema>> = { a: optional, c: computed };
const inner: BlockSchema = { attributes: ATTRIBUTES, blocks: {} };
const I = impliedType(inner);
const i = (a: string | Value, c: Value = none) =>
  object({ a: typeof a === 'string' ? str(a) : a, c });
const l = (...values: Value[]) => list(I, values);
const s = (...values: Value[]) => set(I, values);
const m = (entries: Readonly<Record<string, Value>>) => map(I, Object.entries(entries));

const MISMATCH = 'planned value cty.StringVal("y") does not match config value cty.StringVal("x")';

describe('blocks', () => {
  test.each<[NestedBlock['nesting'], Value, Value, Value, string[]]>([
    ['single', nullOf(I), i('x'), i('x', U), []],
    ['single', nullOf(I), i('x'), i('y'), [`.x.a: ${MISMATCH}`]],
    [
      'single',
      nullOf(I),
      i('x'),
      nullOf(I),
      ['.x: planned for absence but config wants existence'],
    ],
    [
      'single',
      nullOf(I),
      nullOf(I),
      i('x'),
      ['.x: planned for existence but config wants absence'],
    ],
    [
      'single',
      nullOf(I),
      i('x'),
      unknownOf(I),
      [
        '.x: attribute representing nested block must not be unknown itself; set nested attribute values to unknown instead',
      ],
    ],
    ['list', l(), l(i('x')), l(i('x', U)), []],
    ['list', l(), l(i('x')), l(i('y')), [`.x[0].a: ${MISMATCH}`]],
    [
      'list',
      l(),
      l(i('x')),
      l(),
      ['.x: block count in plan (0) disagrees with count in config (1)'],
    ],
    [
      'list',
      l(),
      l(i('x')),
      nullOf(l().type),
      [
        '.x: attribute representing a list of nested blocks must be empty to indicate no blocks, not null',
      ],
    ],
    [
      'list',
      l(),
      l(i('x')),
      l(unknownOf(I)),
      [
        '.x[0]: element representing nested block must not be unknown itself; set nested attribute values to unknown instead',
      ],
    ],
    [
      'list',
      l(),
      unknownOf(l().type),
      l(),
      [
        '.x: planned value cty.ListValEmpty(cty.Object(map[string]cty.Type{"a":cty.String, "c":cty.String})) for unknown dynamic block',
      ],
    ],
    ['list', l(), unknownOf(l().type), unknownOf(l().type), []],
    ['map', m({}), m({ k: i('x') }), m({ k: i('x', U) }), []],
    ['map', m({}), m({ k: i('x') }), m({ k: i('y') }), [`.x["k"].a: ${MISMATCH}`]],
    [
      'map',
      m({}),
      m({ k: i('x') }),
      m({ q: i('x') }),
      [
        '.x["q"]: block key "q" from plan is not present in config',
        '.x: block key "k" from config is not present in plan',
      ],
    ],
    // Elements of sets have no identity to compare them by.
    ['set', s(), s(i('x')), s(i('y')), []],
  ])('%#: blocks of nesting %s', (nesting, prior, config, planned, expected) => {
    const block: BlockSchema = { attributes: {}, blocks: { x: { nesting, block: inner } } };
    const [p, c, v] = [object({ x: prior }), object({ x: config }), object({ x: planned })];
    expect(problems(block, p, c, v)).toEqual(expected);
  });
});

describe('nested attributes', () => {
  test.each<['single' | 'list' | 'set' | 'map', Value, Value, string[]]>([
    ['single', i('x'), i('x', U), []],
    ['single', i('x'), i('y'), [`.x.a: ${MISMATCH}`]],
    ['single', i('x'), unknownOf(I), ['.x: planned unknown for configured value']],
    ['single', i('x'), nullOf(I), ['.x: planned for absence but config wants existence']],
    ['list', l(i('x')), l(i('y')), [`.x[0].a: ${MISMATCH}`]],
    [
      'list',
      l(i('x')),
      l(),
      [
        '.x: count in plan (cty.NumberIntVal(0)) disagrees with count in config (cty.NumberIntVal(1))',
      ],
    ],
    ['map', m({ k: i('x') }), m({ k: i('y') }), [`.x.k.a: ${MISMATCH}`]],
    [
      'map',
      m({ k: i('x') }),
      m({ q: i('x') }),
      [
        '.x: map key "q" from plan is not present in config',
        '.x: map key "k" from config is not present in plan',
      ],
    ],
    ['set', s(i('x')), s(i('y')), []],
    [
      'set',
      s(i('x')),
      s(i('x'), i('y')),
      [
        '.x: count in plan (cty.NumberIntVal(2)) disagrees with count in config (cty.NumberIntVal(1))',
      ],
    ],
  ])('%#: of nesting %s', (nesting, config, planned, expected) => {
    const x: AttributeSchema = { nested: { nesting, attributes: ATTRIBUTES }, optional: true };
    const block: BlockSchema = { attributes: { x }, blocks: {} };
    const prior = object({ x: nullOf(config.type) });
    expect(problems(block, prior, object({ x: config }), object({ x: planned }))).toEqual(expected);
  });
});

test('an object must exist exactly if it is configured', () => {
  const v = i('x');
  const nothing = nullOf(I);
  expect(problems(inner, nothing, v, nothing)).toEqual([
    'planned for absence but config wants existence',
  ]);
  expect(problems(inner, nothing, nothing, v)).toEqual([
    'planned for existence but config wants absence',
  ]);
  expect(problems(inner, v, nothing, nothing)).toEqual([]);
});
