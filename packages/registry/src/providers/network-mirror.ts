import { parsePlainJson, quoteText } from '@terrane/cty';
import { bodyText, type HttpAnswer, discardBody, userErrorText } from '@terrane/host';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parseHostname, type ProviderSource } from '@terrane/addresses';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import { validVersions } from '../versions/version.ts';
import { entriesOf, fieldOf, listOf, stringOf } from '../json-fields.ts';
import { authenticateByHashes } from './package-authentication.ts';
import type { AvailableVersions, PackageMeta, PackageSource } from './package-source.ts';
import { type Platform, platformText } from './platform.ts';
import { notFound, platformNotSupported, queryFailed, unauthorized } from './source-error.ts';

/** Options of a network mirror. */
export interface NetworkMirrorOptions {
  readonly services: ServiceDirectory;
  /** ends with a slash, as relative addresses need it */
  readonly url: URL;
  /** the maximum number of download retries */
  readonly downloadRetries?: number | undefined;
  /** true if all checksums in its indexes are recorded */
  readonly trustAllHashes?: boolean | undefined;
}

/** The address of a mirror; `error` is the detail of Terraform's diagnostic. */
export function parseMirrorUrl(text: string): URL | { readonly error: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return {
      error: `Cannot use ${quoteText(text)} as a URL for a network provider mirror: the mirror must be at an https: URL.`,
    };
  }
  if (url.protocol !== 'https:' || url.host === '') {
    return {
      error: `Cannot use ${quoteText(text)} as a URL for a network provider mirror: the mirror must be at an https: URL.`,
    };
  }
  return url;
}

/** A source of packages by Terraform's provider network mirror protocol. */
export class NetworkMirror implements PackageSource {
  readonly #options: NetworkMirrorOptions;
  readonly #text: string;

  constructor(options: NetworkMirrorOptions) {
    this.#options = options;
    this.#text = options.url.href;
  }

  describe(): string {
    return `provider mirror at ${this.#text}`;
  }

  async availableVersions(
    provider: ProviderSource,
    signal?: AbortSignal,
  ): Promise<AvailableVersions> {
    const { body } = await this.#get(provider, 'index.json', signal, () => notFound(provider));
    return {
      versions: validVersions(entriesOf(body, 'versions').map(([text]) => text)),
      warnings: [],
    };
  }

  async packageMeta(
    provider: ProviderSource,
    version: string,
    platform: Platform,
    signal?: AbortSignal,
  ): Promise<PackageMeta> {
    const { body, url } = await this.#get(provider, `${version}.json`, signal, () =>
      this.#failed(
        provider,
        `provider mirror does not have archive index for previously-reported ${provider.text} version ${version}`,
      ),
    );
    const archive = fieldOf(fieldOf(body, 'archives'), platformText(platform));
    if (archive === undefined) {
      throw platformNotSupported(provider, version, platform, this.#text);
    }
    const relative = stringOf(archive, 'url');
    let location: URL;
    try {
      location = new URL(relative, url);
    } catch (error) {
      throw this.#failed(
        provider,
        `provider mirror returned invalid URL ${quoteText(relative)}: ${userErrorText(error)}`,
      );
    }
    const hashes = listOf(archive, 'hashes').map(String);
    for (const hash of hashes) {
      if (hash.indexOf(':') > 0) continue;
      throw this.#failed(
        provider,
        `provider mirror returned invalid provider hash ${quoteText(hash)}: hash string must start with a scheme keyword followed by a colon`,
      );
    }
    const { downloadRetries, trustAllHashes } = this.#options;
    return {
      provider,
      version,
      platform,
      filename: location.pathname.slice(location.pathname.lastIndexOf('/') + 1),
      location: { kind: 'url', url: location.href, retries: downloadRetries },
      ...(hashes.length > 0 && { authentication: authenticateByHashes(hashes, trustAllHashes) }),
    };
  }

  async #get(
    provider: ProviderSource,
    file: string,
    signal: AbortSignal | undefined,
    missing: () => Error,
  ): Promise<{ body: unknown; url: string }> {
    const { services, url } = this.#options;
    const { hostname, namespace, type } = provider;
    const target = new URL(`${asciiHost(hostname)}/${namespace}/${type}/${file}`, url).href;
    let answer: HttpAnswer;
    try {
      const token = await this.#token();
      answer = await services.request(target, { token, signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#failed(provider, userErrorText(error), error);
    }
    if (answer.status === 200) {
      return { body: await this.#readJson(provider, answer), url: answer.url };
    }
    await discardBody(answer);
    switch (answer.status) {
      case 404:
        throw missing();
      case 401:
      case 403:
        throw unauthorized(new URL(answer.url).host, true);
      default:
        throw this.#failed(provider, `server returned unsuccessful status ${answer.status}`);
    }
  }

  async #token(): Promise<string | undefined> {
    const { services, url } = this.#options;
    const hostname = parseHostname(domainToUnicode(url.hostname) + portOf(url));
    if (typeof hostname !== 'string') {
      throw new Error(
        `failed to determine request credentials: invalid provider mirror base URL ${this.#text}: ${hostname.error}`,
      );
    }
    try {
      return await services.token(hostname);
    } catch (error) {
      throw new Error(`failed to determine request credentials: ${userErrorText(error)}`, {
        cause: error,
      });
    }
  }

  async #readJson(provider: ProviderSource, answer: HttpAnswer): Promise<unknown> {
    const type = answer.headers['content-type'] ?? '';
    const media = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (media !== 'application/json') {
      await discardBody(answer);
      const reason = media === '' ? 'mime: no media type' : 'must be application/json';
      throw this.#failed(provider, `response has invalid Content-Type: ${reason}`);
    }
    try {
      return parsePlainJson(await bodyText(answer));
    } catch (error) {
      throw this.#failed(
        provider,
        `invalid response content from mirror server: ${userErrorText(error)}`,
        error,
      );
    }
  }

  #failed(provider: ProviderSource, reason: string, cause?: unknown): Error {
    return queryFailed(provider, reason, this.#text, cause);
  }
}

function portOf({ port }: URL): string {
  return port === '' ? '' : `:${port}`;
}

function asciiHost(hostname: string): string {
  const [name = '', port] = hostname.split(':');
  const ascii = domainToASCII(name);
  return `${ascii === '' ? name : ascii}${port === undefined ? '' : `:${port}`}`;
}
