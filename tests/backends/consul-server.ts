// A server for keys, values, transactions and sessions of Consul as documented
// (https://developer.hashicorp.com/consul/api-docs/kv, /txn and /session), in memory.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Entry {
  value: Buffer;
  flags: bigint;
  createIndex: number;
  modifyIndex: number;
  lockIndex: number;
  session: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** The most bytes of a value, and of a request that is a transaction. */
const MAX_BYTES = 524_288;

/** An agent of a cluster of one. */
export class ConsulServer implements AsyncDisposable {
  readonly keys: Map<string, Entry> = new Map();
  readonly sessions: Map<string, { readonly delayMs: number }> = new Map();
  readonly #delays = new Map<string, number>();
  /** methods and paths of all requests */
  readonly asked: string[] = [];
  /** the headers of the last one */
  headers: IncomingMessage['headers'] = {};
  address = '';
  #index = 1;
  #changed: (() => void)[] = [];
  #close: () => Promise<void> = () => Promise.resolve();

  static async start(): Promise<ConsulServer> {
    const self = new ConsulServer();
    const server = createServer((request, response) => void self.#hear(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    self.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    self.#close = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return self;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  /** Ends a session, as when it was not renewed in time: its locks are free after their delay. */
  endSession(id: string): void {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    for (const [key, entry] of this.keys) {
      if (session === undefined || entry.session !== id) continue;
      entry.session = undefined;
      entry.modifyIndex = this.#next();
      this.#delays.set(key, Date.now() + session.delayMs);
    }
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'http://x');
    this.asked.push(`${request.method} ${decodeURIComponent(url.pathname)}`);
    this.headers = request.headers;
    const body = Buffer.concat(chunks);
    const index = Number(url.searchParams.get('index') ?? '0');
    // A request with an index waits for a newer value.
    if (request.method === 'GET' && index >= this.#index) await this.#newer(request);
    const answer = this.#answer(request.method ?? 'GET', url, body);
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-consul-index': String(this.#index),
      'x-consul-knownleader': 'true',
      'x-consul-lastcontact': '0',
    });
    response.end(typeof answer.body === 'string' ? answer.body : jsonOf(answer.body));
  }

