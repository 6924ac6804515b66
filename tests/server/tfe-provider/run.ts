// The `tfe` provider manages an organization of a run server, with the real terraform:
//   npm run test:tfe-provider -- --provider=PATH
// PATH is the program of the provider, built from its sources (hashicorp/terraform-provider-tfe, 0.77.0).
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startTlsServer } from './tls-server.ts';

const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    program: { type: 'string', default: 'terraform' },
  },
});
if (values.provider === undefined) throw new Error('--provider=PATH is missing');

/** Resources of an organization, by groups that are applied one after the other. */
const GROUPS: Readonly<Record<string, (size: string) => string>> = {
  organization: (size) =>
    `resource "tfe_organization" "managed" {\n  name  = "managed"\n  email = "ops-${size}@example.com"\n}\n`,
  projects: (size) =>
    `resource "tfe_project" "p" {\n  organization = "acme"\n  name         = "platform"\n  description  = "${size}"\n}\n`,
  workspaces: (size) =>
    `resource "tfe_workspace" "w" {\n  organization      = "acme"\n  name              = "managed"\n  description       = "${size}"\n  working_directory = "net"\n  trigger_prefixes  = ["/lib"]\n  queue_all_runs    = false\n  tag_names         = ["a", "b"]\n}\nresource "tfe_workspace_settings" "s" {\n  workspace_id   = tfe_workspace.w.id\n  execution_mode = "remote"\n}\ndata "tfe_workspace" "w" {\n  organization = "acme"\n  name         = tfe_workspace.w.name\n}\n`,
  variables: (size) =>
    `resource "tfe_workspace" "v" {\n  organization = "acme"\n  name         = "with-variables"\n}\nresource "tfe_variable" "plain" {\n  workspace_id = tfe_workspace.v.id\n  key          = "size"\n  value        = "${size}"\n  category     = "terraform"\n}\nresource "tfe_variable" "secret" {\n  workspace_id = tfe_workspace.v.id\n  key          = "KEY"\n  value        = "secret-${size}"\n  category     = "env"\n  sensitive    = true\n}\nresource "tfe_variable_set" "set" {\n  organization = "acme"\n  name         = "shared"\n  description  = "${size}"\n}\nresource "tfe_variable" "in_set" {\n  variable_set_id = tfe_variable_set.set.id\n  key             = "REGION"\n  value           = "${size}"\n  category        = "env"\n}\nresource "tfe_workspace_variable_set" "link" {\n  variable_set_id = tfe_variable_set.set.id\n  workspace_id    = tfe_workspace.v.id\n}\n`,
  teams: (size) =>
    `resource "tfe_team" "t" {\n  organization = "acme"\n  name         = "operators"\n  visibility   = "${size === 'one' ? 'secret' : 'organization'}"\n  organization_access {\n    manage_workspaces = ${size !== 'one'}\n  }\n}\nresource "tfe_workspace" "t" {\n  organization = "acme"\n  name         = "with-team"\n}\nresource "tfe_team_access" "a" {\n  team_id      = tfe_team.t.id\n  workspace_id = tfe_workspace.t.id\n  access       = "${size === 'one' ? 'read' : 'write'}"\n}\nresource "tfe_team_token" "token" {\n  team_id = tfe_team.t.id\n}\n`,
  agents: (size) =>
    `resource "tfe_agent_pool" "pool" {\n  organization = "acme"\n  name         = "pool-${size}"\n}\nresource "tfe_agent_token" "token" {\n  agent_pool_id = tfe_agent_pool.pool.id\n  description   = "${size}"\n}\n`,
  policies: (size) =>
    `resource "tfe_run_trigger" "r" {\n  workspace_id  = tfe_workspace.x.id\n  sourceable_id = tfe_workspace.y.id\n}\nresource "tfe_workspace" "x" {\n  organization = "acme"\n  name         = "x"\n}\nresource "tfe_workspace" "y" {\n  organization = "acme"\n  name         = "y"\n  description  = "${size}"\n}\nresource "tfe_ssh_key" "k" {\n  organization = "acme"\n  name         = "key-${size}"\n  key          = "private"\n}\n`,
};

await using server = await startTlsServer();
const folder = join(server.environment['HOME'] ?? '', 'tfe');
await mkdir(folder, { recursive: true });
const config = join(folder, 'terraform.rc');
await writeFile(
  config,
  `provider_installation {\n  dev_overrides {\n    "hashicorp/tfe" = ${JSON.stringify(dirname(resolve(values.provider)))}\n  }\n  direct {}\n}\n`,
);
const environment = {
  ...server.environment,
  TF_CLI_CONFIG_FILE: config,
  TFE_HOSTNAME: server.hostname,
  TFE_TOKEN: server.token,
  CHECKPOINT_DISABLE: '1',
};

interface Ran {
  readonly exit: number;
  readonly output: string;
}

function run(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(
      values.program,
      args,
      { cwd, env: environment, maxBuffer: 64 << 20 },
      (error, stdout, stderr) =>
        done({
          exit: child.exitCode ?? (error === null ? 0 : 1),
          output: `${stdout}${stderr}`,
        }),
    );
  });
}

const failures: string[] = [];
for (const [group, text] of Object.entries(GROUPS)) {
  const directory = join(folder, group);
  await mkdir(directory);
  const problems: string[] = [];
  const expectExit = async (
    expected: number,
    title: string,
    ...args: readonly string[]
  ): Promise<void> => {
    if (problems.length > 0 && title !== 'destroy') return;
    const { exit, output } = await run(directory, ...args);
    if (exit !== expected) problems.push(`${title} ended with ${exit}\n${output}`);
  };
  for (const size of ['one', 'two']) {
    await writeFile(
      join(directory, 'main.tf'),
      `terraform {\n  required_providers {\n    tfe = { source = "hashicorp/tfe" }\n  }\n}\n${text(size)}`,
    );
    await expectExit(0, `apply ${size}`, 'apply', '-auto-approve', '-no-color');
    await expectExit(0, `plan after ${size}`, 'plan', '-detailed-exitcode', '-no-color');
  }
  await expectExit(0, 'destroy', 'destroy', '-auto-approve', '-no-color');
  console.log(`${group}: ${problems.length === 0 ? 'passed' : 'FAILED'}`);
  failures.push(...problems.map((problem) => `${group}: ${problem}`));
}
for (const failure of failures) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
