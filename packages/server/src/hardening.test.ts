// Limits, health, metrics and migrations of the server.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { sql } from 'kysely';
import type { Traces } from '@terrane/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, MIGRATIONS, openEmbedded } from './database/database.ts';
import { createApp } from './http/app.ts';
import { createAgentToken, createMetricsToken } from './server.ts';
import { testServer, type TestServer } from './testing.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ requestsPerSecond: 30 });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const create = (type: string, attributes: object) => ({ data: { type, attributes } });
const later = (seconds: number): void => {
  test.now = new Date(test.now.getTime() + seconds * 1_000);
};

async function send(
  path: string,
  {
    address = '192.0.2.1',
    token,
    ...init
  }: RequestInit & { address?: string; token?: string } = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return await test.server.fetch(
    new Request(new URL(path, 'https://server.test'), { ...init, headers }),
    address,
  );
}

async function newWorkspace(name: string): Promise<string> {
  later(2);
  const body = create('workspaces', { name });
  const { json } = await test.call('POST', '/api/v2/organizations/acme/workspaces', body);
  return json.data.id;
}

describe('limits', () => {
  it('permit 30 requests of a token in a second, and name the time to wait', async () => {
    later(2);
    const statuses = await Promise.all(
      Array.from({ length: 31 }, async () => await send('/api/v2/account/details', test)),
    );
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = statuses.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await refused?.json()).toMatchObject({ errors: [{ status: '429' }] });
    later(1);
    expect((await send('/api/v2/account/details', test)).status).toBe(200);
  });

  it('apply to an address without a token, and not to another address', async () => {
    const pings = async (address: string) =>
      (
        await Promise.all(Array.from({ length: 40 }, () => send('/api/v2/ping', { address })))
      ).filter(({ status }) => status === 429).length;
    expect(await pings('192.0.2.2')).toBe(10);
    expect((await send('/api/v2/ping', { address: '192.0.2.3' })).status).toBe(204);
  });

  it('apply to an address that invents a cookie for each request', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        send('/app/-/sign-in', {
          address: '192.0.2.6',
          headers: { cookie: `__Host-terrane-session=${index}` },
        }),
      ),
    );
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('stop the guessing of tokens from an address, even if it finds one', async () => {
    const address = '192.0.2.4';
    const statuses: number[] = [];
    for (let index = 0; index < 25; index++) {
      const guess = { address, token: `guess-${index}` };
      statuses.push((await send('/api/v2/account/details', guess)).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect((await send('/api/v2/account/details', { address, token: test.token })).status).toBe(
      429,
    );
    later(4);
    expect((await send('/api/v2/account/details', { address, token: test.token })).status).toBe(
      200,
    );
  });

  it('bound the attempts to sign in', async () => {
    const attempt = () =>
      send('/app/-/sign-in', {
        address: '192.0.2.5',
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', origin: 'https://server.test' },
        body: new URLSearchParams({ token: 'wrong' }),
      });
    const statuses: number[] = [];
    for (let tries = 0; tries < 30; tries++) statuses.push((await attempt()).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 400));
    expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
  });

  it('do not apply to agents, whose logs and journals arrive as they arise', async () => {
    const token = await createAgentToken(test.server.services, 'test');
    const statuses = await Promise.all(
      Array.from({ length: 60 }, () =>
        send('/api/agent/v1/jobs/none/log', { token, method: 'PUT' }),
      ),
    );
    expect(statuses.some(({ status }) => status === 429)).toBe(false);
  });
});

