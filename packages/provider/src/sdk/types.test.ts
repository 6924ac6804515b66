import type { Value } from '@terrane/cty';
import { expect, expectTypeOf, test } from 'vitest';
import {
  alsoRequires,
  bigInt64,
  conflicting,
  conflictsWith,
  dataSource,
  decimal,
  defineProvider,
  dynamic,
  ephemeralResource,
  gone,
  groupBlock,
  ifKnown,
  int64,
  isUnknown,
  list,
  listBlock,
  listNested,
  map,
  nullable,
  object,
  parameter,
  privateData,
  providerFunction,
  resource,
  set,
  singleBlock,
  singleNested,
  string,
  timeouts,
  unknown,
  upgradeFrom,
  withClient,
} from './index.ts';
import type { Gone, Unknown } from './index.ts';
import type { Answer } from './views.ts';

// The compiler checks this file: a line marked @ts-expect-error must not compile.

interface Api {
  readonly make: (name: string) => Promise<{ id: string; url: string }>;
}

const api = withClient<Api>();

const disk = {
  size: int64({ required: true }),
  label: string({ optional: true }),
  device: string({ computed: true }),
};

test('handlers receive the values of the schema in the type of their context', () => {
  resource({
    attributes: {
      name: string({ required: true, requiresReplace: true }),
      size: int64({ optional: true }),
      separator: string({ default: '-' }),
      id: string({ computed: true }),
      zone: string({ optional: true, computed: true }),
      note: string({ computed: true, nullable: true }),
      secret: string({ optional: true, writeOnly: true }),
      tags: map(nullable(string), { optional: true }),
      ports: set(int64, { optional: true }),
      big: bigInt64({ optional: true }),
      exact: decimal({ optional: true }),
      anything: dynamic({ optional: true }),
      address: object({ host: string, port: int64 }, { optional: true }),
      boot: singleNested(disk, { required: true }),
      disks: listNested(disk, { optional: true }),
      timeouts: timeouts({ create: '20m' }),
    },
    blocks: {
      network: listBlock({ cidr: string({ required: true }), ip: string({ computed: true }) }),
      policy: singleBlock({ mode: string({ optional: true }) }),
      limits: groupBlock({ cpu: int64({ optional: true }) }),
    },
    validate: ({ config }) => {
      expectTypeOf(config.name).toEqualTypeOf<string | Unknown>();
      expectTypeOf(config.size).toEqualTypeOf<number | Unknown | null>();
      expectTypeOf(config.id).toEqualTypeOf<null>();
      expectTypeOf(config.secret).toEqualTypeOf<string | Unknown | null>();
      expectTypeOf(config.ports).toEqualTypeOf<readonly (number | Unknown)[] | Unknown | null>();
      expectTypeOf(config.address).toEqualTypeOf<
        { readonly host: string | Unknown; readonly port: number | Unknown } | Unknown | null
      >();
      if (!isUnknown(config.boot)) {
        expectTypeOf(config.boot.size).toEqualTypeOf<number | Unknown>();
        expectTypeOf(config.boot.device).toEqualTypeOf<null>();
      }
      if (!isUnknown(config.network)) {
        const [first] = config.network;
        if (first !== undefined && !isUnknown(first)) {
          expectTypeOf(first.cidr).toEqualTypeOf<string | Unknown>();
        }
      }
      expectTypeOf(ifKnown(config.size)).toEqualTypeOf<number | null | undefined>();
      // @ts-expect-error: there is no such argument
      void config.nam;
    },
    create: ({ plan, config, changed }) => {
      expectTypeOf(plan.name).toEqualTypeOf<string>();
      expectTypeOf(plan.size).toEqualTypeOf<number | null>();
      expectTypeOf(plan.separator).toEqualTypeOf<string>();
      expectTypeOf(plan.id).toEqualTypeOf<string | Unknown>();
      expectTypeOf(plan.zone).toEqualTypeOf<string | Unknown>();
      expectTypeOf(plan.note).toEqualTypeOf<string | Unknown | null>();
      expectTypeOf(plan.secret).toEqualTypeOf<null>();
      expectTypeOf(config.secret).toEqualTypeOf<string | null>();
      expectTypeOf(plan.tags).toEqualTypeOf<Readonly<Record<string, string | null>> | null>();
      expectTypeOf(plan.ports).toEqualTypeOf<readonly number[] | null>();
      expectTypeOf(plan.big).toEqualTypeOf<bigint | null>();
      expectTypeOf(plan.exact).toEqualTypeOf<string | null>();
      expectTypeOf(plan.anything).toEqualTypeOf<Value | null>();
      expectTypeOf(plan.boot.device).toEqualTypeOf<string | Unknown>();
      expectTypeOf(plan.boot.label).toEqualTypeOf<string | null>();
      expectTypeOf(plan.network[0]?.cidr).toEqualTypeOf<string | undefined>();
      expectTypeOf(plan.policy?.mode).toEqualTypeOf<string | null | undefined>();
      expectTypeOf(plan.limits.cpu).toEqualTypeOf<number | null>();
      expectTypeOf(plan.timeouts?.create).toEqualTypeOf<string | null | undefined>();
      changed('size');
      changed(['boot', 'size']);
      changed(['disks', 0, 'label']);
      changed(['tags', 'a']);
      // @ts-expect-error: there is no such argument
      changed('sise');
      // @ts-expect-error: there is no such argument inside
      changed(['boot', 'sise']);
      // @ts-expect-error: there is no such argument
      void plan.sise;
      // @ts-expect-error: it may not be known yet
      const id: string = plan.id;
      return {
        ...plan,
        id: `${id}x`,
        zone: ifKnown(plan.zone, 'a'),
        note: null,
        boot: { ...plan.boot, device: 'sda' },
        disks: plan.disks?.map((d) => ({ ...d, device: 'sdb' })) ?? null,
        network: plan.network.map((n) => ({ ...n, ip: '10.0.0.1' })),
      };
    },
    read: ({ state }) => {
      expectTypeOf(state.id).toEqualTypeOf<string>();
      expectTypeOf(state.note).toEqualTypeOf<string | null>();
      expectTypeOf(state.secret).toEqualTypeOf<null>();
      if (state.id === '') return gone;
      return { ...state, size: 4 };
    },
  });
});

