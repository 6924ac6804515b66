import {
  bodyBytes,
  bodyText,
  type Host,
  type HttpAnswer,
  discardBody,
  userErrorText,
} from '@terrane/host';
import { type ApiDocument, fieldsOf, listOf, readApiDocument, textOf } from './api-object.ts';

/** An error response. */
export class CloudFault extends Error {
  readonly status: number;
  /** the server's error messages */
  readonly reasons: readonly string[];

  constructor(message: string, status: number, reasons: readonly string[] = []) {
    super(message);
    this.name = 'CloudFault';
    this.status = status;
    this.reasons = reasons;
  }

  /**
   * Returns true if the object does not exist or is not visible to the token; the server does not distinguish these.
   */
  get isNotFound(): boolean {
    return this.status === 404;
  }
}

/** Returns true if an error is a response of 404. */
export function isNotFound(error: unknown): boolean {
  return error instanceof CloudFault && error.isNotFound;
}

/** Dependencies of a client. */
export interface CloudClientOptions {
  readonly host: Pick<Host, 'http' | 'clock' | 'random'>;
  /** the base URL of the API */
  readonly base: URL;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A request to the API. */
export interface CloudRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** under where the API is */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** becomes the member `data` of the request document */
  readonly data?: unknown;
  /** sent verbatim */
  readonly body?: unknown;
}

const JSON_API = 'application/vnd.api+json';
const MAX_RETRIES = 30;
const MAX_STATE_BYTES = 2 ** 31;
/** maximum delays after the first error of the network or the server; they increase by the same amount each time */
const PAUSE_MS = { least: 700, most: 900 };
/** pauses after rate limiting without a `retry-after` time */
const LIMITED_MS = { least: 100, most: 400 };

/** A client of the API of HCP Terraform, version 2. */
export class CloudClient {
  readonly #options: CloudClientOptions;
  /**
   * True if requests are repeated after server errors and connection failures. False while a backend is opened, so that
   * a wrong address is reported immediately. Requests above the rate limit are always repeated.
   */
  persistent = false;

  constructor(options: CloudClientOptions) {
    this.#options = options;
  }

  /** Returns the headers with which the server describes itself. */
  async ping(): Promise<Readonly<Record<string, string>>> {
    const answer = await this.#once('GET', this.#url('ping', {}), this.#headers(true), undefined);
    await discardBody(answer);
    return answer.headers;
  }

