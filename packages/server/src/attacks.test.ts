import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken } from './server.ts';
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
const related = (type: string, id: string) => ({ data: { type, id } });
const TEAMS = '/api/v2/organizations/acme/teams';

async function newWorkspace(name: string, attributes: object = {}): Promise<string> {
  const body = create('workspaces', { name, ...attributes });
  const { json } = await test.call('POST', '/api/v2/organizations/acme/workspaces', body);
  return json.data.id;
}

/** Creates a team and returns its ID with a token. */
async function newTeam(name: string, organizationAccess: object = {}) {
  const attributes = { name, 'organization-access': organizationAccess };
  const { json } = await test.call('POST', TEAMS, create('teams', attributes));
  const id: string = json.data.id;
  const issued = await test.call('POST', `/api/v2/teams/${id}/authentication-token`, {});
  const token: string = issued.json.data.attributes.token;
  return { id, token };
}

/** Creates a team with access to a workspace, and returns its token. */
async function member(workspace: string, access: string): Promise<string> {
  const { id, token } = await newTeam(`${access}-${workspace}`);
  const granted = await test.call(
    'POST',
    '/api/v2/team-workspaces',
    create(
      'team-workspaces',
      { access },
      { team: related('teams', id), workspace: related('workspaces', workspace) },
    ),
  );
  expect(granted.status).toBe(201);
  return token;
}

async function ownersTeam(): Promise<string> {
  const { json } = await test.call('GET', `${TEAMS}?filter[names]=owners`);
  return json.data[0].id;
}

const archive = async (): Promise<Buffer> =>
  gzipSync(await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]));

describe('who manages teams or memberships', () => {
  it('does not become an owner, or make one', async () => {
    const owners = await ownersTeam();
    const { token } = await newTeam('managers', { 'manage-teams': true });
    const status = async (method: string, path: string, body?: unknown): Promise<number> =>
      (await test.call(method, path, body, token)).status;
    const users = { data: [{ type: 'users', id: 'ada' }] };
    const invitation = create(
      'organization-memberships',
      { email: 'eve@example.com' },
      { teams: { data: [{ type: 'teams', id: owners }] } },
    );
    const outcomes = {
      token: await status('POST', `/api/v2/teams/${owners}/authentication-token`, {}),
      tokens: await status('POST', `/api/v2/teams/${owners}/authentication-tokens`, {}),
      revoke: await status('DELETE', `/api/v2/teams/${owners}/authentication-token`),
      update: await status('PATCH', `/api/v2/teams/${owners}`, create('teams', {})),
      add: await status('POST', `/api/v2/teams/${owners}/relationships/users`, users),
      remove: await status('DELETE', `/api/v2/teams/${owners}/relationships/users`, users),
      invite: await status(
        'POST',
        '/api/v2/organizations/acme/organization-memberships',
        invitation,
      ),
    };
    expect(Object.values(outcomes)).toEqual(Array(7).fill(403));
    const { json } = await test.call(
      'GET',
      '/api/v2/organizations/acme/organization-memberships?q=ada',
    );
    expect(await status('DELETE', `/api/v2/organization-memberships/${json.data[0].id}`)).toBe(403);
    expect((await test.call('PATCH', `/api/v2/teams/${owners}`, create('teams', {}))).status).toBe(
      200,
    );
  });

  it('grants no access that it does not have itself, and no name of the owners', async () => {
    const { id, token } = await newTeam('granters', { 'manage-teams': true });
    const update = async (attributes: object): Promise<number> =>
      (await test.call('PATCH', `/api/v2/teams/${id}`, create('teams', attributes), token)).status;
    expect(await update({ 'organization-access': { 'manage-workspaces': true } })).toBe(403);
    expect(await update({ 'organization-access': { 'manage-membership': true } })).toBe(200);
    expect(await update({ name: 'owners' })).toBe(422);
    const made = create('teams', {
      name: 'made',
      'organization-access': { 'manage-agent-pools': true },
    });
    expect((await test.call('POST', TEAMS, made, token)).status).toBe(403);
  });
});

