import { expect, test } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

/** Returns the provider calls that change something, in order. */
function done({ world: { calls } }: TestProject): readonly string[] {
  return calls.filter((call) => /^(create|update|delete|invoke) /.test(call));
}

/** Returns the planned invocations: "ADDRESS EVENT" or "ADDRESS by the user". */
async function plannedOf(
  project: TestProject,
  choices: Parameters<TestProject['plan']>[0] = {},
): Promise<readonly string[]> {
  const { plan, diagnostics } = await project.plan(choices);
  expect(errorsOf(diagnostics)).toEqual([]);
  return (plan?.invocations ?? []).map(({ addr, trigger }) =>
    trigger.kind === 'lifecycle'
      ? `${addr.text} ${trigger.event} ${trigger.resource.text}`
      : `${addr.text} by the user${trigger.caller === undefined ? '' : ` for ${trigger.caller.text}`}`,
  );
}

function act(name: string, say: string = `"${name}"`, more = ''): string {
  return `action "test_act" "${name}" {
    config {
      say = ${say}
      ${more}
    }
  }\n`;
}

function trigger(events: string, actions: string, more = ''): string {
  return `action_trigger {
      events  = [${events}]
      actions = [${actions.replaceAll(/\b([a-z]+)(?=[,[]|$)/g, 'action.test_act.$1')}]
      ${more}
    }\n`;
}

function thing(name: string, lifecycle: string, more = ''): string {
  return `resource "test_thing" "${name}" {
    name = "${name}"
    ${more}
    lifecycle {
      ${lifecycle}
    }
  }\n`;
}

test('actions run before and after the change that triggers them, in the order of their blocks', async () => {
  const project = new TestProject();
  project.write(
    ['one', 'two', 'three', 'four'].map((name) => act(name)).join('') +
      thing(
        'a',
        trigger('after_create', 'four') +
          trigger('before_create', 'two, one') +
          trigger('after_create, before_update', 'three'),
      ),
  );
  expect(await project.apply()).toEqual([]);
  const order = ['invoke two', 'invoke one', 'create a', 'invoke four', 'invoke three'];
  expect(done(project)).toEqual(order);
});

test('each kind of change triggers its own events', async () => {
  const project = new TestProject();
  const events = [
    'before_create',
    'after_create',
    'before_update',
    'after_update',
    'before_destroy',
    'after_destroy',
  ];
  const write = (more: string): void => {
    const triggers = events.map((event) => trigger(event, event.replaceAll('_', '')));
    const actions = events.map((event) => act(event.replaceAll('_', ''), `"${event}"`));
    project.write(actions.join('') + thing('a', triggers.join(''), more));
  };
  const applied = async (more: string): Promise<readonly string[]> => {
    write(more);
    project.world.calls.length = 0;
    expect(await project.apply()).toEqual([]);
    return done(project);
  };
  expect(await applied('')).toEqual(['invoke before_create', 'create a', 'invoke after_create']);
  expect(await applied('')).toEqual([]);
  expect(await applied('size = 2')).toEqual([
    'invoke before_update',
    'update a',
    'invoke after_update',
  ]);
  expect(await applied('kind = "new"')).toEqual([
    'invoke before_destroy',
    'delete a',
    'invoke after_destroy',
    'invoke before_create',
    'create a',
    'invoke after_create',
  ]);
  project.world.calls.length = 0;
  expect(await project.apply({ mode: 'destroy' })).toEqual([]);
  expect(done(project)).toEqual(['invoke before_destroy', 'delete a', 'invoke after_destroy']);
});

test('a replacement that is created first invokes the actions of the old object at its end', async () => {
  const project = new TestProject();
  const write = (kind: string): void =>
    project.write(
      act('bye', 'caller.kind') +
        thing('a', `create_before_destroy = true\n${trigger('before_destroy', 'bye')}`, kind),
    );
  write('kind = "old"');
  await project.apply();
  write('kind = "new"');
  project.world.calls.length = 0;
  expect(await project.apply()).toEqual([]);
  expect(done(project)).toEqual(['create a', 'invoke old', 'delete a']);
});

