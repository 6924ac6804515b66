import { parsePlainJson, quoteText } from '@terrane/cty';
import { BodyTooLarge, bodyText, type HttpAnswer, discardBody, userErrorText } from '@terrane/host';
import { domainToASCII } from 'node:url';
import { requestErrorText } from './network-error.ts';
import {
  requestHeaders,
  type RegistryHost,
  registryRequest,
  type RegistryRequestOptions,
} from './registry-request.ts';
import { ServiceHost } from './service-host.ts';
import { statusText } from './status-text.ts';

/** Returns the credentials for a host; undefined if none are configured. */
export type Credentials = (hostname: string) => Promise<{ readonly token: string } | undefined>;

/** Options of service discovery. */
export interface ServiceDirectoryOptions {
  readonly host: RegistryHost;
  readonly credentials?: Credentials | undefined;
  /** services of hosts without discovery: `host` blocks of the CLI configuration, by host name */
  readonly overrides?: ReadonlyMap<string, Readonly<Record<string, unknown>>> | undefined;
  /** `registry_protocols` of the CLI configuration; default: the environment */
  readonly requests?: { readonly retries?: number; readonly timeoutMs?: number } | undefined;
}

const PATH = '/.well-known/terraform.json';
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 11_000;

/**
 * Discovers the services of hosts by Terraform's remote service discovery protocol; each host is queried once. Host
 * names are normalized, in Unicode, with a port if it is not 443.
 */
export class ServiceDirectory {
  readonly host: RegistryHost;
  readonly #options: ServiceDirectoryOptions;
  readonly #known: Map<string, Promise<ServiceHost>> = new Map();
  readonly #tokens: Map<string, Promise<string | undefined>> = new Map();

  constructor(options: ServiceDirectoryOptions) {
    this.host = options.host;
    this.#options = options;
    for (const [name, services] of options.overrides ?? []) {
      const at = `${originOf(name)}${PATH}`;
      this.#known.set(name, Promise.resolve(new ServiceHost(name, at, services)));
    }
  }

  /** Discovers the services of a host. Rejects with Terraform's text if the request fails. */
  async discover(hostname: string, signal?: AbortSignal): Promise<ServiceHost> {
    let discovery = this.#known.get(hostname);
    if (discovery === undefined) {
      discovery = this.#ask(hostname, signal);
      this.#known.set(hostname, discovery);
      // A later caller may have more luck.
      discovery.catch(() => this.#known.delete(hostname));
    }
    return await discovery;
  }

  /** Returns true if the CLI configuration overrides the services of a host. */
  isOverridden(hostname: string): boolean {
    return this.#options.overrides?.has(hostname) ?? false;
  }

  /** Sends a request to a registry; see `registryRequest`. */
  request(url: string, options: RegistryRequestOptions = {}): Promise<HttpAnswer> {
    return registryRequest(this.host, url, { ...this.#options.requests, ...options });
  }

  /** Returns the token for a host; undefined if none is configured. Rejects with the error of a credentials helper. */
  token(hostname: string): Promise<string | undefined> {
    let existing = this.#tokens.get(hostname);
    if (existing === undefined) {
      existing = (async () => (await this.#options.credentials?.(hostname))?.token)();
      this.#tokens.set(hostname, existing);
    }
    return existing;
  }

  async #ask(hostname: string, signal: AbortSignal | undefined): Promise<ServiceHost> {
    const url = `${originOf(hostname)}${PATH}`;
    // Without available credentials the request is sent unauthenticated.
    const token = await this.token(hostname).catch(() => undefined);
    let answer: HttpAnswer;
    try {
      answer = await this.host.http.request(url, {
        headers: {
          ...requestHeaders(this.host.environment),
          accept: 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        timeoutMs: TIMEOUT_MS,
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      const text = requestErrorText('GET', url, error);
      throw new Error(`failed to request discovery document: ${text}`, { cause: error });
    }
    if (answer.status !== 200) await discardBody(answer);
    if (answer.status === 404) return new ServiceHost(hostname, answer.url);
    if (answer.status !== 200) {
      throw new Error(`failed to request discovery document: ${statusText(answer.status)}`);
    }
    return new ServiceHost(hostname, answer.url, await readServices(answer));
  }
}

function originOf(hostname: string): string {
  const [name = '', port] = hostname.split(':');
  const ascii = domainToASCII(name);
  return `https://${ascii === '' ? name : ascii}${port === undefined ? '' : `:${port}`}`;
}

async function readServices(answer: HttpAnswer): Promise<Readonly<Record<string, unknown>>> {
  const type = answer.headers['content-type'] ?? '';
  const media = /^\s*([^\s;]+)\s*(?:;|$)/.exec(type)?.[1]?.toLowerCase();
  if (media === undefined) {
    throw new Error(`discovery URL has a malformed Content-Type ${quoteText(type)}`);
  }
  if (media !== 'application/json') {
    throw new Error(`discovery URL returned an unsupported Content-Type ${quoteText(media)}`);
  }
  const length = Number(answer.headers['content-length'] ?? '0');
  if (length > MAX_BYTES) {
    throw new Error(
      `discovery doc response is too large (got ${length} bytes; limit ${MAX_BYTES})`,
    );
  }
  let services: unknown;
  try {
    services = parsePlainJson(await bodyText(answer, MAX_BYTES));
  } catch (error) {
    const subject =
      error instanceof BodyTooLarge || !(error instanceof SyntaxError)
        ? 'error reading discovery document body'
        : 'failed to decode discovery document as a JSON object';
    throw new Error(`${subject}: ${userErrorText(error)}`, { cause: error });
  }
  if (typeof services !== 'object' || services === null || Array.isArray(services)) {
    throw new Error('failed to decode discovery document as a JSON object: it is something else');
  }
  return { ...services };
}