describe('who only reads a workspace', () => {
  it('receives no URL for uploads', async () => {
    const workspace = await newWorkspace('uploads');
    const [reader, planner] = [await member(workspace, 'read'), await member(workspace, 'plan')];
    const { json } = await test.call(
      'POST',
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      create('configuration-versions', {}),
    );
    const uploadUrl = async (token: string): Promise<unknown> =>
      (await test.call('GET', `/api/v2/configuration-versions/${json.data.id}`, undefined, token))
        .json.data.attributes['upload-url'];
    expect(await uploadUrl(reader)).toBeNull();
    // Only the response to the creation has the URL.
    expect(await uploadUrl(planner)).toBeNull();
    expect(json.data.attributes['upload-url']).toMatch(/^https:/);
    await test.call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {});
    const announced = await test.call(
      'POST',
      `/api/v2/workspaces/${workspace}/state-versions`,
      create('state-versions', { serial: 1, md5: '0'.repeat(32) }),
    );
    const version: string = announced.json.data.id;
    expect(announced.json.data.attributes['hosted-json-state-upload-url']).toMatch(/^https:/);
    const seen = await test.call('GET', `/api/v2/state-versions/${version}`, undefined, reader);
    expect(seen.status).toBe(200);
    expect(seen.json.data.attributes['hosted-state-upload-url']).toBeNull();
    expect(seen.json.data.attributes['hosted-json-state-upload-url']).toBeNull();
  });

  it('does not see the queue of other workspaces', async () => {
    const [own, other] = [await newWorkspace('own-queue'), await newWorkspace('other-queue')];
    const token = await member(own, 'read');
    const { json } = await test.call(
      'POST',
      `/api/v2/workspaces/${other}/configuration-versions`,
      create('configuration-versions', {}),
    );
    await test.call('PUT', json.data.attributes['upload-url'], await archive(), null);
    const path = '/api/v2/organizations/acme/runs/queue';
    expect((await test.call('GET', path)).json.data).not.toEqual([]);
    expect((await test.call('GET', path, undefined, token)).json.data).toEqual([]);
  });
});

describe('who only plans', () => {
  it('does not apply through an upload to a workspace with automatic applies', async () => {
    const workspace = await newWorkspace('automatic', { 'auto-apply': true });
    const planner = await member(workspace, 'plan');
    const isApplied = async (token: string): Promise<boolean> => {
      const { json } = await test.call(
        'POST',
        `/api/v2/workspaces/${workspace}/configuration-versions`,
        create('configuration-versions', {}),
        token,
      );
      await test.call('PUT', json.data.attributes['upload-url'], await archive(), null);
      const runs = await test.call('GET', `/api/v2/workspaces/${workspace}/runs`);
      return runs.json.data.find(
        (run: { relationships: { 'configuration-version': { data: { id: string } } } }) =>
          run.relationships['configuration-version'].data.id === json.data.id,
      ).attributes['auto-apply'];
    };
    expect(await isApplied(planner)).toBe(false);
    expect(await isApplied(test.token)).toBe(true);
  });
});

it("never applies a speculative configuration, regardless of the run's attributes", async () => {
  const workspace = await newWorkspace('speculative');
  const attributes = { speculative: true, 'auto-queue-runs': false };
  const { json } = await test.call(
    'POST',
    `/api/v2/workspaces/${workspace}/configuration-versions`,
    create('configuration-versions', attributes),
  );
  await test.call('PUT', json.data.attributes['upload-url'], await archive(), null);
  const run = await test.call(
    'POST',
    '/api/v2/runs',
    create(
      'runs',
      { 'plan-only': false, 'auto-apply': true },
      {
        workspace: related('workspaces', workspace),
        'configuration-version': related('configuration-versions', json.data.id),
      },
    ),
  );
  expect(run.json.data.attributes).toMatchObject({ 'plan-only': true, 'auto-apply': false });
});

it('does not attach a run of another workspace to a state', async () => {
  const [own, other] = [await newWorkspace('own-state'), await newWorkspace('other-state')];
  const { json } = await test.call(
    'POST',
    `/api/v2/workspaces/${other}/configuration-versions`,
    create('configuration-versions', { speculative: true }),
  );
  await test.call('PUT', json.data.attributes['upload-url'], await archive(), null);
  const runs = await test.call('GET', `/api/v2/workspaces/${other}/runs`);
  await test.call('POST', `/api/v2/workspaces/${own}/actions/lock`, {});
  const attached = await test.call(
    'POST',
    `/api/v2/workspaces/${own}/state-versions`,
    create(
      'state-versions',
      { serial: 1, md5: '0'.repeat(32) },
      { run: related('runs', runs.json.data[0].id) },
    ),
  );
  expect(attached.status).toBe(404);
});

