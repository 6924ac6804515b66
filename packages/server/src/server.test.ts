import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGNED_PREFIX } from './http/signed-url.ts';
import type { Rule } from './http/route.ts';
import { ROUTES } from './routes/index.ts';
import { createAgentToken } from './server.ts';
import { getBlob, streamOf } from './services/blobs.ts';
import { guardOfJob, holderOf, LEASE_MS, putJobContent, writeJournal } from './services/jobs.ts';
import { appendLog, readLog } from './services/logs.ts';
import { storeEvents } from './services/run-events.ts';
import { readRun } from './services/runs.ts';
import { startTriggeredRuns } from './services/run-triggers.ts';
import { announceState, latestState, stateBlob, storeState } from './services/states.ts';
import { testServer, type TestServer } from './testing.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const create = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

async function newWorkspace(name: string, attributes: object = {}): Promise<string> {
  const body = create('workspaces', { name, ...attributes });
  const { json, status } = await test.call('POST', '/api/v2/organizations/acme/workspaces', body);
  expect(status).toBe(201);
  return json.data.id;
}

async function newConfiguration(workspace: string): Promise<string> {
  const path = `/api/v2/workspaces/${workspace}/configuration-versions`;
  const body = create('configuration-versions', { 'auto-queue-runs': false });
  const { json } = await test.call('POST', path, body);
  const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
  const upload = json.data.attributes['upload-url'];
  expect((await test.call('PUT', upload, gzipSync(tar), null)).status).toBe(200);
  return json.data.id;
}

async function newRun(workspace: string, attributes: object = {}): Promise<string> {
  const configuration = await newConfiguration(workspace);
  const { json, status } = await test.call(
    'POST',
    '/api/v2/runs',
    create('runs', attributes, {
      workspace: { data: { type: 'workspaces', id: workspace } },
      'configuration-version': { data: { type: 'configuration-versions', id: configuration } },
    }),
  );
  expect(status).toBe(201);
  return json.data.id;
}

const statusOf = async (run: string): Promise<string> =>
  (await test.call('GET', `/api/v2/runs/${run}`)).json.data.attributes.status;

const workspaceRow = async (id: string) =>
  await test.server.services.db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

