import { parsePlainJson, quoteText } from '@terrane/cty';
import { MAX_ARCHIVE_BYTES } from '../archive-limits.ts';
import { bodyBytes, bodyText, discardBody, userErrorText } from '@terrane/host';
import { requireEncrypted, requireSameOrigin } from '../discovery/credential-origin.ts';
import { registryRequest } from '../discovery/registry-request.ts';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import { statusText } from '../discovery/status-text.ts';

/** A module of a registry. */
export interface RegistryModule {
  /** the host in the address */
  readonly host: string;
  /** the host that serves the module */
  readonly servedBy: string;
  readonly namespace: string;
  readonly name: string;
  readonly system: string;
}

/** The location of a module's package. */
export type ModuleLocation =
  /** a source address */
  | { readonly kind: 'address'; readonly address: string }
  /** a URL of the registry's own, with the token to be shown there */
  | { readonly kind: 'direct'; readonly url: string; readonly token: string | undefined };

/** A registry has no such module. */
export class ModuleNotFound extends Error {
  constructor(module: string) {
    super(`module ${module} not found`);
    this.name = 'ModuleNotFound';
  }
}

/** A client of the module registry protocol `modules.v1`. Each module is queried once. */
export class ModuleRegistry {
  readonly #services: ServiceDirectory;
  readonly #versions: Map<string, Promise<readonly string[] | undefined>> = new Map();
  readonly #locations: Map<string, Promise<ModuleLocation>> = new Map();

  constructor(services: ServiceDirectory) {
    this.#services = services;
  }

  /**
   * Returns all versions of a module in the registry's order; undefined if the response does not contain it. Rejects
   * with `ModuleNotFound` or the error of the request.
   */
  versions(module: RegistryModule, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const key = `${module.servedBy} ${keyOf(module)}`;
    let existing = this.#versions.get(key);
    if (existing === undefined) {
      existing = this.#askVersions(module, signal);
      this.#versions.set(key, existing);
    }
    return existing;
  }

  /** Returns the location of the package of a version. Rejects with the error of the request. */
  location(module: RegistryModule, version: string, signal: AbortSignal): Promise<ModuleLocation> {
    const key = `${module.servedBy} ${keyOf(module)} ${version}`;
    let existing = this.#locations.get(key);
    if (existing === undefined) {
      existing = this.#askLocation(module, version, signal);
      this.#locations.set(key, existing);
    }
    return existing;
  }

