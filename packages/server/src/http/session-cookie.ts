import type { Services } from '../services/services.ts';

/** The hidden field of forms with the token against forged requests. */
export const FORM_TOKEN = 'form-token';

const MAX_AGE_SECONDS = 12 * 60 * 60;

type Part = Pick<Services, 'sealing' | 'baseUrl'>;

const isSecure = ({ baseUrl }: Pick<Services, 'baseUrl'>): boolean => baseUrl.startsWith('https:');

/** The name of the cookie. With TLS, its prefix makes browsers accept it from this host over HTTPS only. */
const cookieName = (services: Pick<Services, 'baseUrl'>): string =>
  isSecure(services) ? '__Host-terrane-session' : 'terrane-session';

function cookie(services: Part, value: string, maxAge: number): string {
  const secure = isSecure(services) ? ' Secure;' : '';
  return `${cookieName(services)}=${value}; Path=/; HttpOnly;${secure} SameSite=Strict; Max-Age=${maxAge}`;
}

/** Returns the cookie of a session, which contains its token, encrypted. */
export function sessionCookie(services: Part, token: string): string {
  const value = services.sealing.seal(token, 'session').toString('base64url');
  return cookie(services, value, MAX_AGE_SECONDS);
}

/** Returns the cookie that ends a session in the browser. */
export const endedSessionCookie = (services: Part): string => cookie(services, '', 0);

/** Returns the token in the session cookie; undefined without a valid cookie. */
export function sessionToken(services: Part, cookies: string): string | undefined {
  const prefix = `${cookieName(services)}=`;
  const value = cookies
    .split(/;\s*/)
    .find((each) => each.startsWith(prefix))
    ?.slice(prefix.length);
  if (value === undefined || value === '') return undefined;
  try {
    return services.sealing.open(Buffer.from(value, 'base64url'), 'session').toString('utf8');
  } catch {
    return undefined;
  }
}

/** Returns the token of the forms of a session, which no other site can know. */
export function formToken({ sealing }: Pick<Services, 'sealing'>, token: string): string {
  return sealing.sign(`form ${token}`);
}

export function isFormToken(
  { sealing }: Pick<Services, 'sealing'>,
  token: string,
  text: string,
): boolean {
  return sealing.isSigned(`form ${token}`, text);
}

/** Returns true if a browser sent the request from a page of this server. Every current browser says so. */
export function isSameOrigin({ baseUrl }: Pick<Services, 'baseUrl'>, headers: Headers): boolean {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')];
  if (site === null && origin === null) return false;
  if (site !== null && site !== 'same-origin') return false;
  return origin === null || origin === new URL(baseUrl).origin;
}
