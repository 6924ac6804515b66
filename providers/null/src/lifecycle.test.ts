import { nodeHost } from '@terrane/host';
import { enforceContract } from '@terrane/provider';
import { configValue, ResourceLife } from '@terrane/provider/testing';
import { valueToJson } from '@terrane/cty';
import { expect, test } from 'vitest';
import { provider } from './index.ts';

const checked = enforceContract(provider.create(nodeHost()), provider.address);
const ID: unknown = expect.stringMatching(/^\d+$/);
const life = () => ResourceLife.of(checked, 'null_resource');

test('a resource keeps its id until its triggers change', async () => {
  const resource = await life();
  const first = await resource.apply({});
  expect(first).toEqual({ action: 'create', state: { id: ID, triggers: null } });
  expect(await resource.apply({})).toEqual({ action: 'no-op', state: first.state });
  expect(await resource.refresh()).toEqual({ state: first.state });
  const second = await resource.apply({ triggers: { a: '1' } });
  expect(second).toEqual({ action: 'replace', state: { id: ID, triggers: { a: '1' } } });
  expect(second.state?.['id']).not.toBe(first.state?.['id']);
  expect(await resource.destroy()).toEqual({ action: 'delete', state: null });
});

test('a trigger that is null and new changes it without replacing it', async () => {
  const resource = await life();
  const { state } = await resource.apply({ triggers: { a: '1' } });
  const triggers = { a: '1', b: null };
  expect(await resource.apply({ triggers })).toEqual({
    action: 'update',
    state: { ...state, triggers },
  });
});

test('it can not be imported', async () => {
  const resource = await life();
  expect(await resource.import('x')).toEqual({
    state: null,
    diagnostics: [
      {
        severity: 'error',
        summary: 'Resource Import Not Implemented',
        detail:
          'This resource does not support import. Please contact the provider developer for additional information.',
      },
    ],
  });
});

test('the data source hands its inputs on', async () => {
  const schema = (await checked.schema()).dataSources['null_data_source'];
  if (schema === undefined) throw new Error('no null_data_source');
  const type = 'null_data_source';
  const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
  const config = configValue(schema.block, { inputs: { a: 'b' } });
  const { state } = await checked.readDataSource({ type, config, capabilities });
  expect(JSON.parse(valueToJson(state, state.type))).toEqual({
    id: 'static',
    inputs: { a: 'b' },
    outputs: { a: 'b' },
    random: ID,
    has_computed_default: 'default',
  });
  const { diagnostics } = await checked.validateDataSourceConfig({ type, config });
  expect(diagnostics).toMatchObject([{ severity: 'warning', summary: 'Deprecated' }]);
});
