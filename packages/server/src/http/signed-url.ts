import type { Services } from '../services/services.ts';

/** How long a URL for an upload or a download is valid. */
export const TRANSFER_MS: number = 15 * 60 * 1000;
/** How long the URL of a log is valid at most: clients follow a log with one URL until it ends. */
export const LOG_MS: number = 25 * 60 * 60 * 1000;

/** The beginning of the paths of signed URLs. The signature is in the path, as clients replace the query of logs. */
export const SIGNED_PREFIX = '/_signed/:signature';

/**
 * Returns the URL of a path that is accessible without a token, with one method, for a time. It names who obtained it,
 * for the audit log.
 */
export function signedUrl(
  { sealing, clock, baseUrl }: Pick<Services, 'sealing' | 'clock' | 'baseUrl'>,
  method: 'GET' | 'PUT',
  path: string,
  { actor = 'anonymous', validMs = TRANSFER_MS }: SignedUrlOptions = {},
): string {
  const expires = String(clock.now().getTime() + validMs);
  const signature = sealing.sign(`${method} ${path} ${expires} ${actor}`);
  return `${baseUrl}/_signed/${expires}.${actor}.${signature}${path}`;
}

/** Options of a signed URL. */
export interface SignedUrlOptions {
  /** the ID of the principal that obtains the URL */
  readonly actor?: string;
  readonly validMs?: number;
}

/** Returns the ID of the principal that obtained a signed URL, and when the URL expires. */
export function partsOfSignedUrl({ pathname }: Pick<URL, 'pathname'>): {
  readonly actor: string;
  readonly expiresAt: number;
} {
  const [, expires = '0', actor = ''] = SIGNED_PATH.exec(pathname) ?? [];
  return { actor, expiresAt: Number(expires) };
}

const SIGNED_PATH = /^\/_signed\/(\d{1,16})\.([\w-]{1,64})\.([\w-]{1,64})(\/.*)$/;

/** Returns true if the URL was signed by this server for the method, and has not expired. */
export function isSignedUrl(
  { sealing, clock }: Pick<Services, 'sealing' | 'clock'>,
  method: string,
  { pathname }: URL,
): boolean {
  const match = SIGNED_PATH.exec(pathname);
  if (match === null) return false;
  const [, expires = '', actor = '', signature = '', path = ''] = match;
  return (
    Number(expires) > clock.now().getTime() &&
    sealing.isSigned(`${method} ${path} ${expires} ${actor}`, signature)
  );
}
