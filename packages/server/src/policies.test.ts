import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken } from './server.ts';
import { testServer, type TestJson, type TestServer } from './testing.ts';

let test: TestServer;
let agentToken: string;
let agentId: string;
beforeAll(async () => {
  test = await testServer();
  agentToken = await createAgentToken(test.server.services, 'test');
  agentId = (await agent('POST', '/agents', { name: 'a' })).json.id;
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const resource = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});
const agent = (method: string, path: string, body?: unknown) =>
  test.call(method, `/api/agent/v1${path}`, body, agentToken);

async function newWorkspace(name: string, attributes: object = {}): Promise<string> {
  const { json } = await test.call(
    'POST',
    '/api/v2/organizations/acme/workspaces',
    resource('workspaces', { name, ...attributes }),
  );
  return json.data.id;
}

async function startRun(workspace: string, attributes: object = {}): Promise<string> {
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
    resource('runs', attributes, {
      workspace: { data: { type: 'workspaces', id: workspace } },
    }),
  );
  return json.data.id;
}

async function claim(): Promise<TestJson> {
  return (await agent('POST', '/jobs/claim', { agent: agentId, 'wait-ms': 0 })).json.job;
}

/** Plans the next run with the results of its policies; without results, the agent sends none. */
async function plan(results?: readonly object[]): Promise<TestJson> {
  const job = await claim();
  if (results !== undefined) {
    const report = Buffer.from(JSON.stringify({ results }));
    await agent('PUT', `/jobs/${job.id}/contents/policy-results?attempt=1`, report);
  }
  await agent('POST', `/jobs/${job.id}/finish?attempt=1`, {
    outcome: 'succeeded',
    'has-changes': true,
  });
  return job;
}

const result = (level: string, outcome: string) => ({
  policy: `resource_policy.t.${level}`,
  enforcement_level: level,
  target_address: 't.a',
  result: outcome,
  enforcements: [{ result: outcome, line: 1, message: `message of ${level}` }],
});

const statusOf = async (run: string): Promise<string> =>
  (await test.call('GET', `/api/v2/runs/${run}`)).json.data.attributes.status;

async function newSet(name: string, attributes: object, relationships: object = {}) {
  const { json, status } = await test.call(
    'POST',
    '/api/v2/organizations/acme/policy-sets',
    resource('policy-sets', { name, kind: 'tfpolicy', ...attributes }, relationships),
  );
  expect(status).toBe(201);
  return json.data;
}

/** Uploads a version of a policy set with a file. */
async function upload(set: string, files: Readonly<Record<string, string>>) {
  const version = await test.call('POST', `/api/v2/policy-sets/${set}/versions`, {});
  const tar = await packTar(
    Object.entries(files).map(([name, body]) => ({
      header: { name, size: body.length, type: 'file' as const },
      body,
    })),
  );
  const { status } = await test.call('PUT', version.json.data.links.upload, gzipSync(tar), null);
  return { status, version: version.json.data.id };
}

async function checkOf(run: string): Promise<TestJson> {
  return (await test.call('GET', `/api/v2/runs/${run}/policy-checks`)).json.data[0];
}

const related = (id: string) => ({ workspaces: { data: [{ type: 'workspaces', id }] } });

