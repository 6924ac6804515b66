// Attacks on the API by the owner of another organization, and by requests that are no JSON:API.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from './http/route.ts';
import { ROUTES } from './routes/index.ts';
import { createUserToken } from './server.ts';
import { newId } from './services/services.ts';
import { testServer, type TestServer } from './testing.ts';

let test: TestServer;
let outsider: string;
/** identifiers of existing objects by the name of the parameter of a path */
const ids: Record<string, string> = {};

const create = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});
const related = (type: string, id: string) => ({ data: { type, id } });
const ORGANIZATION = '/api/v2/organizations/acme';

async function made(path: string, body: object): Promise<string> {
  const { status, json } = await test.call('POST', path, body);
  expect([path, status < 300]).toEqual([path, true]);
  return json.data.id;
}

beforeAll(async () => {
  test = await testServer();
  const { services } = test.server;
  const userId = newId(services, 'user');
  await services.db
    .insertInto('users')
    .values({
      id: userId,
      username: 'mallory',
      email: 'mallory@example.com',
      is_site_admin: false,
      is_service_account: false,
      created_at: test.now,
    })
    .execute();
  outsider = await createUserToken(services, userId, 'test');
  const own = create('organizations', { name: 'evil', email: 'mallory@example.com' });
  expect((await test.call('POST', '/api/v2/organizations', own, outsider)).status).toBe(201);

  const project = await made(`${ORGANIZATION}/projects`, create('projects', { name: 'secret' }));
  const workspace = await made(
    `${ORGANIZATION}/workspaces`,
    create('workspaces', { name: 'secret' }, { project: related('projects', project) }),
  );
  const source = await made(`${ORGANIZATION}/workspaces`, create('workspaces', { name: 'source' }));
  const inWorkspace = `/api/v2/workspaces/${workspace}`;
  const team = await made(`${ORGANIZATION}/teams`, create('teams', { name: 'secret' }));
  const variable = create('vars', { key: 'secret', value: 'x', category: 'env' });
  const set = await made(`${ORGANIZATION}/varsets`, create('varsets', { name: 's', global: true }));
  const cv = await test.call(
    'POST',
    `${inWorkspace}/configuration-versions`,
    create('configuration-versions', { 'auto-queue-runs': false }),
  );
  const tar = gzipSync(await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]));
  await test.call('PUT', cv.json.data.attributes['upload-url'], tar, null);
  const run = await made(
    '/api/v2/runs',
    create('runs', {}, { workspace: related('workspaces', workspace) }),
  );
  const state = JSON.stringify({
    version: 4,
    serial: 1,
    lineage: 'l',
    outputs: { secret: { value: 'x', type: 'string' } },
    resources: [],
  });
  await services.db.updateTable('workspaces').set({ current_run_id: null }).execute();
  expect((await test.call('POST', `/api/v2/workspaces/${source}/actions/lock`, {})).status).toBe(
    200,
  );
  const version = await made(
    `/api/v2/workspaces/${source}/state-versions`,
    create('state-versions', {
      serial: 1,
      lineage: 'l',
      md5: createHash('md5').update(state).digest('hex'),
      state: Buffer.from(state).toString('base64'),
    }),
  );
  const client = await test.call(
    'POST',
    `${ORGANIZATION}/oauth-clients`,
    create('oauth-clients', { 'service-provider': 'github', 'oauth-token-string': 'x' }),
  );
  const task = await made(
    `${ORGANIZATION}/tasks`,
    create('tasks', { name: 'secret', url: 'https://tasks.example.com/', category: 'task' }),
  );
  const first = async (table: string): Promise<string> => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM ${sql.table(table)} LIMIT 1`.execute(
      services.db,
    );
    return rows[0]?.id ?? '';
  };
  const pool = create('agent-pools', { name: 'secret' });
  Object.assign(ids, {
    organization: 'acme',
    namespace: 'acme',
    name: 'secret',
    project,
    workspace,
    team,
    set,
    variable: await made(`${inWorkspace}/vars`, variable),
    pool: await made(`${ORGANIZATION}/agent-pools`, pool),
    configuration: cv.json.data.id,
    run,
    stage: await first('stages'),
    version,
    output: await first('state_outputs'),
    client: client.json.data.id,
    token: client.json.data.relationships['oauth-tokens'].data[0].id,
    task,
    key: await made(`${ORGANIZATION}/ssh-keys`, create('ssh-keys', { name: 's', value: 'x' })),
    trigger: await made(
      `${inWorkspace}/run-triggers`,
      create('run-triggers', {}, { sourceable: related('workspaces', source) }),
    ),
    comment: await made(`/api/v2/runs/${run}/comments`, create('comments', { body: 'x' })),
    membership: await first('memberships'),
    access: await made(
      '/api/v2/team-workspaces',
      create(
        'team-workspaces',
        { access: 'read' },
        { team: related('teams', team), workspace: related('workspaces', workspace) },
      ),
    ),
    notification: await made(
      `${inWorkspace}/notification-configurations`,
      create('notification-configurations', {
        name: 'n',
        'destination-type': 'generic',
        url: 'https://hooks.example.com/',
        enabled: false,
        triggers: [],
      }),
    ),
  });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const pathOf = ({ path }: Route): string =>
  path.replaceAll(/:(\w+)/g, (_all, name: string) => ids[name] ?? 'unknown');
/** Routes that require a permission in an organization or workspace. */
const GUARDED = ROUTES.filter(
  ({ rule }) => rule.kind === 'organization' || rule.kind === 'workspace',
);
const named = (routes: readonly Route[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('the owner of another organization', () => {
  it.each(named(GUARDED))('cannot use %s', async (_name, route) => {
    const body = { data: { id: 'x', type: 'x', attributes: { name: 'x' }, relationships: {} } };
    const hasBody = route.method !== 'GET';
    const { status, bytes } = await test.call(
      route.method,
      pathOf(route),
      hasBody ? body : undefined,
      outsider,
    );
    expect([status, bytes.includes('secret')]).toEqual([404, false]);
  });

  it('cannot relate objects of its organization to those of others', async () => {
    const mine = '/api/v2/organizations/evil';
    const call = async (path: string, body: object): Promise<number> =>
      (await test.call('POST', path, body, outsider)).status;
    const workspace = await test.call(
      'POST',
      `${mine}/workspaces`,
      create('workspaces', { name: 'mine' }),
      outsider,
    );
    const id: string = workspace.json.data.id;
    const of = (name: string, type: string) => related(type, ids[name] ?? '');
    const sets = (name: string, relationships: object) =>
      call(`${mine}/varsets`, create('varsets', { name, global: false }, relationships));
    const statuses = {
      project: await call(
        `${mine}/workspaces`,
        create('workspaces', { name: 'w' }, { project: of('project', 'projects') }),
      ),
      pool: await call(
        `${mine}/workspaces`,
        create('workspaces', {
          name: 'w',
          'execution-mode': 'agent',
          'agent-pool-id': ids['pool'],
        }),
      ),
      repository: await call(
        `${mine}/workspaces`,
        create('workspaces', {
          name: 'w',
          'vcs-repo': { identifier: 'a/b', 'oauth-token-id': ids['token'] },
        }),
      ),
      configuration: await call(
        '/api/v2/runs',
        create(
          'runs',
          {},
          {
            workspace: related('workspaces', id),
            'configuration-version': of('configuration', 'configuration-versions'),
          },
        ),
      ),
      trigger: await call(
        `/api/v2/workspaces/${id}/run-triggers`,
        create('run-triggers', {}, { sourceable: of('workspace', 'workspaces') }),
      ),
      task: await call(
        `/api/v2/workspaces/${id}/tasks`,
        create('workspace-tasks', {}, { task: of('task', 'tasks') }),
      ),
      setWorkspace: await sets('a', { workspaces: { data: [of('workspace', 'workspaces').data] } }),
      setParent: await sets('b', { parent: of('project', 'projects') }),
      member: await call(
        `${mine}/organization-memberships`,
        create(
          'organization-memberships',
          { email: 'x@example.com' },
          { teams: { data: [of('team', 'teams').data] } },
        ),
      ),
      access: await call(
        '/api/v2/team-workspaces',
        create(
          'team-workspaces',
          { access: 'admin' },
          { team: of('team', 'teams'), workspace: related('workspaces', id) },
        ),
      ),
    };
    expect(statuses).toEqual({
      ...Object.fromEntries(Object.keys(statuses).map((name) => [name, 404])),
      repository: 422,
    });
    const list = await test.call('GET', `${mine}/varsets`, undefined, outsider);
    expect(list.json.data).toEqual([]);
  });
});

const BODIES: readonly unknown[] = [
  null,
  [],
  'text',
  { data: null },
  { data: [null, 5, 'x', [], {}] },
  { data: 'x' },
  { data: { attributes: [], relationships: 5 } },
  {
    data: {
      attributes: null,
      relationships: { workspace: { data: [1] }, teams: { data: [null] } },
    },
  },
  { data: { attributes: { name: {}, key: [], value: 5, enabled: 'x', settings: 'x', url: 7 } } },
  { data: { attributes: { name: '\0', key: '\0', description: '\0', body: '\0' } } },
  { data: { attributes: { name: '\ud800', key: "'; DROP TABLE users; --" } } },
];
const QUERIES = [
  'page[size]=-1',
  'page[number]=1e9&page[size]=100000',
  'page[number]=x',
  'include=__proto__,constructor,users,teams.users,workspace.organization',
  "q='&search[name]=%25\\&filter[names]='%00&filter[status]=%00",
  'filter[workspace][id]=%00&sort=%00&since=x&offset=-1&limit=-1',
  'search[wildcard-name]=*%25_*&search[tags]=a,,b&search[user]=%00&search[basic]=%00',
];

describe('requests that are no JSON:API', () => {
  const writing = GUARDED.filter(({ method }) => method === 'POST' || method === 'PATCH');

  it.each(named(writing))('of %s are rejected or ignored', async (_name, route) => {
    const failures: unknown[] = [];
    for (const body of BODIES) {
      const { status } = await test.call(route.method, pathOf(route), body);
      if (status >= 500) failures.push(body);
    }
    expect(failures).toEqual([]);
  });

  const reading = ROUTES.filter(
    ({ method, rule, path }) =>
      method === 'GET' &&
      !['signed', 'agent', 'public'].includes(rule.kind) &&
      path.startsWith('/api'),
  );
  it.each(named(reading))('of %s have no effect on its query', async (_name, route) => {
    const failures: string[] = [];
    for (const query of QUERIES) {
      const { status } = await test.call('GET', `${pathOf(route)}?${query}`);
      if (status >= 500) failures.push(query);
    }
    expect(failures).toEqual([]);
  });
});
