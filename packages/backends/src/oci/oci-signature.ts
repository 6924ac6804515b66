import { createHash, createSign, type KeyObject } from 'node:crypto';

/** Keys for signing requests to Oracle Cloud. */
export interface OciIdentity {
  /** `TENANCY/USER/FINGERPRINT`, or `ST$` with the token of a session */
  readonly keyId: string;
  readonly key: KeyObject;
}

/** A request before it is signed. */
export interface OciRequest {
  readonly method: string;
  readonly url: URL;
  /** names in lower case; requests with a body need `content-type` */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

const GENERAL = ['date', '(request-target)', 'host'] as const;
const OF_BODY = ['content-length', 'content-type', 'x-content-sha256'] as const;

/**
 * Returns the headers of a request with its signature
 * (https://docs.oracle.com/en-us/iaas/Content/API/Concepts/signingrequests.htm). `withHost` includes the host, which
 * the token service does not accept.
 */
export function signedOciHeaders(
  request: OciRequest,
  { keyId, key }: OciIdentity,
  now: Date,
  withHost: boolean = true,
): Readonly<Record<string, string>> {
  const { body } = request;
  const headers: Readonly<Record<string, string>> = {
    ...request.headers,
    date: now.toUTCString(),
    ...(body !== undefined && {
      'content-length': String(Buffer.byteLength(body)),
      'x-content-sha256': createHash('sha256').update(body).digest('base64'),
    }),
  };
  const { names, text } = ociSigningText({ ...request, headers }, withHost);
  const signature = createSign('RSA-SHA256').update(text).sign(key, 'base64');
  return {
    ...headers,
    authorization: `Signature version="1",headers="${names.join(' ')}",keyId="${keyId}",algorithm="rsa-sha256",signature="${signature}"`,
  };
}

/** Returns the text to sign for a request with complete headers, and the names of those headers. */
export function ociSigningText(
  { method, url, headers, body }: OciRequest,
  withHost: boolean = true,
): { readonly names: readonly string[]; readonly text: string } {
  const names = [
    ...(withHost ? GENERAL : GENERAL.slice(0, 2)),
    ...(body === undefined ? [] : OF_BODY),
  ];
  const lines = names.map((name) => {
    if (name === '(request-target)') {
      return `${name}: ${method.toLowerCase()} ${url.pathname}${url.search}`;
    }
    return `${name}: ${name === 'host' ? url.host : (headers[name] ?? '')}`;
  });
  return { names, text: lines.join('\n') };
}
