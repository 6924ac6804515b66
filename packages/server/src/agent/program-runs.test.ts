// Runs of workspaces with the engine `terraform`, which a shell script stands for.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken } from '../server.ts';
import { testServer, type TestJson, type TestServer } from '../testing.ts';
import { queueRun, startAgent } from '../testing/test-agent.ts';

let test: TestServer;
let token: string;
let directory: string;

/** The plan of the script: an object is created, one is replaced, and one is imported and changed. */
const PLAN = {
  terraform_version: '1.11.4',
  resource_changes: [
    { address: 'a.new', change: { actions: ['create'] } },
    { address: 'a.replaced', change: { actions: ['delete', 'create'] } },
    { address: 'a.imported', change: { actions: ['update'], importing: { id: 'i' } } },
    { address: 'a.same', change: { actions: ['no-op'] } },
  ],
};

const SCRIPT = `#!/bin/sh
state=.terrane/state/$TF_WORKSPACE/terraform.tfstate
write() {
  printf '{"version":4,"terraform_version":"1.11.4","serial":%s,"lineage":"l","outputs":{"o":{"value":"%s","type":"string"}},"resources":[]}' "$1" "$2" >"$state"
}
case "$1" in
  version) echo '{"terraform_version":"1.11.4"}' ;;
  init) echo "init with $TF_CLI_CONFIG_FILE" ;;
  plan)
    echo "arguments: $*"
    cat .terrane/run.tfvars zz_terrane_run_override.tf
    echo planned >.terrane/plan.tfplan
    exit 2
    ;;
  show)
    echo 'not part of the plan' >&2
    echo '${JSON.stringify(PLAN)}'
    ;;
  providers) echo '{}' ;;
  apply)
    echo "arguments: $*; $(cat .terrane/plan.tfplan); password $password"
    write 1 first
    case "$SCENARIO" in
      cancel)
        trap 'write 2 interrupted; echo Interrupted; exit 1' INT
        while :; do sleep 0.05; done
        ;;
      fail)
        write 2 failed
        echo 'Error: no' >&2
        exit 1
        ;;
    esac
    write 2 last
    ;;
esac
`;

