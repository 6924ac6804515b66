import { describe, expect, it } from 'vitest';
import { explainerOf, outline, ROOT, SampleProject } from './fixtures/sample-explainer.ts';

const MAIN = `
variable "keys" {
  type    = set(string)
  default = ["a", "b"]
}
variable "on" {
  type    = bool
  default = true
}
locals {
  map  = { a = 1, b = 2 }
  more = { c = 3 }
  one  = "a"
}
`;

/** The causes of a key of a local value, or of its absence. */
async function member(expression: string, key: string, present: boolean) {
  const { tracer, local } = await explainerOf(
    new SampleProject(`${MAIN}locals {\n  x = ${expression}\n}\n`),
  );
  return outline(tracer().membership(local('x'), ROOT, key, present));
}

describe('the cause of a key', () => {
  it.each([
    ['the key itself', '{ a = 1, b = 2 }', 'b', 'source b b'],
    ['an element', 'toset(["a", "b"])', 'b', 'source b "b"'],
    ['a reference as element', 'toset([local.one])', 'a', 'local local.one < source "a"'],
    ['a root variable', 'var.keys', 'a', 'variable var.keys'],
    ['a local value', 'local.map', 'a', 'local local.map < source a a'],
    [
      'the argument of merge that has it',
      'merge(local.map, local.more)',
      'c',
      'local local.more < source c c',
    ],
    ['the argument of keys', 'toset(keys(local.map))', 'b', 'local local.map < source b b'],
    ['the condition that selects it', 'var.on ? local.map : {}', 'a', 'variable var.on'],
    [
      'the arm if both have it',
      'var.on ? local.map : { a = 0 }',
      'a',
      'local local.map < source a a',
    ],
  ])('is %s', async (_name, expression, key, expected) => {
    expect(await member(expression, key, true)).toBe(expected);
  });
});

describe('the cause of the absence of a key', () => {
  it.each([
    ['the constructor', '{ a = 1 }', 'z', 'source { a = 1 }'],
    ['a local value', 'local.map', 'z', 'local local.map < source { a = 1, b = 2 }'],
    ['a root variable', 'var.keys', 'z', 'variable var.keys'],
    ['the condition', 'var.on ? {} : local.map', 'a', 'variable var.on'],
  ])('is %s', async (_name, expression, key, expected) => {
    expect(await member(expression, key, false)).toBe(expected);
  });
});
