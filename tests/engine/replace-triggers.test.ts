import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const thing = (name: string, body = ''): string =>
  `resource "test_thing" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;
const by = (...references: string[]): string =>
  `lifecycle {\n    replace_triggered_by = [${references.join(', ')}]\n  }`;

/** The instances of `b` that are replaced because of what happens from one configuration to the next. */
async function triggered(before: string, after: string): Promise<readonly string[]> {
  const project = new TestProject();
  project.world.delay = () => Promise.resolve();
  project.write(before);
  expect(errorsOf(await project.apply())).toEqual([]);
  project.write(after);
  const { lines, diagnostics } = await project.plan();
  expect(errorsOf(diagnostics)).toEqual([]);
  return lines
    .filter((line) => line.includes('test_thing.b'))
    .map((line) => line.replace(/^delete-then-create |: replace_by_triggers$/g, ''));
}

const sized = (sizes: readonly number[]): string =>
  thing('a', `count = ${sizes.length}\n  size = ${JSON.stringify(sizes)}[count.index]`);
const keyed = (x: number, y: number): string =>
  thing('a', `for_each = { x = ${x}, y = ${y} }\n  size = each.value`);

describe('replace_triggered_by', () => {
  it.each<[string, string, string, readonly string[]]>([
    [
      'a change of one of several instances',
      sized([1, 1]) + thing('b', by('test_thing.a')),
      sized([1, 2]) + thing('b', by('test_thing.a')),
      ['test_thing.b'],
    ],
    [
      'a change of another instance than the named one',
      sized([1, 1]) + thing('b', by('test_thing.a[0]')),
      sized([1, 2]) + thing('b', by('test_thing.a[0]')),
      [],
    ],
    [
      'a change of the instance with the same index',
      sized([1, 1]) + thing('b', `count = 2\n  ${by('test_thing.a[count.index]')}`),
      sized([1, 2]) + thing('b', `count = 2\n  ${by('test_thing.a[count.index]')}`),
      ['test_thing.b[1]'],
    ],
    [
      'a change of an attribute of the instance with the same key',
      keyed(1, 1) +
        thing('b', `for_each = toset(["x", "y"])\n  ${by('test_thing.a[each.key].size')}`),
      keyed(2, 1) +
        thing('b', `for_each = toset(["x", "y"])\n  ${by('test_thing.a[each.key].size')}`),
      ['test_thing.b["x"]'],
    ],
    [
      'a creation',
      sized([1]) + thing('b', by('test_thing.a')),
      sized([1, 1]) + thing('b', by('test_thing.a')),
      [],
    ],
    [
      'a removal',
      sized([1, 1]) + thing('b', by('test_thing.a')),
      sized([1]) + thing('b', by('test_thing.a')),
      [],
    ],
    [
      'a replacement',
      thing('a', 'kind = "1"') + thing('b', by('test_thing.a.id')),
      thing('a', 'kind = "2"') + thing('b', by('test_thing.a.id')),
      ['test_thing.b'],
    ],
    [
      'a replacement that leaves the named attribute',
      thing('a', 'kind = "1"') + thing('b', by('test_thing.a.name')),
      thing('a', 'kind = "2"') + thing('b', by('test_thing.a.name')),
      [],
    ],
    [
      'one of several references',
      thing('a', 'size = 1') + thing('c') + thing('b', by('test_thing.c', 'test_thing.a')),
      thing('a', 'size = 2') + thing('c') + thing('b', by('test_thing.c', 'test_thing.a')),
      ['test_thing.b'],
    ],
    [
      'the addition of the rule alone',
      thing('a', 'size = 1') + thing('b'),
      thing('a', 'size = 1') + thing('b', by('test_thing.a')),
      [],
    ],
  ])('answers %s', async (_what, before, after, expected) => {
    expect(await triggered(before, after)).toEqual(expected);
  });

  it('is transitive', async () => {
    const text = (size: number): string =>
      thing('a', `size = ${size}`) +
      thing('c', by('test_thing.a')) +
      thing('b', by('test_thing.c'));
    expect(await triggered(text(1), text(2))).toEqual(['test_thing.b']);
  });

  it('makes nothing of an instance that is to be created', async () => {
    const project = new TestProject();
    project.write(thing('a', 'size = 1'));
    await project.apply();
    project.write(thing('a', 'size = 2') + thing('b', by('test_thing.a')));
    const { plan, lines } = await project.plan();
    expect(lines[1]).toMatch(/^create test_thing\.b/);
    expect(plan?.changes[1]?.action).toBe('create');
  });
});