  /** The archive at a direct location. */
  async archive(
    { url, token }: Extract<ModuleLocation, { kind: 'direct' }>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const headers = { accept: 'application/zip, application/x-tar; *;q=0.1' };
    const options = { token, signal, headers, isDownload: true };
    const answer = await registryRequest(this.#services.host, url, options);
    if (answer.status >= 200 && answer.status < 300)
      return await bodyBytes(answer, MAX_ARCHIVE_BYTES);
    await discardBody(answer);
    throw new Error(
      `failed to download module package: server returned ${statusText(answer.status)}`,
    );
  }

  async #askVersions(
    module: RegistryModule,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const url = await this.#url(module, 'versions', signal);
    const token = await this.#token(module, url);
    const answer = await registryRequest(this.#services.host, url, { token, signal });
    if (answer.status !== 200) await discardBody(answer);
    if (answer.status === 404) throw new ModuleNotFound(keyOf(module));
    if (answer.status !== 200) {
      throw new Error(`error looking up module versions: ${statusText(answer.status)}`);
    }
    return versionsOf(parsePlainJson(await bodyText(answer)));
  }

  async #askLocation(
    module: RegistryModule,
    version: string,
    signal: AbortSignal,
  ): Promise<ModuleLocation> {
    const url = await this.#url(module, `${version}/download`, signal);
    const token = await this.#token(module, url);
    const answer = await registryRequest(this.#services.host, url, { token, signal });
    const body = await bodyText(answer);
    const name = quoteText(keyOf(module));
    if (answer.status === 404) {
      throw new Error(`module ${name} version ${quoteText(version)} not found`);
    }
    const responseText = `${statusText(answer.status)} resp:${body}`;
    if (answer.status !== 200 && answer.status !== 204) {
      throw new Error(`error getting download location for ${name}: ${responseText}`);
    }
    const location = answer.status === 200 ? locationIn(body) : undefined;
    if (location?.credentials !== undefined) {
      const direct = directUrl(location.location, answer.url);
      if (!location.credentials || token === undefined) {
        return { kind: 'direct', url: direct, token: undefined };
      }
      requireSameOrigin(module.servedBy, new URL(url), new URL(direct));
      return { kind: 'direct', url: direct, token };
    }
    // A registry that supports both formats returns the same location in both.
    const header = answer.headers['x-terraform-get'] ?? '';
    const address = location === undefined || location.location === '' ? header : location.location;
    if (address === '') throw new Error(`failed to get download URL for ${name}: ${responseText}`);
    if (!/^\.{0,2}\//.test(address)) return { kind: 'address', address };
    return { kind: 'address', address: resolveAddress(address, url, name) };
  }

  async #url(module: RegistryModule, path: string, signal: AbortSignal): Promise<string> {
    const host = await this.#services.discover(module.servedBy, signal);
    const service = host.serviceUrl('modules.v1');
    if (!service.pathname.endsWith('/')) service.pathname += '/';
    const { namespace, name, system } = module;
    return new URL(`${namespace}/${name}/${system}/${path}`, service).href;
  }

  /**
   * Returns the token to send to a URL of the registry; undefined if none is configured or its source fails.
   *
   * @throws CredentialsWithheld
   */
  async #token({ servedBy }: RegistryModule, url: string): Promise<string | undefined> {
    const token = await this.#services.token(servedBy).catch(() => undefined);
    if (token !== undefined) requireEncrypted(servedBy, new URL(url));
    return token;
  }
}

function keyOf({ host, namespace, name, system }: RegistryModule): string {
  return `${host}/${namespace}/${name}/${system}`;
}

function versionsOf(answer: unknown): readonly string[] | undefined {
  const modules = listIn(answer, 'modules');
  if (modules.length === 0) return undefined;
  return listIn(modules[0], 'versions').flatMap((entry) => {
    const version = fieldOf(entry, 'version');
    return typeof version === 'string' ? [version] : [];
  });
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const member = fieldOf(value, name);
  return Array.isArray(member) ? member : [];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

/** Parses the response of OpenTofu's protocol; undefined for other bodies. */
function locationIn(
  body: string,
): { readonly location: string; readonly credentials: boolean | undefined } | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const location = fieldOf(parsed, 'location');
    const credentials = fieldOf(parsed, 'use_registry_credentials');
    return {
      location: typeof location === 'string' ? location : '',
      credentials: typeof credentials === 'boolean' ? credentials : undefined,
    };
  } catch {
    return undefined;
  }
}

function directUrl(location: string, base: string): string {
  let url: URL;
  try {
    url = new URL(location, base);
  } catch (error) {
    throw new Error(`registry returned an invalid package URL: ${userErrorText(error)}`, {
      cause: error,
    });
  }
  const invalid = `registry returned invalid package URL ${quoteText(location)}`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${invalid}: must be http or https URL`);
  }
  if (url.hash !== '') throw new Error(`${invalid}: must not include fragment part`);
  return url.href;
}

function resolveAddress(address: string, base: string, name: string): string {
  // The subdirectory after the two slashes is not part of the URL's path, which would lose one of them.
  const at = address.indexOf('//', 1);
  const query = address.indexOf('?');
  const split = at !== -1 && (query === -1 || at < query) ? at : undefined;
  try {
    if (split === undefined) return new URL(address, base).href;
    const rest = address.slice(split);
    const mark = rest.indexOf('?');
    const inside = mark === -1 ? rest : rest.slice(0, mark);
    const url = new URL(address.slice(0, split), base);
    return `${url.href}${inside}${mark === -1 ? '' : rest.slice(mark)}`;
  } catch (error) {
    throw new Error(`invalid relative URL for ${name}: ${userErrorText(error)}`, { cause: error });
  }
}
