import type { Plan } from '@terrane/engine';
import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const ALLOWED = { allowDeferral: true };

/** A line for each deferred change. */
function waiting(plan: Plan | undefined): readonly string[] {
  return (plan?.deferred ?? []).map(
    ({ change, reason }) => `${change.action} ${change.addr.text}: ${reason}`,
  );
}

function projectOf(text: string): TestProject {
  const project = new TestProject();
  project.write(text);
  return project;
}

const COUNTED = `
resource "test_thing" "n" { name = "n" }
resource "test_thing" "many" {
  count = test_thing.n.size
  name  = "many \${count.index}"
}
resource "test_thing" "after" { name = "after \${length(test_thing.many)}" }
resource "test_thing" "alone" { name = "alone" }
module "m" {
  source   = "./m"
  for_each = toset(test_thing.many[*].id)
}
output "many" { value = test_thing.many[*].name }
output "alone" { value = test_thing.alone.name }
`;
const CHILD = 'resource "test_thing" "in" { name = "in" }';

describe('resources with unknown instances', () => {
  it('is an error where nothing may be deferred', async () => {
    const project = new TestProject();
    project.write({ 'main.tf': COUNTED, 'm/main.tf': CHILD });
    const { plan, diagnostics } = await project.plan();
    expect(errorsOf(diagnostics)[0]).toContain('Invalid count argument');
    expect(plan?.deferred ?? []).toEqual([]);
  });

  it('are deferred with their dependents until a plan in which the instances are known', async () => {
    const project = new TestProject();
    project.write({ 'main.tf': COUNTED, 'm/main.tf': CHILD });
    const first = await project.plan(ALLOWED);
    expect(first.diagnostics).toEqual([]);
    expect(first.lines).toEqual(['create test_thing.alone', 'create test_thing.n']);
    expect(waiting(first.plan)).toEqual([
      'create test_thing.after: deferred_prereq',
      'create test_thing.many[*]: instance_count_unknown',
      'create module.m[*].test_thing.in[*]: instance_count_unknown',
    ]);
    expect([first.plan?.complete, first.plan?.applyable]).toEqual([false, true]);

    await project.apply(ALLOWED);
    expect(project.state.outputs.get('alone')?.value.asString()).toBe('alone');
    const second = await project.plan(ALLOWED);
    expect(second.lines).toEqual(['create test_thing.after', 'create test_thing.many[0]']);
    expect(waiting(second.plan)).toEqual([
      'create module.m[*].test_thing.in[*]: instance_count_unknown',
    ]);

    await project.apply(ALLOWED);
    await project.apply(ALLOWED);
    const last = await project.plan();
    expect([last.diagnostics, last.lines, last.plan?.complete]).toEqual([[], [], true]);
    expect(project.world.objects.size).toBe(5);
  });

  it('leave existing instances alone', async () => {
    const project = new TestProject();
    project.write({
      'main.tf': 'module "m" {\n  source = "./m"\n  count = 2\n}\n',
      'm/main.tf': CHILD,
    });
    await project.apply();
    project.write({
      'main.tf': `
        resource "test_thing" "n" { name = "n" }
        module "m" {
          source = "./m"
          count = test_thing.n.size
        }`,
      'm/main.tf': CHILD,
    });
    const { lines } = await project.plan(ALLOWED);
    expect(lines).toEqual(['create test_thing.n']);
    await project.apply(ALLOWED);
    expect((await project.plan(ALLOWED)).lines).toEqual([
      'delete module.m[1].test_thing.in: delete_because_no_module',
    ]);
  });
});

const CHAIN = `
resource "test_thing" "a" { name = "a" }
resource "test_thing" "b" { name = "b \${test_thing.a.id}" }
data "test_lookup" "d" { name = test_thing.a.name }
data "test_lookup" "e" { name = test_thing.a.id }
resource "test_thing" "other" { name = "other" }
`;