const attributes = { name: string({ required: true }), id: string({ computed: true }) };

test('an answer has exactly the attributes of the schema', () => {
  resource({ attributes, create: ({ plan }) => ({ ...plan, id: 'x' }) });
  resource({ attributes, create: ({ plan }) => Promise.resolve({ ...plan, id: 'x' }) });
  resource({
    attributes,
    // @ts-expect-error: `nmae` is misspelt
    create: ({ plan }) => ({ ...plan, id: 'x', nmae: 3 }),
  });
  resource({
    attributes,
    // @ts-expect-error: `id` is not known yet
    create: ({ plan }) => ({ ...plan }),
  });
  resource({
    attributes,
    // @ts-expect-error: `id` is missing
    create: ({ plan }) => ({ name: plan.name }),
  });
  resource({
    attributes,
    // @ts-expect-error: `id` is text
    create: ({ plan }) => ({ ...plan, id: 5 }),
  });
  resource({
    attributes,
    create: ({ plan }) => ({ ...plan, id: 'x' }),
    // @ts-expect-error: there is no `size`, also in promises of several things
    read: async ({ state }) => {
      if (state.id === 'x') return await Promise.resolve(gone);
      return { ...state, size: 4 };
    },
  });
  resource({
    attributes: { boot: singleNested(disk, { required: true }) },
    // @ts-expect-error: `lable` is misspelt inside
    create: ({ plan }) => ({ boot: { ...plan.boot, device: 'sda', lable: 'x' } }),
  });
});

