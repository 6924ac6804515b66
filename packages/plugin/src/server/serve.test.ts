import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  attrStep,
  bool,
  DYNAMIC,
  indexStep,
  list,
  listType,
  nullOf,
  double,
  object,
  objectType,
  refineNotNull,
  set,
  setType,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { nodeHost } from '@terrane/host';
import type { OwnProcess, Spawn } from '@terrane/host';
import { impliedType } from '@terrane/provider';
import type {
  AttributeSchema,
  Provider,
  ProviderDiagnostic,
  ProviderSchema,
  StateStore,
} from '@terrane/provider';
import { afterEach, expect, it } from 'vitest';
import { openPlugin } from '../index.ts';
import { CallError, Connection } from '../client/connection.ts';
import { BY_HAND, COOKIE } from './negotiate.ts';
import { serveIn } from './serve.ts';
import type { Served, ServeOptions } from './serve.ts';

// Both ends of the protocol in one process: what a provider says arrives through the client as it was said.

const host = nodeHost();
const CAPABILITIES = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
const ADDRESS = 'example.com/acme/thing';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** A process that is none. */
class FakeProcess implements OwnProcess {
  readonly args: readonly string[];
  readonly executable = '/node';
  stdout = '';
  stderr = '';
  exitCode: number | undefined;
  readonly exited: Promise<number>;
  #tellExit: (code: number) => void = () => {};
  #take: Parameters<OwnProcess['divert']>[0] = () => {};
  #signal: Parameters<OwnProcess['onSignal']>[0] = () => {};
  onLine: (line: string) => void = () => {};

  constructor(args: readonly string[] = []) {
    this.args = args;
    this.exited = new Promise((resolve) => {
      this.#tellExit = resolve;
    });
  }

  parentPid(): number {
    return 1;
  }
  write(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] += text;
    if (stream === 'stdout') this.onLine(text.trim());
  }
  divert(take: Parameters<OwnProcess['divert']>[0]): void {
    this.#take = take;
  }
  print(stream: 'stdout' | 'stderr', text: string): void {
    this.#take(stream, Buffer.from(text));
  }
  onSignal(handle: Parameters<OwnProcess['onSignal']>[0]): void {
    this.#signal = handle;
  }
  signal(name: 'SIGINT' | 'SIGTERM'): void {
    this.#signal(name);
  }
  onUncaught(): void {}
  exit(code: number): void {
    this.exitCode ??= code;
    this.#tellExit(code);
  }
  log(): { readonly [name: string]: unknown }[] {
    return this.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { readonly [name: string]: unknown });
  }
}

interface Run {
  readonly provider: Provider;
  readonly process: FakeProcess;
}

function environmentOf(variables: Readonly<Record<string, string>>): typeof host.environment {
  return {
    ...host.environment,
    get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    entries: () => Object.entries(variables),
  };
}

/** A provider behind the protocol. */
function through(
  served: Served,
  options: Partial<ServeOptions> & { readonly env?: Readonly<Record<string, string>> } = {},
): Run {
  const process = new FakeProcess();
  const directory = mkdtempSync(join(tmpdir(), 'served-'));
  const spawn: Spawn = {
    run: () => Promise.reject(new Error('not run')),
    start: (_path, _args, { env = {}, onStdout }) => {
      process.onLine = onStdout;
      const environment = environmentOf({
        ...env,
        PLUGIN_UNIX_SOCKET_DIR: directory,
        ...options.env,
      });
      void serveIn(
        served,
        { address: ADDRESS, ...options },
        { process, host: { ...host, environment } },
      );
      return Promise.resolve({
        ended: process.exited.then((code) => ({ code })),
        kill: () => process.exit(137),
      });
    },
  };
  const plugin = openPlugin(
    ADDRESS,
    { kind: 'executable', path: '/thing' },
    {
      ...host,
      spawn,
      environment: environmentOf({}),
    },
  );
  undo.push(
    () => rmSync(directory, { recursive: true, force: true }),
    () => plugin.close(),
  );
  return { provider: plugin.create(), process };
}

