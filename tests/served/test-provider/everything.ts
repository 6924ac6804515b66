import { DYNAMIC, str, Value, valueFromJson, valueToJson } from '@terrane/cty';
import {
  bool,
  decimal,
  dynamic,
  gone,
  groupBlock,
  ifKnown,
  list,
  listBlock,
  listNested,
  map,
  mapBlock,
  mapNested,
  nullable,
  number,
  object,
  set,
  setBlock,
  setNested,
  singleBlock,
  singleNested,
  string,
  toBeRead,
  tuple,
} from '@terrane/provider/sdk';
import type { Json, PlannedOf, Resource, StateOf, Unknown } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';
import { drop, idOf, keep } from './kept-object.ts';

const TYPE = 'probe_everything';

const optional = { optional: true } as const;
const required = { required: true } as const;
const stays = { computed: true, useStateForUnknown: true } as const;
const secret = { optional: true, sensitive: true } as const;

const pair = object({ a: string, b: list(number) });
const inner = { s: string(optional), n: number(optional), made: string(stays) };
const plain = { s: string(optional), n: number(optional) };

const attributes = {
  name: string({ required: true, requiresReplace: true }),
  id: string(stays),
  text: string(optional),
  number: decimal(optional),
  flag: bool(optional),
  list: list(nullable(string), optional),
  set: set(number, optional),
  map: map(nullable(bool), optional),
  object: object({ a: string, b: list(number) }, optional),
  tuple: tuple([string, number], optional),
  objects: list(pair, optional),
  maps: map(set(string), optional),
  any: dynamic(optional),
  anys: map(dynamic, optional),
  sensitive: string(secret),
  made_text: string({ optional: true, ...stays }),
  made_number: number(stays),
  made_flag: bool(stays),
  made_list: list(string, stays),
  made_set: set(string, stays),
  made_map: map(number, stays),
  made_object: object({ a: string, b: list(number) }, stays),
  made_any: dynamic(stays),
  config: string({ computed: true }),
  one: singleNested(inner, optional),
  many: listNested(
    { ...inner, deep: mapNested({ s: string(required), made: number(stays) }, optional) },
    optional,
  ),
  some: setNested(plain, optional),
  keyed: mapNested({ ...inner, secret: string(secret) }, optional),
};

const blocks = {
  single: singleBlock(inner),
  group: groupBlock({ s: string(optional), made: string(stays) }),
  listed: listBlock(inner, {
    maxItems: 3,
    blocks: {
      below: listBlock({ s: string(required), made: string(stays) }),
      unordered: setBlock({ s: string(optional) }),
    },
  }),
  unordered: setBlock(plain),
  mapped: mapBlock(inner),
};

type Planned = PlannedOf<typeof attributes, typeof blocks>;
type State = StateOf<typeof attributes, typeof blocks>;

/** Every type of attributes, every nesting of blocks and nested attributes, computed parts in all of them. */
export const everything: Resource<Client> = ofClient.resource({
  version: 1,
  attributes,
  blocks,
  create: (context) => {
    const { plan, config } = context;
    const state = stateOf(plan, config);
    keep(TYPE, toStore(state), context, true);
    return state;
  },
  update: (context) => {
    const { plan, config } = context;
    const state = stateOf(plan, config);
    keep(TYPE, toStore(state), context, false);
    return state;
  },
  read: (context) => {
    const stored = context.client.store.getObject(TYPE, context.state.name);
    // The stored value was written by toStore.
    return stored === undefined ? gone : fromStore(stored as Stored);
  },
  delete: (context) => drop(TYPE, { name: context.state.name }, context),
  import: ({ id = '' }) => toBeRead({ name: id }),
});

function stateOf(plan: Planned, config: object): State {
  const made = <T extends { readonly made: string | Unknown }>(part: T, where: string) => ({
    ...part,
    made: ifKnown<string | Unknown, string>(part.made, `made in ${where}`),
  });
  const { one, many, keyed, single, group, listed, mapped } = plan;
  return {
    ...plan,
    id: idOf(TYPE, plan.name),
    made_text: ifKnown(plan.made_text, 'made text'),
    made_number: 12,
    made_flag: true,
    made_list: ['made', 'list'],
    made_set: ['set', 'made'],
    made_map: { k: 3 },
    made_object: { a: 'made', b: [1, 2] },
    made_any: str('of any type'),
    // The exact request.
    config: JSON.stringify(config, (_name, each: unknown) =>
      each instanceof Value ? jsonOf(each) : each,
    ),
    one: one && made(one, 'one'),
    many:
      many?.map((each, i) => ({
        ...made(each, `many ${i}`),
        deep: each.deep && mapValues(each.deep, (d) => ({ ...d, made: ifKnown(d.made, i) })),
      })) ?? null,
    keyed: keyed && mapValues(keyed, (each, key) => made(each, key)),
    single: single && made(single, 'single'),
    group: made(group, 'group'),
    listed: listed.map((each, i) => ({
      ...made(each, `listed ${i}`),
      below: each.below.map((block, k) => made(block, `below ${i} ${k}`)),
    })),
    mapped: mapValues(mapped, (each, key) => made(each, key)),
  };
}

function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (each: T, key: string) => U,
): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(record).map(([key, each]) => [key, change(each, key)]));
}

type Stored = { readonly name: string; readonly [name: string]: Json };

/** As JSON, values of any type with their types. */
function toStore(state: State): Stored {
  const { any, anys, made_any, ...rest } = state;
  const stored = {
    ...rest,
    any: any && jsonOf(any),
    anys: anys && mapValues(anys, jsonOf),
    made_any: jsonOf(made_any),
  };
  // All that is left is of JSON's types.
  return stored as unknown as Stored;
}

function fromStore(stored: Stored): State {
  const { any, anys, made_any } = stored;
  return {
    // The stored value was written by toStore.
    ...(stored as unknown as State),
    any: any === undefined || any === null ? null : fromJson(any),
    anys:
      anys === undefined || anys === null
        ? null
        : mapValues(anys as Readonly<Record<string, Json>>, fromJson),
    made_any: fromJson(made_any),
  };
}

function jsonOf(v: Value): Json {
  // JSON.parse gives JSON.
  return JSON.parse(valueToJson(v, DYNAMIC)) as Json;
}

function fromJson(json: Json | undefined): Value {
  return valueFromJson(JSON.stringify(json ?? null), DYNAMIC);
}
