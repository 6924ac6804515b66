// A provider that does what providers should not: each object says by its mode what becomes of its creation.
import { object, STRING, str, unknownOf, valueFromJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import type { BlockSchema, Provider } from '@terrane/provider';
import { serve } from '@terrane/plugin/server';

const block: BlockSchema = {
  attributes: {
    mode: { type: STRING, required: true },
    id: { type: STRING, computed: true },
  },
  blocks: {},
};
const type = impliedType(block);
let stopped = (): void => {};
const stopping = new Promise<void>((resolve) => {
  stopped = resolve;
});
const never = new Promise<never>(() => {});

async function create(planned: Value): Promise<Value> {
  const mode = planned.attr('mode').asString();
  if (mode === 'stops') {
    await stopping;
    throw new Error('stopped as asked');
  }
  // The process may not end while nothing else happens.
  setInterval(() => {}, 1000);
  if (mode === 'deaf') await never;
  if (mode === 'crashes') process.exit(3);
  return object({ mode: str(mode), id: str(`made-${mode}`) });
}

const provider: Provider = {
  schema: () => ({
    provider: { version: 0, block: { attributes: {}, blocks: {} } },
    resources: { odd_thing: { version: 0, block } },
    dataSources: {},
    ephemeralResources: {},
    functions: {},
    capabilities: {},
  }),
  validateProviderConfig: () => ({}),
  validateResourceConfig: () => ({}),
  validateDataSourceConfig: () => ({}),
  configure: () => ({}),
  upgradeResourceState: ({ json = 'null' }) => ({ state: valueFromJson(json, type) }),
  readResource: ({ prior }) => ({ state: prior }),
  planResourceChange: ({ proposed }) => ({
    planned:
      proposed.isNull || !proposed.attr('id').isNull
        ? proposed
        : object({ mode: proposed.attr('mode'), id: unknownOf(STRING) }),
    requiresReplace: [],
  }),
  applyResourceChange: async ({ planned }) => ({
    state: planned.isNull ? planned : await create(planned),
  }),
  importResourceState: () => ({ imported: [] }),
  readDataSource: () => {
    throw new Error('there are none');
  },
  stop: () => stopped(),
  close: () => {},
};

await serve(provider, { address: 'registry.terraform.io/acme/odd' });
