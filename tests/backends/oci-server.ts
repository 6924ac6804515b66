// A server for Object Storage, the token service and instance metadata as Oracle Cloud documents them, in memory.
import {
  createHash,
  createPublicKey,
  createVerify,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { Loopback, type Asked, type Said } from './loopback.ts';
import { selfSigned } from './self-signed.ts';

export const KEY_ID = 'ocid1.tenancy.oc1..t/ocid1.user.oc1..u/20:3b:97';

interface Stored {
  readonly body: Buffer;
  readonly headers: Asked['headers'];
  readonly etag: string;
}

/** One bucket with versions, and the services around it. */
export class OciServer implements AsyncDisposable {
  readonly objects: Map<string, Stored> = new Map();
  /** versions of objects that were replaced or deleted, by name and number */
  readonly versions: Map<string, string> = new Map();
  /** public keys by the numbers that requests name */
  readonly keys: Map<string, KeyObject> = new Map();
  /** what a machine shows */
  readonly machine: { readonly certificate: string; readonly key: string } = selfSigned(
    'opc-tenant:ocid1.tenancy.oc1..t',
  );
  readonly loopback: Loopback;
  #etags = 0;

  private constructor(loopback: Loopback) {
    this.loopback = loopback;
  }

  static async start(): Promise<OciServer> {
    const self: OciServer = new OciServer(await Loopback.start((asked) => self.#answer(asked)));
    return self;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.loopback.close();
  }

  #answer(asked: Asked): Said {
    if (asked.host === '169.254.169.254') return this.#metadata(asked);
    if (asked.host.startsWith('auth.')) return this.#token(asked);
    const { method, path, headers, body } = asked;
    const keyId = keyIdOf(asked);
    const key = this.keys.get(keyId);
    if (key === undefined || !isSigned(asked, key, true)) return refused(401, 'NotAuthenticated');
    const url = new URL(path, 'http://x');
    const [, bucket, what, name = ''] =
      /^\/n\/space\/b\/([^/]+)\/([^/]+)\/?(.*)$/.exec(url.pathname) ?? [];
    if (bucket !== 'bucket') return refused(404, 'BucketNotFound');
    if (what === 'objectversions') return this.#listVersions(url);
    if (name === '') return this.#list(url);
    const object = decodeURIComponent(name);
    const stored = this.objects.get(object);
    const match = headers['if-match'];
    if (match !== undefined && stored === undefined) return refused(404, 'ObjectNotFound');
    if (match !== undefined && match !== stored?.etag) return refused(412, 'IfMatchFailed');
    if (headers['if-none-match'] === '*' && stored !== undefined) {
      return refused(412, 'IfNoneMatchFailed');
    }
    switch (method) {
      case 'PUT': {
        const md5 = createHash('md5').update(body).digest('base64');
        if (headers['content-md5'] !== md5) return refused(400, 'UnmatchedContentMD5');
        const etag = `etag-${++this.#etags}`;
        this.objects.set(object, { body, headers, etag });
        this.versions.set(`version-${this.#etags}`, object);
        return { status: 200, headers: { etag } };
      }
      case 'DELETE': {
        const version = url.searchParams.get('versionId');
        if (version === null) this.objects.delete(object);
        else if (this.versions.delete(version) && ![...this.versions.values()].includes(object)) {
          this.objects.delete(object);
        }
        return stored === undefined && version === null
          ? refused(404, 'ObjectNotFound')
          : { status: 204 };
      }
      default:
        if (stored === undefined) return refused(404, 'ObjectNotFound');
        return headers['opc-sse-customer-key'] === stored.headers['opc-sse-customer-key']
          ? { status: 200, headers: { etag: stored.etag }, body: stored.body }
          : refused(400, 'InvalidEncryptionParameter');
    }
  }

  #list({ searchParams }: URL): Said {
    const prefix = searchParams.get('prefix') ?? '';
    const start = searchParams.get('start') ?? '';
    const names = [...this.objects.keys()].sort();
    const matchingNames = names.filter((name) => name.startsWith(prefix) && name >= start);
    const next = matchingNames[3];
    return json(200, {
      objects: matchingNames.slice(0, 3).map((name) => ({ name })),
      prefixes: [],
      ...(next !== undefined && { nextStartWith: next }),
    });
  }

  #listVersions({ searchParams }: URL): Said {
    const prefix = searchParams.get('prefix') ?? '';
    const from = Number(searchParams.get('page') ?? 0);
    const matchingVersions = [...this.versions].filter(([, name]) => name.startsWith(prefix));
    const items = matchingVersions
      .slice(from, from + 1)
      .map(([versionId, name]) => ({ name, versionId }));
    const { body = '' } = json(200, { items, prefixes: [] });
    const headers =
      from + 1 < matchingVersions.length
        ? { 'opc-next-page': String(from + 1) }
        : ({} as Record<string, string>);
    return { status: 200, headers, body };
  }

  #metadata({ path, headers }: Asked): Said {
    if (headers.authorization !== 'Bearer Oracle') return { status: 401 };
    const bodies: Readonly<Record<string, string>> = {
      '/opc/v2/instance/region': 'iad',
      '/opc/v2/identity/cert.pem': this.machine.certificate,
      '/opc/v2/identity/key.pem': this.machine.key,
      '/opc/v2/identity/intermediate.pem': this.machine.certificate,
    };
    const body = bodies[path];
    return body === undefined ? { status: 404 } : { status: 200, body };
  }

  #token(asked: Asked): Said {
    const { certificate, publicKey } = JSON.parse(asked.body.toString()) as Readonly<
      Record<string, string>
    >;
    const shown = new X509Certificate(Buffer.from(certificate ?? '', 'base64'));
    const keyId = `ocid1.tenancy.oc1..t/fed-x509-sha256/${shown.fingerprint256.toLowerCase()}`;
    if (keyIdOf(asked) !== keyId || !isSigned(asked, shown.publicKey, false)) {
      return json(401, { code: 'NotAuthenticated', message: 'no' });
    }
    const claims = Buffer.from(JSON.stringify({ exp: 32_503_680_000 })).toString('base64url');
    const token = `head.${claims}.${this.keys.size}`;
    const key = createPublicKey({
      key: Buffer.from(publicKey ?? '', 'base64'),
      format: 'der',
      type: 'spki',
    });
    this.keys.set(`ST$${token}`, key);
    return json(200, { token });
  }
}

