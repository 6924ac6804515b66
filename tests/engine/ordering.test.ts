import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

/** The calls that change something, in order. */
function changes(project: TestProject): readonly string[] {
  return project.world.calls.filter((call) => /^(create|update|delete) /.test(call));
}

function clear(project: TestProject): void {
  project.world.calls.length = 0;
}

const CHAIN = (suffix: string, meta = ''): string => `
resource "test_thing" "a" {
  name = "a"
  kind = "${suffix}"
}
resource "test_thing" "b" {
  name = "b"
  kind = test_thing.a.id
}
resource "test_thing" "c" {
  name = "c"
  kind = test_thing.b.id
  ${meta}
}
`;

describe('the order of changes', () => {
  it('creates dependencies before their dependents', async () => {
    const project = new TestProject();
    project.write(CHAIN('1'));
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual(['create a', 'create b', 'create c']);
  });

  it('destroys in the reverse order', async () => {
    const project = new TestProject();
    project.write(CHAIN('1'));
    await project.apply();
    clear(project);
    expect(errorsOf(await project.apply({ mode: 'destroy' }))).toEqual([]);
    expect(changes(project)).toEqual(['delete c', 'delete b', 'delete a']);
    expect(project.state.isEmpty).toBe(true);
    expect(project.world.objects.size).toBe(0);
  });

  it('destroys removed resources in reverse order', async () => {
    const project = new TestProject();
    project.write(CHAIN('1'));
    await project.apply();
    clear(project);
    project.write('');
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual(['delete c', 'delete b', 'delete a']);
  });

  it('replaces a chain by destroying from its end and creating from its start', async () => {
    const project = new TestProject();
    project.write(CHAIN('1'));
    await project.apply();
    clear(project);
    project.write(CHAIN('2'));
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual([
      'delete c',
      'delete b',
      'delete a',
      'create a',
      'create b',
      'create c',
    ]);
  });

  it('creates a complete chain first if its last object requires it', async () => {
    const project = new TestProject();
    const meta = 'lifecycle { create_before_destroy = true }';
    project.write(CHAIN('1', meta));
    await project.apply();
    clear(project);
    project.write(CHAIN('2', meta));
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual([
      'create a',
      'create b',
      'create c',
      'delete c',
      'delete b',
      'delete a',
    ]);
    expect(
      [...project.state.instances()].flatMap((addr) => [
        ...(project.state.instance(addr)?.deposed.keys() ?? []),
      ]),
    ).toEqual([]);
  });

  it('removes a dependent before its dependency is updated', async () => {
    const project = new TestProject();
    project.write(
      'resource "test_thing" "a" {\n name = "a"\n size = 1\n}\nresource "test_thing" "b" {\n name = "b"\n kind = test_thing.a.id\n}',
    );
    await project.apply();
    clear(project);
    project.write('resource "test_thing" "a" {\n name = "a"\n size = 2\n}');
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual(['delete b', 'update a']);
  });

  it('replaces the dependency of a forgotten object without waiting for it', async () => {
    const text = (kind: string): string => `
resource "test_thing" "a" {
  name = "a"
  kind = "${kind}"
}
resource "test_thing" "b" {
  name = "b"
  kind = test_thing.a.id
  lifecycle {
    destroy = false
  }
}
`;
    const project = new TestProject();
    project.write(text('1'));
    await project.apply();
    clear(project);
    project.write(text('2'));
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual(['delete a', 'create a', 'create b']);
    expect([...project.world.objects.keys()]).toEqual(['id-2', 'id-3', 'id-4']);
  });

  it('replaces the dependencies of a provider before that provider replaces its objects', async () => {
    const text = (kind: string): string => `
resource "test_thing" "a" {
  name = "a"
  kind = "${kind}"
}
provider "test" {
  alias  = "made"
  region = test_thing.a.id
}
resource "test_thing" "b" {
  name     = "b"
  kind     = test_thing.a.id
  provider = test.made
}
`;
    const project = new TestProject();
    project.write(text('1'));
    await project.apply();
    clear(project);
    project.write(text('2'));
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual(['delete a', 'create a', 'delete b', 'create b']);
  });

  it('drops create_before_destroy if the configuration permits no such order', async () => {
    const text = (kind: string, b: string, meta: string): string => `
resource "test_thing" "a" {
  name = "a"
  kind = "${kind}"
}
resource "test_thing" "${b}" {
  name   = "${b}"
  secret = test_thing.a.id
  ${meta}
}
resource "test_thing" "c" {
  name   = "c"
  secret = test_thing.${b}.id
}
`;
    const project = new TestProject();
    project.write(text('1', 'b', 'lifecycle { create_before_destroy = true }'));
    await project.apply();
    clear(project);
    project.write(text('2', 'b2', ''));
    expect(errorsOf(await project.apply())).toEqual([]);
    expect(changes(project)).toEqual(['delete b', 'delete a', 'create a', 'create b2', 'update c']);
  });

  it('skips the dependents of a failure and continues with the rest', async () => {
    const project = new TestProject();
    project.write(`
resource "test_thing" "a" {
  name = "a"
  fail = "create"
}
resource "test_thing" "b" {
  name = "b"
  kind = test_thing.a.id
}
resource "test_thing" "c" { name = "c" }
`);
    expect(errorsOf(await project.apply())).toEqual(['Cannot create: a refuses.']);
    expect([...changes(project)].sort()).toEqual(['create a', 'create c']);
    expect([...project.state.instances()].map((addr) => addr.text)).toEqual(['test_thing.c']);
  });
});

