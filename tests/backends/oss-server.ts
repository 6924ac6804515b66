// A server for OSS, Tablestore rows, STS sessions, the location service and instance metadata as Alibaba Cloud documents
// them, in memory.
import { createHash, createHmac } from 'node:crypto';
import { crc64, Loopback, type Asked, type Said } from './loopback.ts';

/** Keys that the service knows: their secret, and the token of a session. */
const KEYS: ReadonlyMap<string, { readonly secret: string; readonly token?: string }> = new Map([
  ['id', { secret: 'secret' }],
  ['session-id', { secret: 'session-secret', token: 'session-token' }],
  ['machine-id', { secret: 'machine-secret', token: 'machine-token' }],
]);

/** The name of an instance of Tablestore: given, or taken from the endpoint as terraform 1.11.4 does. */
const INSTANCES: ReadonlySet<string> = new Set(['instance', '127']);

/** One bucket, one table and the services around them. */
export class OssServer implements AsyncDisposable {
  readonly objects: Map<string, { readonly body: Buffer; readonly headers: Asked['headers'] }> =
    new Map();
  /** columns of rows by their keys */
  readonly rows: Map<string, Record<string, string>> = new Map();
  readonly #loopback: Loopback;

  private constructor(loopback: Loopback) {
    this.#loopback = loopback;
  }

  static async start(): Promise<OssServer> {
    const self: OssServer = new OssServer(await Loopback.start((asked) => self.#answer(asked)));
    return self;
  }

  get origin(): string {
    return this.#loopback.origin;
  }

  get loopback(): Loopback {
    return this.#loopback;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loopback.close();
  }

  #answer(asked: Asked): Said {
    if (asked.host === '100.100.100.200') return metadata(asked);
    if (asked.path.startsWith('/?') && asked.path.includes('Action=')) return rpc(asked);
    return asked.headers['x-ots-signature'] === undefined ? this.#object(asked) : this.#row(asked);
  }

  #object(asked: Asked): Said {
    const { method, host, path, headers, body } = asked;
    const url = new URL(path, 'http://x');
    const [, hostBucket] = /^([^.]+)\.oss-/.exec(host) ?? [];
    const [, byPath = '', rest = ''] = /^\/([^/]*)\/?(.*)$/s.exec(url.pathname) ?? [];
    const bucket = hostBucket ?? byPath;
    const key = decodeURIComponent(hostBucket === undefined ? rest : url.pathname.slice(1));
    const refused = refusal(signatureProblem(asked, bucket, key, url));
    if (refused !== undefined) return refused;
    if (bucket !== 'bucket') return error(404, 'NoSuchBucket', 'The bucket does not exist.');
    if (key === '') return this.#list(url);
    const stored = this.objects.get(key);
    switch (method) {
      case 'PUT': {
        if (headers['x-oss-forbid-overwrite'] === 'true' && stored !== undefined) {
          return error(409, 'FileAlreadyExists', 'The object you specified already exists.');
        }
        this.objects.set(key, { body, headers });
        return { status: 200, headers: { etag: etag(body), 'x-oss-hash-crc64ecma': crc64(body) } };
      }
      case 'DELETE':
        this.objects.delete(key);
        return { status: 204 };
      default:
        return stored === undefined
          ? error(404, 'NoSuchKey', 'The specified key does not exist.')
          : {
              status: 200,
              headers: { etag: etag(stored.body), 'content-length': String(stored.body.length) },
              body: stored.body,
            };
    }
  }

