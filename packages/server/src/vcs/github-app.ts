import { createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { userErrorText } from '@terrane/host';
import { fields } from '../http/request.ts';
import type { Services } from '../services/services.ts';
import { apiRequest, type RepositoryAccess, textIn, type VcsRequest } from './provider.ts';

/** The credentials of a GitHub App. */
export interface GithubApp {
  /** the ID or the client ID */
  readonly id: string;
  /** the private key in PEM */
  readonly privateKey: string;
}

/** GitHub accepts tokens of at most ten minutes, and clocks may differ. */
const VALID = { before: 60, after: 540 };
/** How long before its end a token is replaced. */
const RESERVE_MS = 5 * 60_000;
const PREFIX = '{"githubApp":';

/** Encodes credentials for the place of an access token. */
export const encodeGithubApp = (githubApp: GithubApp): string => JSON.stringify({ githubApp });

/** Returns the credentials in the place of an access token; undefined for an access token. */
export function githubAppIn(text: string): GithubApp | undefined {
  // No access token begins like this.
  if (!text.startsWith(PREFIX)) return undefined;
  const { githubApp } = fields(JSON.parse(text));
  return { id: textIn(githubApp, 'id'), privateKey: textIn(githubApp, 'privateKey') };
}

/** Returns the reason why a private key cannot be used; undefined if it can. */
export function privateKeyProblem(pem: string): string | undefined {
  try {
    return keyOf(pem).asymmetricKeyType === 'rsa' ? undefined : 'is not an RSA key';
  } catch (error) {
    return `is not a private key in PEM: ${userErrorText(error)}`;
  }
}

const keyOf = (pem: string): KeyObject => createPrivateKey({ key: pem, format: 'pem' });

/** Returns a token with which an app authenticates as itself. */
function appToken({ id, privateKey }: GithubApp, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iat: seconds - VALID.before, exp: seconds + VALID.after, iss: id };
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(keyOf(privateKey), 'base64url')}`;
}

/** Returns a token of the installation of an app, for one repository. `key` identifies the credentials. */
export async function installationToken(
  { clock, issuedTokens }: Pick<Services, 'clock' | 'issuedTokens'>,
  key: string,
  app: GithubApp,
  { identifier, apiUrl }: Pick<RepositoryAccess, 'identifier' | 'apiUrl'>,
  send: (request: VcsRequest) => Promise<unknown>,
): Promise<string> {
  const now = clock.now();
  const cacheKey = JSON.stringify([key, app.id, apiUrl, identifier]);
  const existing = issuedTokens.get(cacheKey);
  if (existing !== undefined && existing.expiresAt - RESERVE_MS > now.getTime()) {
    return existing.token;
  }
  const access = { identifier, apiUrl, token: appToken(app, now) };
  const path = identifier.split('/').map(encodeURIComponent).join('/');
  const { id } = fields(await send(apiRequest(access, 'GET', `/repos/${path}/installation`)));
  if (typeof id !== 'number') {
    throw new Error(`The GitHub App has no installation for the repository ${identifier}.`);
  }
  const answer = await send(
    apiRequest(access, 'POST', `/app/installations/${id}/access_tokens`, {
      repositories: [identifier.split('/').at(-1)],
    }),
  );
  const token = textIn(answer, 'token');
  if (token === '') throw new Error('GitHub has returned no token for the installation.');
  for (const [other, { expiresAt }] of issuedTokens) {
    if (expiresAt <= now.getTime()) issuedTokens.delete(other);
  }
  const expiresAt = Date.parse(textIn(answer, 'expires_at'));
  issuedTokens.set(cacheKey, { token, expiresAt: Number.isNaN(expiresAt) ? 0 : expiresAt });
  return token;
}
