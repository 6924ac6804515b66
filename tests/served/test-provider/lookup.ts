import { deferred, ProviderError, string } from '@terrane/provider/sdk';
import type { DataSource } from '@terrane/provider/sdk';
import { metaText, ofClient } from './client.ts';
import type { Client } from './client.ts';
import { planned } from './planned.ts';

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
    if (name === 'broken') {
      throw new ProviderError('the service is gone', 'The provider says: the service is gone.');
    }
    const { store, region } = client;
    const found = store.get('probe_planned', name, planned.schema);
    if (found === undefined) {
      const summary = `there is no ${name}`;
      warn(summary, `The provider says: ${summary}.`, 'name');
    }
    const id = found?.attr('id');
    return {
      name,
      found: id === undefined || id.isNull ? null : id.asString(),
      module: metaText(providerMeta),
      region,
    };
  },
});
