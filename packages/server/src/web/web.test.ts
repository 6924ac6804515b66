import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken, createUserToken } from '../server.ts';
import { newId } from '../services/services.ts';
import { testServer, type TestServer } from '../testing.ts';

const CANARY = '"><script>alert(1)</script>';
const SECRET = 'canary-secret-value';
const WORKSPACE = '/app/acme/workspaces/site';

let test: TestServer;
let owner: Browser;
let stranger: Browser;
let reader: Browser;
let run: string;
let workspace: string;

/** A browser with the cookie of a session. */
interface Browser {
  readonly cookie: string;
  get(path: string): Promise<Page>;
  /** Sends a form with the token of the page `from`. */
  send(path: string, form: Readonly<Record<string, string>>, from?: string): Promise<Page>;
  post(path: string, form: Readonly<Record<string, string>>, headers?: object): Promise<Page>;
}

interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', origin: 'https://server.test' };

async function fetchPage(path: string, init: RequestInit): Promise<Page> {
  const response = await test.server.fetch(new Request(`https://server.test${path}`, init));
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function signIn(token: string): Promise<Browser> {
  const signedIn = await fetchPage('/app/-/sign-in', {
    method: 'POST',
    headers: SAME_ORIGIN,
    body: new URLSearchParams({ token, to: 'https://evil.test/app' }),
  });
  expect(signedIn.status).toBe(303);
  expect(signedIn.headers.get('location')).toBe('/app');
  const set = signedIn.headers.get('set-cookie') ?? '';
  expect(set).toContain('; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=');
  const cookie = set.split(';')[0] ?? '';
  const get = (path: string) => fetchPage(path, { headers: { cookie } });
  const post = (path: string, form: Readonly<Record<string, string>>, headers: object = {}) =>
    fetchPage(path, {
      method: 'POST',
      headers: { cookie, ...SAME_ORIGIN, ...headers },
      body: new URLSearchParams({ ...form }),
    });
  return {
    cookie,
    get,
    post,
    async send(path, form, from = path) {
      const { text } = await get(from);
      const token = /name="form-token" value="([^"]+)"/.exec(text)?.[1] ?? '';
      return await post(path, { ...form, 'form-token': token });
    },
  };
}

async function newUser(username: string): Promise<{ id: string; token: string }> {
  const { services } = test.server;
  const id = newId(services, 'user');
  await services.db
    .insertInto('users')
    .values({
      id,
      username,
      email: `${username}@example.com`,
      is_site_admin: false,
      is_service_account: false,
      created_at: test.now,
    })
    .execute();
  return { id, token: await createUserToken(services, id, 'test') };
}

const create = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

/** Creates a run whose plan waits for approval. */
async function plannedRun(message: string): Promise<string> {
  const path = `/api/v2/workspaces/${workspace}/configuration-versions`;
  const body = create('configuration-versions', { 'auto-queue-runs': false });
  const configuration = await test.call('POST', path, body);
  const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
  await test.call('PUT', configuration.json.data.attributes['upload-url'], gzipSync(tar), null);
  const created = await test.call(
    'POST',
    '/api/v2/runs',
    create(
      'runs',
      { message },
      {
        workspace: { data: { type: 'workspaces', id: workspace } },
        'configuration-version': {
          data: { type: 'configuration-versions', id: configuration.json.data.id },
        },
      },
    ),
  );
  const token = await createAgentToken(test.server.services, 'test');
  const agent = (method: string, to: string, content?: unknown) =>
    test.call(method, `/api/agent/v1${to}`, content, token);
  const { json } = await agent('POST', '/agents', { name: 'builder' });
  const { job } = (await agent('POST', '/jobs/claim', { agent: json.id, 'wait-ms': 0 })).json;
  const at = `/jobs/${job.id}`;
  await agent('PUT', `${at}/log?attempt=1&offset=0`, Buffer.from(`${CANARY} é\u202e`));
  const resource = (address: string, actions: readonly string[], more: object, change: object) => ({
    address,
    ...more,
    change: { actions, before: null, after: null, ...change },
  });
  const plan = {
    resource_changes: [
      resource('x.created', ['create'], {}, { after: { name: CANARY } }),
      resource(
        'x.replaced',
        ['delete', 'create'],
        { action_reason: 'replace_because_cannot_update' },
        {
          before: { name: 'a', password: SECRET },
          after: { name: 'b', password: `${SECRET}2` },
          before_sensitive: { password: true },
          after_sensitive: { password: true },
          replace_paths: [['tags', 0, 'name']],
        },
      ),
      resource(
        'x.destroyed',
        ['delete'],
        { action_reason: 'delete_because_no_resource_config' },
        { before: { name: 'gone' } },
      ),
      resource('x.same', ['no-op'], {}, {}),
    ],
  };
  await agent('PUT', `${at}/contents/plan-json?attempt=1`, Buffer.from(JSON.stringify(plan)));
  await agent('PUT', `${at}/contents/plan?attempt=1`, Buffer.from(message));
  await agent('POST', `${at}/finish?attempt=1`, { outcome: 'succeeded', 'has-changes': true });
  return created.json.data.id;
}

