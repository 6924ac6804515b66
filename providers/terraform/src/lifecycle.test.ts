import { nodeHost } from '@terrane/host';
import { chain, enforceContract, impliedType, isPromise } from '@terrane/provider';
import type { CheckedProvider, ProviderPorts, RemoteStateRequest } from '@terrane/provider';
import { configValue, ResourceLife } from '@terrane/provider/testing';
import { nullOf, number, object, str, valueToJson } from '@terrane/cty';
import { expect, test } from 'vitest';
import { DATA_SCHEMA } from './data.ts';
import { provider } from './index.ts';

const UUID: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
);

function checked(ports: Partial<ProviderPorts> = {}): CheckedProvider {
  return enforceContract(provider.create({ ...nodeHost(), ...ports }), provider.address);
}

const life = () => ResourceLife.of(checked(), 'terraform_data');
const typed = (value: unknown, type: unknown) => ({ value, type });

test('a new object gets an id and mirrors its input', async () => {
  const data = await life();
  expect(await data.apply({ input: { a: 1 } })).toEqual({
    action: 'create',
    state: {
      id: UUID,
      input: typed({ a: 1 }, ['object', { a: 'number' }]),
      output: typed({ a: 1 }, ['object', { a: 'number' }]),
      triggers_replace: null,
    },
  });
  expect((await data.apply({ input: { a: 1 } })).action).toBe('no-op');
});

test('changed input is mirrored again, with the same ID', async () => {
  const data = await life();
  const first = await data.apply({ input: 'a' });
  const second = await data.apply({ input: 'b' });
  expect(second.action).toBe('update');
  expect(second.state).toEqual({
    ...first.state,
    input: typed('b', 'string'),
    output: typed('b', 'string'),
  });
  const third = await data.apply({});
  expect(third.state).toEqual({ ...first.state, input: null, output: null });
});

test('changed triggers replace the object', async () => {
  const data = await life();
  const first = await data.apply({ input: 'a', triggers_replace: [1] });
  const second = await data.apply({ input: 'a', triggers_replace: [2] });
  expect(second.action).toBe('replace');
  expect(second.state).toMatchObject({ output: typed('a', 'string') });
  expect(second.state?.['id']).not.toBe(first.state?.['id']);
});

test('reading changes nothing, and destroying removes the object', async () => {
  const data = await life();
  const { state } = await data.apply({ input: 'a' });
  expect(await data.refresh()).toEqual({ state });
  expect(await data.destroy()).toEqual({ action: 'delete', state: null });
});

test('an imported object has only its id', async () => {
  const data = await life();
  const nothing = { input: null, output: null, triggers_replace: null };
  expect(await data.import('some-id')).toEqual({ state: { id: 'some-id', ...nothing } });
  expect(await data.apply({ input: 'x' })).toMatchObject({
    action: 'update',
    state: { id: 'some-id', output: typed('x', 'string') },
  });
});

test('computed-only attributes cannot be configured', async () => {
  const data = await life();
  expect(await data.apply({ id: 'x', output: 1 })).toEqual({
    state: null,
    diagnostics: [
      { severity: 'error', summary: '"id" attribute is read-only', detail: '' },
      { severity: 'error', summary: '"output" attribute is read-only', detail: '' },
    ],
  });
});

test('it is planned and applied synchronously', () => {
  const subject = checked();
  const type = 'terraform_data';
  const config = configValue(DATA_SCHEMA.block, { input: 'a' });
  const prior = nullOf(config.type);
  const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
  const plan = subject.planResourceChange({ type, prior, proposed: config, config, capabilities });
  if (isPromise(plan)) throw new Error('planned later');
  expect(plan.planned.attr('output').isKnown).toBe(false);
  const applied = subject.applyResourceChange({ type, prior, planned: plan.planned, config });
  if (isPromise(applied)) throw new Error('applied later');
  expect(applied.state.attr('output').asString()).toBe('a');
});

const moveFrom = (changes: object) =>
  checked().moveResourceState({
    sourceProvider: 'registry.terraform.io/hashicorp/null',
    sourceType: 'null_resource',
    sourceVersion: 0,
    sourceJson: '{"id":"42","triggers":{"a":"b"}}',
    targetType: 'terraform_data',
    ...changes,
  });

