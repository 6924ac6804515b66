// Requests of Terraform 1.12 and later.
import {
  decodeMsgpack,
  encodeMsgpack,
  NUMBER,
  nullOf,
  number,
  object,
  objectType,
  str,
  STRING,
} from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { nodeHost } from '@terrane/host';
import { enforceContract } from '@terrane/provider';
import type { CheckedProvider, ListedResource } from '@terrane/provider';
import { afterEach, expect, it } from 'vitest';
import { openPlugin } from './index.ts';
import { FakePlugin } from './testing/fake-plugin.ts';
import type { Handlers } from './testing/fake-plugin.ts';

const host = nodeHost();
const json = (type: unknown): Uint8Array => Buffer.from(JSON.stringify(type));
const IDENTITY = objectType({ key: STRING });
const QUERY = objectType({ prefix: STRING });
const STORE = objectType({ bucket: STRING });
const wire = (v: Value, type: Type): object => ({ msgpack: encodeMsgpack(v, type) });
const error = (summary: string) => [{ severity: 1, summary, detail: 'so it is' }];
const SAID = [{ severity: 'error', summary: 'no', detail: 'so it is' }];

const block = (...names: readonly string[]) => ({
  block: {
    attributes: names.map((name) => ({ name, type: json('string'), optional: true })),
  },
});

const BASE: Handlers = {
  GetProviderSchema: () => ({
    provider: { block: {} },
    resourceSchemas: {
      thing: {
        version: 1,
        block: {
          ...block('id', 'name').block,
          deprecated: true,
          deprecationMessage: 'Use stuff.',
          blockTypes: [{ typeName: 'rules', nesting: 2, block: { computed: true } }],
        },
      },
      plain: block('id'),
    },
    listResourceSchemas: { thing: block('prefix'), plain: block('prefix') },
    stateStoreSchemas: { box: block('bucket') },
    serverCapabilities: { generateResourceConfig: true, getProviderSchemaOptional: true },
  }),
  GetResourceIdentitySchemas: () => ({
    identitySchemas: {
      thing: { version: 4, attributes: [{ name: 'key', type: json('string') }] },
    },
  }),
};

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

function open(handlers: Handlers): { provider: CheckedProvider; fake: FakePlugin } {
  const fake = new FakePlugin({ ...BASE, ...handlers });
  const ports = { ...host, spawn: fake };
  const plugin = openPlugin('example.com/acme/fake', { kind: 'executable', path: '/fake' }, ports);
  undo.push(
    () => fake.dispose(),
    () => plugin.close(),
  );
  return { provider: enforceContract(plugin.create(), 'example.com/acme/fake'), fake };
}

it('schemas include lists, state stores, computed blocks and deprecations', async () => {
  const { provider } = open({});
  const schema = await provider.schema();
  expect(schema.listResources?.['thing']?.block.attributes['prefix']?.type).toBe(STRING);
  expect(schema.stateStores?.['box']?.block.attributes['bucket']?.type).toBe(STRING);
  expect(schema.capabilities.generateResourceConfig).toBe(true);
  const thing = schema.resources['thing']?.block;
  expect(thing?.deprecationMessage).toBe('Use stuff.');
  expect(thing?.blocks['rules']?.block.computed).toBe(true);
});

it('functions that the schema lacks are listed and called only on request', async () => {
  const add = {
    parameters: [{ name: 'n', type: json('number') }],
    return: { type: json('number') },
  };
  const { provider } = open({
    GetFunctions: () => ({ functions: { add } }),
    CallFunction: () => ({ result: wire(number(2), NUMBER) }),
  });
  expect((await provider.schema()).functions).toEqual({});
  const { functions } = await provider.configuredFunctions();
  const signature = functions['add'];
  expect(signature).toEqual({ parameters: [{ name: 'n', type: NUMBER }], returns: NUMBER });
  if (signature === undefined) throw new Error('not listed');
  const args = [number(2)];
  const { error } = await provider.callFunction({ name: 'add', args });
  expect(error?.message).toBe('provider has no function named "add"');
  expect((await provider.callFunction({ name: 'add', args, signature })).result?.asInt()).toBe(2);
});

