import type { Services } from '../services/services.ts';

const VALID_MS = 25 * 60 * 60 * 1000;

/** The beginning of the paths of signed URLs. The signature is in the path, as clients replace the query of logs. */
export const SIGNED_PREFIX = '/_signed/:signature';

/** Returns the URL of a path that is accessible without a token for 25 hours, with one method. */
export function signedUrl(
  { sealing, clock, baseUrl }: Pick<Services, 'sealing' | 'clock' | 'baseUrl'>,
  method: 'GET' | 'PUT',
  path: string,
): string {
  const expires = String(clock.now().getTime() + VALID_MS);
  const signature = sealing.sign(`${method} ${path} ${expires}`);
  return `${baseUrl}/_signed/${expires}.${signature}${path}`;
}

/** Returns true if the URL was signed by this server for the method, and has not expired. */
export function isSignedUrl(
  { sealing, clock }: Pick<Services, 'sealing' | 'clock'>,
  method: string,
  { pathname }: URL,
): boolean {
  const match = /^\/_signed\/(\d+)\.([\w-]+)(\/.*)$/.exec(pathname);
  if (match === null) return false;
  const [, expires = '', signature = '', path = ''] = match;
  return (
    Number(expires) > clock.now().getTime() &&
    sealing.isSigned(`${method} ${path} ${expires}`, signature)
  );
}
