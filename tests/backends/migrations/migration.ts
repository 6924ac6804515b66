// States that `init` moves from one backend to another: each move was made with the real terraform (`record.ts`) and is
// made with the program by `migrations.test.ts`.
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CloudServer, startCloudServer } from '../cloud-server.ts';
import { HOST, type Run, type Told } from '../remote-runs/scenario.ts';
import { isServed, type Served, type ServedPlace } from './served.ts';

export interface Migration {
  readonly name: string;
  /** names of workspaces that have a state before; the last one is selected */
  readonly workspaces: readonly string[];
  readonly from: Place;
  readonly to: Place;
  /** what is at the server, or of which workspaces there are states where they are moved to */
  readonly there?: readonly string[];
  readonly args?: readonly string[];
  readonly input: string;
  /**
   * The intended difference. `text`: during the prompt, terraform writes both states to the shared temporary directory,
   * and Terrane names their locations. `fails`: terraform 1.11 requests a workspace without a name, and fails.
   */
  readonly differs?: 'text' | 'fails';
}

/** A backend of a configuration. */
export type Place =
  | 'none'
  | 'local'
  | 'cloud-name'
  | 'cloud-tags'
  | 'remote-name'
  | 'remote-prefix'
  | ServedPlace;

/** The result of a migration. */
export interface Moved {
  readonly told: Told;
  /** the outputs of states, by where they are */
  readonly states: Readonly<Record<string, string>>;
  readonly selected: string;
}

const BLOCKS: Readonly<Record<Exclude<Place, ServedPlace>, string>> = {
  none: '',
  local: 'backend "local" {\n    path = "kept/app.tfstate"\n    workspace_dir = "kept/others"\n  }',
  'cloud-name': cloud('name = "app"'),
  'cloud-tags': cloud('tags = ["part"]'),
  'remote-name': remote('name = "app"'),
  'remote-prefix': remote('prefix = "p-"'),
};

function cloud(workspaces: string): string {
  return `cloud {\n    hostname     = "${HOST}"\n    organization = "acme"\n    workspaces {\n      ${workspaces}\n    }\n  }`;
}

function remote(workspaces: string): string {
  return `backend "remote" {\n    hostname     = "${HOST}"\n    organization = "acme"\n    workspaces {\n      ${workspaces}\n    }\n  }`;
}

