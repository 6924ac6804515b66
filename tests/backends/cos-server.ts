// A server for COS, account tags, STS sessions and instance metadata as Tencent Cloud documents them, in memory.
import { createHash, createHmac } from 'node:crypto';
import { crc64, Loopback, type Asked, type Said } from './loopback.ts';
import { selfSigned } from './self-signed.ts';

/** Keys that the services know: their secret, and the token of a session. */
const KEYS: ReadonlyMap<string, { readonly secret: string; readonly token?: string }> = new Map([
  ['id', { secret: 'secret' }],
  ['session-id', { secret: 'session-secret', token: 'session-token' }],
  ['machine-id', { secret: 'machine-secret', token: 'machine-token' }],
]);

/** The addresses of the services other than the storage. */
export const DOMAIN = 'tencent.test';

/** One bucket and the services around it, for whom goes through its proxy. */
export class CosServer implements AsyncDisposable {
  readonly objects: Map<string, { readonly body: Buffer; readonly headers: Asked['headers'] }> =
    new Map();
  /** values of tags of the account */
  readonly tags: Set<string> = new Set();
  /** authorities whom programs have to trust, as PEM */
  readonly authority: string;
  readonly loopback: Loopback;

  private constructor(loopback: Loopback, authority: string) {
    this.loopback = loopback;
    this.authority = authority;
  }

  static async start(): Promise<CosServer> {
    const { certificate, key } = selfSigned(`tag.${DOMAIN}`, `sts.${DOMAIN}`);
    const tls = { cert: certificate, key };
    const loopback = await Loopback.start((asked) => self.#answer(asked), tls);
    const self: CosServer = new CosServer(loopback, certificate);
    return self;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.loopback.close();
  }

  #answer(asked: Asked): Said {
    if (asked.host === 'metadata.tencentyun.com') return metadata(asked);
    return asked.host.includes('.cos') ? this.#object(asked) : this.#call(asked);
  }