const attribute = (rest: AttributeSchema): AttributeSchema => ({ optional: true, ...rest });

const SCHEMA: ProviderSchema = {
  provider: {
    version: 0,
    block: {
      attributes: { region: attribute({ type: STRING, description: 'where' }) },
      blocks: {},
    },
  },
  providerMeta: {
    version: 0,
    block: { attributes: { module: attribute({ type: STRING }) }, blocks: {} },
  },
  resources: {
    thing: {
      version: 4,
      block: {
        attributes: {
          name: {
            type: STRING,
            required: true,
            description: '*name*',
            descriptionKind: 'markdown',
          },
          id: { type: STRING, computed: true },
          any: attribute({ type: DYNAMIC, deprecated: true }),
          secret: attribute({ type: STRING, sensitive: true, writeOnly: true }),
          deep: attribute({ type: listType(objectType({ n: STRING })) }),
        },
        blocks: {
          one: {
            nesting: 'single',
            block: {
              attributes: {},
              blocks: {
                two: {
                  nesting: 'set',
                  minItems: 1,
                  maxItems: 3,
                  block: { attributes: { s: attribute({ type: STRING }) }, blocks: {} },
                },
              },
              deprecated: true,
            },
          },
          group: { nesting: 'group', block: { attributes: {}, blocks: {} } },
        },
        description: 'a thing',
      },
    },
  },
  dataSources: {
    look: {
      version: 1,
      block: { attributes: { q: attribute({ type: setType(STRING) }) }, blocks: {} },
    },
  },
  ephemeralResources: {
    lease: {
      version: 0,
      block: { attributes: { token: { type: STRING, computed: true } }, blocks: {} },
    },
  },
  actions: {
    act: { version: 0, block: { attributes: { how: attribute({ type: STRING }) }, blocks: {} } },
  },
  functions: {
    join: {
      summary: 'joins',
      description: 'joins texts',
      parameters: [{ name: 'with', type: STRING, description: 'between' }],
      variadic: { name: 'texts', type: STRING, allowNull: true, allowUnknown: true },
      returns: STRING,
    },
  },
  identities: {
    thing: {
      version: 2,
      block: { attributes: { key: { type: STRING, required: true } }, blocks: {} },
    },
  },
  capabilities: { planDestroy: true, moveResourceState: true, getProviderSchemaOptional: true },
};

const TYPE = impliedType(SCHEMA.resources['thing']?.block ?? { attributes: {}, blocks: {} });

function thing(id: Value, any: Value = nullOf(DYNAMIC)): Value {
  return object({
    name: str('n'),
    id,
    any,
    secret: nullOf(STRING),
    deep: list(objectType({ n: STRING }), [object({ n: str('1') })]),
    one: object({ two: set(objectType({ s: STRING }), [object({ s: str('x') })]) }),
    group: object({}),
  });
}

/** A provider that has nothing; tests give it what they ask for. */
function providerWith(parts: Partial<Provider>): Provider {
  const none = (): never => {
    throw new Error('not expected');
  };
  return {
    schema: () => SCHEMA,
    validateProviderConfig: () => ({}),
    validateResourceConfig: none,
    validateDataSourceConfig: none,
    configure: () => ({}),
    upgradeResourceState: none,
    readResource: none,
    planResourceChange: none,
    applyResourceChange: none,
    importResourceState: none,
    readDataSource: none,
    stop: () => {},
    close: () => {},
    ...parts,
  };
}

const text = (s: string): Uint8Array => Uint8Array.from(Buffer.from(s));

it.each([
  [6, 'unix'],
  [6, 'tcp'],
  [5, 'unix'],
  [5, 'tcp'],
] as const)('schemas cross version %i over mutual TLS on %s', async (version, network) => {
  const { provider } = through(providerWith({}), { protocolVersions: [version], network });
  expect(await provider.schema()).toEqual({ ...SCHEMA, diagnostics: [] });
});

