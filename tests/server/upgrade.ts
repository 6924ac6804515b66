// A rolling upgrade: servers and agents of an earlier commit beside those of this one, on one database:
//   npm run test:server-upgrade -- [--previous=HEAD~1]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/root.ts';
import { freePort } from '../interop/free-port.ts';
import { Client, createWorkspaces, inspectRun, startRun } from './crash/workload.ts';
import { createInstallation } from './run-server.ts';

const { values } = parseArgs({ options: { previous: { type: 'string', default: 'HEAD~1' } } });
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Builds the program of a commit in a directory; returns its path. */
function buildOf(commit: string, directory: string): string {
  git('worktree', 'add', '--detach', directory, commit);
  // Links to the packages are relative, so that those of the copy lead to the other commit.
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(directory, 'node_modules')]);
  execFileSync('npm', ['run', '--silent', 'build:cli'], { cwd: directory, stdio: 'inherit' });
  return join(directory, 'bin/terrane');
}

const directory = join(mkdtempSync(join(tmpdir(), 'upgrade-')), 'previous');
try {
  const commit = git('rev-parse', '--short', values.previous);
  const previous = buildOf(commit, directory);
  console.log(
    `Upgrade from ${commit} to ${git('rev-parse', '--short', 'HEAD')} with its work tree`,
  );
  await using installation = await createInstallation(previous);
  const current = installation.withBuild(join(root, 'bin/terrane'));
  const ports = [await freePort(), await freePort()] as const;
  const url = `-url=http://127.0.0.1:${ports[0]}`;
  const problems: string[] = [];
  const [atOld, atNew] = ports.map((port) => new Client({ port }, installation.token));
  if (atOld === undefined || atNew === undefined) throw new Error('no clients');
  const step = async (title: string, clients: readonly Client[]): Promise<void> => {
    for (const client of clients) {
      for (const [index, workspace] of workspaces.entries()) {
        const run = await startRun(
          client,
          workspace,
          `${title}-${clients.indexOf(client)}-${index}`,
        );
        const { status, problems: runProblems } = await inspectRun(client, run);
        if (status !== 'applied') problems.push(`${title}: a run is ${status}`);
        problems.push(...runProblems.map((problem) => `${title}: ${problem}`));
      }
    }
    console.log(`${title}: ${problems.length} problems`);
  };

  const oldServer = await installation.startServer(ports[0], url);
  const oldAgent = await installation.startAgent('old', ports[0]);
  const workspaces = await createWorkspaces(atOld, join(installation.folder, 'logs'), 2);
  await step('before', [atOld]);
  // The run begins with the old server and agent, and the new server migrates the database meanwhile.
  const [first] = workspaces;
  if (first === undefined) throw new Error('no workspaces');
  const running = await startRun(atOld, first, 'meanwhile');
  await current.startServer(ports[1], url);
  problems.push(...(await inspectRun(atOld, running)).problems);
  await step('old agent, servers of both', [atOld, atNew]);
  const newAgent = await current.startAgent('new', ports[0]);
  await installation.end(oldAgent, 'SIGTERM');
  await step('new agent at the old server, servers of both', [atOld, atNew]);
  await installation.end(newAgent, 'SIGTERM');
  await installation.startAgent('old-again', ports[1]);
  await installation.end(oldServer, 'SIGTERM');
  await step('old agent at the new server', [atNew]);
  // A roll-back: the old server starts on the database of the new one.
  await installation.startServer(ports[0], url);
  await step('after a roll-back', [atOld]);
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? 'No problems' : `${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  git('worktree', 'remove', '--force', directory);
  rmSync(join(directory, '..'), { recursive: true, force: true });
}
