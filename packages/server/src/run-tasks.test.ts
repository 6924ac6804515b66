import { createHmac } from 'node:crypto';
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
  agentId = (await test.call('POST', '/api/agent/v1/agents', { name: 'a' }, agentToken)).json.id;
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const resource = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});
const related = (type: string, id: string) => ({ data: { type, id } });

async function newWorkspace(name: string, attributes: object = {}): Promise<string> {
  const { json } = await test.call(
    'POST',
    '/api/v2/organizations/acme/workspaces',
    resource('workspaces', { name, ...attributes }),
  );
  return json.data.id;
}

async function newTask(name: string, attributes: object = {}): Promise<string> {
  const { json, status } = await test.call(
    'POST',
    '/api/v2/organizations/acme/tasks',
    resource('tasks', {
      name,
      url: `https://${name}.test/`,
      category: 'task',
      'hmac-key': 'key',
      ...attributes,
    }),
  );
  expect(status).toBe(201);
  return json.data.id;
}

async function attach(workspace: string, task: string, level: string, stages: readonly string[]) {
  return await test.call(
    'POST',
    `/api/v2/workspaces/${workspace}/tasks`,
    resource(
      'workspace-tasks',
      { 'enforcement-level': level, stages },
      { task: related('tasks', task) },
    ),
  );
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
    resource('runs', attributes, { workspace: related('workspaces', workspace) }),
  );
  return json.data.id;
}

const statusOf = async (run: string): Promise<string> =>
  (await test.call('GET', `/api/v2/runs/${run}`)).json.data.attributes.status;

/** Executes the next job as an agent; undefined if there is none. */
async function work(hasChanges = true): Promise<string | undefined> {
  const call = (path: string, body: object) =>
    test.call('POST', `/api/agent/v1${path}`, body, agentToken);
  const { json, status } = await call('/jobs/claim', { agent: agentId, 'wait-ms': 0 });
  if (status === 204) return undefined;
  await call(`/jobs/${json.job.id}/finish?attempt=1`, {
    outcome: 'succeeded',
    'has-changes': hasChanges,
  });
  return json.job.kind;
}

/** Sends what is due, and returns the payloads. */
async function asked(): Promise<readonly TestJson[]> {
  test.sent.length = 0;
  await test.server.workOnce();
  return test.sent.map(({ body }) => JSON.parse(body ?? ''));
}

async function report(payload: TestJson, status: string, message = '', token?: string) {
  const path = new URL(payload.task_result_callback_url).pathname;
  const body = resource('task-results', { status, message, url: 'https://checks.test/1' });
  const answered = await test.call('PATCH', path, body, token ?? payload.access_token);
  await test.server.workOnce();
  return answered.status;
}

