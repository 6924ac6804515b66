import type { ApiAttributes } from './generated/api-attributes.ts';

/** A resource of JSON:API. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, Relationship>>;
  readonly links?: Readonly<Record<string, unknown>>;
}

/** Attributes that may have further members, at any depth: those that only this server has. */
type Extensible<T> = { readonly [Name in keyof T]: ExtensibleValue<T[Name]> } & Readonly<
  Record<string, unknown>
>;

type ExtensibleValue<T> = T extends readonly (infer Element)[]
  ? readonly ExtensibleValue<Element>[]
  : T extends object
    ? Extensible<T>
    : T;

/**
 * A resource whose attributes have the types that the OpenAPI document of HCP Terraform describes, except those in
 * `Deviating`.
 */
export interface ApiResource<
  Type extends keyof ApiAttributes,
  Deviating extends keyof ApiAttributes[Type] = never,
> extends Resource {
  readonly type: Type;
  readonly attributes: Extensible<Omit<ApiAttributes[Type], Deviating>>;
}

/** The identity of a resource. */
export interface Identity {
  readonly id: string;
  readonly type: string;
}

export interface Relationship {
  readonly data?: Identity | readonly Identity[] | null;
  readonly links?: Readonly<Record<string, string>>;
}

/** A response document. */
export interface Document {
  readonly data?: Resource | readonly Resource[] | null;
  readonly included?: readonly Resource[];
  readonly links?: Readonly<Record<string, string | null>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Returns the relationship to one resource; `undefined` and null are an empty one. */
export function toOne(type: string, id: string | null | undefined): Relationship {
  return { data: id === null || id === undefined ? null : { id, type } };
}

export function toMany(type: string, ids: readonly string[]): Relationship {
  return { data: ids.map((id) => ({ id, type })) };
}

/** An error response. Thrown by handlers, and rendered as the error object of JSON:API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly pointer: string | undefined;
  /** headers of the response */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    title: string,
    detail: string = title,
    pointer?: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.pointer = pointer;
    this.headers = headers;
  }
}

export const notFound = (): ApiError =>
  new ApiError(
    404,
    'not found',
    'Resource not found, or the token is not authorized to perform this action.',
  );

export const forbidden = (): ApiError =>
  new ApiError(403, 'forbidden', 'The token is not authorized to perform this action.');

export const unauthorized = (): ApiError =>
  new ApiError(401, 'unauthorized', 'A valid token is required.');

export const conflict = (detail: string): ApiError => new ApiError(409, 'conflict', detail);

/** An invalid attribute of a request. */
export function invalid(attribute: string, message: string): ApiError {
  return new ApiError(
    422,
    'invalid attribute',
    `${attribute[0]?.toUpperCase() ?? ''}${attribute.slice(1).replaceAll('-', ' ')} ${message}`,
    `/data/attributes/${attribute}`,
  );
}

/** A page of a collection. */
export interface Page {
  readonly number: number;
  readonly size: number;
}

const DEFAULT_PAGE_SIZE = 20;
const LARGEST_PAGE = 100;

/** Reads the page of a collection from a query. Throws an ApiError. */
export function pageOf(query: URLSearchParams): Page {
  const numberOf = (name: string, usual: number): number => {
    const text = query.get(name);
    if (text === null || text === '' || text === '0') return usual;
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < 1 || value > 1_000_000_000) {
      throw new ApiError(400, 'bad request', `${name} has to be a positive number.`);
    }
    return value;
  };
  return {
    number: numberOf('page[number]', 1),
    size: Math.min(LARGEST_PAGE, numberOf('page[size]', DEFAULT_PAGE_SIZE)),
  };
}

/** Reads the page of a collection that is not paged otherwise; undefined if the query has none. Throws an ApiError. */
export const requestedPage = (query: URLSearchParams): Page | undefined =>
  query.has('page[size]') || query.has('page[number]') ? pageOf(query) : undefined;

/** Returns the document of one page of a collection whose size is not known. */
export function partOfCollection(
  data: readonly Resource[],
  { number, size }: Page,
  hasMore: boolean,
  url: URL,
): Document {
  const [previous, next] = [number > 1 ? number - 1 : null, hasMore ? number + 1 : null];
  return {
    data,
    links: {
      self: pageLink(url, number, size),
      first: pageLink(url, 1, size),
      prev: previous === null ? null : pageLink(url, previous, size),
      next: next === null ? null : pageLink(url, next, size),
    },
    meta: {
      pagination: {
        'current-page': number,
        'page-size': size,
        'prev-page': previous,
        'next-page': next,
      },
    },
  };
}

function pageLink(url: URL, number: number, size: number): string {
  const link = new URL(url);
  link.searchParams.set('page[number]', String(number));
  link.searchParams.set('page[size]', String(size));
  return link.href;
}

/** Returns the document of one page of a collection. */
export function collection(
  data: readonly Resource[],
  { number, size }: Page,
  total: number,
  url: URL,
): Document {
  const pages = Math.max(1, Math.ceil(total / size));
  const link = (page: number): string => pageLink(url, page, size);
  const [previous, next] = [number > 1 ? number - 1 : null, number < pages ? number + 1 : null];
  return {
    data,
    links: {
      self: link(number),
      first: link(1),
      prev: previous === null ? null : link(previous),
      next: next === null ? null : link(next),
      last: link(pages),
    },
    meta: {
      pagination: {
        'current-page': number,
        'page-size': size,
        'prev-page': previous,
        'next-page': next,
        'total-pages': total === 0 ? 0 : pages,
        'total-count': total,
      },
    },
  };
}
