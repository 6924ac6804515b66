import { existsSync, readFileSync } from 'node:fs';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import type { Environment, Http, HttpAnswer, HttpRequest, HttpTls } from './host.ts';
import { discardBody } from './http-body.ts';
import { MAX_TIMER_MS } from './node-clock.ts';
import { proxyFor } from './proxy-for.ts';

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that are sent to one origin only. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
]);
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const CONTENT: ReadonlySet<string> = new Set(['content-length', 'content-type']);

/** Time limits of responses. */
export interface HttpLimits {
  /** time-out for the headers of a response, unless the request sets one */
  readonly headMs: number;
  /** The window, counting time spent waiting for bytes, within which `windowBytes` must arrive. */
  readonly windowMs: number;
  readonly windowBytes: number;
  /** time-out for the ignored body of a redirect */
  readonly discardMs: number;
}

const LIMITS: HttpLimits = {
  headMs: 10 * 60_000,
  windowMs: 60_000,
  windowBytes: 60 * 1024,
  discardMs: 5_000,
};

/**
 * Servers as this machine reaches them: by the proxies of the environment, trusting the system's certificates.
 * `limits` replaces the default time limits.
 */
export function nodeHttp(environment: Environment, limits: Partial<HttpLimits> = {}): Http {
  const all = { ...LIMITS, ...limits };
  const shared = new Agents(environment, all);
  return {
    // Loaded when first used: hardly any run serves.
    serveLocally: async (port, answer) =>
      await (await import('./serve-locally.ts')).serveLocally(port, answer),
    request: (url, options) => sendFollowingRedirects(shared, url, options),
    openSession() {
      const agents = new Agents(environment, all, 1);
      return {
        request: (url, options) => sendFollowingRedirects(agents, url, options),
        close: () => agents.close(),
      };
    },
  };
}

/** Sends a request and follows redirects. */
async function sendFollowingRedirects(
  agents: Agents,
  url: string,
  options: HttpRequest = {},
): Promise<HttpAnswer> {
  let target = new URL(url);
  let { method = 'GET', body } = options;
  let headers = Object.entries(options.headers ?? {});
  const end = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
  for (let hops = 0; ; hops++) {
    const { answer, read } = await send(agents, target, { ...options, method }, end, headers, body);
    const location = REDIRECTS.has(answer.status) ? answer.headers['location'] : undefined;
    if (location === undefined || options.redirect === 'manual') return answer;
    // The connection serves the next request, if the body is as short as those of redirects are.
    await discardBody({ body: read(Math.min(end, performance.now() + agents.limits.discardMs)) });
    if (hops === MAX_REDIRECTS) {
      throw new Error(`stopped after ${MAX_REDIRECTS} redirects, the last one to ${location}`);
    }
    const next = new URL(location, target);
    if (next.origin !== target.origin) headers = withoutHeaders(headers, CREDENTIALS);
    const asksAnew =
      answer.status === 303 || (answer.status < 303 && method !== 'GET' && method !== 'HEAD');
    if (asksAnew && method !== 'HEAD') {
      method = 'GET';
      body = undefined;
      headers = withoutHeaders(headers, CONTENT);
    }
    target = next;
  }
}

type Headers = [name: string, value: string][];

function withoutHeaders(headers: Headers, names: ReadonlySet<string>): Headers {
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}

interface Sent {
  readonly answer: HttpAnswer;
  /** The body until another time than that of the request. */
  readonly read: (end: number) => AsyncIterable<Uint8Array>;
}

/**
 * Sends one request; the exchange has to end before `end`, as `performance.now()` counts. A request that only reads is
 * sent again if the server closed the idle connection that it was sent on.
 */
async function send(...request: Parameters<typeof sendOnce>): Promise<Sent> {
  const { method = 'GET', signal } = request[2];
  for (;;) {
    try {
      return await sendOnce(...request);
    } catch (error) {
      if (!(error instanceof IdleConnectionClosed)) throw error;
      if (!READING.has(method) || signal?.aborted === true) throw error.cause;
    }
  }
}

/** The error for a server that closed an idle keep-alive connection without responding to the request. */
class IdleConnectionClosed extends Error {}

async function sendOnce(
  agents: Agents,
  url: URL,
  options: HttpRequest,
  end: number,
  headers: Headers,
  body: string | Uint8Array | undefined,
): Promise<Sent> {
  const { method = 'GET', signal } = options;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Error(
      `unsupported protocol scheme ${JSON.stringify(url.protocol.replace(/:$/, ''))}`,
    );
  }
  // Loaded on first use: most runs send no requests.
  const { request } = await (url.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  const agent = await agents.for(url, options);
  signal?.throwIfAborted();
  const content = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]];
  const sentHeaders: Record<string, string> = Object.fromEntries([...content, ...headers]);
  const lookup = await lookupOf(url, options);
  const outgoing = request(url, { method, headers: sentHeaders, agent, ...lookup });
  const headMs = Math.min(
    options.headTimeoutMs ?? agents.limits.headMs,
    Math.max(0, end - performance.now()),
  );
  const exchange = headOf(outgoing, url, headMs, signal);
  finish(outgoing, body);
  const { message, removeAbortListener } = await exchange;
  message.once('close', removeAbortListener);
  const read = (until: number): AsyncGenerator<Uint8Array> =>
    bodyOf(message, signal, until, agents.limits);
  return {
    read,
    answer: {
      status: message.statusCode ?? 0,
      headers: headersOf(message),
      url: url.href,
      body: read(end),
    },
  };
}

