import { requireEncrypted } from '../discovery/credential-origin.ts';
import { MAX_ARCHIVE_BYTES } from '../archive-limits.ts';
import { bodyBytes, bodyText, type Host, type HttpAnswer, discardBody } from '@terrane/host';
import { createHash } from 'node:crypto';
import { requestErrorText } from '../discovery/network-error.ts';
import { requestHeaders } from '../discovery/registry-request.ts';
import { statusText } from '../discovery/status-text.ts';

/** Credentials of an OCI registry: user name and password, a refresh token, or an access token. */
export type OciCredentials =
  | { readonly username: string; readonly password: string }
  | { readonly token: string }
  | { readonly accessToken: string };

/** Dependencies of access to an OCI registry. */
export interface OciAccess {
  readonly host: Pick<Host, 'http' | 'environment'>;
  readonly signal: AbortSignal;
  readonly ociCredentials?:
    | ((registry: string, repository: string) => Promise<OciCredentials | undefined>)
    | undefined;
}

/** A failed request to an OCI registry; the message has the request and the reason. */
class OciFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OciFailed';
  }
}

/** A repository of an OCI registry, read by the distribution protocol over https. */
export class OciRepository {
  readonly #access: OciAccess;
  readonly #registry: string;
  readonly #repository: string;
  /** the last accepted authorization */
  #authorization: string | undefined;

  constructor(access: OciAccess, registry: string, repository: string) {
    this.#access = access;
    this.#registry = registry;
    this.#repository = repository;
  }

  /** Returns the manifest of a tag or digest, of the given type, verified by its digest. Throws `OciFailed`. */
  async manifest(
    reference: string,
    type: string,
    limit: number,
    kind: 'tag' | 'digest',
  ): Promise<Uint8Array> {
    const answer = await this.#ask(`manifests/${reference}`, type, `resolving ${kind}: `);
    if (answer.status !== 200) {
      await discardBody(answer);
      const separator = kind === 'tag' ? ':' : '@';
      const place = `${this.#registry}/${this.#repository}${separator}${reference}`;
      const reason = answer.status === 404 ? `${place}: not found` : this.#refusal(answer);
      throw new OciFailed(`resolving ${kind}: ${reason}`);
    }
    const media = (answer.headers['content-type'] ?? '').split(';')[0]?.trim();
    if (media !== type) {
      await discardBody(answer);
      throw new OciFailed('selected object is not an OCI image manifest');
    }
    const bytes = await bodyBytes(answer, limit);
    const digest = kind === 'digest' ? reference : answer.headers['docker-content-digest'];
    if (digest !== undefined && !hasDigest(bytes, digest)) {
      throw new OciFailed(`manifest content does not match digest ${digest}`);
    }
    return bytes;
  }

  /**
   * Requests a path below the repository (`tags/list`), authenticating on demand, or the URL of an earlier response.
   * Throws `OciFailed` if there is no response.
   */
  async get(
    path: string,
    accept: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    return await this.#ask(path, accept, '', more);
  }

  /** The bytes of a blob, not yet checked against its digest. Throws `OciFailed`. */
  async blob(digest: string): Promise<Uint8Array> {
    const answer = await this.#ask(`blobs/${digest}`, '*/*', '');
    if (answer.status === 200) return await bodyBytes(answer, MAX_ARCHIVE_BYTES);
    await discardBody(answer);
    const place = `${this.#registry}/${this.#repository}@${digest}`;
    throw new OciFailed(answer.status === 404 ? `${place}: not found` : this.#refusal(answer));
  }

  #refusal({ status, url }: HttpAnswer): string {
    return `GET "${url}": response status code ${statusText(status).replace(' ', ': ')}`;
  }

  async #ask(
    path: string,
    accept: string,
    context: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    const url = new URL(path, `https://${this.#registry}/v2/${this.#repository}/`).href;
    const answer = await this.#request(url, accept, context, more);
    if (answer.status !== 401) return answer;
    await discardBody(answer);
    const challenge = answer.headers['www-authenticate'] ?? '';
    this.#authorization = await this.#authorize(challenge, context);
    return this.#authorization === undefined
      ? answer
      : await this.#request(url, accept, context, more);
  }

  async #request(
    url: string,
    accept: string,
    context: string,
    more: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer> {
    const { host, signal } = this.#access;
    const authorization = this.#authorization;
    const headers = {
      ...requestHeaders(host.environment),
      accept,
      ...(authorization === undefined ? {} : { authorization }),
      ...more,
    };
    try {
      return await host.http.request(url, { headers, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new OciFailed(`${context}${requestErrorText('GET', url, error)}`, error);
    }
  }

  /** Returns the authorization for a challenge: the login itself, or a token issued by its realm. */
  async #authorize(challenge: string, context: string): Promise<string | undefined> {
    const { host, signal, ociCredentials } = this.#access;
    const login = await ociCredentials?.(this.#registry, this.#repository);
    const scheme = /^\s*([A-Za-z]+)/.exec(challenge)?.[1]?.toLowerCase();
    const basic =
      login !== undefined && 'username' in login
        ? `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
        : undefined;
    if (scheme === 'basic') return basic;
    if (login !== undefined && 'accessToken' in login) return `Bearer ${login.accessToken}`;
    if (scheme !== 'bearer') return undefined;
    const parameters = new Map<string, string>();
    for (const [, name = '', value = ''] of challenge.matchAll(/([A-Za-z_]+)="([^"]*)"/g)) {
      parameters.set(name.toLowerCase(), value);
    }
    const realm = parameters.get('realm');
    if (realm === undefined) return undefined;
    const url = new URL(realm);
    const service = parameters.get('service');
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', parameters.get('scope') ?? `repository:${this.#repository}:pull`);
    const refresh = login !== undefined && 'token' in login ? login.token : undefined;
    if (refresh !== undefined || basic !== undefined) requireEncrypted(this.#registry, url);
    const answer =
      refresh === undefined
        ? await host.http.request(url.href, {
            signal,
            headers: {
              ...requestHeaders(host.environment),
              ...(basic === undefined ? {} : { authorization: basic }),
            },
          })
        : await host.http.request(realm, {
            method: 'POST',
            signal,
            headers: {
              ...requestHeaders(host.environment),
              'content-type': 'application/x-www-form-urlencoded',
            },
            body: new URLSearchParams({
              grant_type: 'refresh_token',
              service: service ?? '',
              scope: url.searchParams.get('scope') ?? '',
              client_id: 'terrane',
              refresh_token: refresh,
            }).toString(),
          });
    const text = await bodyText(answer);
    if (answer.status !== 200) {
      throw new OciFailed(
        `${context}GET "${url.origin}${url.pathname}": response status code ${statusText(answer.status).replace(' ', ': ')}`,
      );
    }
    return bearerOf(text);
  }
}

function bearerOf(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const fields = new Map<string, unknown>(Object.entries(parsed));
    const token = fields.get('access_token') ?? fields.get('token');
    return typeof token === 'string' ? `Bearer ${token}` : undefined;
  } catch {
    return undefined;
  }
}

function hasDigest(bytes: Uint8Array, digest: string): boolean {
  const [algorithm = '', value = ''] = digest.split(':');
  if (!['sha256', 'sha384', 'sha512'].includes(algorithm)) return false;
  return createHash(algorithm).update(bytes).digest('hex') === value;
}
