// Scenarios of remote runs, with their requests and responses. `record.ts` executed each with the real terraform;
// `remote-runs.test.ts` executes it with Terrane.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CloudServer, startCloudServer, type Workspace } from '../cloud-server.ts';
import type { RunScript } from '../cloud-run-server.ts';

export interface Scenario {
  readonly name: string;
  readonly backend: 'cloud' | 'remote';
  /** beside the backend's block; a variable, a resource and outputs by default */
  readonly configuration?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly workspace?: Partial<
    Pick<
      Workspace,
      | 'autoApply'
      | 'workingDirectory'
      | 'isStructured'
      | 'hasRepository'
      | 'forbidden'
      | 'currentRun'
      | 'lock'
    >
  >;
  readonly script: RunScript;
  readonly steps: readonly Step[];
  /** recorded with a later version, which asks the server for more: only what is shown is compared */
  readonly isOfLaterVersion?: boolean;
  /** terraform sends the configuration before it finds out that it cannot go on */
  readonly failsEarlier?: boolean;
  /** terraform takes a run that it was interrupted in for a success */
  readonly failsInterrupted?: boolean;
}

export interface Step {
  readonly args: readonly string[];
  /** what is typed; `held`: nothing, and the input stays open */
  readonly input?: string | 'held';
  /** the user interrupts when the server has had a request so many times */
  readonly interruptAt?: { readonly request: RegExp; readonly times: number };
  readonly env?: Readonly<Record<string, string>>;
  /** what the runs that it makes come to, where that is another thing */
  readonly script?: RunScript;
  /** the workspace changes before */
  readonly workspace?: Scenario['workspace'];
}

/** The result of a step. */
export interface Told {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a scenario. */
export interface Played {
  readonly steps: readonly Told[];
  /** what was asked of the server, without what leads there */
  readonly requests: readonly string[];
}

/** Runs a program; `interrupt` resolves when it is to be interrupted. */
export type Run = (
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly input: string;
    readonly interrupt: Promise<void>;
  },
) => Promise<Told>;

export const HOST = 'tfe.example.com';
const USUAL = `variable "name" {
  default = "first"
}

variable "list" {
  type    = list(string)
  default = []
}

resource "terraform_data" "x" {
  input = var.name
}

output "value" {
  value = terraform_data.x.output
}
`;

/** Plays a scenario with a program on a server of its own. */
export async function play(scenario: Scenario, run: Run): Promise<Played> {
  const server = await startCloudServer();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'terrane-runs-')));
  try {
    return await playIn(scenario, run, server, folder);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function playIn(
  scenario: Scenario,
  run: Run,
  server: CloudServer,
  folder: string,
): Promise<Played> {
  const cwd = join(folder, 'project', scenario.workspace?.workingDirectory ?? '');
  await mkdir(cwd, { recursive: true });
  const block = `terraform {
  ${scenario.backend === 'cloud' ? 'cloud' : 'backend "remote"'} {
    hostname     = "${HOST}"
    organization = "acme"
    workspaces {
      name = "app"
    }
  }
}

`;
  const files = { 'main.tf': block + (scenario.configuration ?? USUAL), ...scenario.files };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  const config = join(folder, 'cli.tfrc');
  await writeFile(config, cliConfiguration(server));
  const env = { HOME: folder, TF_CLI_CONFIG_FILE: config, CHECKPOINT_DISABLE: '1' };
  const workspace: Workspace = {
    id: 'ws-app',
    name: 'app',
    executionMode: 'remote',
    terraformVersion: '1.11.4',
    tags: new Map(),
    states: [],
    ...scenario.workspace,
    script: scenario.script,
  };
  server.organization.workspaces.set('app', workspace);
  const never = new Promise<void>(() => undefined);
  const init = await run(['init', '-input=false', '-no-color'], {
    cwd,
    env,
    input: '',
    interrupt: never,
  });
  if (init.exit !== 0) throw new Error(`init: ${init.stderr}`);
  const requests: string[] = [];
  const steps: Told[] = [];
  const clean = (text: string): string =>
    text.replaceAll(folder, '/folder').replaceAll(server.url, 'http://server');
  for (const step of scenario.steps) {
    workspace.script = step.script ?? scenario.script;
    Object.assign(workspace, step.workspace);
    let heard: () => void = () => undefined;
    const interrupt = new Promise<void>((resolve) => (heard = resolve));
    let times = 0;
    server.onRequest = (request, body) => {
      if (step.interruptAt?.request.test(request) === true && ++times === step.interruptAt.times) {
        heard();
      }
      note(requests, request, body);
    };
    const result = await run(step.args, {
      cwd,
      env: { ...env, ...step.env },
      input: step.input ?? '',
      interrupt,
    });
    server.onRequest = undefined;
    steps.push({ ...result, stdout: clean(result.stdout), stderr: clean(result.stderr) });
  }
  for (const [index, upload] of server.runs.uploads.entries()) {
    requests.push(`upload ${index + 1}: ${upload.join(' ')}`);
  }
  return { steps, requests };
}

/** Records a request once: the number of requests depends on timing, and service discovery may be cached. */
function note(requests: string[], request: string, body: Buffer): void {
  const [method = '', path = ''] = request.split(' ');
  const name = path.replace(/^\/api\/v2\//, '').replace(/^(logs\/[^?]*)\?.*$/, '$1');
  if (/^(ping|organizations\/acme\/(entitlement-set|workspaces\/))/.test(name)) return;
  // Terraform asks for these since 1.16.
  if (name.endsWith('?include=tf_policy_evaluations')) return;
  const sent = body[0] === 0x7b ? ` ${sorted(body)}` : '';
  const line = `${method} ${name}${sent}`;
  if (!requests.slice(-4).includes(line) || method !== 'GET') requests.push(line);
}

function sorted(body: Buffer): string {
  // Terraform sends variables in any order.
  return JSON.stringify(JSON.parse(body.toString()), (key, value: unknown) =>
    Array.isArray(value)
      ? key === 'variables'
        ? [...(value as unknown[])].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
        : value
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  );
}

function cliConfiguration(server: CloudServer): string {
  return `host "${HOST}" {
  services = {
    "tfe.v2"   = "${server.url}/api/v2/"
    "tfe.v2.1" = "${server.url}/api/v2/"
    "state.v2" = "${server.url}/api/v2/"
  }
}

credentials "${HOST}" {
  token = "token-ann"
}
`;
}