test('plans, saved parts, imports and upgrades are held to the schema too', () => {
  resource({
    attributes,
    modifyPlan: ({ isNew }) => (isNew ? { id: unknown({ prefix: 'i-' }) } : undefined),
    create: ({ plan, save }) => {
      save({ id: 'x' });
      // @ts-expect-error: there is no such argument
      save({ di: 'x' });
      return { ...plan, id: 'x' };
    },
    import: ({ id }) => ({ id: id ?? '', name: 'n' }),
    upgraders: {
      0: upgradeFrom({ attributes: { title: string({ required: true }) } }, ({ title }) => ({
        id: 'x',
        name: title,
      })),
      1: (raw) => ({ id: 'x', name: typeof raw['name'] === 'string' ? raw['name'] : '' }),
      // @ts-expect-error: `name` is missing
      2: () => ({ id: 'x' }),
    },
  });
  resource({
    attributes,
    // @ts-expect-error: there is no such argument
    modifyPlan: () => ({ di: unknown() }),
    create: ({ plan }) => ({ ...plan, id: 'x' }),
  });
  resource({
    attributes,
    create: ({ plan }) => ({ ...plan, id: 'x' }),
    // @ts-expect-error: `name` is required
    import: ({ id }) => ({ id: id ?? '' }),
  });
});

test('neighbours that validators name are arguments or blocks', () => {
  resource({
    attributes: {
      a: string({ optional: true, validators: [conflictsWith('b', 'c')] }),
      b: string({ optional: true, validators: [(text) => (text === '' ? 'is empty' : undefined)] }),
    },
    blocks: { c: listBlock({ x: string({ optional: true }) }) },
    validators: [conflicting('a', 'b')],
    create: ({ plan }) => plan,
  });
  resource({
    attributes: {
      // @ts-expect-error: there is no `d`
      a: string({ optional: true, validators: [alsoRequires('d')] }),
      b: string({ optional: true }),
    },
    create: () => ({ a: null, b: null }),
  });
  resource({
    attributes: { a: string({ optional: true }) },
    // @ts-expect-error: there is no `d`
    validators: [conflicting('a', 'd')],
    create: () => ({ a: null }),
  });
  listNested(
    // @ts-expect-error: neighbours are those inside
    { a: string({ optional: true, validators: [conflictsWith('outside')] }) },
    { optional: true },
  );
});

test('an argument declares the source of its value', () => {
  // @ts-expect-error: required, optional or computed?
  resource({ attributes: { a: string({ description: 'x' }) }, create: () => ({ a: 'x' }) });
  // @ts-expect-error: the default is no text
  expect(() => string({ default: 5 })).toThrow('expected a string');
  string({ required: true, validators: [(text) => (text.length > 3 ? 'is long' : undefined)] });
  list(string, {
    optional: true,
    requiresReplace: ({ prior, planned }) => {
      expectTypeOf(prior).toEqualTypeOf<readonly string[] | null>();
      expectTypeOf(planned).toEqualTypeOf<readonly (string | Unknown)[] | Unknown | null>();
      return true;
    },
  });
});

test('handlers get the client that configuring makes', () => {
  const server = api.resource({
    attributes,
    private: privateData<{ etag: string }>(),
    create: async ({ plan, client, setPrivate }) => {
      const { id } = await client.make(plan.name);
      setPrivate({ etag: 'x' });
      // @ts-expect-error: there is no such entry
      setPrivate({ tag: 'x' });
      // @ts-expect-error: the client cannot do that
      void client.destroy;
      return { ...plan, id };
    },
    read: ({ state, private: kept }) => {
      expectTypeOf(kept.etag).toEqualTypeOf<string | undefined>();
      return state;
    },
  });
  const made = api.dataSource({
    attributes: { name: string({ required: true }), url: string({ computed: true }) },
    read: async ({ config, client }) => ({ ...config, url: (await client.make(config.name)).url }),
  });
  const client: Api = { make: (name) => Promise.resolve({ id: name, url: name }) };
  defineProvider({ configure: () => client, resources: { x: server }, dataSources: { x: made } });
  defineProvider({
    config: { attributes: { endpoint: string({ required: true }) } },
    configure: ({ config }) => {
      expectTypeOf(config.endpoint).toEqualTypeOf<string | Unknown>();
      return client;
    },
    resources: { x: server },
  });
  // @ts-expect-error: the handlers need something else
  defineProvider({ configure: () => ({ make: 5 }), resources: { x: server } });
});