/**
 * Returns the option of a request that resolves names to permitted addresses only. Throws if the URL has an address
 * that is not permitted.
 */
async function lookupOf(
  { hostname }: URL,
  { isPermitted }: Pick<HttpRequest, 'isPermitted'>,
): Promise<Pick<RequestOptions, 'lookup'>> {
  if (isPermitted === undefined) return {};
  const refused = (): Error =>
    Object.assign(new Error(`requests to ${hostname} are not permitted`), { code: 'EACCES' });
  const literal = hostname.replaceAll(/[[\]]/g, '');
  if (isIP(literal) !== 0) {
    if (!isPermitted(literal)) throw refused();
    return {};
  }
  const { lookup } = await import('node:dns');
  return {
    lookup(name, options, callback) {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const [first, ...others] = (addresses ?? []).filter(({ address }) => isPermitted(address));
        if (error !== null) callback(error, '', 0);
        else if (first === undefined) callback(refused(), '', 0);
        else if (options.all === true) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      });
    },
  };
}

/** The head of a response, whose body is still to be read. */
interface Exchange {
  readonly message: IncomingMessage;
  readonly removeAbortListener: () => void;
}

/** Waits for the head of the response. A request without one in time is destroyed. */
function headOf(
  outgoing: ClientRequest,
  url: URL,
  headMs: number,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => outgoing.destroy(late(`no answer from ${url.host} in time`)),
      Math.min(headMs, MAX_TIMER_MS),
    );
    const stop = (): void => {
      outgoing.destroy(reasonOf(signal));
    };
    signal?.addEventListener('abort', stop, { once: true });
    const removeAbortListener = (): void => signal?.removeEventListener('abort', stop);
    outgoing.once('error', (error) => {
      clearTimeout(timer);
      removeAbortListener();
      const isReset = 'code' in error && error.code === 'ECONNRESET';
      const isIdle = outgoing.reusedSocket && isReset;
      reject(isIdle ? new IdleConnectionClosed('idle connection', { cause: error }) : error);
    });
    outgoing.once('response', (response) => {
      clearTimeout(timer);
      // An unread response must not keep the process alive.
      response.socket.unref();
      resolve({ message: response, removeAbortListener });
    });
  });
}

function finish(outgoing: ClientRequest, body: string | Uint8Array | undefined): void {
  if (body === undefined) outgoing.end();
  else outgoing.end(body);
}

