import { AbsResource } from '@terrane/addresses';
import { expect, it } from 'vitest';
import { addressOf, explainerOf, ROOT, SampleProject } from './fixtures/sample-explainer.ts';
import { valueIn } from './values.ts';
import type { Place } from './worlds.ts';

const OLD = { id: 'i', name: 'old', size: 1 };

async function worldsOf(text: string, stored: readonly string[] = ['test_thing.a']) {
  const project = new SampleProject(text);
  project.store(Object.fromEntries(stored.map((address) => [address, OLD])));
  return await explainerOf(project);
}

it('the configuration is evaluated with the stored and with the planned objects', async () => {
  const { worlds, local } = await worldsOf(
    'resource "test_thing" "a" {\n  name = "new"\n}\nlocals {\n  n = "${test_thing.a.name}!"\n}\n',
  );
  expect(valueIn(local('n'), worlds.before.scope(ROOT))?.asString()).toBe('old!');
  expect(valueIn(local('n'), worlds.after.scope(ROOT))?.asString()).toBe('new!');
});

it('stored objects of instances that the configuration no longer has are still there before', async () => {
  const { worlds, local } = await worldsOf(
    'resource "test_thing" "a" {\n  count = 1\n  name = "new"\n}\nlocals {\n  n = length(test_thing.a)\n}\n',
    ['test_thing.a[0]', 'test_thing.a[1]'],
  );
  expect(valueIn(local('n'), worlds.before.scope(ROOT))?.asInt()).toBe(2);
  expect(valueIn(local('n'), worlds.after.scope(ROOT))?.asInt()).toBe(1);
});

it('each and count have the values of an instance', async () => {
  const { worlds, facts } = await worldsOf(
    'resource "test_thing" "a" {\n  for_each = { x = "one" }\n  name = each.value\n}\n',
    [],
  );
  const addr = addressOf('test_thing.a["x"]');
  const resource = facts.resource(addr);
  const change = facts.changes.get(addr);
  const schema = change && facts.schemaOf(change);
  if (resource === undefined || schema === undefined) throw new Error('no resource');
  const place: Place = { ...ROOT, within: { repeatable: resource, key: 'x' } };
  const body = worlds.after.body(resource, schema, place, addr);
  expect(body?.attr('name').asString()).toBe('one');
});

it('a module instance that does not exist has no scope', async () => {
  const { worlds } = await worldsOf('');
  const { module } = addressOf('module.m.test_thing.a').resource;
  expect(worlds.after.scope({ module })).toBeUndefined();
});

it('the instances of a resource are expanded as in the plan', async () => {
  const { worlds, facts } = await worldsOf(
    'resource "test_thing" "a" {\n  count = 2\n  name = "new"\n}\n',
    [],
  );
  const addr = addressOf('test_thing.a[0]');
  const resource = facts.resource(addr);
  const cells = worlds.after.evaluation.find(ROOT.module);
  if (resource === undefined || cells === undefined) throw new Error('no resource');
  expect(worlds.after.expansion(cells, resource)).toMatchObject({ kind: 'count' });
  const abs = AbsResource.of(ROOT.module, resource.addr);
  expect(facts.plannedKeys(abs)).toEqual([0, 1]);
});
