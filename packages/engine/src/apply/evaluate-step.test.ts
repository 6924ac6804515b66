import { Bug, type Value } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { evaluateNode } from './evaluate-step.ts';
import { addressOf, openSample, problems, SampleProject } from './fixtures/sample-run.ts';

const nameOf = (value: Value | undefined): string | undefined =>
  value === undefined ? undefined : value.attr('name').asString();

describe('evaluating a resource', () => {
  it('sets planned values of instances without a change, and no values of changing ones', async () => {
    const project = new SampleProject(
      'resource "test_thing" "a" {\n  for_each = toset(["same", "new"])\n  name     = each.key\n}\n',
    ).store({ 'test_thing.a["same"]': { id: 's', name: 'same', size: 1 } });
    const { run, evaluate } = await openSample(project);
    expect(await evaluate('test_thing.a')).toEqual([]);
    const cell = run.evaluation.root.resources.get('test_thing.a');
    expect(nameOf(cell?.values.get('same'))).toBe('same');
    expect(cell?.values.has('new')).toBe(false);
    expect(project.calls).toEqual([]);
  });

  it('reports an instance that the plan does not have', async () => {
    const project = new SampleProject(
      'variable "keys" {\n  type = set(string)\n}\nresource "test_thing" "a" {\n  for_each = var.keys\n  name     = each.key\n}\n',
      { keys: '["x"]' },
    );
    const { run, evaluate } = await openSample(project);
    await evaluate('var.keys');
    const withoutChange = { ...run, changes: new Map() };
    const outcome = await evaluateNode(withoutChange, '', 'test_thing.a');
    expect(outcome === 'failed' ? outcome : problems(outcome)).toBe(
      'error: Instances changed since the plan was made: With the final values, the configuration declares test_thing.a["x"], which is not in the plan. Its "count" or "for_each" depends on something that changed while the plan was applied. Create a new plan and apply it.',
    );
  });

  it.each([
    ['normal', true, ['error']],
    ['normal', false, []],
    ['destroy', true, []],
  ] as const)(
    'expects %s plans (complete: %s) to have all instances',
    async (mode, complete, expected) => {
      const project = new SampleProject('resource "test_thing" "a" {\n  name = "a"\n}\n');
      const { run } = await openSample(project);
      const plan = { ...run.plan, mode, complete };
      const outcome = await evaluateNode({ ...run, plan, changes: new Map() }, '', 'test_thing.a');
      expect(outcome === 'failed' ? outcome : outcome.map(({ severity }) => severity)).toEqual(
        expected,
      );
    },
  );

  it('takes the stored object of an instance that the plan leaves alone', async () => {
    const project = new SampleProject(
      'resource "test_thing" "a" {\n  name = "wanted"\n}\nresource "test_thing" "b" {\n  name = "b"\n}\n',
    ).store({ 'test_thing.a': { id: 'a', name: 'stored' } });
    const { run, evaluate } = await openSample(project, { targets: ['test_thing.b'] });
    expect(run.changes.has(addressOf('test_thing.a'))).toBe(false);
    expect(await evaluate('test_thing.a')).toEqual([]);
    const cell = run.evaluation.root.resources.get('test_thing.a');
    expect(nameOf(cell?.values.get(undefined))).toBe('stored');
  });
});

describe('evaluating a resource that the plan leaves alone', () => {
  it('has the stored instances, also those that the configuration does not ask for', async () => {
    const project = new SampleProject(
      'resource "test_thing" "a" {\n  count = 1\n  name  = "a"\n}\nresource "test_thing" "b" {\n  name = "b"\n}\n',
    ).store({
      'test_thing.a[0]': { id: '0', name: 'a' },
      'test_thing.a[1]': { id: '1', name: 'a' },
    });
    const { run, evaluate } = await openSample(project, { targets: ['test_thing.b'] });
    expect(await evaluate('test_thing.a')).toEqual([]);
    const cell = run.evaluation.root.resources.get('test_thing.a');
    expect(new Set(cell?.values.keys())).toEqual(new Set([0, 1]));
  });
});

describe('evaluating an ephemeral resource', () => {
  const TEXT =
    'ephemeral "test_token" "t" {\n  name = "t"\n}\nresource "test_thing" "a" {\n  name = "a"\n}\n';

  it('opens it, and its close step closes it', async () => {
    const project = new SampleProject(TEXT);
    const { run, evaluate } = await openSample(project);
    project.calls.length = 0;
    expect(await evaluate('ephemeral.test_token.t')).toEqual([]);
    const cell = run.evaluation.root.resources.get('ephemeral.test_token.t');
    expect(cell?.values.get(undefined)?.attr('token').unmark().asString()).toBe('t');
    expect(project.calls).toEqual(['open ephemeral.test_token.t']);
    expect(await evaluate('ephemeral.test_token.t (close)')).toEqual([]);
    expect(project.calls).toEqual(['open ephemeral.test_token.t', 'close ephemeral.test_token.t']);
  });
});

describe('evaluating other nodes', () => {
  it.each([
    ['local.l', 'locals {\n  l = "v"\n}\n', (name: string) => ['locals', name] as const],
    ['output.o', 'output "o" {\n  value = "v"\n}\n', (name: string) => ['outputs', name] as const],
  ])('%s has its final value', async (key, text, cellOf) => {
    const { run, evaluate } = await openSample(new SampleProject(text));
    expect(await evaluate(key)).toEqual([]);
    const [cells, name] = cellOf(key.split('.')[1] ?? '');
    expect(run.evaluation.root[cells].get(name)?.asString()).toBe('v');
  });

  it('evaluates the assertions of a check', async () => {
    const { evaluate } = await openSample(
      new SampleProject(
        'check "c" {\n  assert {\n    condition     = terraform.workspace == "other"\n    error_message = "Never."\n  }\n}\n',
      ),
    );
    const outcome = await evaluate('check.c');
    expect(outcome === 'failed' ? outcome : problems(outcome)).toBe(
      'warning: Check block assertion failed: Never.',
    );
  });

  it('throws for a node that the configuration does not have', async () => {
    const { run } = await openSample(new SampleProject(''));
    expect(() => evaluateNode(run, 'module.absent', 'local.x')).toThrow(Bug);
  });
});
