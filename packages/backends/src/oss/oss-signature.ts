import { createHash, createHmac } from 'node:crypto';
import type { AliyunKeys } from './aliyun-keys.ts';

/** A request to the storage before it is signed. */
export interface Unsigned {
  readonly method: string;
  readonly bucket: string;
  /** empty: it is about the bucket */
  readonly key: string;
  /** query parameters without sub-resources */
  readonly query: Readonly<Record<string, string>>;
  /** names in lower case */
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the headers of a request with its signature; without keys the request stays anonymous. */
export function signedHeaders(
  request: Unsigned,
  keys: AliyunKeys,
  now: Date,
  region: string | undefined,
): Readonly<Record<string, string>> {
  const token = keys.token === '' ? {} : { 'x-oss-security-token': keys.token };
  const headers = { ...request.headers, date: now.toUTCString(), ...token };
  if (keys.id === '') return headers;
  return region === undefined
    ? signedV1(request, headers, keys)
    : signedV4(request, headers, keys, now, region);
}

type Headers = Readonly<Record<string, string>>;

/** https://www.alibabacloud.com/help/en/oss/developer-reference/include-signatures-in-the-authorization-header */
function signedV1({ method, bucket, key }: Unsigned, headers: Headers, keys: AliyunKeys): Headers {
  const text = [
    method,
    headers['content-md5'] ?? '',
    headers['content-type'] ?? '',
    headers['date'] ?? '',
    `${lines(headers, (name) => name.startsWith('x-oss-'))}/${bucket}/${key}`,
  ].join('\n');
  const signature = createHmac('sha1', keys.secret).update(text).digest('base64');
  return { ...headers, authorization: `OSS ${keys.id}:${signature}` };
}

/** https://www.alibabacloud.com/help/en/oss/developer-reference/recommend-to-use-signature-version-4 */
function signedV4(
  { method, bucket, key, query }: Unsigned,
  unsignedHeaders: Headers,
  keys: AliyunKeys,
  now: Date,
  region: string,
): Headers {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const headers: Headers = {
    ...unsignedHeaders,
    'x-oss-content-sha256': 'UNSIGNED-PAYLOAD',
    'x-oss-date': time,
  };
  const canonical = [
    method,
    encodePath(`/${bucket}/${key}`),
    encodeQuery(query),
    lines(headers, isSignedV4),
    '',
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = `${day}/${region}/oss/aliyun_v4_request`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  let secret: string | Buffer = `aliyun_v4${keys.secret}`;
  for (const part of scope.split('/')) secret = createHmac('sha256', secret).update(part).digest();
  const signature = createHmac('sha256', secret)
    .update(`OSS4-HMAC-SHA256\n${time}\n${scope}\n${hash}`)
    .digest('hex');
  return {
    ...headers,
    authorization: `OSS4-HMAC-SHA256 Credential=${keys.id}/${scope},Signature=${signature}`,
  };
}

function isSignedV4(name: string): boolean {
  return name === 'content-md5' || name === 'content-type' || name.startsWith('x-oss-');
}

function lines(headers: Headers, isSigned: (name: string) => boolean): string {
  return Object.entries(headers)
    .filter(([name]) => isSigned(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim()}\n`)
    .join('');
}

/** Encodes a path in a URL, except for its slashes. */
export function encodePath(path: string): string {
  return path.split('/').map(encodePart).join('/');
}

/** Encodes a query with sorted names. */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
    .join('&');
}

function encodePart(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