  /** Sends a request. Rejects with a {@link CloudFault} for an error response. */
  async ask(request: CloudRequest): Promise<ApiDocument> {
    const { method = 'GET', path, query = {}, data } = request;
    const body = data === undefined ? request.body : { data };
    const answer = await this.#request(
      method,
      this.#url(path, query),
      this.#headers(true, body === undefined ? undefined : JSON_API),
      body === undefined ? undefined : JSON.stringify(body),
    );
    const text = await bodyText(answer);
    return readApiDocument(text === '' ? undefined : JSON.parse(text));
  }

  /** Requests all pages of a list. */
  async askAll(request: CloudRequest): Promise<ApiDocument['data']> {
    const all: ApiDocument['data'][number][] = [];
    for (let page = 1; ; page++) {
      const query = { 'page[number]': String(page), 'page[size]': '100', ...request.query };
      const answer = await this.ask({ ...request, query });
      all.push(...answer.data);
      if (answer.page >= answer.pages) return all;
    }
  }

  /** Downloads from a URL that the API returned; it may be on another host, which the API is trusted to select. */
  async download(url: string): Promise<Uint8Array> {
    const headers = { ...this.#headers(true), accept: 'application/json' };
    const answer = await this.#request('GET', this.#url(url, {}), headers, undefined);
    return await bodyBytes(answer, MAX_STATE_BYTES);
  }

  /** Uploads bytes to a URL that the API returned. The URL itself authorises the request: the token is not sent. */
  async upload(url: string, bytes: Uint8Array): Promise<void> {
    const headers = {
      ...this.#headers(false, 'application/octet-stream'),
      accept: 'application/json, */*',
    };
    const answer = await this.#request('PUT', this.#url(url, {}), headers, bytes);
    await discardBody(answer);
  }

  /** Reads a part of a log from a URL that the API returned. The URL itself authorises the request. */
  async readLog(url: string, offset: number, limit: number): Promise<Uint8Array> {
    const target = new URL(this.#url(url, {}));
    target.search = `?limit=${limit}&offset=${offset}`;
    const headers = { ...this.#headers(false), accept: 'application/json' };
    const answer = await this.#request('GET', target.href, headers, undefined);
    return await bodyBytes(answer, limit);
  }

  /** Reads the content of a path as text. */
  async readText(path: string): Promise<string> {
    const headers = { ...this.#headers(true), accept: 'application/json' };
    const answer = await this.#request('GET', this.#url(path, {}), headers, undefined);
    return Buffer.from(await bodyBytes(answer, MAX_STATE_BYTES)).toString('utf8');
  }

  #url(path: string, query: Readonly<Record<string, string>>): string {
    const url = new URL(path, this.#options.base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  #headers(withToken: boolean, contentType?: string): Readonly<Record<string, string>> {
    const { token, headers } = this.#options;
    return {
      ...headers,
      accept: JSON_API,
      ...(withToken && { authorization: `Bearer ${token}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
    };
  }

  async #request(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array | undefined,
  ): Promise<HttpAnswer> {
    const { host, signal } = this.#options;
    for (let attempt = 0; ; attempt++) {
      let answer: HttpAnswer | undefined;
      try {
        answer = await this.#once(method, url, headers, body);
      } catch (error) {
        signal?.throwIfAborted();
        if (!this.persistent || attempt >= MAX_RETRIES) throw error;
      }
      if (answer !== undefined && answer.status < 400) return answer;
      const mustRetry = answer === undefined || this.#isTransient(answer.status);
      if (answer !== undefined && (!mustRetry || attempt >= MAX_RETRIES))
        throw await faultOf(answer);
      const pause = this.#pauseMs(answer, attempt);
      if (answer !== undefined) await discardBody(answer);
      await host.clock.sleep(pause, signal);
    }
  }

  async #once(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array | undefined,
  ): Promise<HttpAnswer> {
    const { host, signal } = this.#options;
    try {
      return await host.http.request(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      // The part of a download URL after the path may authorise requests.
      const { origin, pathname } = new URL(url);
      const verb = method.charAt(0) + method.slice(1).toLowerCase();
      const reason = userErrorText(error);
      throw new Error(`${verb} "${origin}${pathname}": ${reason}`, { cause: error });
    }
  }

  #isTransient(status: number): boolean {
    return status === 429 || (this.persistent && status >= 500);
  }

  #pauseMs(answer: HttpAnswer | undefined, attempt: number): number {
    const chance = (this.#options.host.random.bytes(1)[0] ?? 0) / 256;
    if (answer?.status === 429) {
      const reset = Number(answer.headers['x-ratelimit-reset'] ?? '0') * 1000;
      const least = reset > LIMITED_MS.least ? reset : LIMITED_MS.least;
      return least + chance * (LIMITED_MS.most - LIMITED_MS.least);
    }
    return (PAUSE_MS.least + chance * (PAUSE_MS.most - PAUSE_MS.least)) * (attempt + 1);
  }
}

/** Parses the errors of a response as HashiCorp's client does. */
async function faultOf(answer: HttpAnswer): Promise<CloudFault> {
  const { status } = answer;
  let reasons: readonly string[] = [];
  try {
    const json: unknown = JSON.parse(await bodyText(answer));
    reasons = listOf(fieldsOf(json)['errors']).map((each) => {
      const title = textOf(fieldsOf(each)['title']) ?? '';
      const detail = textOf(fieldsOf(each)['detail']) ?? '';
      return detail === '' ? title : `${title}\n\n${detail}`;
    });
  } catch {
    // Proxies respond in various formats: the status is sufficient.
  }
  if (status === 401) return new CloudFault('unauthorized', status, reasons);
  if (status === 404) return new CloudFault('resource not found', status, reasons);
  const message = reasons.join('\n');
  return new CloudFault(message === '' ? statusLine(status) : message, status, reasons);
}

/** Messages for status codes of responses without a body, from servers and proxies. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [403, 'Forbidden'],
  [405, 'Method Not Allowed'],
  [409, 'Conflict'],
  [412, 'Precondition Failed'],
  [413, 'Request Entity Too Large'],
  [422, 'Unprocessable Entity'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
]);

function statusLine(status: number): string {
  return `${status} ${STATUSES.get(status) ?? ''}`.trim();
}
