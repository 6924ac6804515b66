import { nullOf, objectOf, STRING, str, unknownOf, type Value } from '@terrane/cty';
import { expect, test } from 'vitest';
import { impliedType } from '../schema/implied-type.ts';
import { schemaToJson } from '../schema/schema-json.ts';
import { action, defineProvider, ifKnown, ProviderError, string } from '../sdk/index.ts';
import type { InvokeContext, PlanActionContext } from '../sdk/index.ts';
import { enforceContract } from './enforce-contract.ts';

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

const attributes = { to: string({ optional: true }) };

interface Handlers {
  readonly validate?: () => void;
  readonly plan?: (
    context: Pick<PlanActionContext<unknown, typeof attributes, {}>, 'config'>,
  ) => void;
  readonly invoke: (
    context: Pick<InvokeContext<unknown, typeof attributes, {}>, 'config' | 'progress'>,
  ) => void | Promise<void>;
}

function provider(handlers: Handlers) {
  const defined = defineProvider({ actions: { test_act: action({ attributes, ...handlers }) } });
  return enforceContract(defined, 'registry.terraform.io/hashicorp/test');
}

async function config(of: ReturnType<typeof provider>, to: Value): Promise<Value> {
  const schema = (await of.schema()).actions?.['test_act'];
  if (schema === undefined) throw new Error('no schema');
  return objectOf(impliedType(schema.block), [to]);
}

test('an action reports progress until it has ended', async () => {
  let late: (() => void) | undefined;
  const checked = provider({
    invoke: ({ config: written, progress }) => {
      progress(`to ${written.to ?? 'nobody'}`);
      late = () => progress('too late');
    },
  });
  const messages: string[] = [];
  const progress = (message: string): void => void messages.push(message);
  const written = await config(checked, str('you'));
  expect(await checked.invokeAction({ type: 'test_act', config: written, progress })).toEqual({
    diagnostics: [],
  });
  late?.();
  expect(messages).toEqual(['to you']);
});

test('an action without a config block gets a config of null values', async () => {
  const messages: string[] = [];
  const checked = provider({
    invoke: ({ config: written, progress }) => progress(written.to ?? 'nobody'),
  });
  const type = (await config(checked, str('x'))).type;
  const progress = (message: string): void => void messages.push(message);
  await checked.invokeAction({ type: 'test_act', config: nullOf(type), progress });
  expect(messages).toEqual(['nobody']);
});

test('an exception of an action becomes a diagnostic', async () => {
  const checked = provider({
    plan: () => {
      throw new Error('no plan');
    },
    invoke: () => Promise.reject(new Error('no deed')),
  });
  const written = await config(checked, str('you'));
  const request = { type: 'test_act', config: written };
  expect(await checked.planAction({ ...request, capabilities })).toMatchObject({
    diagnostics: [
      {
        summary: 'Unexpected Provider Error',
        detail: 'While planning test_act, the provider failed: no plan',
      },
    ],
  });
  expect(await checked.invokeAction({ ...request, progress: () => {} })).toMatchObject({
    diagnostics: [
      {
        summary: 'Unexpected Provider Error',
        detail: 'While invoking test_act, the provider failed: no deed',
      },
    ],
  });
});

test('an action is planned with unknown values but never invoked with them', async () => {
  const checked = provider({
    plan: ({ config: written }) => {
      if (ifKnown(written.to) !== undefined) throw new ProviderError('Known', 'it is');
    },
    invoke: () => {},
  });
  const written = await config(checked, unknownOf(STRING));
  const request = { type: 'test_act', config: written };
  expect(await checked.planAction({ ...request, capabilities })).toEqual({ diagnostics: [] });
  expect(() => checked.invokeAction({ ...request, progress: () => {} })).toThrow(
    'to be invoked with unknown configuration',
  );
});

test('actions are validated and shown in the schema', async () => {
  const checked = provider({
    validate: () => {
      throw new ProviderError('Not so', 'never');
    },
    invoke: () => {},
  });
  const written = await config(checked, str('you'));
  expect(await checked.validateActionConfig({ type: 'test_act', config: written })).toMatchObject({
    diagnostics: [{ summary: 'Not so' }],
  });
  expect(schemaToJson(await checked.schema())).toMatchObject({
    action_schemas: {
      test_act: { block: { attributes: { to: { type: 'string', optional: true } } } },
    },
  });
});
