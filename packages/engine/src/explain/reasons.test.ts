import { number, str } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { addressOf, explainerOf, outline, SampleProject } from './fixtures/sample-explainer.ts';
import {
  type Attributes,
  type SampleOptions,
  withAttributes,
} from '../plan/fixtures/sample-project.ts';

const thing = (lines: string, name = 'a'): string =>
  `resource "test_thing" "${name}" {\n  ${lines}\n}\n`;
const OLD: Attributes = { id: 'i', name: 'a', size: 1 };
const REPLACED = 'lifecycle {\n    replace_triggered_by = [test_thing.b]\n  }';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly stored?: Readonly<Record<string, Attributes>>;
  readonly tainted?: boolean;
  readonly options?: SampleOptions;
  readonly address?: string;
  readonly expected: string;
}

async function causesOf({
  text,
  stored = { 'test_thing.a': OLD },
  tainted = false,
  options,
  address = 'test_thing.a',
}: Case) {
  const project = new SampleProject({ 'main.tf': text, 'm/main.tf': thing('name = "a"') });
  project.store(stored, tainted ? { status: 'tainted' } : {});
  const { reasons } = await explainerOf(project, options);
  return outline(reasons().change(addressOf(address)));
}

describe('the reasons of a creation', () => {
  it.each<Case>([
    {
      name: 'a new block',
      text: thing('name = "a"'),
      stored: {},
      expected: 'new-block test_thing.a',
    },
    {
      name: 'a count that grew',
      text: thing('count = 2\n  name = "a"'),
      stored: { 'test_thing.a[0]': OLD },
      address: 'test_thing.a[1]',
      expected: 'repetition count test_thing.a < source 2',
    },
    {
      name: 'a new key of for_each',
      text: thing('for_each = toset(["x", "y"])\n  name = "a"'),
      stored: { 'test_thing.a["x"]': OLD },
      address: 'test_thing.a["y"]',
      expected: 'repetition for_each test_thing.a < source y "y"',
    },
    {
      name: 'for_each instead of count',
      text: thing('for_each = toset(["x"])\n  name = "a"'),
      stored: { 'test_thing.a[0]': OLD },
      address: 'test_thing.a["x"]',
      expected: 'repetition-form for_each test_thing.a',
    },
    {
      name: 'a new module call',
      text: 'module "m" {\n  source = "./m"\n}\n',
      stored: {},
      address: 'module.m.test_thing.a',
      expected: 'new-block module.m',
    },
  ])('$name', async (each) => {
    expect(await causesOf(each)).toBe(each.expected);
  });
});

describe('the reasons of a deletion', () => {
  it.each<Case>([
    { name: 'no block', text: '', expected: 'no-block test_thing.a' },
    {
      name: 'a count that shrank',
      text: thing('count = 1\n  name = "a"'),
      stored: { 'test_thing.a[0]': OLD, 'test_thing.a[1]': OLD },
      address: 'test_thing.a[1]',
      expected: 'repetition count test_thing.a < source 1',
    },
    {
      name: 'a key that is gone',
      text: thing('for_each = toset(["x"])\n  name = "a"'),
      stored: { 'test_thing.a["x"]': OLD, 'test_thing.a["y"]': OLD },
      address: 'test_thing.a["y"]',
      expected: 'repetition for_each test_thing.a < source ["x"]',
    },
    {
      name: 'no module call',
      text: '',
      stored: { 'module.m.test_thing.a': OLD },
      address: 'module.m.test_thing.a',
      expected: 'no-module module.m',
    },
    {
      name: 'a removed block',
      text: 'removed {\n  from = test_thing.a\n}\n',
      expected: 'removed-block test_thing.a, no-block test_thing.a',
    },
    {
      name: 'a removed block that keeps the object',
      text: 'removed {\n  from = test_thing.a\n  lifecycle {\n    destroy = false\n  }\n}\n',
      expected: 'forget test_thing.a, no-block test_thing.a',
    },
    {
      name: 'the destroy mode',
      text: thing('name = "a"'),
      options: { mode: 'destroy' },
      expected: 'destroy-mode test_thing.a',
    },
    {
      name: 'the destroy mode, for what is gone',
      text: '',
      options: { mode: 'destroy' },
      expected: 'destroy-mode test_thing.a, no-block test_thing.a',
    },
  ])('$name', async (each) => {
    expect(await causesOf(each)).toBe(each.expected);
  });
});

describe('the reasons of a replacement', () => {
  it.each<Case>([
    {
      name: 'a taint',
      text: thing('name = "a"\n  size = 1'),
      tainted: true,
      expected: 'tainted test_thing.a',
    },
    {
      name: 'the replace option',
      text: thing('name = "a"'),
      options: { replace: ['test_thing.a'] },
      expected: 'replace-option test_thing.a',
    },
    {
      name: 'an attribute that cannot be changed in place, before other differences',
      text: thing('name = "b"\n  kind = "new"'),
      stored: { 'test_thing.a': { ...OLD, kind: 'old' } },
      expected:
        'requires-replace test_thing.a.kind < attribute test_thing.a.kind < source "new", attribute test_thing.a.name < source "b"',
    },
    {
      name: 'a trigger',
      text: thing(`name = "a"\n  ${REPLACED}`) + thing('name = "new"', 'b'),
      stored: { 'test_thing.a': OLD, 'test_thing.b': { ...OLD, name: 'old' } },
      expected: 'replace-triggered-by test_thing.b < attribute test_thing.b.name < source "new"',
    },
  ])('$name', async (each) => {
    expect(await causesOf(each)).toBe(each.expected);
  });
});