it('an error while functions are listed is a diagnostic', async () => {
  const { provider } = open({ GetFunctions: () => ({ diagnostics: error('no') }) });
  expect(await provider.configuredFunctions()).toEqual({ functions: {}, diagnostics: SAID });
});

it('upgrades identities', async () => {
  const asked: object[] = [];
  const { provider } = open({
    UpgradeResourceIdentity: (request) => {
      asked.push(request);
      return { upgradedIdentity: { identityData: wire(object({ key: str('new') }), IDENTITY) } };
    },
  });
  const request = { type: 'thing', version: 2, json: '{"old":1}', address: 'thing.a' };
  const answer = await provider.upgradeResourceIdentity(request);
  expect(answer).toEqual({ identity: object({ key: str('new') }), diagnostics: [] });
  expect(asked).toMatchObject([
    { typeName: 'thing', rawIdentity: { json: Buffer.from('{"old":1}') } },
  ]);
});

it('an identity that cannot be upgraded is null, with the reason', async () => {
  const refusing = open({ UpgradeResourceIdentity: () => ({ diagnostics: error('no') }) });
  const request = { type: 'thing', version: 2, json: '{}', address: 'thing.a' };
  const answer = await refusing.provider.upgradeResourceIdentity(request);
  expect(answer.diagnostics).toEqual(SAID);
  expect(answer.identity.isNull).toBe(true);
  const without = await open({}).provider.upgradeResourceIdentity(request);
  expect(without.diagnostics?.[0]?.summary).toBe('Unsupported plugin method');
});

it('writes configurations for objects', async () => {
  const type = objectType({ id: STRING });
  const { provider } = open({
    GenerateResourceConfig: ({ state: stateValue }) => {
      const { msgpack } = stateValue as { readonly msgpack: Uint8Array };
      expect(decodeMsgpack(msgpack, type).rawEquals(object({ id: str('1') }))).toBe(true);
      return { config: wire(object({ id: nullOf(STRING) }), type) };
    },
  });
  const answer = await provider.generateResourceConfig({
    type: 'plain',
    state: object({ id: str('1') }),
  });
  expect(answer.config.attr('id').isNull).toBe(true);
});

const listEvent = (key: string, more: object = {}): object => ({
  displayName: `the ${key}`,
  identity: { identityData: wire(object({ key: str(key) }), IDENTITY) },
  ...more,
});

async function list(
  handlers: Handlers,
  request: {
    readonly limit?: number;
    readonly includeResource?: boolean;
    readonly type?: string;
  } = {},
): Promise<ListedResource[]> {
  const all: ListedResource[] = [];
  const { type = 'thing', includeResource = false, limit } = request;
  const config = object({ prefix: str('p') });
  const { provider } = open(handlers);
  const asked = { type, config, includeResource, ...(limit === undefined ? {} : { limit }) };
  for await (const resource of provider.listResource(asked)) all.push(resource);
  return all;
}

it('lists objects, with the resource on request', async () => {
  const ListResource = (request: Record<string, unknown>) => {
    const { msgpack } = request['config'] as { readonly msgpack: Uint8Array };
    expect(decodeMsgpack(msgpack, QUERY).rawEquals(object({ prefix: str('p') }))).toBe(true);
    return [
      listEvent('a'),
      listEvent('b', { diagnostic: [{ severity: 2, summary: 'hm', detail: '' }] }),
    ];
  };
  expect(await list({ ListResource })).toEqual([
    { displayName: 'the a', identity: object({ key: str('a') }) },
    {
      displayName: 'the b',
      identity: object({ key: str('b') }),
      diagnostics: [{ severity: 'warning', summary: 'hm', detail: '' }],
    },
  ]);
});