beforeAll(async () => {
  test = await testServer();
  owner = await signIn(test.token);
  stranger = await signIn((await newUser('stranger')).token);
  const body = create('workspaces', { name: 'site' });
  const { json } = await test.call('POST', '/api/v2/organizations/acme/workspaces', body);
  workspace = json.data.id;
  const { services } = test.server;
  const { id, token } = await newUser('reader');
  const { id: organization } = await services.db
    .selectFrom('organizations')
    .select('id')
    .executeTakeFirstOrThrow();
  await services.db
    .insertInto('memberships')
    .values({
      id: newId(services, 'ou'),
      organization_id: organization,
      user_id: id,
      status: 'active',
      created_at: test.now,
    })
    .execute();
  const team = await test.call(
    'POST',
    '/api/v2/organizations/acme/teams',
    create('teams', { name: 'readers' }),
  );
  const teamId: string = team.json.data.id;
  await services.db.insertInto('team_members').values({ team_id: teamId, user_id: id }).execute();
  await test.call(
    'POST',
    '/api/v2/team-workspaces',
    create(
      'team-workspaces',
      { access: 'read' },
      {
        team: { data: { type: 'teams', id: teamId } },
        workspace: { data: { type: 'workspaces', id: workspace } },
      },
    ),
  );
  reader = await signIn(token);
  for (const [key, value, sensitive] of [
    ['open', CANARY, false],
    ['closed', SECRET, true],
  ]) {
    const attributes = { key, value, sensitive, category: 'env' };
    await test.call('POST', `/api/v2/workspaces/${workspace}/vars`, create('vars', attributes));
  }
  const state = Buffer.from(
    JSON.stringify({
      version: 4,
      serial: 1,
      outputs: {
        open: { value: CANARY, type: 'string' },
        closed: { value: SECRET, type: 'string', sensitive: true },
      },
      resources: [],
    }),
  );
  await test.call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {});
  const md5 = createHash('md5').update(state).digest('hex');
  await test.call(
    'POST',
    `/api/v2/workspaces/${workspace}/state-versions`,
    create('state-versions', { serial: 1, md5, state: state.toString('base64') }),
  );
  await test.call('POST', `/api/v2/workspaces/${workspace}/actions/unlock`);
  run = await plannedRun(CANARY);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

describe('pages', () => {
  const paths = (): readonly string[] => [
    '/app',
    '/app/acme',
    '/app/acme/policies',
    '/app/acme/agents',
    WORKSPACE,
    `${WORKSPACE}/variables`,
    `${WORKSPACE}/states`,
    `${WORKSPACE}/drift`,
    `${WORKSPACE}/settings`,
    `${WORKSPACE}/runs/${run}`,
  ];

  it('render for a reader, escaped, without secrets, scripts and styles of their own', async () => {
    for (const path of paths()) {
      const page = await reader.get(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(page.text).toContain('<main id="content"');
      expect(page.text).not.toContain('<script>');
      expect(page.text).not.toMatch(/\sstyle=|\son\w+=|javascript:/);
      expect(page.text).not.toContain(SECRET);
    }
    const { text } = await reader.get(`${WORKSPACE}/runs/${run}`);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; é\\u202e');
    expect(text).not.toMatch(/runs\/[^"]*\/(?:apply|discard|cancel)"/);
  });

  it('do not exist for strangers, and ask others to sign in', async () => {
    for (const path of [...paths().slice(1), '/app/acme/audit', '/app/missing']) {
      expect((await stranger.get(path)).status).toBe(404);
      const anonymous = await fetchPage(path, {});
      expect(anonymous.status).toBe(401);
      expect(anonymous.text).toContain(`name="to" value="${path}"`);
    }
    expect((await reader.get('/app/acme/audit')).status).toBe(403);
    const other = await owner.get(`/app/acme/workspaces/other/runs/${run}`);
    expect(other.status).toBe(404);
  });

  it('show agents of the server to its administrators only', async () => {
    const { text } = await reader.get('/app/acme/agents');
    expect(text).toContain('Connected agents: 1.');
    expect(text).not.toContain('builder');
    expect((await owner.get('/app/acme/agents')).text).toContain('builder');
  });

  it('show the variables of sets, and which ones are overridden', async () => {
    const variable = {
      type: 'vars',
      attributes: { key: 'open', value: 'of-set', category: 'env' },
    };
    const attributes = { name: CANARY, global: true, priority: true };
    const set = await test.call(
      'POST',
      '/api/v2/organizations/acme/varsets',
      create('varsets', attributes, { vars: { data: [variable] } }),
    );
    const { text } = await reader.get(`${WORKSPACE}/variables`);
    expect(text).toContain('of-set');
    expect(text).toContain('The set has priority');
    expect(text).not.toContain('<script>');
    const overridden = /<code>(\w+)<\/code>\s*<span class="badge ended">Overridden/.exec(text);
    expect(overridden?.[1]).toBe('open');
    await test.call('DELETE', `/api/v2/varsets/${set.json.data.id}`);
  });

  it('say that a page does not exist', async () => {
    const page = await reader.get('/app/acme/workspaces/site/nothing');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).toContain('All organizations');
  });

  it('load again if a link of another site brought no cookie', async () => {
    const page = await fetchPage(WORKSPACE, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(page.text).toContain(`content="0; url=${WORKSPACE}"`);
  });

  it('open by the links that clients print', async () => {
    const { status, headers } = await reader.get(`/app/acme/site/runs/${run}`);
    expect([status, headers.get('location')]).toEqual([303, `${WORKSPACE}/runs/${run}`]);
  });

  it('review destroyed objects first, with causes and without sensitive values', async () => {
    const { text } = await reader.get(`${WORKSPACE}/runs/${run}`);
    const at = ['x.destroyed', 'x.replaced', 'x.created'].map((each) => text.indexOf(each));
    expect(at.every((each) => each > 0)).toBe(true);
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(text).toContain('The resource is no longer in the configuration.');
    expect(text).toContain('cannot update these arguments in place: tags[0].name.');
    expect(text).toContain('<code>(sensitive value)</code>');
    expect(text).not.toContain('x.same');
  });

  it('follow the log and the status', async () => {
    const log = await reader.get(`${WORKSPACE}/runs/${run}/log/plan?offset=1`);
    expect(log.text).toContain(`${CANARY} é\\u202e`);
    expect(log.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(log.headers.get('x-terrane-complete')).toBe('true');
    const status = await reader.get(`${WORKSPACE}/runs/${run}/status?known=planned`);
    expect(JSON.parse(status.text)).toEqual({ status: 'planned' });
    expect((await stranger.get(`${WORKSPACE}/runs/${run}/log/plan`)).status).toBe(404);
  });
});

describe('forms', () => {
  const RUN = () => `${WORKSPACE}/runs/${run}`;

  it('are refused without the token of the session, and from other sites', async () => {
    const from = await owner.get(RUN());
    const token = /name="form-token" value="([^"]+)"/.exec(from.text)?.[1] ?? '';
    const form = { 'form-token': token };
    const path = `${RUN()}/discard`;
    expect((await owner.post(path, {})).status).toBe(403);
    expect((await owner.post(path, { 'form-token': `${token}x` })).status).toBe(403);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
    ]) {
      expect((await owner.post(path, form, headers)).status).toBe(403);
    }
    const bare = {
      method: 'POST',
      headers: { cookie: owner.cookie },
      body: new URLSearchParams(form),
    };
    expect((await fetchPage(path, bare)).status).toBe(403);
    const otherSession = await signIn(test.token);
    expect((await otherSession.post(path, form)).status).toBe(403);
    expect((await test.call('GET', `/api/v2/runs/${run}`)).json.data.attributes.status).toBe(
      'planned',
    );
  });

  it('are refused without the permission', async () => {
    expect((await reader.send(`${RUN()}/discard`, {}, RUN())).status).toBe(403);
    expect((await stranger.send(`${RUN()}/discard`, {}, '/app')).status).toBe(404);
  });

  it('give cookies no access to the API', async () => {
    const path = `/api/v2/runs/${run}/actions/discard`;
    expect((await owner.send(path, {}, RUN())).status).toBe(401);
    expect((await owner.get(`/api/v2/runs/${run}`)).status).toBe(401);
  });

  it('show a sensitive output on request only, and record it', async () => {
    const { text } = await reader.get(`${WORKSPACE}/states`);
    const path = /action="([^"]+outputs\/[^"]+)"/.exec(text)?.[1] ?? '';
    expect((await reader.get(path)).status).toBe(404);
    const shown = await reader.send(path, {}, `${WORKSPACE}/states`);
    expect(shown.text).toContain(SECRET);
    expect((await stranger.send(path, {}, '/app')).status).toBe(404);
    const audit = await owner.get('/app/acme/audit');
    expect(audit.text).toContain('read-sensitive');
    expect(audit.text).not.toContain(SECRET);
  });

  it('approve the plan that the page displayed, and no other', async () => {
    const apply = (form: Readonly<Record<string, string>>) =>
      owner.send(`${RUN()}/apply`, form, RUN());
    expect((await apply({ 'plan-digest': 'f'.repeat(64) })).status).toBe(409);
    expect((await apply({})).status).toBe(409);
    const { text } = await owner.get(RUN());
    const digest = /name="plan-digest" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
    const approved = await apply({ 'plan-digest': digest, comment: CANARY });
    expect(approved.status).toBe(303);
    const after = await owner.get(RUN());
    expect(after.text).toContain('Apply queued');
    expect(after.text).toContain('Approved by');
    expect(after.text).not.toContain('<script>');
  });

  it('lock and unlock a workspace', async () => {
    await owner.send(`${RUN()}/cancel`, {}, RUN());
    const locked = await owner.send(`${WORKSPACE}/lock`, { reason: CANARY }, WORKSPACE);
    expect(locked.status).toBe(303);
    expect((await owner.get(WORKSPACE)).text).toMatch(/by\s+ada: &quot;&gt;/);
    expect((await reader.get(WORKSPACE)).text).not.toContain('/unlock"');
    expect((await owner.send(`${WORKSPACE}/unlock`, {}, WORKSPACE)).status).toBe(303);
  });
});

