// Runs that leave a line for each object that they create, and what has to be true of them whatever fails meanwhile.
import { gzipSync } from 'node:zlib';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packTar } from 'modern-tar';

/** Objects that each run creates, by commands that leave a line each. */
export const OBJECTS = 4;
const FINAL = new Set(['applied', 'errored', 'planned_and_finished', 'discarded', 'canceled']);

/** A configuration whose objects each append a line with the run and their name. Each run replaces them all. */
function configuration(log: string): string {
  const objects = Array.from(
    { length: OBJECTS },
    (_each, index) =>
      `resource "terraform_data" "o${index}" {\n  triggers_replace = var.name\n${
        index === 0 ? '' : `  depends_on = [terraform_data.o${index - 1}]\n`
      }  provisioner "local-exec" {\n    command = "echo $RUN o${index} >> ${log}; sleep 0.3"\n    environment = { RUN = var.name }\n  }\n}\n`,
  );
  return `variable "name" {\n  type = string\n}\n${objects.join('')}`;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of responses, whose form is that of the API
type Json = any;

/** A client of the API that repeats requests until a server has answered. */
export class Client {
  readonly #proxy: { readonly port: number };
  readonly #token: string;

  constructor(proxy: { readonly port: number }, token: string) {
    this.#proxy = proxy;
    this.#token = token;
  }

  /** Sends a request, and repeats it while no server answers. */
  async call(method: string, path: string, body?: unknown): Promise<Json> {
    for (let tries = 0; ; tries++) {
      try {
        const isBytes = body instanceof Uint8Array;
        const url = path.startsWith('http')
          ? `http://127.0.0.1:${this.#proxy.port}${new URL(path).pathname}`
          : `http://127.0.0.1:${this.#proxy.port}${path}`;
        const response = await fetch(url, {
          method,
          headers: {
            ...(!isBytes && {
              authorization: `Bearer ${this.#token}`,
              'content-type': 'application/vnd.api+json',
            }),
          },
          ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
          signal: AbortSignal.timeout(60_000),
        });
        if (response.status < 500 && response.status !== 429) {
          const text = await response.text();
          return text.startsWith('{') ? JSON.parse(text) : {};
        }
      } catch {
        // No server is reachable at the moment.
      }
      if (tries > 300) throw new Error(`${method} ${path} has no answer`);
      await sleep(200);
    }
  }
}

const document = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

/** A workspace of a test, and the file in which its runs leave lines. */
export interface CrashWorkspace {
  readonly id: string;
  readonly log: string;
  readonly tar: Uint8Array;
}

/** A run of a test; its name is in the lines of its objects. */
export interface CrashRun {
  readonly id: string;
  readonly name: string;
  readonly workspace: CrashWorkspace;
}

/** Creates workspaces whose logs are in a directory. */
export async function createWorkspaces(
  client: Client,
  directory: string,
  count: number,
): Promise<readonly CrashWorkspace[]> {
  await mkdir(directory, { recursive: true });
  const workspaces: CrashWorkspace[] = [];
  for (let index = 0; index < count; index++) {
    const created = await client.call(
      'POST',
      '/api/v2/organizations/acme/workspaces',
      document('workspaces', { name: `crash-${index}`, 'auto-apply': true }),
    );
    const log = join(directory, String(index));
    const text = configuration(log);
    const tar = await packTar([
      { header: { name: 'main.tf', size: Buffer.byteLength(text), type: 'file' }, body: text },
    ]);
    workspaces.push({ id: created.data.id, log, tar: gzipSync(tar) });
  }
  return workspaces;
}

/**
 * Starts a run that replaces all objects of its workspace. Its configuration is uploaded last, so that `created` knows
 * the run before any agent does.
 */
export async function startRun(
  client: Client,
  workspace: CrashWorkspace,
  name: string,
  created: (id: string) => void = () => undefined,
): Promise<CrashRun> {
  const { id, tar } = workspace;
  const version = await client.call(
    'POST',
    `/api/v2/workspaces/${id}/configuration-versions`,
    document('configuration-versions', { 'auto-queue-runs': false }),
  );
  const run = await client.call(
    'POST',
    '/api/v2/runs',
    document(
      'runs',
      { 'auto-apply': true, variables: [{ key: 'name', value: JSON.stringify(name) }] },
      {
        workspace: { data: { type: 'workspaces', id } },
        'configuration-version': {
          data: { type: 'configuration-versions', id: version.data.id },
        },
      },
    ),
  );
  created(run.data.id);
  await client.call('PUT', version.data.attributes['upload-url'], tar);
  return { id: run.data.id, name, workspace };
}

/** Waits for the end of a run. Returns its status, and the violations of the invariants. */
export async function inspectRun(
  client: Client,
  { id, name, workspace }: CrashRun,
): Promise<{ readonly status: string | undefined; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  const status = await finalStatus(client, id);
  if (status !== 'applied' && status !== 'errored') {
    problems.push(`${id} is ${status ?? 'not final after five minutes'}`);
  }
  const text = await readFile(workspace.log, 'utf8').catch(() => '');
  const created = text.split('\n').filter((line) => line.startsWith(`${name} `));
  const names = created.map((line) => line.slice(name.length + 1));
  const twice = names.filter((each, at) => names.indexOf(each) !== at);
  if (twice.length > 0) problems.push(`${id} has created ${twice.join(', ')} twice`);
  if (status === 'applied' && names.length !== OBJECTS) {
    problems.push(`${id} is applied, and has created ${names.length} of ${OBJECTS} objects`);
  }
  problems.push(...(await forgotten(client, workspace.id, name, names)));
  return { status, problems };
}

async function finalStatus(client: Client, run: string): Promise<string | undefined> {
  for (let tries = 0; tries < 600; tries++) {
    const { data } = await client.call('GET', `/api/v2/runs/${run}`);
    if (FINAL.has(data.attributes.status)) return data.attributes.status;
    await sleep(500);
  }
  return undefined;
}

/** Returns objects that a run has created and that the state does not have. */
async function forgotten(
  client: Client,
  workspace: string,
  run: string,
  created: readonly string[],
): Promise<string[]> {
  if (created.length === 0) return [];
  const { data } = await client.call(
    'GET',
    `/api/v2/workspaces/${workspace}/current-state-version`,
  );
  if (data === undefined) return [`${run} has created objects, and the workspace has no state`];
  const state = await client.call('GET', `/api/v2/state-versions/${data.id}/download`);
  const known = new Set<string>();
  for (const resource of state.resources ?? []) {
    for (const instance of resource.instances ?? []) {
      if (JSON.stringify(instance.attributes).includes(run)) known.add(resource.name);
    }
  }
  return created
    .filter((name) => !known.has(name))
    .map((name) => `${run} has created ${name}, and the state does not have it`);
}
