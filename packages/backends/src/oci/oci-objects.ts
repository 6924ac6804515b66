import { createHash } from 'node:crypto';
import type { HttpTls } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import type { WholeAnswer } from '../http/retrying-request.ts';
import { fieldsOf, jsonFields, textIn } from '../json-fields.ts';
import { acceptedAnswer, type ObjectRequest } from '../object-request.ts';
import { askService } from '../service-request.ts';
import type { OciSettings } from './oci-settings.ts';
import type { OciSignIn } from './oci-sign-in.ts';
import { signedOciHeaders } from './oci-signature.ts';

/** An error response of the service. */
export class OciRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'OciRefusal';
    this.status = status;
    this.code = code;
  }

  /** True if a condition of the request failed. */
  get isCondition(): boolean {
    return this.status === 412;
  }
}

/** An object and its ETag. */
export interface OciObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** The precondition of a write: absent, a certain ETag, or none. */
export type OciExpected = 'absent' | 'any' | { readonly etag: string };

/** The namespace and bucket, and the identity for requests. */
export interface OciPlace {
  readonly origin: string;
  readonly tls: HttpTls | undefined;
}

/** The objects of a bucket of Oracle Cloud. */
export class OciObjects {
  readonly #settings: OciSettings;
  readonly #place: OciPlace;
  readonly #signIn: OciSignIn;
  readonly #ports: BackendPorts;

  constructor(settings: OciSettings, place: OciPlace, signIn: OciSignIn, ports: BackendPorts) {
    this.#settings = settings;
    this.#place = place;
    this.#signIn = signIn;
    this.#ports = ports;
  }

  get bucket(): string {
    return this.#settings.bucket;
  }

  /** Reads an object; `undefined` if it is missing. `encrypted` uses the customer-provided key, if there is one. */
  async get(name: string, encrypted: boolean): Promise<OciObject | undefined> {
    const { status, headers, body } = await this.#ask('GET', this.#object(name), {
      headers: encrypted ? this.#customerKey() : {},
      accepts: isNoObject,
    });
    return status === 404 ? undefined : { bytes: body, etag: headers['etag'] ?? '' };
  }

  /** Writes an object if its current version is the expected one, and returns its ETag. */
  async put(
    name: string,
    body: Uint8Array,
    expected: OciExpected,
    encrypted: boolean,
  ): Promise<string> {
    const { kmsKeyId } = this.#settings.encryption;
    const encryption = kmsKeyId === '' ? this.#customerKey() : { 'opc-sse-kms-key-id': kmsKeyId };
    const { headers } = await this.#ask('PUT', this.#object(name), {
      body,
      headers: {
        'content-type': 'application/json',
        'content-md5': createHash('md5').update(body).digest('base64'),
        ...(encrypted ? encryption : {}),
        ...(expected === 'absent' && { 'if-none-match': '*' }),
        ...(typeof expected === 'object' && { 'if-match': expected.etag }),
      },
    });
    return headers['etag'] ?? '';
  }

  /** Deletes an object, if its ETag matches the optional one. */
  async delete(name: string, etag?: string): Promise<void> {
    const headers = etag === undefined ? {} : { 'if-match': etag };
    await this.#ask('DELETE', this.#object(name), { headers, accepts: isNoObject });
  }

  /** Deletes an object with all that it was before. */
  async deleteVersions(name: string): Promise<void> {
    const versions: string[] = [];
    let page = '';
    do {
      const { headers, body } = await this.#ask('GET', this.#bucketUrl('objectversions'), {
        query: { prefix: name, ...(page !== '' && { page }) },
      });
      for (const item of listOf(jsonFields(body), 'items')) {
        const version = textIn(item, 'versionId');
        if (textIn(item, 'name') === name && version !== '') versions.push(version);
      }
      page = headers['opc-next-page'] ?? '';
    } while (page !== '');
    if (versions.length === 0) return await this.delete(name);
    for (const versionId of versions) {
      await this.#ask('DELETE', this.#object(name), { query: { versionId }, accepts: isNoObject });
    }
  }

  /** Lists names with a prefix. */
  async *names(prefix: string): AsyncGenerator<string> {
    let start = '';
    do {
      const { body } = await this.#ask('GET', this.#bucketUrl('o'), {
        query: { prefix, limit: '1000', ...(start !== '' && { start }) },
      });
      const listed = jsonFields(body);
      for (const item of listOf(listed, 'objects')) yield textIn(item, 'name');
      start = textIn(listed, 'nextStartWith');
    } while (start !== '');
  }

  #customerKey(): Readonly<Record<string, string>> {
    const { customerKey, customerKeySha256, customerAlgorithm } = this.#settings.encryption;
    if (customerKey === '' || customerKeySha256 === '') return {};
    return {
      'opc-sse-customer-algorithm': customerAlgorithm,
      'opc-sse-customer-key': customerKey,
      'opc-sse-customer-key-sha256': customerKeySha256,
    };
  }

  #bucketUrl(of: string): URL {
    const { namespace, bucket } = this.#settings;
    const path = `/n/${encodeURIComponent(namespace)}/b/${encodeURIComponent(bucket)}/${of}`;
    return new URL(path, this.#place.origin);
  }

  #object(name: string): URL {
    return this.#bucketUrl(`o/${encodeURIComponent(name)}`);
  }

  async #ask(method: string, of: URL, request: ObjectRequest): Promise<WholeAnswer> {
    const { query = {}, headers = {}, body } = request;
    const url = new URL(of);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { tls } = this.#place;
    const answer = await askService(this.#ports, async () => ({
      url: url.href,
      method,
      ...(body !== undefined && { body }),
      ...(tls !== undefined && { tls }),
      headers: signedOciHeaders(
        { method, url, headers, ...(body !== undefined && { body }) },
        await this.#signIn.identity(),
        this.#ports.host.clock.now(),
      ),
    }));
    return acceptedAnswer(answer, request, refusal);
  }
}

function refusal({ status, headers, body }: WholeAnswer): OciRefusal {
  const fields = jsonFields(body);
  const code = textIn(fields, 'code');
  return new OciRefusal(
    status,
    code,
    `Error returned by ObjectStorage Service. Http Status Code: ${status}. Error Code: ${code}. Opc request id: ${headers['opc-request-id'] ?? ''}. Message: ${textIn(fields, 'message')}`,
  );
}

function isNoObject(code: string): boolean {
  return code === 'ObjectNotFound';
}

function listOf(
  fields: ReadonlyMap<string, unknown>,
  name: string,
): readonly ReadonlyMap<string, unknown>[] {
  const list = fields.get(name);
  return (Array.isArray(list) ? list : []).map((each: unknown) => fieldsOf(each));
}
