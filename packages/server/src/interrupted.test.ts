// Servers that end in the middle of a request: another one continues the run.
import type { KyselyPlugin } from 'kysely';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken } from './server.ts';
import { finishJob } from './services/jobs.ts';
import type { Services } from './services/services.ts';
import { testServer, type TestServer } from './testing.ts';

let test: TestServer;
let token: string;
beforeAll(async () => {
  test = await testServer();
  token = await createAgentToken(test.server.services, 'test');
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const create = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});
const agent = async (method: string, path: string, body?: unknown) =>
  await test.call(method, `/api/agent/v1${path}`, body, token);
const statusOf = async (run: string): Promise<string> =>
  (await test.call('GET', `/api/v2/runs/${run}`)).json.data.attributes.status;

async function newRun(workspace: string): Promise<string> {
  const path = `/api/v2/workspaces/${workspace}/configuration-versions`;
  const version = await test.call(
    'POST',
    path,
    create('configuration-versions', { 'auto-queue-runs': false }),
  );
  const tar = await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]);
  await test.call('PUT', version.json.data.attributes['upload-url'], gzipSync(tar), null);
  const relationships = {
    workspace: { data: { type: 'workspaces', id: workspace } },
    'configuration-version': { data: { type: 'configuration-versions', id: version.json.data.id } },
  };
  const { json } = await test.call('POST', '/api/v2/runs', create('runs', {}, relationships));
  return json.data.id;
}

async function newWorkspace(name: string): Promise<string> {
  const body = create('workspaces', { name, 'auto-apply': true });
  const { json } = await test.call('POST', '/api/v2/organizations/acme/workspaces', body);
  return json.data.id;
}

/** Returns the services of a process that ends before a query, by its number. */
function endingServices(queries: number): Services {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (count++ >= queries) throw new Error('The server has ended.');
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const { services } = test.server;
  return { ...services, db: services.db.withPlugin(plugin) };
}

/** Finishes a job with a server that ends before a query. Returns false if it has not come to it. */
async function finishInterrupted(id: string, queries: number): Promise<boolean> {
  const { db } = test.server.services;
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  try {
    await finishJob(endingServices(queries), job, {
      outcome: 'succeeded',
      hasChanges: true,
      summary: {},
    });
    return false;
  } catch {
    // The agent repeats the request at another server, which either finishes the job or knows that it is finished.
    const body = { outcome: 'succeeded', 'has-changes': true };
    const { status } = await agent('POST', `/jobs/${id}/finish?attempt=1`, body);
    expect([204, 409]).toContain(status);
    test.now = new Date(test.now.getTime() + 31_000);
    await test.server.workOnce();
    return true;
  }
}

describe('a server that ends while it finishes a job', () => {
  it('leaves no run behind, whenever it ends', async () => {
    const { json } = await agent('POST', '/agents', { name: 'test' });
    const claim = async (): Promise<string> =>
      (await agent('POST', '/jobs/claim', { agent: json.id, 'wait-ms': 0 })).json.job.id;
    let [isInterrupted, queries] = [true, 0];
    for (; isInterrupted; queries++) {
      const workspace = await newWorkspace(`ended-${queries}`);
      const [run, next] = [await newRun(workspace), await newRun(workspace)];
      const planned = await finishInterrupted(await claim(), queries);
      expect([queries, await statusOf(run)]).toEqual([queries, 'apply_queued']);
      const applied = await finishInterrupted(await claim(), queries);
      expect([queries, await statusOf(run)]).toEqual([queries, 'applied']);
      expect([queries, await statusOf(next)]).toEqual([queries, 'plan_queued']);
      await test.call('POST', `/api/v2/runs/${next}/actions/cancel`, {});
      isInterrupted = planned || applied;
    }
    // It ended before each of them.
    expect(queries).toBeGreaterThan(15);
  }, 300_000);
});
