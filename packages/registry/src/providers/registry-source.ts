import { ProviderSource } from '@terrane/addresses';
import { parsePlainJson, quoteText } from '@terrane/cty';
import { bodyBytes, bodyText, type HttpAnswer, discardBody, userErrorText } from '@terrane/host';
import { requireEncrypted } from '../discovery/credential-origin.ts';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import {
  type ServiceHost,
  ServiceNotProvided,
  ServiceVersionNotSupported,
} from '../discovery/service-host.ts';
import { statusText } from '../discovery/status-text.ts';
import { allowsVersion, parseProviderConstraints } from '../versions/provider-constraints.ts';
import { comparePrecedence, parseVersion, type Version } from '../versions/version.ts';
import { entriesOf, fieldOf, listOf, stringOf } from '../json-fields.ts';
import type { AvailableVersions, PackageMeta, PackageSource } from './package-source.ts';
import { parsePlatform, type Platform, platformText } from './platform.ts';
import { authenticateRelease, type RegistryPackages } from './release-authentication.ts';
import type { SigningKey } from './signature.ts';
import {
  noRegistry,
  notKnown,
  platformNotSupported,
  protocolNotSupported,
  queryFailed,
  unauthorized,
  unreachable,
} from './source-error.ts';

/** Options of a registry source. */
export interface RegistrySourceOptions {
  readonly services: ServiceDirectory;
  /** returns the host that serves a provider; by default the one of its address */
  readonly hostOf?: (provider: ProviderSource) => string;
  /** the maximum number of download retries */
  readonly downloadRetries?: number | undefined;
}

interface Registry {
  readonly hostname: string;
  readonly url: URL;
  readonly token: string | undefined;
}

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Packages of the registries that providers' addresses name, by Terraform's provider registry protocol. */
export class RegistrySource implements PackageSource {
  readonly #services: ServiceDirectory;
  readonly #hostOf: (provider: ProviderSource) => string;
  readonly #retries: number | undefined;
  readonly #versions: Map<ProviderSource, Promise<RawVersions>> = new Map();

  constructor({ services, hostOf, downloadRetries }: RegistrySourceOptions) {
    this.#services = services;
    this.#hostOf = hostOf ?? (({ hostname }) => hostname);
    this.#retries = downloadRetries;
  }

  describe(provider: ProviderSource): string {
    return `registry ${this.#hostOf(provider)}`;
  }

  async availableVersions(
    provider: ProviderSource,
    signal?: AbortSignal,
  ): Promise<AvailableVersions> {
    const { protocols, warnings } = await this.#rawVersions(provider, signal);
    return { versions: sortedVersions(provider, [...protocols.keys()]), warnings };
  }

  async packageMeta(
    provider: ProviderSource,
    version: string,
    platform: Platform,
    signal?: AbortSignal,
  ): Promise<PackageMeta> {
    const registry = await this.#registry(provider, signal);
    const { namespace, type } = provider;
    const path = `${namespace}/${type}/${version}/download/${platform.os}/${platform.arch}`;
    const answer = await this.#get(registry, provider, path, signal, () =>
      platformNotSupported(provider, version, platform),
    );
    const body = await readJson(provider, answer);
    await this.#checkProtocols(provider, version, listOf(body, 'protocols'), signal);
    const os = stringOf(body, 'os');
    const arch = stringOf(body, 'arch');
    if (os !== platform.os || arch !== platform.arch) {
      throw new Error(
        `registry response to request for ${platformText(platform)} archive has incorrect target ${platformText({ os, arch })}`,
      );
    }
    const url = resolveUrl(answer, stringOf(body, 'download_url'), 'download URL');
    const sum = stringOf(body, 'shasum');
    if (!/^[0-9a-fA-F]{64}$/.test(sum)) {
      throw queryFailed(
        provider,
        `registry response includes invalid SHA256 hash ${quoteText(sum)}: ${sumProblem(sum)}`,
      );
    }
    const sumsUrl = resolveUrl(answer, stringOf(body, 'shasums_url'), 'SHASUMS URL');
    const document = await this.#file(provider, sumsUrl, signal, 'authentication checksums');
    const signatureUrl = resolveUrl(
      answer,
      stringOf(body, 'shasums_signature_url'),
      'SHASUMS signature URL',
    );
    const signature = await this.#file(provider, signatureUrl, signal, 'cryptographic signature');
    const filename = stringOf(body, 'filename');
    return {
      provider,
      version,
      platform,
      filename,
      location: { kind: 'url', url: url.href, retries: this.#retries },
      standIn: registry.hostname === provider.hostname ? undefined : registry.hostname,
      authentication: authenticateRelease({
        document,
        signature,
        filename,
        sum: sum.toLowerCase(),
        keys: signingKeys(body),
        packages: registryPackages(provider, body),
        platform,
        registry: registry.hostname,
        environment: this.#services.host.environment,
        clock: this.#services.host.clock,
      }),
    };
  }

