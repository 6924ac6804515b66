import type { Provider, ProviderPorts } from '@terrane/provider';
import {
  defineProvider,
  isUnknown,
  ProviderError,
  providerFunction,
  string,
} from '@terrane/provider/sdk';
import { noteResource } from './note.ts';
import { notebook } from './notebook.ts';
import { NotesApi } from './notes-api.ts';

/** The provider. Its access to the outside world is a parameter, so that tests can replace it. */
export function notesProvider(ports: Pick<ProviderPorts, 'clock'>): Provider {
  return defineProvider({
    config: {
      attributes: {
        endpoint: string({ required: true, description: 'URL of the service.' }),
      },
    },
    configure({ config }) {
      if (isUnknown(config.endpoint)) {
        throw new ProviderError('Unknown endpoint', 'The endpoint has to be known for a plan.');
      }
      return new NotesApi(config.endpoint);
    },
    resources: { notes_note: noteResource(ports) },
    dataSources: { notes_notebook: notebook },
    functions: {
      title: providerFunction({
        summary: 'The first line of a note.',
        parameters: { text: string },
        returns: string,
        call: ({ text }) => text.split('\n')[0] ?? '',
      }),
    },
  });
}