it('ends a list at its limit, and at an error', async () => {
  const many = { ListResource: () => [listEvent('a'), listEvent('b'), listEvent('c')] };
  expect((await list(many, { limit: 2 })).map(({ displayName }) => displayName)).toEqual([
    'the a',
    'the b',
  ]);
  const faulty = {
    ListResource: () => [listEvent('a'), { diagnostic: error('no') }, listEvent('c')],
  };
  expect((await list(faulty)).map(({ diagnostics }) => diagnostics)).toEqual([undefined, SAID]);
  const unnamed = { ListResource: () => [{ displayName: 'x' }, listEvent('c')] };
  expect((await list(unnamed)).map((resource) => resource.diagnostics?.[0]?.summary)).toEqual([
    'missing identity data in ListResource event for thing',
  ]);
  const [warned, next] = await list({
    ListResource: () => [{ diagnostic: [{ severity: 2, summary: 'hm' }] }, listEvent('c')],
  });
  expect([warned?.diagnostics?.length, next?.displayName]).toEqual([1, 'the c']);
});

it('leaving a list ends it', async () => {
  const { provider } = open({ ListResource: () => [listEvent('a'), listEvent('b')] });
  const request = { type: 'thing', config: object({ prefix: str('p') }), includeResource: false };
  for await (const resource of provider.listResource(request)) {
    expect(resource.displayName).toBe('the a');
    break;
  }
  expect((await provider.schema()).diagnostics).toEqual([]);
});

it.each([
  [
    'without identities',
    'plain',
    'Identity schema not found for resource type plain; this is a bug in the provider - please report it there',
  ],
  ['without lists', 'none', 'unknown list resource type "none"'],
])('refuses to list types %s', async (_, type, summary) => {
  const all = await list({}, { type });
  expect(all.map((resource) => resource.diagnostics?.[0]?.summary)).toEqual([summary]);
});

it('keeps states, in parts of the size that was agreed upon', async () => {
  const kept = new Map<string, Buffer>();
  const meta: unknown[] = [];
  const { provider } = open({
    ValidateStateStoreConfig: () => ({}),
    ConfigureStateStore: ({ capabilities }) => {
      expect(capabilities).toMatchObject({ chunkSize: 8 * 1024 * 1024 });
      return { capabilities: { chunkSize: 3 } };
    },
    WriteStateBytes: ({ requests }) => {
      const chunks = requests as readonly { bytes: Buffer; meta: { stateId: string } | null }[];
      meta.push(...chunks.map((chunk) => chunk.meta));
      kept.set(chunks[0]?.meta?.stateId ?? '', Buffer.concat(chunks.map(({ bytes }) => bytes)));
      return {};
    },
    ReadStateBytes: ({ stateId }) => {
      const all = kept.get(stateId as string) ?? Buffer.alloc(0);
      const parts: object[] = [];
      for (let start = 0; start < all.length; start += 3) {
        const bytes = all.subarray(start, start + 3);
        const range = { start, end: start + bytes.length - 1 };
        parts.push({ bytes, totalLength: all.length, range });
      }
      return parts;
    },
    LockState: ({ operation }) => ({ lockId: `for ${operation as string}` }),
    UnlockState: ({ lockId }) => (lockId === 'for plan' ? {} : { diagnostics: error('no') }),
    GetStates: () => ({ stateId: [...kept.keys()] }),
    DeleteState: ({ stateId }) => {
      kept.delete(stateId as string);
      return {};
    },
  });
  const store = provider.stateStore('box');
  const config = object({ bucket: str('b') });
  expect(encodeMsgpack(config, STORE).length).toBeGreaterThan(0);
  expect(await store?.validateConfig({ config })).toEqual({ diagnostics: [] });
  const early = await store?.write('default', Buffer.from('x'));
  expect(early?.diagnostics?.[0]?.summary).toContain('Unable to determine chunk size');
  expect(await store?.configure({ config })).toEqual({ diagnostics: [] });
  expect(await store?.write('default', Buffer.from('seven b'))).toEqual({ diagnostics: [] });
  expect(meta).toMatchObject([{ typeName: 'box', stateId: 'default' }, null, null]);
  const read = await store?.read('default');
  expect(Buffer.from(read?.bytes ?? []).toString()).toBe('seven b');
  expect(read?.diagnostics).toEqual([]);
  expect(await store?.lock('default', 'plan')).toEqual({ lockId: 'for plan', diagnostics: [] });
  expect(await store?.unlock('default', 'for plan')).toEqual({ diagnostics: [] });
  expect(await store?.unlock('default', 'other')).toEqual({ diagnostics: SAID });
  expect(await store?.states()).toEqual({ ids: ['default'], diagnostics: [] });
  expect(await store?.delete('default')).toEqual({ diagnostics: [] });
  expect((await store?.states())?.ids).toEqual([]);
});