  #object(asked: Asked): Said {
    const { method, host, path, headers, body } = asked;
    const url = new URL(path, 'http://x');
    const key = decodeURIComponent(url.pathname.slice(1));
    if (!isSigned(asked, url)) return error(403, 'SignatureDoesNotMatch');
    if (!host.startsWith('bucket-1.')) return error(404, 'NoSuchBucket');
    if (key === '') return this.#list(url);
    const stored = this.objects.get(key);
    switch (method) {
      case 'PUT': {
        if (headers['x-cos-forbid-overwrite'] === 'true' && stored !== undefined) {
          return error(409, 'FileAlreadyExists');
        }
        this.objects.set(key, { body, headers });
        // Tencent's own client compares what it has sent.
        const md5 = createHash('md5').update(body).digest('hex');
        return { status: 200, headers: { etag: `"${md5}"`, 'x-cos-hash-crc64ecma': crc64(body) } };
      }
      case 'DELETE':
        this.objects.delete(key);
        return { status: 204 };
      default:
        return stored === undefined
          ? error(404, 'NoSuchKey')
          : {
              status: 200,
              headers: {
                'content-length': String(stored.body.length),
                'x-cos-meta-md5': String(stored.headers['x-cos-meta-md5']),
              },
              body: stored.body,
            };
    }
  }

  #list({ searchParams }: URL): Said {
    const most = Math.min(Number(searchParams.get('max-keys') ?? 1000), 3);
    const marker = searchParams.get('marker') ?? '';
    const prefix = searchParams.get('prefix') ?? '';
    const encode =
      searchParams.get('encoding-type') === 'url' ? encodeURIComponent : (key: string) => key;
    const keys = [...this.objects.keys()].sort();
    const matchingKeys = keys.filter((key) => key.startsWith(prefix) && key > marker);
    const contents = matchingKeys
      .slice(0, most)
      .map((key) => `<Contents><Key>${encode(key)}</Key></Contents>`);
    return {
      status: 200,
      body: `<?xml version='1.0' encoding='utf-8' ?>\n<ListBucketResult><Name>bucket-1</Name><IsTruncated>${matchingKeys.length > most}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    };
  }

  #call(asked: Asked): Said {
    const answerWith = (response: object): Said => ({
      status: 200,
      body: JSON.stringify({ Response: { ...response, RequestId: 'REQUEST' } }),
    });
    const refused = (code: string): Said => answerWith({ Error: { Code: code, Message: 'no' } });
    if (!isSignedCall(asked)) return refused('AuthFailure.SignatureFailure');
    const parameters = JSON.parse(asked.body.toString()) as Readonly<Record<string, string>>;
    const { TagKey: name = '', TagValue: value = '' } = parameters;
    const tag = `${name}=${value}`;
    switch (asked.headers['x-tc-action']) {
      case 'CreateTag':
        if (this.tags.has(tag)) return refused('ResourceInUse.TagDuplicate');
        this.tags.add(tag);
        return answerWith({});
      case 'DescribeTags':
        return answerWith({ Tags: this.tags.has(tag) ? [{ TagKey: name, TagValue: value }] : [] });
      case 'DeleteTag':
        return this.tags.delete(tag) ? answerWith({}) : refused('ResourceNotFound.TagNonExist');
      case 'AssumeRole':
        return parameters['RoleArn'] === 'qcs::cam::uin/1:roleName/states'
          ? answerWith({
              Credentials: {
                TmpSecretId: 'session-id',
                TmpSecretKey: 'session-secret',
                Token: 'session-token',
              },
              ExpiredTime: 32_503_680_000,
            })
          : refused('ResourceNotFound.RoleNotFound');
      default:
        return refused('InvalidAction');
    }
  }
}

function isSigned({ method, host, headers }: Asked, url: URL): boolean {
  const fields = new Map(
    (headers.authorization ?? '').split('&').map((part): [string, string] => {
      const at = part.indexOf('=');
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
  const known = KEYS.get(fields.get('q-ak') ?? '');
  if (known === undefined || headers['x-cos-security-token'] !== known.token) return false;
  const names = (list: string): readonly string[] =>
    (fields.get(list) ?? '').split(';').filter((name) => name !== '');
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const signed = names('q-header-list');
  // The client of terraform 1.11.4 adds the token of a session afterwards.
  const all = Object.keys(headers).filter(
    (name) => name.startsWith('x-cos-') && name !== 'x-cos-security-token',
  );
  if (!all.every((name) => signed.includes(name)) || !signed.includes('host')) return false;
  const query = names('q-url-param-list').map(
    (name) => `${name}=${encode(url.searchParams.get(decodeURIComponent(name)) ?? '')}`,
  );
  const lines = signed.map(
    (name) => `${name}=${encode(name === 'host' ? host : String(headers[name]))}`,
  );
  const hmac = (key: string, text: string): string =>
    createHmac('sha1', key).update(text).digest('hex');
  const request = `${method.toLowerCase()}\n${decodeURIComponent(url.pathname)}\n${query.join('&')}\n${lines.join('&')}\n`;
  const hash = createHash('sha1').update(request).digest('hex');
  const time = fields.get('q-key-time') ?? '';
  return fields.get('q-signature') === hmac(hmac(known.secret, time), `sha1\n${time}\n${hash}\n`);
}

function isSignedCall({ host, headers, body }: Asked): boolean {
  const [, id = '', day, service, signature] =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^/]+)\/([^/]+)\/tc3_request, SignedHeaders=content-type;host, Signature=(.+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const known = KEYS.get(id);
  if (known === undefined || headers['x-tc-token'] !== known.token) return false;
  const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
  const canonical = `POST\n/\n\ncontent-type:${headers['content-type']}\nhost:${host}\n\ncontent-type;host\n${sha256(body)}`;
  const scope = `${day}/${service}/tc3_request`;
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const key = hmac(hmac(hmac(`TC3${known.secret}`, String(day)), String(service)), 'tc3_request');
  const text = `TC3-HMAC-SHA256\n${String(headers['x-tc-timestamp'])}\n${scope}\n${sha256(canonical)}`;
  return signature === hmac(key, text).toString('hex') && host === `${service}.${DOMAIN}`;
}

function metadata({ path }: Asked): Said {
  return path === '/latest/meta-data/cam/security-credentials/machine-role'
    ? {
        status: 200,
        body: JSON.stringify({
          TmpSecretId: 'machine-id',
          TmpSecretKey: 'machine-secret',
          Token: 'machine-token',
          ExpiredTime: 32_503_680_000,
          Code: 'Success',
        }),
      }
    : { status: 404, body: '{"Code":"NotFound"}' };
}

function error(status: number, code: string): Said {
  return {
    status,
    headers: { 'x-cos-request-id': 'REQUEST' },
    body: `<?xml version='1.0' encoding='utf-8' ?>\n<Error>\n<Code>${code}</Code>\n<Message>It is not so.</Message>\n<RequestId>REQUEST</RequestId>\n</Error>`,
  };
}
