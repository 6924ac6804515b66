import { STRING } from '@terrane/cty';
import type { ProviderSchema, Schema } from '@terrane/provider';
import { expect, it } from 'vitest';
import { providerSchemasJson } from './provider-schemas-json.ts';

const schema = (version: number): Schema => ({
  version,
  block: {
    attributes: {
      name: { type: STRING, required: true, deprecated: true },
    },
    blocks: {},
  },
});

const block = {
  attributes: {
    name: {
      type: 'string',
      description_kind: 'plain',
      deprecated: true,
      required: true,
    },
  },
  description_kind: 'plain',
};

const PROVIDER: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: {},
  dataSources: {},
  ephemeralResources: {},
  functions: {},
  actions: { test_act: schema(0) },
  listResources: { test_thing: schema(2) },
  stateStores: { test_store: schema(1) },
  identities: {
    test_thing: {
      version: 3,
      block: {
        attributes: {
          id: { type: STRING, required: true, description: 'The id.' },
          region: { type: STRING, optional: true },
        },
        blocks: {},
      },
    },
  },
  capabilities: {},
};

// In the shapes of Terraform 1.14 and later: versions of actions have no meaning, identities are no blocks.
it('has the schemas of actions, queries, identities and state stores', () => {
  const text = providerSchemasJson(new Map([['example.com/a/test', PROVIDER]]));
  expect(JSON.parse(text)).toEqual({
    format_version: '1.0',
    provider_schemas: {
      'example.com/a/test': {
        provider: { version: 0, block: { description_kind: 'plain' } },
        list_resource_schemas: { test_thing: { version: 2, block } },
        resource_identity_schemas: {
          test_thing: {
            version: 3,
            attributes: {
              id: { type: 'string', description: 'The id.', required_for_import: true },
              region: { type: 'string', optional_for_import: true },
            },
          },
        },
        action_schemas: { test_act: { block } },
        state_store_schemas: { test_store: { version: 1, block } },
      },
    },
  });
});