beforeAll(async () => {
  test = await testServer();
  token = await createAgentToken(test.server.services, 'test');
  directory = await mkdtemp(join(tmpdir(), 'terrane-programs-'));
  await writeFile(join(directory, 'terraform-1.11.4'), SCRIPT, { mode: 0o755 });
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const agent = () =>
  startAgent(
    test.server,
    token,
    () => Promise.reject(new Error("Terrane's engine must not be used.")),
    directory,
  );

/** Executes the next job, and returns the directory of the agent. */
async function executeJob(): Promise<string> {
  const started = await agent();
  await started.agent.stopped;
  return started.directory;
}

const runOf = async (run: string): Promise<TestJson> =>
  (await test.call('GET', `/api/v2/runs/${run}`)).json.data;

async function stageOf(run: string, kind: 'plan' | 'apply'): Promise<TestJson> {
  const { id } = (await runOf(run)).relationships[kind].data;
  const { attributes } = (
    await test.call('GET', `/api/v2/${kind === 'plan' ? 'plans' : 'applies'}/${id}`)
  ).json.data;
  const path = new URL(attributes['log-read-url']);
  const log = await test.call('GET', `${path.pathname}${path.search}`, undefined, null);
  return { ...attributes, log: log.bytes.toString() };
}

/** Returns the serial and the output of each state of a workspace, newest first. */
async function statesOf(workspace: string): Promise<readonly string[]> {
  const { json } = await test.call(
    'GET',
    `/api/v2/state-versions?filter[workspace][name]=${workspace}&filter[organization][name]=acme`,
  );
  const states: string[] = [];
  for (const { id, attributes } of json.data) {
    const outputs = await test.call('GET', `/api/v2/state-versions/${id}/outputs`);
    states.push(`${attributes.serial} ${outputs.json.data[0]?.attributes.value}`);
  }
  return states;
}

/** Queues a run with the engine `terraform` and has it planned. */
async function plannedRun(name: string, scenario = '', settings: object = {}) {
  const queued = await queueRun(test, {
    name,
    engine: 'terraform',
    'terraform-version': '~> 1.11.0',
    ...settings,
  });
  const body = { key: 'SCENARIO', value: scenario, category: 'env' };
  await test.call('POST', `/api/v2/workspaces/${queued.workspace}/vars`, {
    data: { type: 'vars', attributes: body },
  });
  await executeJob();
  return queued;
}

async function approve(run: string): Promise<void> {
  const { status } = await test.call('POST', `/api/v2/runs/${run}/actions/apply`, {});
  expect(status).toBe(202);
}

describe.skipIf(process.platform === 'win32')('a run with another program', () => {
  it('is planned and applied, and its state is on the server', async () => {
    const { run } = await plannedRun('whole');
    const planned = await runOf(run);
    expect(planned.attributes).toMatchObject({
      status: 'planned',
      'has-changes': true,
      engine: 'terraform',
      'terraform-version': '~> 1.11.0',
    });
    const plan = await stageOf(run, 'plan');
    expect(plan).toMatchObject({
      status: 'finished',
      'resource-additions': 2,
      'resource-changes': 1,
      'resource-destructions': 1,
      'resource-imports': 1,
    });
    expect(plan.log).toContain('Executed with terraform 1.11.4.');
    expect(plan.log).toContain(
      'arguments: plan -input=false -no-color -detailed-exitcode -out=.terrane/plan.tfplan -var-file=.terrane/run.tfvars\n',
    );
    expect(plan.log).toContain('backend "local"');
    const { id } = planned.relationships.plan.data;
    expect((await test.call('GET', `/api/v2/plans/${id}/json-output`)).json).toEqual(PLAN);
    await approve(run);
    await executeJob();
    const apply = await stageOf(run, 'apply');
    expect((await runOf(run)).attributes.status).toBe('applied');
    expect(apply.log).toContain(
      'arguments: apply -input=false -no-color .terrane/plan.tfplan; planned; password p4ssw0rd',
    );
    expect(apply).toMatchObject({ 'resource-additions': 2, 'resource-destructions': 1 });
    expect((await statesOf('whole'))[0]).toBe('2 last');
  });

  it('keeps its engine if that of the workspace changes, and is applied with the version of its plan', async () => {
    const { run, workspace } = await plannedRun('pinned');
    await test.call('PATCH', `/api/v2/workspaces/${workspace}`, {
      data: { type: 'workspaces', attributes: { engine: 'tofu', 'terraform-version': 'latest' } },
    });
    const newer = join(directory, 'terraform-1.11.9');
    await writeFile(
      newer,
      SCRIPT.replace('\'{"terraform_version":"1.11.4"}\'', '\'{"terraform_version":"1.11.9"}\''),
      { mode: 0o755 },
    );
    await approve(run);
    await executeJob();
    await rm(newer);
    expect((await stageOf(run, 'apply')).log).toContain('Executed with terraform 1.11.4.');
    expect((await runOf(run)).attributes).toMatchObject({ status: 'applied', engine: 'terraform' });
  });

  it('fails with the state that the program left', async () => {
    const { run } = await plannedRun('failing', 'fail');
    await approve(run);
    const data = await executeJob();
    expect((await runOf(run)).attributes.status).toBe('errored');
    expect((await stageOf(run, 'apply')).log).toContain('Error: no');
    expect((await statesOf('failing'))[0]).toBe('2 failed');
    expect(await readdir(data)).toEqual(['providers']);
  });

  it('is interrupted by a cancellation, and stores the state while and after it runs', async () => {
    const { run } = await plannedRun('canceled', 'cancel');
    await approve(run);
    const { agent: running } = await agent();
    while ((await statesOf('canceled')).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await statesOf('canceled')).toEqual(['1 first']);
    await test.call('POST', `/api/v2/runs/${run}/actions/cancel`, {});
    await running.stopped;
    expect((await runOf(run)).attributes.status).toBe('canceled');
    expect((await stageOf(run, 'apply')).log).toContain('Interrupted');
    expect(await statesOf('canceled')).toEqual(['2 interrupted', '1 first']);
  });

  it('keeps a state that the server did not receive, and is not applied again after its agent was lost', async () => {
    const { run } = await plannedRun('lost', 'cancel');
    await approve(run);
    const { agent: running, messages, directory: data } = await agent();
    while ((await statesOf('lost')).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // As after the end of the lease of the first agent, which is extended as long as the server answers.
    await test.server.services.db
      .updateTable('jobs')
      .set({ status: 'queued', agent_id: null, lease_until: null })
      .where('run_id', '=', run)
      .where('status', '=', 'running')
      .execute();
    await executeJob();
    await running.stopped;
    expect((await runOf(run)).attributes.status).toBe('errored');
    const { log } = await stageOf(run, 'apply');
    expect(log).toContain('The connection to an agent was lost while terraform applied the plan.');
    expect(log.match(/arguments: apply/g)).toHaveLength(1);
    expect(await statesOf('lost')).toEqual(['1 first']);
    const kept = join(data, 'unsaved-states', `${run}-1.tfstate`);
    expect(JSON.parse(await readFile(kept, 'utf8'))).toMatchObject({
      serial: 2,
      outputs: { o: { value: 'interrupted' } },
    });
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    expect(messages).toContainEqual(
      expect.objectContaining({ level: 'error', fields: { run, file: kept } }),
    );
  });

  it('ends with what the agent has if no version is suitable', async () => {
    const { run } = await plannedRun('missing', '', { 'terraform-version': '>= 1.12' });
    expect((await runOf(run)).attributes.status).toBe('errored');
    const { log } = await stageOf(run, 'plan');
    expect(log).toContain('Error: The run could not be executed');
    expect(log).toContain(`  - ${directory}/terraform-1.11.4: 1.11.4`);
  });

  it('does not ignore the journal of an interrupted run with the engine', async () => {
    const { run } = await plannedRun('journal');
    await approve(run);
    const call = (method: string, path: string, body: unknown) =>
      test.call(method, `/api/agent/v1${path}`, body, token);
    const { id } = (await call('POST', '/agents', { name: 'other' })).json;
    const { job } = (await call('POST', '/jobs/claim', { agent: id, 'wait-ms': 0 })).json;
    expect(job).toMatchObject({ engine: { name: 'terraform', version: '~> 1.11.0' } });
    const journal = Buffer.from('intent');
    await call('PUT', `/jobs/${job.id}/journal?attempt=1&offset=0`, journal);
    await call('POST', `/jobs/${job.id}/finish?attempt=1`, { outcome: 'errored' });
    const next = await test.call('POST', '/api/v2/runs', {
      data: {
        type: 'runs',
        attributes: { 'is-destroy': true },
        relationships: (await runOf(run)).relationships,
      },
    });
    await executeJob();
    expect((await runOf(next.json.data.id)).attributes.status).toBe('errored');
    const { log } = await stageOf(next.json.data.id, 'plan');
    expect(log).toContain('terraform cannot read the changes that it has recorded');
  });

  it('never passes policies that nothing evaluates', async () => {
    const { run } = await queueRun(test, { name: 'with-later-policies', engine: 'terraform' });
    const set = await test.call('POST', '/api/v2/organizations/acme/policy-sets', {
      data: { type: 'policy-sets', attributes: { name: 'all', kind: 'tfpolicy', global: true } },
    });
    const { id } = set.json.data;
    const version = await test.call('POST', `/api/v2/policy-sets/${id}/versions`, {});
    const files = [{ header: { name: 'a.policy.hcl', size: 0, type: 'file' as const } }];
    await test.call('PUT', version.json.data.links.upload, gzipSync(await packTar(files)), null);
    const message = 'The workspace has policies, and terraform does not evaluate them.';

    // The policies were added after the run was created: the agent rejects it.
    await executeJob();
    expect((await runOf(run)).attributes.status).toBe('errored');
    const { log } = await stageOf(run, 'plan');
    expect(log).toContain(message);
    expect(log).not.toContain('arguments: plan');

    // A request is rejected. A run of another origin ends at once, without an agent.
    const created = await test.call('POST', '/api/v2/organizations/acme/workspaces', {
      data: { type: 'workspaces', attributes: { name: 'with-policies', engine: 'terraform' } },
    });
    const workspace: string = created.json.data.id;
    const runs = async () =>
      (await test.call('GET', `/api/v2/workspaces/${workspace}/runs`)).json.data;
    const upload = await test.call(
      'POST',
      `/api/v2/workspaces/${workspace}/configuration-versions`,
      {
        data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': true } },
      },
    );
    await test.call(
      'PUT',
      upload.json.data.attributes['upload-url'],
      gzipSync(await packTar(files)),
      null,
    );
    const [ended] = await runs();
    expect(ended.attributes.status).toBe('errored');
    expect((await stageOf(ended.id, 'plan')).log).toContain(message);
    const rejected = await test.call('POST', '/api/v2/runs', {
      data: {
        type: 'runs',
        relationships: { workspace: { data: { type: 'workspaces', id: workspace } } },
      },
    });
    expect(rejected.status).toBe(422);
    expect(rejected.json.errors[0].detail).toContain(message);
    expect(await runs()).toHaveLength(1);

    await test.call('DELETE', `/api/v2/policy-sets/${id}`);
  });
});

describe('the engine of a workspace', () => {
  it('is one of three', async () => {
    const path = '/api/v2/organizations/acme/workspaces';
    const create = (attributes: object) =>
      test.call('POST', path, { data: { type: 'workspaces', attributes } });
    const initial = await create({ name: 'engine' });
    expect(initial.json.data.attributes.engine).toBe('terrane');
    const change = async (attributes: object): Promise<unknown> => {
      const { status, json } = await test.call('PATCH', `${path}/engine`, {
        data: { type: 'workspaces', attributes },
      });
      return status === 200 ? json.data.attributes.engine : status;
    };
    expect(await change({ engine: 'tofu', 'terraform-version': '1.12.6' })).toBe('tofu');
    expect(await change({ engine: 'pulumi' })).toBe(422);
    expect(await change({ engine: 1 })).toBe(422);
    expect(await change({ 'auto-apply': true })).toBe('tofu');
    expect(await change({ engine: null })).toBe('terrane');
  });
});
