// A provider of things that exist whatever anybody does, and can be listed.
import type { GivenProvider } from '@terrane/ops';
import type { Provider } from '@terrane/provider';
import { defineProvider, number, ProviderError, resource, string } from '@terrane/provider/sdk';

/** The source address of the provider in configurations. */
export const SHOP = 'registry.terraform.io/test/shop';

/** The provider, by its address. */
export const shops: ReadonlyMap<string, GivenProvider> = new Map([
  [SHOP, { kind: 'in-process', create: () => shop() }],
]);

interface Client {
  readonly town: string;
}

const ITEMS = ['apple', 'apricot', 'pear', 'plum', 'quince'];

/** A new one. */
export function shop(): Provider {
  return defineProvider({
    config: { attributes: { town: string({ optional: true }) } },
    configure: ({ config }): Client => ({ town: String(config.town ?? 'here') }),
    resources: {
      shop_item: resource({
        attributes: {
          id: string({ computed: true }),
          name: string({ required: true }),
          note: string({ optional: true }),
          policy: string({ optional: true }),
          code: string({ optional: true, sensitive: true }),
        },
        identity: {
          attributes: { name: string({ required: true }), shelf: number({ optional: true }) },
          of: ({ name }) => ({ name, shelf: 1 }),
        },
        list: {
          attributes: {
            prefix: string({ optional: true }),
            password: string({ optional: true, sensitive: true }),
          },
          validate: ({ config }) =>
            config.prefix === 'bad'
              ? [
                  {
                    severity: 'error',
                    summary: 'Bad prefix',
                    detail: 'Nothing begins like this.',
                    attribute: [{ kind: 'attr', name: 'prefix' }],
                  },
                ]
              : undefined,
          async *list({ config, signal }) {
            const prefix = config.prefix ?? '';
            if (prefix === 'endless') {
              if (!signal.aborted)
                await new Promise((resolve) => signal.addEventListener('abort', resolve));
              return;
            }
            for (const [index, name] of ITEMS.entries()) {
              await Promise.resolve();
              if (prefix === 'broken' && index === 1)
                throw new ProviderError('Out of order', 'The shop is closed.');
              if (prefix !== 'broken' && !name.startsWith(prefix)) continue;
              const policy = index === 0 ? '{"open":true}' : null;
              yield {
                identity: { name, shelf: index },
                displayName: name.toUpperCase(),
                resource: { id: `id-${name}`, name, note: null, policy, code: 'top-secret' },
              };
            }
          },
        },
        create: ({ plan }) => ({ ...plan, id: `id-${plan.name}` }),
        read: ({ state }) => state,
        delete: () => undefined,
      }),
      shop_plain: resource({
        attributes: { name: string({ optional: true }) },
        create: ({ plan }) => plan,
        read: ({ state }) => state,
        delete: () => undefined,
      }),
    },
  });
}