  async legacyNamespace(
    provider: ProviderSource,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const registry = await this.#registry(provider, signal);
    const answer = await this.#get(registry, provider, `-/${provider.type}/versions`, signal, () =>
      notKnown(provider, registry.hostname),
    );
    const body = await readJson(provider, answer);
    const ids = [stringOf(body, 'moved_to'), stringOf(body, 'id')].filter((id) => id !== '');
    const sources = ids.map((id) => ProviderSource.parse(id));
    // A malformed or unrelated response invalidates the result.
    const named = sources.flatMap((each) =>
      each instanceof ProviderSource && each.type === provider.type ? [each] : [],
    );
    return named.length === sources.length ? named[0]?.namespace : undefined;
  }

  #rawVersions(provider: ProviderSource, signal: AbortSignal | undefined): Promise<RawVersions> {
    let existing = this.#versions.get(provider);
    if (existing === undefined) {
      existing = this.#askVersions(provider, signal);
      this.#versions.set(provider, existing);
    }
    return existing;
  }

  async #askVersions(
    provider: ProviderSource,
    signal: AbortSignal | undefined,
  ): Promise<RawVersions> {
    const registry = await this.#registry(provider, signal);
    const { namespace, type } = provider;
    const answer = await this.#get(
      registry,
      provider,
      `${namespace}/${type}/versions`,
      signal,
      () => notKnown(provider, registry.hostname),
    );
    const body = await readJson(provider, answer);
    const protocols = new Map(
      listOf(body, 'versions').map((each) => [
        stringOf(each, 'version'),
        listOf(each, 'protocols').map(String),
      ]),
    );
    return { protocols, warnings: listOf(body, 'warnings').map(String) };
  }

  async #checkProtocols(
    provider: ProviderSource,
    version: string,
    protocolTexts: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const protocols = protocolTexts.map((each) => {
      const parsed = parseVersion(String(each));
      if (!('error' in parsed)) return parsed;
      throw queryFailed(
        provider,
        `registry response includes invalid version string ${quoteText(String(each))}: ${parsed.error}`,
      );
    });
    if (protocols.length === 0 || protocols.some(isSpoken)) return;
    const { protocols: all } = await this.#rawVersions(provider, signal);
    for (const each of sortedVersions(provider, [...all.keys()]).reverse()) {
      for (const text of all.get(each.text) ?? []) {
        const protocol = parseVersion(text);
        if ('error' in protocol) {
          throw queryFailed(
            provider,
            `registry response includes invalid protocol string ${quoteText(text)}: ${protocol.error}`,
          );
        }
        if (isSpoken(protocol)) throw protocolNotSupported(provider, version, each.text);
      }
    }
    throw protocolNotSupported(provider, version, undefined);
  }

  async #registry(provider: ProviderSource, signal: AbortSignal | undefined): Promise<Registry> {
    const hostname = this.#hostOf(provider);
    let host: ServiceHost;
    try {
      host = await this.#services.discover(hostname, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw unreachable(hostname, userErrorText(error), error);
    }
    let url: URL;
    try {
      url = host.serviceUrl('providers.v1');
    } catch (error) {
      if (error instanceof ServiceNotProvided) throw noRegistry(hostname, false);
      if (error instanceof ServiceVersionNotSupported) throw noRegistry(hostname, true);
      throw unreachable(hostname, userErrorText(error), error);
    }
    let token: string | undefined;
    try {
      token = await this.#services.token(hostname);
    } catch (error) {
      throw new Error(`failed to retrieve credentials for ${hostname}: ${userErrorText(error)}`, {
        cause: error,
      });
    }
    if (token !== undefined) requireEncrypted(hostname, url);
    return { hostname, url, token };
  }

  async #get(
    { hostname, url, token }: Registry,
    provider: ProviderSource,
    path: string,
    signal: AbortSignal | undefined,
    missing: () => Error,
  ): Promise<HttpAnswer> {
    let answer: HttpAnswer;
    try {
      const target = new URL(path, url).href;
      answer = await this.#services.request(target, { token, signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw queryFailed(provider, userErrorText(error), undefined, error);
    }
    if (answer.status === 200) return answer;
    await discardBody(answer);
    switch (answer.status) {
      case 404:
        throw missing();
      case 401:
      case 403:
        throw unauthorized(hostname, token !== undefined);
      default:
        throw queryFailed(provider, statusText(answer.status));
    }
  }

  async #file(
    provider: ProviderSource,
    url: URL,
    signal: AbortSignal | undefined,
    subject: string,
  ): Promise<Uint8Array> {
    const fail = (reason: string, cause?: unknown): Error =>
      queryFailed(
        provider,
        `failed to retrieve ${subject} for provider: ${reason}`,
        undefined,
        cause,
      );
    try {
      const answer = await this.#services.request(url.href, { signal });
      if (answer.status === 200) return await bodyBytes(answer, MAX_DOCUMENT_BYTES);
      await discardBody(answer);
      throw new Error(`${statusText(answer.status)} returned from ${new URL(answer.url).host}`);
    } catch (error) {
      signal?.throwIfAborted();
      throw fail(userErrorText(error), error);
    }
  }
}

