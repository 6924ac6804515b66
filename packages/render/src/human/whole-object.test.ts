import {
  BOOL,
  DYNAMIC,
  FALSE,
  list,
  listType,
  map,
  mapType,
  nullOf,
  NUMBER,
  number,
  object,
  STRING,
  str,
  type Value,
  unknownOf,
} from '@terrane/cty';
import type { PlannedChange } from '@terrane/engine';
import type { BlockSchema } from '@terrane/provider';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readPlan, type RecordedPlan } from '../fixtures/read-plan.ts';
import { recordedPlans, withoutConfiguration } from '../fixtures/recorded.ts';
import { blockDiff } from '../diff/block-diff.ts';
import { draw } from './draw.ts';
import { topOptions } from './options.ts';
import { paletteOf } from './palette.ts';
import { changeDiff, changeOf, schemaBlock } from './plan-diffs.ts';
import { WholeObjects } from './whole-object.ts';

const shapes = JSON.parse(
  readFileSync(new URL('../fixtures/shapes.json', import.meta.url), 'utf8'),
) as readonly Pick<RecordedPlan, 'mode' | 'json' | 'schemas' | 'text'>[];

describe('an object drawn as a whole is equal to its drawn diff', () => {
  test.each([false, true])('in recorded plans, colored: %s', (color) => {
    const palette = paletteOf({ color });
    const whole = new WholeObjects(palette);
    let count = 0;
    for (const record of [...recordedPlans().map(([, plan]) => plan), ...shapes]) {
      const plan = readPlan(record, withoutConfiguration());
      for (const change of plan.changes) {
        const text = whole.draw(change, schemaBlock(plan, change));
        if (text === undefined) continue;
        expect(text).toBe(draw(changeDiff(plan, change).diff, 0, topOptions(palette)));
        count++;
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  const nested: BlockSchema = {
    attributes: { port: { type: NUMBER, optional: true } },
    blocks: {},
  };
  const legacy: BlockSchema = {
    attributes: {
      id: { type: STRING, computed: true },
      name: { type: STRING, optional: true },
      port: { type: NUMBER, optional: true },
      tags: { type: mapType(STRING), optional: true },
      'odd name': { type: BOOL, optional: true },
    },
    blocks: { rule: { nesting: 'list', block: nested } },
  };
  const modern: BlockSchema = {
    ...legacy,
    attributes: { ...legacy.attributes, input: { type: DYNAMIC, optional: true } },
  };
  const rule = object({ port: number(1) }).type;
  const rules = listType(rule);
  const parts = {
    id: unknownOf(STRING),
    name: str('a'),
    port: nullOf(NUMBER),
    tags: nullOf(mapType(STRING)),
    'odd name': nullOf(BOOL),
    rule: nullOf(rules),
    input: nullOf(DYNAMIC),
  };

  const drawn = (
    block: BlockSchema,
    value: Value,
    action: 'create' | 'delete',
  ): readonly [string | undefined, string] => {
    const none = nullOf(value.type);
    const before = action === 'create' ? none : value;
    const after = action === 'create' ? value : none;
    const palette = paletteOf({ color: false });
    const change = { action, before, after, requiredReplace: [] } as unknown as PlannedChange;
    const diff = blockDiff(changeOf(before, after, {}), block);
    return [
      new WholeObjects(palette).draw(change, block),
      draw(diff, 0, topOptions(palette)),
    ] as const;
  };

  test.each<[string, Partial<Record<keyof typeof parts, Value>>]>([
    ['a text', {}],
    ['a number and a bool', { port: number(1.5), 'odd name': FALSE }],
    ['a quoted text', { name: str('a "b" ${c} \t ü') }],
    ['lines', { name: str('a\nb\n') }],
    ['JSON', { name: str('{"a":[1,null]}') }],
    ['a bracket', { name: str('[a') }],
    ['a map', { tags: map(STRING, [['a', str('b')]]) }],
    ['an unknown element', { tags: map(STRING, [['a', unknownOf(STRING)]]) }],
    ['no blocks', { rule: list(rule, []) }],
    ['a value of any type', { input: number(2) }],
    ['an object of any type', { input: object({ a: nullOf(STRING), b: str('') }) }],
  ])('%s', (_, changed) => {
    const value = object({ ...parts, ...changed });
    for (const block of [legacy, modern]) {
      const [text, expected] = drawn(block, value, 'create');
      expect(text).toBe(expected);
      const known = object({ ...parts, ...changed, id: str('x') });
      if (!known.isWhollyKnown()) continue;
      const [deletion, expectedDeletion] = drawn(block, known, 'delete');
      expect(deletion).toBe(expectedDeletion);
    }
  });

  test('an empty text is null to a legacy provider only', () => {
    const value = object({ ...parts, name: str('') });
    expect(drawn(legacy, value, 'create')[0]).toBeUndefined();
    const [text, expected] = drawn(modern, value, 'create');
    expect(text).toBe(expected);
  });

  test.each<[string, BlockSchema, Value]>([
    ['a block', legacy, object({ ...parts, rule: list(rule, [object({ port: number(1) })]) })],
    ['unknown blocks', legacy, object({ ...parts, rule: unknownOf(rules) })],
    ['a sensitive value', legacy, object({ ...parts, name: str('a').mark('sensitive') })],
    [
      'a sensitive attribute',
      { ...legacy, attributes: { ...legacy.attributes, port: { type: NUMBER, sensitive: true } } },
      object(parts),
    ],
    [
      'a write-only attribute',
      { ...legacy, attributes: { ...legacy.attributes, port: { type: NUMBER, writeOnly: true } } },
      object(parts),
    ],
    ['no attributes', { attributes: {}, blocks: {} }, object({})],
  ])('except for %s', (_, block, value) => {
    expect(drawn(block, value, 'create')[0]).toBeUndefined();
  });
});
