import { parsePlainJson } from '@terrane/cty';
import { createHash } from 'node:crypto';
import { bodyBytes, userErrorText } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import { fieldsOf, jsonFields, textIn } from '../json-fields.ts';
import type { GcsSettings } from './gcs-settings.ts';
import type { GoogleIdentity } from './google-identity.ts';

/** An object of a bucket, with the number of this content of it. */
export interface StoredObject {
  readonly content: Uint8Array;
  readonly generation: string;
}

/** An error response of the service. */
export class GcsRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'GcsRefusal';
    this.status = status;
  }
}

// https://cloud.google.com/storage/docs/retry-strategy
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const ENCRYPTION = 'x-goog-encryption';

/** The objects of a bucket of Google Cloud Storage, by its JSON API. */
export class GcsObjects {
  readonly #settings: GcsSettings;
  readonly #suppliedKey: string | undefined;
  readonly #identity: GoogleIdentity;
  readonly #ports: BackendPorts;

  constructor(
    settings: GcsSettings,
    suppliedKey: string | undefined,
    identity: GoogleIdentity,
    ports: BackendPorts,
  ) {
    this.#settings = settings;
    this.#suppliedKey = suppliedKey;
    this.#identity = identity;
    this.#ports = ports;
  }

  /** Returns the URL of an object for messages. */
  url(name: string): string {
    return `gs://${this.#settings.bucket}/${name}`;
  }