async function agent() {
  const token = await createAgentToken(test.server.services, 'test');
  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/agent/v1${path}`, body, token);
  const { json } = await call('POST', '/agents', { name: 'test' });
  return {
    call,
    async claim() {
      const claimed = await call('POST', '/jobs/claim', { agent: json.id, 'wait-ms': 0 });
      return claimed.status === 204 ? undefined : claimed.json.job;
    },
  };
}

describe('discovery', () => {
  it('names the services of the protocol', async () => {
    const { json } = await test.call('GET', '/.well-known/terraform.json', undefined, null);
    expect(json['tfe.v2']).toBe('/api/v2/');
    expect(json['login.v1'].grant_types).toEqual(['authz_code']);
  });
});

describe('login', () => {
  it('exchanges a code for a token once, with the verifier, and only for this machine', async () => {
    const verifier = 'v'.repeat(64);
    const redirect = 'http://localhost:10000/login';
    const form = (token: string, to: string) =>
      new URLSearchParams({
        token,
        client_id: 'terraform-cli',
        redirect_uri: to,
        state: 's',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      }).toString();
    const permit = (body: string) =>
      test.server.fetch(
        new Request('https://server.test/app/oauth2/auth', {
          method: 'POST',
          headers: { 'sec-fetch-site': 'same-origin', origin: 'https://server.test' },
          body,
        }),
      );
    expect((await permit(form(test.token, 'https://evil.test/login'))).status).toBe(400);
    expect((await permit(form('wrong', redirect))).status).toBe(400);
    const permitted = await permit(form(test.token, redirect));
    const location = new URL(permitted.headers.get('location') ?? '');
    expect(location.host).toBe('localhost:10000');
    const exchange = (code_verifier: string) =>
      test.server.fetch(
        new Request('https://server.test/oauth/token', {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            code: location.searchParams.get('code') ?? '',
            code_verifier,
            client_id: 'terraform-cli',
            redirect_uri: redirect,
          }).toString(),
        }),
      );
    const answer = await exchange(verifier);
    const { access_token: token } = await answer.json();
    const account = await test.call('GET', '/api/v2/account/details', undefined, token);
    expect(account.json.data.attributes.username).toBe('ada');
    expect((await exchange(verifier)).status).toBe(400);
  });
});

describe('runs', () => {
  it('pass from the plan over the approval to the apply', async () => {
    const workspace = await newWorkspace('life');
    const run = await newRun(workspace);
    expect(await statusOf(run)).toBe('plan_queued');
    const { call, claim } = await agent();
    const plan = await claim();
    expect(plan.run.id).toBe(run);
    expect(await statusOf(run)).toBe('planning');
    const at = `/jobs/${plan.id}`;
    await call('PUT', `${at}/log?attempt=1&offset=0`, Buffer.from('hello '));
    await call('PUT', `${at}/log?attempt=1&offset=6`, Buffer.from('world'));
    await call('PUT', `${at}/contents/plan?attempt=1`, Buffer.from('the plan'));
    await call('POST', `${at}/finish?attempt=1`, { outcome: 'succeeded', 'has-changes': true });
    const { json } = await test.call('GET', `/api/v2/runs/${run}?include=plan`);
    expect(json.data.attributes.status).toBe('planned');
    expect(json.data.attributes.actions['is-confirmable']).toBe(true);
    const digest = createHash('sha256').update('the plan').digest('hex');
    expect(json.data.attributes['plan-digest']).toBe(digest);
    const log = json.included[0].attributes['log-read-url'];
    const text = await test.call('GET', `${log}?limit=65536&offset=0`, undefined, null);
    expect(text.bytes.toString()).toBe('\u0002hello world\u0003');
    const rest = await test.call('GET', `${log}?limit=4&offset=3`, undefined, null);
    expect(rest.bytes.toString()).toBe('llo ');
    const wrong = await test.call('POST', `/api/v2/runs/${run}/actions/apply`, {
      'plan-digest': 'another',
    });
    expect(wrong.status).toBe(409);
    const right = await test.call('POST', `/api/v2/runs/${run}/actions/apply`, {
      'plan-digest': digest,
    });
    expect(right.status).toBe(202);
    const apply = await claim();
    expect(apply.kind).toBe('apply');
    await call('POST', `/jobs/${apply.id}/finish?attempt=1`, { outcome: 'succeeded' });
    expect(await statusOf(run)).toBe('applied');
  });

  it('occupy a workspace one at a time, in their order', async () => {
    const workspace = await newWorkspace('queue');
    const [first, second] = [await newRun(workspace), await newRun(workspace)];
    expect([await statusOf(first), await statusOf(second)]).toEqual(['plan_queued', 'pending']);
    const speculative = await newRun(workspace, { 'plan-only': true });
    expect(await statusOf(speculative)).toBe('plan_queued');
    await test.call('POST', `/api/v2/runs/${first}/actions/cancel`, {});
    expect([await statusOf(first), await statusOf(second)]).toEqual(['canceled', 'plan_queued']);
    await test.call('POST', `/api/v2/runs/${second}/actions/cancel`, {});
    await test.call('POST', `/api/v2/runs/${speculative}/actions/cancel`, {});
  });

  it('wait while the workspace is locked', async () => {
    const workspace = await newWorkspace('locked');
    const path = `/api/v2/workspaces/${workspace}/actions`;
    expect((await test.call('POST', `${path}/lock`, { reason: 'test' })).status).toBe(200);
    expect((await test.call('POST', `${path}/lock`, {})).status).toBe(409);
    const run = await newRun(workspace);
    expect(await statusOf(run)).toBe('pending');
    expect((await test.call('POST', `${path}/unlock`)).status).toBe(200);
    expect(await statusOf(run)).toBe('plan_queued');
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
  });

  it('are continued by another agent with the journal, and reject the lost one', async () => {
    const workspace = await newWorkspace('lost', { 'auto-apply': true });
    const run = await newRun(workspace);
    const lost = await agent();
    const plan = await lost.claim();
    await lost.call('POST', `/jobs/${plan.id}/finish?attempt=1`, {
      outcome: 'succeeded',
      'has-changes': true,
    });
    const apply = await lost.claim();
    expect(apply).toMatchObject({ kind: 'apply', attempt: 1, hasJournal: false });
    await lost.call('PUT', `/jobs/${apply.id}/journal?attempt=1&offset=0`, Buffer.from('begin '));
    await lost.call('PUT', `/jobs/${apply.id}/journal?attempt=1&offset=6`, Buffer.from('intent'));
    const other = await agent();
    expect(await other.claim()).toBeUndefined();
    const { services } = test.server;
    const former = await services.db
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', apply.id)
      .executeTakeFirstOrThrow();
    test.now = new Date(test.now.getTime() + LEASE_MS + 1);
    const again = await other.claim();
    expect(again).toMatchObject({ id: apply.id, attempt: 2, hasJournal: true });
    const log = await readLog(services, former.stage_id, 1, 1000);
    expect(log.toString()).toMatch(/connection to the agent was lost. Another agent continues/);
    expect(again.logOffset).toBe(log.length);
    const journal = await other.call('GET', `/jobs/${apply.id}/contents/journal?attempt=2`);
    expect(journal.bytes.toString()).toBe('begin intent');
    const late = await lost.call(
      'PUT',
      `/jobs/${apply.id}/journal?attempt=1&offset=12`,
      Buffer.from('x'),
    );
    expect(late.status).toBe(409);
    // As a request whose agent was checked before the other one took the job.
    await expect(writeJournal(services, former, 12, Buffer.from('x'))).rejects.toMatchObject({
      status: 409,
    });
    const unchanged = await other.call('GET', `/jobs/${apply.id}/contents/journal?attempt=2`);
    expect(unchanged.bytes.toString()).toBe('begin intent');
    const state = (serial: number) =>
      Buffer.from(JSON.stringify({ version: 4, serial, lineage: 'l', outputs: {}, resources: [] }));
    await other.call('PUT', `/jobs/${apply.id}/state?attempt=2`, state(1));
    const upload = await announceState(services, await workspaceRow(workspace), {
      serial: 2,
      lineage: 'l',
      md5: createHash('md5').update(state(2)).digest('hex'),
      force: false,
      runId: run,
      createdBy: null,
    });
    await expect(
      storeState(services, upload, state(2), guardOfJob(services, former, workspace)),
    ).rejects.toMatchObject({ status: 409 });
    expect((await latestState(services, workspace))?.serial).toBe(1);
    expect(await getBlob(services, stateBlob(upload.id))).toBeUndefined();
    const planned = { ...former, kind: 'plan' };
    const content = (text: string) => streamOf(Buffer.from(text)).pieces;
    for (const late of [
      () => putJobContent(services, planned, 'plan', content('x')),
      () => putJobContent(services, planned, 'policy-results', content('{"results": []}')),
      () => storeEvents(services, former, [{ type: 'log' }]),
      () => appendLog(services, former.stage_id, log.length, Buffer.from('x'), holderOf(former)),
    ]) {
      await expect(late()).rejects.toMatchObject({ status: 409 });
    }
    expect(await readLog(services, former.stage_id, 1, 1000)).toEqual(log);
    const events = services.db.selectFrom('events').selectAll().where('run_id', '=', run);
    expect(await events.execute()).toEqual([]);
    // Output of programs may have any character.
    const odd = { type: 'log', message: 'a\0b\ud800', 'k\0': ['😀'] };
    const sent = await other.call('POST', `/jobs/${apply.id}/events?attempt=2`, { events: [odd] });
    expect(sent.status).toBe(204);
    expect((await events.execute()).map(({ event }) => event)).toEqual([
      { type: 'log', message: 'a\ufffdb\ufffd', 'k\ufffd': ['😀'] },
    ]);
    // A request that is repeated, as its response was lost, and one that has an event more than before.
    const numbered = (first: number, ...names: readonly string[]) =>
      other.call('POST', `/jobs/${apply.id}/events?attempt=2&first=${first}`, {
        events: names.map((name) => ({ type: name })),
      });
    const answers = [
      await numbered(0, 'first', 'second'),
      await numbered(0, 'first', 'second'),
      await numbered(1, 'second', 'third'),
      await other.call('POST', `/jobs/${apply.id}/events?attempt=2&first=-1`, { events: [] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 400]);
    const kinds = (await events.orderBy('id').execute()).map(({ kind }) => kind);
    expect(kinds).toEqual(['log', 'first', 'second', 'third']);
    const named = JSON.stringify({
      version: 4,
      serial: 5,
      lineage: 'l',
      outputs: { 'o\0': { value: 'x', type: 'string' } },
      resources: [{ mode: 'managed', type: 't', name: 'n\0', provider: 'p', instances: [] }],
    });
    const stored = await other.call('PUT', `/jobs/${apply.id}/state?attempt=2`, Buffer.from(named));
    expect([stored.status, (await latestState(services, workspace))?.serial]).toEqual([204, 5]);
    await other.call('POST', `/jobs/${apply.id}/finish?attempt=2`, { outcome: 'succeeded' });
    expect(await statusOf(run)).toBe('applied');
  });
});

describe('run triggers', () => {
  it('start a run after an apply of the source, once', async () => {
    const [source, target] = [await newWorkspace('source'), await newWorkspace('target')];
    await newConfiguration(target);
    const path = `/api/v2/workspaces/${target}/run-triggers`;
    const body = (id: string) =>
      create('run-triggers', {}, { sourceable: { data: { type: 'workspaces', id } } });
    expect((await test.call('POST', path, body('ws-unknown'))).status).toBe(404);
    expect((await test.call('POST', path, body(target))).status).toBe(422);
    const created = await test.call('POST', path, body(source));
    expect(created.json.data.attributes).toMatchObject({
      'workspace-name': 'target',
      'sourceable-name': 'source',
    });
    expect((await test.call('POST', path, body(source))).status).toBe(422);
    const listed = async (workspace: string, type: string) =>
      (
        await test.call(
          'GET',
          `/api/v2/workspaces/${workspace}/run-triggers?filter[run-trigger][type]=${type}`,
        )
      ).json.data.length;
    expect([await listed(target, 'inbound'), await listed(source, 'outbound')]).toEqual([1, 1]);
    expect([await listed(target, 'outbound'), await listed(source, 'inbound')]).toEqual([0, 0]);
    const run = await newRun(source, { 'auto-apply': true });
    const worker = await agent();
    for (const attempt of [1, 1]) {
      const job = await worker.claim();
      await worker.call('POST', `/jobs/${job.id}/finish?attempt=${attempt}`, {
        outcome: 'succeeded',
        'has-changes': true,
      });
    }
    expect(await statusOf(run)).toBe('applied');
    const applied = await readRun(test.server.services.db, run);
    await startTriggeredRuns(test.server.services, applied, 'run:completed');
    const { json } = await test.call('GET', `/api/v2/workspaces/${target}/runs`);
    expect(json.data.map((each: { attributes: object }) => each.attributes)).toMatchObject([
      { 'trigger-reason': 'run_trigger', 'auto-apply': false, status: 'plan_queued' },
    ]);
    await test.call('POST', `/api/v2/runs/${json.data[0].id}/actions/cancel`, {});
    const own = `/api/v2/run-triggers/${created.json.data.id}`;
    expect((await test.call('DELETE', own)).status).toBe(204);
    expect((await test.call('GET', own)).status).toBe(404);
  });
});

describe('states', () => {
  it('require the lock, a new serial and the announced checksum', async () => {
    const workspace = await newWorkspace('states');
    const at = `/api/v2/workspaces/${workspace}`;
    const state = (serial: number): Buffer =>
      Buffer.from(
        JSON.stringify({
          version: 4,
          serial,
          lineage: 'l',
          outputs: {
            open: { value: [1], type: ['list', 'number'] },
            secret: { value: 'hidden', type: 'string', sensitive: true },
          },
          resources: [],
        }),
      );
    const announce = (serial: number) => {
      const md5 = createHash('md5').update(state(serial)).digest('hex');
      const body = create('state-versions', { serial, lineage: 'l', md5 });
      return test.call('POST', `${at}/state-versions`, body);
    };
    expect((await announce(1)).status).toBe(409);
    await test.call('POST', `${at}/actions/lock`, {});
    const { json } = await announce(1);
    const url = json.data.attributes['hosted-state-upload-url'];
    expect((await test.call('PUT', url, Buffer.from('{}'), null)).status).toBe(400);
    expect((await test.call('PUT', url, state(1), null)).status).toBe(200);
    expect((await announce(0)).status).toBe(409);
    const current = await test.call('GET', `${at}/current-state-version`);
    const download = current.json.data.attributes['hosted-state-download-url'];
    expect((await test.call('GET', download, undefined, null)).bytes).toEqual(state(1));
    const outputs = await test.call('GET', `${at}/current-state-version-outputs`);
    expect(outputs.json.data.map((each: { attributes: object }) => each.attributes)).toMatchObject([
      { name: 'open', value: [1], type: 'array' },
      { name: 'secret', value: null, sensitive: true },
    ]);
    await test.call('POST', `${at}/actions/unlock`);
  });

  it('are not replaced by an upload that was announced before them', async () => {
    const workspace = await newWorkspace('stale');
    const at = `/api/v2/workspaces/${workspace}`;
    const state = (serial: number): Buffer =>
      Buffer.from(JSON.stringify({ version: 4, serial, lineage: 'l', outputs: {}, resources: [] }));
    const announce = async (serial: number): Promise<string> => {
      test.now = new Date(test.now.getTime() + 1_000);
      const md5 = createHash('md5').update(state(serial)).digest('hex');
      const body = create('state-versions', { serial, lineage: 'l', md5 });
      const { json } = await test.call('POST', `${at}/state-versions`, body);
      return json.data.attributes['hosted-state-upload-url'];
    };
    await test.call('POST', `${at}/actions/lock`, {});
    const [stale, newer] = [await announce(1), await announce(2)];
    expect((await test.call('PUT', newer, state(2), null)).status).toBe(200);
    expect((await test.call('PUT', stale, state(1), null)).status).toBe(409);
    const { json } = await test.call('GET', `${at}/current-state-version`);
    expect(json.data.attributes.serial).toBe(2);
    await test.call('POST', `${at}/actions/unlock`);
  });

  it('with names of properties of prototypes change no object of the server', async () => {
    const workspace = await newWorkspace('prototypes');
    const at = `/api/v2/workspaces/${workspace}`;
    const resource = { mode: 'managed', type: 'polluted', name: 'a', instances: [{}] };
    const content = Buffer.from(
      JSON.stringify({
        version: 4,
        serial: 1,
        lineage: 'l',
        outputs: {},
        resources: [
          { ...resource, module: '__proto__', provider: '__proto__' },
          { ...resource, module: 'constructor', type: 'prototype', provider: 'p' },
        ],
      }),
    );
    await test.call('POST', `${at}/actions/lock`, {});
    const md5 = createHash('md5').update(content).digest('hex');
    const body = create('state-versions', { serial: 1, md5, state: content.toString('base64') });
    const { status, json } = await test.call('POST', `${at}/state-versions`, body);
    expect(status).toBe(201);
    expect(Object.keys(json.data.attributes.modules)).toEqual(['__proto__', 'constructor']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    await test.call('POST', `${at}/actions/unlock`);
  });

  it('are not served by URLs that were signed for another method, path or time', async () => {
    const workspace = await newWorkspace('urls');
    const { json } = await test.call(
      'POST',
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      create('configuration-versions', {}),
    );
    const url: string = json.data.attributes['upload-url'];
    expect((await test.call('PUT', `${url}x`, Buffer.from('x'), null)).status).toBe(404);
    expect(
      (await test.call('PUT', url.replace(/_signed\/\d/, '_signed/9'), undefined, null)).status,
    ).toBe(404);
    const before = test.now;
    test.now = new Date(before.getTime() + 26 * 3_600_000);
    expect((await test.call('PUT', url, gzipSync('x'), null)).status).toBe(404);
    test.now = before;
  });
});

describe('variables', () => {
  it('are encrypted, and sensitive ones are never returned', async () => {
    const workspace = await newWorkspace('variables');
    const path = `/api/v2/workspaces/${workspace}/vars`;
    const body = create('vars', {
      key: 'k',
      value: 'top secret',
      category: 'terraform',
      sensitive: true,
    });
    const { json, status } = await test.call('POST', path, body);
    expect(status).toBe(201);
    expect(json.data.attributes.value).toBeNull();
    const stored = await test.server.services.db.selectFrom('variables').selectAll().execute();
    expect(stored.some(({ value }) => Buffer.from(value).includes('top secret'))).toBe(false);
    const shown = create('vars', { sensitive: false });
    expect((await test.call('PATCH', `${path}/${json.data.id}`, shown)).status).toBe(422);
  });
});

describe('authorization', () => {
  const concrete = (path: string): string => path.replaceAll(/:\w+/g, 'unknown-id');

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'rejects %s without the right token',
    async (_name, { method, path, rule }) => {
      const target = concrete(rule.kind === 'signed' ? `${SIGNED_PREFIX}${path}` : path);
      const agentToken = await createAgentToken(test.server.services, 'matrix');
      const statuses = {
        anonymous: (await test.call(method, target, undefined, null)).status,
        invalid: (await test.call(method, target, undefined, 'wrong')).status,
        agent:
          rule.kind === 'agent'
            ? 401
            : (await test.call(method, target, undefined, agentToken)).status,
      };
      if (rule.kind === 'public') return;
      expect([401, 404]).toContain(statuses.anonymous);
      expect(statuses.invalid).toBe(401);
      expect([401, 404]).toContain(statuses.agent);
    },
  );

  it('follows the access of teams to a workspace', async () => {
    const workspace = await newWorkspace('matrix');
    const run = await newRun(workspace);
    const outcomes: Record<string, Record<string, number>> = {};
    for (const access of ['none', 'read', 'plan', 'write', 'admin']) {
      const team = await test.call(
        'POST',
        '/api/v2/organizations/acme/teams',
        create('teams', { name: access }),
      );
      const teamId: string = team.json.data.id;
      if (access !== 'none') {
        const granted = await test.call(
          'POST',
          '/api/v2/team-workspaces',
          create(
            'team-workspaces',
            { access },
            {
              team: { data: { type: 'teams', id: teamId } },
              workspace: { data: { type: 'workspaces', id: workspace } },
            },
          ),
        );
        expect(granted.status).toBe(201);
      }
      const issued = await test.call('POST', `/api/v2/teams/${teamId}/authentication-token`, {});
      const token: string = issued.json.data.attributes.token;
      const status = async (method: string, path: string, body?: unknown): Promise<number> =>
        (await test.call(method, path, body, token)).status;
      outcomes[access] = {
        read: await status('GET', `/api/v2/workspaces/${workspace}`),
        run: await status('GET', `/api/v2/runs/${run}`),
        upload: await status(
          'POST',
          `/api/v2/workspaces/${workspace}/configuration-versions`,
          create('configuration-versions', {}),
        ),
        variable: await status(
          'POST',
          `/api/v2/workspaces/${workspace}/vars`,
          create('vars', { key: `k_${access}`, category: 'env' }),
        ),
        settings: await status(
          'PATCH',
          `/api/v2/workspaces/${workspace}`,
          create('workspaces', {}),
        ),
        organization: await status(
          'PATCH',
          '/api/v2/organizations/acme',
          create('organizations', {}),
        ),
        agents: await status('POST', '/api/agent/v1/agents', {}),
      };
    }
    expect(outcomes).toEqual({
      none: {
        read: 404,
        run: 404,
        upload: 404,
        variable: 404,
        settings: 404,
        organization: 403,
        agents: 401,
      },
      read: {
        read: 200,
        run: 200,
        upload: 403,
        variable: 403,
        settings: 403,
        organization: 403,
        agents: 401,
      },
      plan: {
        read: 200,
        run: 200,
        upload: 201,
        variable: 403,
        settings: 403,
        organization: 403,
        agents: 401,
      },
      write: {
        read: 200,
        run: 200,
        upload: 201,
        variable: 201,
        settings: 403,
        organization: 403,
        agents: 401,
      },
      admin: {
        read: 200,
        run: 200,
        upload: 201,
        variable: 201,
        settings: 200,
        organization: 403,
        agents: 401,
      },
    });
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
  });

  it('keeps the audit log append-only', async () => {
    const { json } = await test.call('GET', '/api/v2/organizations/acme/audit-trail');
    expect(json.data.length).toBeGreaterThan(0);
    const { db } = test.server.services;
    await expect(db.deleteFrom('audit').execute()).rejects.toThrow('append-only');
  });
});

describe('the list of endpoints', () => {
  it('is in docs/server-api.md', async () => {
    const page = await readFile(new URL('../../../docs/server-api.md', import.meta.url), 'utf8');
    const lines = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(lines).toEqual(
      ROUTES.map(({ method, path, rule }) => `| \`${method} ${path}\` | ${ruleText(rule)} |`),
    );
  });
});

function ruleText(rule: Rule): string {
  switch (rule.kind) {
    case 'organization':
    case 'workspace':
      return `\`${rule.permission}\``;
    case 'signed':
      return 'signed URL';
    default:
      return rule.kind.replace('-', ' ');
  }
}
