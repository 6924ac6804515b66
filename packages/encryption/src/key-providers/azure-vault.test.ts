import {
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  verify,
} from 'node:crypto';
import type { HttpRequest } from '@terrane/host';
import { memoryHost, type MemoryHost, type MemoryHostOptions } from '@terrane/testkit';
import forge from 'node-forge';
import { describe, expect, it } from 'vitest';
import type { KeyHost } from '../key-provider.ts';
import { AZURE_VAULT } from './azure-vault.ts';
import { providerOf } from './testing/provider-of.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const VAULT =
  'vault_uri = "https://my-vault.vault.azure.net/"\nvault_key_name = "key"\nkey_length = 32\n';
const SECRET = 'tenant_id = "tenant"\nclient_id = "client"\nclient_secret = "not-a-secret"\n';
const LOGIN = 'https://login.microsoftonline.com/tenant/oauth2/v2.0/token';
const KID = 'https://my-vault.vault.azure.net/keys/key/version1';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A key vault with an RSA key, and the token services. */
function azure(options: MemoryHostOptions = {}): {
  readonly host: KeyHost & Pick<MemoryHost, 'files'>;
  readonly asked: Asked[];
} {
  const asked: Asked[] = [];
  const answerTo = ({ url, headers, text }: Asked): [number, object, Record<string, string>?] => {
    if (!url.includes('.vault.azure.net')) {
      const named = url.includes('/identity') || url.includes('msi');
      const value = named ? { expires_on: '32503680000' } : { expires_in: 3600 };
      return url.startsWith('https://pipeline.example/')
        ? [200, { value: 'pipeline-token' }]
        : [200, { access_token: 'access', ...value }];
    }
    if (headers['authorization'] === undefined) {
      const challenge = `Bearer authorization="https://login.microsoftonline.com/vault-tenant", resource="https://vault.azure.net"`;
      return [401, {}, { 'www-authenticate': challenge }];
    }
    if (headers['authorization'] !== 'Bearer access') {
      return [403, { error: { code: 'Forbidden', message: 'not you' } }];
    }
    const { alg, value } = JSON.parse(text) as Readonly<Record<string, string>>;
    if (alg !== 'RSA-OAEP-256') return [400, { error: { code: 'BadParameter', message: 'alg' } }];
    const input = Buffer.from(value ?? '', 'base64url');
    const oaep = { oaepHash: 'sha256' };
    const done = url.includes('/encrypt?')
      ? publicEncrypt({ key: publicKey, ...oaep }, input)
      : privateDecrypt({ key: privateKey, ...oaep }, input);
    return [200, { kid: KID, value: done.toString('base64url') }];
  };
  const request = (url: string, { method = 'GET', headers = {}, body }: HttpRequest = {}) => {
    const sentRequest = { url, method, headers, text: typeof body === 'string' ? body : '' };
    asked.push(sentRequest);
    const [status, answer, more = {}] = answerTo(sentRequest);
    const pieces = async function* (): AsyncIterable<Uint8Array> {
      yield await Promise.resolve(bytes(JSON.stringify(answer)));
    };
    return Promise.resolve({ status, headers: more, url, body: pieces() });
  };
  const host = memoryHost(options);
  return { host: { ...host, http: { ...host.http, request } }, asked };
}

