import { bodyText, type Http, type HttpTls, userErrorText } from '@terrane/host';
import type { ConsulSettings } from './consul-settings.ts';

/** A key and its value. */
export interface Pair {
  readonly value: Uint8Array;
  readonly modifyIndex: number;
  /** the session that holds it as a lock */
  readonly session: string | undefined;
}

/** The reason why Consul rejected a transaction, with the index of the operation. */
export interface Refusal {
  readonly operation: number;
  readonly what: string;
}

/** An error response of a Consul agent. */
export class ConsulError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ConsulError';
    this.status = status;
  }
}

/** An operation of a transaction. */
export type Operation =
  | { readonly Verb: 'cas'; readonly Key: string; readonly Value: string; readonly Index: number }
  | { readonly Verb: 'set'; readonly Key: string; readonly Value: string }
  | { readonly Verb: 'check-session'; readonly Key: string; readonly Session: string };

/** Consul's API of keys, values and sessions (https://developer.hashicorp.com/consul/api-docs). */
export class ConsulClient {
  readonly #settings: ConsulSettings;
  readonly #http: Http;
  readonly #userAgent: string;
  readonly #signal: AbortSignal | undefined;

  constructor(
    settings: ConsulSettings,
    http: Http,
    userAgent: string,
    signal: AbortSignal | undefined,
  ) {
    this.#settings = settings;
    this.#http = http;
    this.#userAgent = userAgent;
    this.#signal = signal;
  }

  async get(key: string): Promise<Pair | undefined> {
    const answer = await this.#ask('GET', keyPath(key), { consistent: '' });
    if (answer === undefined) return undefined;
    const [pair] = Array.isArray(answer) ? (answer as unknown[]) : [];
    const fields = fieldsOf(pair);
    const session = fields['Session'];
    const value = fields['Value'];
    return {
      value: Buffer.from(typeof value === 'string' ? value : '', 'base64'),
      modifyIndex: Number(fields['ModifyIndex'] ?? 0),
      session: typeof session === 'string' && session !== '' ? session : undefined,
    };
  }

  /** Lists keys with a prefix, up to the next slash. */
  async keys(prefix: string): Promise<readonly string[]> {
    const answer = await this.#ask('GET', keyPath(prefix), { keys: '', separator: '/' });
    return Array.isArray(answer) ? answer.map(String) : [];
  }

  /** `false`: the lock was not had, or not held. */
  async put(
    key: string,
    value: Uint8Array | string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    return (await this.#ask('PUT', keyPath(key), query, value)) === true;
  }

  async delete(key: string, query: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#ask('DELETE', keyPath(key), query);
  }

  /**
   * Executes a transaction; returns the index at which the last operation changed its key, or the reason of the
   * rejection.
   */
  async transact(operations: readonly Operation[]): Promise<number | Refusal> {
    const body = JSON.stringify(operations.map((operation) => ({ KV: operation })));
    const answer = fieldsOf(await this.#ask('PUT', '/v1/txn', {}, body, [409]));
    const [error] = Array.isArray(answer['Errors']) ? (answer['Errors'] as unknown[]) : [];
    if (error !== undefined) {
      const fields = fieldsOf(error);
      return { operation: Number(fields['OpIndex'] ?? 0), what: String(fields['What']) };
    }
    const results: unknown[] = Array.isArray(answer['Results']) ? answer['Results'] : [];
    return Number(fieldsOf(fieldsOf(results.at(-1))['KV'])['ModifyIndex'] ?? 0);
  }

  async createSession(entry: Readonly<Record<string, string>>): Promise<string> {
    const answer = await this.#ask('PUT', '/v1/session/create', {}, JSON.stringify(entry));
    return String(fieldsOf(answer)['ID']);
  }

  /** `false`: the session does not exist any more. */
  async renewSession(id: string): Promise<boolean> {
    return (await this.#ask('PUT', `/v1/session/renew/${encodeURIComponent(id)}`)) !== undefined;
  }

  async destroySession(id: string): Promise<void> {
    await this.#ask('PUT', `/v1/session/destroy/${encodeURIComponent(id)}`);
  }

  /** Returns the JSON response; `undefined` if the object does not exist. */
  async #ask(
    method: string,
    path: string,
    query: Readonly<Record<string, string>> = {},
    body?: Uint8Array | string,
    also: readonly number[] = [],
  ): Promise<unknown> {
    const { origin, headers, query: always, tls } = this.#settings;
    const url = new URL(path, origin);
    for (const [name, value] of always) url.searchParams.set(name, value);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const options: { tls?: HttpTls; body?: Uint8Array | string; signal?: AbortSignal } = {};
    if (tls !== undefined) options.tls = tls;
    if (body !== undefined) options.body = body;
    if (this.#signal !== undefined) options.signal = this.#signal;
    let status: number;
    let text: string;
    try {
      const answer = await this.#http.request(url.href, {
        method,
        headers: { 'user-agent': this.#userAgent, ...headers },
        ...options,
      });
      status = answer.status;
      text = await bodyText(answer);
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw new Error(`Consul at ${origin} could not be asked: ${userErrorText(error)}`, {
        cause: error,
      });
    }
    if (status === 404 && method === 'GET') return undefined;
    if (status === 404 && path.startsWith('/v1/session/renew/')) return undefined;
    if (status !== 200 && !also.includes(status)) {
      const reason = text.trim() === '' ? '' : `: ${text.trim()}`;
      throw new ConsulError(
        status,
        `Consul at ${origin} answered ${method} ${url.pathname} with ${status}${reason}`,
      );
    }
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
}

function keyPath(key: string): string {
  return `/v1/kv/${key.split('/').map(encodeURIComponent).join('/')}`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
