import {
  bool,
  BOOL,
  list,
  NUMBER,
  nullOf,
  number,
  object,
  str,
  STRING,
  type Value,
} from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { proposedNew } from '../change/proposed-new.ts';
import { compile } from './compile.ts';
import { planObject } from './plan-object.ts';

const attributes = {
  name: { type: STRING, optional: true },
  on: { type: BOOL, optional: true },
  size: { type: NUMBER, optional: true },
};
const compiled = compile({
  attributes,
  blocks: { part: { nesting: 'list', attributes } },
});
const EMPTY = object({ name: str(''), on: bool(false), size: number(0) });
const NOTHING = object({ name: nullOf(STRING), on: nullOf(BOOL), size: nullOf(NUMBER) });
const FULL = object({ name: str('a'), on: bool(true), size: number(1) });
const withParts = (outer: Value, ...parts: readonly Value[]): Value => {
  const of = (name: string): readonly [string, Value] => [name, outer.attr(name)];
  const part = list(EMPTY.type, parts);
  return object({ ...Object.fromEntries(['name', 'on', 'size'].map(of)), part });
};

function plan(prior: Value, config: Value, older: boolean): Value {
  const proposed = proposedNew(compiled.schema.block, prior, config);
  return planObject(compiled.object, prior, proposed, config, older).planned;
}

describe('with the older type system, null', () => {
  test.each([
    ['is no change of what is empty', EMPTY, NOTHING],
    ['is not changed by what is empty', NOTHING, EMPTY],
  ])('%s, in blocks neither', (_, stored, written) => {
    const [prior, config] = [withParts(stored, stored, FULL), withParts(written, written, FULL)];
    expect(plan(prior, config, true).rawEquals(prior)).toBe(true);
    expect(plan(prior, config, false).rawEquals(config)).toBe(true);
  });

  test('is a change from a non-empty value', () => {
    const [prior, config] = [withParts(FULL, FULL), withParts(NOTHING, EMPTY)];
    expect(plan(prior, config, true).rawEquals(config)).toBe(true);
  });
});
