import {
  list,
  map,
  nullOf,
  number,
  NUMBER,
  object,
  str,
  STRING,
  UNKNOWN,
  unknownOf,
  mapType,
  type Value,
} from '@terrane/cty';
import { parseTraversal, Source, type Traversal } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import { ignoreChanges } from './ignore-changes.ts';

const SCHEMA: BlockSchema = {
  attributes: {
    id: { type: STRING, computed: true },
    name: { type: STRING, optional: true },
    tags: { type: mapType(STRING), optional: true },
    items: { type: STRING, optional: true },
  },
  blocks: {},
};

function traversal(text: string): Traversal {
  const { traversal: parsed } = parseTraversal(new Source('main.tf', text));
  if (parsed === undefined) throw new Error(text);
  return parsed;
}

const ignoring = (...texts: string[]) => ({
  ignoreChanges: texts.map(traversal),
  ignoreAllChanges: false,
});
const tags = (entries: Readonly<Record<string, string>>): Value =>
  map(STRING, new Map(Object.entries(entries).map(([key, text]) => [key, str(text)])));
const thing = (
  name: Value,
  tagged: Value = nullOf(mapType(STRING)),
  items: readonly number[] = [1, 2],
): Value =>
  object(
    new Map([
      ['id', str('1')],
      [
        'items',
        list(
          NUMBER,
          items.map((n) => number(n)),
        ),
      ],
      ['name', name],
      ['tags', tagged],
    ]),
  );

describe('ignoring changes', () => {
  it('restores the named attributes, and nothing else', () => {
    const prior = thing(str('old'), tags({ a: '1' }));
    const config = thing(str('new'), tags({ a: '2' }));
    const result = ignoreChanges(ignoring('name'), prior, config, SCHEMA);
    expect(result.rawEquals(thing(str('old'), tags({ a: '2' })))).toBe(true);
  });

  it('returns the configuration itself if no ignored attribute differs', () => {
    const config = thing(str('same'));
    expect(ignoreChanges(ignoring('name'), thing(str('same')), config, SCHEMA)).toBe(config);
    expect(ignoreChanges(ignoring(), thing(str('old')), config, SCHEMA)).toBe(config);
  });

  it('ignores nothing of a new object', () => {
    const config = thing(str('new'));
    expect(ignoreChanges(ignoring('name'), nullOf(config.type), config, SCHEMA)).toBe(config);
    expect(
      ignoreChanges(
        { ignoreChanges: [], ignoreAllChanges: true },
        nullOf(config.type),
        config,
        SCHEMA,
      ),
    ).toBe(config);
  });

  it('puts marks back too', () => {
    const secret = str('old').mark('sensitive');
    const result = ignoreChanges(ignoring('name'), thing(secret), thing(str('new')), SCHEMA);
    expect(result.attr('name').rawEquals(secret)).toBe(true);
    const opened = ignoreChanges(
      ignoring('name'),
      thing(str('old')),
      thing(str('new').mark('sensitive')),
      SCHEMA,
    );
    expect(opened.attr('name').rawEquals(str('old'))).toBe(true);
  });

  it.each<[string, Value, Value, Value]>([
    ['is changed', tags({ a: '1', b: '1' }), tags({ a: '2', b: '2' }), tags({ a: '1', b: '2' })],
    ['is added', tags({ b: '1' }), tags({ a: '2', b: '2' }), tags({ b: '2' })],
    ['is taken away', tags({ a: '1', b: '1' }), tags({ b: '2' }), tags({ a: '1', b: '2' })],
    [
      'was in a map that is gone',
      tags({ a: '1', b: '1' }),
      nullOf(mapType(STRING)),
      tags({ a: '1' }),
    ],
    [
      'is in a map that is not known',
      tags({ a: '1' }),
      unknownOf(mapType(STRING)),
      unknownOf(mapType(STRING)),
    ],
    ['was nowhere', nullOf(mapType(STRING)), tags({ a: '1' }), tags({})],
  ])('puts back one key of a map that %s', (_what, before, after, expected) => {
    const result = ignoreChanges(
      ignoring('tags["a"]'),
      thing(str('n'), before),
      thing(str('n'), after),
      SCHEMA,
    );
    expect(result.attr('tags').rawEquals(expected)).toBe(true);
  });

  it('puts back several keys of one map', () => {
    const result = ignoreChanges(
      ignoring('tags["a"]', 'tags["b"]'),
      thing(str('n'), tags({ a: '1', b: '1', c: '1' })),
      thing(str('n'), tags({ a: '2', c: '2' })),
      SCHEMA,
    );
    expect(result.attr('tags').rawEquals(tags({ a: '1', b: '1', c: '2' }))).toBe(true);
  });

  it('puts back an element of a list', () => {
    const none = nullOf(mapType(STRING));
    const result = ignoreChanges(
      ignoring('items[0]'),
      thing(str('n'), none, [1, 2]),
      thing(str('n'), none, [7, 8]),
      SCHEMA,
    );
    expect(result.rawEquals(thing(str('n'), none, [1, 8]))).toBe(true);
  });

  it('passes over paths that are not there', () => {
    const config = thing(str('new'));
    expect(ignoreChanges(ignoring('nothing', 'items[9]'), thing(str('old')), config, SCHEMA)).toBe(
      config,
    );
  });

  it('of everything leaves a configuration without computed values', () => {
    const all = { ignoreChanges: [], ignoreAllChanges: true };
    const result = ignoreChanges(all, thing(str('old')), thing(UNKNOWN), SCHEMA);
    expect(result.attr('name').asString()).toBe('old');
    expect(result.attr('id').isNull).toBe(true);
    // The planned value of a legacy provider is restored unchanged.
    expect(
      ignoreChanges(all, thing(str('old')), thing(str('new')), undefined)
        .attr('id')
        .asString(),
    ).toBe('1');
  });
});
