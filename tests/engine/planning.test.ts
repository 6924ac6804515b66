import { number, objectOf, type Value } from '@terrane/cty';
import { decodePlanFile, encodePlanFile, PlanFileError } from '@terrane/engine';
import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject, textOf } from './harness.ts';

const thing = (name: string, body = ''): string =>
  `resource "test_thing" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;

/** Changes what exists behind the back of the program. */
function tamper(project: TestProject, change: (value: Value) => Value | undefined): void {
  for (const [id, value] of [...project.world.objects]) {
    const changed = change(value);
    if (changed === undefined) project.world.objects.delete(id);
    else project.world.objects.set(id, changed);
  }
}

function resized(value: Value, size: number): Value {
  const { type } = value;
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(
    type,
    type.names.map((name) => (name === 'size' ? number(size) : value.attr(name))),
  );
}

it('keeps sensitive values hidden in a replacement whose changes are ignored', async () => {
  const project = new TestProject();
  const text = (kind: string): string => `
variable "hidden" {
  sensitive = true
  default   = "hush"
}
resource "test_thing" "a" {
  name = "a"
  kind = ${kind}
  lifecycle {
    ignore_changes = all
  }
}
`;
  project.write(text('null'));
  await project.apply();
  project.write(text('var.hidden'));
  const { plan } = await project.plan({ replace: ['test_thing.a'] });
  const after = plan?.changes[0]?.after.attr('kind');
  expect(after?.hasMark('sensitive')).toBe(true);
  expect(after?.unmark().asString()).toBe('hush');
});

it('keeps sensitive values hidden after the replacement failed', async () => {
  const project = new TestProject();
  const text = (size: string): string => `