test('caller and self are the current object', async () => {
  const project = new TestProject();
  project.write(
    act('before', 'caller.name') +
      act('after', '"${caller.id} ${self.name}"') +
      thing('a', trigger('before_create', 'before') + trigger('after_create', 'after')),
  );
  const { plan } = await project.plan();
  const says = plan?.invocations.map(({ config }) => config.attr('say'));
  expect(says?.map((say) => (say.isKnown ? say.asString() : '?'))).toEqual(['a', '?']);
  expect(await project.follow(plan ?? never())).toEqual([]);
  expect(done(project)).toEqual(['invoke a', 'create a', 'invoke id-1 a']);
});

test('an action before a change cannot use values that the change determines', async () => {
  const project = new TestProject();
  project.write(act('early', 'caller.id') + thing('a', trigger('before_create', 'early')));
  expect(errorsOf(await project.apply())).toEqual([
    'Action configuration unknown during apply: The action action.test_act.early was not fully known during apply. This may be caused by using the caller object in conjunction with a before event.',
  ]);
  expect(done(project)).toEqual([]);
});

test('false conditions omit invocations, at plan time or when they become known', async () => {
  const project = new TestProject();
  project.write(
    act('never') +
      act('big') +
      act('small') +
      thing(
        'a',
        trigger('before_create', 'never', 'condition = var.on') +
          trigger('after_create', 'big', 'condition = self.size > 5') +
          trigger('after_create', 'small', 'condition = self.size < 5'),
      ) +
      'variable "on" {\n  type = bool\n  default = false\n}',
  );
  expect(await plannedOf(project)).toEqual([
    'action.test_act.big after_create test_thing.a',
    'action.test_act.small after_create test_thing.a',
  ]);
  expect(await project.apply()).toEqual([]);
  expect(done(project)).toEqual(['create a', 'invoke small']);
});

test('a condition has to be a bool, and to have a value', async () => {
  const project = new TestProject();
  const write = (condition: string): void =>
    project.write(
      act('one') + thing('a', trigger('before_create', 'one', `condition = ${condition}`)),
    );
  write('"maybe"');
  expect(errorsOf((await project.plan()).diagnostics)).toEqual([
    'Incorrect value type: Invalid expression value: a bool is required.',
  ]);
  write('null');
  expect(errorsOf((await project.plan()).diagnostics)).toEqual([
    'Invalid condition result: Condition expression must return either true or false, not null.',
  ]);
});

test('a failing action before a change prevents the change, later actions and dependents', async () => {
  const project = new TestProject();
  project.write(
    act('bad', '"bad"', 'fail = "invoke"') +
      act('next') +
      thing('a', trigger('before_create', 'bad, next') + trigger('after_create', 'next')) +
      thing('b', '', 'depends_on = [test_thing.a]'),
  );
  expect(errorsOf(await project.apply())).toEqual(['Cannot invoke: bad refuses.']);
  expect(done(project)).toEqual(['invoke bad']);
  expect(project.state.isEmpty).toBe(true);
});

test('on_failure determines the fate of a created object and of its dependents', async () => {
  const project = new TestProject();
  const bad = act('bad', '"bad"', 'fail = "invoke"');
  const choices = ['halt', 'taint', 'continue'];
  const things = choices.map(
    (choice) =>
      thing(choice, trigger('after_create', 'bad', `on_failure = ${choice}`)) +
      thing(`after_${choice}`, '', `depends_on = [test_thing.${choice}]`),
  );
  project.write(bad + things.join(''));
  const diagnostics = await project.apply();
  expect(errorsOf(diagnostics)).toEqual([
    'Cannot invoke: bad refuses.',
    'Cannot invoke: bad refuses.',
  ]);
  expect(diagnostics.filter(({ severity }) => severity === 'warning')).toMatchObject([
    { summary: 'Cannot invoke', detail: 'bad refuses.' },
  ]);
  const stored = [...project.state.instances()].map(
    (addr) => `${addr.text} ${project.state.instance(addr)?.current?.status}`,
  );
  expect(stored.sort()).toEqual([
    'test_thing.after_continue ready',
    'test_thing.continue ready',
    'test_thing.halt ready',
    'test_thing.taint tainted',
  ]);
});

