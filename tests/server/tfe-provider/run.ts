// The `tfe` provider manages the resources of an organization of a run server, with an unchanged terraform:
//   npm run test:tfe-provider -- --provider=PATH [--program=terraform] [GROUP…]
// PATH is the program of the provider, built from its sources (hashicorp/terraform-provider-tfe, 0.77.0). A group is a
// folder beside this file, which is applied, changed, imported and destroyed. Each step is followed by a plan that has
// to be empty.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../interop/free-port.ts';
import { startTlsServer } from '../tls-server.ts';
import { importIds, isUpdatedByImport } from './import-ids.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    provider: { type: 'string' },
    program: { type: 'string', default: 'terraform' },
  },
});
if (values.provider === undefined) throw new Error('--provider=PATH is missing');
const known = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const groups = positionals.length > 0 ? positionals : known;

// Notifications are verified by a request when they are created.
const port = await freePort();
const receiver = createServer((_request, response) => response.end('{}')).listen(port, '127.0.0.1');
await once(receiver, 'listening');
await using server = await startTlsServer(1, '-allow-destination=127.0.0.1');
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
  TF_VAR_receiver: `http://127.0.0.1:${port}`,
  TF_IN_AUTOMATION: '1',
  CHECKPOINT_DISABLE: '1',
};
const COMMON =
  'terraform {\n  required_providers {\n    tfe = { source = "hashicorp/tfe" }\n  }\n}\nvariable "round" {}\nvariable "receiver" {}\n';

interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the program in the directory of a group, with the value of the variable `round`. */
function run(cwd: string, round: string, ...args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    const env = { ...environment, TF_VAR_round: round };
    const child = execFile(
      values.program,
      args,
      { cwd, env, maxBuffer: 64 << 20 },
      (error, stdout, stderr) =>
        done({ exit: child.exitCode ?? (error === null ? 0 : 1), stdout, stderr }),
    );
  });
}

/** Manages the resources of a group. Returns how many were imported. Throws an error with the output of a failure. */
async function manage(directory: string): Promise<number> {
  const expectExit = async (
    expected: number,
    title: string,
    round: string,
    ...args: readonly string[]
  ): Promise<string> => {
    const { exit, stdout, stderr } = await run(directory, round, ...args);
    if (exit !== expected) throw new Error(`${title} ended with ${exit}\n${stdout}${stderr}`);
    return stdout;
  };
  const apply = (title: string, round: string) =>
    expectExit(0, title, round, 'apply', '-auto-approve', '-no-color');
  const planNothing = (title: string, round: string) =>
    expectExit(0, `plan after ${title}`, round, 'plan', '-detailed-exitcode', '-no-color');
  try {
    await apply('the creation', 'one');
    await planNothing('the creation', 'one');
    await apply('the change', 'two');
    await planNothing('the change', 'two');
    const state: unknown = JSON.parse(await expectExit(0, 'show', 'two', 'show', '-json'));
    const ids = importIds(state);
    if (ids.size === 0) return 0;
    await expectExit(0, 'state rm', 'two', 'state', 'rm', ...ids.keys());
    const blocks = [...ids].map(
      ([address, id]) => `import {\n  to = ${address}\n  id = ${JSON.stringify(id)}\n}\n`,
    );
    await writeFile(join(directory, 'import.tf'), blocks.join(''));
    const imported = await apply('the import', 'two');
    const updated = [...ids.keys()].filter(isUpdatedByImport).length;
    const summary = `${ids.size} imported, 0 added, ${updated} changed, 0 destroyed.`;
    if (!imported.includes(summary)) {
      throw new Error(`the import was expected to end with: ${summary}\n${imported}`);
    }
    await rm(join(directory, 'import.tf'));
    await planNothing('the import', 'two');
    return ids.size;
  } finally {
    await expectExit(0, 'the destruction', 'two', 'destroy', '-auto-approve', '-no-color');
  }
}

let failed = 0;
for (const group of groups) {
  const directory = join(folder, group);
  await mkdir(directory);
  await copyFile(join(import.meta.dirname, group, 'main.tf'), join(directory, 'main.tf'));
  await writeFile(join(directory, 'common.tf'), COMMON);
  try {
    const count = await manage(directory);
    console.log(`${group}: created, changed, imported (${count}) and destroyed`);
  } catch (error) {
    failed++;
    console.log(`${group}: FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
}
console.log(`${groups.length - failed} of ${groups.length} groups passed`);
receiver.close();
process.exitCode = failed === 0 ? 0 : 1;
