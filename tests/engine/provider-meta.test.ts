import { expect, test } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const CONFIGURATION = {
  'main.tf': `
terraform {
  provider_meta "test" {
    tag = "root"
  }
}
resource "test_thing" "a" {
  name = "a"
}
data "test_lookup" "d" {
  name = "d"
}
module "child" {
  source = "./child"
}
`,
  'child/main.tf': `
terraform {
  provider_meta "test" {
    tag = "child"
  }
}
resource "test_thing" "b" {
  name = "b"
}
`,
};

test('the provider_meta of a module is passed with each call for its objects', async () => {
  const project = new TestProject();
  project.write(CONFIGURATION);
  expect(errorsOf(await project.apply())).toEqual([]);
  const { metas } = project.world;
  expect([...new Set(metas)].sort()).toEqual([
    'apply child',
    'apply root',
    'lookup root',
    'plan child',
    'plan root',
  ]);
  metas.length = 0;
  await project.plan();
  expect(metas).toContain('read child');
  expect(metas).toContain('read root');
});

test('it is also passed when objects are destroyed', async () => {
  const project = new TestProject();
  project.write(CONFIGURATION);
  await project.apply();
  project.world.metas.length = 0;
  expect(errorsOf(await project.apply({ mode: 'destroy', refresh: false }))).toEqual([]);
  expect([...project.world.metas].sort()).toEqual(['apply child', 'apply root']);
  expect(project.world.objects.size).toBe(0);
});
