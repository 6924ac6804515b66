import { DYNAMIC, listType, mapType, NUMBER, objectType, setType, STRING } from '@terrane/cty';
import type { Type } from '@terrane/cty';
import { expect, test } from 'vitest';
import { decodeSpec } from './decode-spec.ts';
import { emptyValue } from './empty-value.ts';
import { attributeType, impliedType } from './implied-type.ts';
import type { BlockSchema, NestedBlock } from './model.ts';

const name: BlockSchema = { attributes: { name: { type: STRING, optional: true } }, blocks: {} };
const open: BlockSchema = { attributes: { any: { type: DYNAMIC, optional: true } }, blocks: {} };

const within = (nesting: NestedBlock['nesting'], block: BlockSchema): BlockSchema => ({
  attributes: {},
  blocks: { inner: { nesting, block } },
});

const NAMED = objectType({ name: STRING });

test.each<[NestedBlock['nesting'], BlockSchema, Type]>([
  ['single', name, NAMED],
  ['group', name, NAMED],
  ['list', name, listType(NAMED)],
  ['set', name, setType(NAMED)],
  ['map', name, mapType(NAMED)],
  ['single', open, objectType({ any: DYNAMIC })],
  // Element types may differ, so the type is unknown until the elements are known.
  ['list', open, DYNAMIC],
  ['map', open, DYNAMIC],
])('blocks of nesting %s have their type', (nesting, block, inner) => {
  expect(impliedType(within(nesting, block))).toBe(objectType({ inner }));
});

test('a type is made once for each schema', () => {
  expect(impliedType(name)).toBe(impliedType(name));
});

test.each<['single' | 'list' | 'set' | 'map', Type]>([
  ['single', NAMED],
  ['list', listType(NAMED)],
  ['set', setType(NAMED)],
  ['map', mapType(NAMED)],
])('nested attributes of nesting %s have their type', (nesting, type) => {
  const nested = { nesting, attributes: name.attributes } as const;
  expect(attributeType({ nested, optional: true })).toBe(type);
});

const SPEC = decodeSpec(name);

test.each<[NestedBlock, object]>([
  [
    { nesting: 'single', block: name, minItems: 1, maxItems: 1 },
    { kind: 'block', required: true },
  ],
  [
    { nesting: 'single', block: name },
    { kind: 'block', required: false },
  ],
  [
    { nesting: 'list', block: name, minItems: 1 },
    { kind: 'blockList', min: 1, max: 0 },
  ],
  [
    { nesting: 'list', block: open, maxItems: 3 },
    { kind: 'blockTuple', min: 0, max: 3 },
  ],
  [
    { nesting: 'set', block: name },
    { kind: 'blockSet', min: 0, max: 0 },
  ],
  [
    { nesting: 'map', block: name },
    { kind: 'blockMap', labelNames: ['key'] },
  ],
  [
    { nesting: 'map', block: open },
    { kind: 'blockObject', labelNames: ['key'] },
  ],
])('%j is decoded as %j', (inner, expected) => {
  const spec = decodeSpec({ attributes: {}, blocks: { inner } });
  if (spec.kind !== 'object') throw new Error('no object');
  const nested = inner.block === name ? SPEC : decodeSpec(open);
  expect(spec.attributes.get('inner')).toEqual({ ...expected, type: 'inner', nested });
});

test('an absent group equals an empty one', () => {
  const spec = decodeSpec(within('group', name));
  if (spec.kind !== 'object') throw new Error('no object');
  expect(spec.attributes.get('inner')).toEqual({
    kind: 'default',
    primary: { kind: 'block', type: 'inner', required: false, nested: SPEC },
    fallback: emptyValue(name),
  });
});

test('optional nested attributes are optional in the configuration type', () => {
  const nested = {
    nesting: 'list',
    attributes: {
      must: { type: STRING, required: true },
      may: { type: NUMBER, optional: true },
      made: { type: NUMBER, computed: true },
    },
  } as const;
  const spec = decodeSpec({ attributes: { a: { nested, required: true } }, blocks: {} });
  if (spec.kind !== 'object') throw new Error('no object');
  const constraint = objectType({ must: STRING, may: NUMBER, made: NUMBER }, ['may', 'made']);
  const type = listType(constraint);
  expect(spec.attributes.get('a')).toEqual({
    kind: 'attr',
    name: 'a',
    type,
    required: true,
    nested: true,
  });
});
