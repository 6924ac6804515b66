import { deferred, string } from '@terrane/provider/sdk';
import type { DataSource } from '@terrane/provider/sdk';
import { metaText, ofClient } from './client.ts';
import type { Client } from './client.ts';
import { refusal, says } from './says.ts';

/** Finds an object of `probe_planned`. */
export const lookup: DataSource<Client> = ofClient.dataSource({
  attributes: {
    name: string({ required: true }),
    found: string({ computed: true, nullable: true }),
    module: string({ computed: true }),
    region: string({ computed: true }),
  },
  read: ({ config: { name }, client, providerMeta, warn }) => {
    if (name === 'deferred') return deferred('absent_prereq');
    if (name === 'broken') throw refusal('the service is gone');
    const { store, region } = client;
    // The stored value was an object of the type.
    const stored = store.getObject('probe_planned', name) as { readonly id: string } | undefined;
    if (stored === undefined) warn(...says(`there is no ${name}`), 'name');
    return {
      name,
      found: stored?.id ?? null,
      module: metaText(providerMeta),
      region,
    };
  },
});
