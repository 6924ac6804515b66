// Sources of credentials for buckets: files, token services, and metadata servers of containers and machines, which all
// run on loopback here.
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseGoUrl } from '@terrane/addresses';
import { nodeHost } from '@terrane/host';
import { afterEach, describe, expect, test } from 'vitest';
import { awsCredentials } from './aws-credentials.ts';
import type { FetchContext } from './fetch-context.ts';
import { googleToken } from './google-token.ts';
import { S3_GETTER } from './s3-getter.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Answer {
  readonly status?: number;
  readonly body: string;
}

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** A server that answers by path and records its requests. */
async function serve(
  answers: Readonly<Record<string, Answer>>,
): Promise<{ readonly url: string; readonly host: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, path: url, headers, body });
      const answer = answers[`${method} ${url}`] ?? { status: 404, body: 'nothing here' };
      response.writeHead(answer.status ?? 200).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  // It listens on a port, not on a path.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked };
}

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'cloud-credentials-'));
  undo.push(() => rmSync(home, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

function contextOf(home: string, variables: Readonly<Record<string, string>>): FetchContext {
  const host = nodeHost();
  const get = (name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  const environment = { ...host.environment, homeDirectory: home, get, entries: () => [] };
  return { host: { ...host, environment }, signal: new AbortController().signal, scratch: home };
}

const DISABLED = { AWS_EC2_METADATA_DISABLED: 'true' };
const keysXml = (id: string): string =>
  `<R><Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken></Credentials></R>`;
const keysJson = (id: string): string =>
  JSON.stringify({ AccessKeyId: id, SecretAccessKey: 's', Token: 't' });
const credentialsWith = (id: string) => ({
  accessKeyId: id,
  secretAccessKey: 's',
  sessionToken: 't',
});

describe('of AWS', () => {
  test('a profile with a role requests its keys with those of its source profile', async () => {
    const sts = await serve({ 'POST /': { body: keysXml('ROLE') } });
    const home = homeWith({
      '.aws/config':
        '[profile deploy]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = base\nexternal_id = x1\n',
      '.aws/credentials': '[base]\naws_access_key_id = BASE\naws_secret_access_key = secret\n',
    });
    const context = contextOf(home, { ...DISABLED, AWS_ENDPOINT_URL_STS: sts.url });
    expect(await awsCredentials(context, 'deploy', 'eu-west-1')).toEqual(credentialsWith('ROLE'));
    const [asked] = sts.asked;
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      Action: 'AssumeRole',
      ExternalId: 'x1',
      RoleArn: 'arn:aws:iam::1:role/r',
      RoleSessionName: 'terrane',
      Version: '2011-06-15',
    });
    expect(asked?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=BASE\/\d{8}\/eu-west-1\/sts\/aws4_request, /,
    );
  });

  test('a denied role is reported without keys', async () => {
    const denied = '<E><Error><Code>AccessDenied</Code><Message>not you</Message></Error></E>';
    const sts = await serve({ 'POST /': { status: 403, body: denied } });
    const home = homeWith({
      '.aws/config': '[default]\nrole_arn = r\nsource_profile = base\n',
      '.aws/credentials': '[base]\naws_access_key_id = BASE\naws_secret_access_key = secret\n',
    });
    const context = contextOf(home, { AWS_ENDPOINT_URL: sts.url });
    const asking = awsCredentials(context, '', 'eu-west-1');
    await expect(asking).rejects.toThrow('AccessDenied: not you\n\tstatus code: 403');
  });

  test('a web identity is exchanged for keys of a role, unsigned', async () => {
    const sts = await serve({ 'POST /': { body: keysXml('WEB') } });
    const home = homeWith({ token: 'the token\n' });
    const context = contextOf(home, {
      ...DISABLED,
      AWS_ENDPOINT_URL_STS: sts.url,
      AWS_WEB_IDENTITY_TOKEN_FILE: join(home, 'token'),
      AWS_ROLE_ARN: 'arn:role',
      AWS_ROLE_SESSION_NAME: 'ci',
    });
    expect(await awsCredentials(context, '', 'us-east-1')).toEqual(credentialsWith('WEB'));
    const form = Object.fromEntries(new URLSearchParams(sts.asked[0]?.body));
    expect(form).toMatchObject({ WebIdentityToken: 'the token', RoleSessionName: 'ci' });
    expect(sts.asked[0]?.headers['authorization']).toBeUndefined();
  });

  test.each(['AWS_CONTAINER_AUTHORIZATION_TOKEN', 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'])(
    'a container provides keys for the token of %s',
    async (variable) => {
      const container = await serve({ 'GET /role': { body: keysJson('BOX') } });
      const home = homeWith({ token: 'secret\n' });
      const value = variable.endsWith('_FILE') ? join(home, 'token') : 'secret';
      const context = contextOf(home, {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${container.url}/role`,
        [variable]: value,
      });
      expect(await awsCredentials(context, '', 'us-east-1')).toEqual(credentialsWith('BOX'));
      expect(container.asked[0]?.headers['authorization']).toBe('secret');
    },
  );

  const ROLES = '/latest/meta-data/iam/security-credentials/';

  test('a machine provides the keys of its role, for a session token', async () => {
    const machine = await serve({
      'PUT /latest/api/token': { body: 'session' },
      [`GET ${ROLES}`]: { body: 'worker\n' },
      [`GET ${ROLES}worker`]: { body: keysJson('VM') },
    });
    const context = contextOf(homeWith({}), {
      AWS_EC2_METADATA_SERVICE_ENDPOINT: `${machine.url}/`,
    });
    expect(await awsCredentials(context, '', 'us-east-1')).toEqual(credentialsWith('VM'));
    expect(machine.asked.map(({ headers }) => headers['x-aws-ec2-metadata-token'])).toEqual([
      undefined,
      'session',
      'session',
    ]);
  });

  test('a machine without tokens is queried without, and one without a role provides no keys', async () => {
    const old = await serve({
      [`GET ${ROLES}`]: { body: 'worker' },
      [`GET ${ROLES}worker`]: { body: keysJson('OLD') },
    });
    const asking = contextOf(homeWith({}), { AWS_METADATA_URL: `${old.url}/latest` });
    expect(await awsCredentials(asking, '', 'us-east-1')).toEqual(credentialsWith('OLD'));
    expect(old.asked.at(-1)?.headers['x-aws-ec2-metadata-token']).toBeUndefined();
    const bare = await serve({ 'PUT /latest/api/token': { body: 'session' } });
    const none = contextOf(homeWith({}), { AWS_METADATA_URL: bare.url });
    expect(await awsCredentials(none, '', 'us-east-1')).toBeUndefined();
    const off = contextOf(homeWith({}), { ...DISABLED, AWS_METADATA_URL: old.url });
    expect(await awsCredentials(off, '', 'us-east-1')).toBeUndefined();
  });
});

describe('of Google', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const account = (uri: string, key: string = privateKey): string =>
    JSON.stringify({
      type: 'service_account',
      client_email: 'robot@example.com',
      private_key: key,
      token_uri: uri,
    });

  test('a service account signs for a token', async () => {
    const server = await serve({ 'POST /token': { body: '{"access_token":"gold"}' } });
    const home = homeWith({ 'key.json': account(`${server.url}/token`) });
    const path = join(home, 'key.json');
    const context = contextOf(home, { GOOGLE_APPLICATION_CREDENTIALS: path });
    expect(await googleToken(context)).toBe('gold');
    const form = new URLSearchParams(server.asked[0]?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const verifier = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(verifier.verify(publicKey, signature, 'base64url')).toBe(true);
    const claimSet = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Readonly<
      Record<string, unknown>
    >;
    expect(claimSet).toMatchObject({
      iss: 'robot@example.com',
      aud: `${server.url}/token`,
      scope: 'https://www.googleapis.com/auth/devstorage.read_only',
    });
    expect(Number(claimSet['exp']) - Number(claimSet['iat'])).toBe(3600);
  });

  test('a user has a token refreshed', async () => {
    const server = await serve({ 'POST /token': { body: '{"access_token":"fresh"}' } });
    const file = {
      type: 'authorized_user',
      client_id: 'id',
      client_secret: 'secret',
      refresh_token: 'refresh',
      token_uri: `${server.url}/token`,
    };
    const home = homeWith({
      '.config/gcloud/application_default_credentials.json': JSON.stringify(file),
    });
    expect(await googleToken(contextOf(home, {}))).toBe('fresh');
    expect(Object.fromEntries(new URLSearchParams(server.asked[0]?.body))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'id',
      client_secret: 'secret',
      refresh_token: 'refresh',
    });
  });

  test('a machine provides a token to requests with the metadata header', async () => {
    const path = '/computeMetadata/v1/instance/service-accounts/default/token';
    const machine = await serve({ [`GET ${path}`]: { body: '{"access_token":"vm"}' } });
    const context = contextOf(homeWith({}), { GCE_METADATA_HOST: machine.host });
    expect(await googleToken(context)).toBe('vm');
    expect(machine.asked[0]?.headers['metadata-flavor']).toBe('Google');
    const bare = await serve({});
    const none = contextOf(homeWith({}), { GCE_METADATA_HOST: bare.host });
    expect(await googleToken(none)).toBeUndefined();
  });

  test.each([
    ['a server that refuses', 'refused', privateKey, 'oauth2: cannot fetch token: 404'],
    ['a key that is none', 'token', 'no key', 'the private key of the credentials cannot be used'],
  ])('%s is reported without the key', async (_, at, key, message) => {
    const server = await serve({ 'POST /token': { body: '{"access_token":"gold"}' } });
    const home = homeWith({ 'key.json': account(`${server.url}/${at}`, key) });
    const path = join(home, 'key.json');
    const asking = googleToken(contextOf(home, { GOOGLE_APPLICATION_CREDENTIALS: path }));
    const problem = await asking.catch((error: unknown) => String(error));
    expect(problem).toContain(message);
    expect(problem).not.toContain(key);
  });
});

test.each([
  [
    '<ListBucketResult><Contents><Key>dir/a',
    'SerializationError: the response is not well-formed XML',
  ],
  [
    '<!DOCTYPE a [<!ENTITY k "dir/a">]><ListBucketResult><Key>&k;</Key></ListBucketResult>',
    'SerializationError: the XML of the response has a document type',
  ],
  ['<ListBucketResult/>', 'no objects found below dir'],
])('a listing of a bucket "%s" is rejected: %s', async (body, message) => {
  const { url } = await serve({ 'GET /bucket?list-type=2&prefix=dir': { body } });
  const home = homeWith({});
  const source = parseGoUrl(`${url}/bucket/dir?aws_access_key_id=i&aws_access_key_secret=s`);
  if (!('host' in source)) throw new Error('not a URL');
  const directory = S3_GETTER.directory?.(contextOf(home, DISABLED), source, join(home, 'to'));
  await expect(directory).rejects.toThrow(message);
});
