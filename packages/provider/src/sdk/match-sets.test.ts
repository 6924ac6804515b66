import { list, nullOf, object, set, str as string, STRING, type Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { compile } from './compile.ts';
import type { BlockDefinition } from './definition.ts';
import { planObject } from './plan-object.ts';
import { proposedNew } from '../change/proposed-new.ts';

const rule: BlockDefinition = {
  nesting: 'set',
  attributes: {
    id: { type: STRING, computed: true },
    name: { type: STRING, required: true },
    mode: { type: STRING, optional: true, default: string('usual') },
    note: { type: STRING, optional: true },
  },
  blocks: {
    part: {
      nesting: 'list',
      attributes: {
        key: { type: STRING, required: true },
        at: { type: STRING, optional: true, computed: true },
      },
    },
  },
};
const compiled = compile({
  attributes: { arn: { type: STRING, computed: true }, size: { type: STRING, optional: true } },
  blocks: { rule },
});

const text = (value: string | null): Value => (value === null ? nullOf(STRING) : string(value));
type Rule = readonly [id: string | null, name: string, mode: string | null, note?: string | null];
const ruleOf = ([id, name, mode, note = null]: Rule): Value =>
  object({
    id: text(id),
    mode: text(mode),
    name: string(name),
    note: text(note),
    part: list(object({ at: nullOf(STRING), key: string('k') }).type, [
      object({ at: text(id === null ? null : `at ${id}`), key: string('k') }),
    ]),
  });
const objectWith = (
  rules: readonly Rule[],
  arn: string | null = null,
  size: string | null = null,
) =>
  object({
    arn: text(arn),
    rule: set(ruleOf(['', '', '']).type, rules.map(ruleOf)),
    size: text(size),
  });

function plan(prior: Value, config: Value, older: boolean): Value {
  const proposed = proposedNew(compiled.schema.block, prior, config);
  return planObject(compiled.object, prior, proposed, config, older).planned;
}

describe.each([true, false])('elements of sets of blocks (older: %s)', (older) => {
  test('keep their computed values if only defaults and computed values are not configured', () => {
    const prior = objectWith(
      [
        ['1', 'a', 'usual'],
        ['2', 'b', 'other'],
      ],
      'arn',
    );
    const planned = plan(
      prior,
      objectWith([
        [null, 'a', null],
        [null, 'b', 'other'],
      ]),
      older,
    );
    expect(planned.rawEquals(prior)).toBe(true);
  });

  test('are new exactly if their configuration differs', () => {
    const prior = objectWith(
      [
        ['1', 'a', 'usual'],
        ['2', 'b', 'usual'],
      ],
      'arn',
    );
    const planned = plan(
      prior,
      objectWith([
        [null, 'a', null],
        [null, 'c', null],
      ]),
      older,
    );
    const rules = planned.attr('rule').elements();
    const byName = (name: string): Value | undefined =>
      rules.find((each) => each.attr('name').asString() === name);
    expect(byName('a')?.attr('id').asString()).toBe('1');
    expect(byName('c')?.attr('id').isKnown).toBe(false);
    expect(byName('c')?.attr('part').elements()[0]?.attr('at').isKnown).toBe(false);
  });

  test('are each the counterpart of one', () => {
    const prior = objectWith([['1', 'a', 'usual']], 'arn');
    const planned = plan(
      prior,
      objectWith([
        [null, 'a', null],
        [null, 'a', 'other'],
      ]),
      older,
    );
    const ids = planned
      .attr('rule')
      .elements()
      .map((each) => each.attr('id').isKnown);
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]);
  });
});

test('empty equals null with the older type system only', () => {
  const prior = objectWith([['1', 'a', 'usual', '']], 'arn');
  const config = objectWith([[null, 'a', null]]);
  expect(plan(prior, config, true).rawEquals(prior)).toBe(true);
  expect(plan(prior, config, false).rawEquals(prior)).toBe(false);
});

test('null in blocks stays null when something else changes, with the older type system', () => {
  const parts = compile({
    attributes: { size: { type: STRING, optional: true } },
    blocks: {
      part: {
        nesting: 'list',
        attributes: { at: { type: STRING, optional: true, computed: true } },
      },
    },
  });
  const of = (size: string, count: number): Value => {
    const part = object({ at: nullOf(STRING) });
    return object({ part: list(part.type, Array<Value>(count).fill(part)), size: string(size) });
  };
  const [prior, config] = [of('1', 1), of('2', 2)];
  const proposed = proposedNew(parts.schema.block, prior, config);
  const planned = planObject(parts.object, prior, proposed, config, true).planned;
  expect(
    planned
      .attr('part')
      .elements()
      .map((each) => each.attr('at').isKnown),
  ).toEqual([true, false]);
});