  /** Reads an object; `encrypted` uses the customer-supplied key, if there is one. */
  async read(name: string, encrypted: boolean): Promise<StoredObject | undefined> {
    for (let attempt = 1; ; attempt++) {
      const url = this.#objectUrl(name);
      url.searchParams.set('alt', 'media');
      const { status, headers, body } = await this.#request('GET', url, {
        headers: this.#encryption(encrypted),
        accepts: [404],
      });
      if (status === 404) {
        if (isNoBucket(body)) throw refusal(status, body);
        return undefined;
      }
      const generation = headers['x-goog-generation'] ?? (await this.#generation(name));
      if (generation !== undefined) return { content: body, generation };
      if (attempt === ATTEMPTS) throw new Error(`${this.url(name)} changes all the time`);
    }
  }

  async #generation(name: string): Promise<string | undefined> {
    const { status, body } = await this.#request('GET', this.#objectUrl(name), { accepts: [404] });
    return status === 404 ? undefined : generationOf(body);
  }

  /**
   * Writes an object if its generation is the expected one (`0`: the object does not exist; undefined: any) and returns
   * the new generation. Rejects with a {@link GcsRefusal} of status 412 otherwise.
   */
  async write(
    name: string,
    content: Uint8Array,
    generation: string | undefined,
    {
      encrypted,
      type = 'application/json',
    }: { readonly encrypted: boolean; readonly type?: string },
  ): Promise<string> {
    const { bucket, kmsKey } = this.#settings;
    const url = this.#uploadUrl();
    url.searchParams.set('uploadType', 'multipart');
    url.searchParams.set('name', name);
    if (generation !== undefined) url.searchParams.set('ifGenerationMatch', generation);
    if (encrypted && kmsKey !== '') url.searchParams.set('kmsKeyName', kmsKey);
    const boundary = `terrane-${this.#ports.host.random.uuid()}`;
    const about = JSON.stringify({ name, bucket });
    const { body } = await this.#request('POST', url, {
      headers: {
        ...this.#encryption(encrypted),
        'content-type': `multipart/related; boundary=${boundary}`,
      },
      body: Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Type: application/json\r\n\r\n${about}\r\n--${boundary}\r\nContent-Type: ${type}\r\n\r\n`,
        ),
        content,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    });
    const written = generationOf(body);
    if (written === undefined) throw new Error('the service does not say what it has written');
    return written;
  }

  /**
   * Deletes an object of the given generation. Rejects with a {@link GcsRefusal} if it has another one or does not
   * exist.
   */
  async delete(name: string, generation?: string): Promise<void> {
    const url = this.#objectUrl(name);
    if (generation !== undefined) url.searchParams.set('ifGenerationMatch', generation);
    await this.#request('DELETE', url, {});
  }

  /** The names of the objects of a directory. */
  async *list(prefix: string): AsyncGenerator<string> {
    let page = '';
    do {
      const url = new URL(
        `b/${encodeURIComponent(this.#settings.bucket)}/o`,
        this.#settings.endpoint,
      );
      url.searchParams.set('delimiter', '/');
      url.searchParams.set('prefix', prefix);
      if (page !== '') url.searchParams.set('pageToken', page);
      const { body } = await this.#request('GET', url, {});
      const listed = fieldsOf(parsePlainJson(new TextDecoder().decode(body)));
      const items = listed.get('items');
      for (const item of Array.isArray(items) ? items : []) {
        const name = fieldsOf(item).get('name');
        if (typeof name === 'string') yield name;
      }
      const next = listed.get('nextPageToken');
      page = typeof next === 'string' ? next : '';
    } while (page !== '');
  }

  #objectUrl(name: string): URL {
    const { bucket, endpoint } = this.#settings;
    return new URL(`b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(name)}`, endpoint);
  }

  /** Uploads have a separate path: `/upload` before that of other requests. */
  #uploadUrl(): URL {
    const { bucket, endpoint } = this.#settings;
    const url = new URL(`b/${encodeURIComponent(bucket)}/o`, endpoint);
    url.pathname = `/upload${url.pathname}`;
    return url;
  }

  #encryption(encrypted: boolean): Readonly<Record<string, string>> {
    const key = this.#suppliedKey;
    if (!encrypted || key === undefined) return {};
    const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
    return {
      [`${ENCRYPTION}-algorithm`]: 'AES256',
      [`${ENCRYPTION}-key`]: key,
      [`${ENCRYPTION}-key-sha256`]: digest,
    };
  }

  async #request(
    method: string,
    url: URL,
    {
      headers = {},
      body,
      accepts = [],
    }: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Uint8Array;
      readonly accepts?: readonly number[];
    },
  ): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  }> {
    const { host, signal, userAgent } = this.#ports;
    for (let attempt = 1; ; attempt++) {
      const last = attempt === ATTEMPTS;
      try {
        const answer = await host.http.request(url.href, {
          method,
          headers: { 'user-agent': userAgent, ...(await this.#identity()), ...headers },
          ...(body !== undefined && { body }),
          ...(signal !== undefined && { signal }),
        });
        const content = await bodyBytes(answer, MAX_OBJECT_BYTES);
        const { status } = answer;
        if (status < 300 || accepts.includes(status)) {
          return { status, headers: answer.headers, body: content };
        }
        if (last || !RETRIED.has(status)) throw refusal(status, content);
      } catch (error) {
        signal?.throwIfAborted();
        if (last || error instanceof GcsRefusal || !isBroken(error)) throw error;
      }
      await host.clock.sleep(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
    }
  }
}

// A state may be as large as memory allows.
const MAX_OBJECT_BYTES = 2 ** 31;

/** Returns true if a connection broke, which another attempt may mend. */
function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E(CONN|PIPE|TIMEDOUT|AI_AGAIN)/.test(code);
}

/** Formats an error response as Google's client for Go does. */
function refusal(status: number, body: Uint8Array): GcsRefusal {
  const text = new TextDecoder().decode(body);
  const error = fieldsOf(jsonFields(body).get('error'));
  const message = textIn(error, 'message');
  if (message === '') {
    const excerpt = text.length < 200 ? text.trim().replaceAll(/\s+/g, ' ') : '';
    return new GcsRefusal(
      status,
      `googleapi: got HTTP response code ${status} with body: ${excerpt}`,
    );
  }
  const listed = error.get('errors');
  const errors = (Array.isArray(listed) ? listed : []).map(fieldsOf);
  const summary = `googleapi: Error ${status}: ${message}`;
  const [first] = errors;
  if (first === undefined) return new GcsRefusal(status, summary);
  if (errors.length === 1 && textIn(first, 'message') === message) {
    return new GcsRefusal(status, `${summary}, ${textIn(first, 'reason')}`);
  }
  const details = errors.map(
    (each) => `Reason: ${textIn(each, 'reason')}, Message: ${textIn(each, 'message')}`,
  );
  return new GcsRefusal(status, [summary, 'More details:', ...details].join('\n'));
}

function isNoBucket(body: Uint8Array): boolean {
  return /bucket does not exist/i.test(new TextDecoder().decode(body));
}

function generationOf(body: Uint8Array): string | undefined {
  const generation = fieldsOf(JSON.parse(new TextDecoder().decode(body))).get('generation');
  return typeof generation === 'string' || typeof generation === 'number'
    ? String(generation)
    : undefined;
}

/** Returns the reason of a failure for use in a sentence. */
export function reasonOf(error: unknown, signal: AbortSignal | undefined): string {
  signal?.throwIfAborted();
  return userErrorText(error);
}
