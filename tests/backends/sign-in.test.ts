// Requests for tokens by the `azurerm` and `gcs` backends, and the use of the tokens.
import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import forge from 'node-forge';
import type { Given } from './given.ts';
import { hostWith, openBackend } from './locks.ts';
import { hostThrough, Loopback, type Asked, type Said } from './loopback.ts';
import { selfSigned } from './self-signed.ts';

const TENANT = '11111111-1111-1111-1111-111111111111';
const { certificate: CERTIFICATE, key: KEY } = selfSigned('client');

let server: Loopback;
let directory = '';
beforeAll(async () => {
  server = await Loopback.start(answer);
  directory = await mkdtemp(join(tmpdir(), 'terrane-sign-in-'));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  server.exchanges.length = 0;
});

function json(body: object): Said {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function answer({ host, path }: Asked): Said {
  if (host === 'login.microsoftonline.com') {
    const tenant = `https://${host}/${TENANT}`;
    return path.includes('/.well-known/openid-configuration')
      ? json({
          token_endpoint: `${tenant}/oauth2/v2.0/token`,
          authorization_endpoint: `${tenant}/oauth2/v2.0/authorize`,
          issuer: `${tenant}/v2.0`,
        })
      : json({ token_type: 'Bearer', expires_in: 3600, access_token: 'azure' });
  }
  if (host.startsWith('pipeline.')) return json({ value: 'of-github', oidcToken: 'of-devops' });
  if (host === '169.254.169.254' || host.startsWith('identity.')) {
    return json({ access_token: 'azure', expires_on: '32503680000' });
  }
  if (host === 'management.azure.com') {
    const primaryEndpoints = { blob: 'https://account.blob.core.windows.net/' };
    return json({
      properties: { primaryEndpoints },
      keys: [{ value: Buffer.from('key').toString('base64'), permissions: 'FULL' }],
    });
  }
  if (host.endsWith('.blob.core.windows.net')) {
    return {
      status: 404,
      headers: { 'x-ms-error-code': 'BlobNotFound', 'content-type': 'application/xml' },
      body: '<?xml version="1.0"?><Error><Code>BlobNotFound</Code></Error>',
    };
  }
  if (host === 'iamcredentials.googleapis.com') {
    return json({ accessToken: 'impersonated', expireTime: '2999-01-01T00:00:00Z' });
  }
  return host === 'storage.googleapis.com'
    ? { status: 404, body: '{"error":{"message":"No such object"}}' }
    : json({ token_type: 'Bearer', expires_in: 3600, access_token: 'google' });
}

/** Reads a state, and gives all that was asked on the way. */
async function asked(
  type: string,
  args: Given,
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly Asked[]> {
  const host = hostThrough(hostWith(variables), server.origin);
  const storage = await (await openBackend(type, args, host)).storage('default');
  expect(await storage.read()).toBeUndefined();
  return server.exchanges.map((exchange) => exchange.asked);
}

const formIn = ({ body }: Asked): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(body.toString()));

function claimsIn(token: string): unknown {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { readonly alg: string };
  const isPss = alg === 'PS256';
  const key = { key: createPublicKey(KEY), ...(isPss && { padding: 6, saltLength: 32 }) };
  const signed = Buffer.from(`${head}.${claims}`);
  expect(verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

describe('at Azure', () => {
  const account = {
    storage_account_name: 'account',
    container_name: 'states',
    key: 'x.tfstate',
    use_azuread_auth: true,
  };
  const client = { tenant_id: TENANT, client_id: 'client' };
  const scope = 'https://storage.azure.com/.default';
  /** what the exchange for a token was, and that the token was used */
  const exchanged = async (
    more: Given,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<string, string>>> => {
    const all = await asked('azurerm', { ...account, ...more }, variables);
    const blob = all.find(({ host }) => host === 'account.blob.core.windows.net');
    expect(blob?.headers.authorization).toBe('Bearer azure');
    const exchange = all.find(({ method, path }) => method === 'POST' && path.includes('/token'));
    expect(exchange?.path).toMatch(new RegExp(`^/${TENANT}/oauth2/v2.0/token`));
    const form = exchange === undefined ? {} : formIn(exchange);
    expect(form).toMatchObject({ client_id: 'client', grant_type: 'client_credentials' });
    expect(form['scope']?.split(' ')).toContain(scope);
    return form;
  };

  it('a client shows its secret, written down or in a file', async () => {
    expect(await exchanged({ ...client, client_secret: 'not-a-secret' })).toMatchObject({
      client_secret: 'not-a-secret',
    });
    const file = join(directory, 'secret');
    await writeFile(file, 'of-a-file\n');
    server.exchanges.length = 0;
    const variables = {
      ARM_TENANT_ID: TENANT,
      ARM_CLIENT_ID: 'client',
      ARM_CLIENT_SECRET_FILE_PATH: file,
    };
    expect(await exchanged({}, variables)).toMatchObject({ client_secret: 'of-a-file' });
  });

  it('a client signs with its certificate, of PKCS#12', async () => {
    const { pki } = forge;
    const made = forge.pkcs12.toPkcs12Asn1(
      pki.privateKeyFromPem(KEY),
      [pki.certificateFromPem(CERTIFICATE)],
      'pass',
      { algorithm: '3des' },
    );
    const file = join(directory, 'client.pfx');
    await writeFile(file, Buffer.from(forge.asn1.toDer(made).getBytes(), 'latin1'));
    const form = await exchanged({
      ...client,
      client_certificate_path: file,
      client_certificate_password: 'pass',
    });
    expect(form['client_assertion_type']).toContain('jwt-bearer');
    expect(claimsIn(form['client_assertion'] ?? '')).toMatchObject({
      iss: 'client',
      sub: 'client',
    });
  });

  it('a client shows the token of another client', async () => {
    const oidc = { ...client, use_oidc: true };
    expect(await exchanged({ ...oidc, oidc_token: 'given' })).toMatchObject({
      client_assertion: 'given',
    });
    const request = { oidc_request_url: 'https://pipeline.test/t', oidc_request_token: 'bearer' };
    server.exchanges.length = 0;
    expect(await exchanged({ ...oidc, ...request })).toMatchObject({
      client_assertion: 'of-github',
    });
    const [first] = server.exchanges
      .map((exchange) => exchange.asked)
      .filter(({ host }) => host === 'pipeline.test');
    expect(first).toMatchObject({ path: '/t?audience=api%3A%2F%2FAzureADTokenExchange' });
    expect(first?.headers.authorization).toBe('Bearer bearer');
    server.exchanges.length = 0;
    const devops = { ado_pipeline_service_connection_id: 'connection' };
    expect(await exchanged({ ...oidc, ...request, ...devops })).toMatchObject({
      client_assertion: 'of-devops',
    });
    const file = join(directory, 'token');
    await writeFile(file, 'of-a-workload');
    server.exchanges.length = 0;
    const workload = {
      ARM_USE_AKS_WORKLOAD_IDENTITY: 'true',
      AZURE_FEDERATED_TOKEN_FILE: file,
      AZURE_CLIENT_ID: 'client',
      AZURE_TENANT_ID: TENANT,
    };
    expect(await exchanged({}, workload)).toMatchObject({ client_assertion: 'of-a-workload' });
  });

  it('the machine has an identity', async () => {
    for (const variables of [{}, { ARM_MSI_ENDPOINT: 'http://identity.test/token' }]) {
      server.exchanges.length = 0;
      const args = { ...account, use_msi: true, client_id: 'client' };
      const [first, last] = await asked('azurerm', args, variables);
      expect(first?.path).toMatch(
        /\/token\?api-version=2018-02-01&resource=https%3A%2F%2Fstorage.azure.com&client_id=client$/,
      );
      expect(first?.headers['metadata']).toBe('true');
      expect(last?.headers.authorization).toBe('Bearer azure');
    }
  });

  it('requests the key of the account if the user has no read permission', async () => {
    const args = {
      ...account,
      ...client,
      use_azuread_auth: false,
      client_secret: 'not-a-secret',
      subscription_id: 'subscription',
      resource_group_name: 'group',
    };
    const all = await asked('azurerm', args);
    const listed = all.findLast(({ host }) => host === 'management.azure.com');
    expect(listed?.path).toContain(
      '/subscriptions/subscription/resourceGroups/group/providers/Microsoft.Storage/storageAccounts/account/listKeys',
    );
    expect(listed?.headers.authorization).toBe('Bearer azure');
    expect(all.at(-1)?.headers.authorization).toMatch(/^SharedKey account:/);
  });
});

describe('at Google', () => {
  const bucket = { bucket: 'states' };
  const account = {
    type: 'service_account',
    project_id: 'project',
    private_key_id: 'id',
    private_key: KEY,
    client_email: 'me@project.iam.gserviceaccount.com',
    client_id: '1',
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  const authorization = (all: readonly Asked[]): unknown =>
    all.find(({ host }) => host === 'storage.googleapis.com')?.headers.authorization;
  const before = process.env['GOOGLE_APPLICATION_CREDENTIALS'];
  afterEach(() => {
    if (before === undefined) delete process.env['GOOGLE_APPLICATION_CREDENTIALS'];
    else process.env['GOOGLE_APPLICATION_CREDENTIALS'] = before;
  });

  it('a token is used unchanged', async () => {
    const all = await asked('gcs', bucket, { GOOGLE_OAUTH_ACCESS_TOKEN: 'given' });
    expect(all).toHaveLength(1);
    expect(authorization(all)).toBe('Bearer given');
  });

  it('an account signs with its key: as JSON, in a file, or where Google looks for one', async () => {
    const file = join(directory, 'account.json');
    await writeFile(file, JSON.stringify(account));
    const ways: readonly (readonly [Given, Readonly<Record<string, string>>])[] = [
      [{ credentials: JSON.stringify(account) }, {}],
      [{ credentials: file }, {}],
      [{}, { GOOGLE_BACKEND_CREDENTIALS: file }],
      [{}, {}],
    ];
    for (const [args, variables] of ways) {
      server.exchanges.length = 0;
      // The last one is Google's own library's to find.
      process.env['GOOGLE_APPLICATION_CREDENTIALS'] = file;
      const all = await asked('gcs', { ...bucket, ...args }, variables);
      expect(authorization(all)).toBe('Bearer google');
      const exchange = all.find(({ path }) => path.includes('token'));
      const { assertion = '', grant_type: grant } = exchange === undefined ? {} : formIn(exchange);
      expect(grant).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
      expect(claimsIn(assertion)).toMatchObject({
        iss: 'me@project.iam.gserviceaccount.com',
        scope: 'https://www.googleapis.com/auth/devstorage.full_control',
      });
    }
  });

  it('a user is whom gcloud has logged in', async () => {
    const file = join(directory, 'user.json');
    const user = {
      type: 'authorized_user',
      client_id: 'client',
      client_secret: 'not-a-secret',
      refresh_token: 'refresh',
    };
    await writeFile(file, JSON.stringify(user));
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = file;
    const all = await asked('gcs', bucket);
    expect(authorization(all)).toBe('Bearer google');
    const exchange = all.find(({ path }) => path.includes('token'));
    expect(exchange === undefined ? {} : formIn(exchange)).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh',
      client_id: 'client',
    });
  });

  it('another account is acted for', async () => {
    const other = 'other@project.iam.gserviceaccount.com';
    const args = {
      ...bucket,
      access_token: 'given',
      impersonate_service_account: other,
      impersonate_service_account_delegates: ['between@project.iam.gserviceaccount.com'],
    };
    const all = await asked('gcs', args);
    expect(authorization(all)).toBe('Bearer impersonated');
    const request = all.find(({ host }) => host === 'iamcredentials.googleapis.com');
    expect(request?.path).toBe(`/v1/projects/-/serviceAccounts/${other}:generateAccessToken`);
    expect(request?.headers.authorization).toBe('Bearer given');
    expect(JSON.parse(request?.body.toString() ?? '')).toMatchObject({
      delegates: ['between@project.iam.gserviceaccount.com'],
      scope: ['https://www.googleapis.com/auth/devstorage.read_write'],
      lifetime: '3600s',
    });
  });
});