variable "hidden" {
  sensitive = true
  default   = 7
}
${thing('a', `size = ${size}`)}`;
  project.write(text('var.hidden'));
  await project.apply();
  project.write(text('8'));
  project.world.trouble = () => 'refuse';
  expect(errorsOf(await project.apply())).toHaveLength(1);
  project.world.trouble = () => undefined;
  const { plan } = await project.plan();
  expect(plan?.changes[0]?.before.attr('size').hasMark('sensitive')).toBe(true);
  await project.apply();
  expect((await project.plan()).plan?.changes[0]?.before.attr('size').marks.size).toBe(0);
});

describe('the action of an instance', () => {
  it('is nothing where configuration, state and world agree', async () => {
    const project = new TestProject();
    project.write(thing('a', 'size = 1'));
    await project.apply();
    const { plan, lines } = await project.plan();
    expect(lines).toEqual([]);
    expect(plan?.applyable).toBe(false);
    expect(plan?.complete).toBe(true);
  });

  it('is an update in place where the provider can, else a replacement that names its cause', async () => {
    const project = new TestProject();
    project.write(thing('a', 'size = 1'));
    await project.apply();
    project.write(thing('a', 'size = 2'));
    expect((await project.plan()).lines).toEqual(['update test_thing.a']);
    project.write(thing('a', 'kind = "other"'));
    const { plan, lines } = await project.plan();
    expect(lines).toEqual(['delete-then-create test_thing.a: replace_because_cannot_update']);
    expect(plan?.changes[0]?.requiredReplace).toEqual([[{ kind: 'attr', name: 'kind' }]]);
    expect(plan?.changes[0]?.after.attr('id').isKnown).toBe(false);
  });

  it('can be a replacement by request', async () => {
    const project = new TestProject();
    project.write(thing('a'));
    await project.apply();
    const { lines } = await project.plan({ replace: ['test_thing.a'] });
    expect(lines).toEqual(['delete-then-create test_thing.a: replace_by_request']);
  });

  it('ignores attributes in ignore_changes', async () => {
    const project = new TestProject();
    project.write(thing('a', 'size = 1'));
    await project.apply();
    project.write(thing('a', 'size = 2\n  secret = "s"\n  lifecycle { ignore_changes = [size] }'));
    const { plan, lines } = await project.plan();
    expect(lines).toEqual(['update test_thing.a']);
    expect(plan?.changes[0]?.after.attr('size').rawEquals(number(1))).toBe(true);
    project.write(thing('a', 'size = 2\n  secret = "s"\n  lifecycle { ignore_changes = all }'));
    expect((await project.plan()).lines).toEqual([]);
  });

  it('refuses to destroy objects with prevent_destroy', async () => {
    const project = new TestProject();
    project.write(thing('a', 'lifecycle { prevent_destroy = true }'));
    await project.apply();
    const { diagnostics } = await project.plan({ mode: 'destroy' });
    expect(errorsOf(diagnostics)[0]).toMatch(
      /^Instance cannot be destroyed: Resource test_thing.a has lifecycle/,
    );
    project.write('');
    expect((await project.plan()).lines).toEqual([
      'delete test_thing.a: delete_because_no_resource_config',
    ]);
  });

  it('marks values that the schema or the configuration declares sensitive', async () => {
    const project = new TestProject();
    project.write(
      `variable "s" {\n  sensitive = true\n  default = "x"\n}\n${thing('a', 'secret = "s"\n  kind = var.s')}`,
    );
    const { plan } = await project.plan();
    const after = plan?.changes[0]?.after;
    expect(after?.attr('secret').hasMark('sensitive')).toBe(true);
    expect(after?.attr('kind').hasMark('sensitive')).toBe(true);
    expect(after?.attr('name').hasMark('sensitive')).toBe(false);
  });
});

describe('replace_triggered_by', () => {
  const pair = (size: number, reference: string): string =>
    `${thing('a', `size = ${size}`)}${thing('b', `lifecycle { replace_triggered_by = [${reference}] }`)}`;

  it.each([
    ['test_thing.a', true],
    ['test_thing.a.size', true],
    ['test_thing.a.kind', false],
  ])('follows a change of %s: %s', async (reference, triggered) => {
    const project = new TestProject();
    project.write(pair(1, reference));
    await project.apply();
    project.write(pair(2, reference));
    const { lines } = await project.plan();
    expect(lines).toEqual(
      triggered
        ? ['update test_thing.a', 'delete-then-create test_thing.b: replace_by_triggers']
        : ['update test_thing.a'],
    );
  });
});

describe('instances that the configuration no longer declares', () => {
  it.each([
    ['count = 2', 'count = 1', ['delete test_thing.a[1]: delete_because_count_index']],
    [
      'for_each = toset(["x", "y"])',
      'for_each = toset(["y"])',
      ['delete test_thing.a["x"]: delete_because_each_key'],
    ],
    [
      'count = 2',
      'for_each = toset(["x"])',
      [
        'delete test_thing.a[0]: delete_because_wrong_repetition',
        'delete test_thing.a[1]: delete_because_wrong_repetition',
        'create test_thing.a["x"]',
      ],
    ],
    ['count = 1', '', []],
    ['', 'count = 1', []],
  ])('%s to %s', async (before, after, expected) => {
    const project = new TestProject();
    project.write(thing('a', before));
    await project.apply();
    project.write(thing('a', after));
    const { lines } = await project.plan();
    expect(lines).toEqual(expected);
  });

  it('go with their module', async () => {
    const project = new TestProject();
    const call = (count: number): string =>
      `module "m" {\n  source = "./m"\n  count = ${count}\n}\n`;
    project.write({ 'main.tf': call(2), 'm/main.tf': thing('a') });
    await project.apply();
    project.write({ 'main.tf': call(1), 'm/main.tf': thing('a') });
    expect((await project.plan()).lines).toEqual([
      'delete module.m[1].test_thing.a: delete_because_no_module',
    ]);
    project.write('');
    expect((await project.plan()).lines).toEqual([
      'delete module.m[0].test_thing.a: delete_because_no_resource_config',
      'delete module.m[1].test_thing.a: delete_because_no_resource_config',
    ]);
  });

  it('move as declared by moved blocks, also in chains', async () => {
    const project = new TestProject();
    project.write(thing('a'));
    await project.apply();
    project.write(
      `resource "test_thing" "c" {\n  name = "a"\n}\nmoved {\n  from = test_thing.b\n  to = test_thing.c\n}\nmoved {\n  from = test_thing.a\n  to = test_thing.b\n}\n`,
    );
    const { plan, lines } = await project.plan();
    expect(lines).toEqual([]);
    expect(plan?.applyable).toBe(true);
    expect(plan?.changes[0]?.previousAddr.text).toBe('test_thing.a');
    expect(errorsOf(await project.apply())).toEqual([]);
    expect([...project.state.instances()].map((addr) => addr.text)).toEqual(['test_thing.c']);
  });

  it('are forgotten, not destroyed, if declared in a removed block', async () => {
    const project = new TestProject();
    project.write(thing('a'));
    await project.apply();
    project.write('removed {\n  from = test_thing.a\n  lifecycle { destroy = false }\n}');
    expect((await project.plan()).lines).toEqual([
      'forget test_thing.a: delete_because_no_resource_config',
    ]);
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(project.state.instanceCount).toBe(0);
    expect(project.world.objects.size).toBe(1);
  });
});

describe('refreshing', () => {
  it('detects drift and plans to correct it', async () => {
    const project = new TestProject();
    project.write(thing('a', 'size = 1'));
    await project.apply();
    tamper(project, (value) => resized(value, 7));
    const { plan, lines } = await project.plan();
    expect(plan?.drift.map((change) => `${change.action} ${change.addr.text}`)).toEqual([
      'update test_thing.a',
    ]);
    expect(lines).toEqual(['update test_thing.a']);
  });

  it('detects missing objects and plans to create them again', async () => {
    const project = new TestProject();
    project.write(thing('a'));
    await project.apply();
    tamper(project, () => undefined);
    const { plan, lines } = await project.plan();
    expect(plan?.drift.map((change) => change.action)).toEqual(['delete']);
    expect(lines).toEqual(['create test_thing.a']);
  });

  it('refresh-only records drift without changes', async () => {
    const project = new TestProject();
    project.write(`${thing('a')}output "size" {\n  value = test_thing.a.size\n}\n`);
    await project.apply();
    tamper(project, (value) => resized(value, 7));
    const { plan, lines } = await project.plan({ mode: 'refresh-only' });
    expect(lines).toEqual([]);
    expect(plan?.applyable).toBe(true);
    await project.apply({ mode: 'refresh-only' });
    expect(project.state.outputs.get('size')?.value.rawEquals(number(7))).toBe(true);
    expect(project.world.calls.filter((call) => call.startsWith('update'))).toEqual([]);
  });

  it('does not happen where it is turned off', async () => {
    const project = new TestProject();
    project.write(thing('a', 'size = 1'));
    await project.apply();
    tamper(project, (value) => resized(value, 7));
    project.world.calls.length = 0;
    expect((await project.plan({ refresh: false })).lines).toEqual([]);
    expect(project.world.calls).not.toContain('read a');
  });
});

describe('data sources', () => {
  const lookup = (name: string, more = ''): string =>
    `data "test_lookup" "l" {\n  name = ${name}\n  ${more}\n}\noutput "found" {\n  value = data.test_lookup.l.found\n}\n`;

  it('are read while planning where everything is known', async () => {
    const project = new TestProject();
    project.write(lookup('"a"'));
    const { plan } = await project.plan();
    expect(textOf(plan?.outputs[0]?.after)).toBe('nothing');
    expect(plan?.changes).toEqual([]);
  });

  it.each([
    ['test_thing.a.id', '', 'read_because_config_unknown'],
    ['test_thing.a.name', '', 'read_because_dependency_pending'],
    ['"a"', 'depends_on = [test_thing.a]', 'read_because_dependency_pending'],
  ])('wait for a change: name = %s %s', async (name, more, reason) => {
    const project = new TestProject();
    project.write(`${thing('a')}${lookup(name, more)}`);
    const { lines } = await project.plan();
    expect(lines).toEqual([`read data.test_lookup.l: ${reason}`, 'create test_thing.a']);
    expect(errorsOf(await project.apply())).toEqual([]);
    const calls = project.world.calls.filter((call) => /^(create|lookup)/.test(call));
    expect(calls[0]).toBe('create a');
    expect((await project.plan()).lines).toEqual([]);
  });
});

describe('conditions', () => {
  const guarded = (limit: number): string =>
    `locals {\n  limit = ${limit}\n}\n` +
    thing(
      'a',
      `size = 3
  lifecycle {
    precondition {
      condition     = local.limit > 1
      error_message = "limit too low"
    }
    postcondition {
      condition     = self.size < local.limit
      error_message = "size is \${self.size}"
    }
  }`,
    );

  it('hold up a plan when they fail', async () => {
    const project = new TestProject();
    project.write(guarded(1));
    expect(errorsOf((await project.plan()).diagnostics)).toEqual([
      'Resource precondition failed: limit too low',
    ]);
    project.write(guarded(2));
    const { plan, diagnostics } = await project.plan();
    expect(errorsOf(diagnostics)).toEqual(['Resource postcondition failed: size is 3']);
    expect(plan?.checks).toEqual([
      {
        kind: 'resource',
        configAddr: 'test_thing.a',
        status: 'fail',
        objects: [{ address: 'test_thing.a', status: 'fail', messages: ['size is 3'] }],
      },
    ]);
  });

  it('pass into the state', async () => {
    const project = new TestProject();
    project.write(guarded(9));
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(project.state.checks?.map((check) => check.status)).toEqual(['pass']);
  });

  it('of a check block only warn', async () => {
    const project = new TestProject();
    project.write(
      'locals {\n  ok = false\n}\ncheck "c" {\n  assert {\n    condition = local.ok\n    error_message = "no"\n  }\n}\n',
    );
    const { plan, diagnostics } = await project.plan();
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(
      diagnostics.map((diagnostic) => `${diagnostic.severity}: ${diagnostic.summary}`),
    ).toEqual(['warning: Check block assertion failed']);
    expect(plan?.errored).toBe(false);
  });

  it('on a variable point at the variable', async () => {
    const project = new TestProject();
    project.write(
      'variable "v" {\n  type = number\n  validation {\n    condition = var.v > 3\n    error_message = "too small"\n  }\n}\n',
    );
    const { diagnostics } = await project.plan({ variables: { v: '1' } });
    expect(errorsOf(diagnostics)).toEqual(['Invalid value for variable: too small']);
    expect((await project.plan({ variables: { v: '4' } })).diagnostics).toEqual([]);
  });
});

describe('targets', () => {
  it('leave the remaining objects of other instances of a module alone', async () => {
    const project = new TestProject();
    const files = (keys: string): Readonly<Record<string, string>> => ({
      'main.tf': `module "m" {\n  source = "./m"\n  for_each = toset(${keys})\n}\n`,
      'm/main.tf': thing('a'),
    });
    project.write(files('["x", "y", "z"]'));
    await project.apply();
    project.write(files('["z"]'));
    const { lines } = await project.plan({ targets: ['module.m["x"]'] });
    expect(lines).toEqual(['delete module.m["x"].test_thing.a: delete_because_no_module']);
    expect((await project.plan({ targets: ['module.m["z"].test_thing.a'] })).lines).toEqual([]);
    expect((await project.plan()).lines).toHaveLength(2);
  });

  it('include the targets and their dependencies, and nothing else', async () => {
    const project = new TestProject();
    project.write(`${thing('a')}${thing('b', 'kind = test_thing.a.id')}${thing('c')}`);
    const { plan, lines, diagnostics } = await project.plan({ targets: ['test_thing.b'] });
    expect(lines).toEqual(['create test_thing.a', 'create test_thing.b']);
    expect(plan?.complete).toBe(false);
    expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([
      'Resource targeting is in effect',
    ]);
  });

  it('of a destroy include dependents', async () => {
    const project = new TestProject();
    project.write(`${thing('a')}${thing('b', 'kind = test_thing.a.id')}${thing('c')}`);
    await project.apply();
    const { lines } = await project.plan({ mode: 'destroy', targets: ['test_thing.a'] });
    expect(lines).toEqual(['delete test_thing.a', 'delete test_thing.b']);
  });
});

describe('a cycle', () => {
  it('is one error that names its members', async () => {
    const project = new TestProject();
    project.write('locals {\n  a = local.b\n  b = local.a\n}\n');
    const { diagnostics } = await project.plan();
    expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([
      'Cycle: local.a (expand), local.b (expand)',
    ]);
  });
});

describe('a plan file', () => {
  const origin = { workspace: 'default', backend: 'local', lineage: 'l', serial: 4 };

  it('decodes an equal plan, which can be applied', async () => {
    const project = new TestProject();
    project.write(
      `${thing('a', 'secret = "s"')}${thing('b', 'kind = test_thing.a.id')}output "o" {\n  value = test_thing.b.size\n}\n`,
    );
    const { plan } = await project.plan();
    if (plan === undefined) throw new Error('no plan');
    const file = decodePlanFile(encodePlanFile(plan, origin));
    expect(file.origin).toEqual(origin);
    expect(file.plan.steps).toEqual(plan.steps);
    expect(
      file.plan.changes.map((change) =>
        change.after.rawEquals(
          plan.changes[file.plan.changes.indexOf(change)]?.after ?? change.before,
        ),
      ),
    ).toEqual([true, true]);
    expect(Buffer.from(file.files.readFileSync('main.tf')).toString()).toContain('test_thing');
    expect(errorsOf(await project.follow({ ...plan, ...file.plan }))).toEqual([]);
    expect(project.state.instanceCount).toBe(2);
  });

  it.each([
    ['not a plan', Buffer.from('{"version":4}'), 'not-a-plan'],
    ["Terraform's", Buffer.from('PK\u0003\u0004 and so on'), 'foreign'],
    ['of a later version', Buffer.from('TERRANE PLAN 9\nxxxx'), 'newer'],
  ])('that is %s is refused', (_what, bytes, kind) => {
    try {
      decodePlanFile(bytes);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(PlanFileError);
      expect(error instanceof PlanFileError ? error.kind : '').toBe(kind);
    }
  });

  it('that is cut off anywhere is refused', async () => {
    const project = new TestProject();
    project.write(thing('a'));
    const { plan } = await project.plan();
    if (plan === undefined) throw new Error('no plan');
    const bytes = encodePlanFile(plan, origin);
    for (let length = 0; length < bytes.length; length += 37) {
      expect(() => decodePlanFile(bytes.subarray(0, length))).toThrow(PlanFileError);
    }
  });
});
