import type { Step } from '@terrane/engine';
import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const thing = (name: string, body = ''): string =>
  `resource "test_thing" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;
const FIRST = 'lifecycle {\n    create_before_destroy = true\n  }';

interface Size {
  readonly steps: number;
  readonly edges: number;
}

function sizeOf(steps: readonly Step[]): Size {
  return { steps: steps.length, edges: steps.reduce((sum, step) => sum + step.after.length, 0) };
}

async function planned(
  project: TestProject,
  text: string,
  mode: 'normal' | 'destroy' = 'normal',
): Promise<readonly Step[]> {
  project.write(text);
  const { plan, diagnostics } = await project.plan({ mode, refresh: false });
  expect(errorsOf(diagnostics)).toEqual([]);
  return plan?.steps ?? [];
}

interface Growth {
  readonly what: string;
  readonly before: (count: number) => string;
  readonly after: (count: number) => string;
  readonly mode?: 'destroy';
  /** steps and edges for each instance more */
  readonly each: Size;
}

const many = (name: string, count: number, body = ''): string =>
  thing(name, `count = ${count}\n  ${body}`);
const pair =
  (kind: string, more = '') =>
  (count: number): string =>
    many('a', count, `kind = "${kind}"\n  ${more}`) +
    many('b', count, `kind = test_thing.a[count.index].id\n  ${more}`);
const usesAll =
  (kind: string) =>
  (count: number): string =>
    many('a', count, `kind = "${kind}"`) + many('b', count, 'kind = join(",", test_thing.a[*].id)');
const nothing = (): string => '';

const GROWTHS: readonly Growth[] = [
  {
    what: 'independent creations',
    before: nothing,
    after: (count) => many('a', count),
    each: { steps: 1, edges: 2 },
  },
  { what: 'creations in pairs', before: nothing, after: pair('1'), each: { steps: 2, edges: 4 } },
  {
    what: 'creations that each need all others',
    before: nothing,
    after: usesAll('1'),
    each: { steps: 2, edges: 4 },
  },
  {
    what: 'replacements in pairs',
    before: pair('1'),
    after: pair('2'),
    each: { steps: 4, edges: 10 },
  },
  {
    what: 'replacements that each need all others',
    before: usesAll('1'),
    after: usesAll('2'),
    each: { steps: 4, edges: 10 },
  },
  {
    what: 'replacements that create first',
    before: pair('1', FIRST),
    after: pair('2', FIRST),
    each: { steps: 4, edges: 14 },
  },
  { what: 'removals in pairs', before: pair('1'), after: nothing, each: { steps: 2, edges: 4 } },
  {
    what: 'a destruction',
    before: pair('1'),
    after: pair('1'),
    mode: 'destroy',
    each: { steps: 2, edges: 4 },
  },
  {
    what: 'instances to which nothing is done',
    before: pair('1'),
    after: pair('1'),
    each: { steps: 0, edges: 0 },
  },
];

describe('the steps of a plan', () => {
  it.each(GROWTHS)('grow linearly with $what', async ({ before, after, mode, each }) => {
    const sizes: Size[] = [];
    for (const count of [2, 6, 22]) {
      const project = new TestProject();
      project.world.delay = () => Promise.resolve();
      project.write(before(count));
      expect(errorsOf(await project.apply())).toEqual([]);
      sizes.push(sizeOf(await planned(project, after(count), mode)));
    }
    const [small, medium, large] = sizes;
    if (small === undefined || medium === undefined || large === undefined)
      throw new Error('no sizes');
    expect({
      steps: (medium.steps - small.steps) / 4,
      edges: (medium.edges - small.edges) / 4,
    }).toEqual(each);
    expect({
      steps: (large.steps - medium.steps) / 16,
      edges: (large.edges - medium.edges) / 16,
    }).toEqual(each);
  });

  it('stay few where many resources build on each other in a chain', async () => {
    const chain = (length: number, kind: string): string =>
      Array.from({ length }, (_, index) =>
        thing(
          `t${index}`,
          `kind = ${index === 0 ? `"${kind}"` : `test_thing.t${index - 1}.id`}\n  ${index === length - 1 ? FIRST : ''}`,
        ),
      ).join('');
    const project = new TestProject();
    project.world.delay = () => Promise.resolve();
    project.write(chain(30, '1'));
    expect(errorsOf(await project.apply())).toEqual([]);
    const { steps, edges } = sizeOf(await planned(project, chain(30, '2')));
    expect(steps).toBeLessThan(30 * 12);
    // The dependencies, direct and indirect, are edges of the resource and not of its instances.
    expect(edges).toBeLessThan(30 * 15 * 8);
  });

  it('only wait for steps that there are, in an order that can be followed', async () => {
    const project = new TestProject();
    project.write(pair('1', FIRST)(3));
    await project.apply();
    const steps = await planned(project, pair('2', FIRST)(3));
    const done = new Set<number>();
    for (let before = -1; before < done.size;) {
      before = done.size;
      for (const step of steps) if (step.after.every((id) => done.has(id))) done.add(step.id);
    }
    expect(done.size).toBe(steps.length);
    expect(steps.map((step) => step.id)).toEqual(steps.map((_, index) => index));
  });
});

/** The calls that change something, in order. */
function changes(project: TestProject): readonly string[] {
  return project.world.changes.map((call) => `${call.action} ${call.address}`);
}

async function changed(
  before: string,
  after: string,
): Promise<{ readonly project: TestProject; readonly errors: readonly string[] }> {
  const project = new TestProject();
  project.write(before);
  expect(errorsOf(await project.apply())).toEqual([]);
  project.world.changes.length = 0;
  project.write(after);
  return { project, errors: errorsOf(await project.apply()) };
}

describe('the order where references change', () => {
  const user = (of: string, more = ''): string => thing('user', `secret = ${of}\n  ${more}`);

  it('removes a dependency before its user refers to something else', async () => {
    const { project, errors } = await changed(
      thing('old') + user('test_thing.old.id'),
      thing('new') + user('test_thing.new.id'),
    );
    expect(errors).toEqual([]);
    expect(changes(project).filter((call) => !call.startsWith('create'))).toEqual([
      'delete test_thing.old',
      'update test_thing.user',
    ]);
  });

  it('removes it only after that where it is one that is replaced by creating first', async () => {
    const { project, errors } = await changed(
      thing('old', FIRST) + user('test_thing.old.id'),
      thing('new', FIRST) + user('test_thing.new.id'),
    );
    expect(errors).toEqual([]);
    expect(changes(project)).toEqual([
      'create test_thing.new',
      'update test_thing.user',
      'delete test_thing.old',
    ]);
  });

  it('deletes an instance in the order of the state, if the configuration no longer creates first', async () => {
    const { project, errors } = await changed(
      thing('old', `count = 1\n  ${FIRST}`) + user('join(",", test_thing.old[*].id)'),
      thing('old', 'count = 0') + user('join(",", test_thing.old[*].id)'),
    );
    expect(errors).toEqual([]);
    expect(changes(project)).toEqual(['update test_thing.user', 'delete test_thing.old[0]']);
  });

  it('can turn a reference round between two that are replaced', async () => {
    const { project, errors } = await changed(
      thing('a', 'kind = "1${test_thing.b.id}"') + thing('b', 'kind = "1"'),
      thing('a', 'kind = "2"') + thing('b', 'kind = "2${test_thing.a.id}"'),
    );
    expect(errors).toEqual([]);
    // Nothing orders the creation of a and the deletion of b.
    const made = changes(project);
    const first = ['delete test_thing.a', 'create test_thing.a', 'create test_thing.b'];
    const second = ['delete test_thing.a', 'delete test_thing.b', 'create test_thing.b'];
    expect(made.filter((change) => first.includes(change))).toEqual(first);
    expect(made.filter((change) => second.includes(change))).toEqual(second);
    expect(made).toHaveLength(4);
  });

  it('can turn a reference round where one of the two creates first', async () => {
    const { project, errors } = await changed(
      thing('a', `kind = "1\${test_thing.b.id}"\n  ${FIRST}`) + thing('b', 'kind = "1"'),
      thing('a', `kind = "2"\n  ${FIRST}`) + thing('b', 'kind = "2${test_thing.a.id}"'),
    );
    expect(errors).toEqual([]);
    // The rule that `a` is deleted only after everything refers to its replacement cannot be satisfied.
    expect(changes(project)).toEqual([
      'create test_thing.a',
      'delete test_thing.a',
      'delete test_thing.b',
      'create test_thing.b',
    ]);
  });

  it('relaxes only the order inside a cycle', async () => {
    const { project, errors } = await changed(
      thing('a', `kind = "1\${test_thing.b.id}"\n  ${FIRST}`) +
        thing('b', 'kind = "1"') +
        thing('old', `kind = "1"\n  ${FIRST}`) +
        user('test_thing.old.id'),
      thing('a', `kind = "2"\n  ${FIRST}`) +
        thing('b', 'kind = "2${test_thing.a.id}"') +
        thing('old', `kind = "2"\n  ${FIRST}`) +
        user('test_thing.old.id'),
    );
    expect(errors).toEqual([]);
    expect(changes(project).filter((change) => /old|user/.test(change))).toEqual([
      'create test_thing.old',
      'update test_thing.user',
      'delete test_thing.old',
    ]);
  });

  it('updates before its dependency is deleted if another dependent creates first', async () => {
    const { project, errors } = await changed(
      thing('base', 'size = 1') +
        thing('old', 'kind = test_thing.base.id') +
        thing('last', 'kind = test_thing.old.id'),
      thing('base', 'size = 2') +
        thing('new', 'kind = test_thing.base.id') +
        thing('last', `kind = test_thing.new.id\n  ${FIRST}`),
    );
    expect(errors).toEqual([]);
    expect(changes(project)).toEqual([
      'update test_thing.base',
      'create test_thing.new',
      'create test_thing.last',
      'delete test_thing.last',
      'delete test_thing.old',
    ]);
  });

  it('deletes a replaced object if only the end of its module depends on it', async () => {
    const { project, errors } = await changed(
      thing('gone', 'for_each = toset(["x"])') +
        thing('last', `kind = join(",", values(test_thing.gone)[*].id)\n  ${FIRST}`),
      thing('gone', 'for_each = toset(["y"])') + thing('last', `kind = "k"\n  ${FIRST}`),
    );
    expect(errors).toEqual([]);
    expect(project.world.objects.size).toBe(2);
  });
});