it('values, paths and private data cross exactly, in both directions', async () => {
  const asked: object[] = [];
  const unknown = refineNotNull(unknownOf(STRING));
  const planned = thing(unknown, object({ deep: unknownOf(DYNAMIC), n: double(1.5) }));
  const { provider } = through(
    providerWith({
      planResourceChange: (request) => {
        asked.push(request);
        return {
          planned,
          requiresReplace: [[attrStep('deep'), indexStep(0), attrStep('n')]],
          private: text('kept'),
          identity: object({ key: str('k') }),
          deferred: { reason: 'absent_prereq' },
          diagnostics: [
            {
              severity: 'warning',
              summary: 's',
              detail: 'd',
              attribute: [attrStep('any'), indexStep('k')],
            },
            {
              severity: 'warning',
              summary: 't',
              detail: '',
              attribute: [attrStep('one'), attrStep('two'), indexStep(object({}))],
            },
          ],
        };
      },
    }),
  );
  const request = {
    type: 'thing',
    prior: nullOf(TYPE),
    proposed: thing(unknownOf(STRING), list(STRING, [])),
    config: thing(nullOf(STRING), bool(true)),
    priorPrivate: text('before'),
    providerMeta: object({ module: str('m') }),
    priorIdentity: object({ key: str('old') }),
    capabilities: CAPABILITIES,
  };
  const answer = await provider.planResourceChange(request);
  expect(asked).toEqual([request]);
  expect(answer).toEqual({
    planned,
    requiresReplace: [[attrStep('deep'), indexStep(0), attrStep('n')]],
    private: text('kept'),
    identity: object({ key: str('k') }),
    deferred: { reason: 'absent_prereq' },
    diagnostics: [
      {
        severity: 'warning',
        summary: 's',
        detail: 'd',
        attribute: [attrStep('any'), indexStep('k')],
      },
      // The element of a set has no place in the protocol.
      {
        severity: 'warning',
        summary: 't',
        detail: '',
        attribute: [attrStep('one'), attrStep('two')],
      },
    ],
  });
});

