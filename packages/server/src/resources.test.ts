// Resources of the API that belong to workspaces, projects and organizations.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './database/database.ts';
import { testServer, type TestJson, type TestServer } from './testing.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const ORGANIZATION = '/api/v2/organizations/acme';
const create = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});
const related = (type: string, id: string) => ({ data: { type, id } });

async function post(path: string, type: string, attributes: object, relationships: object = {}) {
  return await test.call('POST', path, create(type, attributes, relationships));
}

async function created(path: string, type: string, attributes: object, relationships: object = {}) {
  const { json, status } = await post(path, type, attributes, relationships);
  expect(status).toBe(201);
  const { id } = json.data as { readonly id: string }; // Every resource has an ID.
  return id;
}

const attributesOf = async (path: string): Promise<TestJson> =>
  (await test.call('GET', path)).json.data.attributes;

describe('reserved tag keys', () => {
  it('keep workspaces from overriding the values of their project', async () => {
    const path = `${ORGANIZATION}/reserved-tag-keys`;
    const key = await created(path, 'reserved-tag-keys', {
      key: 'team',
      'disable-overrides': true,
    });
    expect((await post(path, 'reserved-tag-keys', { key: 'team' })).json.errors[0].detail).toBe(
      'Key has already been taken',
    );
    expect((await post(path, 'reserved-tag-keys', { key: 'a b' })).status).toBe(422);
    const binding = (name: string, value: string) => ({
      type: 'tag-bindings',
      attributes: { key: name, value },
    });
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'tagged' });
    await test.call('PATCH', `/api/v2/projects/${project}/tag-bindings`, {
      data: [binding('team', 'one')],
    });
    const workspace = await created(
      `${ORGANIZATION}/workspaces`,
      'workspaces',
      { name: 'tagged' },
      { project: related('projects', project) },
    );
    const bind = async (value: string): Promise<number> =>
      (
        await test.call('PATCH', `/api/v2/workspaces/${workspace}/tag-bindings`, {
          data: [binding('team', value), binding('other', value)],
        })
      ).status;
    expect([await bind('two'), await bind('one')]).toEqual([422, 200]);
    await test.call(
      'PATCH',
      `/api/v2/reserved-tags/${key}`,
      create('reserved-tag-keys', { 'disable-overrides': false }),
    );
    expect(await bind('two')).toBe(200);
    expect((await test.call('DELETE', `/api/v2/reserved-tag-keys/${key}`)).status).toBe(204);
    expect((await test.call('GET', path)).json.data).toEqual([]);
  });
});

describe('the resources of a workspace', () => {
  it('are the managed instances of its state, without data sources', async () => {
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', { name: 'listed' });
    const path = `/api/v2/workspaces/${workspace}/resources`;
    expect((await test.call('GET', path)).json.data).toEqual([]);
    const provider = 'provider["registry.terraform.io/hashicorp/aws"]';
    const state = JSON.stringify({
      version: 4,
      serial: 1,
      lineage: 'l',
      outputs: {},
      resources: [
        {
          module: 'module.a["x"].module.b',
          mode: 'managed',
          type: 'aws_vpc',
          name: 'main',
          provider,
          instances: [{ index_key: 0 }, { index_key: 1 }],
        },
        { mode: 'data', type: 'aws_ami', name: 'x', provider, instances: [{}] },
        {
          mode: 'managed',
          type: 'x_y',
          name: 'z',
          provider: 'provider["runs.example.com/acme/x"]',
          instances: [{ index_key: 'k' }],
        },
      ],
    });
    await test.call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {});
    await created(`/api/v2/workspaces/${workspace}/state-versions`, 'state-versions', {
      serial: 1,
      lineage: 'l',
      md5: createHash('md5').update(state).digest('hex'),
      state: Buffer.from(state).toString('base64'),
    });
    const { json } = await test.call('GET', `${path}?sort=provider:desc`);
    expect(json.data.map(({ attributes }: TestJson) => attributes)).toMatchObject([
      { address: 'x_y.z["k"]', module: 'root', provider: 'runs.example.com/acme/x' },
      { address: 'a["x"].b.aws_vpc.main[0]', module: 'a["x"].b', provider: 'hashicorp/aws' },
      { address: 'a["x"].b.aws_vpc.main[1]', 'name-index': '1', 'provider-type': 'aws_vpc' },
    ]);
    expect((await test.call('GET', `${path}?q=x_y`)).json.meta.pagination['total-count']).toBe(1);
    expect((await test.call('GET', `${path}?sort=__proto__`)).status).toBe(422);
  });
});