  async #newer(request: IncomingMessage): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#changed.push(resolve);
      request.once('close', resolve);
    });
  }

  #next(): number {
    this.#index += 1;
    for (const tell of this.#changed.splice(0)) tell();
    return this.#index;
  }

  #answer(method: string, url: URL, body: Buffer): Answer {
    const { pathname, searchParams: query } = url;
    if (pathname === '/v1/txn') return this.#transact(body);
    if (pathname === '/v1/session/create') {
      const asked = JSON.parse(body.toString()) as { LockDelay?: string };
      const id = randomUUID();
      const seconds = Number(/^([\d.]+)s$/.exec(asked.LockDelay ?? '15s')?.[1] ?? '15');
      this.sessions.set(id, { delayMs: 1000 * seconds });
      this.#next();
      return { status: 200, body: { ID: id } };
    }
    const [, verb = '', id = ''] =
      /^\/v1\/session\/(renew|destroy|info)\/(.*)$/.exec(pathname) ?? [];
    if (verb === 'destroy') {
      this.endSession(id);
      return { status: 200, body: true };
    }
    if (verb !== '') {
      return this.sessions.has(id)
        ? { status: 200, body: [{ ID: id, TTL: '15s' }] }
        : {
            status: verb === 'renew' ? 404 : 200,
            body: verb === 'renew' ? `Session id '${id}' not found` : [],
          };
    }
    const key = decodeURIComponent(pathname.replace(/^\/v1\/kv\//, ''));
    if (method === 'GET') return this.#get(key, query);
    if (method === 'PUT') return this.#put(key, query, body);
    if (method === 'DELETE') return this.#delete(key, query);
    return { status: 405 };
  }

  #get(key: string, query: URLSearchParams): Answer {
    if (query.has('keys')) {
      const separator = query.get('separator') ?? '';
      const matchingKeys = [...this.keys.keys()].filter((name) => name.startsWith(key)).sort();
      const cut = matchingKeys.map((name) => {
        const at = separator === '' ? -1 : name.indexOf(separator, key.length);
        return at < 0 ? name : name.slice(0, at + separator.length);
      });
      return cut.length === 0
        ? { status: 404, body: '' }
        : { status: 200, body: [...new Set(cut)] };
    }
    const entry = this.keys.get(key);
    return entry === undefined
      ? { status: 404, body: '' }
      : { status: 200, body: [shown(key, entry)] };
  }

  #put(key: string, query: URLSearchParams, body: Buffer): Answer {
    if (body.length > MAX_BYTES) {
      return {
        status: 413,
        body: `Request body(${body.length} bytes) too large, max size: ${MAX_BYTES} bytes. See https://developer.hashicorp.com.`,
      };
    }
    const entry = this.keys.get(key);
    const flags = BigInt(query.get('flags') ?? '0');
    const cas = query.get('cas');
    if (cas !== null && Number(cas) !== (entry?.modifyIndex ?? 0))
      return { status: 200, body: false };
    const [acquire, release] = [query.get('acquire'), query.get('release')];
    if (acquire !== null) {
      if (!this.sessions.has(acquire))
        return { status: 500, body: `rpc error: invalid session "${acquire}"` };
      const shut = (this.#delays.get(key) ?? 0) > Date.now();
      if (shut || (entry?.session !== undefined && entry.session !== acquire))
        return { status: 200, body: false };
      this.#set(key, body, flags, acquire, (entry?.lockIndex ?? 0) + 1);
      return { status: 200, body: true };
    }
    if (release !== null) {
      if (entry?.session !== release) return { status: 200, body: false };
      this.#set(key, body, flags, undefined, entry.lockIndex);
      return { status: 200, body: true };
    }
    this.#set(key, body, flags, entry?.session, entry?.lockIndex ?? 0);
    return { status: 200, body: true };
  }

  #set(
    key: string,
    value: Buffer,
    flags: bigint,
    session: string | undefined,
    lockIndex: number,
  ): Entry {
    const modifyIndex = this.#next();
    const createIndex = this.keys.get(key)?.createIndex ?? modifyIndex;
    const entry = { value, flags, createIndex, modifyIndex, lockIndex, session };
    this.keys.set(key, entry);
    return entry;
  }

  #delete(key: string, query: URLSearchParams): Answer {
    const cas = query.get('cas');
    if (cas !== null && Number(cas) !== this.keys.get(key)?.modifyIndex)
      return { status: 200, body: false };
    for (const name of [...this.keys.keys()]) {
      if (name === key || (query.has('recurse') && name.startsWith(key))) this.keys.delete(name);
    }
    this.#next();
    return { status: 200, body: true };
  }

  #transact(body: Buffer): Answer {
    if (body.length > MAX_BYTES) {
      return {
        status: 413,
        body: `Request body(${body.length} bytes) too large, max size: ${MAX_BYTES} bytes. See https://developer.hashicorp.com.`,
      };
    }
    const operations = JSON.parse(body.toString()) as {
      KV: {
        Verb: string;
        Key: string;
        Value?: string;
        Index?: number;
        Session?: string;
        Flags?: number;
      };
    }[];
    const errors = operations.flatMap(({ KV: { Verb, Key, Index = 0, Session } }, at) => {
      const entry = this.keys.get(Key);
      const fail = (what: string): object[] => [{ OpIndex: at, What: what }];
      if (Verb === 'cas' && Index !== (entry?.modifyIndex ?? 0))
        return fail(`failed to set key "${Key}", index is stale`);
      if (Verb === 'check-session' && (entry === undefined || entry.session !== Session))
        return fail(`failed session check for key "${Key}"`);
      return [];
    });
    if (errors.length > 0) return { status: 409, body: { Results: null, Errors: errors } };
    const results = operations.map(({ KV: { Verb, Key, Value = '', Flags = 0 } }) => {
      const entry = this.keys.get(Key);
      const made =
        Verb === 'check-session' && entry !== undefined
          ? entry
          : this.#set(
              Key,
              Buffer.from(Value, 'base64'),
              BigInt(Flags),
              entry?.session,
              entry?.lockIndex ?? 0,
            );
      return { KV: { ...shown(Key, made), Value: null } };
    });
    return { status: 200, body: { Results: results, Errors: null } };
  }
}

function shown(key: string, entry: Entry): Record<string, unknown> {
  return {
    LockIndex: entry.lockIndex,
    Key: key,
    Flags: entry.flags,
    Value: entry.value.length === 0 ? null : entry.value.toString('base64'),
    ...(entry.session !== undefined && { Session: entry.session }),
    CreateIndex: entry.createIndex,
    ModifyIndex: entry.modifyIndex,
  };
}

/** Flags are of 64 bits, which JSON has and JavaScript's numbers have not. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? `<${part}>` : part,
  ).replaceAll(/"<(\d+)>"/g, '$1');
}