describe('policy sets', () => {
  it('are valid for their workspaces without exclusions, with the files of the newest version', async () => {
    const [inside, outside] = [await newWorkspace('inside'), await newWorkspace('outside')];
    const set = await newSet(
      'global',
      { global: true },
      {
        'workspace-exclusions': { data: [{ type: 'workspaces', id: outside }] },
      },
    );
    expect((await upload(set.id, { 'readme.md': 'x' })).status).toBe(422);
    expect((await upload(set.id, { '../evil.policy.hcl': 'x' })).status).toBe(422);
    expect((await upload(set.id, { 'a/first.policy.hcl': 'one', 'x.txt': '' })).status).toBe(200);
    await startRun(outside);
    expect((await plan()).policies).toBeUndefined();
    const run = await startRun(inside);
    const job = await claim();
    expect(job.policies).toEqual({ overrides: [], reason: '' });
    const content = await agent('GET', `/jobs/${job.id}/contents/policies?attempt=1`);
    expect(JSON.parse(content.bytes.toString())).toEqual([
      { path: `${set.id}/a/first.policy.hcl`, text: 'one' },
    ]);
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
    await agent('POST', `/jobs/${job.id}/finish?attempt=1`, { outcome: 'canceled' });
    expect((await checkOf(run)).attributes.status).toBe('unreachable');
    await test.call('DELETE', `/api/v2/policy-sets/${set.id}`);
  });

  it('reject kinds that are not evaluated', async () => {
    for (const kind of ['sentinel', 'opa']) {
      const body = resource('policy-sets', { name: kind, kind });
      const path = '/api/v2/organizations/acme/policy-sets';
      expect((await test.call('POST', path, body)).status).toBe(422);
    }
  });
});

describe('policy checks', () => {
  let workspace: string;
  beforeAll(async () => {
    workspace = await newWorkspace('checked', { 'auto-apply': true });
    const set = await newSet('checked', {}, related(workspace));
    await upload(set.id, { 'a.policy.hcl': 'text' });
  });

  it('pass, and let an automatic apply go on with the same policies', async () => {
    const run = await startRun(workspace);
    await plan([result('mandatory', 'pass'), result('advisory', 'fail')]);
    expect(await statusOf(run)).toBe('apply_queued');
    const job = await claim();
    expect([job.kind, job.policies]).toEqual(['apply', { overrides: [], reason: '' }]);
    await agent('POST', `/jobs/${job.id}/finish?attempt=1`, { outcome: 'succeeded' });
    expect((await checkOf(run)).attributes).toMatchObject({
      status: 'passed',
      result: { passed: 1, 'advisory-failed': 1, result: true },
    });
  });

  it('wait for an override by those who may, which is recorded', async () => {
    const run = await startRun(workspace);
    await plan([result('mandatory_overridable', 'fail')]);
    expect(await statusOf(run)).toBe('policy_override');
    expect((await test.call('POST', `/api/v2/runs/${run}/actions/apply`, {})).status).toBe(409);
    const check = await checkOf(run);
    expect(check.attributes).toMatchObject({
      status: 'soft_failed',
      actions: { 'is-overridable': true },
    });
    const output = await test.call('GET', `/api/v2/policy-checks/${check.id}/output`);
    expect(output.bytes.toString()).toContain('message of mandatory_overridable');
    const team = await test.call(
      'POST',
      '/api/v2/organizations/acme/teams',
      resource('teams', { name: 'workspace-admins' }),
    );
    await test.call(
      'POST',
      '/api/v2/team-workspaces',
      resource(
        'team-workspaces',
        { access: 'admin' },
        {
          team: { data: { type: 'teams', id: team.json.data.id } },
          ...{ workspace: { data: { type: 'workspaces', id: workspace } } },
        },
      ),
    );
    const issued = await test.call(
      'POST',
      `/api/v2/teams/${team.json.data.id}/authentication-token`,
      {},
    );
    const path = `/api/v2/policy-checks/${check.id}/actions/override`;
    const admin = issued.json.data.attributes.token;
    expect((await test.call('POST', path, {}, admin)).status).toBe(403);
    expect((await test.call('POST', path, { comment: 'until Friday' })).status).toBe(200);
    expect((await test.call('POST', path, {})).status).toBe(409);
    const job = await claim();
    expect(job.policies).toEqual({
      overrides: ['resource_policy.t.mandatory_overridable'],
      reason: 'Overridden by ada: until Friday',
    });
    await agent('POST', `/jobs/${job.id}/finish?attempt=1`, { outcome: 'succeeded' });
    const { json } = await test.call('GET', '/api/v2/organizations/acme/audit-trail');
    expect(JSON.stringify(json)).toContain('until Friday');
  });

  it('end a run that a mandatory policy fails, or whose agent evaluated nothing', async () => {
    const failed = await startRun(workspace);
    await plan([result('mandatory', 'error'), result('mandatory_overridable', 'fail')]);
    expect([await statusOf(failed), (await checkOf(failed)).attributes.status]).toEqual([
      'errored',
      'hard_failed',
    ]);
    const unchecked = await startRun(workspace);
    await plan();
    expect([await statusOf(unchecked), (await checkOf(unchecked)).attributes.status]).toEqual([
      'errored',
      'errored',
    ]);
    const speculative = await startRun(workspace, { 'plan-only': true });
    await plan([result('mandatory_overridable', 'fail')]);
    expect(await statusOf(speculative)).toBe('policy_soft_failed');
  });
});