describe('the reasons of an update', () => {
  it.each<Case>([
    {
      name: 'an argument',
      text: thing('name = "b"'),
      expected: 'attribute test_thing.a.name < source "b"',
    },
    {
      name: 'an argument that was removed',
      text: thing('name = "a"'),
      stored: { 'test_thing.a': { ...OLD, kind: null, tags: { k: 'v' } } },
      expected: 'argument-removed test_thing.a.tags',
    },
    {
      name: 'a new entry of a map',
      text: thing('name = "a"\n  tags = { k = "v", more = "w" }'),
      stored: { 'test_thing.a': { ...OLD, tags: { k: 'v' } } },
      expected: 'attribute test_thing.a.tags.more < source "w"',
    },
    {
      name: 'a new block',
      text: thing('name = "a"\n  disk {\n    size = 1\n  }'),
      expected: 'block test_thing.a.disk',
    },
    {
      name: 'sensitivity alone',
      text: thing('name = sensitive("a")'),
      expected: 'sensitivity test_thing.a.name < source sensitive("a")',
    },
  ])('$name', async (each) => {
    expect(await causesOf(each)).toBe(each.expected);
  });

  it('the provider, if the configuration contains no change', async () => {
    const project = new SampleProject(thing('name = "a"')).store({ 'test_thing.a': OLD });
    project.overrides = {
      planResourceChange: ({ proposed, prior }) => ({
        planned: prior.isNull ? proposed : withAttributes(proposed, { size: number(2) }),
        requiresReplace: [],
      }),
    };
    const { reasons } = await explainerOf(project);
    expect(outline(reasons().change(addressOf('test_thing.a')))).toBe('provider test_thing.a.size');
  });

  it('drift, if the object was changed outside', async () => {
    const project = new SampleProject(thing('name = "a"')).store({ 'test_thing.a': OLD });
    project.overrides = {
      readResource: ({ prior }) => ({ state: withAttributes(prior, { name: str('outside') }) }),
    };
    const { reasons } = await explainerOf(project, { refresh: true });
    expect(outline(reasons().change(addressOf('test_thing.a')))).toBe(
      'attribute test_thing.a.name < drift test_thing.a.name',
    );
  });
});

describe('the reasons why nothing is done', () => {
  it.each<Case>([
    {
      name: 'the object is as configured',
      text: thing('name = "a"'),
      expected: 'equal test_thing.a',
    },
    {
      name: 'ignore_changes',
      text: thing('name = "b"\n  lifecycle {\n    ignore_changes = [name]\n  }'),
      expected: 'ignored test_thing.a.name',
    },
    {
      name: 'other targets',
      text: thing('name = "b"') + thing('name = "b"', 'b'),
      options: { targets: ['test_thing.b'] },
      expected: 'not-targeted test_thing.a',
    },
    {
      name: 'a refresh-only plan',
      text: thing('name = "b"'),
      options: { mode: 'refresh-only' },
      expected: 'refresh-only test_thing.a',
    },
    {
      name: 'a move, which is told first',
      text: `${thing('name = "a"')}moved {\n  from = test_thing.old\n  to   = test_thing.a\n}\n`,
      stored: { 'test_thing.old': OLD },
      expected: 'moved test_thing.old test_thing.a, equal test_thing.a',
    },
  ])('$name', async (each) => {
    expect(await causesOf(each)).toBe(each.expected);
  });
});

describe('the reasons of other changes', () => {
  it('a deposed object is left over', async () => {
    const project = new SampleProject(thing('name = "a"'))
      .store({ 'test_thing.a': OLD })
      .depose('test_thing.a', '0000000d')
      .store({ 'test_thing.a': OLD });
    const { facts, reasons } = await explainerOf(project);
    const change = facts.plan.changes.find(({ deposed }) => deposed !== undefined);
    if (change === undefined) throw new Error('no deposed object');
    expect(outline(reasons().ofChange(change))).toBe('deposed 0000000d test_thing.a');
  });

  it.each([
    [
      'unknown configuration',
      'name = test_thing.a.id',
      'unknown-configuration data.test_lookup.d.name < resource test_thing.a.id < computed test_thing.a.id',
    ],
    [
      'a dependency that changes',
      'name = "x"\n  depends_on = [test_thing.a]',
      'dependency test_thing.a < new-block test_thing.a',
    ],
  ])('a data source waits for %s', async (_name, lines, expected) => {
    const text = `${thing('name = "a"')}data "test_lookup" "d" {\n  ${lines}\n}\n`;
    expect(
      await causesOf({ name: '', text, stored: {}, address: 'data.test_lookup.d', expected }),
    ).toBe(expected);
  });

  it('a deferred change waits for unknown instances', async () => {
    const project = new SampleProject(
      `${thing('name = "a"')}resource "test_thing" "b" {\n  count = test_thing.a.size\n  name  = "b"\n}\n`,
    );
    const { facts, reasons } = await explainerOf(project, { allowDeferral: true });
    const [deferred] = facts.plan.deferred;
    if (deferred === undefined) throw new Error('nothing is deferred');
    expect(outline(reasons().ofDeferred(deferred))).toBe(
      'deferred instance_count_unknown test_thing.b[*] < resource test_thing.a.size < computed test_thing.a.size',
    );
  });

  it('hides the values behind a sensitive attribute', async () => {
    const project = new SampleProject(thing('name = "a"\n  secret = "new"')).store({
      'test_thing.a': { ...OLD, secret: 'old' },
    });
    const { reasons } = await explainerOf(project);
    const [attribute] = reasons().change(addressOf('test_thing.a'));
    const [source] = attribute?.causes ?? [];
    expect(source?.kind).toBe('source');
    expect(source?.before?.hasMarkDeep('sensitive')).toBe(true);
    expect(source?.after?.hasMarkDeep('sensitive')).toBe(true);
  });
});