describe('all variables of a workspace', () => {
  it('are the strongest of each name', async () => {
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', { name: 'vars' });
    const set = async (name: string, attributes: object): Promise<string> =>
      await created(`${ORGANIZATION}/varsets`, 'varsets', { name, global: true, ...attributes });
    const [weak, strong] = [await set('weak', {}), await set('strong', { priority: true })];
    const variable = { category: 'env' };
    const ofSet = (id: string) => `/api/v2/varsets/${id}/relationships/vars`;
    await created(ofSet(weak), 'vars', { ...variable, key: 'A', value: 'weak' });
    await created(ofSet(weak), 'vars', { ...variable, key: 'B', value: 'weak' });
    await created(ofSet(strong), 'vars', { ...variable, key: 'C', value: 'strong' });
    for (const key of ['A', 'C']) {
      const path = `/api/v2/workspaces/${workspace}/vars`;
      await created(path, 'vars', { ...variable, key, value: 'own' });
    }
    const { json } = await test.call('GET', `/api/v2/workspaces/${workspace}/all-vars`);
    const values = json.data.map(({ attributes: { key, value } }: TestJson) => [key, value]);
    expect(Object.fromEntries(values)).toEqual({ A: 'own', B: 'weak', C: 'strong' });
    expect(values).toHaveLength(3);
  });

  it('come from the narrowest set, and from the broadest one with priority', async () => {
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'ranked' });
    const ofProject = related('projects', project);
    const workspace = await created(
      `${ORGANIZATION}/workspaces`,
      'workspaces',
      { name: 'ranked' },
      { project: ofProject },
    );
    const ofWorkspace = { workspaces: { data: [related('workspaces', workspace).data] } };
    const inProject = { projects: { data: [ofProject.data] } };
    const scopes: Readonly<Record<string, object>> = {
      global: {},
      project: inProject,
      workspace: ofWorkspace,
      'own-project': { ...inProject, parent: ofProject },
      'own-workspace': { ...ofWorkspace, parent: ofProject },
    };
    const names = Object.keys(scopes);
    const sets: string[] = [];
    for (const priority of [false, true]) {
      for (const [name, relationships] of Object.entries(scopes)) {
        const set = await created(
          `${ORGANIZATION}/varsets`,
          'varsets',
          { name: `${name} ${priority}`, global: name === 'global', priority },
          relationships,
        );
        sets.push(set);
        // Each set has the variables that it shares with each of the others.
        for (const other of names) {
          if (other === name) continue;
          const key = `${priority ? 'STRONG' : 'WEAK'} ${[name, other].sort().join(' ')}`;
          await created(`/api/v2/varsets/${set}/relationships/vars`, 'vars', {
            category: 'env',
            key: key.replaceAll(/[ -]/g, '_'),
            value: name,
          });
        }
      }
    }
    const { json } = await test.call('GET', `/api/v2/workspaces/${workspace}/all-vars`);
    const winners: Record<string, string> = {};
    for (const { attributes } of json.data) winners[attributes.key] = attributes.value;
    for (const [index, broad] of names.entries()) {
      for (const narrow of names.slice(index + 1)) {
        const pair = [broad, narrow].sort().join('_').replaceAll('-', '_');
        expect([pair, winners[`WEAK_${pair}`]]).toEqual([pair, narrow]);
        expect([pair, winners[`STRONG_${pair}`]]).toEqual([pair, broad]);
      }
    }
    for (const set of sets) await test.call('DELETE', `/api/v2/varsets/${set}`);
  });
});

