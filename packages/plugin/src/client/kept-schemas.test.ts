import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { object, str } from '@terrane/cty';
import { nodeHost } from '@terrane/host';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPlugin } from '../index.ts';
import type { Plugin, PluginTarget } from '../index.ts';
import { FakePlugin } from '../testing/fake-plugin.ts';
import type { Handlers } from '../testing/fake-plugin.ts';

let directory = '';
const undo: (() => unknown)[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
  rmSync(directory, { recursive: true, force: true });
});

const host = nodeHost();
const TARGET: PluginTarget = { kind: 'executable', path: '/fake', checksum: 'h1:fake' };
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

/** A run with the plugin, as a program makes one after the other. */
function run(
  fake: FakePlugin,
  target: PluginTarget = TARGET,
  variables: Readonly<Record<string, string>> = {},
): Plugin {
  const environment = { TERRANE_SCHEMA_CACHE: directory, ...variables };
  const plugin = openPlugin('example.com/acme/fake', target, {
    ...host,
    spawn: fake,
    environment: {
      ...host.environment,
      get: (name: string) => (environment as Record<string, string>)[name],
      entries: () => Object.entries(environment),
    },
  });
  undo.push(
    () => fake.dispose(),
    () => plugin.close(),
  );
  return plugin;
}

async function oneRun(fake: FakePlugin, target?: PluginTarget): Promise<readonly string[]> {
  const plugin = run(fake, target);
  const provider = plugin.create();
  const schema = await provider.schema();
  expect(schema.resources['thing']?.version).toBe(3);
  expect(schema.identities?.['thing']?.version).toBe(1);
  await plugin.close();
  return fake.calls;
}

it('asks for schemas in the first run, and starts nothing for them in the second', async () => {
  expect(await oneRun(new FakePlugin(handlers(true)))).toEqual([
    'GetProviderSchema',
    'GetResourceIdentitySchemas',
  ]);
  const second = new FakePlugin(handlers(true));
  expect(await oneRun(second)).toEqual([]);
  expect(second.started).toHaveLength(0);
});

const validate = (plugin: Plugin): unknown =>
  plugin.create().validateResourceConfig({
    type: 'thing',
    config: object({ a: str('x') }),
    capabilities: CAPABILITIES,
  });

it('uses what is kept without asking plugins that do not need to be asked', async () => {
  await oneRun(new FakePlugin(handlers(true)));
  const fake = new FakePlugin(handlers(true));
  expect(await validate(run(fake))).toEqual({ diagnostics: [] });
  expect(fake.calls).toEqual(['ValidateResourceConfig']);
});

it('asks each process first of plugins that expect it', async () => {
  await oneRun(new FakePlugin(handlers(false)));
  const fake = new FakePlugin(handlers(false));
  const plugin = run(fake);
  await validate(plugin);
  const request = { terraformVersion: '1.11.4', config: object({}), capabilities: CAPABILITIES };
  await plugin.create().configure(request);
  await plugin.create().configure(request);
  expect(fake.started).toHaveLength(2);
  expect(fake.calls).toEqual([
    'GetProviderSchema',
    'ValidateResourceConfig',
    'ConfigureProvider',
    'GetProviderSchema',
    'ConfigureProvider',
  ]);
});

it('starts a process ahead, once, where one will be needed', async () => {
  await oneRun(new FakePlugin(handlers(true)));
  const fake = new FakePlugin(handlers(true));
  const plugin = run(fake);
  plugin.warm();
  await validate(plugin);
  expect(fake.started).toHaveLength(1);
});

it('leaves no process behind where it is closed while one is being started ahead', async () => {
  await oneRun(new FakePlugin(handlers(true)));
  const fake = new FakePlugin(handlers(true));
  const plugin = run(fake);
  await plugin.create().schema();
  plugin.warm();
  await plugin.close();
  expect(fake.started).toHaveLength(1);
  for (const { program } of fake.started) await program.ended;
});

it('asks again where another package is installed, or a switch is set', async () => {
  await oneRun(new FakePlugin(handlers(true)));
  const other = new FakePlugin(handlers(true));
  await oneRun(other, { ...TARGET, checksum: 'h1:other' } as PluginTarget);
  expect(other.calls).toContain('GetProviderSchema');
  const switched = new FakePlugin(handlers(true));
  await run(switched, TARGET, { SOME_BETA: 'true' }).create().schema();
  expect(switched.calls).toContain('GetProviderSchema');
});

it('does not keep schemas that come with a warning, which is to be seen in each run', async () => {
  const warned = (): Handlers => ({
    ...handlers(true),
    GetResourceIdentitySchemas: () => ({ diagnostics: [{ severity: 2, summary: 'old' }] }),
  });
  for (const fake of [new FakePlugin(warned()), new FakePlugin(warned())]) {
    const plugin = run(fake);
    expect((await plugin.create().schema()).diagnostics).toMatchObject([{ summary: 'old' }]);
    await plugin.close();
    expect(fake.started).toHaveLength(1);
  }
});

it('reports schemas that cannot be read, whoever uses them, and does not keep them', async () => {
  const attributes = [{ name: 'a', type: Buffer.from('"no such type"') }];
  const broken = handlers(true, {
    GetProviderSchema: () => ({
      provider: { block: {} },
      resourceSchemas: { thing: { block: {} }, broken: { block: { attributes } } },
    }),
  });
  for (const fake of [new FakePlugin(broken), new FakePlugin(broken)]) {
    const plugin = run(fake);
    const { diagnostics } = await plugin.create().schema();
    expect(diagnostics).toMatchObject([{ severity: 'error', summary: 'Plugin error' }]);
    await plugin.close();
    expect(fake.started).toHaveLength(1);
  }
});
