import { nullOf, object, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { expect, test } from 'vitest';
import type { Provider, StateStore } from '../contract.ts';
import { deferred, defineProvider, isUnknown, ProviderError, string, withClient } from './index.ts';

const capabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };

interface Bucket {
  readonly states: Map<string, Uint8Array>;
  readonly locks: Map<string, string>;
}

interface Api {
  readonly buckets: ReadonlyMap<string, Bucket>;
}

const { stateStore } = withClient<Api>();
const attributes = { bucket: string({ required: true }) };

const bucket = stateStore({
  attributes,
  validate: ({ config, error }) => {
    if (config.bucket === '') error('No bucket', 'A bucket has a name.', 'bucket');
  },
  configure: ({ config, client }) => {
    const bucket = client.buckets.get(config.bucket);
    if (bucket !== undefined) return bucket;
    throw new ProviderError('No such bucket', `There is no bucket ${config.bucket}.`);
  },
  read: ({ store, stateId }) => store.states.get(stateId),
  write: ({ store, stateId, bytes }) => void store.states.set(stateId, bytes),
  list: ({ store }) => [...store.states.keys()],
  delete: ({ store, stateId, warn }) => {
    if (!store.states.delete(stateId)) warn('Gone already');
  },
  locks: {
    lock: ({ store, stateId, operation }) => {
      const held = store.locks.get(stateId);
      if (held !== undefined) throw new ProviderError('Locked', `Locked by ${held}.`);
      store.locks.set(stateId, operation);
      return `${operation}-1`;
    },
    unlock: ({ store, stateId, lockId }) => {
      if (lockId !== `${store.locks.get(stateId)}-1`) throw new Error(`${lockId} is not held`);
      store.locks.delete(stateId);
    },
  },
});

const shelf = stateStore({
  configure: () => null,
  read: () => JSON.parse('"text"') as Uint8Array,
  write: () => undefined,
  list: () => JSON.parse('[1]') as string[],
  delete: () => undefined,
});

test('a misspelt argument, handler result or client does not compile', () => {
  stateStore({
    attributes,
    // @ts-expect-error there is no such argument
    configure: ({ config }) => config.buckte,
    // @ts-expect-error states are bytes
    read: () => 'text',
    write: () => undefined,
    list: ({ client }) => [...client.buckets.keys()],
    delete: () => undefined,
  });
});

async function providerWith(buckets: Api['buckets'], zone: Value = str('a')): Promise<Provider> {
  const provider = defineProvider({
    config: { attributes: { zone: string({ optional: true }) } },
    configure: ({ config }): Api | ReturnType<typeof deferred> =>
      isUnknown(config.zone) ? deferred('provider_config_unknown') : { buckets },
    stateStores: { x_bucket: bucket, x_shelf: shelf },
  });
  const config = object({ zone });
  await provider.configure({ terraformVersion: '1.15.0', config, capabilities });
  return provider;
}

function storeOf(provider: Provider, type = 'x_bucket'): StateStore {
  const store = provider.stateStore?.(type);
  if (store === undefined) throw new Error(`no store ${type}`);
  return store;
}

const emptyBucket = (): Bucket => ({ states: new Map(), locks: new Map() });

test('states are written, read, listed and deleted', async () => {
  const provider = await providerWith(new Map([['b', emptyBucket()]]));
  const schema = await provider.schema();
  expect(Object.keys(schema.stateStores ?? {})).toEqual(['x_bucket', 'x_shelf']);
  const store = storeOf(provider);
  expect(await store.configure({ config: object({ bucket: str('b') }) })).toEqual({
    diagnostics: [],
  });
  // A repeated request returns the store that was configured.
  const again = storeOf(provider);
  expect(await again.read('default')).toEqual({ diagnostics: [] });
  await again.write('default', Buffer.from('state'));
  expect(Buffer.from((await store.read('default')).bytes ?? []).toString()).toBe('state');
  expect(await store.states()).toEqual({ ids: ['default'], diagnostics: [] });
  expect(await store.delete('default')).toEqual({ diagnostics: [] });
  expect((await store.delete('default')).diagnostics?.[0]?.summary).toBe('Gone already');
});

test('a lock has one holder, and is released by its id', async () => {
  const store = storeOf(await providerWith(new Map([['b', emptyBucket()]])));
  await store.configure({ config: object({ bucket: str('b') }) });
  expect(await store.lock('default', 'plan')).toEqual({ lockId: 'plan-1', diagnostics: [] });
  const second = await store.lock('default', 'apply');
  expect(second.lockId).toBe('');
  expect(second.diagnostics).toMatchObject([{ summary: 'Locked', detail: 'Locked by plan.' }]);
  expect((await store.unlock('default', 'other')).diagnostics?.[0]?.detail).toBe(
    'While unlocking state "default" in state store x_bucket, the provider failed: other is not held',
  );
  expect(await store.unlock('default', 'plan-1')).toEqual({ diagnostics: [] });
});

test('a store without locks returns an empty id', async () => {
  const store = storeOf(await providerWith(new Map()), 'x_shelf');
  await store.configure({ config: object({}) });
  expect(await store.lock('default', 'plan')).toEqual({ lockId: '' });
  expect(await store.unlock('default', '')).toEqual({});
});

test('errors are reported with their path: configuration, handlers, order', async () => {
  const provider = await providerWith(new Map());
  const store = storeOf(provider);
  expect(await store.validateConfig({ config: object({ bucket: str('') }) })).toMatchObject({
    diagnostics: [{ summary: 'No bucket', attribute: [{ kind: 'attr', name: 'bucket' }] }],
  });
  expect(await store.configure({ config: object({ bucket: str('b') }) })).toMatchObject({
    diagnostics: [{ summary: 'No such bucket' }],
  });
  expect((await store.read('default')).diagnostics?.[0]?.summary).toBe(
    'State Store Not Configured',
  );
  const odd = storeOf(provider, 'x_shelf');
  await odd.configure({ config: object({}) });
  expect((await odd.read('default')).diagnostics?.[0]?.detail).toBe(
    'While reading state "default" in state store x_shelf, the provider failed: a handler gave string where bytes or undefined should be',
  );
  expect((await odd.states()).diagnostics?.[0]?.detail).toContain('the ids of states');
  expect(provider.stateStore?.('x_none')).toBeUndefined();
});

test('a provider that is not configured yet has no states', async () => {
  const store = storeOf(await providerWith(new Map(), unknownOf(STRING)));
  const config = object({ bucket: nullOf(STRING) });
  expect((await store.configure({ config })).diagnostics?.[0]?.summary).toBe(
    'Provider Not Configured',
  );
});