test('a failed update taints nothing, and actions after a failed change are not invoked', async () => {
  const project = new TestProject();
  const write = (more: string): void =>
    project.write(
      act('bad', '"bad"', 'fail = "invoke"') +
        act('late') +
        thing('a', trigger('after_update', 'bad', 'on_failure = taint'), more) +
        thing('b', trigger('after_create', 'late'), 'fail = "create"'),
    );
  write('');
  expect(errorsOf(await project.apply())).toEqual(['Cannot create: b refuses.']);
  write('size = 2');
  await project.apply();
  expect(project.world.calls).not.toContain('invoke late');
  const [addr] = project.state.instances();
  expect(project.state.instance(addr ?? never())?.current?.status).toBe('ready');
});

test('before_destroy keeps an object that it fails for, unless everything is destroyed', async () => {
  const project = new TestProject();
  const bad = act('bad', '"bad"', 'fail = "invoke"');
  const kept = thing('a', trigger('before_destroy', 'bad'), 'count = 1');
  project.write(bad + kept);
  await project.apply();
  project.write(bad + kept.replace('count = 1', 'count = 0'));
  expect(errorsOf(await project.apply())).toEqual(['Cannot invoke: bad refuses.']);
  expect(project.state.isEmpty).toBe(false);
  const diagnostics = await project.apply({ mode: 'destroy' });
  expect(errorsOf(diagnostics)).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: 'warning', summary: 'Cannot invoke' }]);
  expect(project.state.isEmpty).toBe(true);
});

test('the configuration of an action at a destroy must be known and persistent', async () => {
  const project = new TestProject();
  const write = (say: string, more = ''): void =>
    project.write(
      act('bye', say, more) +
        thing('a', trigger('after_destroy', 'bye'), 'count = var.n') +
        `${thing('other', '', 'size = var.size')}
        variable "n" { default = 1 }
        variable "size" { default = 1 }
        variable "token" {
          default   = "t"
          ephemeral = true
        }`,
    );
  write('"bye"');
  await project.apply();
  write('test_thing.fresh.id');
  project.write({
    'main.tf':
      act('bye', 'test_thing.fresh.id') +
      thing('a', trigger('after_destroy', 'bye'), 'kind = "new"') +
      thing('fresh', ''),
  });
  expect(errorsOf((await project.plan({ replace: ['test_thing.a'] })).diagnostics)).toEqual([
    'Unknown action config: Action configuration must be known to plan a destroy action.',
  ]);
  write('"bye"', 'token = var.token');
  expect(errorsOf((await project.plan({ replace: ['test_thing.a[0]'] })).diagnostics)).toEqual([
    'Action config contains ephemeral values: A destroy action configuration must be fully planned, and cannot contain ephemeral values.',
  ]);
});

