import { errorText } from '@terrane/host';
import { confirmRun } from './run-flow.ts';
import { CONFIRMABLE_STATUSES } from './run-status.ts';
import { advance } from './runs.ts';
import type { Services } from './services.ts';

/** The time after which a run that could go on was left behind by a server that has ended. */
const STALLED_MS = 30_000;
const AT_ONCE = 100;

/**
 * Continues runs that a server has left behind because it ended between two transactions: it had planned a run without
 * approving it automatically, or freed a workspace without starting the next run.
 */
export async function resumeStalledRuns(services: Services): Promise<void> {
  const { db, clock } = services;
  const before = new Date(clock.now().getTime() - STALLED_MS);
  const unconfirmed = await db
    .selectFrom('workspaces')
    .innerJoin('runs', 'runs.id', 'workspaces.current_run_id')
    .selectAll('runs')
    .where('runs.status', 'in', CONFIRMABLE_STATUSES)
    .where('runs.auto_apply', '=', true)
    .where('runs.updated_at', '<', before)
    .limit(AT_ONCE)
    .execute();
  for (const run of unconfirmed) {
    await attempt(services, run.id, async () => void (await confirmRun(services, run, null)));
  }
  const waiting = await db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id')
    .innerJoin(
      'configuration_versions',
      'configuration_versions.id',
      'runs.configuration_version_id',
    )
    .select('runs.workspace_id')
    .distinct()
    .where('runs.status', 'in', ['pending', 'confirmed'])
    .where('configuration_versions.status', '=', 'uploaded')
    .where('runs.updated_at', '<', before)
    .where(({ and, or, eb }) =>
      or([
        and([eb('workspaces.current_run_id', 'is', null), eb('workspaces.locked_by', 'is', null)]),
        // They change nothing and need not wait for other runs.
        and([
          eb('runs.status', '=', 'pending'),
          or([eb('runs.plan_only', '=', true), eb('runs.save_plan', '=', true)]),
        ]),
      ]),
    )
    .limit(AT_ONCE)
    .execute();
  for (const { workspace_id: id } of waiting) {
    await attempt(services, id, async () => await advance(services, id));
  }
}

async function attempt(services: Services, id: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    // any-error: another run must not wait for the reason of this one. It is attempted again.
    services.report?.(`stalled run, ${id}: ${errorText(error)}`);
  }
}

/** Continues stalled runs now and then, until the signal. */
export async function watchStalledRuns(services: Services, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await services.clock.sleep(STALLED_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    // The database may be away for a while.
    await attempt(services, 'list', async () => await resumeStalledRuns(services));
  }
}
