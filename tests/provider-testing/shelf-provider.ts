import {
  bool,
  BOOL,
  integer,
  list,
  listType,
  map,
  mapType,
  nullOf,
  NUMBER,
  str,
  STRING,
} from '@terrane/cty';
import {
  defineProvider,
  error,
  type Fields,
  type Provider,
  requiresReplace,
  useStateForUnknown,
} from '@terrane/provider';

/** A book as the remote system has it. */
export interface Book {
  id: string;
  title: string;
  shelf: string;
  borrowed: boolean;
  tags: Record<string, string>;
  revision: number;
}

/** Ways in which the provider can be wrong. */
export type Fault = 'forgets to delete' | 'shouts' | 'reads another title' | 'imports no tags';

/** Books in memory, and a provider for them. */
export class Shelf {
  readonly books: Map<string, Book> = new Map();
  readonly fault: Fault | undefined;
  #next = 1;
  #tagless = false;

  constructor(fault?: Fault) {
    this.fault = fault;
  }

  /** A provider for these books. */
  readonly provider = (): Provider =>
    defineProvider({
      resources: {
        shelf_book: {
          attributes: {
            id: { type: STRING, computed: true, modifiers: [useStateForUnknown] },
            title: { type: STRING, required: true },
            shelf: { type: STRING, required: true, modifiers: [requiresReplace] },
            borrowed: { type: BOOL, optional: true, computed: true },
            tags: { type: mapType(STRING), optional: true },
            revision: { type: NUMBER, computed: true },
            pin: { type: STRING, optional: true, sensitive: true },
          },
          validate: (config) =>
            config.string('title') === ''
              ? [error('Invalid title', 'A book has to have a title.', 'title')]
              : [],
          create: ({ plan }) => this.#create(plan),
          read: (state) => this.#read(state),
          update: ({ plan }) => this.#update(plan),
          delete: ({ state }) => this.#delete(state),
          import: (id, empty) => {
            this.#tagless = this.fault === 'imports no tags';
            return { state: empty.with({ id }) };
          },
        },
      },
      dataSources: {
        shelf_titles: {
          attributes: {
            shelf: { type: STRING, required: true },
            titles: { type: listType(STRING), computed: true },
          },
          read: (config) => {
            const wanted = config.string('shelf');
            const titles = [...this.books.values()]
              .filter(({ shelf }) => shelf === wanted)
              .map(({ title }) => str(title));
            return { state: config.with({ titles: list(STRING, titles) }) };
          },
        },
      },
    });

  #create(plan: Fields) {
    const shelf = plan.string('shelf') ?? '';
    if (shelf === 'full') {
      return { diagnostics: [error('No room', `There is no room on the shelf ${shelf}.`)] };
    }
    const book: Book = {
      id: `b${this.#next++}`,
      title: plan.string('title') ?? '',
      shelf,
      borrowed: plan.bool('borrowed') ?? false,
      tags: tagsOf(plan),
      revision: 1,
    };
    this.books.set(book.id, book);
    return { state: this.#stored(plan, book) };
  }

  #read(state: Fields) {
    const book = this.books.get(state.string('id') ?? '');
    if (book === undefined) return { gone: true };
    const title = this.fault === 'reads another title' ? `${book.title}!` : book.title;
    return { state: this.#stored(state, { ...book, title }) };
  }

  #update(plan: Fields) {
    const book = this.books.get(plan.string('id') ?? '');
    if (book === undefined) return { diagnostics: [error('Gone', 'There is no such book.')] };
    book.title = plan.string('title') ?? '';
    book.borrowed = plan.bool('borrowed') ?? book.borrowed;
    book.tags = tagsOf(plan);
    book.revision++;
    return { state: this.#stored(plan, book) };
  }

  #delete(state: Fields) {
    if (this.fault !== 'forgets to delete') this.books.delete(state.string('id') ?? '');
    return {};
  }

  #stored(fields: Fields, book: Book) {
    const { id, title, shelf, borrowed, tags, revision } = book;
    const noTags = Object.keys(tags).length === 0 || this.#tagless;
    return fields.with({
      id,
      title: this.fault === 'shouts' ? title.toUpperCase() : title,
      shelf,
      borrowed: bool(borrowed),
      tags: noTags
        ? nullOf(mapType(STRING))
        : map(
            STRING,
            Object.entries(tags).map(([key, value]) => [key, str(value)] as const),
          ),
      revision: integer(revision),
    });
  }
}

function tagsOf(fields: Fields): Record<string, string> {
  const tags = fields.value('tags');
  if (tags.isNull || !tags.isKnown) return {};
  return Object.fromEntries(
    tags.entries().map(([key, value]) => [key.asString(), value.asString()]),
  );
}
