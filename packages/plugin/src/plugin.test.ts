import {
  decodeMsgpack,
  encodeMsgpack,
  formatPath,
  number,
  NUMBER,
  nullOf,
  object,
  objectType,
  refineNotNull,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { nodeHost } from '@terrane/host';
import { enforceContract, impliedType } from '@terrane/provider';
import type { Provider } from '@terrane/provider';
import { afterEach, expect, it } from 'vitest';
import { openPlugin } from './index.ts';
import type { Plugin } from './index.ts';
import { certificatePem, makeCertificate } from './process/certificate.ts';
import { FakePlugin } from './testing/fake-plugin.ts';
import type { Handlers } from './testing/fake-plugin.ts';

const host = nodeHost();
const CAPABILITIES = { deferralAllowed: true, writeOnlyAttributesAllowed: true };

const json = (type: unknown): Uint8Array => Buffer.from(JSON.stringify(type));

const SCHEMA = {
  provider: { version: 0, block: {} },
  resourceSchemas: {
    thing: {
      version: 3,
      block: {
        attributes: [
          {
            name: 'name',
            type: json('string'),
            required: true,
            description: 'its *name*',
            descriptionKind: 1,
          },
          { name: 'id', type: json('string'), computed: true },
          {
            name: 'secret',
            type: json('string'),
            optional: true,
            sensitive: true,
            writeOnly: true,
          },
        ],
        blockTypes: [
          {
            typeName: 'rule',
            nesting: 2,
            minItems: 1,
            maxItems: 4,
            block: { attributes: [{ name: 'n', type: json('number'), optional: true }] },
          },
        ],
      },
    },
  },
  dataSourceSchemas: {
    look: {
      block: { attributes: [{ name: 'q', type: json(['list', 'string']), optional: true }] },
    },
  },
  ephemeralResourceSchemas: {
    lease: { block: { attributes: [{ name: 'token', type: json('string'), computed: true }] } },
  },
  actionSchemas: {
    act: {
      schema: { block: { attributes: [{ name: 'how', type: json('string'), optional: true }] } },
    },
  },
  functions: {
    add: {
      parameters: [{ name: 'a', type: json('number') }],
      variadicParameter: { name: 'more', type: json('number'), allowNullValue: true },
      return: { type: json('number') },
      summary: 'adds',
    },
  },
  serverCapabilities: { planDestroy: true, getProviderSchemaOptional: true },
};

const IDENTITIES = {
  identitySchemas: {
    thing: {
      version: 2,
      attributes: [{ name: 'key', type: json('string'), requiredForImport: true }],
    },
  },
};

const RULE = objectType({ n: NUMBER });
const IDENTITY = objectType({ key: STRING });

function thingType() {
  return impliedType({
    attributes: {
      name: { type: STRING },
      id: { type: STRING },
      secret: { type: STRING },
    },
    blocks: {
      rule: { nesting: 'list', block: { attributes: { n: { type: NUMBER } }, blocks: {} } },
    },
  });
}

async function thing(id: Value, name = 'a'): Promise<Value> {
  const { list } = await import('@terrane/cty');
  return object({
    name: str(name),
    id,
    secret: nullOf(STRING),
    rule: list(RULE, [object({ n: number(1) })]),
  });
}

const dynamic = (v: Value, type: Type = thingType()): object => ({
  msgpack: encodeMsgpack(v, type),
});

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

function open(
  fake: FakePlugin,
  environment: Readonly<Record<string, string>> = {},
): { plugin: Plugin; create: () => Provider } {
  const ports = {
    ...host,
    spawn: fake,
    environment: {
      ...host.environment,
      get: (name: string) => environment[name],
      entries: () => Object.entries(environment),
    },
  };
  const plugin = openPlugin('example.com/acme/fake', { kind: 'executable', path: '/fake' }, ports);
  undo.push(
    () => fake.dispose(),
    () => plugin.close(),
  );
  return { plugin, create: () => plugin.create() };
}

const BASE: Handlers = {
  GetProviderSchema: () => SCHEMA,
  GetResourceIdentitySchemas: () => IDENTITIES,
  ConfigureProvider: () => ({}),
  ValidateProviderConfig: () => ({}),
};

const CONFIGURE = {
  terraformVersion: '1.11.4',
  config: object({}),
  capabilities: CAPABILITIES,
};

it.each([
  [6, 'unix'],
  [6, 'tcp'],
  [5, 'unix'],
] as const)('schemas of version %i come over mutual TLS on %s', async (version, network) => {
  const fake = new FakePlugin(BASE, version, network);
  const schema = await open(fake).create().schema();
  expect(schema.diagnostics).toEqual([]);
  expect(schema.resources['thing']).toEqual({
    version: 3,
    block: {
      attributes: {
        name: {
          type: STRING,
          required: true,
          description: 'its *name*',
          descriptionKind: 'markdown',
        },
        id: { type: STRING, computed: true },
        secret: { type: STRING, optional: true, sensitive: true, writeOnly: true },
      },
      blocks: {
        rule: {
          nesting: 'list',
          minItems: 1,
          maxItems: 4,
          block: { attributes: { n: { type: NUMBER, optional: true } }, blocks: {} },
        },
      },
    },
  });
  expect(schema.identities?.['thing']?.version).toBe(2);
  expect(impliedType(schema.identities?.['thing']?.block ?? { attributes: {}, blocks: {} })).toBe(
    IDENTITY,
  );
  expect(schema.functions['add']?.variadic).toEqual({
    name: 'more',
    type: NUMBER,
    allowNull: true,
  });
  expect(Object.keys(schema.actions ?? {})).toEqual(['act']);
  expect(schema.capabilities.planDestroy).toBe(true);
  expect(fake.started[0]?.environment['TF_PLUGIN_MAGIC_COOKIE']).toMatch(/^d602bf8f/);
});

it('nested attributes are those of version 6', async () => {
  const nestedType = {
    nesting: 4,
    attributes: [{ name: 'x', type: json('bool'), optional: true }],
  };
  const block = { attributes: [{ name: 'm', nestedType, optional: true }] };
  const schemas = { GetProviderSchema: () => ({ ...SCHEMA, resourceSchemas: { n: { block } } }) };
  const schema = await open(new FakePlugin(schemas)).create().schema();
  expect(schema.resources['n']?.block.attributes['m']?.nested?.nesting).toBe('map');
  expect(schema.identities).toBeUndefined(); // the call is not offered, which is no error
  expect(schema.diagnostics).toEqual([]);
});

it('plans carry unknown values with refinements, paths, flags, private data and identities', async () => {
  const id = refineNotNull(unknownOf(STRING));
  const planned = await thing(id);
  let seen: Record<string, unknown> = {};
  const fake = new FakePlugin({
    ...BASE,
    PlanResourceChange: (request) => {
      seen = request;
      return {
        plannedState: dynamic(planned),
        plannedPrivate: Buffer.from('later'),
        plannedIdentity: { identityData: dynamic(object({ key: str('k') }), IDENTITY) },
        requiresReplace: [
          { steps: [{ attributeName: 'rule' }, { elementKeyInt: 0 }, { attributeName: 'n' }] },
          { steps: [{ attributeName: 'tags' }, { elementKeyString: 'k' }] },
        ],
        legacyTypeSystem: true,
        deferred: { reason: 3 },
        diagnostics: [
          {
            severity: 2,
            summary: 's',
            detail: 'd',
            attribute: { steps: [{ attributeName: 'name' }] },
          },
        ],
      };
    },
  });
  const provider = open(fake).create();
  await provider.configure(CONFIGURE);
  const config = await thing(nullOf(STRING));
  const answer = await provider.planResourceChange({
    type: 'thing',
    prior: nullOf(thingType()),
    proposed: planned,
    config,
    priorPrivate: Buffer.from('before'),
    priorIdentity: object({ key: str('old') }),
    capabilities: CAPABILITIES,
  });
  expect(answer.planned.rawEquals(planned)).toBe(true);
  expect(answer.requiresReplace.map((path) => formatPath(path))).toEqual([
    '.rule[0].n',
    '.tags["k"]',
  ]);
  expect(Buffer.from(answer.private ?? []).toString()).toBe('later');
  expect(answer.identity?.attr('key').payload).toBe('k');
  expect([answer.legacyTypeSystem, answer.deferred]).toEqual([true, { reason: 'absent_prereq' }]);
  expect(
    answer.diagnostics?.map(({ severity, summary, attribute }) => [
      severity,
      summary,
      formatPath(attribute ?? []),
    ]),
  ).toEqual([['warning', 's', '.name']]);
  expect(Buffer.from(seen['priorPrivate'] as Uint8Array).toString()).toBe('before');
  const proposed = seen['proposedNewState'] as { msgpack: Uint8Array };
  expect(decodeMsgpack(proposed.msgpack, thingType()).rawEquals(planned)).toBe(true);
  expect(seen['clientCapabilities']).toMatchObject(CAPABILITIES);
});

it('supports functions, ephemeral resources, imports and actions', async () => {
  const fake = new FakePlugin({
    ...BASE,
    CallFunction: ({ arguments: args }) =>
      (args as unknown[]).length > 2
        ? { error: { text: 'too many', functionArgument: 2 } }
        : { result: dynamic(number(7), NUMBER) },
    OpenEphemeralResource: () => ({
      result: dynamic(object({ token: str('t') }), objectType({ token: STRING })),
      renewAt: { seconds: 1_700_000_000, nanos: 5_000_000 },
      private: Buffer.from('p'),
    }),
    ImportResourceState: ({ id }) => ({
      importedResources: [
        {
          typeName: 'thing',
          state: { msgpack: encodeMsgpack(nullOf(thingType()), thingType()) },
          private: Buffer.from(String(id)),
        },
      ],
    }),
    InvokeAction: () => [
      { progress: { message: 'one' } },
      { progress: { message: 'two' } },
      { completed: { diagnostics: [{ severity: 1, summary: 'no', detail: '' }] } },
    ],
  });
  const provider = open(fake).create();
  await provider.configure(CONFIGURE);
  const sum = await provider.callFunction?.({ name: 'add', args: [number(3), number(4)] });
  expect(sum?.result?.payload).toBe(7);
  const three = [number(3), number(4), number(5)];
  expect(await provider.callFunction?.({ name: 'add', args: three })).toEqual({
    error: { message: 'too many', argument: 2 },
  });
  const lease = await provider.openEphemeralResource?.({
    type: 'lease',
    config: object({ token: nullOf(STRING) }),
  });
  expect(lease?.renewAt?.toISOString()).toBe('2023-11-14T22:13:20.005Z');
  expect(lease?.result.attr('token').payload).toBe('t');
  const { imported } = await provider.importResourceState({ type: 'thing', id: 'x' });
  expect(Buffer.from(imported[0]?.private ?? []).toString()).toBe('x');
  const messages: string[] = [];
  const done = await provider.invokeAction?.({
    type: 'act',
    config: object({ how: str('well') }),
    progress: (message) => messages.push(message),
  });
  expect(messages).toEqual(['one', 'two']);
  expect(done?.diagnostics?.map(({ summary }) => summary)).toEqual(['no']);
});

it('each configuration has a process; the first is shared', async () => {
  const fake = new FakePlugin({ ...BASE, ValidateResourceConfig: () => ({}) });
  const { plugin, create } = open(fake);
  const validating = create();
  await validating.schema();
  await validating.validateResourceConfig({
    type: 'thing',
    config: await thing(nullOf(STRING)),
    capabilities: CAPABILITIES,
  });
  await validating.close();
  const [first, second] = [create(), create()];
  await Promise.all([first.configure(CONFIGURE), second.configure(CONFIGURE)]);
  expect(fake.started.length).toBe(2);
  expect(fake.calls.filter((call) => call === 'GetProviderSchema').length).toBe(1);
  await Promise.all([first.close(), second.close()]);
  expect(fake.started.map(({ shutdowns }) => shutdowns)).toEqual([1, 1]);
  const again = create();
  await again.configure(CONFIGURE);
  expect(fake.started.length).toBe(3);
  await plugin.close();
  expect(fake.started[2]?.shutdowns).toBe(1);
});

it('a crash is reported with the provider, the object, the call and standard error', async () => {
  const fake: FakePlugin = new FakePlugin({
    ...BASE,
    ApplyResourceChange: () => {
      const [started] = fake.started;
      started?.stderr('{"@level":"debug","@message":"password=hunter2"}');
      started?.stderr('panic: out of luck');
      started?.crash(2);
      return {};
    },
  });
  const provider = enforceContract(open(fake).create(), 'example.com/acme/fake');
  await provider.configure(CONFIGURE);
  const prior = await thing(str('1'));
  const request = {
    type: 'thing',
    address: 'thing.a',
    prior,
    planned: await thing(str('1'), 'b'),
    config: await thing(nullOf(STRING), 'b'),
  };
  const { state, diagnostics = [], unanswered } = await provider.applyResourceChange(request);
  expect(state.rawEquals(prior)).toBe(true);
  expect(unanswered).toBe(true);
  // A request to an exited process fails.
  const later = await provider.applyResourceChange(request);
  expect(later.diagnostics).toMatchObject([{ summary: 'Plugin did not respond' }]);
  expect(later.unanswered).toBeUndefined();
  expect(diagnostics.map(({ summary }) => summary)).toEqual(['Plugin did not respond']);
  expect(diagnostics[0]?.detail).toBe(
    "The plugin encountered an error, and failed to respond to the plugin6.(*GRPCProvider).ApplyResourceChange call for thing.a of provider example.com/acme/fake. The plugin logs may contain more details.\n\nThe plugin's process ended with code 2.\n\nThe plugin wrote this to its standard error:\n\npanic: out of luck",
  );
});

it('an answer of the wrong type is reported with its path, a missing one with its call', async () => {
  const wrong = objectType({ name: NUMBER });
  const fake = new FakePlugin({
    ...BASE,
    ReadResource: () => ({ newState: dynamic(object({ name: number(1) }), wrong) }),
    UpgradeResourceState: () => new Error('no'),
  });
  const provider = open(fake).create();
  await provider.configure(CONFIGURE);
  const prior = await thing(str('1'));
  const read = await provider.readResource({
    type: 'thing',
    address: 'thing.a',
    prior,
    capabilities: CAPABILITIES,
  });
  expect(read.state.rawEquals(prior)).toBe(true);
  expect(read.diagnostics?.[0]?.detail).toMatch(
    /ReadResource for thing\.a of provider example\.com\/acme\/fake: /,
  );
  const upgraded = await provider.upgradeResourceState({ type: 'thing', version: 1, json: '{}' });
  expect(upgraded.diagnostics?.[0]?.summary).toBe('Unsupported plugin method');
});

it('messages may be of any size, both ways', async () => {
  const name = 'x'.repeat(9_000_000);
  const fake = new FakePlugin({
    ...BASE,
    ReadResource: ({ currentState }) => ({ newState: currentState }),
  });
  const provider = open(fake).create();
  await provider.configure(CONFIGURE);
  const prior = await thing(str('1'), name);
  const read = await provider.readResource({ type: 'thing', prior, capabilities: CAPABILITIES });
  expect(read.diagnostics).toEqual([]);
  expect(read.state.attr('name').payload).toBe(name);
});

it('TLS is disabled by the environment', async () => {
  const fake = new FakePlugin(BASE);
  const { diagnostics } = await open(fake, { TF_DISABLE_PLUGIN_TLS: '1' }).create().schema();
  expect(diagnostics).toEqual([]);
  expect(fake.started[0]?.environment['PLUGIN_CLIENT_CERT']).toBeUndefined();
});

it('a process of another program is used and left running', async () => {
  const fake = new FakePlugin(BASE);
  let line = '';
  await fake.start('', [], { env: {}, onStdout: (text) => (line = text), onStderr: () => {} });
  undo.push(() => fake.dispose());
  const handshake = {
    version: 6,
    network: 'unix',
    address: line.split('|')[3] ?? '',
    certificate: undefined,
  } as const;
  const plugin = openPlugin(
    'example.com/acme/fake',
    { kind: 'running', handshake },
    { ...host, spawn: fake },
  );
  const provider = plugin.create();
  expect((await provider.configure(CONFIGURE)).diagnostics).toEqual([]);
  await provider.close();
  await plugin.close();
  expect([fake.started.length, fake.started[0]?.shutdowns]).toEqual([1, 0]);
});

it('our certificate is readable by Node', async () => {
  const { X509Certificate } = await import('node:crypto');
  const made = new X509Certificate(makeCertificate(host.clock, host.random).certificate);
  expect([made.subjectAltName, made.ca, made.checkIssued(made)]).toEqual([
    'DNS:localhost',
    true,
    true,
  ]);
  expect(made.verify(made.publicKey)).toBe(true);
  expect(certificatePem(made.raw)).toBe(made.toString());
});

it('a plugin that does not exit on request is killed', async () => {
  const fake = new FakePlugin({ ...BASE, Shutdown: () => ({}) });
  const { plugin, create } = open(fake);
  await create().schema();
  const begun = performance.now();
  await plugin.close();
  const [process] = fake.started;
  expect(process?.shutdowns).toBe(1);
  expect(await process?.program.ended).toEqual({ code: 137 });
  expect(performance.now() - begun).toBeGreaterThan(1900);
});

it('killing terminates all processes of a plugin, and fails pending calls', async () => {
  const fake = new FakePlugin({ ...BASE, ReadResource: () => undefined, Shutdown: () => ({}) });
  const { create } = open(fake);
  const [first, other] = [enforceContract(create(), 'a'), enforceContract(create(), 'b')];
  await first.configure(CONFIGURE);
  await other.configure(CONFIGURE);
  const prior = await thing(str('1'));
  const asked = [first, other].map((provider) =>
    provider.readResource({ type: 'thing', prior, capabilities: CAPABILITIES, address: 'thing.a' }),
  );
  await expect.poll(() => fake.calls.filter((name) => name === 'ReadResource').length).toBe(2);
  await first.kill();
  for (const answer of asked) {
    expect((await answer).diagnostics).toMatchObject([
      { severity: 'error', summary: 'Request cancelled' },
    ]);
    expect((await answer).state).toBe(prior);
  }
  expect(fake.started.map(({ shutdowns }) => shutdowns)).toEqual([0, 0]);
});

it.each<[string, Handlers[string], boolean]>([
  ['no such call', () => new Error('none'), false],
  ['an error of the call', () => Object.assign(new Error('x'), { code: 2 }), true],
  ['an answer that cannot be read', () => ({ newState: { msgpack: Uint8Array.of(0xc1) } }), true],
  [
    'an answer with errors',
    () => ({ diagnostics: [{ severity: 1, summary: 'No', detail: '' }] }),
    false,
  ],
])('reports whether the outcome of a call is known: %s', async (_, answer, isOpen) => {
  const fake = new FakePlugin({ ...BASE, ApplyResourceChange: answer });
  const provider = enforceContract(open(fake).create(), 'example.com/acme/fake');
  await provider.configure(CONFIGURE);
  const prior = await thing(str('1'));
  const { diagnostics, unanswered } = await provider.applyResourceChange({
    type: 'thing',
    address: 'thing.a',
    prior,
    planned: prior,
    config: await thing(nullOf(STRING)),
  });
  expect(diagnostics).toMatchObject([{ severity: 'error' }]);
  expect(unanswered === true).toBe(isOpen);
});
