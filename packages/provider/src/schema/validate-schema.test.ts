import { DYNAMIC, STRING } from '@terrane/cty';
import { expect, test } from 'vitest';
import type { AttributeSchema, BlockSchema, NestedBlock } from './model.ts';
import { validateSchema } from './validate-schema.ts';

const empty: BlockSchema = { attributes: {}, blocks: {} };
const problems = (block: BlockSchema) => validateSchema({ version: 0, block });

test('a sound schema has no problems', () => {
  const block: BlockSchema = {
    attributes: {
      a: { type: STRING, optional: true, computed: true },
      b: { type: DYNAMIC, required: true },
    },
    blocks: {
      c: { nesting: 'single', block: empty, minItems: 1, maxItems: 1 },
      d: { nesting: 'set', block: empty, minItems: 1 },
    },
  };
  expect(problems(block)).toEqual([]);
});

test.each<[AttributeSchema, string]>([
  [{ type: STRING }, 'a: must set Optional, Required or Computed'],
  [{ type: STRING, optional: true, required: true }, 'a: cannot set both Optional and Required'],
  [{ type: STRING, computed: true, required: true }, 'a: cannot set both Computed and Required'],
  [{ optional: true }, 'a: either Type or NestedType must be defined'],
  [
    { type: STRING, nested: { nesting: 'single', attributes: {} }, optional: true },
    'a: Type and NestedType cannot both be set',
  ],
  [
    {
      nested: { nesting: 'set', attributes: { x: { type: DYNAMIC, optional: true } } },
      optional: true,
    },
    'a: NestingSet attributes may not contain attributes of cty.DynamicPseudoType',
  ],
  [
    {
      nested: {
        nesting: 'set',
        attributes: { x: { type: STRING, optional: true, writeOnly: true } },
      },
      optional: true,
    },
    'a: NestingSet attributes may not contain WriteOnly attributes',
  ],
])('the argument %j is rejected', (a, message) => {
  expect(problems({ attributes: { a }, blocks: {} })).toEqual([message]);
});

const open: BlockSchema = { attributes: { x: { type: DYNAMIC, optional: true } }, blocks: {} };

test.each<[NestedBlock, string[]]>([
  [
    { nesting: 'single', block: empty, minItems: 1 },
    ['b: MinItems and MaxItems must match in NestingSingle mode'],
  ],
  [
    { nesting: 'single', block: empty, minItems: 2, maxItems: 2 },
    ['b: MinItems and MaxItems must be set to either 0 or 1 in NestingSingle mode'],
  ],
  [
    { nesting: 'group', block: empty, maxItems: 1 },
    ['b: MinItems and MaxItems cannot be used in NestingGroup mode'],
  ],
  [
    { nesting: 'list', block: empty, minItems: 3, maxItems: 2 },
    ['b: MinItems must be less than or equal to MaxItems in NestingList mode'],
  ],
  [
    { nesting: 'set', block: open },
    ['b: NestingSet blocks may not contain attributes of cty.DynamicPseudoType'],
  ],
  [
    { nesting: 'map', block: empty, maxItems: 1 },
    ['b: MinItems and MaxItems must both be 0 in NestingMap mode'],
  ],
  [
    { nesting: 'list', block: empty, minItems: -1 },
    ['b: MinItems and MaxItems must both be greater than zero'],
  ],
])('the block %j is rejected', (b, messages) => {
  expect(problems({ attributes: {}, blocks: { b } })).toEqual(messages);
});

test('names of blocks are checked, and problems inside are named with their place', () => {
  const block: BlockSchema = {
    attributes: { both: { type: STRING, optional: true } },
    blocks: {
      both: { nesting: 'list', block: empty },
      Big: { nesting: 'list', block: { attributes: { a: { type: STRING } }, blocks: {} } },
    },
  };
  expect(problems(block)).toEqual([
    'both: name defined as both attribute and child block type',
    'Big: name may contain only lowercase letters, digits and underscores',
    'Big.a: must set Optional, Required or Computed',
  ]);
});
