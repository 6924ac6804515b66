import type { Services } from '../services/services.ts';

/** The cookie of the web interface. The prefix makes browsers accept it from this host over HTTPS only. */
export const SESSION_COOKIE = '__Host-terrane-session';
export const CSRF_HEADER = 'x-terrane-csrf';

/** Returns the value of the cookie, which contains the token of the session, encrypted. */
export function sessionCookie({ sealing }: Pick<Services, 'sealing'>, token: string): string {
  const value = sealing.seal(token, 'session').toString('base64url');
  return `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200`;
}

export const ENDED_SESSION: string = `${SESSION_COOKIE}=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0`;

/** Returns the token against forged requests, which belongs to one session. */
export function csrfToken({ sealing }: Pick<Services, 'sealing'>, token: string): string {
  return sealing.sign(`csrf ${token}`);
}

/**
 * Returns the token in the session cookie; undefined if the cookie is invalid. A request that changes something also
 * has to come from this site: with the header {@link CSRF_HEADER}, or as a form of the same origin, whose hidden field
 * its handler verifies.
 */
export function sessionToken(
  services: Pick<Services, 'sealing' | 'baseUrl'>,
  cookies: string,
  headers: Headers,
  method: string,
): string | undefined {
  const value = cookies
    .split(/;\s*/)
    .find((each) => each.startsWith(`${SESSION_COOKIE}=`))
    ?.slice(SESSION_COOKIE.length + 1);
  if (value === undefined || value === '') return undefined;
  let token: string;
  try {
    token = services.sealing.open(Buffer.from(value, 'base64url'), 'session').toString('utf8');
  } catch {
    return undefined;
  }
  if (method === 'GET') return token;
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return undefined;
  const origin = headers.get('origin');
  if (origin !== null && origin !== services.baseUrl) return undefined;
  if (headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') === true) {
    return origin === null ? undefined : token;
  }
  const header = headers.get(CSRF_HEADER);
  return header !== null && services.sealing.isSigned(`csrf ${token}`, header) ? token : undefined;
}
