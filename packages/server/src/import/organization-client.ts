import { fields } from '../http/request.ts';
import type { OutgoingAnswer } from '../services/services.ts';

/** An organization at HCP Terraform or at a server with its API. */
export interface OrganizationAccess {
  /** `https://app.terraform.io`, without a final slash */
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  send(
    method: string,
    url: string,
    request: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<OutgoingAnswer & { readonly retryAfterSeconds?: number }>;
  sleep(ms: number): Promise<void>;
}

/** A resource of the API, as it was received. */
export interface ReceivedResource {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

/** The response of a server that is no success. */
export class OrganizationRequestError extends Error {
  override readonly name = 'OrganizationRequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const PAGE_SIZE = 100;
const MOST_PAGES = 1_000;
/** Servers permit 30 requests in a second. */
const MOST_TRIES = 8;
const LONGEST_PAUSE_MS = 30_000;

/** Requests about an organization. */
export class OrganizationClient {
  readonly #access: OrganizationAccess;

  constructor(access: OrganizationAccess) {
    this.#access = access;
  }

  /** `app.terraform.io/acme`, for messages */
  get name(): string {
    return `${new URL(this.#access.url).host}/${this.#access.organization}`;
  }

  /** Returns the path of a collection of the organization. */
  path(collection: string): string {
    return `/api/v2/organizations/${encodeURIComponent(this.#access.organization)}${collection}`;
  }

  /** Returns all resources of a collection; none if it does not exist. */
  async list(path: string): Promise<readonly ReceivedResource[]> {
    const resources: ReceivedResource[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const separator = path.includes('?') ? '&' : '?';
      const query = `page%5Bnumber%5D=${page}&page%5Bsize%5D=${PAGE_SIZE}`;
      const document = await this.#json('GET', `${path}${separator}${query}`);
      if (document === undefined) return resources;
      const { data, meta } = fields(document);
      if (Array.isArray(data)) resources.push(...data.map(resourceOf));
      const next = fields(fields(meta)['pagination'])['next-page'];
      if (typeof next !== 'number' || next <= page) return resources;
    }
    throw new Error(`${this.name} has too many pages of ${path}.`);
  }

  /** Returns a resource; undefined if it does not exist. */
  async find(path: string): Promise<ReceivedResource | undefined> {
    const document = await this.#json('GET', path);
    return document === undefined ? undefined : resourceOf(fields(document)['data']);
  }

  /** Sends a document. Returns the resource in the response; one without an ID if there is none. */
  async post(path: string, document: object): Promise<ReceivedResource> {
    return resourceOf(fields(await this.#json('POST', path, document))['data']);
  }

  /** Downloads a file from a link of the API. */
  async download(link: string): Promise<Uint8Array> {
    const { origin } = new URL(this.#access.url);
    // The token is for the server only; links to another host are signed.
    const isOwn = new URL(link).origin === origin;
    return (await this.#request('GET', link, undefined, isOwn)).body;
  }

  async #json(method: string, path: string, document?: object): Promise<unknown> {
    try {
      const url = `${this.#access.url}${path}`;
      const body = document === undefined ? undefined : JSON.stringify(document);
      const answer = await this.#request(method, url, body, true);
      const text = Buffer.from(answer.body).toString('utf8');
      return text === '' ? {} : JSON.parse(text);
    } catch (error) {
      const isMissing = error instanceof OrganizationRequestError && error.status === 404;
      if (isMissing && method === 'GET') return undefined;
      throw error;
    }
  }

  async #request(
    method: string,
    url: string,
    body: string | undefined,
    hasToken: boolean,
  ): Promise<OutgoingAnswer> {
    const { token, send, sleep } = this.#access;
    for (let tries = 1; ; tries++) {
      const answer = await send(method, url, {
        headers: {
          ...(hasToken && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }),
        },
        ...(body !== undefined && { body }),
      });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy || tries >= MOST_TRIES) throw this.#error(method, url, answer);
      const seconds = answer.retryAfterSeconds ?? 2 ** (tries - 1);
      await sleep(Math.min(LONGEST_PAUSE_MS, seconds * 1_000));
    }
  }

  #error(method: string, url: string, { status, body }: OutgoingAnswer): OrganizationRequestError {
    const { pathname } = new URL(url);
    const reason =
      status === 401
        ? 'the token is invalid or has expired. Run "login" for this host again.'
        : detailOf(Buffer.from(body).toString('utf8'));
    return new OrganizationRequestError(
      status,
      `${this.name} answered ${method} ${pathname} with status ${status}: ${reason}`,
    );
  }
}

function resourceOf(value: unknown): ReceivedResource {
  const { id, attributes, relationships } = fields(value);
  return {
    id: typeof id === 'string' ? id : '',
    attributes: fields(attributes),
    relationships: fields(relationships),
  };
}

function detailOf(text: string): string {
  try {
    const { errors } = fields(JSON.parse(text));
    const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
    const { detail, title } = fields(first);
    return String(detail ?? title ?? first ?? '').slice(0, 500);
  } catch {
    return text.slice(0, 200);
  }
}

/** Returns the ID of a related resource; undefined if there is none. */
export function relatedId(
  { relationships }: Pick<ReceivedResource, 'relationships'>,
  name: string,
): string | undefined {
  const { id } = fields(fields(relationships[name])['data']);
  return typeof id === 'string' ? id : undefined;
}

/** Returns an attribute that is a text; empty if it is none. */
export function textOf({ attributes }: Pick<ReceivedResource, 'attributes'>, name: string): string {
  const value = attributes[name];
  return typeof value === 'string' ? value : '';
}