  #list({ searchParams }: URL): Said {
    const most = Math.min(Number(searchParams.get('max-keys') ?? 100), 3);
    const marker = searchParams.get('marker') ?? '';
    const prefix = searchParams.get('prefix') ?? '';
    const keys = [...this.objects.keys()].sort();
    const matchingKeys = keys.filter((key) => key.startsWith(prefix) && key > marker);
    const contents = matchingKeys.slice(0, most).map((key) => {
      const encoded = encodeURIComponent(key).replaceAll('%20', '+');
      return `<Contents><Key>${encoded}</Key><Size>1</Size><LastModified>2026-11-22T00:00:00.000Z</LastModified></Contents>`;
    });
    return {
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><Name>bucket</Name><EncodingType>url</EncodingType><IsTruncated>${matchingKeys.length > most}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    };
  }

  #row({ path, headers, body }: Asked): Said {
    const names = Object.keys(headers).filter((name) => name.startsWith('x-ots-'));
    const lines = names
      .filter((name) => name !== 'x-ots-signature')
      .sort()
      .map((name) => `${name}:${String(headers[name])}\n`);
    const id = String(headers['x-ots-accesskeyid']);
    const wanted = createHmac('sha1', KEYS.get(id)?.secret ?? '')
      .update(`${path}\nPOST\n\n${lines.join('')}`)
      .digest('base64');
    if (
      headers['x-ots-signature'] !== wanted ||
      !INSTANCES.has(String(headers['x-ots-instancename'])) ||
      headers['x-ots-ststoken'] !== KEYS.get(id)?.token ||
      headers['x-ots-contentmd5'] !== createHash('md5').update(body).digest('base64')
    ) {
      return tableError(403, 'OTSAuthFailed', 'Signature mismatch.');
    }
    const fields = message(body);
    if (String(fields.get(1)) !== 'locks') {
      return tableError(404, 'OTSObjectNotExist', 'Requested table does not exist.');
    }
    const capacity = field(1, field(1, Buffer.of(0x08, 1, 0x10, 1)));
    const row = fields.get(2);
    const read = row === undefined ? undefined : plainRow(row);
    const key = read?.key['LockID'] ?? '';
    const stored = this.rows.get(key);
    switch (path) {
      case '/DescribeTable': {
        const meta = field(
          1,
          Buffer.concat([field(1, 'locks'), field(2, field(1, 'LockID'), 0x10, 2)]),
        );
        const reserved = field(
          2,
          Buffer.concat([field(1, Buffer.of(0x08, 0, 0x10, 0)), Buffer.of(0x10, 0)]),
        );
        return {
          status: 200,
          body: Buffer.concat([
            meta,
            reserved,
            field(3, Buffer.of(0x08, 1, 0x10, 1, 0x28, 1)),
            Buffer.of(0x20, 1),
          ]),
        };
      }
      case '/GetRow':
        return {
          status: 200,
          body: Buffer.concat([
            capacity,
            field(2, stored === undefined ? '' : writeRow(key, stored)),
          ]),
        };
      default: {
        if (!isMet(fields.get(3) ?? Buffer.of(), stored)) {
          return tableError(403, 'OTSConditionCheckFail', 'Condition check failed.');
        }
        if (path === '/PutRow') this.rows.set(key, read?.columns ?? {});
        else this.rows.delete(key);
        return { status: 200, body: capacity };
      }
    }
  }
}

