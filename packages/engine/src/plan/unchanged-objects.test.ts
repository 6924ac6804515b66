import { ProviderConfigAddr } from '@terrane/addresses';
import {
  DYNAMIC,
  EMPTY_TUPLE_VALUE,
  jsonSourceOf,
  nullOf,
  number,
  object,
  parseNumber,
  str,
  STRING,
  tuple,
  type Value,
  valueFromJson,
  objectType,
  listType,
  mapType,
  NUMBER,
  setType,
} from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../evaluate/program.ts';
import type { Resource } from '../config/model.ts';
import type { PlannedChange } from '../objects/change.ts';
import type { State, StoredObject } from '../state/model.ts';
import { SampleProject } from './fixtures/sample-project.ts';
import { UnchangedObjects } from './unchanged-objects.ts';

const block = (name: string, lines: string): string =>
  `resource "test_thing" "${name}" {\n  ${lines}\n}\n`;

interface Sample {
  readonly unchanged: UnchangedObjects;
  readonly resource: (name: string) => Resource;
  readonly change: PlannedChange;
}

const NOTHING: Pick<State, 'instance'> = { instance: () => undefined };

/** A prior state in which every current object has these attributes. */
function priorOf(attributesJson: string): Pick<State, 'instance'> {
  const object: StoredObject = {
    status: 'ready',
    schemaVersion: 0,
    attributesJson,
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
    provider: ProviderConfigAddr.parse(
      'provider["registry.terraform.io/hashicorp/test"]',
    ) as ProviderConfigAddr,
  };
  return { instance: () => ({ current: object, deposed: new Map() }) };
}

/** Two resources, of which one is read, and the unchanged object of the other. */
async function sample(decodedObjects = 0, prior = NOTHING): Promise<Sample> {
  const project = new SampleProject(
    block('unread', 'name = test_thing.read.name') + block('read', 'name = "a"'),
  ).store({
    'test_thing.unread': { id: '1', name: 'a', size: 1.5 },
    'test_thing.read': { id: '2', name: 'a' },
  });
  const plan = await project.plan();
  const change = plan.changes.find(({ addr }) => addr.text === 'test_thing.unread');
  const { configuration, schemas } = await project.settings();
  const { program } = buildProgram(configuration, schemas);
  if (program === undefined || change === undefined) throw new Error('no plan');
  return {
    unchanged: new UnchangedObjects(program, prior, decodedObjects),
    resource: (name) => {
      const resource = configuration.root.resources.get(`test_thing.${name}`);
      if (resource === undefined) throw new Error(`no ${name}`);
      return resource;
    },
    change,
  };
}

const withValue = (change: PlannedChange, value: Value): PlannedChange => ({
  ...change,
  before: value,
  after: value,
});

/** Returns true if the values of a change are decoded when they are read. */
const isPacked = (change: PlannedChange | undefined): boolean =>
  Object.getOwnPropertyDescriptor(change, 'before')?.get !== undefined;

