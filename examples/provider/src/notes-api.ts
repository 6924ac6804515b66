import { NotFoundError } from '@terrane/provider';

/** A note, as the service has it. */
export interface Note {
  readonly id: string;
  readonly notebook: string;
  readonly text: string;
  readonly tags: Readonly<Record<string, string>>;
  /** grows with each change */
  readonly revision: number;
  /** `deleting`: it takes a moment until a note is gone */
  readonly status: 'active' | 'deleting';
}

/** The configurable attributes of a note; the service computes the others. */
export type NoteContent = Pick<Note, 'notebook' | 'text' | 'tags'>;

/** The service's API over HTTP. */
export class NotesApi {
  readonly #endpoint: string;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  async create(content: NoteContent, signal: AbortSignal): Promise<Note> {
    return noteOf(await this.#ask('POST', '/notes', signal, content));
  }

  /** @throws NotFoundError */
  async read(id: string, signal: AbortSignal): Promise<Note> {
    return noteOf(await this.#ask('GET', `/notes/${encodeURIComponent(id)}`, signal));
  }

  async update(id: string, content: NoteContent, signal: AbortSignal): Promise<Note> {
    return noteOf(await this.#ask('PUT', `/notes/${encodeURIComponent(id)}`, signal, content));
  }

  /** Begins to delete a note. @throws NotFoundError */
  async delete(id: string, signal: AbortSignal): Promise<void> {
    await this.#ask('DELETE', `/notes/${encodeURIComponent(id)}`, signal);
  }

  /** The notes of a notebook, by their ids. */
  async list(notebook: string, signal: AbortSignal): Promise<readonly Note[]> {
    const notes = await this.#ask('GET', `/notes?notebook=${encodeURIComponent(notebook)}`, signal);
    if (!Array.isArray(notes)) throw new Error('the service sent no list');
    return notes.map(noteOf);
  }

  async #ask(method: string, path: string, signal: AbortSignal, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#endpoint}${path}`, {
      method,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 404) throw new NotFoundError({ message: text });
    if (!response.ok) throw new Error(`${method} ${path}: status ${response.status}: ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}

/** Validates the representation of a note in a response, because a service may change. */
function noteOf(answer: unknown): Note {
  if (typeof answer !== 'object' || answer === null || !('revision' in answer)) {
    throw new Error('the service sent no note');
  }
  return answer as Note;
}