describe('run tasks', () => {
  it('are verified, and called with a signature before and after the plan and before the apply', async () => {
    const workspace = await newWorkspace('staged');
    const task = await newTask('staged');
    expect(JSON.parse(test.sent.at(-1)?.body ?? '').stage).toBe('test');
    const attached = await attach(workspace, task, 'mandatory', [
      'pre_plan',
      'post_plan',
      'pre_apply',
      'post_apply',
    ]);
    expect(attached.status).toBe(201);
    const run = await startRun(workspace, { message: 'staged run' });
    expect([await statusOf(run), await work()]).toEqual(['pre_plan_running', undefined]);
    const [first] = await asked();
    const sent = test.sent[0];
    expect(sent?.headers?.['x-tfc-task-signature']).toBe(
      createHmac('sha512', 'key')
        .update(sent?.body ?? '')
        .digest('hex'),
    );
    expect(first).toMatchObject({
      stage: 'pre_plan',
      run_id: run,
      run_message: 'staged run',
      workspace_name: 'staged',
      organization_name: 'acme',
      task_result_enforcement_level: 'mandatory',
    });
    expect(first.plan_json_api_url).toBeUndefined();
    expect(await report(first, 'running', 'looking')).toBe(200);
    expect(await statusOf(run)).toBe('pre_plan_running');
    expect(await report(first, 'passed', 'fine')).toBe(200);
    expect([await statusOf(run), await work()]).toEqual(['plan_queued', 'plan']);
    expect(await statusOf(run)).toBe('post_plan_running');
    const [second] = await asked();
    expect(second.plan_json_api_url).toMatch(/\/api\/v2\/plans\/plan-\w+\/json-output$/);
    await report(second, 'passed');
    expect(await statusOf(run)).toBe('planned');
    await test.call('POST', `/api/v2/runs/${run}/actions/apply`, {});
    expect([await statusOf(run), await work()]).toEqual(['pre_apply_running', undefined]);
    await report((await asked())[0], 'passed');
    expect([await work(), await statusOf(run)]).toEqual(['apply', 'applied']);
    await report((await asked())[0], 'failed', 'too late');
    expect(await statusOf(run)).toBe('applied');
    const stages = await test.call('GET', `/api/v2/runs/${run}/task-stages`);
    expect(
      stages.json.data.map(({ attributes: { stage, status } }: TestJson) => [stage, status]),
    ).toEqual([
      ['pre_plan', 'passed'],
      ['post_plan', 'passed'],
      ['pre_apply', 'passed'],
      ['post_apply', 'failed'],
    ]);
    const result = await test.call('GET', `/api/v2/task-results/${first.task_result_id}`);
    expect(result.json.data.attributes).toMatchObject({
      status: 'passed',
      message: 'fine',
      url: 'https://checks.test/1',
      'task-name': 'staged',
    });
  });

  it('end a run if a mandatory one fails, and not if an advisory one does', async () => {
    const workspace = await newWorkspace('levels');
    const [strict, lenient] = [await newTask('strict'), await newTask('lenient')];
    await attach(workspace, strict, 'mandatory', ['post_plan']);
    await attach(workspace, lenient, 'advisory', ['post_plan']);
    const run = await startRun(workspace);
    await work();
    const payloads = await asked();
    const of = (level: string): TestJson =>
      payloads.find((each) => each.task_result_enforcement_level === level);
    await report(of('advisory'), 'failed', 'bad');
    expect(await statusOf(run)).toBe('post_plan_running');
    await report(of('mandatory'), 'passed');
    expect(await statusOf(run)).toBe('planned');
    await test.call('POST', `/api/v2/runs/${run}/actions/discard`, {});
    const second = await startRun(workspace);
    await work();
    const again = await asked();
    for (const each of again) await report(each, 'failed');
    expect(await statusOf(second)).toBe('errored');
  });

  it('are errors without a call, a report or an answer in time', async () => {
    const workspace = await newWorkspace('silent');
    await attach(workspace, await newTask('silent'), 'mandatory', ['pre_plan']);
    const run = await startRun(workspace);
    const [payload] = await asked();
    test.now = new Date(test.now.getTime() + 9 * 60_000);
    expect(await report(payload, 'running')).toBe(200);
    test.now = new Date(test.now.getTime() + 9 * 60_000);
    await test.server.workOnce();
    expect(await statusOf(run)).toBe('pre_plan_running');
    test.now = new Date(test.now.getTime() + 2 * 60_000);
    await test.server.workOnce();
    expect(await statusOf(run)).toBe('errored');
    expect(await report(payload, 'passed')).toBe(401);
    test.answers = () => ({ status: 503 });
    const second = await startRun(workspace);
    for (let tries = 0; tries < 4; tries++) {
      await test.server.workOnce();
      test.now = new Date(test.now.getTime() + 10_000);
    }
    test.answers = () => undefined;
    expect(await statusOf(second)).toBe('errored');
    const { json } = await test.call('GET', `/api/v2/runs/${second}?include=task_stages`);
    const stage = json.included.find(({ type }: TestJson) => type === 'task-stages');
    const result = await test.call(
      'GET',
      `/api/v2/task-results/${stage.relationships['task-results'].data[0].id}`,
    );
    expect(result.json.data.attributes).toMatchObject({
      status: 'errored',
      message: 'The task could not be called: it answered with status 503.',
    });
  });

  it('have a token for their own run only', async () => {
    const [own, other] = [await newWorkspace('own-task'), await newWorkspace('other-task')];
    await attach(own, await newTask('scoped'), 'advisory', ['post_plan']);
    const foreign = await startRun(other);
    await work();
    const run = await startRun(own);
    await work();
    const [payload] = await asked();
    const status = async (path: string, method = 'GET'): Promise<number> =>
      (await test.call(method, path, undefined, payload.access_token)).status;
    const planPath = new URL(payload.plan_json_api_url).pathname;
    const configuration = new URL(payload.configuration_version_download_url).pathname;
    expect([await status(`/api/v2/runs/${run}`), await status(configuration)]).toEqual([200, 200]);
    // The fake agent has sent no plan.
    expect(await status(planPath)).toBe(204);
    const foreignPlan = (await test.call('GET', `/api/v2/runs/${foreign}`)).json.data.relationships
      .plan.data.id;
    const rejected = [
      await status(`/api/v2/runs/${foreign}`),
      await status(`/api/v2/plans/${foreignPlan}/json-output`),
      await status(`/api/v2/workspaces/${own}`),
      await status(`/api/v2/workspaces/${own}/vars`),
      await status(`/api/v2/runs/${run}/actions/apply`, 'POST'),
      await status('/api/v2/organizations'),
    ];
    expect(rejected.every((each) => each >= 401 && each <= 404)).toBe(true);
    const callback = new URL(payload.task_result_callback_url).pathname;
    expect(
      (await test.call('PATCH', callback, resource('task-results', { status: 'passed' }))).status,
    ).toBe(401);
    await report(payload, 'passed');
    expect(await status(`/api/v2/runs/${run}`)).toBe(401);
  });

  it('are called for every workspace if they are global, and end with a canceled run', async () => {
    await newTask('global', {
      'global-configuration': {
        enabled: true,
        stages: ['pre_plan'],
        'enforcement-level': 'mandatory',
      },
    });
    const run = await startRun(await newWorkspace('everywhere'));
    expect(await statusOf(run)).toBe('pre_plan_running');
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
    const { json } = await test.call('GET', `/api/v2/runs/${run}/task-stages`);
    expect([await statusOf(run), json.data[0].attributes.status]).toEqual(['canceled', 'canceled']);
    expect(await asked()).toEqual([]);
  });
});
