// Sign-in with an OpenID Connect provider, and the identity of runs for clouds.
import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, jwtVerify } from 'jose';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken } from './server.ts';
import { testServer, type TestServer } from './testing.ts';

let http: HttpServer;
let issuer: string;
let test: TestServer;
/** claims of the accounts of the provider, by their login */
const accounts: Record<string, Record<string, unknown>> = {
  'ada-login': { email: 'Ada@example.com', email_verified: true, groups: [] },
  'eve-login': { email: 'ada@example.com', email_verified: false, groups: ['admins'] },
  'bob-login': {
    email: 'bob@example.com',
    email_verified: true,
    preferred_username: 'bob',
    groups: ['admins'],
  },
};

beforeAll(async () => {
  http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // A TCP server has an address with a port.
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'terrane',
        client_secret: 'a secret of the client',
        redirect_uris: ['https://server.test/app/-/single-sign-on/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'groups'],
      profile: ['preferred_username'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts[id] }),
    }),
  });
  const callback = provider.callback();
  http.on('request', (request, response) => void callback(request, response));
  test = await testServer({
    oidc: {
      issuer,
      clientId: 'terrane',
      clientSecret: 'a secret of the client',
      groupsClaim: 'groups',
      send: fetch,
    },
  });
  // The provider signs with the real time.
  test.now = new Date();
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  http.closeAllConnections();
  http.close();
});

/** Follows the pages of the provider as a browser does, and returns the URL that it sends the browser back to. */
async function authenticate(start: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let steps = 0; steps < 12; steps++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location?.startsWith('https://server.test/') === true) return location;
    if (location !== null) {
      url = new URL(location, url).href;
      form = undefined;
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? '';
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    url = new URL(action, url).href;
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'x' }) });
  }
  throw new Error('the provider did not end');
}

const get = (path: string, cookie = ''): Promise<Response> =>
  test.server.fetch(new Request(new URL(path, 'https://server.test'), { headers: { cookie } }));

