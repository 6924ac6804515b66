import type { Selectable } from 'kysely';
import { errorText } from '@terrane/host';
import type { Database } from '../database/database.ts';
import type { RunTable } from '../database/schema.ts';
import type { RunTrigger, Services } from './services.ts';
import { dequeue, enqueue, type TaskKind } from './tasks.ts';

type Run = Selectable<RunTable>;

const KIND = 'run-change';
/** The delay after which another server redelivers a change, because the server that recorded it has crashed. */
const REDELIVERY_DELAY_MS = 30_000;

const keyOf = (run: Run, trigger: RunTrigger): string => `${run.id} ${trigger} ${run.status}`;

/**
 * Enqueues the notification of a run's change in the transaction of the change, so that it is delivered even if this
 * process crashes. The caller calls `runChanged` after the transaction.
 */
export async function recordChange(
  services: Services,
  db: Pick<Database, 'insertInto'>,
  run: Run,
  trigger: RunTrigger,
): Promise<void> {
  await enqueue(services, db, {
    kind: KIND,
    key: keyOf(run, trigger),
    payload: { run: run.id, trigger, status: run.status },
    dueAt: new Date(services.clock.now().getTime() + REDELIVERY_DELAY_MS),
  });
}

/** Notifies the listeners of a recorded change, and resumes requests that wait for the run. */
export async function runChanged(services: Services, run: Run, trigger: RunTrigger): Promise<void> {
  services.wakeups.announce(`run ${run.id}`);
  const { id, workspace_id: workspace, status } = run;
  services.log?.write('info', 'server', 'run changed', { run: id, workspace, status });
  try {
    for (const listener of services.runListeners) await listener(services, run, trigger);
    await dequeue(services.db, KIND, keyOf(run, trigger));
  } catch (error) {
    // any-error: a failed listener must not fail the run. The notification stays enqueued and is delivered again.
    services.report?.(`${trigger} of ${run.id}: ${errorText(error)}`);
  }
}

/** Delivers notifications that remain enqueued after a crash or a failed listener. */
export const RUN_CHANGE_TASKS: Readonly<Record<string, TaskKind>> = {
  [KIND]: {
    async run(services, { run: id, trigger, status }) {
      const run = await services.db
        .selectFrom('runs')
        .selectAll()
        .where('id', '=', String(id))
        .executeTakeFirst();
      if (run === undefined) return;
      // The payload was written by recordChange.
      const changed = { ...run, status: status as Run['status'] };
      for (const listener of services.runListeners) {
        await listener(services, changed, trigger as RunTrigger);
      }
    },
  },
};
