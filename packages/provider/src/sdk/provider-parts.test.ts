import {
  attrStep,
  nullOf,
  number as numberValue,
  object,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, test } from 'vitest';
import { enforceContract } from '../enforce/enforce-contract.ts';
import type { ListedResource, LogEntry, Provider } from '../contract.ts';
import {
  deferred,
  defineProvider,
  ephemeralResource,
  int64,
  isUnknown,
  list,
  parameter,
  privateData,
  ProviderError,
  providerFunction,
  resource,
  string,
  unknown,
  withClient,
} from './index.ts';

const capabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };

interface Api {
  readonly zone: string;
  readonly names: readonly string[];
}

const api = withClient<Api, { readonly module: string | null } | null>();
const attributes = { name: string({ required: true }), zone: string({ computed: true }) };

function server(seen: unknown[] = []) {
  return api.resource({
    attributes,
    identity: {
      attributes: { name: string({ required: true }) },
      of: ({ name }) => ({ name }),
    },
    list: {
      attributes: { prefix: string({ optional: true }) },
      async *list({ config, client }) {
        for (const name of client.names) {
          if (!name.startsWith(config.prefix ?? '')) continue;
          seen.push(name);
          await Promise.resolve();
          const { zone } = client;
          yield { identity: { name }, displayName: name.toUpperCase(), resource: { name, zone } };
        }
        throw new ProviderError('No more', 'The list ended early.');
      },
    },
    create: ({ plan, client, providerMeta, log }) => {
      seen.push(providerMeta);
      log.info('made', { name: plan.name });
      return { ...plan, zone: client.zone };
    },
    read: async ({ state, signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { ...state, zone: 'stopped' };
    },
  });
}

function providerOf(seen: unknown[] = []): Provider {
  return defineProvider({
    config: { attributes: { zone: string({ optional: true }) } },
    providerMeta: { attributes: { module: string({ optional: true }) } },
    configure: ({ config, error }) => {
      if (isUnknown(config.zone)) return deferred('provider_config_unknown');
      if (config.zone === 'moon') error('No such zone', 'There is no zone moon.', 'zone');
      return { zone: config.zone ?? 'a', names: ['one', 'two', 'three'] };
    },
    close: ({ zone }) => void seen.push(`closed ${zone}`),
    resources: { x_server: server(seen) },
  });
}

async function configured(zone: Value, seen: unknown[] = []): Promise<Provider> {
  const provider = providerOf(seen);
  const config = object({ zone });
  await provider.configure({ terraformVersion: '1.11.4', config, capabilities });
  return provider;
}

const planned = object({ name: str('n'), zone: unknownOf(STRING) });
const prior = nullOf(planned.type);
const type = 'x_server';

describe('a configured provider', () => {
  test('passes its client, provider_meta values and a log to its handlers', async () => {
    const seen: unknown[] = [];
    const provider = await configured(str('b'), seen);
    const entries: LogEntry[] = [];
    provider.logTo?.((entry) => entries.push(entry));
    const meta = object({ module: str('m') });
    const request = { type, prior, planned, config: planned, providerMeta: meta };
    const answer = await provider.applyResourceChange({ ...request, address: 'x_server.a' });
    expect(answer.state.rawEquals(object({ name: str('n'), zone: str('b') }))).toBe(true);
    expect(seen).toEqual([{ module: 'm' }]);
    expect(entries).toEqual([
      {
        level: 'info',
        message: 'made',
        fields: { subject: 'x_server.a', operation: 'creating', name: 'n' },
      },
    ]);
    await provider.close();
    await provider.close();
    expect(seen.at(-1)).toBe('closed b');
    expect(seen).toHaveLength(2);
  });

  test('reports errors of its configuration with their path', async () => {
    const provider = providerOf();
    const config = object({ zone: str('moon') });
    expect(await provider.configure({ terraformVersion: '1', config, capabilities })).toEqual({
      diagnostics: [
        {
          severity: 'error',
          summary: 'No such zone',
          detail: 'There is no zone moon.',
          attribute: [attrStep('zone')],
        },
      ],
    });
  });

  test('defers operations that need a client that cannot be created yet', async () => {
    const provider = await configured(unknownOf(STRING));
    const reason = 'provider_config_unknown';
    const config = planned;
    const request = { type, prior, proposed: planned, config, capabilities };
    expect(await provider.planResourceChange(request)).toMatchObject({ deferred: { reason } });
    const state = object({ name: str('n'), zone: str('a') });
    expect(await provider.readResource({ type, prior: state, capabilities })).toMatchObject({
      deferred: { reason },
    });
    const strict = { ...capabilities, deferralAllowed: false };
    const refused = await provider.readResource({ type, prior: state, capabilities: strict });
    expect(refused).toMatchObject({ diagnostics: [{ summary: 'Invalid Deferred Response' }] });
    expect(refused.state).toBe(state);
  });

  test('is stopped by a signal that all its handlers see', async () => {
    const provider = await configured(nullOf(STRING));
    const state = object({ name: str('n'), zone: str('a') });
    const answer = provider.readResource({ type, prior: state, capabilities });
    await provider.stop();
    expect((await answer).state.attr('zone').asString()).toBe('stopped');
  });
});

describe('lists', () => {
  const listed = async (provider: Provider, more: object): Promise<readonly ListedResource[]> => {
    const resources: ListedResource[] = [];
    const config = object({ prefix: str('t') });
    const checked = enforceContract(provider, 'example.com/x/x');
    const request = { type, config, includeResource: false, ...more };
    for await (const resource of checked.listResource(request)) resources.push(resource);
    return resources;
  };

  test('return identities, objects on request, and the error that ends them', async () => {
    const provider = await configured(nullOf(STRING));
    const resources = await listed(provider, {});
    expect(resources.map((resource) => resource.displayName)).toEqual(['TWO', 'THREE', '']);
    expect(resources[0]?.identity?.attr('name').asString()).toBe('two');
    expect(resources[0]?.resource).toBeUndefined();
    expect(resources[2]?.diagnostics).toMatchObject([{ summary: 'No more' }]);
    const [withResource] = await listed(provider, { includeResource: true });
    expect(withResource?.resource?.attr('zone').asString()).toBe('a');
  });

  test('end when the limit is reached', async () => {
    const seen: unknown[] = [];
    const resources = await listed(await configured(nullOf(STRING), seen), { limit: 1 });
    expect(resources.map((resource) => resource.displayName)).toEqual(['TWO']);
    expect(seen).toEqual(['two']);
  });

  test('have a schema and are validated', async () => {
    const provider = await configured(nullOf(STRING));
    expect(Object.keys((await provider.schema()).listResources ?? {})).toEqual([type]);
    const config = object({ prefix: str('t') });
    expect(await provider.validateListResourceConfig?.({ type, config })).toEqual({
      diagnostics: [],
    });
  });
});

test('ephemeral objects keep private data and their renewal time', async () => {
  const calls: unknown[] = [];
  const later = new Date(60_000);
  const provider = defineProvider({
    ephemeralResources: {
      x_token: ephemeralResource({
        attributes: { name: string({ required: true }), value: string({ computed: true }) },
        private: privateData<{ name: string; times: number }>(),
        open: ({ config, setPrivate, renewAt }) => {
          setPrivate({ name: config.name, times: 0 });
          renewAt(later);
          return { ...config, value: 'secret' };
        },
        renew: ({ private: { times = 0 }, setPrivate }) => setPrivate({ times: times + 1 }),
        close: ({ private: kept }) => void calls.push(kept),
      }),
    },
  });
  const config = object({ name: str('n'), value: nullOf(STRING) });
  const opened = await provider.openEphemeralResource?.({ type: 'x_token', config });
  expect(opened?.renewAt).toBe(later);
  expect(opened?.result.attr('value').asString()).toBe('secret');
  const kept = opened?.private;
  if (kept === undefined) throw new Error('nothing is kept');
  const renewed = await provider.renewEphemeralResource?.({ type: 'x_token', private: kept });
  expect(renewed?.renewAt).toBeUndefined();
  if (renewed?.private === undefined) throw new Error('nothing is kept');
  await provider.closeEphemeralResource?.({ type: 'x_token', private: renewed.private });
  expect(calls).toEqual([{ name: 'n', times: 1 }]);
});

describe('functions', () => {
  const provider = defineProvider({
    functions: {
      join: providerFunction({
        parameters: { separator: parameter(string, { description: 'Between two parts.' }) },
        variadic: { parts: string },
        returns: string,
        call: ({ separator, parts }, { fail }) => {
          const at = parts.indexOf('bad');
          if (at !== -1) fail('is bad', 'parts', at);
          return parts.join(separator);
        },
      }),
      size: providerFunction({
        parameters: { of: parameter(list(int64), { allowUnknown: true, allowNull: true }) },
        returns: int64,
        call: ({ of }) => (isUnknown(of) ? unknown({ min: 0 }) : Promise.resolve(of?.length ?? -1)),
      }),
    },
  });
  const call = async (name: string, ...args: Value[]) =>
    await provider.callFunction?.({ name, args });

  test('get their arguments, and report invalid ones', async () => {
    expect(await call('join', str('-'), str('a'), str('b'))).toEqual({ result: str('a-b') });
    expect(await call('join', str('-'), str('a'), str('bad'))).toEqual({
      error: { message: 'is bad', argument: 2 },
    });
    expect(await call('else')).toEqual({
      error: { message: 'provider has no function named "else"' },
    });
  });

  test('get null and unknown if allowed, and may answer asynchronously', async () => {
    const numbers = (await provider.schema()).functions?.['size']?.parameters[0]?.type;
    if (numbers === undefined) throw new Error('no function size');
    expect(await call('size', nullOf(numbers))).toEqual({ result: numberValue(-1) });
    const open = await call('size', unknownOf(numbers));
    expect(open?.result?.refinement).toMatchObject({ notNull: true, min: { value: 0 } });
  });

  test('are in the schema', async () => {
    expect((await provider.schema()).functions?.['join']).toEqual({
      parameters: [{ name: 'separator', type: STRING, description: 'Between two parts.' }],
      variadic: { name: 'parts', type: STRING },
      returns: STRING,
    });
  });
});

test('a resource of a provider without configuration needs no client', async () => {
  const provider = defineProvider({
    resources: {
      x_thing: resource({ attributes, create: ({ plan }) => ({ ...plan, zone: 'z' }) }),
    },
  });
  const answer = await provider.applyResourceChange({
    type: 'x_thing',
    prior,
    planned,
    config: planned,
  });
  expect(answer.state.attr('zone').asString()).toBe('z');
});
