import { describe, expect, it } from 'vitest';
import { Existence } from './existence.ts';
import { addressOf, explainerOf, outline, SampleProject } from './fixtures/sample-explainer.ts';

const OLD = { id: 'i', name: 'a', size: 1 };
const thing = (lines: string): string => `resource "test_thing" "a" {\n  ${lines}\n}\n`;
const MODULE = thing('name = "a"');
const call = (lines: string): string => `module "m" {\n  source = "./m"\n  ${lines}\n}\n`;

async function existenceOf(text: string, stored: readonly string[]) {
  const project = new SampleProject({ 'main.tf': text, 'm/main.tf': MODULE });
  project.store(Object.fromEntries(stored.map((address) => [address, OLD])));
  const { facts, tracer } = await explainerOf(project);
  return { facts, existence: new Existence(facts, tracer()) };
}

describe('the causes of a creation', () => {
  it.each([
    ['a new resource', thing('name = "a"'), [], 'test_thing.a', 'new-block test_thing.a'],
    [
      'a new instance of a module',
      call('count = 2'),
      ['module.m[0].test_thing.a'],
      'module.m[1].test_thing.a',
      'repetition count module.m < source 2',
    ],
    [
      'a new key of a module',
      call('for_each = toset(["x", "y"])'),
      ['module.m["x"].test_thing.a'],
      'module.m["y"].test_thing.a',
      'repetition for_each module.m < source y "y"',
    ],
    [
      'another form of repetition of a module',
      call('for_each = toset(["x"])'),
      ['module.m[0].test_thing.a'],
      'module.m["x"].test_thing.a',
      'repetition-form for_each module.m',
    ],
    [
      'a value that repeats, for the first instances',
      `variable "n" {\n  default = 1\n}\n${thing('count = var.n\n  name = "a"')}`,
      [],
      'test_thing.a[0]',
      'repetition count test_thing.a < variable var.n',
    ],
  ])('are explained for %s', async (_name, text, stored, address, expected) => {
    const { existence } = await existenceOf(text, stored);
    expect(outline(existence.ofNew(addressOf(address)))).toBe(expected);
  });
});

describe('the causes of a removal', () => {
  it.each([
    ['no block', '', 'test_thing.a', 'no-block test_thing.a'],
    ['no module', '', 'module.m.test_thing.a', 'no-module module.m'],
    [
      'a module with fewer instances',
      call('count = 1'),
      'module.m[1].test_thing.a',
      'repetition count module.m < source 1',
    ],
    [
      'a resource that has no instances with keys any more',
      thing('name = "a"'),
      'test_thing.a["x"]',
      'repetition-form test_thing.a',
    ],
  ])('are explained for %s', async (_name, text, address, expected) => {
    const { facts, existence } = await existenceOf(text, [address]);
    const change = facts.changes.get(addressOf(address));
    if (change === undefined) throw new Error('no change');
    expect(outline(existence.ofDeleted(change))).toBe(expected);
  });
});

describe('an instance is declared', () => {
  it.each([
    [thing('name = "a"'), 'test_thing.a', true],
    [thing('name = "a"'), 'test_thing.a[0]', false],
    [thing('count = 2\n  name = "a"'), 'test_thing.a[1]', true],
    [thing('count = 2\n  name = "a"'), 'test_thing.a[2]', false],
    [thing('for_each = toset(["x"])\n  name = "a"'), 'test_thing.a["x"]', true],
    [thing('for_each = toset(["x"])\n  name = "a"'), 'test_thing.a["y"]', false],
    [call('count = 1'), 'module.m[0].test_thing.a', true],
    [call('count = 1'), 'module.m[1].test_thing.a', false],
    ['', 'test_thing.a', false],
  ])('%s: %s (%s)', async (text, address, expected) => {
    const { existence } = await existenceOf(text, []);
    expect(existence.isDeclared(addressOf(address))).toBe(expected);
  });
});