function late(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted');
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

async function* bodyOf(
  message: IncomingMessage,
  signal: AbortSignal | undefined,
  end: number,
  limits: HttpLimits,
): AsyncGenerator<Uint8Array> {
  message.socket.ref();
  const pace = new Pace(message, end, limits);
  try {
    // Without an encoding, the chunks are bytes.
    const chunks = (message as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    for (;;) {
      const next = await pace.wait(chunks.next());
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    throw error;
  } finally {
    message.destroy();
  }
}

/** Aborts a response whose body is too slow or exceeds its time-out. */
class Pace {
  readonly #message: IncomingMessage;
  readonly #end: number;
  readonly #limits: HttpLimits;
  /** waiting time and received bytes in the current window */
  #waitedMs = 0;
  #bytes = 0;

  constructor(message: IncomingMessage, end: number, limits: HttpLimits) {
    this.#message = message;
    this.#end = end;
    this.#limits = limits;
  }

  /** Waits for the next chunk. */
  async wait(next: Promise<IteratorResult<Uint8Array>>): Promise<IteratorResult<Uint8Array>> {
    let since = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const advance = (): void => {
      const now = performance.now();
      this.#waitedMs += now - since;
      since = now;
    };
    const arm = (): void => {
      const leftMs = Math.min(this.#end - since, this.#limits.windowMs - this.#waitedMs);
      timer = setTimeout(look, Math.min(Math.max(1, leftMs), MAX_TIMER_MS));
    };
    const look = (): void => {
      advance();
      const problem = this.#problem(since);
      if (problem === undefined) arm();
      else this.#message.destroy(late(problem));
    };
    arm();
    try {
      const result = await next;
      advance();
      if (result.done !== true) this.#bytes += result.value.length;
      const problem = result.done === true ? undefined : this.#problem(since);
      if (problem !== undefined) throw late(problem);
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  #problem(now: number): string | undefined {
    const { windowMs, windowBytes } = this.#limits;
    if (now >= this.#end) {
      return 'context deadline exceeded (Client.Timeout or context cancellation while reading body)';
    }
    if (this.#waitedMs < windowMs) return undefined;
    const bytes = this.#bytes;
    this.#waitedMs = 0;
    this.#bytes = 0;
    if (bytes >= windowBytes) return undefined;
    return `the server sent ${bytes} bytes of its answer in ${windowMs / 1000} seconds, which is too slow to go on`;
  }
}

/** Keep-alive connections by server, with their trust and proxy settings. */
class Agents {
  readonly limits: HttpLimits;
  readonly #environment: Environment;
  readonly #maxSockets: number | undefined;
  readonly #agents = new Map<string, Promise<Agent>>();
  #trusted: string[] | undefined;

  /** `most`: how many connections to one server there may be at once. */
  constructor(environment: Environment, limits: HttpLimits, maxSockets?: number) {
    this.limits = limits;
    this.#environment = environment;
    this.#maxSockets = maxSockets;
  }

  close(): void {
    for (const agent of this.#agents.values()) {
      // The caller has received the error of a failed connection.
      void agent.then(
        (made) => made.destroy(),
        () => {},
      );
    }
    this.#agents.clear();
  }

  for(
    url: URL,
    { tls, proxy: requestedProxy, isPermitted }: Pick<HttpRequest, 'tls' | 'proxy' | 'isPermitted'>,
  ): Promise<Agent> {
    const proxy =
      requestedProxy === '' ? undefined : (requestedProxy ?? proxyFor(url, this.#environment));
    // A connection that another request has opened was not decided about.
    const keepAlive = isPermitted === undefined;
    const key = `${url.protocol} ${proxy ?? ''} ${keepAlive} ${tls === undefined ? '' : JSON.stringify(tls)}`;
    const pooled = this.#agents.get(key);
    if (pooled !== undefined) return pooled;
    const agent = this.#make(url.protocol === 'https:', proxy, tls, keepAlive);
    this.#agents.set(key, agent);
    return agent;
  }

  async #make(
    secure: boolean,
    proxy: string | undefined,
    tls: HttpTls = {},
    keepAlive = true,
  ): Promise<Agent> {
    const ca =
      tls.ca !== undefined
        ? [tls.ca]
        : secure || proxy?.startsWith('https:') === true
          ? await this.#certificates()
          : [];
    const options = {
      keepAlive,
      ...(this.#maxSockets !== undefined && { maxSockets: this.#maxSockets }),
      ...(ca.length > 0 && { ca }),
      ...(tls.certificate !== undefined && { cert: tls.certificate }),
      ...(tls.key !== undefined && { key: tls.key }),
      ...(tls.serverName !== undefined && { servername: tls.serverName }),
      // Set explicitly; otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would disable verification.
      rejectUnauthorized: tls.verify !== false,
    };
    if (proxy === undefined) {
      const { Agent: Direct } = await (secure ? import('node:https') : import('node:http'));
      return new Direct(options);
    }
    if (secure) {
      const { HttpsProxyAgent } = await import('https-proxy-agent');
      const agent = new HttpsProxyAgent(proxy, options);
      // The agent ignores these options for the connection to the server behind the proxy.
      agent.options = { ...agent.options, ...options };
      return agent;
    }
    const { HttpProxyAgent } = await import('http-proxy-agent');
    return new HttpProxyAgent(proxy, options);
  }

  /**
   * Returns the trusted certificates in PEM: those of the system in Go's locations (`SSL_CERT_FILE` instead of the
   * default locations, if set), `NODE_EXTRA_CA_CERTS`, and Node's own if the system has none.
   */
  async #certificates(): Promise<string[]> {
    if (this.#trusted !== undefined) return this.#trusted;
    const { rootCertificates } = await import('node:tls');
    const named = this.#environment.get('SSL_CERT_FILE') ?? '';
    const file = named === '' ? SYSTEM_CERTIFICATES.find((path) => existsSync(path)) : named;
    const extra = this.#environment.get('NODE_EXTRA_CA_CERTS') ?? '';
    const system = file === undefined ? undefined : readPem(file);
    const added = extra === '' ? undefined : readPem(extra);
    this.#trusted = [
      ...(system === undefined ? rootCertificates : [system]),
      ...(added === undefined ? [] : [added]),
    ];
    return this.#trusted;
  }
}

/** Locations of the system's trusted certificates, as Go knows them (crypto/x509/root_linux.go, root_bsd.go). */
const SYSTEM_CERTIFICATES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
  '/usr/local/etc/ssl/cert.pem',
  '/usr/local/share/certs/ca-root-nss.crt',
];

function readPem(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
