import { valueFromPlain } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { explainerOf, outline, ROOT, SampleProject } from './fixtures/sample-explainer.ts';

const MODULE = 'output "o" {\n  value = "inner"\n}\n';
const OTHERS = `
variable "env" {
  default = "dev"
}
variable "on" {
  default = true
}
locals {
  word  = "new"
  env   = "x-\${var.env}"
  map   = { a = "one", b = "two" }
  key   = "a"
  parts = ["p", "q"]
}
module "m" {
  source = "./m"
}
module "counted" {
  source = "./m"
  count  = 2
}
`;

/** The causes of a local value that was `before`. */
async function causes(expression: string, before: Parameters<typeof valueFromPlain>[0]) {
  const project = new SampleProject({
    'main.tf': `${OTHERS}locals {\n  x = ${expression}\n}\n`,
    'm/main.tf': MODULE,
  });
  const { tracer, local } = await explainerOf(project);
  return outline(tracer().differs(local('x'), ROOT, [], valueFromPlain(before)));
}

describe('the texts and variables behind', () => {
  it.each([
    ['a literal', '"new"', 'old', 'source "new"'],
    ['a value that is the same', '"same"', 'same', ''],
    ['a local value', 'local.word', 'old', 'local local.word < source "new"'],
    ['a root variable', 'var.env', 'old', 'variable var.env'],
    [
      'parentheses and conversions',
      'tostring((local.word))',
      'old',
      'local local.word < source "new"',
    ],
    ['an output of a module', 'module.m.o', 'old', 'output module.m.o < source "inner"'],
    ['the environment', 'path.cwd', '/elsewhere', 'environment path.cwd'],
    ['a negation', '!var.on', true, 'variable var.on'],
  ])('%s', async (_name, expression, before, expected) => {
    expect(await causes(expression, before)).toBe(expected);
  });

  it.each([
    [
      'the condition if the other arm gives the old value',
      'var.on ? "a" : "b"',
      'b',
      'variable var.on',
    ],
    ['the arm otherwise', 'var.on ? "a" : "b"', 'c', 'source "a"'],
    [
      'the arm if only the text of the condition can have changed',
      'true ? local.word : "old"',
      'old',
      'local local.word < source "new"',
    ],
  ])('a conditional: %s', async (_name, expression, before, expected) => {
    expect(await causes(expression, before)).toBe(expected);
  });

  it.each([
    [
      'the part that differs',
      '"${var.env}-${local.word}"',
      'dev-old',
      'local local.word < source "new"',
    ],
    [
      'several parts',
      '"${var.env}-${local.word}"',
      'prod-old',
      'variable var.env, local local.word < source "new"',
    ],
    ['its literal parts', '"is ${local.word}"', 'was new', 'source "is ${local.word}"'],
    [
      'both if parts were not in the old text',
      '"is ${local.word}"',
      'was old',
      'source "is ${local.word}"',
    ],
  ])('a template: %s', async (_name, expression, before, expected) => {
    const found = await causes(expression, before);
    expect(found.startsWith(expected)).toBe(true);
    if (expected.includes('variable')) expect(found).toBe(expected);
  });

  it.each([
    [
      'entries that differ',
      '{ a = local.word, b = var.env }',
      { a: 'old', b: 'dev' },
      'local local.word < source "new"',
    ],
    ['new entries', '{ a = "1", b = "2" }', { a: '1' }, 'source "2"'],
    ['entries that are gone', '{ a = "1" }', { a: '1', b: '2' }, 'source b { a = "1" }'],
    ['elements that differ', '["1", local.word]', ['1', 'old'], 'local local.word < source "new"'],
    ['a list of another length', '["1"]', ['1', '2'], 'source ["1"]'],
  ])('a constructor: %s', async (_name, expression, before, expected) => {
    expect(await causes(expression, before)).toBe(expected);
  });

  it.each([
    [
      'a JSON text, decoded',
      'jsonencode({ a = local.word, b = 1 })',
      '{"a":"old","b":1}',
      'local local.word < source "new"',
    ],
    [
      'the last argument of merge that has the key',
      'merge({ a = "0", c = "3" }, local.map)',
      { a: 'old', b: 'two', c: '3' },
      'local local.map.a < source "one"',
    ],
    [
      'the key if another element is the old value',
      'local.map[local.key]',
      'two',
      'local local.key < source "a"',
    ],
    ['the element otherwise', 'local.map["a"]', 'old', 'local local.map.a < source "one"'],
    ['an impure function', 'timestamp()', 'then', 'function timestamp'],
    [
      'any part of another function',
      'upper(local.word)',
      'OLD',
      'source? upper(local.word), local? local.word < source? "new"',
    ],
  ])('a call or index: %s', async (_name, expression, before, expected) => {
    expect(await causes(expression, before)).toBe(expected);
  });

  it.each([
    ['module.counted[*].o', ['inner'], 'repetition count module.counted < source 2'],
    ['module.counted[*].o', ['inner', 'old'], 'output module.counted[1].o < source "inner"'],
  ])('the instances of a module: %s was %j', async (expression, before, expected) => {
    expect(await causes(expression, before)).toBe(expected);
  });

  it('are explained once for each local value', async () => {
    expect(await causes('[local.word, local.word]', ['old', 'older'])).toBe(
      'local local.word < source "new", local local.word (told)',
    );
  });
});
