import { STRING } from '@terrane/cty';
import { expect, it } from 'vitest';
import { attribute, providerWith, SCHEMA } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

it.each([
  [6, 'unix'],
  [6, 'tcp'],
  [5, 'unix'],
  [5, 'tcp'],
] as const)('schemas cross version %i over mutual TLS on %s', async (version, network) => {
  const { provider } = through(providerWith({}), { protocolVersions: [version], network });
  expect(await provider.schema()).toEqual({ ...SCHEMA, diagnostics: [] });
});

it('version 5 has no nested attributes, which a provider with some reports', async () => {
  const resources = {
    thing: {
      version: 0,
      block: {
        attributes: {
          deep: attribute({
            nested: { nesting: 'map' as const, attributes: { a: attribute({ type: STRING }) } },
          }),
        },
        blocks: {},
      },
    },
  };
  const schema = () => ({ ...SCHEMA, resources, identities: {} });
  const old = through(providerWith({ schema }), { protocolVersions: [5] });
  const { diagnostics } = await old.provider.schema();
  expect(diagnostics).toMatchObject([
    {
      summary: 'Provider needs protocol version 6',
      detail: expect.stringContaining('attribute deep of resource thing') as unknown,
    },
  ]);
  const current = through(providerWith({ schema }));
  expect((await current.provider.schema()).resources).toEqual(resources);
});
