// The run server with other systems: receivers of notifications, run tasks, policies, drift and version control.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../interop/free-port.ts';
import { type Gitea, hasGitea, startGitea } from './gitea.ts';

const run = promisify(execFile);
const TERRANE = new URL('../../bin/terrane', import.meta.url).pathname;

// oxlint-disable-next-line typescript/no-explicit-any -- tests navigate documents whose form they assert
type Json = any;

let folder: string;
let port: number;
let token: string;
let certificate: string;
let program: ChildProcess;
/** what the server has printed, with its log */
let output = '';
let receiver: Server;
const received: { readonly path: string; readonly body: Json }[] = [];
/** Called for each request to the receiver. */
let onReceived: (path: string, body: Json) => void = () => undefined;

async function call(method: string, path: string, body?: unknown, as: string = token) {
  const target = path.startsWith('https:') ? path : `https://localhost:${port}${path}`;
  const isBytes = body instanceof Uint8Array;
  const outgoing = request(target, {
    method,
    ca: certificate,
    headers: {
      ...(as !== '' && { authorization: `Bearer ${as}` }),
      ...(!isBytes && { 'content-type': 'application/vnd.api+json' }),
    },
  });
  outgoing.end(body === undefined ? undefined : isBytes ? body : JSON.stringify(body));
  const [answer] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  const json: Json = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: Number(answer.statusCode), text, json };
}

const resource = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

async function create(path: string, type: string, attributes: object, relationships?: object) {
  const { status, text, json } = await call(
    'POST',
    path,
    resource(type, attributes, relationships),
  );
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
  return json.data;
}

async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const value = await find();
    if (value !== undefined) return value;
    await sleep(100);
  }
  throw new Error(`${what} did not happen\n${output}`);
}