describe('failures', () => {
  it('keeps an object whose creation failed half-way as tainted, and replaces it next', async () => {
    const project = new TestProject();
    project.write('resource "test_thing" "a" {\n name = "a"\n fail = "partial"\n}');
    expect(errorsOf(await project.apply())).toEqual(['Cannot create: a refuses.']);
    const [addr] = project.state.instances();
    expect(addr === undefined ? undefined : project.state.instance(addr)?.current?.status).toBe(
      'tainted',
    );
    project.write('resource "test_thing" "a" {\n name = "a"\n}');
    const { lines } = await project.plan();
    expect(lines).toEqual(['delete-then-create test_thing.a: replace_because_tainted']);
  });

  it('restores the old object where its replacement could not be created first', async () => {
    const project = new TestProject();
    const text = (kind: string, fail: string): string =>
      `resource "test_thing" "a" {\n name = "a"\n kind = "${kind}"\n fail = ${fail}\n lifecycle { create_before_destroy = true }\n}`;
    project.write(text('1', 'null'));
    await project.apply();
    project.write(text('2', '"create"'));
    expect(errorsOf(await project.apply())).toEqual(['Cannot create: a refuses.']);
    const [addr] = project.state.instances();
    const instance = addr === undefined ? undefined : project.state.instance(addr);
    expect(instance?.deposed.size).toBe(0);
    expect(instance?.current?.attributesJson).toContain('"kind":"1"');
  });

  it('keeps an object that could not be deleted', async () => {
    const project = new TestProject();
    project.write('resource "test_thing" "a" {\n name = "a"\n fail = "delete"\n}');
    await project.apply();
    project.write('');
    expect(errorsOf(await project.apply())).toEqual(['Cannot delete: a refuses.']);
    expect(project.state.instanceCount).toBe(1);
  });

  it('records the intent before a provider is called, and the result after', async () => {
    const project = new TestProject();
    project.write('resource "test_thing" "a" { name = "a" }');
    await project.apply();
    const kinds = project.events
      .filter((event) => event.kind === 'intent' || event.kind === 'put')
      .map((event) => event.kind);
    expect(kinds).toEqual(['intent', 'put']);
  });
});
