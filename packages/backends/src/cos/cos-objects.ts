import { xmlTextByName } from '@terrane/host/xml';
import { createHash, createHmac } from 'node:crypto';
import type { BackendPorts } from '../backend.ts';
import type { WholeAnswer } from '../http/retrying-request.ts';
import {
  acceptedAnswer,
  listedKeys,
  ObjectRefusal,
  type ObjectRequest,
} from '../object-request.ts';
import { askService } from '../service-request.ts';
import type { TencentKeys } from './tencent-api.ts';

/** An object with its MD5 in hexadecimal digits, which both have been compared. */
export interface CosObject {
  readonly bytes: Uint8Array;
  readonly md5: string;
}

/** The bucket of objects and the options for writing them. */
export interface CosBucket {
  readonly bucket: string;
  readonly origin: string;
  readonly encrypt: boolean;
  readonly acl: string;
}

/** A signature is good for so long, in seconds: some for clocks that differ, the rest for slow lines. */
const SIGNED_BEFORE = 60;
const SIGNED_FOR = 3600;

/** The objects of a bucket of Tencent Cloud. */
export class CosObjects {
  readonly #place: CosBucket;
  readonly #keys: () => Promise<TencentKeys>;
  readonly #ports: BackendPorts;

  constructor(place: CosBucket, keys: () => Promise<TencentKeys>, ports: BackendPorts) {
    this.#place = place;
    this.#keys = keys;
    this.#ports = ports;
  }

  /** Reads an object; `undefined` if it is missing. Rejects if its checksum does not match. */
  async get(key: string): Promise<CosObject | undefined> {
    const { status, headers, body } = await this.#ask('GET', key, { accepts: isNoKey });
    if (status === 404) return undefined;
    const stored = headers['x-cos-meta-md5'] ?? '';
    const problem = (text: string): Error => new Error(`failed to open file at ${key}: ${text}`);
    if (stored.length !== 32) throw problem(`checksum ${stored} invalid`);
    const checksum = md5Of(body);
    if (checksum !== stored) throw problem(`checksum mismatch, ${checksum} != ${stored}`);
    return { bytes: body, md5: stored };
  }

  /** The MD5 that an object was written with; `undefined`: there is no object. */
  async md5(key: string): Promise<string | undefined> {
    const { status, headers } = await this.#ask('HEAD', key, { accepts: (code) => code === '' });
    return status === 404 ? undefined : (headers['x-cos-meta-md5'] ?? '');
  }

  /** Writes an object and returns its MD5. With `anew`, rejects with a status of 409 if it exists. */
  async put(key: string, body: Uint8Array, anew: boolean): Promise<string> {
    const { acl, encrypt } = this.#place;
    const md5 = md5Of(body);
    await this.#ask('PUT', key, {
      body,
      headers: {
        'content-md5': Buffer.from(md5, 'hex').toString('base64'),
        'x-cos-meta-md5': md5,
        'x-cos-acl': acl,
        ...(encrypt && { 'x-cos-server-side-encryption': 'AES256' }),
        ...(anew && { 'x-cos-forbid-overwrite': 'true' }),
      },
    });
    return md5;
  }

  async delete(key: string): Promise<void> {
    await this.#ask('DELETE', key, { accepts: isNoKey });
  }

  /** Lists keys with a prefix. */
  keys(prefix: string): AsyncGenerator<string> {
    return listedKeys(prefix, (query) => this.#ask('GET', '', { query }));
  }

  async #ask(method: string, key: string, request: ObjectRequest): Promise<WholeAnswer> {
    const { query = {}, headers = {}, body } = request;
    const { origin } = this.#place;
    const queryText = pairs(query).join('&');
    const path = `/${key}`;
    const url = `${origin}${path.split('/').map(percent).join('/')}${queryText === '' ? '' : `?${queryText}`}`;
    const answer = await askService(this.#ports, async () => {
      const keys = await this.#keys();
      const token = keys.token === '' ? {} : { 'x-cos-security-token': keys.token };
      const sentHeaders = { ...headers, ...token };
      const signed = { ...sentHeaders, host: new URL(origin).host };
      return {
        url,
        method,
        ...(body !== undefined && { body }),
        headers: {
          ...sentHeaders,
          ...(keys.id !== '' && {
            authorization: this.#authorization(method, path, query, signed, keys),
          }),
        },
      };
    });
    return acceptedAnswer(answer, request, refusal);
  }

  /** https://www.tencentcloud.com/document/product/436/7778 */
  #authorization(
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
    keys: TencentKeys,
  ): string {
    const now = Math.floor(this.#ports.host.clock.now().getTime() / 1000);
    const time = `${now - SIGNED_BEFORE};${now + SIGNED_FOR}`;
    const hmac = (key: string, text: string): string =>
      createHmac('sha1', key).update(text).digest('hex');
    const request = `${method.toLowerCase()}\n${path}\n${pairs(query).join('&')}\n${pairs(headers).join('&')}\n`;
    const hash = createHash('sha1').update(request).digest('hex');
    const names = (of: object): string => Object.keys(of).sort().map(percent).join(';');
    return [
      'q-sign-algorithm=sha1',
      `q-ak=${keys.id}`,
      `q-sign-time=${time}`,
      `q-key-time=${time}`,
      `q-header-list=${names(headers)}`,
      `q-url-param-list=${names(query)}`,
      `q-signature=${hmac(hmac(keys.secret, time), `sha1\n${time}\n${hash}\n`)}`,
    ].join('&');
  }
}

/** The MD5 of bytes in hexadecimal digits. */
export function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

function isNoKey(code: string): boolean {
  return code === 'NoSuchKey' || code === '';
}

function pairs(of: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(of)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${percent(name)}=${percent(value)}`);
}

function percent(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function refusal({ status, headers, body }: WholeAnswer): ObjectRefusal {
  const textOf = xmlTextByName(new TextDecoder().decode(body));
  const of = (name: string): string => textOf(name) ?? '';
  const id = of('RequestId') || (headers['x-cos-request-id'] ?? '');
  const code = of('Code');
  return new ObjectRefusal(
    status,
    code,
    `${status} ${code}(Message: ${of('Message')}, RequestId: ${id})`,
  );
}
