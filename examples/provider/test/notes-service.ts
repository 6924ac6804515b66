// A service for notes, in memory. `npm run service` runs it on port 8123.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { Note, NoteContent } from '../src/notes-api.ts';

/** The time for which readers do not see a new note, and still see a deleted one. */
const LAG_MS = 150;

interface Kept {
  note: Note;
  readonly visibleAt: number;
  goneAt?: number;
}

/** The service. Like many, it is eventually consistent. */
export class NotesService {
  readonly #notes = new Map<string, Kept>();
  readonly #server: Server;
  #next = 1;

  constructor() {
    this.#server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const [status, answer] = this.#answer(request, body);
        response
          .writeHead(status)
          .end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    });
  }

  /** Starts listening on loopback and returns the URL. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(port, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((done) => {
      this.#server.close(() => done());
      this.#server.closeAllConnections();
    });
  }

  /** The notes that are not being deleted. */
  get notes(): readonly Note[] {
    return [...this.#notes.values()].filter((kept) => kept.goneAt === undefined).map((k) => k.note);
  }

  /** Changes notes behind the provider's back. */
  change(change: Partial<NoteContent>): void {
    for (const kept of this.#notes.values()) {
      kept.note = { ...kept.note, ...change, revision: kept.note.revision + 1 };
    }
  }

  /** Loses all notes. */
  clear(): void {
    this.#notes.clear();
  }

  #answer({ method, url = '/' }: IncomingMessage, body: string): [number, object | string] {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const id = /^\/notes\/(\w+)$/.exec(pathname)?.[1];
    if (id !== undefined) return this.#answerOne(method, id, body);
    if (pathname !== '/notes') return [404, 'there is no such page'];
    if (method === 'POST') {
      const noteId = `${this.#next++}`;
      const note: Note = { ...contentOf(body), id: noteId, revision: 1, status: 'active' };
      this.#notes.set(noteId, { note, visibleAt: Date.now() + LAG_MS });
      return [201, note];
    }
    const notebook = searchParams.get('notebook');
    return [200, this.notes.filter((note) => note.notebook === notebook)];
  }

  #answerOne(method: string | undefined, id: string, body: string): [number, object | string] {
    const kept = this.#notes.get(id);
    const now = Date.now();
    if (kept === undefined || now < kept.visibleAt || now >= (kept.goneAt ?? Infinity)) {
      return [404, `there is no note ${id}`];
    }
    if (method === 'PUT') {
      kept.note = { ...kept.note, ...contentOf(body), revision: kept.note.revision + 1 };
    }
    if (method === 'DELETE') {
      kept.note = { ...kept.note, status: 'deleting' };
      kept.goneAt = now + LAG_MS;
    }
    return [200, kept.note];
  }
}

function contentOf(body: string): NoteContent {
  const { notebook, text, tags } = JSON.parse(body) as NoteContent;
  return { notebook, text, tags };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`The service listens at ${await new NotesService().listen(8123)}\n`);
}