describe('azure_vault', () => {
  it('has a key of its own encrypted and decrypted, by the version that it was encrypted with', async () => {
    const { host, asked } = azure();
    const keys = providerOf(AZURE_VAULT, VAULT + SECRET, host);
    expect(keys.keyLength).toBe(32);
    const { key, metadata } = await keys.provide();
    const kept = JSON.parse(metadata) as Readonly<Record<string, unknown>>;
    // The format of OpenTofu.
    expect(Object.keys(kept)).toEqual([
      'ciphertext',
      'iv',
      'authentication_tag',
      'additional_authenticated_data',
      'key_version',
      'algo',
    ]);
    expect(kept).toMatchObject({ iv: null, key_version: 'version1', algo: 'RSA-OAEP-256' });
    expect(Buffer.from((await keys.recover(bytes(metadata))) ?? [])).toEqual(Buffer.from(key));
    const base = 'https://my-vault.vault.azure.net/keys/key';
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${base}/encrypt?api-version=7.4`,
      `POST ${LOGIN}`,
      `POST ${base}/encrypt?api-version=7.4`,
      `POST ${base}/version1/decrypt?api-version=7.4`,
    ]);
    // The first request is empty; it obtains the authentication challenge.
    expect(asked[0]?.text).toBe('');
    expect(Object.fromEntries(new URLSearchParams(asked[1]?.text))).toEqual({
      client_id: 'client',
      scope: 'https://vault.azure.net/.default',
      grant_type: 'client_credentials',
      client_secret: 'not-a-secret',
    });
  });

  it('reports the error of the vault without secrets', async () => {
    const { host } = azure();
    const settings = `${VAULT}${SECRET}symmetric = true\nsymmetric_key_size = 256\n`;
    const failure = await providerOf(AZURE_VAULT, settings, host)
      .provide()
      .catch((error: unknown) => String(error));
    expect(failure).toContain(
      'failed to encrypt key: POST https://my-vault.vault.azure.net/keys/key/encrypt: status 400: BadParameter: alg',
    );
    expect(failure).not.toContain('not-a-secret');
  });

  it('requests no token for a service other than the vault', async () => {
    const { host, asked } = azure();
    const other = VAULT.replace(
      'my-vault.vault.azure.net',
      'my-vault.vault.azure.net.evil.example',
    );
    await expect(providerOf(AZURE_VAULT, other + SECRET, host).provide()).rejects.toThrow(
      'wants a token for https://vault.azure.net, to which it does not belong',
    );
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['vault_key_name = ""\nvault_uri = "x"\nkey_length = 1', 'vault_key_name must be provided'],
    ['vault_key_name = "k"\nvault_uri = ""\nkey_length = 1', 'vault_uri must be provided'],
    [VAULT.replace('32', '0'), 'key_length must be at least 1'],
    [VAULT.replace('"key"', '"a_b"'), 'misconfigured key vault name or key name: invalid key name'],
    [VAULT.replace('my-vault', 'my--vault'), 'Hyphens in a key vault name must be nonconsecutive'],
    [VAULT.replace('my-vault', '1vault'), 'invalid key vault name: Azure requires'],
    [`${VAULT}symmetric = true`, 'symmetric_key_size must be given a value of 128, 192, or 256'],
  ])('refuses %s', (text, problem) => {
    expect(() => providerOf(AZURE_VAULT, text)).toThrow(problem);
  });
});

describe('authentication at a vault', () => {
  const form = ({ text }: Asked): Readonly<Record<string, string>> =>
    Object.fromEntries(new URLSearchParams(text));
  const login = async (
    text: string,
    options: MemoryHostOptions = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<Asked[]> => {
    const { host, asked } = azure(options);
    for (const [path, content] of Object.entries(files)) await host.files.writeFile(path, content);
    await providerOf(AZURE_VAULT, VAULT + text, host).provide();
    return asked.filter(({ url }) => !url.includes('.vault.azure.net'));
  };

  it('signs its assertion with a certificate', async () => {
    const made = forge.pki.createCertificate();
    made.publicKey = forge.pki.publicKeyFromPem(
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    );
    made.serialNumber = '01';
    made.validity.notAfter = new Date(Date.now() + 86_400_000);
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const key = forge.pki.privateKeyFromPem(pem);
    made.sign(key, forge.md.sha256.create());
    const pkcs12 = forge.pkcs12.toPkcs12Asn1(key, [made], 'pass', { algorithm: '3des' });
    const bundle = Buffer.from(forge.asn1.toDer(pkcs12).getBytes(), 'latin1').toString('base64');
    const text = `tenant_id = "tenant"\nclient_id = "client"\nclient_certificate = "${bundle}"\nclient_certificate_password = "pass"\n`;
    const [asked] = await login(text);
    const { client_assertion: assertion = '', client_assertion_type: type } =
      asked === undefined ? {} : form(asked);
    expect(type).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    const signed = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    );
    expect(signed).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: LOGIN,
      iss: 'client',
      sub: 'client',
    });
    await expect(login(text.replace('"pass"', '"other"'))).rejects.toThrow(
      'the client certificate cannot be read',
    );
  });

  it('uses an OIDC token: a configured one, or that of a pipeline', async () => {
    const variables = { ARM_TENANT_ID: 'tenant', ARM_CLIENT_ID: 'client', ARM_OIDC_TOKEN: 'given' };
    const [tokenRequest] = await login('use_oidc = true\n', { variables });
    expect(tokenRequest === undefined ? {} : form(tokenRequest)).toMatchObject({
      client_assertion: 'given',
    });
    const pipeline = `use_oidc = true\ntenant_id = "tenant"\nclient_id = "client"\noidc_request_url = "https://pipeline.example/token?a=b"\noidc_request_token = "bearer"\n`;
    const [request, exchange] = await login(pipeline);
    expect(request).toMatchObject({
      url: 'https://pipeline.example/token?a=b&audience=api%3A%2F%2FAzureADTokenExchange',
      headers: { authorization: 'Bearer bearer' },
    });
    expect(exchange === undefined ? {} : form(exchange)).toMatchObject({
      client_assertion: 'pipeline-token',
    });
  });

  it('is the machine, or a service that hosts the program', async () => {
    const [machine] = await login('use_msi = true\n');
    expect(machine).toMatchObject({
      url: 'http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net',
      headers: { metadata: 'true' },
    });
    const variables = {
      IDENTITY_ENDPOINT: 'http://localhost:42/msi/token',
      IDENTITY_HEADER: 'head',
    };
    const [hosted] = await login('use_msi = true\nclient_id = "client"\n', { variables });
    expect(hosted).toMatchObject({
      url: 'http://localhost:42/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fvault.azure.net&client_id=client',
      headers: { 'x-identity-header': 'head' },
    });
  });

  it('is a workload in Kubernetes', async () => {
    const variables = {
      AZURE_CLIENT_ID: 'client',
      AZURE_TENANT_ID: 'other',
      AZURE_FEDERATED_TOKEN_FILE: '/project/token',
      AZURE_AUTHORITY_HOST: 'https://login.example/',
    };
    const [asked] = await login(
      'use_aks_workload_identity = true\n',
      { variables },
      { '/project/token': 'workload-token\n' },
    );
    expect(asked?.url).toBe('https://login.example/other/oauth2/v2.0/token');
    expect(asked === undefined ? {} : form(asked)).toMatchObject({
      client_assertion: 'workload-token',
    });
  });

  it('fails without any credentials', async () => {
    await expect(login('use_cli = false\n')).rejects.toThrow('No valid azure auth methods found');
    await expect(login('use_cli = false\nclient_secret = "x"\n')).rejects.toThrow(
      'missing client ID, a client ID is required',
    );
    await expect(login(`environment = "moon"\n${SECRET}`)).rejects.toThrow(
      'while obtaining Azure cloud configuration: unknown environment "moon"',
    );
  });
});
