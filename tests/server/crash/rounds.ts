// Ends servers, agents and the database of a run server while runs are executed, stalls connections, and compares what the
// runs have done with what the server says.
import { gzipSync } from 'node:zlib';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packTar } from 'modern-tar';
import { freePort } from '../../interop/free-port.ts';
import { createInstallation, type Installation, type Program } from '../run-server.ts';
import { type StallingProxy, startStallingProxy } from './stalling-proxy.ts';

/** Faults that are injected while runs are executed. */
export const FAULTS = ['server', 'agent', 'database', 'stall', 'cut'] as const;
export type Fault = (typeof FAULTS)[number];

export interface CrashOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly faults: readonly Fault[];
  readonly workspaces: number;
  readonly agents: number;
  /** faults in a round */
  readonly faultsPerRound: number;
  report?(line: string): void;
}

/** Counts of runs and faults, and the violations of the invariants; a correct server has no `problems`. */
export interface CrashResult {
  readonly runs: number;
  readonly applied: number;
  readonly errored: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly problems: readonly string[];
}

/** Objects that each run creates, by commands that leave a line each. */
const OBJECTS = 4;
const FINAL = new Set(['applied', 'errored', 'planned_and_finished', 'discarded', 'canceled']);

/** A generator of numbers from 0 to 1 that a seed determines (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

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

class Client {
  readonly #proxy: StallingProxy;
  readonly #token: string;

  constructor(proxy: StallingProxy, token: string) {
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

/** Runs rounds of faults. Each round starts one run in each workspace, and ends when all runs have ended. */
export async function runRounds(options: CrashOptions): Promise<CrashResult> {
  const random = randomNumbers(options.seed);
  await using installation = await createInstallation();
  const ports = [await freePort(), await freePort()];
  await using proxy = await startStallingProxy(ports);
  const url = `-url=http://127.0.0.1:${proxy.port}`;
  const unlimited = '-rate-limit=0';
  const servers = await Promise.all(
    ports.map((port) => installation.startServer(port, url, unlimited)),
  );
  const agents = await Promise.all(
    Array.from({ length: options.agents }, (_each, index) =>
      installation.startAgent(`agent-${index}`, proxy.port),
    ),
  );
  const client = new Client(proxy, installation.token);
  const logs = join(installation.folder, 'logs');
  await mkdir(logs);
  const counts = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>; // Every key is a fault.
  const problems: string[] = [];
  let [applied, errored, total] = [0, 0, 0];

  const workspaces: { readonly id: string; readonly log: string; readonly tar: Uint8Array }[] = [];
  for (let index = 0; index < options.workspaces; index++) {
    const created = await client.call(
      'POST',
      '/api/v2/organizations/acme/workspaces',
      document('workspaces', { name: `crash-${index}`, 'auto-apply': true }),
    );
    const log = join(logs, String(index));
    const text = configuration(log);
    const tar = await packTar([
      { header: { name: 'main.tf', size: Buffer.byteLength(text), type: 'file' }, body: text },
    ]);
    workspaces.push({ id: created.data.id, log, tar: gzipSync(tar) });
  }

  const injectFault = async (fault: Fault): Promise<void> => {
    counts[fault]++;
    const index = Math.floor(random() * 1_000);
    if (fault === 'server') {
      await replace(installation, servers, index % servers.length, (at) =>
        installation.startServer(ports[at] ?? 0, url, unlimited),
      );
    } else if (fault === 'agent') {
      await replace(installation, agents, index % agents.length, (at) =>
        installation.startAgent(`agent-${at}`, proxy.port),
      );
    } else if (fault === 'database') await installation.database.crash();
    else if (fault === 'stall') await proxy.stall(2_000 + random() * 6_000);
    else proxy.cut();
  };

  for (let round = 0; round < options.rounds; round++) {
    const runs: { readonly id: string; readonly name: string; readonly workspace: number }[] = [];
    for (const [index, { id, tar }] of workspaces.entries()) {
      const name = `round-${round}-of-${index}`;
      const version = await client.call(
        'POST',
        `/api/v2/workspaces/${id}/configuration-versions`,
        document('configuration-versions', { 'auto-queue-runs': false }),
      );
      await client.call('PUT', version.data.attributes['upload-url'], tar);
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
      runs.push({ id: run.data.id, name, workspace: index });
    }
    for (let count = 0; count < options.faultsPerRound; count++) {
      await sleep(300 + random() * 4_000);
      const fault = options.faults[Math.floor(random() * options.faults.length)];
      if (fault !== undefined) await injectFault(fault);
    }
    for (const { id, name, workspace } of runs) {
      const status = await finalStatus(client, id);
      total++;
      if (status === 'applied') applied++;
      else if (status === 'errored') errored++;
      else problems.push(`${id} is ${status ?? 'not final after five minutes'}`);
      const text = await readFile(workspaces[workspace]?.log ?? '', 'utf8').catch(() => '');
      const created = text.split('\n').filter((line) => line.startsWith(`${name} `));
      const names = created.map((line) => line.slice(name.length + 1));
      const twice = names.filter((name, at) => names.indexOf(name) !== at);
      if (twice.length > 0) problems.push(`${id} has created ${twice.join(', ')} twice`);
      if (status === 'applied' && names.length !== OBJECTS) {
        problems.push(`${id} is applied, and has created ${names.length} of ${OBJECTS} objects`);
      }
      problems.push(...(await forgotten(client, workspaces[workspace]?.id ?? '', name, names)));
    }
    options.report?.(`round ${round + 1}: ${applied} applied, ${errored} errored of ${total}`);
  }
  return { runs: total, applied, errored, faults: counts, problems };
}

async function replace(
  installation: Installation,
  programs: Program[],
  at: number,
  start: (at: number) => Promise<Program>,
): Promise<void> {
  const program = programs[at];
  if (program === undefined) return;
  await installation.end(program, 'SIGKILL');
  programs[at] = await start(at);
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