describe('included resources', () => {
  const included = async (path: string): Promise<TestJson> => (await test.call('GET', path)).json;

  it('of variable sets are their workspaces and projects', async () => {
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', { name: 'in-set' });
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'in-set' });
    const set = await created(`${ORGANIZATION}/varsets`, 'varsets', {
      name: 'related',
      global: false,
    });
    await test.call('POST', `/api/v2/varsets/${set}/relationships/workspaces`, {
      data: [{ type: 'workspaces', id: workspace }],
    });
    await test.call('POST', `/api/v2/varsets/${set}/relationships/projects`, {
      data: [{ type: 'projects', id: project }],
    });
    for (const path of [`/api/v2/varsets/${set}`, `${ORGANIZATION}/varsets`]) {
      const json = await included(`${path}?include=workspaces,projects`);
      const names = json.included.map(({ type, attributes }: TestJson) => [type, attributes.name]);
      expect(names).toEqual([
        ['workspaces', 'in-set'],
        ['projects', 'in-set'],
      ]);
    }
  });

  it('of a workspace are ten of its own at most, and a request with more changes nothing', async () => {
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', {
      name: 'ten-tags',
    });
    const path = `/api/v2/workspaces/${workspace}/tag-bindings`;
    const bind = async (...keys: readonly number[]) =>
      await test.call('PATCH', path, {
        data: keys.map((key) => ({ type: 'tag-bindings', attributes: { key: `key-${key}` } })),
      });
    expect((await bind(...Array(9).keys())).status).toBe(200);
    expect((await bind(8, 9)).status).toBe(200);
    expect((await bind(10)).status).toBe(422);
    expect((await test.call('GET', path)).json.data).toHaveLength(10);
  });

  it('of a workspace are its tags and those of its project', async () => {
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'bound' });
    const workspace = await created(
      `${ORGANIZATION}/workspaces`,
      'workspaces',
      { name: 'bound' },
      { project: related('projects', project) },
    );
    const bind = (path: string, value: string, ...keys: readonly string[]) =>
      test.call('PATCH', `${path}/tag-bindings`, {
        data: keys.map((key) => ({ type: 'tag-bindings', attributes: { key, value } })),
      });
    await bind(`/api/v2/projects/${project}`, 'project', 'a', 'b');
    const bound = await bind(`/api/v2/workspaces/${workspace}`, 'workspace', 'c', 'b');
    expect(bound.json.data.map(({ attributes }: TestJson) => attributes.key)).toEqual(['c', 'b']);
    const json = await included(`/api/v2/workspaces/${workspace}?include=effective_tag_bindings`);
    const values = json.included.map(({ attributes: { key, value }, links }: TestJson) => [
      key,
      value,
      links?.['inherited-from'],
    ]);
    expect(values).toEqual([
      ['a', 'project', `/api/v2/projects/${project}`],
      ['b', 'workspace', undefined],
      ['c', 'workspace', undefined],
    ]);
    const ids = (list: TestJson) => list.map(({ id }: TestJson) => id);
    expect(ids(json.data.relationships['effective-tag-bindings'].data)).toEqual(ids(json.included));
  });

  it('of runs are each there once, with as many queries for many runs as for two', async () => {
    const { services } = test.server;
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', { name: 'runs' });
    const configuration = await created(
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      'configuration-versions',
      { 'auto-queue-runs': false },
    );
    await services.db
      .updateTable('configuration_versions')
      .set({ status: 'uploaded' })
      .where('id', '=', configuration)
      .execute();
    const queue = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        await created('/api/v2/runs', 'runs', {}, { workspace: related('workspaces', workspace) });
      }
    };
    let queries = 0;
    const uncounted = services.db;
    Object.assign(services, {
      db: uncounted.withPlugin({
        transformQuery({ node }) {
          queries++;
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      }),
    });
    const names =
      'plan,apply,created_by,confirmed_by,configuration_version,configuration_version.ingress_attributes,task_stages,workspace';
    const list = async (path: string): Promise<{ json: TestJson; queries: number }> => {
      queries = 0;
      const json = await included(`${path}/runs?include=${names}`);
      return { json, queries };
    };
    const paths = [`/api/v2/workspaces/${workspace}`, ORGANIZATION];
    await queue(2);
    const [two, twoOfAll] = [await list(paths[0] ?? ''), await list(paths[1] ?? '')];
    await queue(5);
    const [many, manyOfAll] = [await list(paths[0] ?? ''), await list(paths[1] ?? '')];
    Object.assign(services, { db: uncounted });
    expect([many.json.data.length, many.queries, manyOfAll.queries]).toEqual([
      7,
      two.queries,
      twoOfAll.queries,
    ]);
    const keys = many.json.included.map(({ type, id }: TestJson) => `${type} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
    const types = many.json.included.map(({ type }: TestJson) => type);
    expect(new Set(types)).toEqual(
      new Set(['plans', 'applies', 'users', 'configuration-versions', 'workspaces']),
    );
    expect(types.filter((type: string) => type === 'plans')).toHaveLength(7);
    expect(many.json.included.find(({ type }: TestJson) => type === 'users').attributes.email).toBe(
      undefined,
    );
  });

  it('of memberships have the e-mail addresses of users', async () => {
    const query = 'include=user&filter[email]=ada@example.com';
    const json = await included(`${ORGANIZATION}/organization-memberships?${query}`);
    expect(json.included.map(({ attributes }: TestJson) => attributes.email)).toEqual([
      'ada@example.com',
    ]);
  });
});

describe('the outputs of a workspace', () => {
  it('are one list, empty without a state, and included for those who may read them', async () => {
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', {
      name: 'outputs',
    });
    const path = `/api/v2/workspaces/${workspace}`;
    const outputs = async (query = ''): Promise<readonly TestJson[]> =>
      (await test.call('GET', `${path}/current-state-version-outputs${query}`)).json.data;
    expect(await outputs()).toEqual([]);
    const names = Array.from({ length: 25 }, (_each, index) => `o${index}`);
    const state = JSON.stringify({
      version: 4,
      serial: 1,
      lineage: 'outputs',
      outputs: Object.fromEntries(names.map((name) => [name, { value: name, type: 'string' }])),
      resources: [],
    });
    await test.call('POST', `${path}/actions/lock`, {});
    await created(`${path}/state-versions`, 'state-versions', {
      serial: 1,
      lineage: 'outputs',
      md5: createHash('md5').update(state).digest('hex'),
      state: Buffer.from(state).toString('base64'),
    });
    expect(await outputs()).toHaveLength(25);
    expect(await outputs('?page[number]=2')).toHaveLength(5);

    const { json } = await post(`${ORGANIZATION}/teams`, 'teams', { name: 'no-outputs' });
    const team: string = json.data.id;
    await post(
      '/api/v2/team-workspaces',
      'team-workspaces',
      { access: 'custom', runs: 'read', 'state-versions': 'none' },
      { team: related('teams', team), workspace: related('workspaces', workspace) },
    );
    const issued = await post(`/api/v2/teams/${team}/authentication-token`, 'tokens', {});
    const includedFor = async (token?: string) =>
      (await test.call('GET', `${path}?include=outputs`, undefined, token)).json.included;
    expect(await includedFor()).toHaveLength(25);
    expect(await includedFor(issued.json.data.attributes.token)).toEqual([]);
    await test.call('DELETE', `/api/v2/teams/${team}`);
  });
});

it('lists the runs of an organization in pages, without their number', async () => {
  const organization = '/api/v2/organizations/many-runs';
  await post('/api/v2/organizations', 'organizations', { name: 'many-runs', email: 'a@b.test' });
  const workspace = await created(`${organization}/workspaces`, 'workspaces', { name: 'runs' });
  const upload = await post(
    `/api/v2/workspaces/${workspace}/configuration-versions`,
    'configuration-versions',
    { 'auto-queue-runs': false },
  );
  const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
  await test.call('PUT', upload.json.data.attributes['upload-url'], gzipSync(tar), null);
  const start = () =>
    created(
      '/api/v2/runs',
      'runs',
      { 'plan-only': true },
      { workspace: related('workspaces', workspace) },
    );
  const runs = new Set([await start(), await start(), await start()]);
  const page = async (number: number): Promise<TestJson> =>
    (await test.call('GET', `${organization}/runs?page[size]=2&page[number]=${number}`)).json;
  const [first, second] = [await page(1), await page(2)];
  expect(first.meta.pagination).toEqual({
    'current-page': 1,
    'page-size': 2,
    'prev-page': null,
    'next-page': 2,
  });
  expect(second.meta.pagination).toMatchObject({ 'prev-page': 1, 'next-page': null });
  const listed = [...first.data, ...second.data].map(({ id }: TestJson) => id);
  expect(new Set(listed)).toEqual(runs);
  await test.call('DELETE', organization);
});

it('keeps the settings of a run task that is not global any more', async () => {
  const settings = { enabled: true, stages: ['pre_plan'], 'enforcement-level': 'mandatory' };
  const task = await created(`${ORGANIZATION}/tasks`, 'tasks', {
    name: 'kept',
    url: 'https://tasks.test/',
    category: 'task',
    'global-configuration': settings,
  });
  const change = async (global: object): Promise<TestJson> =>
    (
      await test.call(
        'PATCH',
        `/api/v2/tasks/${task}`,
        create('tasks', { 'global-configuration': global }),
      )
    ).json.data.attributes['global-configuration'];
  expect(await change({ enabled: false })).toEqual({ ...settings, enabled: false });
  expect(await change({ enabled: true })).toEqual(settings);
});

describe('the execution mode', () => {
  it('is inherited from the project or the organization, until a workspace has its own', async () => {
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'modes' });
    const workspace = await created(
      `${ORGANIZATION}/workspaces`,
      'workspaces',
      { name: 'modes' },
      { project: related('projects', project) },
    );
    const path = `/api/v2/workspaces/${workspace}`;
    const mode = async () => {
      const attributes = await attributesOf(path);
      return [
        attributes['execution-mode'],
        attributes['setting-overwrites']['execution-mode'],
      ] as const;
    };
    const patch = (target: string, type: string, attributes: object) =>
      test.call('PATCH', target, create(type, attributes));
    expect(await mode()).toEqual(['remote', false]);
    await patch(ORGANIZATION, 'organizations', { 'default-execution-mode': 'local' });
    expect(await mode()).toEqual(['local', false]);
    await patch(`/api/v2/projects/${project}`, 'projects', { 'default-execution-mode': 'remote' });
    expect(await mode()).toEqual(['remote', false]);
    await patch(path, 'workspaces', { 'execution-mode': 'remote' });
    await patch(`/api/v2/projects/${project}`, 'projects', { 'default-execution-mode': 'local' });
    expect(await mode()).toEqual(['remote', true]);
    await patch(path, 'workspaces', { 'setting-overwrites': { 'execution-mode': false } });
    expect(await mode()).toEqual(['local', false]);
    await patch(ORGANIZATION, 'organizations', { 'default-execution-mode': 'remote' });
    const version = (text: string) => patch(path, 'workspaces', { 'terraform-version': text });
    expect((await version('nonexisting')).status).toBe(422);
    expect((await version('~> 1.11, != 1.11.3')).status).toBe(200);
    // Rejected in linear time, whatever the ways to split the digits into versions.
    expect((await version(`${'1'.repeat(100)}!`)).status).toBe(422);
    expect((await version('1'.repeat(300))).status).toBe(422);
  });
});

describe('an organization without user tokens', () => {
  it('accepts tokens of teams, and no token of a user', async () => {
    const organization = '/api/v2/organizations/teams-only';
    const { status } = await post('/api/v2/organizations', 'organizations', {
      name: 'teams-only',
      email: 'ada@example.com',
    });
    expect(status).toBe(201);
    const owners = await test.call('GET', `${organization}/teams?filter[names]=owners`);
    const team: string = owners.json.data[0].id;
    const issued = await test.call('POST', `/api/v2/teams/${team}/authentication-token`, {});
    const { token, description } = issued.json.data.attributes;
    expect(description).toBeNull();
    await created(`${organization}/workspaces`, 'workspaces', { name: 'states' });
    const allow = (isAllowed: boolean, as: string) =>
      test.call(
        'PATCH',
        organization,
        create('organizations', { 'user-tokens-enabled': isAllowed }),
        as,
      );
    const refused = await allow(false, test.token);
    expect([refused.status, refused.json.errors[0].detail]).toEqual([
      422,
      "User tokens enabled cannot be false in a request with a user's token, which would lose its access to the organization. " +
        'Send the request with a token of the owners team or the organization.',
    ]);
    expect((await allow(false, token)).status).toBe(200);
    expect((await test.call('GET', organization)).status).toBe(401);
    expect((await test.call('GET', organization, undefined, token)).status).toBe(200);
    // Routes that name the organization in a filter, too.
    const filters = 'filter[organization][name]=teams-only&filter[workspace][name]=states';
    const states = `/api/v2/state-versions?${filters}`;
    expect((await test.call('GET', states)).status).toBe(404);
    expect((await test.call('GET', states, undefined, token)).status).toBe(200);
    expect((await allow(true, token)).status).toBe(200);
    expect((await test.call('GET', organization)).status).toBe(200);
  });
});

describe('team tokens', () => {
  it('are found by the name of their team and sorted by their expiry', async () => {
    const issue = async (name: string, expires: string): Promise<string> => {
      const team = await post(`${ORGANIZATION}/teams`, 'teams', { name });
      const path = `/api/v2/teams/${team.json.data.id}/authentication-token`;
      return await created(path, 'authentication-tokens', { 'expired-at': expires });
    };
    const late = await issue('late', '2027-01-01T00:00:00Z');
    const early = await issue('early', '2026-06-01T00:00:00Z');
    const ids = async (query: string): Promise<readonly string[]> =>
      (await test.call('GET', `${ORGANIZATION}/team-tokens?${query}`)).json.data.map(
        ({ id }: { readonly id: string }) => id,
      );
    expect(await ids('sort=expired-at')).toEqual([early, late]);
    expect(await ids('sort=-expired-at')).toEqual([late, early]);
    expect(await ids('q=lat')).toEqual([late]);
    expect((await test.call('GET', `${ORGANIZATION}/team-tokens?sort=hash`)).status).toBe(422);
  });
});

it('refuses two tokens of a team with one description', async () => {
  const { json } = await post(`${ORGANIZATION}/teams`, 'teams', { name: 'described' });
  const issue = async (description?: string) =>
    await post(`/api/v2/teams/${json.data.id}/authentication-tokens`, 'authentication-tokens', {
      ...(description !== undefined && { description }),
    });
  const statuses = [];
  for (const description of ['ci', 'cd', undefined, undefined, 'ci']) {
    statuses.push((await issue(description)).status);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 422]);
});

it('finds workspaces by the status of their current run: in progress, or the latest', async () => {
  const organization = '/api/v2/organizations/by-status';
  await post('/api/v2/organizations', 'organizations', { name: 'by-status', email: 'a@b.test' });
  for (const name of ['canceled', 'waiting']) {
    const workspace = await created(`${organization}/workspaces`, 'workspaces', { name });
    const upload = await post(
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      'configuration-versions',
      { 'auto-queue-runs': false },
    );
    const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
    await test.call('PUT', upload.json.data.attributes['upload-url'], gzipSync(tar), null);
    const run = await created(
      '/api/v2/runs',
      'runs',
      {},
      {
        workspace: related('workspaces', workspace),
      },
    );
    if (name === 'canceled') await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
  }
  const found = async (status: string): Promise<readonly string[]> =>
    (
      await test.call('GET', `${organization}/workspaces?filter[current-run][status]=${status}`)
    ).json.data.map(({ attributes }: TestJson) => attributes.name);
  expect(await found('canceled')).toEqual(['canceled']);
  expect(await found('plan_queued')).toEqual(['waiting']);
  expect(await found('plan_queued,canceled')).toEqual(['canceled', 'waiting']);
  expect(await found('applied')).toEqual([]);
  await test.call('DELETE', organization);
});

describe('access of teams', () => {
  it('has the permissions that exist only', async () => {
    const team = await post(`${ORGANIZATION}/teams`, 'teams', { name: 'accessors' });
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'accessed' });
    const add = (attributes: object) =>
      post('/api/v2/team-projects', 'team-projects', attributes, {
        team: related('teams', team.json.data.id),
        project: related('projects', project),
      });
    const wrong = { access: 'custom', 'project-access': { teams: 'everything' } };
    expect((await add(wrong)).json.errors[0].detail).toBe(
      'Teams has to be one of: none, read, manage',
    );
    expect((await add({ access: 'custom', 'project-access': { teams: 'read' } })).status).toBe(201);
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', { name: 'acc' });
    const single = await post(
      '/api/v2/team-workspaces',
      'team-workspaces',
      { access: 'read', runs: 'apply' },
      {
        team: related('teams', team.json.data.id),
        workspace: related('workspaces', workspace),
      },
    );
    expect(single.json.errors[0].detail).toBe(
      "Runs is read-only when access level is 'read'; use the 'custom' access level to set this attribute.",
    );
  });
});

it('lists organizations by a part of their e-mail address', async () => {
  const { json } = await test.call('GET', '/api/v2/organizations?q=ada@example');
  expect(json.data.length).toBeGreaterThan(0);
  expect(json.data[0].attributes.permissions['can-update']).toBe(true);
});

it('refuses invitations of what is no e-mail address', async () => {
  const invite = (email: string) =>
    post(`${ORGANIZATION}/organization-memberships`, 'organization-memberships', { email });
  for (const email of ['not-an-email-address', 'a@b, c@d', 'a b@c', 'a@b\nBcc: c@d']) {
    expect((await invite(email)).status).toBe(422);
  }
});

describe('workspaces that are destroyed by a schedule', () => {
  const HOUR = 3_600_000;
  const later = (ms: number): void => void (test.now = new Date(test.now.getTime() + ms));

  /** Creates a workspace with a configuration and a state that has an object. */
  async function populated(name: string, attributes: object): Promise<string> {
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', {
      name,
      ...attributes,
    });
    const path = `/api/v2/workspaces/${workspace}`;
    const upload = await post(`${path}/configuration-versions`, 'configuration-versions', {
      'auto-queue-runs': false,
    });
    const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
    await test.call('PUT', upload.json.data.attributes['upload-url'], gzipSync(tar), null);
    const state = JSON.stringify({
      version: 4,
      serial: 1,
      lineage: name,
      outputs: {},
      resources: [{ mode: 'managed', type: 'a', name: 'b', provider: 'p', instances: [{}] }],
    });
    await test.call('POST', `${path}/actions/lock`, {});
    await created(`${path}/state-versions`, 'state-versions', {
      serial: 1,
      lineage: name,
      md5: createHash('md5').update(state).digest('hex'),
      state: Buffer.from(state).toString('base64'),
    });
    await test.call('POST', `${path}/actions/unlock`, {});
    return workspace;
  }

  const runsOf = async (workspace: string): Promise<readonly TestJson[]> =>
    (await test.call('GET', `/api/v2/workspaces/${workspace}/runs`)).json.data;

  it('are destroyed once at their time, and after a time without changes', async () => {
    const at = new Date(test.now.getTime() + 30 * HOUR).toISOString();
    const scheduled = await populated('scheduled', { 'auto-destroy-at': at });
    const idle = await populated('idle', { 'auto-destroy-activity-duration': '2d' });
    const kept = await populated('kept', {});
    await created(
      `/api/v2/workspaces/${scheduled}/notification-configurations`,
      'notification-configurations',
      {
        name: 'reminder',
        enabled: true,
        'destination-type': 'generic',
        url: 'https://hooks.test/reminder',
        triggers: ['workspace:auto_destroy_reminder'],
      },
    );
    test.sent.length = 0;
    for (const hours of [7, 1, 1]) {
      later(hours * HOUR);
      await test.server.workOnce();
    }
    expect(test.sent.map(({ url }) => url)).toEqual(['https://hooks.test/reminder']);
    expect(await runsOf(scheduled)).toEqual([]);
    for (let step = 0; step < 3; step++) {
      later(22 * HOUR);
      await test.server.workOnce();
    }
    const [runs, idleRuns] = [await runsOf(scheduled), await runsOf(idle)];
    expect(runs.map(({ attributes }) => attributes)).toMatchObject([
      { 'is-destroy': true, 'auto-apply': true, source: 'tfe-infrastructure-lifecycle' },
    ]);
    expect(idleRuns).toHaveLength(1);
    expect(await runsOf(kept)).toEqual([]);
    const project = await created(`${ORGANIZATION}/projects`, 'projects', {
      name: 'idle',
      'auto-destroy-activity-duration': '3d',
    });
    const durations = async (name: string, attributes: object): Promise<unknown> => {
      const relationships = { project: related('projects', project) };
      const path = `${ORGANIZATION}/workspaces`;
      const { json } = await post(path, 'workspaces', { name, ...attributes }, relationships);
      return json.data.attributes['auto-destroy-activity-duration'];
    };
    expect(await durations('inherits', {})).toBe('3d');
    expect(await durations('own', { 'auto-destroy-activity-duration': '1d' })).toBe('1d');
    expect(await durations('none', { 'inherits-project-auto-destroy': false })).toBeNull();
    const duration = { 'auto-destroy-activity-duration': '20m' };
    const refused = await post(`${ORGANIZATION}/workspaces`, 'workspaces', {
      name: 'wrong',
      ...duration,
    });
    expect(refused.json.errors[0].detail).toBe(
      "Auto destroy activity duration has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')",
    );
  });
});

describe('the longest life of tokens', () => {
  it('bounds new tokens of teams, and the tokens with which users have access', async () => {
    const organization = '/api/v2/organizations/short-lived';
    await post('/api/v2/organizations', 'organizations', {
      name: 'short-lived',
      email: 'ada@example.com',
    });
    const team = await post(`${organization}/teams`, 'teams', { name: 'bounded' });
    const path = `/api/v2/teams/${team.json.data.id}/authentication-token`;
    const day = 86_400_000;
    const limit = (type: string, ms: number, as?: string) =>
      test.call(
        'PATCH',
        `${organization}/token-ttl-policies`,
        create('organization-token-ttl-policies', {
          'token-ttl-policies': [{ 'token-type': type, 'max-ttl-ms': ms }],
        }),
        as,
      );
    expect((await limit('team', 10)).status).toBe(422);
    const { json } = await limit('team', day);
    expect(json.data.map(({ attributes }: TestJson) => attributes['max-ttl-ms'])).toEqual([
      63_113_904_000,
      day,
      63_113_904_000,
      63_113_904_000,
    ]);
    const issued = await post(path, 'authentication-tokens', {});
    expect(new Date(issued.json.data.attributes['expired-at']).getTime()).toBe(
      test.now.getTime() + day,
    );
    const late = new Date(test.now.getTime() + 2 * day).toISOString();
    expect((await post(path, 'authentication-tokens', { 'expired-at': late })).status).toBe(422);
    const owners = await test.call('GET', `${organization}/teams?filter[names]=owners`);
    const ownersPath = `/api/v2/teams/${owners.json.data[0].id}/authentication-token`;
    const { token } = (await post(ownersPath, 'authentication-tokens', {})).json.data.attributes;
    const refused = await limit('user', day);
    expect([refused.status, refused.json.errors[0].detail]).toEqual([
      422,
      "Max ttl ms is shorter than the life of the user's token that sends this request, which would lose its access to the organization. " +
        'Send the request with a token that expires within this time, or with a token of the owners team or the organization.',
    ]);
    expect((await limit('user', day, token)).status).toBe(200);
    expect((await test.call('GET', organization)).status).toBe(401);
    expect((await test.call('GET', organization, undefined, token)).status).toBe(200);
    const account = await test.call('GET', '/api/v2/account/details');
    const own = await post(
      `/api/v2/users/${account.json.data.id}/authentication-tokens`,
      'authentication-tokens',
      { description: 'short', 'expired-at': new Date(test.now.getTime() + day / 2).toISOString() },
    );
    const short: string = own.json.data.attributes.token;
    expect((await test.call('GET', organization, undefined, short)).status).toBe(200);
    expect((await limit('user', day / 4, short)).status).toBe(422);
    expect((await limit('user', day / 2, short)).status).toBe(200);
    await test.call('DELETE', organization, undefined, token);
  });
});

describe('tokens of organizations', () => {
  it('neither cancel runs nor end them by force', async () => {
    const issued = await test.call('POST', `${ORGANIZATION}/authentication-token`, {});
    const { token } = issued.json.data.attributes;
    const workspace = await created(`${ORGANIZATION}/workspaces`, 'workspaces', { name: 'forced' });
    const upload = await post(
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      'configuration-versions',
      {},
    );
    const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
    await test.call('PUT', upload.json.data.attributes['upload-url'], gzipSync(tar), null);
    const runs = await test.call('GET', `/api/v2/workspaces/${workspace}/runs`);
    const run: string = runs.json.data[0].id;
    for (const action of ['cancel', 'force-cancel']) {
      const path = `/api/v2/runs/${run}/actions/${action}`;
      expect((await test.call('POST', path, {}, token)).status).toBe(403);
    }
  });
});

describe('lists', () => {
  /** Returns the response of a request with the number of queries that the server made for it. */
  async function counted(path: string): Promise<{ readonly queries: number; json: TestJson }> {
    const { services } = test.server;
    const { db } = services;
    let queries = 0;
    const counting: Database = db.withPlugin({
      transformQuery({ node }) {
        queries++;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    Object.assign(services, { db: counting });
    try {
      const { json } = await test.call('GET', path);
      return { queries, json };
    } finally {
      Object.assign(services, { db });
    }
  }

  it('make as many queries for several objects as for one', async () => {
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'listed' });
    const relationships = { projects: { data: [{ type: 'projects', id: project }] } };
    const collections = [
      { path: `${ORGANIZATION}/agent-pools`, type: 'agent-pools', attributes: {} },
      {
        path: `${ORGANIZATION}/policy-sets`,
        type: 'policy-sets',
        attributes: { kind: 'tfpolicy' },
      },
      { path: `${ORGANIZATION}/varsets`, type: 'varsets', attributes: { global: false } },
    ];
    for (const { path, type, attributes } of collections) {
      const make = async (name: string) => {
        const { status } = await post(path, type, { name, ...attributes }, relationships);
        expect([type, status < 300]).toEqual([type, true]);
      };
      await make('one');
      const one = await counted(path);
      for (const name of ['two', 'three', 'four']) await make(name);
      const several = await counted(path);
      const size = (json: TestJson): number => json.data.length;
      expect([type, size(several.json) - size(one.json)]).toEqual([type, 3]);
      expect([type, several.queries]).toEqual([type, one.queries]);
    }
  });

  it('have the variable sets of a project: its own and the global ones of its organization', async () => {
    await test.call('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: 'other', email: 'ada@example.com' } },
    });
    const global = create('varsets', { name: 'elsewhere', global: true });
    expect((await test.call('POST', '/api/v2/organizations/other/varsets', global)).status).toBe(
      201,
    );
    const project = await created(`${ORGANIZATION}/projects`, 'projects', { name: 'with-sets' });
    const set = async (name: string, attributes: object, relationships: object = {}) =>
      await created(`${ORGANIZATION}/varsets`, 'varsets', { name, ...attributes }, relationships);
    await set(
      'of-project',
      { global: false },
      { projects: { data: [{ type: 'projects', id: project }] } },
    );
    await set('of-none', { global: false });
    await set('of-all', { global: true });
    const { json } = await test.call('GET', `/api/v2/projects/${project}/varsets?page[size]=100`);
    const names = json.data.map(({ attributes }: TestJson) => attributes.name);
    expect(names).toContain('of-project');
    expect(names).toContain('of-all');
    for (const name of ['of-none', 'elsewhere']) expect(names).not.toContain(name);
  });
});

describe('settings and options of another type than described', () => {
  it('are rejected, and null stands for the default', async () => {
    const workspaces = `${ORGANIZATION}/workspaces`;
    const statusOf = async (attributes: object): Promise<number> =>
      (await post(workspaces, 'workspaces', { name: 'typed', ...attributes })).status;
    for (const attributes of [
      { 'auto-apply': 'yes' },
      { 'working-directory': 1 },
      { 'trigger-prefixes': 'a' },
      { 'trigger-patterns': [1] },
      { 'terraform-version': {} },
      { 'execution-mode': true },
    ]) {
      expect([attributes, await statusOf(attributes)]).toEqual([attributes, 422]);
    }
    const workspace = await created(workspaces, 'workspaces', {
      name: 'typed',
      'auto-apply': null,
      'working-directory': null,
      'execution-mode': null,
      'terraform-version': null,
    });
    expect(await attributesOf(`/api/v2/workspaces/${workspace}`)).toMatchObject({
      'auto-apply': false,
      'working-directory': '',
      'execution-mode': 'remote',
      'terraform-version': 'latest',
    });
    await created(
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      'configuration-versions',
      {},
    );
    const version = await test.call(
      'GET',
      `/api/v2/workspaces/${workspace}/configuration-versions`,
    );
    const relationships = {
      workspace: related('workspaces', workspace),
      'configuration-version': related('configuration-versions', version.json.data[0].id),
    };
    const run = async (attributes: object) =>
      await post('/api/v2/runs', 'runs', attributes, relationships);
    for (const attributes of [
      { refresh: 'no' },
      { 'target-addrs': 'a.b' },
      { 'policy-paths': [1] },
      { 'terraform-version': 1 },
      { 'terraform-version': 'newest' },
      { variables: [{ key: 'a', value: 1 }] },
      { variables: 'a' },
    ]) {
      expect([attributes, (await run(attributes)).status]).toEqual([attributes, 422]);
    }
    const variables = [{ key: 'a', value: '1' }];
    const { status, json } = await run({ variables, refresh: null, 'target-addrs': ['a.b'] });
    expect([status, json.data.attributes]).toMatchObject([
      201,
      { variables, refresh: true, 'target-addrs': ['a.b'], 'replace-addrs': null },
    ]);
  });
});
