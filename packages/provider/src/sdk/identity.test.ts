import { nullOf, object, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { enforceContract } from '../enforce/enforce-contract.ts';
import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { defineProvider, isUnknown, string, unknown, withClient } from './index.ts';
import type { Resource, Unknown } from './index.ts';

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
interface Client {
  readonly account: string;
}

const { resource } = withClient<Client>();
const type = 'x_thing';

const attributes = {
  name: string({ required: true }),
  id: string({ computed: true, useStateForUnknown: true }),
};
const identified = {
  account: string({ required: true }),
  name: string({ required: true }),
};

async function providerOf(x_thing: Resource<Client>): Promise<CheckedProvider> {
  const provider = enforceContract(
    defineProvider({ configure: () => ({ account: '12' }), resources: { x_thing } }),
    'example.com/x/x',
  );
  const { provider: schema } = await provider.schema();
  expect(schema.block.attributes).toEqual({});
  await provider.configure({ terraformVersion: '1.11.4', config: object({}), capabilities });
  return provider;
}

const thing = (name: Value, id: Value): Value => object({ name, id });

async function plan(provider: CheckedProvider, config: Value, prior: Value, identity?: Value) {
  const proposed = prior.isNull ? config : thing(config.attr('name'), prior.attr('id'));
  return provider.planResourceChange({
    type,
    prior,
    proposed,
    config,
    capabilities,
    ...(identity && { priorIdentity: identity }),
  });
}

describe('an identity', () => {
  const of = ({ name }: { name: string }, { client }: { client: Client }) => ({
    account: client.account,
    name,
  });

  it('is planned from known attributes and final after the apply', async () => {
    const provider = await providerOf(
      resource({
        attributes,
        identity: {
          attributes: identified,
          of,
          planned: (planned, { client }) => {
            expectTypeOf(planned.name).toEqualTypeOf<string | Unknown>();
            return { account: client.account, name: planned.name };
          },
        },
        create: ({ plan: { name } }) => ({ name, id: '1' }),
      }),
    );
    const late = thing(unknownOf(STRING), nullOf(STRING));
    const first = await plan(provider, late, nullOf(late.type));
    expect(first.diagnostics).toEqual([]);
    expect(first.identity?.attr('account').asString()).toBe('12');
    expect(first.identity?.attr('name').isKnown).toBe(false);
    const known = thing(str('a'), nullOf(STRING));
    const second = await plan(provider, known, nullOf(known.type));
    expect(second.identity?.attr('name').asString()).toBe('a');
    const applied = await provider.applyResourceChange({
      type,
      prior: nullOf(known.type),
      planned: second.planned,
      config: known,
    });
    expect(applied.identity?.rawEquals(object({ account: str('12'), name: str('a') }))).toBe(true);
  });

  it('is planned by the handler if it overrides it, and kept otherwise', async () => {
    const provider = await providerOf(
      resource({
        attributes,
        identity: { attributes: identified, of, planned: () => undefined },
        modifyPlan: ({ plan: planned, identity, planIdentity, isNew }) => {
          expectTypeOf(identity).toEqualTypeOf<{
            readonly account: string;
            readonly name: string;
          } | null>();
          // @ts-expect-error: the identity has no such attribute
          if (isNew && Number(isNew) === 2) planIdentity({ account: '', name: '', id: '' });
          if (isNew) planIdentity({ account: unknown(), name: planned.name });
          return isUnknown(planned.id) ? {} : undefined;
        },
        create: ({ plan: { name } }) => ({ name, id: '1' }),
        update: ({ plan: { name } }) => ({ name, id: '1' }),
      }),
    );
    const config = thing(str('a'), nullOf(STRING));
    const first = await plan(provider, config, nullOf(config.type));
    expect(first.identity?.attr('account').isKnown).toBe(false);
    expect(first.identity?.attr('name').asString()).toBe('a');
    const stored = object({ account: str('12'), name: str('old') });
    const second = await plan(provider, config, thing(str('old'), str('1')), stored);
    expect(second.identity?.rawEquals(stored)).toBe(true);
  });

  it('that is invalid becomes a diagnostic and leaves the plan intact', async () => {
    const provider = await providerOf(
      resource({
        attributes,
        identity: {
          attributes: identified,
          of,
          planned: () => {
            throw new Error('no account');
          },
        },
        create: ({ plan: { name } }) => ({ name, id: '1' }),
      }),
    );
    const config = thing(str('a'), nullOf(STRING));
    const { diagnostics, planned, identity } = await plan(provider, config, nullOf(config.type));
    expect(diagnostics).toMatchObject([
      { detail: 'While planning x_thing, the provider failed: no account' },
    ]);
    expect(planned.attr('name').asString()).toBe('a');
    expect(identity).toBeUndefined();
  });
});