it('reading, importing, upgrading, moving, data and ephemeral resources cross', async () => {
  const state = thing(str('i'));
  const renewAt = new Date('2026-01-02T03:04:05.678Z');
  const { provider } = through(
    providerWith({
      readResource: ({ prior }) => ({ state: prior, private: text('p') }),
      importResourceState: ({ id, identity }) => ({
        imported: [
          {
            type: 'thing',
            state: thing(identity?.attr('key') ?? str(id ?? '')),
            private: text('i'),
          },
        ],
      }),
      upgradeResourceState: ({ json, flatmap, version }) => ({
        state: thing(str(`${version} ${json ?? JSON.stringify(flatmap)}`)),
      }),
      moveResourceState: ({ sourceType, sourceJson, sourceVersion }) => ({
        state: thing(str(`${sourceType} ${sourceVersion} ${sourceJson}`)),
        private: text('m'),
      }),
      readDataSource: ({ config }) => ({ state: config }),
      openEphemeralResource: () => ({
        result: object({ token: str('t') }),
        private: text('e'),
        renewAt,
      }),
      renewEphemeralResource: ({ private: kept }) => ({
        private: text(`${Buffer.from(kept ?? []).toString()}+`),
        renewAt,
      }),
      closeEphemeralResource: ({ private: kept }) => ({
        diagnostics: [
          { severity: 'warning', summary: Buffer.from(kept ?? []).toString(), detail: '' },
        ],
      }),
    }),
  );
  const type = 'thing';
  expect(await provider.readResource({ type, prior: state, capabilities: CAPABILITIES })).toEqual({
    state,
    private: text('p'),
    diagnostics: [],
  });
  expect(await provider.importResourceState({ type, id: 'x' })).toMatchObject({
    imported: [{ state: thing(str('x')), private: text('i') }],
  });
  expect(
    await provider.importResourceState({ type, identity: object({ key: str('y') }) }),
  ).toMatchObject({
    imported: [{ state: thing(str('y')) }],
  });
  expect(await provider.upgradeResourceState({ type, version: 3, json: '{"a":1}' })).toMatchObject({
    state: thing(str('3 {"a":1}')),
  });
  expect(
    await provider.upgradeResourceState({ type, version: 0, flatmap: { a: '1' } }),
  ).toMatchObject({ state: thing(str('0 {"a":"1"}')) });
  expect(
    await provider.moveResourceState?.({
      sourceProvider: 'p',
      sourceType: 'old',
      sourceVersion: 7,
      sourceJson: '{}',
      targetType: type,
    }),
  ).toMatchObject({ state: thing(str('old 7 {}')), private: text('m') });
  const config = object({ q: set(STRING, [str('a'), str('b')]) });
  expect(
    await provider.readDataSource({ type: 'look', config, capabilities: CAPABILITIES }),
  ).toMatchObject({ state: config });
  const lease = { type: 'lease', config: object({ token: nullOf(STRING) }) };
  expect(await provider.openEphemeralResource?.(lease)).toMatchObject({
    result: object({ token: str('t') }),
    private: text('e'),
    renewAt,
  });
  expect(
    await provider.renewEphemeralResource?.({ type: 'lease', private: text('e') }),
  ).toMatchObject({ private: text('e+'), renewAt });
  expect(
    await provider.closeEphemeralResource?.({ type: 'lease', private: text('z') }),
  ).toMatchObject({ diagnostics: [{ summary: 'z' }] });
});

it('functions cross with their arguments, results and errors', async () => {
  const { provider } = through(
    providerWith({
      callFunction: ({ args }) => {
        if (args.some((arg) => !arg.isKnown)) return { result: unknownOf(STRING) };
        const at = args.findIndex((arg) => arg.isNull);
        if (at >= 0) return { error: { message: 'null', argument: at } };
        if (args.length === 1) return { error: { message: 'nothing to join' } };
        const [between, ...rest] = args.map((arg) => arg.asString());
        return { result: str(rest.join(between)) };
      },
    }),
  );
  const call = (...args: Value[]) => provider.callFunction?.({ name: 'join', args });
  expect(await call(str('-'), str('a'), str('b'))).toEqual({ result: str('a-b') });
  expect(await call(str('-'), unknownOf(STRING))).toEqual({ result: unknownOf(STRING) });
  expect(await call(str('-'), str('a'), nullOf(STRING))).toEqual({
    error: { message: 'null', argument: 2 },
  });
  expect(await call(str('-'))).toEqual({ error: { message: 'nothing to join' } });
});

it('actions tell how far they have come', async () => {
  const { provider } = through(
    providerWith({
      planAction: () => ({ diagnostics: [{ severity: 'warning', summary: 'looked', detail: '' }] }),
      invokeAction: async ({ config, progress }) => {
        progress('one');
        await Promise.resolve();
        progress('two');
        return {
          diagnostics: [{ severity: 'error', summary: config.attr('how').asString(), detail: '' }],
        };
      },
    }),
  );
  const config = object({ how: str('fast') });
  expect(
    await provider.planAction?.({ type: 'act', config, capabilities: CAPABILITIES }),
  ).toMatchObject({ diagnostics: [{ summary: 'looked' }] });
  const said: string[] = [];
  const answer = await provider.invokeAction?.({
    type: 'act',
    config,
    progress: (message) => said.push(message),
  });
  expect(said).toEqual(['one', 'two']);
  expect(answer).toMatchObject({ diagnostics: [{ severity: 'error', summary: 'fast' }] });
});