const cookieOf = (response: Response): string =>
  (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

async function signIn(login: string, target = '/app'): Promise<Response> {
  const begun = await get(`/app/-/single-sign-on?to=${encodeURIComponent(target)}`);
  const back = await authenticate(begun.headers.get('location') ?? '', login);
  return await get(back, cookieOf(begun));
}

describe('single sign-on', () => {
  it('signs in the user with the verified e-mail address, and opens the page', async () => {
    const response = await signIn('ada-login', '/app/acme');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/app/acme');
    expect(response.headers.get('set-cookie')).toContain('SameSite=Strict');
    const page = await get('/app', cookieOf(response));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('ada');
  });

  it('does not give an account to an unverified e-mail address', async () => {
    const response = await signIn('eve-login');
    expect(response.status).toBe(403);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('creates users, and adds them to the teams of their groups', async () => {
    const team = await test.call('POST', '/api/v2/organizations/acme/teams', {
      data: { type: 'teams', attributes: { name: 'operators', 'sso-team-id': 'admins' } },
    });
    const { id } = team.json.data;
    const memberCount = async (): Promise<number> =>
      (await test.call('GET', `/api/v2/teams/${id}`)).json.data.attributes['users-count'];
    const response = await signIn('bob-login');
    expect(response.status).toBe(303);
    expect(await memberCount()).toBe(1);
    expect((await get('/app/acme', cookieOf(response))).status).toBe(200);
    accounts['bob-login'] = { ...accounts['bob-login'], groups: [] };
    await signIn('bob-login');
    expect(await memberCount()).toBe(0);
  });

  it('accepts a response only in the browser that started the sign-in, once, before it expires', async () => {
    const begun = await get('/app/-/single-sign-on');
    const back = await authenticate(begun.headers.get('location') ?? '', 'ada-login');
    const other = await get('/app/-/single-sign-on');
    expect((await get(back)).status).toBe(403);
    expect((await get(back, cookieOf(other))).status).toBe(403);
    expect((await get(back, '__Host-terrane-sso=forged')).status).toBe(403);
    const now = test.now;
    test.now = new Date(now.getTime() + 11 * 60_000);
    expect((await get(back, cookieOf(begun))).status).toBe(403);
    test.now = now;
    expect((await get(back, cookieOf(begun))).status).toBe(303);
    expect((await get(back, cookieOf(begun))).status).toBe(403);
  });

  it('opens no pages of other sites', async () => {
    const response = await signIn('ada-login', 'https://evil.test/app');
    expect(response.headers.get('location')).toBe('/app');
  });

  it('permits terraform login in the session, by a form of the session only', async () => {
    const session = cookieOf(await signIn('ada-login'));
    const query = new URLSearchParams({
      client_id: 'terraform-cli',
      redirect_uri: 'http://localhost:10000/login',
      state: 's',
      code_challenge: 'c',
    });
    const page = await (await get(`/app/oauth2/auth?${query.toString()}`, session)).text();
    expect(page).toContain('You are signed in as ada');
    const token = /name="form-token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const permit = (formToken: string) =>
      test.server.fetch(
        new Request('https://server.test/app/oauth2/auth', {
          method: 'POST',
          headers: {
            cookie: session,
            'sec-fetch-site': 'same-origin',
            origin: 'https://server.test',
          },
          body: new URLSearchParams([...query, ['form-token', formToken]]),
        }),
      );
    expect((await permit('forged')).status).toBe(400);
    const permitted = await permit(token);
    expect(permitted.headers.get('location')).toMatch(/^http:\/\/localhost:10000\/login\?code=/);
  });
});

describe('the identity of runs', () => {
  it('is a token with the claims of the run, which the published keys verify', async () => {
    const create = (type: string, attributes: object, relationships: object = {}) => ({
      data: { type, attributes, relationships },
    });
    const workspace = await test.call(
      'POST',
      '/api/v2/organizations/acme/workspaces',
      create('workspaces', { name: 'identity' }),
    );
    const id: string = workspace.json.data.id;
    for (const [key, value] of [
      ['TFC_WORKLOAD_IDENTITY_AUDIENCE_VAULT', 'vault.example'],
      ['TFC_AWS_PROVIDER_AUTH', 'true'],
      ['TFC_AWS_RUN_ROLE_ARN', 'arn:aws:iam::123456789012:role/r'],
      ['TFC_GCP_PROVIDER_AUTH', 'true'],
      ['TFC_GCP_WORKLOAD_PROVIDER_NAME', 'projects/1/locations/global/workloadIdentityPools/p'],
    ]) {
      const variable = create('vars', { key, value, category: 'env' });
      await test.call('POST', `/api/v2/workspaces/${id}/vars`, variable);
    }
    const configuration = await test.call(
      'POST',
      `/api/v2/workspaces/${id}/configuration-versions`,
      create('configuration-versions', { 'auto-queue-runs': true }),
    );
    const { gzipSync } = await import('node:zlib');
    const { packTar } = await import('modern-tar');
    const tar = gzipSync(await packTar([{ header: { name: 'a.tf', size: 0, type: 'file' } }]));
    await test.call('PUT', configuration.json.data.attributes['upload-url'], tar, null);
    const token = await createAgentToken(test.server.services, 'test');
    const agent = await test.call('POST', '/api/agent/v1/agents', { name: 'a' }, token);
    const claimed = await test.call(
      'POST',
      '/api/agent/v1/jobs/claim',
      { agent: agent.json.id, 'wait-ms': 0 },
      token,
    );
    const { identity } = claimed.json.job;
    const metadata = await test.call('GET', '/.well-known/openid-configuration', undefined, null);
    expect(metadata.json.issuer).toBe('https://server.test');
    const keys = await test.call('GET', '/.well-known/jwks', undefined, null);
    expect(JSON.stringify(keys.json)).not.toContain('"d"');
    const verify = (jwt: string, audience: string) =>
      jwtVerify(jwt, createLocalJWKSet(keys.json), { issuer: 'https://server.test', audience });
    const { payload } = await verify(
      identity.environment.TFC_WORKLOAD_IDENTITY_TOKEN_VAULT,
      'vault.example',
    );
    expect(payload).toMatchObject({
      sub: 'organization:acme:project:Default Project:workspace:identity:run_phase:plan',
      terraform_run_phase: 'plan',
      terraform_workspace_id: id,
    });
    expect(payload.exp).toBe((payload.iat ?? 0) + 7_200);
    const file = (name: string): string =>
      identity.files.find((each: { name: string }) => each.name === name).content;
    await verify(file('aws-token'), 'aws.workload.identity');
    expect(identity.environment.AWS_ROLE_ARN).toBe('arn:aws:iam::123456789012:role/r');
    expect(JSON.parse(file('gcp-credentials.json'))).toMatchObject({
      type: 'external_account',
      credential_source: { file: '{path:gcp-token}' },
    });
  });

  it('is signed with new keys after a month, and verified with both for a day', async () => {
    const kids = async (): Promise<string[]> =>
      (await test.call('GET', '/.well-known/jwks', undefined, null)).json.keys.map(
        ({ kid }: { kid: string }) => kid,
      );
    const [first] = await kids();
    const now = test.now;
    test.now = new Date(now.getTime() + 30.5 * 86_400_000);
    expect(await kids()).toHaveLength(2);
    expect(await kids()).toContain(first);
    test.now = new Date(now.getTime() + 31.5 * 86_400_000);
    expect(await kids()).not.toContain(first);
    test.now = now;
  });
});