describe('health assessments', () => {
  it('are due by their interval, and report drift once', async () => {
    const workspace = await newWorkspace('healthy', {
      'assessments-enabled': true,
      'assessment-interval': 60,
    });
    await test.call(
      'POST',
      `/api/v2/workspaces/${workspace}/notification-configurations`,
      resource('notification-configurations', {
        name: 'drift',
        enabled: true,
        'destination-type': 'generic',
        url: 'https://hooks.test/drift',
        triggers: ['assessment:drifted', 'assessment:failed'],
      }),
    );
    const advance = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 2) {
        test.now = new Date(test.now.getTime() + 120_000);
        await test.server.workOnce();
      }
    };
    await advance(4);
    expect(await claim()).toBeUndefined();
    const run = await startRun(workspace);
    await plan();
    await test.call('POST', `/api/v2/runs/${run}/actions/apply`, {});
    const apply = await claim();
    const state = { version: 4, serial: 1, lineage: 'l', outputs: {}, resources: [] };
    const bytes = Buffer.from(JSON.stringify(state));
    await agent('PUT', `/jobs/${apply.id}/state?attempt=1`, bytes);
    await agent('POST', `/jobs/${apply.id}/finish?attempt=1`, { outcome: 'succeeded' });

    /** Assesses the workspace as an agent; returns what was notified. */
    const assess = async (entries: readonly object[] | undefined): Promise<readonly TestJson[]> => {
      await advance(62);
      const job = await claim();
      expect(job.kind).toBe('drift');
      expect(job.policies).toBeUndefined();
      if (entries !== undefined) {
        const report = Buffer.from(JSON.stringify({ entries }));
        const upload = `/jobs/${job.id}/contents/drift-report?attempt=1`;
        const deep = Buffer.from(`{"entries": ${'['.repeat(600)}${']'.repeat(600)}}`);
        expect((await agent('PUT', upload, deep)).status).toBe(400);
        await agent('PUT', upload, report);
      }
      test.sent.length = 0;
      const outcome = entries === undefined ? 'errored' : 'succeeded';
      await agent('POST', `/jobs/${job.id}/finish?attempt=1`, { outcome });
      await test.server.workOnce();
      return test.sent.map(({ body }) => JSON.parse(body ?? ''));
    };
    const drift = {
      address: 't.a',
      level: 'configured',
      alarm: true,
      changes: [{ attribute: 'x' }],
    };
    expect(await assess([])).toEqual([]);
    expect(await assess([drift, { ...drift, alarm: false }])).toMatchObject([
      {
        trigger: 'assessment:drifted',
        details: { new_assessment_result: { resources_drifted: 1 } },
      },
    ]);
    expect(await assess([drift])).toEqual([]);
    expect(await assess([{ ...drift, level: 'vanished' }])).toHaveLength(1);
    expect(await assess(undefined)).toMatchObject([{ trigger: 'assessment:failed' }]);
    const current = await test.call(
      'GET',
      `/api/v2/workspaces/${workspace}/current-assessment-result`,
    );
    expect(current.json.data.attributes).toMatchObject({ succeeded: false, drifted: false });
    // Assessments are no runs for users.
    const { json } = await test.call('GET', `/api/v2/workspaces/${workspace}/runs`);
    expect(json.data).toHaveLength(1);
    const short = resource('workspaces', { 'assessment-interval': 1 });
    expect((await test.call('PATCH', `/api/v2/workspaces/${workspace}`, short)).status).toBe(422);
  });
});