describe('changes that a provider defers', () => {
  it('is an error where that is not allowed', async () => {
    const project = projectOf(CHAIN);
    project.world.defer = (call, name) =>
      call === 'plan' && name === 'a' ? 'absent_prereq' : undefined;
    const { diagnostics } = await project.plan();
    expect(errorsOf(diagnostics)).toEqual([
      'Provider deferred changes when Terraform did not allow deferrals: The provider signaled a deferred action for "test_thing.a", but in this context deferrals are disabled. This is a bug in the provider, please file an issue with the provider developers.',
    ]);
  });

  it('are deferred with their dependents, and applied with a later plan', async () => {
    const project = projectOf(CHAIN);
    project.world.defer = (call, name) =>
      call === 'plan' && name === 'a' ? 'provider_config_unknown' : undefined;
    const { plan, lines } = await project.plan(ALLOWED);
    expect(lines).toEqual(['create test_thing.other']);
    expect(waiting(plan)).toEqual([
      'read data.test_lookup.d: deferred_prereq',
      'read data.test_lookup.e: deferred_prereq',
      'create test_thing.a: provider_config_unknown',
      'create test_thing.b: deferred_prereq',
    ]);
    await project.apply(ALLOWED);
    expect([...project.state.instances()].map((addr) => addr.text)).toEqual(['test_thing.other']);
    project.world.defer = () => undefined;
    await project.apply();
    expect((await project.plan()).lines).toEqual([]);
  });

  it('may be found while reading, and changes nothing that is known', async () => {
    const project = projectOf(CHAIN);
    await project.apply();
    project.world.defer = (call, name) =>
      call === 'read' && name === 'a' ? 'resource_config_unknown' : undefined;
    const { plan } = await project.plan(ALLOWED);
    expect(waiting(plan)[2]).toBe('no-op test_thing.a: resource_config_unknown');
    expect(plan?.drift).toEqual([]);
    const looked = await project.plan({ ...ALLOWED, mode: 'refresh-only' });
    expect(waiting(looked.plan)).toEqual([
      'read data.test_lookup.d: deferred_prereq',
      'read data.test_lookup.e: deferred_prereq',
      'read test_thing.a: resource_config_unknown',
    ]);
  });

  it('may be the reading of data, of an object that is to go, an import', async () => {
    const project = projectOf('data "test_lookup" "d" { name = "d" }');
    project.world.defer = (call) => (call === 'lookup' ? 'unknown' : undefined);
    expect(waiting((await project.plan(ALLOWED)).plan)).toEqual([
      'read data.test_lookup.d: unknown',
    ]);

    project.write('resource "test_thing" "a" { name = "a" }');
    project.world.defer = () => undefined;
    await project.apply();
    project.world.defer = (call) => (call === 'read' ? 'absent_prereq' : undefined);
    project.write('');
    expect(waiting((await project.plan(ALLOWED)).plan)).toEqual([
      'delete test_thing.a: absent_prereq',
    ]);

    project.write(`
      resource "test_thing" "c" { name = "c" }
      import {
        to = test_thing.c
        id = "c"
      }`);
    project.world.defer = (call) => (call === 'import' ? 'absent_prereq' : undefined);
    expect(waiting((await project.plan(ALLOWED)).plan)).toEqual([
      'create test_thing.c: absent_prereq',
    ]);
    expect(errorsOf((await project.plan()).diagnostics)[0]).toContain('did not allow deferrals');
  });

  it('may be imports, if the instances to import are not known yet', async () => {
    const text = (source: string): string => `
      resource "test_thing" "n" { name = "n" }
      resource "test_thing" "a" {
        for_each = toset(["a", "b"])
        name     = each.key
      }
      resource "test_thing" "one" { name = "one" }
      module "m" {
        source   = "./m"
        for_each = toset(["x", "y"])
      }
      import {
        for_each = ${source}
        to       = test_thing.a[each.key]
        id       = each.key
      }
      import {
        for_each = ${source}
        to       = module.m["x"].test_thing.in[each.value]
        id       = each.key
      }
    `;
    const child = 'resource "test_thing" "in" {\n  for_each = toset(["k"])\n  name = each.key\n}\n';
    const project = new TestProject();
    const write = (main: string): void => project.write({ 'main.tf': main, 'm/main.tf': child });
    write(text('toset([test_thing.n.id])'));
    expect(errorsOf((await project.plan()).diagnostics)[0]).toContain('Invalid for_each argument');
    const { plan, lines, diagnostics } = await project.plan(ALLOWED);
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(lines).toEqual([
      'create test_thing.n',
      'create test_thing.one',
      'create module.m["y"].test_thing.in["k"]',
    ]);
    expect(waiting(plan)).toEqual([
      'create test_thing.a["a"]: resource_config_unknown',
      'create test_thing.a["b"]: resource_config_unknown',
      'create module.m["x"].test_thing.in["k"]: resource_config_unknown',
    ]);

    // An object that is already in the state is the same object.
    write(text('toset([])'));
    await project.apply();
    write(text('toset([test_thing.new.id])') + 'resource "test_thing" "new" { name = "new" }');
    const second = await project.plan(ALLOWED);
    expect(second.lines).toEqual(['create test_thing.new']);
    expect(waiting(second.plan)).toEqual([]);

    write(
      text('toset([test_thing.newer.id])').replace('a[each.key]', 'b[each.key]') +
        'resource "test_thing" "newer" { name = "n" }\n' +
        'resource "test_thing" "b" {\n  for_each = toset([])\n  name = "b"\n}\n',
    );
    const astray = await project.plan(ALLOWED);
    expect(errorsOf(astray.diagnostics)).toEqual([
      'Configuration for import target does not exist: The configuration for the given import test_thing.b[*] does not exist. All target instances must have an associated configuration to be imported.',
    ]);
  });

  it('may not be found before an import, whose id is not known yet', async () => {
    const project = projectOf(`
      resource "test_thing" "a" { name = "a" }
      resource "test_thing" "c" { name = "c" }
      import {
        to = test_thing.c
        id = test_thing.a.id
      }`);
    const { plan, lines } = await project.plan(ALLOWED);
    expect(lines).toEqual(['create test_thing.a']);
    expect(waiting(plan)).toEqual(['create test_thing.c: resource_config_unknown']);
    expect(plan?.deferred[0]?.change.importing).toEqual({});
  });
});
