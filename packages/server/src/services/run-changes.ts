import type { Selectable } from 'kysely';
import { errorText } from '@terrane/host';
import type { Database } from '../database/database.ts';
import type { RunTable } from '../database/schema.ts';
import type { RunTrigger, Services } from './services.ts';
import { dequeue, enqueue, type TaskKind } from './tasks.ts';

type Run = Selectable<RunTable>;

const KIND = 'run-change';
/** After this time another server reports a change, because the one that made it was lost. */
const PATIENCE_MS = 30_000;

const keyOf = (run: Run, trigger: RunTrigger): string => `${run.id} ${trigger} ${run.status}`;

/**
 * Records a change of a run in the transaction that makes it, so that the listeners hear of it even if this process is
 * lost. `runChanged` follows after the transaction.
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
    dueAt: new Date(services.clock.now().getTime() + PATIENCE_MS),
  });
}

/** Reports a recorded change of a run to the listeners, and wakes whoever waits for the run. */
export async function runChanged(services: Services, run: Run, trigger: RunTrigger): Promise<void> {
  services.wakeups.announce(`run ${run.id}`);
  try {
    for (const listener of services.runListeners) await listener(services, run, trigger);
    await dequeue(services.db, KIND, keyOf(run, trigger));
  } catch (error) {
    // any-error: what the run goes on with does not depend on a listener. The recorded change is reported again.
    services.report?.(`${trigger} of ${run.id}: ${errorText(error)}`);
  }
}

/** Reports changes whose server was lost before it did. */
export const RUN_CHANGE_TASKS: Readonly<Record<string, TaskKind>> = {
  [KIND]: {
    async run(services, { run: id, trigger, status }) {
      const run = await services.db
        .selectFrom('runs')
        .selectAll()
        .where('id', '=', String(id))
        .executeTakeFirst();
      if (run === undefined) return;
      const changed = { ...run, status: String(status) };
      // The payload was written by recordChange.
      for (const listener of services.runListeners) {
        await listener(services, changed, trigger as RunTrigger);
      }
    },
  },
};
