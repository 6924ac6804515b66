import { parseInstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { number, object, str, STRING, type Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import {
  type CheckedProvider,
  enforceContract,
  type Provider,
  type ProviderSchema,
  type UpgradeIdentityRequest,
} from '@terrane/provider';
import type { StoredObject } from '../state/model.ts';
import { expect, it } from 'vitest';
import { storedIdentity, upgradeIdentity } from './stored-identity.ts';

const block = { attributes: { key: { type: STRING } }, blocks: {} };
const SCHEMA: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: { test_thing: { version: 0, block } },
  identities: { test_thing: { version: 2, block } },
  dataSources: {},
  ephemeralResources: {},
  functions: {},
  capabilities: {},
};

const config = ProviderConfigAddr.parse('provider["registry.terraform.io/hashicorp/test"]');

function storedAt(version: number | undefined, json?: string): StoredObject {
  if (config === undefined) throw new Error('no provider');
  return {
    status: 'ready',
    schemaVersion: 0,
    attributesJson: '{}',
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
    provider: config,
    ...(json === undefined ? {} : { identityJson: json }),
    ...(version === undefined ? {} : { identitySchemaVersion: version }),
  };
}

async function subject(answer?: () => Value) {
  const asked: UpgradeIdentityRequest[] = [];
  const unused = (): never => {
    throw new Error('not asked for');
  };
  const inner: Provider = {
    schema: () => SCHEMA,
    validateProviderConfig: unused,
    configure: unused,
    validateResourceConfig: unused,
    validateDataSourceConfig: unused,
    upgradeResourceState: unused,
    readResource: unused,
    planResourceChange: unused,
    applyResourceChange: unused,
    importResourceState: unused,
    readDataSource: unused,
    ...(answer === undefined
      ? {}
      : {
          upgradeResourceIdentity: (request: UpgradeIdentityRequest) => {
            asked.push(request);
            return { identity: answer() };
          },
        }),
    stop: () => {},
    close: () => {},
  };
  const provider: CheckedProvider = enforceContract(inner, 'registry.terraform.io/hashicorp/test');
  await provider.schema();
  const { address: addr } = parseInstanceAddr('test_thing.a');
  if (addr === undefined) throw new Error('no address');
  return { subject: { addr, provider }, asked };
}

const where = { body: undefined, address: 'test_thing.a' };

it('upgrades an identity of an older version', async () => {
  const { subject: of, asked } = await subject(() => object({ key: str('new') }));
  const diagnostics: Diagnostic[] = [];
  const stored = await upgradeIdentity(of, storedAt(1, '{"old":1}'), where, diagnostics);
  expect(diagnostics).toEqual([]);
  expect(asked).toEqual([
    { type: 'test_thing', version: 1, json: '{"old":1}', address: 'test_thing.a' },
  ]);
  expect(stored).toMatchObject({ identityJson: '{"key":"new"}', identitySchemaVersion: 2 });
  if (stored === undefined) throw new Error('nothing stored');
  expect(storedIdentity(of, stored)?.attr('key').asString()).toBe('new');
});

it('leaves current and missing identities unchanged', async () => {
  const { subject: of, asked } = await subject(() => object({ key: str('new') }));
  for (const stored of [storedAt(2, '{"key":"a"}'), storedAt(undefined)]) {
    expect(await upgradeIdentity(of, stored, where, [])).toBe(stored);
  }
  expect(storedIdentity(of, storedAt(undefined))).toBeUndefined();
  expect(storedIdentity(of, storedAt(1, '{"key":"a"}'))).toBeUndefined();
  expect(asked).toEqual([]);
});

it.each([
  ['of a newer version', 3, undefined, /created by a newer provider version/],
  ['that the provider cannot upgrade', 1, undefined, /does not implement upgradeResourceIdentity/],
  [
    'that comes out wrong',
    1,
    () => object({ key: number(1), more: str('x') }),
    /upgraded the identity for test_thing\.a from a previous version, but produced an invalid result/,
  ],
])('refuses an identity %s', async (_, version, answer, expected) => {
  const { subject: of } = await subject(answer);
  const diagnostics: Diagnostic[] = [];
  expect(await upgradeIdentity(of, storedAt(version, '{}'), where, diagnostics)).toBeUndefined();
  expect(diagnostics.map(({ detail }) => detail).join('\n')).toMatch(expected);
});