/** Protocols by version, as the registry writes them. */
interface RawVersions {
  readonly protocols: ReadonlyMap<string, readonly string[]>;
  readonly warnings: readonly string[];
}

/** The supported plugin protocols. */
const SPOKEN = parseProviderConstraints('>= 5, <7');

function isSpoken(protocol: Version): boolean {
  return !('error' in SPOKEN) && allowsVersion(SPOKEN, protocol);
}

function sortedVersions(provider: ProviderSource, texts: readonly string[]): Version[] {
  const versions = texts.map((text) => {
    const version = parseVersion(text);
    if (!('error' in version)) return version;
    throw queryFailed(
      provider,
      `registry response includes invalid version string ${quoteText(text)}: ${version.error}`,
    );
  });
  return versions.sort(comparePrecedence);
}

async function readJson(provider: ProviderSource, answer: HttpAnswer): Promise<unknown> {
  try {
    return parsePlainJson(await bodyText(answer, MAX_DOCUMENT_BYTES));
  } catch (error) {
    throw queryFailed(provider, userErrorText(error), undefined, error);
  }
}

function resolveUrl(answer: HttpAnswer, text: string, subject: string): URL {
  const invalid = `registry response includes invalid ${subject}`;
  let url: URL;
  try {
    url = new URL(text, answer.url);
  } catch (error) {
    throw new Error(`${invalid}: ${userErrorText(error)}`, { cause: error });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${invalid}: must use http or https scheme`);
  }
  return url;
}

function sumProblem(sum: string): string {
  // Go prints no error for a wrong length.
  if (sum.length !== 64) return '%!s(<nil>)';
  const bad = /[^0-9a-fA-F]/u.exec(sum)?.[0] ?? '';
  const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `encoding/hex: invalid byte: U+${code} '${bad}'`;
}

/** Decodes the hashes of packages for all platforms from a response of OpenTofu's registry. */
function registryPackages(provider: ProviderSource, body: unknown): RegistryPackages {
  const packages = new Map<string, { hashes: readonly string[]; size: number }>();
  for (const [name, entry] of entriesOf(body, 'packages')) {
    const platform = parsePlatform(name);
    if ('error' in platform) {
      throw queryFailed(
        provider,
        `registry response includes invalid package platform ${quoteText(name)}: ${platform.error}`,
      );
    }
    const hashes = listOf(entry, 'hashes').map(String);
    for (const hash of hashes) {
      if (hash.indexOf(':') > 0) continue;
      throw queryFailed(
        provider,
        `registry response includes invalid package hash ${quoteText(hash)}: hash string must start with a scheme keyword followed by a colon`,
      );
    }
    packages.set(name, { hashes, size: Number(fieldOf(entry, 'package_size') ?? 0) });
  }
  return packages;
}

function signingKeys(body: unknown): SigningKey[] {
  return listOf(fieldOf(body, 'signing_keys'), 'gpg_public_keys').map((key) => ({
    asciiArmor: stringOf(key, 'ascii_armor'),
    trustSignature: stringOf(key, 'trust_signature'),
  }));
}