test('triggers that cannot be planned for an orphan only warn', async () => {
  const project = new TestProject();
  const write = (keys: string): void =>
    project.write(
      act('bye', 'caller.name', 'fail = each.value').replace(
        '{',
        `{\n  for_each = { for key in ${keys} : key => "" }`,
      ) +
        `resource "test_thing" "a" {
          for_each = toset(${keys})
          name     = each.key
          lifecycle {
            action_trigger {
              events  = [before_destroy]
              actions = [action.test_act.bye[each.key]]
            }
          }
        }`,
    );
  write('["k", "l"]');
  await project.apply();
  write('["l"]');
  const diagnostics = await project.apply();
  expect(diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`)).toEqual([
    'warning: Orphaned action failed to plan',
    'warning: Reference to non-existent action instance',
  ]);
  expect([...project.state.instances()].map(({ text }) => text)).toEqual(['test_thing.a["l"]']);
});

test('instances of actions are chosen by count.index and each.key of the resource', async () => {
  const project = new TestProject();
  project.write(`
    action "test_act" "by_count" {
      count = 2
      config { say = "count ${'${count.index}'}" }
    }
    action "test_act" "by_key" {
      for_each = { x = "ex", y = "why" }
      config { say = each.value }
    }
    resource "test_thing" "c" {
      count = 2
      name  = "c${'${count.index}'}"
      lifecycle {
        action_trigger {
          events    = [before_create]
          condition = count.index == 1
          actions   = [action.test_act.by_count[count.index], action.test_act.by_key["x"]]
        }
      }
    }
    resource "test_thing" "k" {
      for_each = toset(["y"])
      name     = each.key
      lifecycle {
        action_trigger {
          events  = [after_create]
          actions = [action.test_act.by_key[each.key]]
        }
      }
    }`);
  expect(await plannedOf(project)).toEqual([
    'action.test_act.by_count[1] before_create test_thing.c[1]',
    'action.test_act.by_key["x"] before_create test_thing.c[1]',
    'action.test_act.by_key["y"] after_create test_thing.k["y"]',
  ]);
  expect(await project.apply()).toEqual([]);
  const invoked = done(project).filter((call) => call.startsWith('invoke'));
  expect(invoked.sort()).toEqual(['invoke count 1', 'invoke ex', 'invoke why']);
});

test('actions in modules belong to the instances of their module', async () => {
  const project = new TestProject();
  project.write({
    'main.tf': `module "m" {
      source   = "./m"
      for_each = toset(["one", "two"])
      word     = each.key
    }`,
    'm/main.tf':
      `variable "word" {}\n${act('hi', '"hi ${var.word}"')}` +
      thing('a', trigger('after_create', 'hi')),
  });
  expect(await plannedOf(project)).toEqual([
    'module.m["one"].action.test_act.hi after_create module.m["one"].test_thing.a',
    'module.m["two"].action.test_act.hi after_create module.m["two"].test_thing.a',
  ]);
  expect(await project.apply()).toEqual([]);
  expect(
    done(project)
      .filter((call) => call.startsWith('invoke'))
      .sort(),
  ).toEqual(['invoke hi one', 'invoke hi two']);
  const invoke = 'module.m["two"].action.test_act.hi';
  expect(await plannedOf(project, { invoke })).toEqual([`${invoke} by the user`]);
});

test('a resource depends on the references of the actions that it triggers', async () => {
  const project = new TestProject();
  project.write(
    act('hi', 'test_thing.z.id') + thing('a', trigger('before_create', 'hi')) + thing('z', ''),
  );
  expect(await project.apply()).toEqual([]);
  expect(done(project)).toEqual(['create z', 'invoke id-1', 'create a']);
  const a = [...project.state.instances()].find(({ text }) => text === 'test_thing.a');
  expect(project.state.instance(a ?? never())?.current?.dependencies).toEqual(['test_thing.z']);
});

test('an action may name the resource that triggers it, with a warning, but nothing that builds on it', async () => {
  const project = new TestProject();
  project.write(act('hi', 'test_thing.a.name') + thing('a', trigger('after_create', 'hi')));
  expect(await project.validate()).toMatchObject([
    { severity: 'warning', summary: 'Reference to triggering resource' },
  ]);
  expect(errorsOf(await project.apply())).toEqual([]);
  expect(done(project)).toEqual(['create a', 'invoke a']);
  project.write(
    `locals {\n  id = test_thing.a.id\n}\n` +
      act('hi', 'local.id') +
      thing('a', trigger('after_create', 'hi')),
  );
  expect(errorsOf(await project.validate())).toEqual([
    'action reference cycle involving action.test_act.hi and local.id (expand): ',
  ]);
});

test('invoking an action changes nothing else, and requires existing objects', async () => {
  const project = new TestProject();
  project.write(
    act('greet', '"for ${caller.name}"') +
      act('plain') +
      thing('a', trigger('before_update', 'greet'), 'size = 1') +
      thing('b', trigger('before_update', 'greet')),
  );
  const invoke = 'action.test_act.greet';
  expect(errorsOf((await project.plan({ invoke })).diagnostics)).toEqual([
    'Partially applied configuration: Caller test_thing.a not found for action action.test_act.greet. The resource instance calling the action has not yet been created. Please run a complete plan/apply cycle to ensure the state matches the configuration before using the -invoke argument.',
    'Partially applied configuration: Caller test_thing.b not found for action action.test_act.greet. The resource instance calling the action has not yet been created. Please run a complete plan/apply cycle to ensure the state matches the configuration before using the -invoke argument.',
  ]);
  await project.apply();
  expect(await plannedOf(project, { invoke })).toEqual([
    'action.test_act.greet by the user for test_thing.a',
    'action.test_act.greet by the user for test_thing.b',
  ]);
  expect(await plannedOf(project, { invoke, targets: ['test_thing.b'] })).toEqual([
    'action.test_act.greet by the user for test_thing.b',
  ]);
  const other = await project.plan({ invoke: 'action.test_act.plain' });
  expect(other.plan?.applyable).toBe(true);
  expect(other.plan?.changes).toEqual([]);
  project.world.calls.length = 0;
  expect(await project.apply({ invoke })).toEqual([]);
  expect([...done(project)].sort()).toEqual(['invoke for a', 'invoke for b']);
});

test('an invoked action must exist and be known', async () => {
  const project = new TestProject();
  project.write(
    `${act('by_key', 'each.key').replace('{', '{\n  for_each = toset(["x", "y"])')}` +
      act('later', 'test_thing.a.id') +
      act('lazy', '"lazy"', 'fail = "defer"') +
      thing('a', ''),
  );
  const errors = async (invoke: string): Promise<readonly string[]> =>
    errorsOf((await project.plan({ invoke })).diagnostics).map((text) => text.slice(0, 70));
  expect(await errors('action.test_act.none')).toEqual([
    'invoke target action.test_act.none not found: ',
  ]);
  expect(await errors('action.test_act.by_key["z"]')).toEqual([
    'invoked target action.test_act.by_key["z"] not found: ',
  ]);
  expect(await errors('action.test_act.later')).toEqual([
    'Partially applied configuration: The action action.test_act.later cont',
  ]);
  expect(await errors('action.test_act.lazy')).toEqual([
    'Provider deferred an action: The provider for action.test_act.lazy ord',
  ]);
  expect(await plannedOf(project, { invoke: 'action.test_act.by_key' })).toEqual([
    'action.test_act.by_key["x"] by the user',
    'action.test_act.by_key["y"] by the user',
  ]);
});

test('errors of a provider are reported with their origin', async () => {
  const project = new TestProject();
  const write = (fail: string): void =>
    project.write(
      act('bad', '"bad"', `fail = "${fail}"`) + thing('a', trigger('before_create', 'bad')),
    );
  write('validate');
  expect(await project.validate()).toMatchObject([
    { summary: 'Cannot validate', address: 'action.test_act.bad, called from test_thing.a' },
  ]);
  write('plan');
  expect(errorsOf((await project.plan()).diagnostics)).toEqual(['Cannot plan: bad refuses.']);
  write('defer');
  expect(errorsOf((await project.plan()).diagnostics)).toEqual([
    'Provider deferred changes when Terraform did not allow deferrals: The provider signaled a deferred action for "action.test_act.bad", but in this context deferrals are disabled. This is a bug in the provider, please file an issue with the provider developers.',
  ]);
});

test('ephemeral values go into write-only arguments, and not into the plan', async () => {
  const project = new TestProject();
  const write = (more: string): void =>
    project.write(
      `variable "token" {
        default   = "hush"
        ephemeral = true
      }\n${act('hi', '"hi"', more)}${thing('a', trigger('before_create', 'hi'))}`,
    );
  write('secret = var.token');
  expect(errorsOf(await project.validate())).toEqual([
    'Invalid use of ephemeral value: Ephemeral values are not valid for "secret", because it is not a write-only attribute and must be persisted to state.',
  ]);
  write('token = var.token');
  const { plan } = await project.plan();
  expect(plan?.invocations[0]?.config.attr('token').isNull).toBe(true);
  expect(await project.apply()).toEqual([]);
});

test('the journal records the running action', async () => {
  const project = new TestProject();
  project.write(act('hi') + thing('a', trigger('before_create', 'hi')));
  await project.apply();
  const invocation = 'action.test_act.hi (before_create of test_thing.a)';
  expect(
    project.events.map((event) => (event.kind === 'invoke' ? event : event.kind)).slice(0, 3),
  ).toEqual([
    { kind: 'invoke', invocation, ended: false },
    { kind: 'invoke', invocation, ended: true },
    'intent',
  ]);
});

test('the run reports the start, progress and end of actions', async () => {
  const project = new TestProject();
  project.write(
    act('hi') +
      act('bad', '"bad"', 'fail = "invoke"') +
      thing('a', trigger('before_create', 'hi') + trigger('after_create', 'bad')),
  );
  await project.apply();
  const events = project.runEvents.map((event) =>
    'invocation' in event ? `${event.kind} ${event.message ?? ''}`.trim() : event.kind,
  );
  expect(events).toEqual([
    'apply-start',
    'action-start',
    'action-progress doing hi',
    'action-complete',
    'action-start',
    'action-progress doing bad',
    'action-errored Cannot invoke: bad refuses.',
    'apply-errored',
  ]);
});

function never(): never {
  throw new Error('nothing there');
}