test('identities and lists have types of their own', () => {
  resource({
    attributes,
    identity: {
      attributes: { id: string({ required: true }), zone: string({ optional: true }) },
      of: ({ id }) => ({ id, zone: null }),
    },
    list: {
      attributes: { prefix: string({ optional: true }) },
      async *list({ config }) {
        expectTypeOf(config.prefix).toEqualTypeOf<string | null>();
        await Promise.resolve();
        yield { identity: { id: 'x', zone: null }, displayName: 'x' };
      },
    },
    create: ({ plan }) => ({ ...plan, id: 'x' }),
    update: ({ plan, identity }) => {
      expectTypeOf(identity).toEqualTypeOf<{
        readonly id: string;
        readonly zone: string | null;
      } | null>();
      return { ...plan, id: 'x' };
    },
  });
});

test('functions get their arguments by name', () => {
  providerFunction({
    parameters: { a: string, b: parameter(int64, { allowNull: true, allowUnknown: true }) },
    variadic: { rest: string },
    returns: list(string),
    call: ({ a, b, rest }, { fail }) => {
      expectTypeOf(a).toEqualTypeOf<string>();
      expectTypeOf(b).toEqualTypeOf<number | Unknown | null>();
      expectTypeOf(rest).toEqualTypeOf<readonly string[]>();
      if (a === '') fail('is empty', 'a');
      // @ts-expect-error: there is no such parameter
      if (a === 'x') fail('is x', 'c');
      return [a, ...rest];
    },
  });
  // @ts-expect-error: the result is text
  providerFunction({ returns: string, call: () => 5 });
  dataSource({
    attributes: { a: string({ optional: true }) },
    // @ts-expect-error: there is no `b`
    read: ({ config }) => ({ ...config, b: 1 }),
  });
});

