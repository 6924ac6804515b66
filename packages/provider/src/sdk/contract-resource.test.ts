import { nullOf, object, str, STRING, unknownOf } from '@terrane/cty';
import { expect, test } from 'vitest';
import { enforceContract } from '../enforce/enforce-contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { Schema } from '../schema/model.ts';
import { contractResource, deferred, defineProvider, moveFrom, resource, string } from './index.ts';

const capabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
const SCHEMA: Schema = {
  version: 1,
  block: { attributes: { name: { type: STRING, required: true } }, blocks: {} },
};
const TYPE = impliedType(SCHEMA.block);
const named = (name: string) => object({ name: str(name) });

interface Api {
  readonly zone: string;
}

const raw = contractResource<Api>({
  schema: SCHEMA,
  identity: SCHEMA,
  upgrade: ({ version }) => ({ state: named(`from ${version}`) }),
  read: ({ prior }) => ({ state: prior }),
  plan: ({ proposed }) => ({ planned: proposed, requiresReplace: [] }),
  apply: ({ planned }, { client }) => ({ state: planned, private: Buffer.from(client.zone) }),
});

const defined = resource({
  attributes: { name: string({ required: true }) },
  identity: { attributes: { name: string({ required: true }) }, of: ({ name }) => ({ name }) },
  create: ({ plan }) => plan,
  moves: [
    moveFrom(
      { type: 'old', attributes: { label: string({ optional: true }) } },
      ({ label }, { provider, version, setPrivate }) => {
        setPrivate({ moved: true });
        return { name: `${label} of ${provider} ${version}` };
      },
    ),
  ],
});

function providerOf() {
  return enforceContract(
    defineProvider({
      config: { attributes: { zone: string({ optional: true }) } },
      configure: ({ config }): Api | ReturnType<typeof deferred> =>
        typeof config.zone === 'string' ? { zone: config.zone } : deferred('absent_prereq'),
      resources: { x_raw: raw, x_defined: defined },
    }),
    'x',
  );
}

async function configured(zone?: string) {
  const provider = providerOf();
  const config = object({ zone: zone === undefined ? unknownOf(STRING) : str(zone) });
  await provider.configure({ terraformVersion: '1.11.4', config, capabilities });
  return provider;
}

test('a contract resource works with defined ones and receives the same client', async () => {
  const provider = await configured('a');
  const schema = await provider.schema();
  expect(schema.resources['x_raw']).toBe(SCHEMA);
  expect(Object.keys(schema.identities ?? {})).toEqual(['x_raw', 'x_defined']);
  const type = 'x_raw';
  const config = named('n');
  const request = { type, prior: nullOf(TYPE), proposed: config, config, capabilities };
  const { planned } = await provider.planResourceChange(request);
  const applied = await provider.applyResourceChange({ ...request, planned });
  expect(Buffer.from(applied.private ?? []).toString()).toBe('a');
  const upgraded = await provider.upgradeResourceState({ type, version: 0, json: '{}' });
  expect(upgraded.state.rawEquals(named('from 0'))).toBe(true);
  expect(await provider.validateResourceConfig(request)).toEqual({});
});

test('a missing operation has the error of a definition without it', async () => {
  const provider = await configured('a');
  const imported = await provider.importResourceState({ type: 'x_raw', id: '1' });
  expect(imported.diagnostics?.[0]?.summary).toBe('Resource Import Not Implemented');
  const moving = {
    sourceProvider: 'registry.terraform.io/a/b',
    sourceType: 'other',
    sourceVersion: 0,
    sourceJson: '{}',
  };
  const moved = await provider.moveResourceState({ ...moving, targetType: 'x_raw' });
  expect(moved.diagnostics?.[0]?.detail).toContain('does not include move resource state support');
  const identity = await provider.upgradeResourceIdentity({
    type: 'x_raw',
    version: 0,
    json: '{}',
  });
  expect(identity.diagnostics?.[0]?.summary).toBe('Unable to Upgrade Resource Identity');
});

test('it is deferred with all operations that need the client', async () => {
  const provider = await configured();
  const type = 'x_raw';
  const config = named('n');
  const prior = named('p');
  const plan = await provider.planResourceChange({
    type,
    prior,
    proposed: config,
    config,
    priorIdentity: prior,
    capabilities,
  });
  expect(plan).toMatchObject({ planned: config, deferred: { reason: 'absent_prereq' } });
  const read = { type, prior, private: Buffer.from('kept'), capabilities };
  expect(await provider.readResource(read)).toMatchObject({
    state: prior,
    private: Buffer.from('kept'),
    deferred: { reason: 'absent_prereq' },
  });
  const refused = await provider.readResource({
    ...read,
    capabilities: { ...capabilities, deferralAllowed: false },
  });
  expect(refused.diagnostics?.[0]?.summary).toBe('Invalid Deferred Response');
});

test('a move contains the source of the object, and keeps private data', async () => {
  const provider = await configured('a');
  const moved = await provider.moveResourceState({
    sourceProvider: 'registry.terraform.io/a/b',
    sourceType: 'old',
    sourceVersion: 3,
    sourceJson: '{"label":"l"}',
    targetType: 'x_defined',
  });
  const state = named('l of registry.terraform.io/a/b 3');
  expect(moved.state.rawEquals(state)).toBe(true);
  expect(moved.identity?.rawEquals(state)).toBe(true);
  expect(JSON.parse(Buffer.from(moved.private ?? []).toString())).toEqual({
    moved: Buffer.from('true').toString('base64'),
  });
});