async function client(directory: string, command: string, ...args: readonly string[]) {
  const [name = '', ...rest] = args;
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    SSL_CERT_FILE: join(folder, 'data/certificate.pem'),
    TF_CLI_CONFIG_FILE: join(folder, 'data/terraform.rc'),
  };
  try {
    const options = { cwd: directory, env: environment };
    const { stdout, stderr } = await run(command, [name, '-no-color', ...rest], options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}${stderr}` };
  }
}

async function project(name: string, body: string): Promise<string> {
  const directory = join(folder, `project-${name}`);
  await mkdir(directory);
  await writeFile(
    join(directory, 'main.tf'),
    `terraform {\n  cloud {\n    hostname = "localhost:${port}"\n    organization = "dev"\n    workspaces {\n      name = "${name}"\n    }\n  }\n}\n${body}`,
  );
  return directory;
}

const newWorkspace = async (name: string, attributes: object = {}): Promise<string> =>
  (await create('/api/v2/organizations/dev/workspaces', 'workspaces', { name, ...attributes })).id;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'integrations-'));
  port = await freePort();
  receiver = createServer((incoming, response) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.on('end', () => {
      const body: Json = JSON.parse(text);
      received.push({ path: incoming.url ?? '', body });
      response.end('{}');
      onReceived(incoming.url ?? '', body);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  program = spawn(
    TERRANE,
    ['server', '-dev', `-listen=127.0.0.1:${port}`, '-data=data', '-pass-env=TF_PLUGIN_CACHE_DIR'],
    {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TF_LOG: 'WARN' },
    },
  );
  program.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  program.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until('the start of the server', async () =>
    output.includes('The server is running') ? true : undefined,
  );
  token = (await readFile(join(folder, 'data/token'), 'utf8')).trim();
  certificate = await readFile(join(folder, 'data/certificate.pem'), 'utf8');
}, 120_000);

afterAll(async () => {
  if (program.pid !== undefined && program.exitCode === null) {
    const ended = once(program, 'exit');
    process.kill(-program.pid, 'SIGKILL');
    await ended;
  }
  receiver.closeAllConnections();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const receiverUrl = (path: string): string =>
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

describe('policies, run tasks and notifications', () => {
  const POLICY = `
resource_policy "terraform_data" "no_secrets" {
  enforcement_level = "mandatory_overridable"
  enforce {
    condition     = attrs.input != "secret"
    error_message = "The input must not be a secret."
  }
}
`;
  const BODY =
    'variable "text" {\n  default = "open"\n}\nresource "terraform_data" "a" {\n  input = var.text\n}\n';

  it('decide about the runs of an unchanged client, with an override', async () => {
    const workspace = await newWorkspace('guarded');
    const policy = await create('/api/v2/organizations/dev/policies', 'policies', {
      name: 'secrets',
      kind: 'tfpolicy',
    });
    const uploaded = await call('PUT', `/api/v2/policies/${policy.id}/upload`, Buffer.from(POLICY));
    expect(uploaded.status).toBe(200);
    await create(
      '/api/v2/organizations/dev/policy-sets',
      'policy-sets',
      { name: 'rules', kind: 'tfpolicy' },
      {
        policies: { data: [{ type: 'policies', id: policy.id }] },
        workspaces: { data: [{ type: 'workspaces', id: workspace }] },
      },
    );
    const task = await create('/api/v2/organizations/dev/tasks', 'tasks', {
      name: 'scanner',
      category: 'task',
      url: receiverUrl('/task'),
    });
    await create(
      `/api/v2/workspaces/${workspace}/tasks`,
      'workspace-tasks',
      { 'enforcement-level': 'mandatory', stages: ['post_plan'] },
      { task: { data: { type: 'tasks', id: task.id } } },
    );
    await create(
      `/api/v2/workspaces/${workspace}/notification-configurations`,
      'notification-configurations',
      {
        name: 'hook',
        enabled: true,
        'destination-type': 'generic',
        url: receiverUrl('/notify'),
        triggers: ['run:completed', 'run:needs_attention'],
      },
    );
    const plans: Json[] = [];
    onReceived = (path, body) => {
      if (path !== '/task' || body.stage === 'test') return;
      void (async () => {
        const plan = await call('GET', body.plan_json_api_url, undefined, body.access_token);
        plans.push(plan.json);
        await call(
          'PATCH',
          body.task_result_callback_url,
          resource('task-results', { status: 'passed', message: 'scanned' }),
          body.access_token,
        );
      })();
    };
    const directory = await project('guarded', BODY);
    expect((await client(directory, 'terraform', 'init')).code).toBe(0);
    const applied = await client(directory, 'terraform', 'apply', '-auto-approve');
    expect(applied.output).toContain('Apply complete! Resources: 1 added');
    expect(applied.output).toContain('Organization Policy Check');
    expect(applied.output).toContain('Policies: 1 passed, 0 failed');
    expect(applied.output).toContain('scanner');
    expect(plans[0].resource_changes[0].address).toBe('terraform_data.a');
    await until('the notification', async () =>
      received.find(
        ({ path, body }) => path === '/notify' && body.notifications[0].trigger === 'run:completed',
      ),
    );

    await writeFile(join(directory, 'x.auto.tfvars'), 'text = "secret"\n');
    const refused = await client(directory, 'terraform', 'plan');
    expect(refused.output).toContain('The input must not be a secret.');
    expect(refused.code).toBe(1);
    const overridden = await client(directory, 'terraform', 'apply', '-auto-approve');
    expect(overridden.output).toContain('Apply complete! Resources: 0 added, 1 changed');
    const { json } = await call('GET', `/api/v2/workspaces/${workspace}/runs`);
    const latest = json.data[0];
    expect(latest.attributes.status).toBe('applied');
    const checks = await call('GET', `/api/v2/runs/${latest.id}/policy-checks`);
    expect(checks.json.data[0].attributes).toMatchObject({
      status: 'overridden',
      'override-reason': 'Overridden by admin',
      result: { 'soft-failed': 1, 'hard-failed': 0 },
    });
    const trail = await call('GET', '/api/v2/organizations/dev/audit-trail');
    expect(trail.text).toContain('resource_policy.terraform_data.no_secrets');
  }, 240_000);
});

describe('health assessments', () => {
  it('find what was changed outside, and show it', async () => {
    const file = join(folder, 'drifting.txt');
    const workspace = await newWorkspace('drifting');
    const directory = await project(
      'drifting',
      `resource "local_file" "a" {\n  filename = ${JSON.stringify(file)}\n  content  = "x"\n}\n`,
    );
    expect((await client(directory, TERRANE, 'init')).code).toBe(0);
    const applied = await client(directory, TERRANE, 'apply', '-auto-approve');
    expect(applied.output).toContain('Apply complete!');
    const assess = async (known: string): Promise<Json> => {
      const started = await call('POST', `/api/v2/workspaces/${workspace}/actions/assess`, {});
      expect(started.status).toBe(202);
      return await until('the assessment', async () => {
        const { status, json } = await call(
          'GET',
          `/api/v2/workspaces/${workspace}/current-assessment-result`,
        );
        return status === 200 && json.data.id !== known ? json.data : undefined;
      });
    };
    const before = await assess('');
    expect(before.attributes).toMatchObject({ succeeded: true, drifted: false });
    await rm(file);
    const after = await assess(before.id);
    expect(after.attributes).toMatchObject({ succeeded: true, drifted: true });
    const report = await call('GET', after.links['json-output']);
    expect(report.json).toMatchObject({
      complete: true,
      entries: [{ address: 'local_file.a', level: 'vanished', alarm: true }],
    });
  }, 120_000);
});

describe.skipIf(process.env['CI'] !== 'true' && !hasGitea())('version control with Gitea', () => {
  let gitea: Gitea;
  beforeAll(async () => {
    gitea = await startGitea();
  }, 120_000);
  afterAll(async () => {
    await gitea?.[Symbol.asyncDispose]();
  });

  const BOTH =
    'resource "terraform_data" "kept" {\n  input = 1\n}\nresource "terraform_data" "removed" {\n  input = 1\n}\n';
  const ONE = 'resource "terraform_data" "kept" {\n  input = 2\n}\n';

  /** Commits a file; replaces an existing one. */
  async function commit(path: string, text: string, branch: string, message: string) {
    const content = Buffer.from(text).toString('base64');
    const at = `/repos/ada/infra/contents/${path}`;
    const existing = await gitea.call('GET', `${at}?ref=${branch}`).catch(() => undefined);
    const body = { content, message, branch, ...(existing && { sha: existing.sha }) };
    return (await gitea.call(existing ? 'PUT' : 'POST', at, body)).commit.sha as string;
  }

  const runsOf = async (workspace: string): Promise<readonly Json[]> =>
    (await call('GET', `/api/v2/workspaces/${workspace}/runs`)).json.data;

  const runWith = async (workspace: string, message: string, ...statuses: readonly string[]) =>
    await until(`${message}: ${statuses.join(', ')}`, async () =>
      (await runsOf(workspace)).find(
        ({ attributes }) => attributes.message === message && statuses.includes(attributes.status),
      ),
    );

  it('plans and applies pushes, and reviews pull requests with one comment', async () => {
    await gitea.call('POST', '/user/repos', {
      name: 'infra',
      auto_init: true,
      default_branch: 'main',
    });
    await commit('net/main.tf', BOTH, 'main', 'first');
    const oauth = await create('/api/v2/organizations/dev/oauth-clients', 'oauth-clients', {
      'service-provider': 'gitea',
      'http-url': gitea.url,
      'oauth-token-string': gitea.token,
    });
    const workspace = await newWorkspace('net', {
      'working-directory': 'net',
      'queue-all-runs': true,
      'vcs-repo': {
        identifier: 'ada/infra',
        'oauth-token-id': oauth.relationships['oauth-tokens'].data[0].id,
      },
    });
    const first = await runWith(workspace, 'first', 'planned');
    const { status } = await call('POST', `/api/v2/runs/${first.id}/actions/apply`, {});
    expect(status).toBe(202);
    await runWith(workspace, 'first', 'applied');
    const hooks = await gitea.call('GET', '/repos/ada/infra/hooks');
    expect(hooks).toHaveLength(1);

    await commit('docs/readme.md', 'Nothing to plan.', 'main', 'only documentation');
    await gitea.call('POST', '/repos/ada/infra/branches', { new_branch_name: 'topic' });
    const head = await commit('net/main.tf', ONE, 'topic', 'remove one');
    const pull = await gitea.call('POST', '/repos/ada/infra/pulls', {
      title: 'Remove one',
      head: 'topic',
      base: 'main',
    });
    const planned = await runWith(workspace, 'Remove one', 'planned_and_finished');
    expect(planned.attributes['plan-only']).toBe(true);
    const commentsOf = async (): Promise<readonly Json[]> =>
      await gitea.call('GET', `/repos/ada/infra/issues/${pull.number}/comments`);
    const comment = await until('the comment', async () =>
      (await commentsOf()).find(({ body }) => body.includes('**Destroy** (1)')),
    );
    expect(comment.body.indexOf('terraform_data.removed')).toBeLessThan(
      comment.body.indexOf('terraform_data.kept'),
    );
    expect(comment.body).toContain('its block is not in the configuration');
    const reported = await until('the status', async () =>
      (await gitea.call('GET', `/repos/ada/infra/commits/${head}/statuses`)).find(
        (each: Json) => each.status === 'success',
      ),
    );
    expect(reported).toMatchObject({
      context: 'terrane/dev/net',
      description: 'Planned: 0 to add, 1 to change, 1 to destroy',
    });

    await commit('net/main.tf', BOTH, 'topic', 'keep both');
    await until('the update of the comment', async () =>
      (await commentsOf()).find(({ body }) => body.includes('No changes')),
    );
    expect(await commentsOf()).toHaveLength(1);

    await commit('net/main.tf', ONE, 'topic', 'remove one again');
    await until('the mergeable state', async () => {
      const { mergeable } = await gitea.call('GET', `/repos/ada/infra/pulls/${pull.number}`);
      return mergeable === true ? true : undefined;
    });
    await gitea.call('POST', `/repos/ada/infra/pulls/${pull.number}/merge`, { Do: 'squash' });
    const merged = await until('the run of the merge', async () =>
      (await runsOf(workspace)).find(
        ({ attributes }) => attributes['plan-only'] === false && attributes.status === 'planned',
      ),
    );
    expect(merged.attributes.message).toContain('Remove one');
    const messages = (await runsOf(workspace)).map(({ attributes }) => attributes.message);
    expect(messages).not.toContain('only documentation');
  }, 240_000);
});
