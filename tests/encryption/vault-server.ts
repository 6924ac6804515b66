// A key vault and a token service as Microsoft documents them, in memory, behind a proxy.
import {
  constants,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  type KeyObject,
} from 'node:crypto';
import { Loopback, type Asked, type Said } from '../backends/loopback.ts';
import { selfSigned } from '../backends/self-signed.ts';

const LOGIN = 'login.microsoftonline.com';
const VAULT = 'my-vault.vault.azure.net';
const VERSION = '0123456789abcdef0123456789abcdef';

/** A vault with one key, `key`, for the client `client` with the secret `not-a-secret`. */
export class VaultServer implements AsyncDisposable {
  /** authorities whom programs have to trust, as PEM */
  readonly authority: string;
  readonly loopback: Loopback;
  readonly #key: KeyObject;

  private constructor(loopback: Loopback, authority: string, key: KeyObject) {
    this.loopback = loopback;
    this.authority = authority;
    this.#key = key;
  }

  static async start(): Promise<VaultServer> {
    const { certificate, key } = selfSigned(VAULT, LOGIN, 'login.microsoft.com');
    const tls = { cert: certificate, key };
    const loopback = await Loopback.start((asked) => self.#answer(asked), tls);
    const vaultKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const self: VaultServer = new VaultServer(loopback, certificate, vaultKey);
    return self;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.loopback.close();
  }

  #answer(asked: Asked): Said {
    return asked.host.startsWith(VAULT) ? this.#vault(asked) : login(asked);
  }

  #vault({ method, path, headers, body }: Asked): Said {
    if (headers.authorization === undefined) {
      const challenge = `Bearer authorization="https://${LOGIN}/11111111-1111-1111-1111-111111111111", resource="https://vault.azure.net"`;
      return json(401, { error: { code: 'Unauthorized' } }, { 'www-authenticate': challenge });
    }
    if (headers.authorization !== 'Bearer access')
      return json(403, { error: { code: 'Forbidden' } });
    const [, version = '', operation] =
      /^\/keys\/key(?:\/([^/]*))?\/(encrypt|decrypt)\?api-version=[\d.]+(?:-preview\.\d+)?$/.exec(
        path,
      ) ?? [];
    if (method !== 'POST' || (version !== '' && version !== VERSION)) {
      return json(404, { error: { code: 'KeyNotFound', message: 'There is no such key.' } });
    }
    const { alg, value } = JSON.parse(body.toString()) as Readonly<Record<string, string>>;
    if (alg !== 'RSA-OAEP-256') return json(400, { error: { code: 'BadParameter' } });
    const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    const input = Buffer.from(value ?? '', 'base64url');
    const done =
      operation === 'encrypt'
        ? publicEncrypt({ key: this.#key, ...oaep }, input)
        : privateDecrypt({ key: this.#key, ...oaep }, input);
    const kid = `https://${VAULT}/keys/key/${VERSION}`;
    return json(200, { kid, value: done.toString('base64url') });
  }
}

function login({ path, body }: Asked): Said {
  const tenant = `https://${LOGIN}/11111111-1111-1111-1111-111111111111`;
  if (path.includes('/discovery/instance')) {
    return json(200, {
      tenant_discovery_endpoint: `${tenant}/v2.0/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: [{ preferred_network: LOGIN, preferred_cache: LOGIN, aliases: [LOGIN] }],
    });
  }
  if (path.includes('/.well-known/openid-configuration')) {
    return json(200, {
      token_endpoint: `${tenant}/oauth2/v2.0/token`,
      authorization_endpoint: `${tenant}/oauth2/v2.0/authorize`,
      issuer: `${tenant}/v2.0`,
    });
  }
  const form = new URLSearchParams(body.toString());
  const isClient =
    path.startsWith('/11111111-1111-1111-1111-111111111111/oauth2/v2.0/token') &&
    form.get('client_id') === 'client' &&
    form.get('client_secret') === 'not-a-secret' &&
    (form.get('scope') ?? '').split(' ').includes('https://vault.azure.net/.default');
  return isClient
    ? json(200, {
        token_type: 'Bearer',
        expires_in: 3600,
        ext_expires_in: 3600,
        access_token: 'access',
      })
    : json(401, { error: 'invalid_client', error_description: 'not you' });
}

function json(status: number, body: object, more: Readonly<Record<string, string>> = {}): Said {
  return {
    status,
    headers: { 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  };
}
