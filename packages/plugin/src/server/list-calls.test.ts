import { STRING, nullOf, object, setType, str } from '@terrane/cty';
import { expect, it } from 'vitest';
import { SCHEMA, providerWith, thing } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

it('lists, upgrades of identities and generated configurations cross', async () => {
  const schema = () => ({
    ...SCHEMA,
    listResources: {
      thing: SCHEMA.dataSources['look'] ?? { version: 0, block: { attributes: {}, blocks: {} } },
    },
    capabilities: { ...SCHEMA.capabilities, generateResourceConfig: true },
  });
  let taken = 0;
  const { provider } = through(
    providerWith({
      schema,
      upgradeResourceIdentity: ({ json, version }) => ({
        identity: object({ key: str(`${version} ${json}`) }),
      }),
      generateResourceConfig: ({ state }) => ({ config: state }),
      validateListResourceConfig: () => ({
        diagnostics: [{ severity: 'warning', summary: 'long', detail: '' }],
      }),
      async *listResource({ includeResource, limit }) {
        for (;;) {
          await Promise.resolve();
          taken++;
          yield {
            displayName: `${taken} of ${limit ?? 0}`,
            identity: object({ key: str(String(taken)) }),
            ...(includeResource ? { resource: thing(str(String(taken))) } : {}),
          };
        }
      },
    }),
  );
  expect(await provider.schema()).toMatchObject(schema());
  const state = thing(str('i'));
  expect(
    await provider.upgradeResourceIdentity?.({ type: 'thing', version: 1, json: '{}' }),
  ).toMatchObject({
    identity: object({ key: str('1 {}') }),
  });
  expect(await provider.generateResourceConfig?.({ type: 'thing', state })).toMatchObject({
    config: state,
  });
  const query = { type: 'thing', config: object({ q: nullOf(setType(STRING)) }) };
  expect(await provider.validateListResourceConfig?.(query)).toMatchObject({
    diagnostics: [{ summary: 'long' }],
  });
  const resources: unknown[] = [];
  const listed = provider.listResource?.({ ...query, includeResource: true, limit: 2 }) ?? [];
  for await (const each of listed) resources.push(each);
  expect(resources).toMatchObject([
    { displayName: '1 of 2', identity: object({ key: str('1') }), resource: thing(str('1')) },
    { displayName: '2 of 2', resource: thing(str('2')) },
  ]);
  expect(taken).toBe(2);
});
