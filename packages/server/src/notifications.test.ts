import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAgentToken } from './server.ts';
import { testServer, type TestJson, type TestServer } from './testing.ts';

let test: TestServer;
let workspace: string;
beforeAll(async () => {
  test = await testServer();
  const created = await test.call(
    'POST',
    '/api/v2/organizations/acme/workspaces',
    resource('workspaces', { name: 'watched' }),
  );
  workspace = created.json.data.id;
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await test.server.services.db.deleteFrom('notifications').execute();
  test.sent.length = 0;
  test.answers = () => undefined;
});

const resource = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

async function configure(attributes: object) {
  return await test.call(
    'POST',
    `/api/v2/workspaces/${workspace}/notification-configurations`,
    resource('notification-configurations', {
      name: 'hook',
      enabled: true,
      'destination-type': 'generic',
      url: 'https://hooks.test/run',
      ...attributes,
    }),
  );
}

async function startRun(): Promise<string> {
  const upload = await test.call(
    'POST',
    `/api/v2/workspaces/${workspace}/configuration-versions`,
    resource('configuration-versions', { 'auto-queue-runs': false }),
  );
  const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
  await test.call('PUT', upload.json.data.attributes['upload-url'], gzipSync(tar), null);
  const { json } = await test.call(
    'POST',
    '/api/v2/runs',
    resource(
      'runs',
      { message: 'Change <everything>' },
      { workspace: { data: { type: 'workspaces', id: workspace } } },
    ),
  );
  return json.data.id;
}

/** Plans the next run as an agent, with changes. */
async function plan(): Promise<void> {
  const token = await createAgentToken(test.server.services, 'test');
  const call = (path: string, body: object) =>
    test.call('POST', `/api/agent/v1${path}`, body, token);
  const { json } = await call('/agents', { name: 'test' });
  const { job } = (await call('/jobs/claim', { agent: json.id, 'wait-ms': 0 })).json;
  await call(`/jobs/${job.id}/finish?attempt=1`, { outcome: 'succeeded', 'has-changes': true });
}

const triggers = (): readonly string[] =>
  test.sent.map(({ body }) => JSON.parse(body ?? '').notifications[0].trigger);

describe('notification configurations', () => {
  it('are verified before they are enabled, and signed with their token', async () => {
    test.answers = () => ({ status: 404 });
    const refused = await configure({ token: 'key' });
    expect([refused.status, refused.json.errors[0].detail]).toEqual([
      422,
      'The destination could not be verified: the destination answered with status 404. Correct the URL, or disable the configuration.',
    ]);
    expect(
      (await test.call('GET', `/api/v2/workspaces/${workspace}/notification-configurations`)).json
        .data,
    ).toEqual([]);
    test.answers = () => ({ status: 202, body: 'thanks' });
    const { status, json } = await configure({ token: 'key', triggers: ['run:created'] });
    expect([status, json.data.attributes]).toMatchObject([
      201,
      {
        token: null,
        triggers: ['run:created'],
        'delivery-responses': [{ code: '202', body: 'thanks', successful: 'true' }],
      },
    ]);
    const { headers, body = '' } = test.sent.at(-1) ?? {};
    expect(headers?.['x-tfe-notification-signature']).toBe(
      createHmac('sha512', 'key').update(body).digest('hex'),
    );
    expect(JSON.parse(body)).toMatchObject({
      payload_version: 1,
      notification_configuration_id: json.data.id,
      notifications: [{ trigger: 'verification' }],
    });
    const stored = await test.server.services.db
      .selectFrom('notifications')
      .select('secret')
      .executeTakeFirstOrThrow();
    expect(Buffer.from(stored.secret).includes('hooks.test')).toBe(false);
  });

  it('reject unknown events, destinations and addresses', async () => {
    const rejected = [
      { triggers: ['run:unknown'] },
      { 'destination-type': 'pigeon' },
      { url: 'file:///etc/passwd' },
      { url: 'https://user:password@hooks.test/' },
      { url: '' },
      { name: '' },
    ];
    for (const attributes of rejected) expect((await configure(attributes)).status).toBe(422);
    expect(test.sent).toEqual([]);
  });

  it('send each event of a run once', async () => {
    await configure({
      triggers: ['run:created', 'run:planning', 'run:needs_attention', 'run:errored'],
    });
    await configure({ name: 'off', enabled: false, triggers: ['run:created'] });
    test.sent.length = 0;
    const run = await startRun();
    await plan();
    await test.server.workOnce();
    expect(triggers().toSorted()).toEqual(['run:created', 'run:needs_attention', 'run:planning']);
    const attention = test.sent
      .map(({ body }): TestJson => JSON.parse(body ?? ''))
      .find((each) => each.notifications[0].trigger === 'run:needs_attention');
    expect(attention).toMatchObject({
      run_id: run,
      run_url: `https://server.test/app/acme/workspaces/watched/runs/${run}`,
      run_created_by: 'ada',
      workspace_name: 'watched',
      organization_name: 'acme',
      notifications: [{ run_status: 'planned', message: 'Run Needs Attention' }],
    });
    await test.call('POST', `/api/v2/runs/${run}/actions/discard`, {});
    test.now = new Date(test.now.getTime() + 60_000);
    await test.server.workOnce();
    expect(test.sent).toHaveLength(3);
  });

  it('are repeated until they are delivered', async () => {
    await configure({ triggers: ['run:created'] });
    test.sent.length = 0;
    test.answers = () => ({ status: 500 });
    const run = await startRun();
    for (let minute = 0; minute < 3; minute++) {
      await test.server.workOnce();
      test.now = new Date(test.now.getTime() + 60_000);
    }
    test.answers = () => ({ status: 200 });
    await test.server.workOnce();
    await test.server.workOnce();
    expect(test.sent).toHaveLength(4);
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
  });

  it('are sent by another server if the one that made the change is lost', async () => {
    await configure({ triggers: ['run:created'] });
    const { services } = test.server;
    const listeners = [...services.runListeners];
    Object.assign(services, {
      runListeners: [() => Promise.reject(new Error('the process has ended'))],
    });
    const run = await startRun();
    Object.assign(services, { runListeners: listeners });
    test.sent.length = 0;
    await test.server.workOnce();
    expect(test.sent).toEqual([]);
    test.now = new Date(test.now.getTime() + 31_000);
    await test.server.workOnce();
    expect(triggers()).toEqual(['run:created']);
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
  });

  it('escape the markup of chats', async () => {
    await configure({ 'destination-type': 'slack', triggers: ['run:created'], token: 'unused' });
    await configure({ 'destination-type': 'microsoft-teams', triggers: ['run:created'] });
    test.sent.length = 0;
    const run = await startRun();
    await test.server.workOnce();
    const bodies = test.sent.map(({ body, headers }) => {
      expect(Object.keys(headers ?? {})).not.toContain('x-tfe-notification-signature');
      return JSON.parse(body ?? '');
    });
    expect(bodies.find(({ blocks }) => blocks !== undefined)).toMatchObject({
      text: 'Run Created: acme/watched: Change &lt;everything&gt;',
    });
    expect(bodies.find(({ attachments }) => attachments !== undefined)).toMatchObject({
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }],
    });
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
  });
});