test('a null_resource becomes terraform_data with its triggers as an object', async () => {
  const { state, diagnostics } = await moveFrom({});
  expect(diagnostics).toBeUndefined();
  expect(JSON.parse(valueToJson(state, impliedType(DATA_SCHEMA.block)))).toEqual({
    id: '42',
    input: null,
    output: null,
    triggers_replace: typed({ a: 'b' }, ['object', { a: 'string' }]),
  });
  const without = await moveFrom({ sourceJson: '{"id":"42","triggers":null}' });
  expect(without.state.attr('triggers_replace').isNull).toBe(true);
});

test.each([
  [
    { sourceProvider: 'registry.terraform.io/hashicorp/aws' },
    'Unsupported source provider for move operation',
    'Only moving from the official hashicorp/null provider to terraform_data is supported.',
  ],
  [
    { sourceType: 'null_thing' },
    'Unsupported source resource type for move operation',
    'Only moving from the null_resource managed resource to terraform_data is supported.',
  ],
])('no other type can be moved to terraform_data: %j', async (changes, summary, detail) => {
  const { diagnostics } = await moveFrom(changes);
  expect(diagnostics).toEqual([{ severity: 'error', summary, detail, sourceless: true }]);
});

async function remote(
  written: Readonly<Record<string, unknown>>,
  ports: Partial<ProviderPorts>,
): Promise<{ state: unknown; diagnostics: unknown }> {
  const subject = checked(ports);
  const schema = (await subject.schema()).dataSources['terraform_remote_state'];
  if (schema === undefined) throw new Error('no terraform_remote_state');
  const config = configValue(schema.block, written);
  const type = 'terraform_remote_state';
  const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
  const answer = await chain(subject.validateDataSourceConfig({ type, config }), (valid) =>
    valid.diagnostics?.length
      ? { diagnostics: valid.diagnostics, state: undefined }
      : subject.readDataSource({ type, config, capabilities }),
  );
  const outputs = answer.state?.isNull === false ? answer.state.attr('outputs') : undefined;
  return {
    state: outputs && (JSON.parse(valueToJson(outputs, outputs.type)) as unknown),
    diagnostics: answer.diagnostics ?? [],
  };
}

test('terraform_remote_state returns the outputs of another state, over defaults', async () => {
  const asked: RemoteStateRequest[] = [];
  const read = (request: RemoteStateRequest) => {
    asked.push(request);
    return { outputs: new Map([['a', str('remote')]]) };
  };
  const written = {
    backend: 'local',
    config: { path: 'x' },
    workspace: 'w',
    defaults: { a: 1, b: 2 },
  };
  expect(await remote(written, { readRemoteState: read })).toEqual({
    state: { a: 'remote', b: 2 },
    diagnostics: [],
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ backend: 'local', workspace: 'w' });
  expect(asked[0]?.config.rawEquals(object({ path: str('x') }))).toBe(true);
});

test('terraform_remote_state reports a missing state', async () => {
  const read = () => ({ outputs: undefined });
  const { diagnostics } = await remote({ backend: 'local' }, { readRemoteState: read });
  expect(diagnostics).toMatchObject([
    {
      summary: 'Unable to find remote state',
      detail: 'No stored state was found for the given workspace in the given backend.',
      attribute: [{ kind: 'attr', name: 'workspace' }],
    },
  ]);
});

test('terraform_remote_state reports why a state cannot be read', async () => {
  const read = () => ({ outputs: undefined, error: 'disk on fire' });
  const { diagnostics } = await remote({ backend: 'local' }, { readRemoteState: read });
  expect(diagnostics).toMatchObject([
    {
      summary: 'Error loading state error',
      detail: 'error loading the remote state: disk on fire',
    },
  ]);
});

test('terraform_remote_state has its backend configuration checked', async () => {
  const trouble = { severity: 'error', summary: 'Bad backend', detail: 'No.' } as const;
  const { diagnostics } = await remote(
    { backend: 'nothing', defaults: 3 },
    { validateRemoteState: () => [trouble] },
  );
  expect(diagnostics).toMatchObject([
    trouble,
    { summary: 'Invalid default values', detail: 'Defaults must be given in an object value.' },
  ]);
});

test('functions are called through the contract', async () => {
  const subject = checked();
  const called = await subject.callFunction({
    name: 'encode_expr',
    args: [object({ a: number(1) })],
  });
  expect(called.result?.asString()).toBe('{\n  a = 1\n}');
  expect(await subject.callFunction({ name: 'nope', args: [] })).toEqual({
    error: { message: 'provider has no function named "nope"' },
  });
});