it('lists, upgrades of identities and generated configurations cross', async () => {
  const schema = () => ({
    ...SCHEMA,
    listResources: {
      thing: SCHEMA.dataSources['look'] ?? { version: 0, block: { attributes: {}, blocks: {} } },
    },
    capabilities: { ...SCHEMA.capabilities, generateResourceConfig: true },
  });
  let taken = 0;
  const { provider } = through(
    providerWith({
      schema,
      upgradeResourceIdentity: ({ json, version }) => ({
        identity: object({ key: str(`${version} ${json}`) }),
      }),
      generateResourceConfig: ({ state }) => ({ config: state }),
      validateListResourceConfig: () => ({
        diagnostics: [{ severity: 'warning', summary: 'long', detail: '' }],
      }),
      async *listResource({ includeResource, limit }) {
        for (;;) {
          await Promise.resolve();
          taken++;
          yield {
            displayName: `${taken} of ${limit ?? 0}`,
            identity: object({ key: str(String(taken)) }),
            ...(includeResource ? { resource: thing(str(String(taken))) } : {}),
          };
        }
      },
    }),
  );
  expect(await provider.schema()).toMatchObject(schema());
  const state = thing(str('i'));
  expect(
    await provider.upgradeResourceIdentity?.({ type: 'thing', version: 1, json: '{}' }),
  ).toMatchObject({
    identity: object({ key: str('1 {}') }),
  });
  expect(await provider.generateResourceConfig?.({ type: 'thing', state })).toMatchObject({
    config: state,
  });
  const query = { type: 'thing', config: object({ q: nullOf(setType(STRING)) }) };
  expect(await provider.validateListResourceConfig?.(query)).toMatchObject({
    diagnostics: [{ summary: 'long' }],
  });
  const found: unknown[] = [];
  const listed = provider.listResource?.({ ...query, includeResource: true, limit: 2 }) ?? [];
  for await (const each of listed) found.push(each);
  expect(found).toMatchObject([
    { displayName: '1 of 2', identity: object({ key: str('1') }), resource: thing(str('1')) },
    { displayName: '2 of 2', resource: thing(str('2')) },
  ]);
  expect(taken).toBe(2);
});

it('what a provider logs goes to the log of whoever started it, with the call that it came from', async () => {
  let log: Parameters<NonNullable<Provider['logTo']>>[0] = () => {};
  const { provider, process } = through(
    providerWith({
      logTo: (sink) => {
        log = sink;
      },
      readDataSource: async ({ config }) => {
        await Promise.resolve();
        log({ level: 'warn', message: 'slow', fields: { seconds: 3, why: new Error('late') } });
        log({ level: 'trace', message: 'nobody asked', fields: {} });
        return { state: config };
      },
    }),
    { env: { TF_LOG_PROVIDER_THING: 'warn' } },
  );
  const config = object({ q: nullOf(setType(STRING)) });
  await provider.readDataSource({ type: 'look', config, capabilities: CAPABILITIES });
  expect(process.log()).toMatchObject([
    { '@level': 'warn', '@message': 'slow', seconds: 3, tf_rpc: 'ReadDataSource', tf_type: 'look' },
  ]);
  expect(process.log()[0]?.['why']).toMatch(/^Error: late\n/);
});

