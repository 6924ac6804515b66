import type { RemoteRun, RunWorkspace } from '@terrane/backends';
import { backoff, elapsedText, type RemoteContext } from './remote-context.ts';

const POLL_MS = { least: 1000, most: 3000 };
const NOTICE_MS = 30_000;
const ENDED: ReadonlySet<string> = new Set(['applied', 'canceled', 'discarded', 'errored']);

/** Waits for the start of a run, and reports the reason for the wait. */
export async function waitForRun(
  context: RemoteContext,
  subject: 'plan' | 'apply',
  run: RemoteRun,
): Promise<RemoteRun> {
  const { clock } = context.project.host;
  const started = clock.monotonicMs();
  let lastReport = started;
  for (let turn = 0; ; turn++) {
    await context.pause(backoff(POLL_MS.least, POLL_MS.most, turn));
    const now = await context.current(run);
    if (now.status !== 'pending' && now.status !== 'confirmed') {
      if (turn === 0 && subject === 'plan')
        context.line(`Waiting for the ${subject} to start...\n`);
      if (turn > 0) context.line();
      return now;
    }
    const at = clock.monotonicMs();
    if (turn > 0 && at - lastReport <= NOTICE_MS) continue;
    lastReport = at;
    const elapsed = turn === 0 ? '' : ` (${elapsedText(at - started, 30)} elapsed)`;
    context.line(`${await whatFor(context, subject, now)}${elapsed}`);
  }
}

async function whatFor(
  context: RemoteContext,
  subject: 'plan' | 'apply',
  run: RemoteRun,
): Promise<string> {
  const { server } = context;
  const workspace = await context.ask(
    'Failed to retrieve workspace',
    server.workspace(context.workspace.name),
  );
  if (workspace.isLocked && workspace.currentRun !== undefined) {
    const current = await context.ask(
      'Failed to retrieve current run',
      server.run(workspace.currentRun),
    );
    if (current.status === 'pending') {
      return 'Waiting for the manually locked workspace to be unlocked...';
    }
  }
  if (workspace.currentRun !== run.id) {
    const before = await context.ask(
      'Failed to retrieve run list',
      runsBefore(context, workspace, run),
    );
    if (before > 0) return `Waiting for ${before} run(s) to finish before being queued...`;
  }
  const place = await context.ask('Failed to retrieve queue', server.placeInQueue(run.id));
  if (place > 0) {
    const running = await context.ask('Failed to retrieve capacity', server.runningNow());
    return `Waiting for ${place - running} queued run(s) to finish before starting...`;
  }
  return `Waiting for the ${subject} to start...`;
}

/** Returns the number of runs of the workspace before a run. */
async function runsBefore(
  { server, request }: RemoteContext,
  workspace: RunWorkspace,
  run: RemoteRun,
): Promise<number> {
  let isFound = false;
  let count = 0;
  for await (const { id, status } of server.runsOf(workspace.id)) {
    if (!isFound) {
      isFound = id === run.id;
      continue;
    }
    if (ENDED.has(status) || (status === 'planned' && request.operation === 'plan')) continue;
    count++;
    if (workspace.currentRun === id) break;
  }
  return count;
}