/** Creates the states and migrates them. `served` has the servers of the locations that need one. */
export async function move(migration: Migration, run: Run, served?: Served): Promise<Moved> {
  const server = await startCloudServer();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'terrane-move-')));
  try {
    return await moveIn(migration, run, server, folder, served);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function moveIn(
  { workspaces, from, to, there = [], args = [], input }: Migration,
  run: Run,
  server: CloudServer,
  folder: string,
  served: Served | undefined,
): Promise<Moved> {
  const cwd = join(folder, 'project');
  const config = join(folder, 'cli.tfrc');
  await mkdir(cwd, { recursive: true });
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  };
  await writeFile(
    config,
    `host "${HOST}" {\n  services = {\n    "tfe.v2" = "${server.url}/api/v2/"\n    "tfe.v2.1" = "${server.url}/api/v2/"\n    "state.v2" = "${server.url}/api/v2/"\n  }\n}\n\ncredentials "${HOST}" {\n  token = "token-ann"\n}\n`,
  );
  const env = { HOME: folder, TF_CLI_CONFIG_FILE: config, CHECKPOINT_DISABLE: '1' };
  const does = async (line: readonly string[], typed = '', where = cwd): Promise<Told> =>
    await run(line, { cwd: where, env, input: typed, interrupt: new Promise(() => undefined) });
  const blockOf = (place: Place): string => {
    if (!isServed(place)) return BLOCKS[place];
    if (served === undefined) throw new Error(`no servers for ${place}`);
    return served.block(place);
  };
  /** Puts states into a backend, from another project. */
  const seed = async (place: Place, states: ReadonlyMap<string, string>): Promise<void> => {
    const other = join(folder, `for-${place}`);
    for (const [name, text] of states) {
      const path =
        name === 'default' ? 'terraform.tfstate' : `terraform.tfstate.d/${name}/terraform.tfstate`;
      await mkdir(dirname(join(other, path)), { recursive: true });
      await writeFile(join(other, path), text);
    }
    await writeFile(join(other, 'main.tf'), `terraform {\n  ${blockOf(place)}\n}\n`);
    const stored = await does(['init', '-no-color', '-force-copy'], '', other);
    if (stored.exit !== 0) throw new Error(`init: ${stored.stdout}${stored.stderr}`);
  };
  const state = (name: string): string =>
    `${JSON.stringify(
      {
        version: 4,
        terraform_version: '1.11.4',
        serial: 3,
        lineage: `lineage-${name}`,
        outputs: { which: { value: name, type: 'string' } },
        resources: [],
        check_results: null,
      },
      undefined,
      2,
    )}\n`;
  if (isServed(to)) {
    if (there.length > 0) {
      await seed(to, new Map(there.map((name) => [name, state(`there ${name}`)])));
    }
  } else {
    for (const name of there) await storeAtServer(server, name, state(`there ${name}`));
  }
  await write('main.tf', `terraform {\n  ${blockOf(from)}\n}\n`);
  if (isServed(from)) await seed(from, new Map(workspaces.map((name) => [name, state(name)])));
  // States are where the backend keeps them: in files, or at the server.
  for (const name of workspaces) {
    if (from === 'none' || from === 'local') {
      const base = from === 'none' ? 'terraform.tfstate' : 'kept/app.tfstate';
      const others = from === 'none' ? 'terraform.tfstate.d' : 'kept/others';
      await write(name === 'default' ? base : `${others}/${name}/terraform.tfstate`, state(name));
    } else if (!isServed(from)) {
      const remoteName =
        from === 'remote-prefix' ? `p-${name}` : from === 'cloud-tags' ? name : 'app';
      await storeAtServer(server, remoteName, state(name), from === 'cloud-tags');
    }
  }
  const selected = workspaces.at(-1) ?? 'default';
  await write('.terraform/environment', selected);
  const first = await does(['init', '-no-color', '-input=false']);
  if (first.exit !== 0) throw new Error(`init: ${first.stdout}${first.stderr}`);
  await write('main.tf', `terraform {\n  ${blockOf(to)}\n}\n`);
  const result = await does(['init', '-no-color', ...args], input);
  const states: Record<string, string> = {};
  for (const name of await filesOf(cwd)) {
    if (!name.endsWith('.tfstate') || name.startsWith('.terraform/')) continue;
    const text = await readFile(join(cwd, name), 'utf8');
    if (text !== '') states[name] = whichOf(text);
  }
  for (const [name, workspace] of server.organization.workspaces) {
    const last = workspace.states.findLast(({ bytes }) => bytes !== undefined);
    states[`server: ${name} [${[...workspace.tags.keys()].join(' ')}]`] =
      last?.bytes === undefined ? '' : whichOf(last.bytes.toString());
  }
  for (const [name, text] of (await served?.states()) ?? []) states[name] = whichOf(text);
  const environment = await readFile(join(cwd, '.terraform/environment'), 'utf8').catch(() => '');
  const clean = (text: string): string => {
    const neutral = text.replaceAll(folder, '/folder');
    return served === undefined ? neutral : served.clean(neutral);
  };
  return {
    told: { exit: result.exit, stdout: clean(result.stdout), stderr: clean(result.stderr) },
    states,
    selected: environment,
  };
}

async function storeAtServer(
  server: CloudServer,
  name: string,
  text: string,
  isTagged = false,
): Promise<void> {
  server.organization.workspaces.set(name, {
    id: `ws-${name}`,
    name,
    executionMode: 'local',
    terraformVersion: '1.11.4',
    tags: new Map(isTagged ? [['part', '']] : []),
    states: [
      {
        id: `sv-${name}`,
        serial: 3,
        lineage: (JSON.parse(text) as { lineage: string }).lineage,
        md5: '',
        outputs: {},
        force: false,
        bytes: Buffer.from(text),
      },
    ],
  });
  await Promise.resolve();
}

function whichOf(text: string): string {
  const { outputs } = JSON.parse(text) as { outputs: { which?: { value: string } } };
  return outputs.which?.value ?? '';
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .sort();
}