it('what a provider throws becomes a diagnostic, with the stack in the log only', async () => {
  const { provider, process } = through(
    providerWith({
      applyResourceChange: () => {
        throw new TypeError('no such thing');
      },
      callFunction: () => Promise.reject(new Error('not today')),
      readDataSource: () => ({ state: str('of the wrong type') }),
    }),
  );
  const prior = thing(str('before'));
  const answer = await provider.applyResourceChange({
    type: 'thing',
    prior,
    planned: thing(str('after')),
    config: prior,
    plannedPrivate: text('kept'),
  });
  expect(answer).toEqual({
    state: prior,
    private: text('kept'),
    diagnostics: [
      {
        severity: 'error',
        summary: 'Provider error',
        detail:
          'The provider failed in ApplyResourceChange for thing: no such thing\n\nThis is a fault of the provider, which should be reported to its developers. The log has the place in its code (TF_LOG=error).',
      },
    ],
  });
  expect(process.log()).toMatchObject([
    {
      '@level': 'error',
      '@module': 'provider',
      '@message': 'the provider failed',
      tf_rpc: 'ApplyResourceChange',
      tf_type: 'thing',
    },
  ]);
  expect(process.log()[0]?.['error']).toMatch(/^TypeError: no such thing\n +at /);
  expect(process.log()[0]?.['@timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(await provider.callFunction?.({ name: 'join', args: [str('')] })).toMatchObject({
    error: { message: expect.stringContaining('not today') as unknown },
  });
  const config = object({ q: nullOf(setType(STRING)) });
  expect(
    await provider.readDataSource({ type: 'look', config, capabilities: CAPABILITIES }),
  ).toMatchObject({
    diagnostics: [
      {
        summary: 'Provider error',
        detail: expect.stringContaining('ReadDataSource for look') as unknown,
      },
    ],
  });
});

it('a stop aborts what runs, and nothing that comes after it', async () => {
  let started = (): void => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const { provider } = through(
    providerWith({
      applyResourceChange: ({ signal, prior }) => {
        started();
        if (signal?.aborted === true)
          return {
            state: prior,
            diagnostics: [{ severity: 'error', summary: 'too late', detail: '' }],
          };
        return new Promise((resolve) =>
          signal?.addEventListener('abort', () =>
            resolve({
              state: prior,
              diagnostics: [{ severity: 'error', summary: 'stopped', detail: '' }],
            }),
          ),
        );
      },
      readResource: ({ prior }) => ({ state: prior }),
    }),
  );
  const capabilities = CAPABILITIES;
  await provider.configure({
    terraformVersion: '1.11.4',
    config: object({ region: nullOf(STRING) }),
    capabilities,
  });
  const prior = thing(str('a'));
  const applied = provider.applyResourceChange({
    type: 'thing',
    prior,
    planned: prior,
    config: prior,
  });
  await running;
  await provider.stop();
  expect(await applied).toMatchObject({ diagnostics: [{ summary: 'stopped' }] });
});

it('version 5 has no nested attributes, which a provider that has some says', async () => {
  const resources = {
    thing: {
      version: 0,
      block: {
        attributes: {
          deep: attribute({
            nested: { nesting: 'map' as const, attributes: { a: attribute({ type: STRING }) } },
          }),
        },
        blocks: {},
      },
    },
  };
  const schema = () => ({ ...SCHEMA, resources, identities: {} });
  const old = through(providerWith({ schema }), { protocolVersions: [5] });
  const { diagnostics } = await old.provider.schema();
  expect(diagnostics).toMatchObject([
    {
      summary: 'Provider needs protocol version 6',
      detail: expect.stringContaining('attribute deep of resource thing') as unknown,
    },
  ]);
  const current = through(providerWith({ schema }));
  expect((await current.provider.schema()).resources).toEqual(resources);
});

it('nothing but the first line reaches standard output, whatever a provider prints', async () => {
  const { provider, process } = through(providerWith({}));
  await provider.schema();
  process.print('stdout', 'to nowhere in particular\n');
  expect(process.stdout.split('\n')).toHaveLength(2);
  expect(process.stdout).toMatch(/^1\|6\|unix\|\S+\|grpc\|[A-Za-z0-9+/]{200,}\n$/);
});

function alone(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  options = {},
): FakeProcess {
  const process = new FakeProcess(args);
  const directory = mkdtempSync(join(tmpdir(), 'served-'));
  const environment = environmentOf({ PLUGIN_UNIX_SOCKET_DIR: directory, ...env });
  void serveIn(
    providerWith({}),
    { address: ADDRESS, ...options },
    { process, host: { ...host, environment } },
  );
  undo.push(
    () => rmSync(directory, { recursive: true, force: true }),
    () => process.signal('SIGTERM'),
  );
  return process;
}

