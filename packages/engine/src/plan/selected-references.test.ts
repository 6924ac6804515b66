import { referenceText } from '@terrane/addresses';
import { NUMBER, number, str, STRING } from '@terrane/cty';
import { parseNative, Source, type TraversalStep } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import { selectReferences } from './selected-references.ts';

const INNER: BlockSchema = {
  attributes: { size: { type: NUMBER, optional: true }, name: { type: STRING, optional: true } },
  blocks: {},
};
const SCHEMA: BlockSchema = {
  attributes: { name: { type: STRING, optional: true }, other: { type: STRING, optional: true } },
  blocks: { one: { nesting: 'single', block: INNER }, many: { nesting: 'list', block: INNER } },
};
const { body } = parseNative(
  new Source(
    'main.tf',
    `
      name  = "\${local.name}\${a.b.c[0]}"
      other = local.other
      one {
        size = local.size
        name = local.inner
      }
      many {
        size = local.first
      }
      dynamic "many" {
        for_each = local.each
        content {
          size = many.value
          name = local.last
        }
      }
    `,
  ),
);
const range = body.missingItemRange;
const attr = (name: string): TraversalStep => ({ kind: 'attr', name, range });
const index = (key: string | number): TraversalStep => ({
  kind: 'index',
  key: typeof key === 'number' ? number(key) : str(key),
  range,
});

const ALL = ['a.b.c[0]', 'local.each', 'local.first', 'local.inner', 'local.last'].concat(
  'local.name',
  'local.other',
  'local.size',
);

describe('the references in the part of a body that a traversal selects', () => {
  it.each<[string, readonly TraversalStep[], readonly string[]]>([
    ['nothing said: all', [], ALL],
    ['an argument', [attr('name')], ['a.b.c[0]', 'local.name']],
    ['an argument and more', [attr('other'), attr('x'), index(1)], ['local.other']],
    ['an argument by index', [index('other')], ['local.other']],
    ['a single block', [attr('one')], ['local.inner', 'local.size']],
    ['an argument of a single block', [attr('one'), attr('size')], ['local.size']],
    ['blocks that there may be several of: no less than all', [attr('many')], ALL],
    ['one of several blocks: nothing', [attr('many'), index(0), attr('size')], []],
    ['what there is not', [attr('absent')], []],
    ['a step by number into the resource', [index(0)], []],
  ])('%s', (_, steps, expected) => {
    const selected = selectReferences(body, SCHEMA, steps).map(referenceText);
    expect([...new Set(selected)].sort()).toEqual(expected);
  });
});
