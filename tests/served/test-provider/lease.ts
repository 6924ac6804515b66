import { createHash } from 'node:crypto';
import { number, privateData, ProviderError, string } from '@terrane/provider/sdk';
import type { EphemeralResource } from '@terrane/provider/sdk';
import { ofClient } from './client.ts';
import type { Client } from './client.ts';

/** Is renewed as often as it says. */
export const lease: EphemeralResource<Client> = ofClient.ephemeralResource({
  attributes: {
    name: string({ required: true }),
    renew_after_ms: number({ optional: true }),
    fail: string({ optional: true }),
    token: string({ computed: true, sensitive: true }),
    version: number({ computed: true }),
  },
  private: privateData<{ name: string; after: number | null; version: number }>(),
  validate: ({ config, error }) => {
    if (config.fail !== 'validate') return;
    error('validate of a lease', 'The provider says: validate of a lease.', 'fail');
  },
  open: ({ config, client, pathTo, setPrivate, renewAt }) => {
    const { name, fail, renew_after_ms: after } = config;
    if (fail === 'open') {
      throw new ProviderError(
        'open of a lease',
        'The provider says: open of a lease.',
        pathTo('fail'),
      );
    }
    client.store.note(`open ${name}`);
    setPrivate({ name, after, version: 1 });
    if (after !== null) renewAt(new Date(Date.now() + after));
    return { ...config, token: tokenOf(name), version: 1 };
  },
  renew: ({ client, private: { name = '', after = null, version = 0 }, setPrivate, renewAt }) => {
    client.store.mark(`renewed-${name}`);
    setPrivate({ version: version + 1 });
    if (after !== null) renewAt(new Date(Date.now() + after));
  },
  close: ({ client, private: { name = '', version = 0 } }) => {
    client.store.note(`close ${name}${version > 1 ? ' after renewals' : ''}`);
  },
});

function tokenOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}
