// The run server with PostgreSQL, agents as processes, and unchanged clients over TLS.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../backends/self-signed.ts';
import { freePort } from '../interop/free-port.ts';
import { type Postgresql, postgresqlProgram, startPostgresql } from '../interop/postgresql.ts';

const run = promisify(execFile);
const TERRANE = new URL('../../bin/terrane', import.meta.url).pathname;
const canRun = process.env['CI'] === 'true' || postgresqlProgram('initdb') !== undefined;

interface Result {
  readonly code: number;
  readonly output: string;
}

let folder: string;
let port: number;
let database: Postgresql;
let environment: NodeJS.ProcessEnv;
let token: string;
let agentToken: string;
const processes = new Set<ChildProcess>();

/** Starts a process in a group of its own, so that it can be killed with its children. */
async function start(args: readonly string[], env: NodeJS.ProcessEnv, ready: RegExp) {
  const child = spawn(TERRANE, args, {
    env,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  for (let tries = 0; !ready.test(output); tries++) {
    if (tries > 4_800 || child.exitCode !== null) throw new Error(`${args.join(' ')}: ${output}`);
    await sleep(50);
  }
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  processes.delete(child);
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, signal);
  await ended;
}

const startAgent = (name: string): Promise<ChildProcess> =>
  start(
    ['agent', `-server=https://localhost:${port}`, `-name=${name}`, `-data=${join(folder, name)}`],
    { ...environment, TERRANE_AGENT_TOKEN: agentToken },
    /is waiting for runs/,
  );

/** Returns the version of the `terraform` on the PATH. */
async function installedVersion(): Promise<string> {
  const { stdout } = await run('terraform', ['version', '-json'], { env: environment });
  return String(JSON.parse(stdout).terraform_version);
}

/** Changes the engine of a workspace by the API. */
async function setEngine(workspace: string, attributes: object): Promise<void> {
  const answer = request(
    `https://localhost:${port}/api/v2/organizations/acme/workspaces/${workspace}`,
    {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
      ca: await readFile(join(folder, 'cert.pem')),
    },
  );
  const answered = once(answer, 'response');
  answer.end(JSON.stringify({ data: { type: 'workspaces', attributes } }));
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(200);
}

/** A client that runs, and what it has printed so far. */
interface Started {
  readonly result: Promise<Result>;
  output(): string;
}

function startClient(program: string, directory: string, ...args: readonly string[]): Started {
  const child = spawn(program, withoutColor(args), {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return {
    result: once(child, 'close').then(([code]) => ({ code: Number(code), output })),
    output: () => output,
  };
}

async function client(
  program: string,
  directory: string,
  ...args: readonly string[]
): Promise<Result> {
  return await startClient(program, directory, ...args).result;
}

/** Adds `-no-color` where a command accepts it: before its arguments. */
function withoutColor([command = '', ...rest]: readonly string[]): string[] {
  return command === 'state' ? [command, ...rest] : [command, '-no-color', ...rest];
}

async function project(name: string, body: string, block = 'cloud'): Promise<string> {
  const directory = join(folder, `project-${name}`);
  await mkdir(directory);
  const kind = block === 'cloud' ? 'cloud' : 'backend "remote"';
  await writeFile(
    join(directory, 'main.tf'),
    `terraform {\n  ${kind} {\n    hostname = "localhost:${port}"\n    organization = "acme"\n    workspaces {\n      name = "${name}"\n    }\n  }\n}\n${body}`,
  );
  return directory;
}

describe.skipIf(!canRun)('the run server on PostgreSQL', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'run-server-'));
    [database, port] = [await startPostgresql(), await freePort()];
    const { certificate, key } = selfSigned('localhost');
    await writeFile(join(folder, 'cert.pem'), certificate);
    await writeFile(join(folder, 'key.pem'), key);
    await writeFile(
      join(folder, 'encryption.hcl'),
      'key_provider "pbkdf2" "k" {\n  passphrase = "correct horse battery staple"\n}\nmethod "aes_gcm" "m" {\n  keys = key_provider.pbkdf2.k\n}\nplan {\n  method = method.aes_gcm.m\n}\n',
    );
    environment = {
      PATH: process.env['PATH'],
      HOME: folder,
      SSL_CERT_FILE: join(folder, 'cert.pem'),
      TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'),
      TERRANE_DATABASE_URL: `postgres://postgres@127.0.0.1:${database.port}/postgres`,
    };
    await writeFile(join(folder, 'terraform.rc'), '');
    const server = ['server', '-encryption-config=encryption.hcl'];
    const prepare = async (...args: readonly string[]): Promise<string> =>
      (await run(TERRANE, [...server, ...args], { cwd: folder, env: environment })).stdout.trim();
    token = await prepare('-create-user=ada@example.com', '-create-organization=acme');
    agentToken = await prepare('-create-agent-token');
    await writeFile(
      join(folder, 'terraform.rc'),
      `credentials "localhost:${port}" {\n  token = "${token}"\n}\n`,
    );
    await start(
      [
        ...server,
        `-listen=127.0.0.1:${port}`,
        `-url=https://localhost:${port}`,
        '-tls-cert=cert.pem',
        '-tls-key=key.pem',
      ],
      environment,
      /The server listens/,
    );
  });

  afterAll(async () => {
    for (const child of [...processes]) await end(child, 'SIGKILL');
    await database?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const BODY =
    'variable "name" {\n  default = "one"\n}\nresource "terraform_data" "a" {\n  input = var.name\n}\noutput "name" {\n  value = terraform_data.a.output\n}\n';

  it.each([
    ['terraform', 'cloud', 'life-cloud'],
    // The backend of the agent stores the state of a workspace with this name elsewhere.
    ['terraform', 'remote', 'default'],
    [TERRANE, 'cloud', 'life-terrane'],
  ])('plans, applies and destroys for %s with %s', async (program, block, name) => {
    const agent = await startAgent(`agent-${name}`);
    const directory = await project(name, BODY, block);
    const succeeded = async (...args: readonly string[]): Promise<string> => {
      const { code, output } = await client(program, directory, ...args);
      expect({ code, output }).toMatchObject({ code: 0 });
      return output;
    };
    await succeeded('init', '-input=false');
    expect(await succeeded('plan')).toContain('1 to add, 0 to change, 0 to destroy');
    expect(await succeeded('apply', '-auto-approve')).toContain('Resources: 1 added');
    expect(await succeeded('output')).toContain('name = "one"');
    expect(await succeeded('plan')).toContain('No changes');
    if (block === 'cloud') {
      await succeeded('plan', '-var=name=two', '-out=two.tfplan');
      expect(await succeeded('apply', 'two.tfplan')).toContain('Resources: 0 added, 1 changed');
    }
    expect(await succeeded('destroy', '-auto-approve')).toContain('1 destroyed');
    await end(agent, 'SIGKILL');
  });

  it('executes the runs of a workspace with the program that is its engine', async () => {
    const agent = await startAgent('with-terraform');
    const directory = await project('pinned', BODY);
    const succeeded = async (...args: readonly string[]): Promise<string> => {
      const { code, output } = await client(TERRANE, directory, ...args);
      expect({ code, output }).toMatchObject({ code: 0 });
      return output;
    };
    await succeeded('init', '-input=false');
    const version = await installedVersion();
    await setEngine('pinned', { engine: 'terraform', 'terraform-version': `= ${version}` });
    await succeeded('plan', '-var=name=two', '-out=two.tfplan');
    const applied = await succeeded('apply', 'two.tfplan');
    expect(applied).toContain('Resources: 1 added, 0 changed, 0 destroyed');
    expect(await succeeded('output')).toContain('name = "two"');
    const state = JSON.parse(await succeeded('state', 'pull'));
    expect(state).toMatchObject({
      terraform_version: version,
      outputs: { name: { value: 'two' } },
    });
    const destroyed = await succeeded('destroy', '-auto-approve');
    expect(destroyed).toContain(`Executed with terraform ${version}.`);
    expect(destroyed).toContain('1 destroyed');
    await setEngine('pinned', { 'terraform-version': '< 0.1' });
    const { code, output } = await client(TERRANE, directory, 'plan');
    expect(code).toBe(1);
    expect(output).toContain(`/terraform: ${version}`);
    await end(agent, 'SIGKILL');
  });

  it('continues the apply of a killed agent, and creates nothing twice', async () => {
    const directory = await project(
      'crash',
      `resource "local_file" "first" {
  filename = "${folder}/first"
  content  = "first"
}
data "local_file" "duration" {
  filename   = "${folder}/duration"
  depends_on = [local_file.first]
}
resource "time_sleep" "second" {
  create_duration = data.local_file.duration.content
}
`,
    );
    // The first agent must be killed before it has created the second object, which the other one creates soon.
    await writeFile(join(folder, 'duration'), '240s');
    const lost = await startAgent('lost');
    expect(await client(TERRANE, directory, 'init', '-input=false')).toMatchObject({ code: 0 });
    const applied = startClient(TERRANE, directory, 'apply', '-auto-approve');
    // The result of the first one is recorded before the second one is created.
    while (!applied.output().includes('time_sleep.second: Creating...')) await sleep(50);
    await end(lost, 'SIGKILL');
    await writeFile(join(folder, 'duration'), '1s');
    const other = await startAgent('other');
    const { code, output } = await applied.result;
    expect(code, output).toBe(0);
    expect(output).toContain('Another agent continues');
    expect(output.match(/local_file\.first: Creating\.\.\./g)).toHaveLength(1);
    const { output: resources } = await client(TERRANE, directory, 'state', 'list');
    expect(resources).toContain('local_file.first');
    expect(resources).toContain('time_sleep.second');
    await end(other, 'SIGKILL');
  }, 300_000);
});
