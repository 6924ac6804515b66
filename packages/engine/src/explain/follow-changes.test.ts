import { describe, expect, it } from 'vitest';
import { explainerOf, outline, ROOT, SampleProject } from './fixtures/sample-explainer.ts';

const MAIN = `
variable "zone" {
  default = "z"
}
resource "test_thing" "changing" {
  name = "new"
  tags = { t = "same" }
}
resource "test_thing" "same" {
  name = "same"
}
resource "test_thing" "many" {
  count = 2
  name  = count.index == 0 ? "same" : "new"
}
resource "test_thing" "created" {
  name = "created"
}
module "m" {
  source = "./m"
  given  = test_thing.changing.name
}
`;
const FILES = {
  'm/main.tf':
    'variable "given" {}\noutput "o" {\n  value = var.given\n}\noutput "fixed" {\n  value = "f"\n}\n',
};
const STATE = {
  'test_thing.changing': { id: 'c', name: 'old', tags: { t: 'same' }, size: 1 },
  'test_thing.same': { id: 's', name: 'same', size: 1 },
  'test_thing.many[0]': { id: '0', name: 'same', size: 1 },
  'test_thing.many[1]': { id: '1', name: 'old', size: 1 },
};

/** Follows a local value to the changes of resources. */
async function follow(expression: string, question: 'changed' | 'unknown') {
  const project = new SampleProject({
    ...FILES,
    'main.tf': `${MAIN}locals {\n  indirect = test_thing.changing.name\n  x        = ${expression}\n}\n`,
  }).store(STATE);
  const { tracer, local } = await explainerOf(project);
  const found =
    question === 'changed'
      ? tracer().changed(local('x'), ROOT)
      : tracer().unknown(local('x'), ROOT, []);
  return outline(found);
}

const CHANGED =
  'resource test_thing.changing.name < attribute test_thing.changing.name < source "new"';

describe('the changes that an expression depends on', () => {
  it.each([
    ['nothing for a literal', '"x"', ''],
    ['nothing for a resource that stays', 'test_thing.same.name', ''],
    ['nothing for an attribute that stays', 'test_thing.changing.tags', ''],
    ['the attribute that changes', 'test_thing.changing.name', CHANGED],
    ['through a local value', 'local.indirect', `local local.indirect < ${CHANGED}`],
    [
      'through a module',
      'module.m.o',
      `output module.m.o < argument module.m.var.given < ${CHANGED}`,
    ],
    ['nothing for an output that stays', 'module.m.fixed', ''],
    ['in a template', '"a-${test_thing.changing.name}-${test_thing.same.name}"', CHANGED],
    [
      'in an entry of an object',
      '{ a = test_thing.same.name, b = test_thing.changing.name }',
      CHANGED,
    ],
    ['in an argument', 'upper(test_thing.changing.name)', CHANGED],
    ['in a condition', 'test_thing.changing.name == "old" ? "a" : "b"', CHANGED],
    ['in the arm that is taken', 'var.zone == "z" ? test_thing.changing.name : "b"', CHANGED],
    ['not in the other arm', 'var.zone == "z" ? "b" : test_thing.changing.name', ''],
    ['in a key', '{ old = "a", new = "b" }[test_thing.changing.name]', CHANGED],
    [
      'the instance that changes',
      'test_thing.many[*].name',
      'resource test_thing.many[1].name < attribute test_thing.many[1].name < source "new"',
    ],
    ['the instance that an index selects', 'test_thing.many[0].name', ''],
    [
      'the attributes that a loop reads',
      '[for t in test_thing.many : t.name]',
      'resource test_thing.many[1].name < attribute test_thing.many[1].name < source "new"',
    ],
    [
      'the element that an entry of a loop is made of',
      '{ for k, t in { a = test_thing.changing, b = test_thing.many[1] } : "x${k}" => t.name }.xb',
      'resource test_thing.many[1].name < attribute test_thing.many[1].name < source "new"',
    ],
    [
      'each element of a group',
      '{ for t in test_thing.many : t.size => t.name... }["1"]',
      'resource test_thing.many[1].name < attribute test_thing.many[1].name < source "new"',
    ],
    [
      'an element whose key changes',
      '{ for t in test_thing.many : t.name => "x" }["new"]',
      'resource test_thing.many[1].name < attribute test_thing.many[1].name < source "new"',
    ],
    ['an element that a number selects', '{ "1" = test_thing.changing.name }[1]', CHANGED],
    [
      'an element that a number selects from a loop',
      '{ for k, v in ["c", test_thing.changing.name] : k => v }[1]',
      CHANGED,
    ],
    ['an element that a text selects', '["c", test_thing.changing.name]["1"]', CHANGED],
    ['in a key of an object', '{ (test_thing.changing.name) = 1 }', CHANGED],
    ['in a key that a function returns', 'keys({ (test_thing.changing.name) = 1 })', CHANGED],
    ['in a key that a loop reads', '[for k, v in { (test_thing.changing.name) = 1 } : k]', CHANGED],
    [
      'an element that the collection no longer has',
      '{ for k, v in { (test_thing.changing.name) = "red", z = test_thing.many[1].name } : (v == "old" ? "x" : v == "new" ? "red" : v) => k... }.red',
      `resource test_thing.many[1].name < attribute test_thing.many[1].name < source "new", ${CHANGED}`,
    ],
    ['not the attributes that a loop does not read', '[for t in test_thing.many : t.size]', ''],
  ])('has %s', async (_name, expression, expected) => {
    expect(await follow(expression, 'changed')).toBe(expected);
  });
});

describe('the pending references of an unknown expression', () => {
  it.each([
    [
      'the attribute that the provider computes',
      'test_thing.created.id',
      'resource test_thing.created.id < computed test_thing.created.id',
    ],
    ['nothing if the value is known', 'test_thing.changing.name', ''],
    ['a function that is called during the apply only', 'timestamp()', 'function timestamp'],
    [
      'the unknown arm of a conditional',
      'var.zone == "z" ? test_thing.created.id : "b"',
      'resource test_thing.created.id < computed test_thing.created.id',
    ],
  ])('has %s', async (_name, expression, expected) => {
    expect(await follow(expression, 'unknown')).toBe(expected);
  });

  it('explains an attribute once', async () => {
    expect(await follow('[test_thing.created.id, "${test_thing.created.id}!"]', 'unknown')).toBe(
      'resource test_thing.created.id < computed test_thing.created.id, resource test_thing.created.id (told)',
    );
  });
});
