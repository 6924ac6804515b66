// Arguments of backends that OpenTofu has and Terraform 1.11 has not: what they make of requests.
import { map, number, set, str, STRING, TRUE, type Value } from '@terrane/cty';
import { nodeHost, type Host, type HttpRequest } from '@terrane/host';
import { expect, it } from 'vitest';
import { bytesOf, lockOf, openBackend, problemsOf } from './open-backend.ts';
import { StateServer } from './state-server.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A host whose servers say that there is nothing, and take what they are given. */
function recording(variables: Readonly<Record<string, string>> = {}): {
  readonly host: Host;
  readonly asked: Asked[];
} {
  const asked: Asked[] = [];
  const host = nodeHost();
  const request = (url: string, { method = 'GET', headers = {}, body }: HttpRequest = {}) => {
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    asked.push({
      method,
      url,
      headers: Object.fromEntries(lower) as Record<string, string>,
      body: body === undefined ? '' : Buffer.from(body).toString(),
    });
    const isAzure = url.includes('blob.core');
    const status = method === 'GET' || method === 'HEAD' ? 404 : isAzure ? 201 : 200;
    const answer = method === 'POST' ? '{"generation":"1"}' : '';
    return Promise.resolve({
      status,
      url,
      headers: { etag: '"1"', 'x-ms-error-code': 'BlobNotFound', 'last-modified': 'now' },
      body: (async function* () {
        await Promise.resolve();
        yield bytesOf(answer);
      })(),
    });
  };
  const environment = Object.assign(Object.create(host.environment) as Host['environment'], {
    get: (name: string) => variables[name],
    entries: () => Object.entries(variables),
  });
  return { host: { ...host, environment, http: { ...host.http, request } }, asked };
}

async function write(
  type: string,
  values: Readonly<Record<string, Value>>,
  variables: Readonly<Record<string, string>> = {},
  withLock = false,
): Promise<readonly Asked[]> {
  const { host, asked } = recording(variables);
  const storage = await (await openBackend(type, values, variables, host)).storage('default');
  if (withLock) await storage.lock?.(lockOf('1'));
  await storage.read();
  await storage.write([bytesOf('{}')]);
  return asked;
}

const texts = (of: Readonly<Record<string, string>>): Value =>
  map(
    STRING,
    Object.entries(of).map(([name, text]) => [name, str(text)] as const),
  );

it('headers of http go with each request, and are refused where they could change it', async () => {
  await using server = await StateServer.start();
  const at = { address: str(server.address), lock_address: str(server.address) };
  const values = { ...at, headers: texts({ 'X-Team': 'a', Authorization: 'Bearer t' }) };
  const storage = await (await openBackend('http', values)).storage('default');
  await storage.lock?.(lockOf('1'));
  await storage.read();
  await storage.write([bytesOf('{}')]);
  expect(server.asked.length).toBeGreaterThan(2);
  for (const { headers } of server.asked) {
    expect(headers).toMatchObject({ 'x-team': 'a', authorization: 'Bearer t' });
  }
  const problem = async (headers: Value, more = {}): Promise<string | undefined> =>
    (await problemsOf('http', { ...at, headers, ...more }))[0]?.summary;
  expect(await problem(texts({ 'a b': 'x' }))).toContain('name must not be empty');
  expect(await problem(texts({ a: 'x\r\nb: y' }))).toContain('only contain ascii');
  expect(await problem(texts({ 'Content-MD5': 'x' }))).toContain('is reserved');
  expect(await problem(texts({ Authorization: 'x' }), { username: str('u') })).toContain(
    'cannot be set when providing username',
  );
});

const S3 = { bucket: str('b'), key: str('k'), region: str('eu-west-1') };
const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

it('states and locks of s3 get their tags', async () => {
  const tags = {
    state_tags: texts({ team: 'a b', stage: 'x&y' }),
    lock_tags: texts({ kind: 'lock' }),
  };
  const more = { use_lockfile: TRUE, use_path_style: TRUE, skip_credentials_validation: TRUE };
  const asked = await write('s3', { ...S3, ...tags, ...more }, KEYS, true);
  const puts = asked.filter(({ method }) => method === 'PUT');
  expect(puts.map(({ url, headers }) => [new URL(url).pathname, headers['x-amz-tagging']])).toEqual(
    [
      ['/b/k.tflock', 'kind=lock'],
      ['/b/k', 'stage=x%26y&team=a+b'],
    ],
  );
});

it('the role of s3 may be in separate arguments, with a warning, and not twice', async () => {
  const role = {
    role_arn: str('arn:aws:iam::123456789012:role/r'),
    session_name: str('session'),
    assume_role_duration_seconds: number(900),
    assume_role_policy_arns: set(STRING, [str('arn:aws:iam::aws:policy/p')]),
  };
  const [warning, ...others] = await problemsOf('s3', { ...S3, ...role }, KEYS);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ severity: 'warning', summary: 'Deprecated Parameters' });
  expect(warning?.detail).toContain('  * role_arn                     -> assume_role.role_arn\n');
  const bad = await problemsOf('s3', { ...S3, role_arn: str('nope') }, KEYS);
  expect(bad.map(({ severity }) => severity)).toContain('error');
  const { host, asked } = recording(KEYS);
  await openBackend('s3', { ...S3, ...role }, KEYS, host).catch(() => undefined);
  const [assumed] = asked.filter(({ url }) => url.includes('sts'));
  expect(assumed?.body).toContain('RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fr');
  expect(assumed?.body).toContain('DurationSeconds=900');
});

const AZURE = {
  storage_account_name: str('account'),
  container_name: str('c'),
  key: str('k'),
  access_key: str('a2V5'),
};

it('blobs of azurerm are encrypted by a scope, or by a key that is shown for reading, too', async () => {
  const scoped = await write('azurerm', { ...AZURE, encryption_scope: str('scope') });
  expect(scoped.at(-1)?.headers['x-ms-encryption-scope']).toBe('scope');
  const key = Buffer.alloc(32, 1).toString('base64');
  const keyed = await write('azurerm', { ...AZURE, customer_provided_key: str(key) });
  for (const { headers } of keyed) {
    expect(headers['x-ms-encryption-key']).toBe(key);
    expect(headers['x-ms-encryption-algorithm']).toBe('AES256');
  }
  const problem = async (more: Readonly<Record<string, Value>>): Promise<string | undefined> =>
    (await problemsOf('azurerm', { ...AZURE, ...more }))[0]?.summary;
  expect(await problem({ customer_provided_key: str('AAAA') })).toContain('and is 3 bytes');
  expect(await problem({ customer_provided_key: str(key), encryption_scope: str('x') })).toContain(
    'conflicts with encryption_scope',
  );
  expect(await problem({ timeout_seconds: number(0) })).toContain('timeout_seconds');
  expect(await problem({ timeout_seconds: number(5) })).toBeUndefined();
  expect(await problem({ ado_service_connection_id: str('x') })).toBeUndefined();
});

it('gcs uses the configured universe', async () => {
  const values = { bucket: str('b'), universe_domain: str('s3nsapis.fr'), access_token: str('t') };
  const asked = await write('gcs', values);
  expect(new Set(asked.map(({ url }) => new URL(url).host))).toEqual(
    new Set(['storage.s3nsapis.fr']),
  );
  const bad = await problemsOf('gcs', { ...values, universe_domain: str('evil.test/x?') });
  expect(bad[0]?.summary).toContain('universe_domain must be a domain');
});
