import { xmlTextByName } from '@terrane/host/xml';
import type { BackendPorts } from '../backend.ts';
import type { WholeAnswer } from '../http/retrying-request.ts';
import {
  acceptedAnswer,
  listedKeys,
  ObjectRefusal,
  type ObjectRequest,
} from '../object-request.ts';
import { askService } from '../service-request.ts';
import type { AliyunSignIn } from './aliyun-sign-in.ts';
import { encodePath, encodeQuery, signedHeaders } from './oss-signature.ts';

/** An object and its ETag. */
export interface OssObject {
  readonly bytes: Uint8Array;
  readonly etag: string | undefined;
}

/** The bucket, and the identity for requests. */
export interface OssBucket {
  /** scheme and host, perhaps with a path */
  readonly endpoint: string;
  readonly bucket: string;
  readonly encrypt: boolean;
  readonly acl: string;
}

/**
 * The objects of a bucket of Alibaba Cloud. Requests to Alibaba's own endpoints, whose names contain their region, use
 * signature version 4, which accounts created since 2025 require; those to other endpoints use version 1, as
 * Terraform always does.
 */
export class OssObjects {
  readonly #bucket: OssBucket;
  readonly #signIn: AliyunSignIn;
  readonly #ports: BackendPorts;
  readonly #region: string | undefined;

  constructor(bucket: OssBucket, signIn: AliyunSignIn, ports: BackendPorts) {
    this.#bucket = bucket;
    this.#signIn = signIn;
    this.#ports = ports;
    const { hostname } = new URL(bucket.endpoint);
    this.#region = /(?:^|\.)oss-([a-z0-9-]+?)(?:-internal)?\.aliyuncs\.com$/.exec(hostname)?.[1];
  }

  /** Reads an object; `undefined` if it is missing. */
  async get(key: string): Promise<OssObject | undefined> {
    const { status, headers, body } = await this.#ask('GET', key, { accepts: isNoKey });
    return status === 404 ? undefined : { bytes: body, etag: headers['etag'] };
  }

  /** Returns the ETag of an object; `undefined` if it does not exist. */
  async etag(key: string): Promise<string | undefined> {
    const { status, headers } = await this.#ask('HEAD', key, { accepts: (code) => code === '' });
    return status === 404 ? undefined : (headers['etag'] ?? '');
  }

  /** Writes an object. With `createOnly`, rejects with `FileAlreadyExists` if the object exists. */
  async put(key: string, body: Uint8Array, createOnly: boolean): Promise<string | undefined> {
    const { acl, encrypt } = this.#bucket;
    const { headers } = await this.#ask('PUT', key, {
      body,
      headers: {
        'content-type': 'application/json',
        ...(acl !== '' && { 'x-oss-object-acl': acl }),
        ...(encrypt && { 'x-oss-server-side-encryption': 'AES256' }),
        ...(createOnly && { 'x-oss-forbid-overwrite': 'true' }),
      },
    });
    return headers['etag'];
  }

  async delete(key: string): Promise<void> {
    await this.#ask('DELETE', key, { accepts: isNoKey });
  }

  /** Lists the keys with a prefix. */
  keys(prefix: string): AsyncGenerator<string> {
    return listedKeys(prefix, (query) => this.#ask('GET', '', { query }));
  }

  async #ask(method: string, key: string, request: ObjectRequest): Promise<WholeAnswer> {
    const { query = {}, headers = {}, body } = request;
    const { bucket } = this.#bucket;
    const queryText = encodeQuery(query);
    const url = `${this.#url(key)}${queryText === '' ? '' : `?${queryText}`}`;
    const answer = await askService(this.#ports, async () => ({
      url,
      method,
      ...(body !== undefined && { body }),
      headers: signedHeaders(
        { method, bucket, key, query, headers },
        await this.#signIn.keys(),
        this.#ports.host.clock.now(),
        this.#region,
      ),
    }));
    return acceptedAnswer(answer, request, refusal);
  }

  /** Returns the virtual-hosted URL of an object, or its path-style URL if the host is an IP address. */
  #url(key: string): string {
    const { endpoint, bucket } = this.#bucket;
    const { protocol, host, hostname } = new URL(endpoint);
    return /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(hostname)
      ? `${protocol}//${host}/${bucket}/${encodePath(key)}`
      : `${protocol}//${bucket}.${host}/${encodePath(key)}`;
  }
}

function isNoKey(code: string): boolean {
  return code === 'NoSuchKey';
}

function refusal({ status, headers, body }: WholeAnswer): ObjectRefusal {
  const textOf = xmlTextByName(new TextDecoder().decode(body));
  const fieldOf = (name: string): string => textOf(name) ?? '';
  const code = fieldOf('Code');
  const id = fieldOf('RequestId') || (headers['x-oss-request-id'] ?? '');
  return new ObjectRefusal(
    status,
    code,
    `oss: service returned error: StatusCode=${status}, ErrorCode=${code}, ErrorMessage=${JSON.stringify(fieldOf('Message'))}, RequestId=${id}`,
  );
}