const line = (process: FakeProcess): Promise<string> =>
  new Promise((resolve) => {
    process.onLine = resolve;
  });

it.each([{}, { [COOKIE.name]: 'something else' }])(
  'started without the cookie (%o) it says what it is',
  async (env) => {
    const process = alone(env);
    expect(await process.exited).toBe(1);
    expect(process.stderr).toBe(BY_HAND);
    expect(process.stdout).toBe('');
  },
);

it.each([
  ['5,6', '6'],
  ['6,5', '6'],
  ['5', '5'],
  ['4,5', '5'],
  // Nothing in common: the other side tells what is wrong.
  ['7', '5'],
  ['', '5'],
])('asked for versions "%s" it speaks %s', async (asked, version) => {
  const process = alone({ [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: asked });
  expect((await line(process)).split('|').slice(0, 3)).toEqual(['1', version, 'unix']);
});

it('without a certificate to trust it goes without TLS', async () => {
  const process = alone({ [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: '6' });
  const [, , , address = '', protocol, certificate] = (await line(process)).split('|');
  expect([protocol, certificate]).toEqual(['grpc', '']);
  const handshake = { version: 6, network: 'unix', address, certificate: undefined } as const;
  const connection = await Connection.attach(handshake, host);
  expect(await connection.call('GetMetadata', {})).toMatchObject({
    resources: [{ typeName: 'thing' }],
    functions: [{ name: 'join' }],
  });
  await connection.close();
});

it('with a certificate to trust it takes nobody without one', async () => {
  const { provider, process } = through(providerWith({}));
  await provider.schema();
  const address = process.stdout.split('|')[3] ?? '';
  const handshake = { version: 6, network: 'unix', address, certificate: undefined } as const;
  const connection = await Connection.attach(handshake, host);
  await expect(connection.call('GetMetadata', {})).rejects.toThrow(CallError);
  await connection.close();
});

it('ports are tried one after the other', async () => {
  const env = { [COOKIE.name]: COOKIE.value, PLUGIN_MIN_PORT: '21711', PLUGIN_MAX_PORT: '21790' };
  const portOf = async (): Promise<number> => {
    const process = alone(env, [], { network: 'tcp' });
    return Number(/^1\|5\|tcp\|127\.0\.0\.1:(\d+)\|/.exec(await line(process))?.[1]);
  };
  const first = await portOf();
  expect(first).toBeGreaterThanOrEqual(21_711);
  expect(await portOf()).toBeGreaterThan(first);
});

it('ports that are none end the start', async () => {
  const process = alone({
    [COOKIE.name]: COOKIE.value,
    PLUGIN_MIN_PORT: '9',
    PLUGIN_MAX_PORT: '8',
  });
  expect(await process.exited).toBe(1);
  expect(process.stderr).toContain(
    'PLUGIN_MIN_PORT value of 9 is greater than PLUGIN_MAX_PORT value of 8',
  );
});

it('in debug mode it says how to attach to it, and ends at Ctrl-C', async () => {
  const process = alone({}, ['-debug']);
  const printed = await line(process);
  const found = /\tTF_REATTACH_PROVIDERS='(.*)'/.exec(`${printed}\n`)?.[1] ?? '';
  expect(JSON.parse(found)).toMatchObject({
    [ADDRESS]: { Protocol: 'grpc', ProtocolVersion: 6, Test: true, Addr: { Network: 'unix' } },
  });
  expect(process.exitCode).toBeUndefined();
  process.signal('SIGINT');
  expect(await process.exited).toBe(0);
});

const STORE_SCHEMA: ProviderSchema = {
  ...SCHEMA,
  stateStores: {
    box: { version: 0, block: { attributes: { bucket: attribute({ type: STRING }) }, blocks: {} } },
  },
};

/** A provider that keeps states, with what it keeps. */
function keeping(): { readonly provider: Provider; readonly kept: Map<string, Buffer> } {
  const kept = new Map<string, Buffer>();
  const locks = new Map<string, string>();
  const refused = (summary: string): { diagnostics: readonly ProviderDiagnostic[] } => ({
    diagnostics: [{ severity: 'error', summary, detail: 'so it is' }],
  });
  const store: StateStore = {
    validateConfig: ({ config }) =>
      config.attr('bucket').isNull
        ? {
            diagnostics: [
              {
                severity: 'error',
                summary: 'which bucket?',
                detail: '',
                attribute: [attrStep('bucket')],
              },
            ],
          }
        : {},
    configure: ({ config }) => (config.attr('bucket').asString() === 'none' ? refused('none') : {}),
    read: (id) => {
      const bytes = kept.get(id);
      return bytes === undefined ? {} : { bytes };
    },
    write: (id, bytes) => {
      if (id === 'full') throw new Error('disk is full');
      kept.set(id, Buffer.from(bytes));
      return {};
    },
    lock: (id, operation) => {
      if (locks.has(id)) return { ...refused('locked'), lockId: '' };
      locks.set(id, operation);
      return { lockId: operation };
    },
    unlock: (id, lockId) =>
      locks.get(id) === lockId && locks.delete(id) ? {} : refused('not held'),
    states: () => ({ ids: [...kept.keys()] }),
    delete: (id) => (kept.delete(id) ? {} : refused('no such state')),
  };
  return { provider: providerWith({ schema: () => STORE_SCHEMA, stateStore: () => store }), kept };
}

it('states cross in parts and whole, with their locks', async () => {
  const { provider: own, kept } = keeping();
  const { provider } = through(own);
  expect((await provider.schema()).stateStores).toEqual(STORE_SCHEMA.stateStores);
  const store = provider.stateStore?.('box');
  const none = await store?.validateConfig({ config: object({ bucket: nullOf(STRING) }) });
  expect(none?.diagnostics).toMatchObject([
    { summary: 'which bucket?', attribute: [attrStep('bucket')] },
  ]);
  const failing = await store?.configure({ config: object({ bucket: str('none') }) });
  expect(failing?.diagnostics).toMatchObject([{ summary: 'none' }]);
  expect((await store?.states())?.diagnostics).toMatchObject([
    { summary: 'State Store Not Configured' },
  ]);
  expect(await store?.configure({ config: object({ bucket: str('b') }) })).toEqual({
    diagnostics: [],
  });
  expect(await store?.read('default')).toEqual({ bytes: Buffer.alloc(0), diagnostics: [] });
  // More than two of the parts that a state is sent in, of which the last is a small one.
  const large = Buffer.alloc(17 * 1024 * 1024, 'terrane');
  expect(await store?.write('default', large)).toEqual({ diagnostics: [] });
  expect(kept.get('default')?.equals(large)).toBe(true);
  expect(Buffer.from((await store?.read('default'))?.bytes ?? []).equals(large)).toBe(true);
  expect(await store?.states()).toEqual({ ids: ['default'], diagnostics: [] });
  expect(await store?.lock('default', 'apply')).toEqual({ lockId: 'apply', diagnostics: [] });
  expect((await store?.lock('default', 'plan'))?.diagnostics).toMatchObject([
    { summary: 'locked' },
  ]);
  expect((await store?.unlock('default', 'plan'))?.diagnostics).toMatchObject([
    { summary: 'not held' },
  ]);
  expect(await store?.unlock('default', 'apply')).toEqual({ diagnostics: [] });
  expect(await store?.delete('default')).toEqual({ diagnostics: [] });
  expect((await store?.delete('default'))?.diagnostics).toMatchObject([
    { summary: 'no such state' },
  ]);
  const full = await store?.write('full', Buffer.from('x'));
  expect(full?.diagnostics?.[0]?.detail).toContain('disk is full');
});