test('options that exclude each other are rejected, with the reason', () => {
  const create = ({ plan }: { plan: object }): never => plan as never;
  const attempts = [
    () => {
      const a = int64({ required: true, default: 3 });
      // @ts-expect-error: a required argument cannot have a default
      resource({ attributes: { a }, create });
    },
    () => {
      const a = string({ required: true, computed: true });
      // @ts-expect-error: a required argument cannot be computed
      resource({ attributes: { a }, create });
    },
    () => {
      const a = string({ required: true, optional: true });
      // @ts-expect-error: a required argument cannot be optional
      resource({ attributes: { a }, create });
    },
    () => {
      const a = string({ writeOnly: true, computed: true });
      // @ts-expect-error: a write-only argument cannot be computed
      resource({ attributes: { a }, create });
    },
    () => {
      const a = string({ writeOnly: true, default: 'a' });
      // @ts-expect-error: a write-only argument cannot have a default
      resource({ attributes: { a }, create });
    },
    () => {
      const a = listNested(disk, { optional: true, nullable: true });
      // @ts-expect-error: only a computed argument can be nullable
      resource({ attributes: { a }, create });
    },
  ];
  const messages = attempts.map((attempt) => {
    expect(attempt).toThrow(TypeError);
    try {
      attempt();
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return '';
  });
  expect(messages).toEqual([
    'a required argument cannot have a default',
    'a required argument cannot be computed',
    'a required argument cannot be optional',
    'a write-only argument cannot be computed',
    'a write-only argument cannot have a default',
    'only a computed argument can be nullable',
  ]);
});

test('attributes with options are no elements of lists, maps and objects', () => {
  // @ts-expect-error: for attributes inside use listNested, setNested, mapNested or singleNested
  expect(() => list(string({ optional: true }))).toThrow('use listNested');
  // @ts-expect-error: the same
  expect(() => list(object({ name: string({ required: true }) }))).toThrow('use listNested');
});

test('the type error of a result names the necessary change', () => {
  interface Schema {
    readonly id: string;
    readonly name: string;
    readonly size: number | null;
    readonly tags: Readonly<Record<string, string>>;
  }
  const complete = { id: 'x', name: 'n', size: 1, tags: {} };
  type Complete = typeof complete;
  expectTypeOf<Answer<Complete, Schema>>().toEqualTypeOf<unknown>();
  expectTypeOf<Answer<Promise<Complete>, Schema>>().toEqualTypeOf<unknown>();
  expectTypeOf<Answer<Complete | Gone, Schema, Gone>>().toEqualTypeOf<unknown>();
  expectTypeOf<Answer<unknown, Schema>>().toEqualTypeOf<unknown>();
  expectTypeOf<Answer<Promise<unknown>, Schema>>().toEqualTypeOf<unknown>();
  expectTypeOf<Answer<Omit<Complete, 'id'> & { id: unknown }, Schema>>().toEqualTypeOf<unknown>();
  expectTypeOf<Answer<Promise<Omit<Complete, 'id' | 'size'>>, Schema>>().toEqualTypeOf<{
    readonly 'the result lacks an attribute of the schema: add it, for example with { ...plan, name: value }':
      | 'id'
      | 'size';
  }>();
  expectTypeOf<Answer<Complete & { nmae: 1 }, Schema>>().toEqualTypeOf<{
    readonly 'the schema has no such attribute: remove it from the result, or add it to the schema': 'nmae';
  }>();
  expectTypeOf<Answer<Omit<Complete, 'id'> & { id: string | Unknown }, Schema>>().toEqualTypeOf<{
    readonly 'the attribute may be unknown here: return a known value, such as one of the response or of state': 'id';
  }>();
  expectTypeOf<Answer<Omit<Complete, 'id'> & { id: string | undefined }, Schema>>().toEqualTypeOf<{
    readonly 'the attribute may be null or undefined here: return a value, or make the attribute optional or nullable': 'id';
  }>();
  expectTypeOf<Answer<Omit<Complete, 'size'> & { size: string }, Schema>>().toEqualTypeOf<{
    readonly 'the attribute has another type in the schema: convert the value, or change the schema': {
      readonly size: number | null;
    };
  }>();
  expectTypeOf<Answer<string, Schema>>().toEqualTypeOf<{
    readonly 'the result must be an object with the attributes of the schema': Schema;
  }>();
  // Only the members of a union that do not fit are reported.
  expectTypeOf<Answer<Complete | Gone | Omit<Complete, 'id'>, Schema, Gone>>().toEqualTypeOf<{
    readonly 'the result lacks an attribute of the schema: add it, for example with { ...plan, name: value }': 'id';
  }>();
});

test('answers of type unknown are accepted, and checked when they are returned', () => {
  const json: unknown = JSON.parse('{ "id": "x", "name": "n" }');
  const load = (): Promise<unknown> => Promise.resolve(json);
  resource({
    attributes,
    create: () => json,
    read: async ({ state }) => (state.id === '' ? gone : await load()),
    update: async () => await load(),
    import: load,
  });
  dataSource({ attributes, read: load });
  ephemeralResource({ attributes, open: load });
  const { id } = json as { readonly id: unknown };
  resource({ attributes, create: ({ plan }) => ({ ...plan, id }) });
  resource({
    attributes,
    // @ts-expect-error: `name` is missing, whatever `id` is
    create: () => ({ id }),
  });
});

test('untyped results are accepted, and checked when they are returned', () => {
  const parsed: unknown = JSON.parse('{ "id": "x", "name": "n" }');
  // oxlint-disable-next-line typescript/no-explicit-any -- what response.json() returns
  const untyped = parsed as any;
  resource({ attributes, create: () => untyped });
  resource({ attributes, create: async () => await Promise.resolve(untyped) });
  resource({ attributes, create: ({ plan }) => ({ ...plan, id: untyped.id }) });
  resource({
    attributes,
    // @ts-expect-error: `nmae` is misspelt, whatever its value is
    create: ({ plan }) => ({ ...plan, id: untyped.id, nmae: untyped }),
  });
});
