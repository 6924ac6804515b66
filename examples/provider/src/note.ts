import {
  isNotFound,
  type ProviderPorts,
  seconds,
  waitForState,
  withNotFoundRetry,
} from '@terrane/provider';
import {
  gone,
  int64,
  lengthBetween,
  map,
  type Resource,
  string,
  timeouts,
  withClient,
} from '@terrane/provider/sdk';
import type { Note, NoteContent, NotesApi } from './notes-api.ts';

const { resource } = withClient<NotesApi>();

/** The time for which a new note may be missing in parts of the service. */
const PROPAGATION = seconds(30);

/** `notes_note`: a note in a notebook. */
export function noteResource({ clock }: Pick<ProviderPorts, 'clock'>): Resource<NotesApi> {
  return resource({
    description: 'A note.',
    attributes: {
      id: string({ computed: true, useStateForUnknown: true, description: 'Number of the note.' }),
      notebook: string({
        required: true,
        requiresReplace: true,
        description: 'Where the note is. A note cannot be moved to another notebook.',
      }),
      text: string({ required: true, validators: [lengthBetween(1, 1000)] }),
      tags: map(string, { default: {} }),
      revision: int64({ computed: true, description: 'Grows with each change.' }),
      timeouts: timeouts({ delete: '2m' }),
    },

    async create({ plan, client, log, signal }) {
      const { id } = await client.create(contentOf(plan), signal);
      log.info('note created', { id });
      // It is not there for every reader yet.
      const note = await withNotFoundRetry(
        { clock, isNew: true, timeout: PROPAGATION, signal },
        (attempt) => client.read(id, attempt.signal),
      );
      return { ...plan, ...computed(note) };
    },

    async read({ state, client, signal }) {
      const note = await withNotFoundRetry({ clock, isNew: false, signal }, (attempt) =>
        client.read(state.id, attempt.signal),
      );
      if (note === undefined || note.status === 'deleting') return gone;
      const { notebook, text, tags } = note;
      return { ...state, notebook, text, tags, ...computed(note) };
    },

    async update({ plan, state, client, signal }) {
      return { ...plan, ...computed(await client.update(state.id, contentOf(plan), signal)) };
    },

    async delete({ state, client, timeout, signal }) {
      try {
        await client.delete(state.id, signal);
      } catch (error) {
        if (isNotFound(error)) return;
        throw error;
      }
      await waitForState({
        clock,
        signal,
        timeout,
        pending: ['deleting'],
        target: [],
        refresh: async (lookSignal) => {
          try {
            const result = await client.read(state.id, lookSignal);
            return { result, state: result.status };
          } catch (error) {
            if (isNotFound(error)) return undefined;
            throw error;
          }
        },
      });
    },

    async import({ id = '', client, signal }) {
      const note = await withNotFoundRetry({ clock, isNew: false, signal }, (attempt) =>
        client.read(id, attempt.signal),
      );
      if (note === undefined) return gone;
      const { notebook, text, tags } = note;
      return { notebook, text, tags, ...computed(note) };
    },
  });
}

/** Returns the attributes to send to the service, without the computed ones, which are unknown in a plan. */
function contentOf({ notebook, text, tags }: NoteContent): NoteContent {
  return { notebook, text, tags };
}

/** Returns the computed attributes of a note. */
function computed(note: Note | undefined): Pick<Note, 'id' | 'revision'> {
  if (note === undefined) throw new Error('the service answered with nothing');
  return { id: note.id, revision: note.revision };
}
