import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken } from '../server.ts';
import { testServer, type TestJson, type TestServer } from '../testing.ts';
import { AgentClient } from './agent-client.ts';
import { dispatchKubernetesJobs, manifestProblem } from './kubernetes-jobs.ts';

const MANIFEST = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { labels: { team: 'platform' } },
  spec: { template: { spec: { containers: [{ name: 'agent', image: 'terrane' }] } } },
};

/** The API of a cluster with Jobs, as the dispatcher uses it. */
class Cluster {
  readonly jobs: TestJson[] = [];
  isAway = false;

  request = (method: string, path: string, body?: object) => {
    if (this.isAway) return Promise.reject(new Error('no connection'));
    expect(path.split('?')[0]).toBe('/apis/batch/v1/namespaces/runs/jobs');
    if (method === 'GET') {
      expect(decodeURIComponent(path)).toContain('app.kubernetes.io/managed-by=terrane-agent');
      return Promise.resolve({ status: 200, json: { items: this.jobs } });
    }
    const job: TestJson = structuredClone(body);
    if (this.jobs.some(({ metadata }) => metadata.name === job.metadata.name)) {
      return Promise.resolve({ status: 409, json: {} });
    }
    this.jobs.push(job);
    return Promise.resolve({ status: 201, json: job });
  };

  finish(index: number, type: 'Complete' | 'Failed'): void {
    this.jobs[index].status = { conditions: [{ type, status: 'True' }] };
  }
}

describe('Kubernetes Jobs for runs', () => {
  let test: TestServer;
  let token: string;
  beforeAll(async () => {
    test = await testServer();
    token = await createAgentToken(test.server.services, 'test');
    const archive = gzipSync(
      await packTar([{ header: { name: 'main.tf', size: 1, type: 'file' }, body: '#' }]),
    );
    for (let index = 0; index < 3; index++) {
      const { json } = await test.call('POST', '/api/v2/organizations/acme/workspaces', {
        data: { type: 'workspaces', attributes: { name: `w${index}` } },
      });
      const version = await test.call(
        'POST',
        `/api/v2/workspaces/${json.data.id}/configuration-versions`,
        { data: { type: 'configuration-versions', attributes: {} } },
      );
      const upload = new URL(version.json.data.attributes['upload-url']);
      const uploaded = await test.call('PUT', `${upload.pathname}${upload.search}`, archive, null);
      expect(uploaded.status).toBe(200);
    }
  });
  afterAll(async () => {
    await test[Symbol.asyncDispose]();
  });

  const agent = async (path: string, body: object) =>
    await test.call('POST', `/api/agent/v1${path}`, body, token);

  /** Lets a dispatcher look once. */
  async function dispatch(cluster: Cluster, mostJobs = 10): Promise<readonly string[]> {
    const stop = new AbortController();
    const messages: string[] = [];
    const clock = {
      sleep: () => {
        stop.abort();
        return Promise.resolve();
      },
      monotonicMs: () => 0,
    };
    const client = new AgentClient(
      async (method, path, { headers, body }) => {
        const response = await test.server.fetch(
          new Request(`https://server.test${path}`, {
            method,
            headers,
            ...(body !== undefined && { body: Buffer.from(body) }),
          }),
        );
        return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
      },
      token,
      clock,
    );
    await dispatchKubernetesJobs({
      client,
      request: cluster.request,
      namespace: 'runs',
      manifest: MANIFEST,
      mostJobs,
      clock,
      signal: stop.signal,
      report: ({ text }) => messages.push(text),
    });
    return messages;
  }

  it('are one for each queued job, also with several dispatchers and up to a limit', async () => {
    const cluster = new Cluster();
    await dispatch(cluster, 2);
    expect(cluster.jobs).toHaveLength(2);
    await dispatch(cluster);
    await dispatch(cluster);
    expect(cluster.jobs).toHaveLength(3);
    const [{ metadata, spec }] = cluster.jobs;
    expect(metadata.name).toMatch(/^terrane-run-[\da-f]{24}-0$/);
    expect(metadata.labels).toMatchObject({ team: 'platform' });
    expect(spec).toMatchObject({
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ image: 'terrane' }] } },
    });
  });

  it('are created again if they have failed before a pod has claimed the job, or if an agent was lost', async () => {
    const cluster = new Cluster();
    await dispatch(cluster);
    cluster.finish(0, 'Failed');
    await dispatch(cluster);
    expect(cluster.jobs).toHaveLength(4);
    expect(cluster.jobs[3].metadata.name).toBe(cluster.jobs[0].metadata.name.replace(/-0$/, '-1'));
    const { json } = await agent('/agents', { name: 'pod' });
    await agent('/jobs/claim', { agent: json.id, 'wait-ms': 0 });
    await dispatch(cluster);
    expect(cluster.jobs).toHaveLength(4);
    // The lease ends, and another agent asks.
    test.now = new Date(test.now.getTime() + 60_000);
    await agent('/jobs/claim', { agent: json.id, 'wait-ms': 0 });
    test.now = new Date(test.now.getTime() + 60_000);
    await dispatch(cluster);
    expect(cluster.jobs.length).toBeGreaterThan(4);
  });

  it('are reported if the cluster is away', async () => {
    const cluster = new Cluster();
    cluster.isAway = true;
    expect(await dispatch(cluster)).toEqual(['Jobs could not be created: no connection']);
  });

  it('have a manifest of the right kind', () => {
    expect(manifestProblem(MANIFEST)).toBeUndefined();
    expect(manifestProblem({ ...MANIFEST, kind: 'Pod' })).toContain('batch/v1');
    expect(manifestProblem({ apiVersion: 'batch/v1', kind: 'Job' })).toContain('no containers');
    expect(manifestProblem(undefined)).toContain('batch/v1');
  });
});