describe('bodies', () => {
  const post = async (body: BodyInit, headers: Record<string, string> = {}): Promise<number> => {
    later(2);
    const init = { method: 'POST', body, duplex: 'half' } as const;
    const type = { 'content-type': 'application/vnd.api+json' };
    const request = { ...init, headers: { ...type, ...headers }, token: test.token };
    return (await send('/api/v2/organizations/acme/workspaces', request)).status;
  };

  it('with deep nesting are refused before they are parsed', async () => {
    expect(await post(`${'['.repeat(300_000)}${']'.repeat(300_000)}`)).toBe(400);
    expect(await post(`{"data":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`)).toBe(400);
    expect(await post(JSON.stringify({ data: { attributes: { name: '[[[['.repeat(50) } } }))).toBe(
      422,
    );
  });

  it('over the limit are refused, whatever length they announce', async () => {
    expect(await post('x'.repeat(1024 * 1024 + 1))).toBe(413);
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    });
    expect(await post(endless, { 'content-length': '10' })).toBe(413);
  });

  it('may name properties of prototypes', async () => {
    const body = '{"data":{"type":"workspaces","attributes":{"name":"proto","__proto__":{"x":1}}}}';
    expect(await post(body)).toBe(201);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});

describe('paths', () => {
  it.each([
    '/app/-/../../etc/passwd',
    '/api/v2/%2e%2e/%2e%2e/etc/passwd',
    '/app/-/%00',
    '//etc/passwd',
  ])('such as %s open no files', async (path) => {
    later(2);
    const response = await send(path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain('root:');
  });
});

describe('states', () => {
  const STATE = JSON.stringify({ version: 4, serial: 1, lineage: 'l', resources: [], outputs: {} });

  it('that are downloaded are in the audit log, with who obtained the URL', async () => {
    const workspace = await newWorkspace('audited');
    await test.call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {});
    const { json } = await test.call(
      'POST',
      `/api/v2/workspaces/${workspace}/state-versions`,
      create('state-versions', {
        serial: 1,
        md5: createHash('md5').update(STATE).digest('hex'),
        lineage: 'l',
        state: Buffer.from(STATE).toString('base64'),
      }),
    );
    const url: string = json.data.attributes['hosted-state-download-url'];
    expect((await send(url)).status).toBe(200);
    await test.call('GET', `/api/v2/state-versions/${json.data.id}/download`);
    const trail = await test.call('GET', '/api/v2/organizations/acme/audit-trail');
    const downloads = trail.json.data.filter(
      (entry: { resource: { action: string } }) => entry.resource.action === 'download',
    );
    expect(downloads).toHaveLength(2);
    expect(JSON.stringify(downloads)).toContain('"url-obtained-by":"user-');
  });

  it('are not available by a URL after fifteen minutes', async () => {
    const workspace = await newWorkspace('expired');
    const { json } = await test.call(
      'POST',
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      create('configuration-versions', {}),
    );
    const url: string = json.data.attributes['upload-url'];
    later(16 * 60);
    const tar = gzipSync(await packTar([{ header: { name: 'a', size: 0, type: 'file' } }]));
    expect((await send(url, { method: 'PUT', body: Buffer.from(tar) })).status).toBe(404);
  });
});

describe('e-mail addresses', () => {
  it('that are unconfirmed receive no invitations', async () => {
    later(2);
    const changed = await test.call(
      'PATCH',
      '/api/v2/account/update',
      create('users', { email: 'boss@example.com' }),
    );
    expect(changed.json.data.attributes).toMatchObject({
      email: 'ada@example.com',
      'unconfirmed-email': 'boss@example.com',
    });
    const users = await test.server.services.db
      .selectFrom('users')
      .select('email')
      .where('email', '=', 'boss@example.com')
      .execute();
    expect(users).toEqual([]);
    const { id } = changed.json.data;
    const confirmed = await test.call('POST', `/api/v2/admin/users/${id}/actions/confirm-email`);
    expect(confirmed.json.data.attributes).toMatchObject({
      email: 'boss@example.com',
      'unconfirmed-email': null,
    });
  });
});

