import { indexStep, mapType, NUMBER, type Path, STRING } from '@terrane/cty';
import { parseNative, Source } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import { argumentAt, argumentsIn } from './argument.ts';

const INNER: BlockSchema = {
  attributes: { size: { type: NUMBER, optional: true } },
  blocks: {},
};
const SCHEMA: BlockSchema = {
  attributes: {
    tags: { type: mapType(STRING), optional: true },
    name: { type: STRING, optional: true },
  },
  blocks: {
    one: { nesting: 'single', block: INNER },
    many: { nesting: 'list', block: INNER },
    keyed: { nesting: 'map', block: INNER },
  },
};
const { body } = parseNative(
  new Source(
    'main.tf',
    `
      tags = local.tags
      one {
        size = 1
      }
      many {
        size = 2
      }
      many {
        size = 3
      }
      keyed "k" {
        size = 4
      }
      dynamic "many" {
        for_each = local.each
        content {
          size = 5
        }
      }
    `,
  ),
);
const attr = (name: string): Path[number] => ({ kind: 'attr', name });

describe('the argument at a path', () => {
  it.each<readonly [string, Path, string, number]>([
    ['an attribute', [attr('tags')], 'local.tags', 0],
    ['a part of an attribute', [attr('tags'), indexStep('k')], 'local.tags', 1],
    ['an argument of a single block', [attr('one'), attr('size')], '1', 0],
    ['an argument of a block in a list', [attr('many'), indexStep(1), attr('size')], '3', 0],
    ['an argument of a block with a key', [attr('keyed'), indexStep('k'), attr('size')], '4', 0],
  ])('is found for %s', (_name, path, text, rest) => {
    const found = argumentAt(body, SCHEMA, path, undefined);
    if (found.kind !== 'argument') throw new Error(found.kind);
    expect(found.expression.range.text()).toBe(text);
    expect(found.path).toHaveLength(rest);
  });

  it.each<readonly [string, Path, number]>([
    ['all blocks of a type', [attr('many')], 2],
    ['one block', [attr('many'), indexStep(1)], 1],
    ['all blocks if the position has none', [attr('many'), indexStep(7), attr('size')], 2],
  ])('is %s', (_name, path, count) => {
    const found = argumentAt(body, SCHEMA, path, undefined);
    expect(found.kind === 'blocks' ? found.bodies.length : found.kind).toBe(count);
  });

  it('has the collections of the dynamic blocks of the type', () => {
    const generators = (path: Path) => {
      const found = argumentAt(body, SCHEMA, path, undefined);
      return found.kind === 'nothing' ? [] : found.generators.map(({ range }) => range.text());
    };
    expect(generators([attr('many'), indexStep(0), attr('size')])).toEqual(['local.each']);
    expect(generators([attr('one'), attr('size')])).toEqual([]);
  });

  it.each<readonly [string, Path]>([
    ['an attribute that is not set', [attr('name')]],
    ['an attribute that the schema lacks', [attr('other')]],
  ])('is none for %s', (_name, path) => {
    expect(argumentAt(body, SCHEMA, path, undefined).kind).toBe('nothing');
  });
});

it.each<readonly [string, BlockSchema | undefined, readonly string[]]>([
  ['by its schema', SCHEMA, ['local.tags', '1', '2', '3', '4']],
  ['of a block without schema', undefined, ['1']],
])('lists the arguments of a body %s', (_name, schema, expected) => {
  const inner = argumentAt(body, SCHEMA, [attr('one')], undefined);
  const [only] = inner.kind === 'blocks' ? inner.bodies : [];
  const found = [...argumentsIn(schema === undefined ? (only ?? body) : body, schema)];
  expect(found.map(({ range }) => range.text())).toEqual(expected);
});
