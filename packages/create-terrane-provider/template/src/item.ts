import {
  gone,
  int64,
  isNotFound,
  lengthBetween,
  map,
  string,
  withClient,
} from '@terrane/provider/sdk';
import type { ExampleCloudClient, Item, ItemContent } from './client.ts';

const { resource } = withClient<ExampleCloudClient>();

/** `examplecloud_item`: the types of the handlers' arguments and results follow from the attributes. */
export const item = resource({
  description: 'An item.',
  attributes: {
    id: string({ computed: true, useStateForUnknown: true, description: 'ID of the item.' }),
    name: string({
      required: true,
      requiresReplace: true,
      description: 'Name of the item. A change replaces it.',
    }),
    text: string({ required: true, validators: [lengthBetween(1, 1000)] }),
    tags: map(string, { default: {} }),
    revision: int64({ computed: true, description: 'Increases with each change.' }),
  },

  async create({ plan, client, log }) {
    const created = await client.create(contentOf(plan));
    log.info('item created', { id: created.id });
    return created;
  },

  async read({ state, client }) {
    return await readItem(client, state.id);
  },

  async update({ plan, state, client }) {
    return await client.update(state.id, contentOf(plan));
  },

  async delete({ state, client }) {
    await client.delete(state.id);
  },

  async import({ id = '', client }) {
    return await readItem(client, id);
  },
});

async function readItem(client: ExampleCloudClient, id: string): Promise<Item | typeof gone> {
  try {
    return await client.read(id);
  } catch (error) {
    if (isNotFound(error)) return gone;
    throw error;
  }
}

/** Returns the attributes to send, without the computed ones. */
function contentOf({ name, text, tags }: ItemContent): ItemContent {
  return { name, text, tags };
}
