import type { Principal } from '../access/principal.ts';
import type { Place } from '../access/place.ts';
import type { Services } from '../services/services.ts';
import { ApiError, type Document, type Identity } from './json-api.ts';

/** A response. A string or bytes are sent as they are, everything else as JSON. */
export interface Answer {
  readonly status?: number;
  readonly document?: Document | Readonly<Record<string, unknown>>;
  readonly body?: string | Uint8Array;
  /** a body that is sent while it is read; instead of `body` */
  readonly stream?: { readonly size: number; readonly pieces: AsyncIterable<Uint8Array> };
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const NO_CONTENT: Answer = { status: 204 };
export const ok = (document: NonNullable<Answer['document']>): Answer => ({ document });
export const created = (document: NonNullable<Answer['document']>): Answer => ({
  status: 201,
  document,
});

/** A request that has passed authentication and authorization. */
export interface ApiRequest {
  readonly services: Services;
  readonly method: string;
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** the signal that ends when the client disconnects */
  readonly signal: AbortSignal;
  /** the address of the client; empty if it is unknown */
  readonly address: string;
  readonly principal: Principal;
  /** the token of forms of the session; empty without a session */
  readonly formToken: string;
  /** the organization and workspace that the route's rule found */
  readonly place: Place;
  /** Returns a parameter of the path. */
  param(name: string): string;
  /** the JSON body; an empty object without one */
  readonly input: Input;
  /** the body, limited by the route; empty if the route streams it */
  readonly bytes: Uint8Array;
  /** the body as it is received, limited by the route, which can be read once */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Parsed access to the body of a request, which is not trusted. */
export class Input {
  readonly json: Readonly<Record<string, unknown>>;

  constructor(json: unknown) {
    this.json = fields(json);
  }

  get data(): Readonly<Record<string, unknown>> {
    return fields(this.json['data']);
  }

  get attributes(): Readonly<Record<string, unknown>> {
    return fields(this.data['attributes']);
  }

  has(name: string): boolean {
    return this.attributes[name] !== undefined;
  }

  /** Returns a text attribute; undefined if it is absent or null. Throws an ApiError for another type. */
  text(name: string): string | undefined {
    const value = this.attributes[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw badType(name, 'a string');
    return value;
  }

  boolean(name: string): boolean | undefined {
    const value = this.attributes[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw badType(name, 'true or false');
    return value;
  }

  number(name: string): number | undefined {
    const value = this.attributes[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw badType(name, 'a number');
    return value;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.attributes[name];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) throw badType(name, 'a list of strings');
    return value.map((each: unknown) => {
      if (typeof each !== 'string') throw badType(name, 'a list of strings');
      return each;
    });
  }

  object(name: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.attributes[name];
    return value === undefined || value === null ? undefined : fields(value);
  }

  /** Returns the ID of a related resource; undefined if the relationship is absent, null if it is empty. */
  related(name: string): string | null | undefined {
    const relationship = fields(this.data['relationships'])[name];
    if (relationship === undefined) return undefined;
    const data = fields(relationship)['data'];
    if (data === null || data === undefined) return null;
    return identity(data).id;
  }

  /** Returns the related resources; undefined if the relationship is absent. */
  relatedMany(name: string): readonly Resourceish[] | undefined {
    const relationship = fields(this.data['relationships'])[name];
    if (relationship === undefined) return undefined;
    const data = fields(relationship)['data'];
    if (data === null || data === undefined) return [];
    if (!Array.isArray(data)) throw badDocument(`The relationship ${name} has to be a list.`);
    return data.map(resourceish);
  }

  /** Returns the resources of a document whose data is a list. */
  get list(): readonly Resourceish[] {
    const { data } = this.json;
    if (data === undefined || data === null) return [];
    return Array.isArray(data) ? data.map(resourceish) : [resourceish(data)];
  }
}

/** A resource in a request: its ID may be absent. */
export interface Resourceish {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function resourceish(value: unknown): Resourceish {
  const { id, type, attributes } = fields(value);
  return {
    id: typeof id === 'string' ? id : '',
    type: typeof type === 'string' ? type : '',
    attributes: fields(attributes),
  };
}

function identity(value: unknown): Identity {
  const { id, type } = fields(value);
  if (typeof id !== 'string' || typeof type !== 'string') {
    throw badDocument('A related resource has to have an id and a type.');
  }
  return { id, type };
}

function badType(name: string, expected: string): ApiError {
  return new ApiError(
    422,
    'invalid attribute',
    `${name} has to be ${expected}.`,
    `/data/attributes/${name}`,
  );
}

const badDocument = (detail: string): ApiError => new ApiError(422, 'unprocessable entity', detail);

/** Returns the properties of an object; none for anything else. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