function keyIdOf({ headers }: Asked): string {
  return /keyId="([^"]*)"/.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Returns true if a request is signed by a key, with all parts that must be signed. */
function isSigned(
  { method, host, path, headers, body }: Asked,
  key: KeyObject,
  withHost: boolean,
): boolean {
  const [, list = '', signature = ''] =
    /^Signature version="1",headers="([^"]*)",keyId="[^"]*",algorithm="rsa-sha256",signature="([^"]*)"$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const hasBody = method === 'PUT' || method === 'POST';
  const wanted = [
    'date',
    '(request-target)',
    ...(withHost ? ['host'] : []),
    ...(hasBody ? ['content-length', 'content-type', 'x-content-sha256'] : []),
  ];
  if (list !== wanted.join(' ')) return false;
  const sha256 = createHash('sha256').update(body).digest('base64');
  if (hasBody && headers['x-content-sha256'] !== sha256) return false;
  const lines = wanted.map((name) => {
    if (name === '(request-target)') return `${name}: ${method.toLowerCase()} ${path}`;
    return `${name}: ${name === 'host' ? host : String(headers[name])}`;
  });
  return createVerify('RSA-SHA256').update(lines.join('\n')).verify(key, signature, 'base64');
}

function json(status: number, body: object): Said {
  return { status, headers: { 'opc-request-id': 'REQUEST' }, body: JSON.stringify(body) };
}

function refused(status: number, code: string): Said {
  return json(status, { code, message: 'It is not so.' });
}
