// Results of the comparison with the published schemas, for constructed schemas.
import { listType, objectType, setType, STRING } from '@terrane/cty';
import type { BlockSchema } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from './compare-schemas.ts';
import type { PublishedPart, PublishedShape } from './published-schema.ts';

function part(name: string, shape: PublishedShape, flags: Partial<PublishedPart>): PublishedPart {
  return { required: false, optional: false, computed: false, ...flags, name, shape };
}

const text = { kind: 'value', type: 'string' } as const;
const inside = [part('name', text, { required: true })];
const published: readonly PublishedPart[] = [
  part('arn', text, { computed: true }),
  part('groups', { kind: 'value', type: 'set(string)' }, { optional: true, computed: true }),
  part(
    'rule',
    { kind: 'objects', form: 'block', nesting: 'list', maxItems: 1, parts: inside },
    { required: true },
  ),
  part(
    'settings',
    { kind: 'objects', form: 'either', nesting: 'single', parts: inside },
    { optional: true },
  ),
  part(
    'devices',
    { kind: 'objects', form: 'attribute', nesting: 'set', parts: inside },
    { computed: true },
  ),
];

const block = { attributes: { name: { type: STRING, required: true } }, blocks: {} };
const DEVICES = setType(objectType({ name: STRING }));
const ours: BlockSchema = {
  attributes: {
    arn: { type: STRING, computed: true },
    groups: { type: setType(STRING), optional: true, computed: true },
    devices: { type: DEVICES, computed: true },
  },
  blocks: {
    rule: { nesting: 'list', minItems: 1, maxItems: 1, block },
    settings: { nesting: 'single', block },
  },
};

const differences = (changed: Partial<BlockSchema>): readonly string[] =>
  compareSchemas(
    {
      attributes: { ...ours.attributes, ...changed.attributes },
      blocks: { ...ours.blocks, ...changed.blocks },
    },
    published,
    'thing',
  );

describe('the comparison with published schemas', () => {
  it('finds nothing where nothing differs', () => {
    expect(differences({})).toEqual([]);
  });

  it('takes a single object as a block and as a nested argument', () => {
    const { attributes } = block;
    const nested = { nested: { nesting: 'single', attributes }, optional: true } as const;
    const { rule } = ours.blocks;
    expect(rule).toBeDefined();
    const blocks = rule === undefined ? {} : { rule };
    const other = { attributes: { ...ours.attributes, settings: nested }, blocks };
    expect(compareSchemas(other, published, 'thing')).toEqual([]);
  });

  it.each<[string, Partial<BlockSchema>, string]>([
    [
      'an argument that is not published',
      { attributes: { more: { type: STRING, optional: true } } },
      'thing.more is not published',
    ],
    [
      'what may be written and is only computed',
      { attributes: { arn: { type: STRING, optional: true, computed: true } } },
      'thing.arn is optional and computed and published as computed',
    ],
    [
      'another type',
      { attributes: { groups: { type: listType(STRING), optional: true, computed: true } } },
      'thing.groups is list(string) and published as set(string)',
    ],
    [
      'another part of an object',
      { attributes: { devices: { type: setType(objectType({ id: STRING })), computed: true } } },
      'thing.devices.id is not published',
    ],
    [
      'another nesting',
      { blocks: { rule: { nesting: 'set', minItems: 1, maxItems: 1, block } } },
      'thing.rule is set and published as list',
    ],
    [
      'a block that need not be there',
      { blocks: { rule: { nesting: 'list', maxItems: 1, block } } },
      'thing.rule is optional and published as required',
    ],
    [
      'a block that may be there several times',
      { blocks: { rule: { nesting: 'list', minItems: 1, block } } },
      'thing.rule is several and published as at most one',
    ],
    [
      'what is missing in a block',
      { blocks: { settings: { nesting: 'single', block: { attributes: {}, blocks: {} } } } },
      'thing.settings.name is missing',
    ],
  ])('finds %s', (_, changed, difference) => {
    expect(differences(changed)).toContain(difference);
  });

  it('finds a block in place of an argument', () => {
    const { arn, ...attributes } = ours.attributes;
    expect(arn).toBeDefined();
    const blocks = { ...ours.blocks, arn: { nesting: 'list', block } } as const;
    expect(compareSchemas({ attributes, blocks }, published, 'thing')).toEqual([
      'thing.arn is a block and published as string',
    ]);
  });

  it('finds an argument in place of a block', () => {
    const { settings } = ours.blocks;
    const blocks = settings === undefined ? {} : { settings };
    const rule = { type: listType(STRING), required: true };
    const other = { attributes: { ...ours.attributes, rule }, blocks };
    expect(compareSchemas(other, published, 'thing')).toEqual([
      'thing.rule is an argument and published as a block',
    ]);
  });
});
