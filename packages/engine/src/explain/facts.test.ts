import { AbsResource, ResourceAddr, ROOT_INSTANCE } from '@terrane/addresses';
import { describe, expect, it } from 'vitest';
import { addressOf, explainerOf, SampleProject } from './fixtures/sample-explainer.ts';

const MAIN = `
resource "test_thing" "a" {
  count = 2
  name  = "new"
}
module "m" {
  source = "./m"
  count  = 1
}
data "test_lookup" "d" {
  name       = "x"
  depends_on = [test_thing.a]
}
`;

async function factsOf() {
  const project = new SampleProject({
    'main.tf': MAIN,
    'm/main.tf': 'resource "test_thing" "inner" {\n  name = "inner"\n}\n',
  }).store({
    'test_thing.a[0]': { id: '0', name: 'old', size: 1 },
    'test_thing.a[2]': { id: '2', name: 'old', size: 1 },
    'module.m[0].test_thing.inner': { id: 'i', name: 'inner', size: 1 },
    'module.m[1].test_thing.inner': { id: 'j', name: 'inner', size: 1 },
  });
  return await explainerOf(project);
}

describe('the facts of a plan', () => {
  it('have stored and planned objects', async () => {
    const { facts } = await factsOf();
    const names = (text: string) =>
      [facts.stored(addressOf(text)), facts.planned(addressOf(text))].map((value) =>
        value?.attr('name').asString(),
      );
    expect(names('test_thing.a[0]')).toEqual(['old', 'new']);
    expect(names('test_thing.a[1]')).toEqual([undefined, 'new']);
    expect(names('test_thing.a[2]')).toEqual(['old', undefined]);
  });

  it('have the keys of planned instances and stored module instances', async () => {
    const { facts } = await factsOf();
    const resource = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'test_thing', 'a'));
    expect(facts.plannedKeys(resource)).toEqual([0, 1]);
    expect(facts.moduleKeys(ROOT_INSTANCE, 'm')).toEqual([0, 1]);
    expect(facts.moduleKeys(ROOT_INSTANCE, 'absent')).toEqual([]);
  });

  it('know which modules have stored objects', async () => {
    const { facts } = await factsOf();
    expect(facts.hasObjects(ROOT_INSTANCE.child('m', 1))).toBe(true);
    expect(facts.hasObjects(ROOT_INSTANCE.child('m', 2))).toBe(false);
  });

  it('have the changes that a data source waits for', async () => {
    const { facts, worlds } = await factsOf();
    const awaited = facts.awaitedBy(addressOf('data.test_lookup.d'), worlds.program);
    expect(awaited.map(({ addr, action }) => `${action} ${addr.text}`)).toEqual([
      'update test_thing.a[0]',
      'create test_thing.a[1]',
      'delete test_thing.a[2]',
    ]);
  });

  it('have the import block of each instance of a module', async () => {
    const block = (key: string) =>
      `import {\n  to = module.m["${key}"].test_thing.inner\n  id = "${key}"\n}\n`;
    const project = new SampleProject({
      'main.tf': `module "m" {\n  source   = "./m"\n  for_each = toset(["x", "y"])\n}\n${block('x')}${block('y')}`,
      'm/main.tf': 'resource "test_thing" "inner" {\n  name = "inner"\n}\n',
    }).store({
      'module.m["x"].test_thing.inner': { id: 'x', name: 'inner', size: 1 },
      'module.m["y"].test_thing.inner': { id: 'y', name: 'inner', size: 1 },
    });
    const { facts } = await explainerOf(project);
    const line = (text: string) => facts.importedBy(addressOf(text))?.from.line;
    expect(line('module.m["x"].test_thing.inner')).toBe(5);
    expect(line('module.m["y"].test_thing.inner')).toBe(9);
  });
});
