// A provider that is told secrets and tells some: as an attribute, in passing, as private data, and in what it logs.
import type { GivenProvider } from '@terrane/ops';
import {
  defineProvider,
  ephemeralResource,
  ProviderError,
  resource,
  string,
} from '@terrane/provider/sdk';
import { MARKERS } from './markers.ts';

/** The source address of the provider in configurations. */
export const KEEPER = 'registry.terraform.io/test/keeper';

/** The provider, by its address. */
export const keepers: ReadonlyMap<string, GivenProvider> = new Map([
  [KEEPER, { kind: 'in-process', create: () => provider() }],
]);

function provider(): ReturnType<typeof defineProvider> {
  return defineProvider({
    config: { attributes: { token: string({ optional: true, sensitive: true }) } },
    configure: () => ({}),
    resources: {
      keeper_box: resource({
        attributes: {
          id: string({ computed: true }),
          label: string({ optional: true }),
          content: string({ optional: true }),
          password_wo: string({ optional: true, writeOnly: true }),
          key: string({ computed: true, sensitive: true }),
          act: string({ optional: true }),
        },
        create: async ({ plan }) => {
          if (plan.act === 'fail') throw new ProviderError('Cannot make the box', 'It is broken.');
          if (plan.act === 'hang') await new Promise(() => setInterval(() => undefined, 1_000));
          return { ...plan, id: 'box', key: MARKERS.computed };
        },
        read: ({ state }) => state,
        update: ({ plan }) => {
          if (plan.act === 'fail')
            throw new ProviderError('Cannot change the box', 'It is broken.');
          return { ...plan, id: 'box', key: MARKERS.computed };
        },
        delete: () => undefined,
        import: ({ id = '' }) => ({ id, key: MARKERS.computed }),
      }),
    },
    ephemeralResources: {
      keeper_token: ephemeralResource({
        attributes: {
          for: string({ optional: true }),
          value: string({ computed: true, sensitive: true }),
          plain: string({ computed: true }),
        },
        open: ({ config }) => ({
          ...config,
          value: MARKERS.ephemeralResult,
          plain: MARKERS.ephemeralPlain,
        }),
      }),
    },
  });
}
