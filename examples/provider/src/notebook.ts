import { type DataSource, list, string, withClient } from '@terrane/provider/sdk';
import type { NotesApi } from './notes-api.ts';

const { dataSource } = withClient<NotesApi>();

/** `notes_notebook`: the content of a notebook. */
export const notebook: DataSource<NotesApi> = dataSource({
  description: 'The notes of a notebook.',
  attributes: {
    name: string({ required: true }),
    texts: list(string, { computed: true, description: 'In the order of their ids.' }),
  },
  async read({ config, client, signal }) {
    const notes = await client.list(config.name, signal);
    return { ...config, texts: notes.map(({ text }) => text) };
  },
});
