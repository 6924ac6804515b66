import { list, object, string, withClient } from '@terrane/provider/sdk';
import type { ExampleCloudClient } from './client.ts';

const { dataSource } = withClient<ExampleCloudClient>();

/** `examplecloud_items`: items whose names have a prefix. */
export const items = dataSource({
  description: 'Items by the prefix of their names.',
  attributes: {
    prefix: string({ optional: true, description: 'Default: all items.' }),
    items: list(object({ id: string, name: string }), { computed: true }),
  },
  async read({ config, client }) {
    const found = (await client.list()).filter(({ name }) => name.startsWith(config.prefix ?? ''));
    return { ...config, items: found.map(({ id, name }) => ({ id, name })) };
  },
});
