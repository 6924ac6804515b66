import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../testing.ts';
import { importOrganization, type ImportResult } from './import-organization.ts';
import { OrganizationClient } from './organization-client.ts';

const STATE = { version: 4, serial: 7, lineage: 'l-1', outputs: {}, resources: [] };

function clientOf({ server, token }: TestServer, busy = { count: 0 }): OrganizationClient {
  return new OrganizationClient({
    url: 'https://server.test',
    token,
    organization: 'acme',
    sleep: () => Promise.resolve(),
    async send(method, url, { headers, body }) {
      if (busy.count-- > 0) return { status: 429, body: new Uint8Array(), retryAfterSeconds: 1 };
      const response = await server.fetch(
        new Request(url, { method, headers, ...(body !== undefined && { body }) }),
      );
      return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
    },
  });
}

const resource = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

describe('the import of an organization', () => {
  let source: TestServer;
  let target: TestServer;
  let workspace: string;
  const lines: string[] = [];

  const run = async (isDryRun = false, locksSource = false): Promise<ImportResult> => {
    lines.length = 0;
    return await importOrganization({
      source: clientOf(source, { count: 3 }),
      target: clientOf(target),
      isDryRun,
      locksSource,
      report: (line) => lines.push(line),
    });
  };

  beforeAll(async () => {
    [source, target] = [await testServer(), await testServer()];
    const create = async (path: string, body: object): Promise<string> => {
      const { status, json } = await source.call('POST', `/api/v2${path}`, body);
      expect({ path, status, json }).toMatchObject({ status: 201 });
      return json.data.id;
    };
    const project = await create(
      '/organizations/acme/projects',
      resource('projects', { name: 'platform' }),
    );
    workspace = await create(
      '/organizations/acme/workspaces',
      resource(
        'workspaces',
        { name: 'web', 'working-directory': 'net', 'auto-apply': true, description: 'D' },
        { project: { data: { type: 'projects', id: project } } },
      ),
    );
    // More than a page.
    const { db } = source.server.services;
    const row = await db.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('workspaces')
      .values(
        Array.from({ length: 101 }, (_each, index) => ({
          ...row,
          id: `ws-${index}`,
          name: `w${index}`,
          settings: JSON.stringify({}),
        })),
      )
      .execute();
    const variables = `/workspaces/${workspace}/vars`;
    await create(
      variables,
      resource('vars', { key: 'size', value: '[1]', hcl: true, category: 'terraform' }),
    );
    await create(
      variables,
      resource('vars', { key: 'KEY', value: 'secret', sensitive: true, category: 'env' }),
    );
    const set = await create(
      '/organizations/acme/varsets',
      resource(
        'varsets',
        { name: 'shared', global: false },
        { workspaces: { data: [{ type: 'workspaces', id: workspace }] } },
      ),
    );
    await create(
      `/varsets/${set}/relationships/vars`,
      resource('vars', { key: 'REGION', value: 'eu', category: 'env' }),
    );
    await source.call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {});
    const content = Buffer.from(JSON.stringify(STATE));

    await create(
      `/workspaces/${workspace}/state-versions`,
      resource('state-versions', {
        serial: 7,
        lineage: 'l-1',
        md5: createHash('md5').update(content).digest('hex'),
        state: content.toString('base64'),
      }),
    );
    await source.call('POST', `/api/v2/workspaces/${workspace}/actions/unlock`, {});
  });
  afterAll(async () => {
    await source[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]();
  });

  const webOf = async (server: TestServer) =>
    (await server.call('GET', '/api/v2/organizations/acme/workspaces/web')).json.data;

  it('shows what it would create', async () => {
    const result = await run(true);
    expect(result.failures).toEqual([]);
    expect(result.created).toMatchObject({ project: 1, workspace: 102, variable: 2, state: 1 });
    const { json } = await target.call('GET', '/api/v2/organizations/acme/workspaces');
    expect(json.data).toEqual([]);
  });

  it('creates workspaces, variables, variable sets and states, and lists what remains', async () => {
    const result = await run(false, true);
    expect(result.failures).toEqual([]);
    expect(result.created).toEqual({
      project: 1,
      workspace: 102,
      variable: 2,
      'variable set': 1,
      state: 1,
    });
    expect(result.remaining.join('\n')).toContain('web.KEY (env) is sensitive');
    expect(lines.join('\n')).not.toContain('secret');
    const { id, attributes } = await webOf(target);
    expect(attributes).toMatchObject({
      'working-directory': 'net',
      'auto-apply': true,
      description: 'D',
      locked: false,
    });
    const { json } = await target.call('GET', `/api/v2/workspaces/${id}/all-vars`);
    expect(
      json.data.map(({ attributes: each }: { attributes: { key: string } }) => each.key).toSorted(),
    ).toEqual(['REGION', 'size']);
    const state = await target.call('GET', `/api/v2/workspaces/${id}/current-state-version`);
    const link = new URL(state.json.data.attributes['hosted-state-download-url']);
    const downloaded = await target.call('GET', `${link.pathname}${link.search}`);
    expect(JSON.parse(downloaded.bytes.toString())).toEqual(STATE);
    expect((await webOf(source)).attributes.locked).toBe(true);
  });

  it('creates nothing again, and replaces no state', async () => {
    expect(await run()).toMatchObject({ created: {}, failures: [] });
    const { id } = await webOf(target);
    await target.call('POST', `/api/v2/workspaces/${id}/actions/lock`, {});

    const content = Buffer.from(JSON.stringify({ ...STATE, serial: 8 }));
    await target.call(
      'POST',
      `/api/v2/workspaces/${id}/state-versions`,
      resource('state-versions', {
        serial: 8,
        md5: createHash('md5').update(content).digest('hex'),
        state: content.toString('base64'),
      }),
    );
    const { failures } = await run();
    expect(failures).toEqual([expect.stringContaining('with serial 8; the source has serial 7')]);
  });

  it('fails for an organization that the token cannot read', async () => {
    const access = { organization: 'acme', url: 'https://server.test', token: 'wrong' };
    const client = new OrganizationClient({
      ...access,
      sleep: () => Promise.resolve(),
      send: () => Promise.resolve({ status: 401, body: new Uint8Array() }),
    });
    await expect(
      importOrganization({
        source: client,
        target: clientOf(target),
        isDryRun: false,
        locksSource: false,
        report: () => undefined,
      }),
    ).rejects.toThrow('Run "login" for this host again');
  });
});
