import { impliedJsonType, nullOf, parseJson, valueFromJson, valueToJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { nodeHost } from '@terrane/host';
import type { Host } from '@terrane/host';
import { coerceValue, enforceContract, proposedNew } from '@terrane/provider';
import type { CheckedProvider, ProviderSchema } from '@terrane/provider';
import { expect, test } from 'vitest';
import recorded from '../recorded/published.json' with { type: 'json' };
import { provider } from './index.ts';

// Output of the published provider for its own keys. With the same key, serial number and time the bundled one must
// produce the same: these signatures are deterministic.

type Recorded = Readonly<Record<string, unknown>>;
const published: Readonly<Record<string, Recorded>> = recorded;

function made(address: string): Recorded {
  const values = published[address];
  if (values === undefined) throw new Error(`nothing recorded for ${address}`);
  return values;
}

function host(serial: bigint, now: string): Host {
  const bytes = () => Buffer.from(serial.toString(16).padStart(32, '0'), 'hex');
  const base = nodeHost();
  return {
    ...base,
    random: { ...base.random, bytes },
    clock: { ...base.clock, now: () => new Date(now) },
  };
}

function jsonValue(values: Recorded): Value {
  const text = JSON.stringify(values);
  return valueFromJson(text, impliedJsonType(parseJson(text)));
}

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

async function create(type: string, values: Recorded): Promise<Recorded> {
  const serial = type.endsWith('_cert') ? BigInt(String(values['id'])) : 0n;
  const start = String(values['validity_start_time'] ?? '2026-01-01T00:00:00Z');
  const checked: CheckedProvider = enforceContract(
    provider.create(host(serial, start.replace(/\.\d+/, ''))),
    provider.address,
  );
  const schema: ProviderSchema = await checked.schema();
  const block = schema.resources[type]!.block;
  const written = Object.entries(values).filter(
    ([name]) => block.attributes[name]?.computed !== true || block.attributes[name].optional,
  );
  const config = coerceValue(block, jsonValue(Object.fromEntries(written)));
  const prior = nullOf(config.type);
  const proposed = proposedNew(block, prior, config);
  const plan = await checked.planResourceChange({ type, prior, proposed, config, capabilities });
  expect(plan.diagnostics ?? []).toEqual([]);
  const { planned } = plan;
  const applied = await checked.applyResourceChange({ type, prior, planned, config });
  expect(applied.diagnostics ?? []).toEqual([]);
  return JSON.parse(valueToJson(applied.state, applied.state.type)) as Recorded;
}

function withoutFractions(values: Recorded): Recorded {
  const entries = Object.entries(values).map(([name, value]) =>
    name.startsWith('validity_') && typeof value === 'string'
      ? [name, value.replace(/\.\d+/, '')]
      : [name, value],
  );
  return Object.fromEntries(entries) as Recorded;
}

test.each([
  'tls_self_signed_cert.ca',
  'tls_self_signed_cert.bare',
  'tls_cert_request.r["RSA"]',
  'tls_cert_request.r["ED25519"]',
  'tls_cert_request.empty',
  'tls_locally_signed_cert.leaf["RSA"]',
  'tls_locally_signed_cert.leaf["ECDSA"]',
  'tls_locally_signed_cert.leaf["ED25519"]',
])('%s equals the output of the published provider byte for byte', async (address) => {
  const values = made(address);
  const state = await create(address.split('.')[0] ?? '', values);
  expect(state).toEqual(withoutFractions(values));
});

test.each([
  ['tls_certificate', 'data.tls_certificate.ca'],
  ['tls_public_key', 'data.tls_public_key.k["RSA"]'],
  ['tls_public_key', 'data.tls_public_key.k["ECDSA"]'],
  ['tls_public_key', 'data.tls_public_key.k["ED25519"]'],
])('%s reads the same as the published provider from %s', async (type, address) => {
  const values = made(address);
  const checked = enforceContract(provider.create(nodeHost()), provider.address);
  const block = (await checked.schema()).dataSources[type]!.block;
  const written = Object.entries(values).filter(([name]) => !block.attributes[name]?.computed);
  const config = coerceValue(block, jsonValue(Object.fromEntries(written)));
  const { state, diagnostics } = await checked.readDataSource({ type, config, capabilities });
  expect(diagnostics ?? []).toEqual([]);
  expect(JSON.parse(valueToJson(state, state.type))).toEqual(values);
});

test('a state of version 0 gets the formats that it lacks', async () => {
  const values = made('tls_private_key.k["ECDSA"]');
  const { private_key_openssh: _, private_key_pem_pkcs8: __, ...older } = values;
  const checked = enforceContract(provider.create(nodeHost()), provider.address);
  const { state, diagnostics } = await checked.upgradeResourceState({
    type: 'tls_private_key',
    version: 0,
    json: JSON.stringify(older),
  });
  expect(diagnostics ?? []).toEqual([]);
  const upgraded = JSON.parse(valueToJson(state, state.type)) as Recorded;
  // The OpenSSH format holds a random number.
  expect({ ...upgraded, private_key_openssh: '' }).toEqual({ ...values, private_key_openssh: '' });
  expect(upgraded['private_key_openssh']).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
});