function signatureProblem(
  { method, headers, path }: Asked,
  bucket: string,
  key: string,
  url: URL,
): string | undefined {
  const authorization = headers.authorization ?? '';
  const signed = (isSigned: (name: string) => boolean): string =>
    Object.keys(headers)
      .filter(isSigned)
      .sort()
      .map((name) => `${name}:${String(headers[name])}\n`)
      .join('');
  const [, version1KeyId, signature] = /^OSS ([^:]+):(.+)$/.exec(authorization) ?? [];
  const [, four, scope = '', hex] =
    /^OSS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+),Signature=(.+)$/.exec(authorization) ?? [];
  const known = KEYS.get(version1KeyId ?? four ?? '');
  if (known === undefined) return 'InvalidAccessKeyId';
  if (headers['x-oss-security-token'] !== known.token) return 'InvalidSecurityToken';
  if (version1KeyId !== undefined) {
    const text = `${method}\n${headers['content-md5'] ?? ''}\n${headers['content-type'] ?? ''}\n${headers.date}\n${signed((name) => name.startsWith('x-oss-'))}/${bucket}/${key}${url.search === '?objectMeta' ? url.search : ''}`;
    const wanted = createHmac('sha1', known.secret).update(text).digest('base64');
    return signature === wanted ? undefined : 'SignatureDoesNotMatch';
  }
  const names = (name: string): boolean =>
    name.startsWith('x-oss-') || name === 'content-type' || name === 'content-md5';
  const canonical = [
    method,
    `/${bucket}${path.split('?')[0]}`,
    [...url.search.slice(1).split('&')].sort().join('&'),
    signed(names),
    '',
    headers['x-oss-content-sha256'],
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  let secret: string | Buffer = `aliyun_v4${known.secret}`;
  for (const part of scope.split('/')) secret = createHmac('sha256', secret).update(part).digest();
  const wanted = createHmac('sha256', secret)
    .update(`OSS4-HMAC-SHA256\n${String(headers['x-oss-date'])}\n${scope}\n${hash}`)
    .digest('hex');
  return hex === wanted && scope.endsWith('/cn-hangzhou/oss/aliyun_v4_request')
    ? undefined
    : 'SignatureDoesNotMatch';
}

function refusal(code: string | undefined): Said | undefined {
  return code === undefined ? undefined : error(403, code, 'It is not allowed.');
}

function error(status: number, code: string, text: string): Said {
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-oss-request-id': 'REQUEST' },
    body: `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${text}</Message><RequestId>REQUEST</RequestId></Error>`,
  };
}

function etag(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex').toUpperCase()}"`;
}

/** Operations by RPC: a session by a role, and where a region's storage is. */
function rpc({ method, path }: Asked): Said {
  const pairs = path.slice(2).split('&');
  const query = new URLSearchParams(path.slice(2));
  const signed = pairs.filter((pair) => !pair.startsWith('Signature=')).sort();
  const secret = KEYS.get(query.get('AccessKeyId') ?? '')?.secret ?? '';
  const wanted = createHmac('sha1', `${secret}&`)
    .update(`${method}&%2F&${encodeURIComponent(signed.join('&'))}`)
    .digest('base64');
  const json = (status: number, body: object): Said => ({ status, body: JSON.stringify(body) });
  if (query.get('Signature') !== wanted) {
    return json(400, { Code: 'SignatureDoesNotMatch', Message: 'no', RequestId: 'R' });
  }
  switch (query.get('Action')) {
    case 'AssumeRole':
      return query.get('RoleArn') === 'acs:ram::1:role/states'
        ? json(200, {
            Credentials: {
              AccessKeyId: 'session-id',
              AccessKeySecret: 'session-secret',
              SecurityToken: 'session-token',
              Expiration: '2999-01-01T00:00:00Z',
            },
          })
        : json(404, {
            Code: 'EntityNotExist.Role',
            Message: 'The role not exists.',
            RequestId: 'R',
          });
    default:
      return json(200, {
        Endpoints: { Endpoint: [{ Type: 'openAPI', Endpoint: 'oss-cn-hangzhou.aliyuncs.com' }] },
      });
  }
}

/** The role of a machine, for whom shows the token that it has asked for. */
function metadata({ method, path, headers }: Asked): Said {
  if (method === 'PUT') return { status: 200, body: 'metadata-token' };
  if (headers['x-aliyun-ecs-metadata-token'] !== 'metadata-token') return { status: 403 };
  return path === '/latest/meta-data/ram/security-credentials/machine-role'
    ? {
        status: 200,
        body: JSON.stringify({
          Code: 'Success',
          AccessKeyId: 'machine-id',
          AccessKeySecret: 'machine-secret',
          SecurityToken: 'machine-token',
          Expiration: '2999-01-01T00:00:00Z',
        }),
      }
    : { status: 404 };
}

