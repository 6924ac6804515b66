import { existsSync, readFileSync } from 'node:fs';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Environment, Http, HttpAnswer, HttpRequest, HttpTls } from './host.ts';
import { LONGEST_TIMER_MS } from './node-clock.ts';
import { proxyFor } from './proxy-for.ts';

const MOST_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What is for one origin only. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
]);
const CONTENT: ReadonlySet<string> = new Set(['content-length', 'content-type']);

/** Servers as this machine reaches them: by the proxies of the environment, trusting the system's certificates. */
export function nodeHttp(environment: Environment): Http {
  const shared = new Agents(environment);
  return {
    // Loaded when first used: hardly any run serves.
    serveLocally: async (port, answer) =>
      await (await import('./serve-locally.ts')).serveLocally(port, answer),
    request: (url, options) => follow(shared, url, options),
    openSession() {
      const own = new Agents(environment, 1);
      return { request: (url, options) => follow(own, url, options), close: () => own.close() };
    },
  };
}

/** Sends a request, and further ones where the answer points elsewhere. */
async function follow(agents: Agents, url: string, options: HttpRequest = {}): Promise<HttpAnswer> {
  let target = new URL(url);
  let { method = 'GET', body } = options;
  let headers = Object.entries(options.headers ?? {});
  for (let hops = 0; ; hops++) {
    const answer = await send(agents, target, { ...options, method }, headers, body);
    const location = REDIRECTS.has(answer.status) ? answer.headers['location'] : undefined;
    if (location === undefined || options.redirect === 'manual') return answer;
    if (hops === MOST_REDIRECTS) {
      throw new Error(`stopped after ${MOST_REDIRECTS} redirects, the last one to ${location}`);
    }
    await discard(answer);
    const next = new URL(location, target);
    if (next.origin !== target.origin) headers = without(headers, CREDENTIALS);
    const asksAnew =
      answer.status === 303 || (answer.status < 303 && method !== 'GET' && method !== 'HEAD');
    if (asksAnew && method !== 'HEAD') {
      method = 'GET';
      body = undefined;
      headers = without(headers, CONTENT);
    }
    target = next;
  }
}

type Headers = [name: string, value: string][];

function without(headers: Headers, names: ReadonlySet<string>): Headers {
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}

async function send(
  agents: Agents,
  url: URL,
  options: HttpRequest,
  headers: Headers,
  body: string | Uint8Array | undefined,
): Promise<HttpAnswer> {
  const { method = 'GET', timeoutMs, signal } = options;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Error(
      `unsupported protocol scheme ${JSON.stringify(url.protocol.replace(/:$/, ''))}`,
    );
  }
  // Loaded when first used: most runs ask no server.
  const { request } = await (url.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  const agent = await agents.for(url, options);
  signal?.throwIfAborted();
  const content = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]];
  const sent: Record<string, string> = Object.fromEntries([...content, ...headers]);
  const { message, settle } = await new Promise<{ message: IncomingMessage; settle: () => void }>(
    (resolve, reject) => {
      const outgoing = request(url, { method, headers: sent, agent });
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => outgoing.destroy(late(url)), Math.min(timeoutMs, LONGEST_TIMER_MS));
      const stop = (): void => {
        outgoing.destroy(reasonOf(signal));
      };
      signal?.addEventListener('abort', stop, { once: true });
      const settled = (): void => signal?.removeEventListener('abort', stop);
      outgoing.once('error', (error) => {
        clearTimeout(timer);
        settled();
        reject(error);
      });
      outgoing.once('response', (response) => {
        clearTimeout(timer);
        resolve({ message: response, settle: settled });
      });
      finish(outgoing, body);
    },
  );
  message.once('close', settle);
  return {
    status: message.statusCode ?? 0,
    headers: headersOf(message),
    url: url.href,
    body: bodyOf(message, signal),
  };
}

function finish(outgoing: ClientRequest, body: string | Uint8Array | undefined): void {
  if (body === undefined) outgoing.end();
  else outgoing.end(body);
}

function late({ host }: URL): Error {
  return Object.assign(new Error(`no answer from ${host} in time`), { code: 'ETIMEDOUT' });
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
): AsyncGenerator<Uint8Array> {
  try {
    // With no encoding set, the chunks are bytes.
    for await (const chunk of message as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    throw error;
  } finally {
    message.destroy();
  }
}

async function discard({ body }: HttpAnswer): Promise<void> {
  // What a redirect says is short, and reading it keeps the connection for the next request.
  for await (const chunk of body) void chunk;
}

/** Connections, kept for the next request to the same server, with what they trust and go through. */
class Agents {
  readonly #environment: Environment;
  readonly #most: number | undefined;
  readonly #agents = new Map<string, Promise<Agent>>();
  #trusted: string[] | undefined;

  /** `most`: how many connections to one server there may be at once. */
  constructor(environment: Environment, most?: number) {
    this.#environment = environment;
    this.#most = most;
  }

  close(): void {
    for (const agent of this.#agents.values()) {
      // One that could not be made has told whoever asked for it.
      void agent.then(
        (made) => made.destroy(),
        () => {},
      );
    }
    this.#agents.clear();
  }

  for(url: URL, { tls, proxy: wanted }: Pick<HttpRequest, 'tls' | 'proxy'>): Promise<Agent> {
    const proxy = wanted === '' ? undefined : (wanted ?? proxyFor(url, this.#environment));
    const key = `${url.protocol} ${proxy ?? ''} ${tls === undefined ? '' : JSON.stringify(tls)}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const made = this.#make(url.protocol === 'https:', proxy, tls);
    this.#agents.set(key, made);
    return made;
  }

  async #make(secure: boolean, proxy: string | undefined, tls: HttpTls = {}): Promise<Agent> {
    const ca =
      tls.ca !== undefined
        ? [tls.ca]
        : secure || proxy?.startsWith('https:') === true
          ? await this.#certificates()
          : [];
    const options = {
      keepAlive: true,
      ...(this.#most !== undefined && { maxSockets: this.#most }),
      ...(ca.length > 0 && { ca }),
      ...(tls.certificate !== undefined && { cert: tls.certificate }),
      ...(tls.key !== undefined && { key: tls.key }),
      ...(tls.serverName !== undefined && { servername: tls.serverName }),
      ...(tls.verify === false && { rejectUnauthorized: false }),
    };
    if (proxy === undefined) {
      const { Agent: Direct } = await (secure ? import('node:https') : import('node:http'));
      return new Direct(options);
    }
    if (secure) {
      const { HttpsProxyAgent } = await import('https-proxy-agent');
      const agent = new HttpsProxyAgent(proxy, options);
      // It forgets them for the connection to the server behind the proxy.
      agent.options = { ...agent.options, ...options };
      return agent;
    }
    const { HttpProxyAgent } = await import('http-proxy-agent');
    return new HttpProxyAgent(proxy, options);
  }

  /**
   * What is trusted, in PEM: the system's certificates as Go finds them (`SSL_CERT_FILE` instead of the
   * usual places, where set), `NODE_EXTRA_CA_CERTS`, and those of Node where the system has none.
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

/** Where systems keep the certificates they trust, as Go knows them (crypto/x509/root_linux.go, root_bsd.go). */
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