describe('an unchanged object of a large plan', () => {
  it('has the same content, and so has a copy of it', async () => {
    const { unchanged, resource, change } = await sample();
    expect(change.action).toBe('no-op');
    expect(change.before.attr('secret').isMarked).toBe(true);
    const retained = unchanged.retain(
      resource('unread'),
      { ...change, private: new Uint8Array(3) },
      undefined,
    );
    expect(retained.before).not.toBe(change.before);
    for (const each of [retained, { ...retained }]) {
      expect(each.before.rawEquals(change.before)).toBe(true);
      expect(each.after).toBe(each.before);
      const { addr, provider, action, schemaVersion, requiredReplace, private: data } = each;
      expect([addr, each.previousAddr, provider]).toEqual([
        change.addr,
        change.addr,
        change.provider,
      ]);
      expect([action, schemaVersion, requiredReplace]).toEqual(['no-op', 0, []]);
      expect(data).toEqual(new Uint8Array(3));
    }
  });

  it('has values of every kind and size', async () => {
    const { unchanged, resource, change } = await sample();
    const type = objectType(
      new Map([
        ['list', listType(NUMBER)],
        ['map', mapType(STRING)],
        ['set', setType(STRING)],
      ]),
    );
    const json = '{"list":[0.1,-1,18446744073709551617,1e-9],"map":{"ä":""},"set":["b","a"]}';
    const exact = parseNumber('123456789012345678901234567890.5');
    if (exact === undefined) throw new Error('no number');
    const values = [
      valueFromJson(json, type),
      valueFromJson(json, type).mark('sensitive'),
      tuple([str('x').mark('sensitive').mark('ephemeral'), str('y')]),
      tuple([str('x'), str('y').mark('sensitive')]),
      nullOf(type),
      object(new Map([['dynamic', nullOf(DYNAMIC)]])),
      object(new Map([['tuple', tuple([str('x'), number(exact), EMPTY_TUPLE_VALUE])]])),
      object(new Map([['large', str('x'.repeat(3_000_000))]])),
      object(new Map([['half', str('y'.repeat(700_000))]])),
      object(new Map([['other', str('z'.repeat(700_000))]])),
      valueFromJson(json, type),
    ];
    const retained = values.map((value) =>
      unchanged.retain(resource('unread'), withValue(change, value), undefined),
    );
    for (const [i, value] of [...values.entries()].reverse()) {
      expect(isPacked(retained[i])).toBe(true);
      const decoded = retained[i]?.before;
      expect(decoded?.type).toBe(value.type);
      expect(decoded?.rawEquals(value)).toBe(true);
    }
  });

  it('is decoded again from the text in the prior state', async () => {
    const type = objectType(
      new Map([
        ['any', DYNAMIC],
        ['name', STRING],
      ]),
    );
    const json = '{"any":{"type":"number","value":1},"name":"n"}';
    const prior = priorOf(json);
    const { unchanged, resource, change } = await sample(0, prior);
    const retain = (value: Value, text: string | undefined): PlannedChange =>
      unchanged.retain(resource('unread'), withValue(change, value), text);
    const value = valueFromJson(json, type);
    expect(jsonSourceOf(value)).toEqual({ json, type });
    const stored = retain(value, json);
    const otherText = retain(value, json.replace('"n"', '"m"'));
    const marked = retain(value.mark('sensitive'), json);
    // After another call the source of the value is not known any more.
    valueFromJson('{"any":null,"name":null}', type);
    expect(jsonSourceOf(value)).toBeUndefined();
    const unknownSource = retain(value, json);
    for (const retained of [stored, otherText, unknownSource]) {
      expect(isPacked(retained)).toBe(true);
      expect(retained.before).not.toBe(value);
      expect(retained.before.type).toBe(value.type);
      expect(retained.before.rawEquals(value)).toBe(true);
      expect(retained.after).toBe(retained.before);
    }
    expect(marked.before.rawEquals(value.mark('sensitive'))).toBe(true);
    // Only the first one is read from the prior state.
    prior.instance = () => undefined;
    expect(() => ({ ...stored })).toThrow('the prior state has no test_thing.unread');
    for (const retained of [otherText, unknownSource, marked])
      expect(retained.before).toBeDefined();
  });

  it('stays decoded if it is read, changes or is one of the first', async () => {
    const { unchanged, resource, change } = await sample();
    const retained = (name: string, each: PlannedChange): boolean =>
      unchanged.retain(resource(name), each, undefined) === each;
    expect(retained('read', change)).toBe(true);
    expect(retained('unread', { ...change, action: 'update' })).toBe(true);
    expect(retained('unread', { ...change, after: nullOf(change.after.type) })).toBe(true);
    expect(retained('unread', { ...change, importing: { id: 'i' } })).toBe(true);
    expect(retained('unread', change)).toBe(false);
    const small = await sample(2);
    const read = [1, 2, 3].map(
      () =>
        small.unchanged.retain(small.resource('unread'), small.change, undefined) === small.change,
    );
    expect(read).toEqual([true, true, false]);
  });
});

it('plans ten thousand unchanged objects with the values of the state', async () => {
  const count = 10_002;
  const project = new SampleProject(block('a', `count = ${count}\n  name = "n\${count.index}"`));
  project.store(
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `test_thing.a[${i}]`,
        { id: `${i}`, name: `n${i}`, size: i },
      ]),
    ),
  );
  const { plan, evaluation } = await project.tryPlan();
  expect(plan?.changes.map(isPacked).filter(Boolean).length).toBe(2);
  const texts = plan?.changes.map(({ action, before, after }) => {
    const [id, name, size] = ['id', 'name', 'size'].map((each) => before.attr(each));
    return `${action} ${id?.asString()} ${name?.asString()} ${before === after} ${size?.isNull}`;
  });
  expect(texts).toEqual(Array.from({ length: count }, (_, i) => `no-op ${i} n${i} true false`));
  // A console or an inspector may read the values of resources that the configuration does not refer to.
  const cell = evaluation?.root.resources.get('test_thing.a');
  expect([...(cell?.values.keys() ?? [])]).toEqual(Array.from({ length: count }, (_, i) => i));
  expect(
    cell?.values
      .get(count - 1)
      ?.attr('name')
      .asString(),
  ).toBe(`n${count - 1}`);
});

it('reads the values of ten thousand new objects from their changes', async () => {
  const count = 10_002;
  const project = new SampleProject(block('a', `count = ${count}\n  name = "n\${count.index}"`));
  const { plan, evaluation } = await project.tryPlan();
  expect(plan?.changes.filter(({ action }) => action === 'create').length).toBe(count);
  const values = evaluation?.root.resources.get('test_thing.a')?.values;
  const names = Array.from({ length: count }, (_, i) => `n${i}`);
  expect([...(values?.values() ?? [])].map((value) => value.attr('name').asString())).toEqual(
    names,
  );
  // The schema's marks are those of values that are recorded one by one.
  expect(values?.get(0)?.attr('secret').isMarked).toBe(true);
  expect(values?.get(count - 1)?.attr('secret').isMarked).toBe(true);
});

it('counts all changes of a plan, and reads values from them if nothing refers to the resource', async () => {
  const { unchanged, resource } = await sample(1);
  const answers = ['unread', 'unread', 'read', 'unread'].map((name) =>
    unchanged.isReadFromChanges(resource(name)),
  );
  expect(answers).toEqual([false, true, false, true]);
});