function tableError(status: number, code: string, text: string): Said {
  return { status, body: Buffer.concat([field(1, code), field(2, text)]) };
}

/** Returns true if a row satisfies a condition: its existence, and the text in a column. */
function isMet(condition: Buffer, stored: Record<string, string> | undefined): boolean {
  const existence = condition[0] === 0x08 ? condition[1] : 0;
  if (existence === 1 && stored === undefined) return false;
  if (existence === 2 && stored !== undefined) return false;
  const filter = message(condition).get(2);
  if (filter === undefined) return true;
  const comparison = message(message(filter).get(2) ?? Buffer.of());
  const value = comparison.get(3) ?? Buffer.of();
  return stored?.[String(comparison.get(2))] === value.subarray(5).toString();
}

/** Fields with a length, by their numbers. */
function message(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = number();
    if (tag % 8 === 0) number();
    else {
      const length = number();
      fields.set(tag >> 3, bytes.subarray(at, at + length));
      at += length;
    }
  }
  return fields;
}

function field(number: number, content: string | Buffer, ...after: readonly number[]): Buffer {
  const bytes = Buffer.concat([Buffer.from(content), Buffer.from(after)]);
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>= 7) {
    length.push(rest > 127 ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), bytes]);
}

/** A row, all of whose checksums are looked at. */
function plainRow(bytes: Buffer): {
  readonly key: Record<string, string>;
  readonly columns: Record<string, string>;
} {
  const key: Record<string, string> = {};
  const columns: Record<string, string> = {};
  let into = key;
  let at = 4;
  let sum = 0;
  let deleted = 0;
  const text = (): Buffer => {
    const length = bytes.readInt32LE(at);
    at += 4 + length;
    return bytes.subarray(at - length, at);
  };
  for (;;) {
    const tag = bytes[at++];
    if (tag === 1) into = key;
    else if (tag === 2) into = columns;
    else if (tag === 8) deleted = 1;
    else if (tag === 9) {
      if (bytes[at] !== crc8(sum, Buffer.of(deleted))) throw new Error('checksum of a row');
      return { key, columns };
    } else if (tag === 3) {
      at++;
      const name = text();
      at += 1 + 4;
      const from = at;
      at++;
      into[name.toString()] = text().toString();
      const cell = crc8(crc8(0, name), bytes.subarray(from, at));
      if (bytes[at] !== 0x0a || bytes[at + 1] !== cell) throw new Error('checksum of a cell');
      at += 2;
      sum = crc8(sum, Buffer.of(cell));
    } else throw new Error(`part ${tag} of a row`);
  }
}

function writeRow(key: string, columns: Record<string, string>): Buffer {
  let sum = 0;
  const length = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  };
  const cell = (name: string, value: string, time: boolean): Buffer => {
    const bytes = Buffer.from(value);
    const variant = Buffer.concat([Buffer.of(3), length(bytes.length), bytes]);
    const stamp = Buffer.alloc(8, 1);
    let checksum = crc8(crc8(0, Buffer.from(name)), variant);
    if (time) checksum = crc8(checksum, stamp);
    sum = crc8(sum, Buffer.of(checksum));
    return Buffer.concat([
      Buffer.of(3, 4),
      length(Buffer.byteLength(name)),
      Buffer.from(name),
      Buffer.of(5),
      length(variant.length),
      variant,
      ...(time ? [Buffer.of(7), stamp] : []),
      Buffer.of(0x0a, checksum),
    ]);
  };
  const parts = [
    length(0x75),
    Buffer.of(1),
    cell('LockID', key, false),
    Buffer.of(2),
    ...Object.entries(columns).map(([name, value]) => cell(name, value, true)),
  ];
  return Buffer.concat([...parts, Buffer.of(9, crc8(sum, Buffer.of(0)))]);
}

function crc8(before: number, bytes: Buffer): number {
  let value = before;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x80 ? 0x107 : 0);
  }
  return value & 0xff;
}