it('records who receives the sensitive outputs of a state', async () => {
  const workspace = await newWorkspace('outputs');
  await test.call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {});
  const state = Buffer.from(
    JSON.stringify({
      version: 4,
      serial: 1,
      lineage: 'l',
      outputs: { secret: { type: 'string', value: 'hunter2', sensitive: true } },
    }),
  );
  const { json } = await test.call(
    'POST',
    `/api/v2/workspaces/${workspace}/state-versions`,
    create('state-versions', {
      serial: 1,
      md5: createHash('md5').update(state).digest('hex'),
      state: state.toString('base64'),
    }),
  );
  const entries = async (): Promise<number> =>
    (
      await test.server.services.db
        .selectFrom('audit')
        .select('id')
        .where('action', '=', 'read-sensitive')
        .execute()
    ).length;
  const before = await entries();
  const path = `/api/v2/state-versions/${json.data.id}`;
  const outputs = await test.call('GET', `${path}/outputs`);
  expect(outputs.json.data[0].attributes.value).toBe('hunter2');
  expect(await entries()).toBe(before + 1);
  await test.call('GET', `${path}?include=outputs`);
  expect(await entries()).toBe(before + 2);
});

describe('bodies', () => {
  it.each([
    ['PUT', '/_signed/9999999999999.forged/api/v2/configuration-versions/cv-1/upload', 404],
    ['POST', '/api/v2/workspaces/ws-1/state-versions', 401],
    ['PUT', '/api/agent/v1/jobs/job-1/state', 401],
    ['POST', '/api/v2/runs', 401],
  ])('are not read from strangers: %s %s', async (method, path, status) => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls++;
        controller.enqueue(new Uint8Array(1024 * 1024));
        if (pulls > 32) controller.close();
      },
    });
    // The types of `fetch` do not know "duplex", which a stream requires.
    const init: RequestInit & { readonly duplex: 'half' } = { method, body, duplex: 'half' };
    const response = await test.server.fetch(new Request(`https://server.test${path}`, init));
    expect(response.status).toBe(status);
    // One piece is the buffer of the stream itself.
    expect(pulls).toBeLessThanOrEqual(1);
  });
});

it('ends the wait of an agent whose wait limit is no number', async () => {
  const token = await createAgentToken(test.server.services, 'wait');
  const { json } = await test.call('POST', '/api/agent/v1/agents', { name: 'a' }, token);
  const agents = await test.server.services.db.selectFrom('jobs').select('id').execute();
  for (const { id } of agents) {
    await test.server.services.db.deleteFrom('jobs').where('id', '=', id).execute();
  }
  const body = { agent: json.id, 'wait-ms': 'forever' };
  const { status } = await test.call('POST', '/api/agent/v1/jobs/claim', body, token);
  expect(status).toBe(204);
});

describe('the log', () => {
  it('has an entry for each request, without secrets', async () => {
    const entries: {
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }[] = [];
    const log = {
      enabled: () => true,
      write: (_level: string, _module: string, message: string, fields = {}) =>
        void entries.push({ message, fields }),
    };
    await using own = await testServer({ logs: { core: log, provider: log } });
    const body = {
      data: { type: 'workspaces', attributes: { name: 'logged' } },
    };
    const created = await own.call('POST', '/api/v2/organizations/acme/workspaces', body);
    const id: string = created.json.data.id;
    const versions = await own.call('POST', `/api/v2/workspaces/${id}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } },
    });
    const upload: string = versions.json.data.attributes['upload-url'];
    await own.call('PUT', upload, Buffer.from('not an archive'), null);
    await own.call('GET', `/api/v2/workspaces/${id}?secret=query`, undefined, 'wrong-token');
    const response = await own.server.fetch(
      new Request('https://server.test/api/v2/ping', {
        headers: { 'x-request-id': 'proxy-1', authorization: `Bearer ${own.token}` },
      }),
    );
    expect(response.headers.get('x-request-id')).toBe('proxy-1');
    const requests = entries.filter(({ message }) => message === 'request');
    expect(requests.map(({ fields }) => [fields['route'], fields['status']])).toEqual([
      ['/api/v2/organizations/:organization/workspaces', 201],
      ['/api/v2/workspaces/:workspace/configuration-versions', 201],
      ['/api/v2/configuration-versions/:configuration/upload', expect.any(Number)],
      ['/api/v2/workspaces/:workspace', 401],
      ['/api/v2/ping', 204],
    ]);
    expect(requests[0]?.fields).toMatchObject({ organization: 'acme', principal: 'user' });
    expect(requests.at(-1)?.fields).toMatchObject({ request_id: 'proxy-1' });
    const text = JSON.stringify(entries);
    for (const secret of [own.token, 'wrong-token', 'secret', new URL(upload).pathname]) {
      expect(text).not.toContain(secret);
    }
  });
});
