import type { Provider } from '@terrane/provider';
import {
  bool,
  dataSource,
  defineProvider,
  gone,
  ifKnown,
  list,
  map,
  number,
  ProviderError,
  resource,
  string,
  type Unknown,
} from '@terrane/provider/sdk';

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
      resources: { shelf_book: this.#book() },
      dataSources: {
        shelf_titles: dataSource({
          attributes: {
            shelf: string({ required: true }),
            titles: list(string, { computed: true }),
          },
          read: ({ config }) => {
            const books = [...this.books.values()].filter(({ shelf }) => shelf === config.shelf);
            return { ...config, titles: books.map(({ title }) => title) };
          },
        }),
      },
    });

  #book() {
    return resource({
      attributes: {
        id: string({ computed: true, useStateForUnknown: true }),
        title: string({ required: true }),
        shelf: string({ required: true, requiresReplace: true }),
        borrowed: bool({ optional: true, computed: true }),
        tags: map(string, { optional: true }),
        revision: number({ computed: true }),
        pin: string({ optional: true, sensitive: true }),
      },
      validate: ({ config, error }) => {
        if (config.title === '') error('Invalid title', 'A book has to have a title.', 'title');
      },
      create: ({ plan }) => {
        const { title, shelf } = plan;
        if (shelf === 'full') {
          throw new ProviderError('No room', `There is no room on the shelf ${shelf}.`);
        }
        const id = `b${this.#next++}`;
        const borrowed = ifKnown(plan.borrowed, false);
        const book = { id, title, shelf, borrowed, tags: { ...plan.tags }, revision: 1 };
        this.books.set(id, book);
        return { ...plan, ...this.#stored(book) };
      },
      read: ({ state }) => {
        const book = this.#bookOf(state.id);
        if (book === undefined) return gone;
        const title = this.fault === 'reads another title' ? `${book.title}!` : book.title;
        return { ...state, ...this.#stored({ ...book, title }) };
      },
      update: ({ plan }) => {
        const book = this.#bookOf(plan.id);
        if (book === undefined) throw new ProviderError('Gone', 'There is no such book.');
        book.title = plan.title;
        book.borrowed = ifKnown(plan.borrowed, book.borrowed);
        book.tags = { ...plan.tags };
        book.revision++;
        return { ...plan, ...this.#stored(book) };
      },
      delete: ({ state }) => {
        if (this.fault !== 'forgets to delete') this.books.delete(state.id);
      },
      import: ({ id = '' }) => {
        this.#tagless = this.fault === 'imports no tags';
        const book = this.#bookOf(id);
        return book === undefined ? gone : this.#stored(book);
      },
    });
  }

  #bookOf(id: string | Unknown): Book | undefined {
    return this.books.get(ifKnown(id, ''));
  }

  #stored(book: Book) {
    const { id, title, shelf, borrowed, tags, revision } = book;
    const noTags = Object.keys(tags).length === 0 || this.#tagless;
    return {
      id,
      title: this.fault === 'shouts' ? title.toUpperCase() : title,
      shelf,
      borrowed,
      tags: noTags ? null : tags,
      revision,
    };
  }
}
