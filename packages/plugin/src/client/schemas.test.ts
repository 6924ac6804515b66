import { object, str } from '@terrane/cty';
import { nodeHost } from '@terrane/host';
import { afterEach, expect, it } from 'vitest';
import { openPlugin } from '../index.ts';
import type { Plugin, PluginTarget } from '../index.ts';
import { FakePlugin } from '../testing/fake-plugin.ts';
import type { Handlers } from '../testing/fake-plugin.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

const host = nodeHost();
const TARGET: PluginTarget = { kind: 'executable', path: '/fake' };
const CAPABILITIES = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

function handlers(optional: boolean, more: Handlers = {}): Handlers {
  const attributes = [{ name: 'a', type: Buffer.from('"string"'), optional: true }];
  return {
    GetProviderSchema: () => ({
      provider: { block: {} },
      resourceSchemas: { thing: { version: 3, block: { attributes } }, other: { block: {} } },
      serverCapabilities: { getProviderSchemaOptional: optional },
    }),
    GetResourceIdentitySchemas: () => ({
      identitySchemas: { thing: { version: 1, attributes } },
    }),
    ValidateResourceConfig: () => ({}),
    ConfigureProvider: () => ({}),
    ...more,
  };
}

/** Opens the plugin as each run of the program does. */
function run(fake: FakePlugin): Plugin {
  const plugin = openPlugin('example.com/acme/fake', TARGET, { ...host, spawn: fake });
  undo.push(
    () => fake.dispose(),
    () => plugin.close(),
  );
  return plugin;
}

function schemaWith(attribute: string): Handlers {
  const attributes = [{ name: attribute, type: Buffer.from('"string"'), optional: true }];
  return handlers(true, {
    GetProviderSchema: () => ({
      provider: { block: {} },
      resourceSchemas: { thing: { block: { attributes } } },
    }),
  });
}

it('uses the schemas that the executable returns in this run', async () => {
  for (const attribute of ['first', 'second']) {
    const plugin = run(new FakePlugin(schemaWith(attribute)));
    const { resources } = await plugin.create().schema();
    expect(Object.keys(resources['thing']?.block.attributes ?? {})).toEqual([attribute]);
    await plugin.close();
  }
});

it('requests the schemas once in a run', async () => {
  const fake = new FakePlugin(handlers(true));
  const plugin = run(fake);
  const schema = await plugin.create().schema();
  await plugin.create().schema();
  expect(schema.resources['thing']?.version).toBe(3);
  expect(schema.identities?.['thing']?.version).toBe(1);
  expect(fake.calls).toEqual(['GetProviderSchema', 'GetResourceIdentitySchemas']);
});

const validate = (plugin: Plugin): unknown =>
  plugin.create().validateResourceConfig({
    type: 'thing',
    config: object({ a: str('x') }),
    capabilities: CAPABILITIES,
  });

it('requests the schemas of each process first if the plugin expects it', async () => {
  const fake = new FakePlugin(handlers(false));
  const plugin = run(fake);
  await validate(plugin);
  const request = { terraformVersion: '1.11.4', config: object({}), capabilities: CAPABILITIES };
  await plugin.create().configure(request);
  await plugin.create().configure(request);
  expect(fake.started).toHaveLength(2);
  expect(fake.calls).toEqual([
    'GetProviderSchema',
    'GetResourceIdentitySchemas',
    'ValidateResourceConfig',
    'ConfigureProvider',
    'GetProviderSchema',
    'ConfigureProvider',
  ]);
});

it('starts a process in advance, once, if one will be needed', async () => {
  const fake = new FakePlugin(handlers(true));
  const plugin = run(fake);
  plugin.warm();
  await validate(plugin);
  expect(fake.started).toHaveLength(1);
});

it('leaves no process behind if it is closed during a start in advance', async () => {
  const fake = new FakePlugin(handlers(true));
  const plugin = run(fake);
  await plugin.create().schema();
  plugin.warm();
  await plugin.close();
  expect(fake.started).toHaveLength(1);
  for (const { program } of fake.started) await program.ended;
});

it('passes on warnings of the schema response', async () => {
  const fake = new FakePlugin({
    ...handlers(true),
    GetResourceIdentitySchemas: () => ({ diagnostics: [{ severity: 2, summary: 'old' }] }),
  });
  const plugin = run(fake);
  expect((await plugin.create().schema()).diagnostics).toMatchObject([{ summary: 'old' }]);
});

const brokenType = [{ name: 'a', type: Buffer.from('"no such type"') }];
it.each([
  ['an attribute', { attributes: brokenType }],
  ['a nested block', { blockTypes: [{ typeName: 'b', block: { attributes: brokenType } }] }],
  ['a nested attribute', { attributes: [{ name: 'b', nestedType: { attributes: brokenType } }] }],
])('reports an unreadable type of %s, whether the schema is used or not', async (_, block) => {
  const fake = new FakePlugin(
    handlers(true, {
      GetProviderSchema: () => ({
        provider: { block: {} },
        resourceSchemas: { thing: { block: {} }, broken: { block } },
      }),
    }),
  );
  const { diagnostics } = await run(fake).create().schema();
  expect(diagnostics).toMatchObject([{ severity: 'error', summary: 'Plugin error' }]);
});