describe('sessions', () => {
  it('start with the token of a user only, and from the form of this server', async () => {
    const body = new URLSearchParams({ token: test.token });
    const attempt = (token: string, headers: Readonly<Record<string, string>>) =>
      fetchPage('/app/-/sign-in', {
        method: 'POST',
        headers,
        body: new URLSearchParams({ token }),
      });
    expect((await attempt('wrong', SAME_ORIGIN)).status).toBe(400);
    const agent = await createAgentToken(test.server.services, 'test');
    expect((await attempt(agent, SAME_ORIGIN)).status).toBe(400);
    const forged = { ...SAME_ORIGIN, 'sec-fetch-site': 'cross-site' };
    expect((await attempt(test.token, forged)).status).toBe(403);
    expect((await fetchPage('/app/-/sign-in', { method: 'POST', body })).status).toBe(403);
  });

  it('end at the sign-out, with their API token, and with time', async () => {
    const first = await signIn(test.token);
    expect((await first.send('/app/-/sign-out', {}, '/app')).status).toBe(303);
    expect((await first.get('/app')).status).toBe(401);
    const { id, token } = await newUser('leaver');
    const second = await signIn(token);
    expect((await second.get('/app')).status).toBe(200);
    await test.server.services.db
      .deleteFrom('tokens')
      .where('owner_id', '=', id)
      .where('kind', '=', 'user')
      .execute();
    expect((await second.get('/app')).status).toBe(401);
    const before = test.now;
    test.now = new Date(before.getTime() + 13 * 3_600_000);
    expect((await owner.get('/app')).status).toBe(401);
    test.now = before;
  });
});

describe('the engine of a workspace', () => {
  it('is on its page, and on those of the runs that another program executes', async () => {
    const page = async (path: string) => (await reader.get(`${WORKSPACE}/${path}`)).text;
    const change = async (engine: string) =>
      await test.call('PATCH', `/api/v2/workspaces/${workspace}`, {
        data: { type: 'workspaces', attributes: { engine, 'terraform-version': '~> 1.11.0' } },
      });
    expect(await page('settings')).toContain('<code>terrane</code>');
    expect(await page(`runs/${run}`)).not.toContain('Engine');
    await change('terraform');
    expect(await page('settings')).toContain('<code>~&gt; 1.11.0</code>');
    const created = await test.call('POST', '/api/v2/runs', {
      data: {
        type: 'runs',
        relationships: { workspace: { data: { type: 'workspaces', id: workspace } } },
      },
    });
    await change('terrane');
    expect(await page('settings')).not.toContain('<code>terraform</code>');
    const text = await page(`runs/${created.json.data.id}`);
    expect(text).toContain('<code>terraform</code>, version <code>~&gt; 1.11.0</code>');
  });
});