it('detects chunks of the wrong size and incomplete states', async () => {
  const part = (text: string, start: number, total: number): object => ({
    bytes: Buffer.from(text),
    totalLength: total,
    range: { start, end: start + text.length - 1 },
  });
  const { provider } = open({
    ConfigureStateStore: () => ({ capabilities: { chunkSize: 3 } }),
    ReadStateBytes: ({ stateId }) =>
      stateId === 'odd'
        ? [part('abcd', 0, 8), part('efgh', 4, 8)]
        : [part('abc', 0, 9), part('def', 3, 9)],
  });
  const store = provider.stateStore('box');
  await store?.configure({ config: object({ bucket: str('b') }) });
  const odd = await store?.read('odd');
  expect(odd?.diagnostics?.map(({ summary }) => summary)).toEqual([
    'Unexpected size of chunk received',
    'Unexpected size of last chunk received',
  ]);
  expect(Buffer.from(odd?.bytes ?? []).toString()).toBe('abcdefgh');
  const short = await store?.read('short');
  expect(short?.bytes).toBeUndefined();
  expect(short?.diagnostics?.[0]?.summary).toBe(
    'expected state file of total 9 bytes, received 6 bytes',
  );
});

it('refuses state stores that do not agree on a size, and those that are not there', async () => {
  const { provider } = open({ ConfigureStateStore: () => ({ capabilities: { chunkSize: 0 } }) });
  const config = object({ bucket: str('b') });
  const answer = await provider.stateStore('box')?.configure({ config });
  expect(answer?.diagnostics?.[0]).toMatchObject({
    summary: 'Failed to negotiate acceptable chunk size',
    detail: 'Expected size > 0 and <= 134217728 bytes, provider wants 0 bytes',
  });
  const none = await provider.stateStore('none')?.states();
  expect(none?.diagnostics?.[0]?.summary).toBe('unknown state store type "none"');
});

it('hands planned private data and stored identities on', async () => {
  const asked: Record<string, unknown>[] = [];
  const state = object({ id: str('1') });
  const type = objectType({ id: STRING });
  const { provider } = open({
    PlanResourceChange: (request) => {
      asked.push(request);
      return { plannedState: wire(state, type) };
    },
    MoveResourceState: (request) => {
      asked.push(request);
      return { targetState: wire(state, type) };
    },
  });
  await provider.planResourceChange({
    type: 'plain',
    prior: nullOf(type),
    proposed: state,
    config: state,
    plannedPrivate: Buffer.from('kept'),
    capabilities: {
      deferralAllowed: true,
      writeOnlyAttributesAllowed: true,
      storePlannedPrivate: true,
      computedBlocksAllowed: true,
    },
  });
  await provider.moveResourceState({
    sourceProvider: 'registry.terraform.io/a/b',
    sourceType: 'old',
    sourceVersion: 1,
    sourceJson: '{}',
    sourceIdentity: { json: '{"k":1}', version: 7 },
    targetType: 'plain',
  });
  expect(asked[0]).toMatchObject({
    plannedPrivate: Buffer.from('kept'),
    clientCapabilities: { storePlannedPrivate: true, computedBlocksAllowed: true },
  });
  expect(asked[1]).toMatchObject({
    sourceIdentity: { json: Buffer.from('{"k":1}') },
    sourceIdentitySchemaVersion: 7,
  });
});