describe('operations', () => {
  it('expose metrics to their token and to site administrators only', async () => {
    later(2);
    const token = await createMetricsToken(test.server.services, 'test');
    const response = await send('/metrics', { token });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(
      /^terrane_http_requests_total\{method="GET",route="\/api\/v2\/ping",status="204"\} \d+$/m,
    );
    expect(text).toMatch(/^terrane_workspaces \d+$/m);
    expect(text).not.toContain('acme');
    // Every line is a comment or a sample of the text format.
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^{}]+(?:\{[^{}]*\}[^{}]*)*\})? [\d.e+-]+)$/,
      );
    }
    expect((await send('/metrics')).status).toBe(401);
    expect((await send('/metrics', test)).status).toBe(200);
    expect((await send('/api/v2/account/details', { token })).status).toBe(401);
  });

  it('are not ready while the server shuts down, and nothing waits', async () => {
    const own = await testServer();
    const get = (path: string) => own.call('GET', path, undefined, null);
    expect((await get('/_health/ready')).status).toBe(200);
    own.server.drain();
    expect((await get('/_health/ready')).status).toBe(503);
    expect((await get('/_health/live')).status).toBe(200);
    const token = await createAgentToken(own.server.services, 'test');
    const { json } = await own.call('POST', '/api/agent/v1/agents', { name: 'a' }, token);
    const claimed = await own.call('POST', '/api/agent/v1/jobs/claim', { agent: json.id }, token);
    expect(claimed.status).toBe(204);
    await own[Symbol.asyncDispose]();
  });
});

describe('the spans of requests', () => {
  it('have the pattern of the path, the status and the parent that the request names', async () => {
    const spans: object[] = [];
    const traces: Traces = {
      within: (_name, _attributes, work) => work({ set: () => undefined, fail: () => undefined }),
      withinRequest(name, attributes, traceparent, work) {
        const span: Record<string, unknown> = { name, ...attributes, traceparent };
        spans.push(span);
        return work({
          set: (key, value) => (span[key] = value),
          fail: () => (span['failed'] = true),
        });
      },
      traceparent: () => undefined,
    };
    const own = await testServer({ traces });
    await own.call('GET', '/api/v2/organizations/acme?q=private');
    const headers = { traceparent: '00-a-b-01' };
    await own.server.fetch(new Request('https://server.test/api/v2/ping', { headers }));
    expect(spans).toEqual([
      {
        name: 'GET /api/v2/organizations/:organization',
        'http.request.method': 'GET',
        'http.route': '/api/v2/organizations/:organization',
        'http.response.status_code': 200,
        traceparent: undefined,
      },
      expect.objectContaining({ 'http.response.status_code': 204, traceparent: '00-a-b-01' }),
    ]);
    await own[Symbol.asyncDispose]();
  });
});

describe('the page of terraform login', () => {
  it('loads styles of the server only', async () => {
    later(2);
    const response = await send('/app/oauth2/auth?client_id=terraform-cli');
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    expect(await response.text()).not.toContain('<style');
  });
});

describe('responses over TLS', () => {
  it('keep browsers from HTTP, except for a server on this machine', async () => {
    later(2);
    const name = 'strict-transport-security';
    for (const path of ['/app', '/api/v2/ping', '/nothing']) {
      expect((await send(path)).headers.get(name)).toBe('max-age=31536000');
    }
    const { services } = test.server;
    for (const baseUrl of ['https://localhost:8443', 'http://server.test']) {
      const app = createApp({ ...services, baseUrl }, []);
      expect((await app.fetch(new Request(baseUrl))).headers.has(name)).toBe(false);
    }
  });
});

describe('migrations', () => {
  it('only add, and let a server of an earlier release start on a newer database', async () => {
    const db = await openEmbedded();
    const names = Object.keys(MIGRATIONS).sort();
    const earlier = Object.fromEntries(
      Object.entries(MIGRATIONS).filter(([name]) => names.indexOf(name) < 2),
    );
    const columns = async (): Promise<Set<string>> => {
      const { rows } = await sql<{ text: string }>`
        SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable) AS text
        FROM information_schema.columns WHERE table_schema = 'public'`.execute(db);
      return new Set(rows.map(({ text }) => text));
    };
    await migrate(db, earlier);
    const before = await columns();
    await migrate(db);
    const after = await columns();
    expect([...before].filter((column) => !after.has(column))).toEqual([]);
    await migrate(db, earlier);
    await migrate(db);
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM kysely_migration ORDER BY name`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(names);
    await db.destroy();
  });
});
