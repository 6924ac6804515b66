import { sql } from 'kysely';
import { errorText } from '@terrane/host';
import type { Database } from '../database/database.ts';
import { newId, type Services } from './services.ts';

/** Work to do in the background: after a failure, and after the loss of a server, it is done again. */
export interface NewTask {
  readonly kind: string;
  /** identifies the work among tasks of its kind: while one waits, it is not enqueued again */
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** default: at once */
  readonly dueAt?: Date;
}

/** How tasks of a kind are done. A handler may be called again for the same task, also after it has succeeded. */
export interface TaskKind {
  run(services: Services, payload: Readonly<Record<string, unknown>>): Promise<void>;
  /** default: 10 */
  readonly mostAttempts?: number;
  /** the pause after the first failure, which doubles up to an hour; default: 10 seconds */
  readonly pauseMs?: number;
  /** called after the last attempt has failed */
  giveUp?(
    services: Services,
    payload: Readonly<Record<string, unknown>>,
    reason: string,
  ): Promise<void>;
}

/** The kinds of tasks by their names. */
export type TaskKinds = Readonly<Record<string, TaskKind>>;

/** Work that is done at regular intervals. */
export interface Schedule {
  readonly tasks: TaskKinds;
  /** Starts the schedule; does nothing if it runs already. */
  start(services: Services): Promise<void>;
}

/** Returns the schedule of a task that enqueues itself, also after a failure. */
export function repeated(
  kind: string,
  intervalMs: number,
  work: (services: Services) => Promise<unknown>,
): Schedule {
  const next = async (services: Services): Promise<void> => {
    const dueAt = new Date(services.clock.now().getTime() + intervalMs);
    await enqueue(services, services.db, { kind, key: kind, payload: {}, dueAt });
  };
  return {
    tasks: {
      [kind]: {
        mostAttempts: Number.MAX_SAFE_INTEGER,
        async run(services) {
          try {
            await work(services);
          } finally {
            await next(services);
          }
        },
      },
    },
    async start(services) {
      const existing = await services.db
        .selectFrom('tasks')
        .select('id')
        .where('kind', '=', kind)
        .where('status', '=', 'waiting')
        .executeTakeFirst();
      if (existing === undefined) await next(services);
    },
  };
}

/** The topic that the background work listens to. */
const TASKS_TOPIC = 'tasks';
const LEASE_MS = 120_000;
const MOST_ATTEMPTS = 10;
const PAUSE = { first: 10_000, most: 3_600_000 };
const AT_ONCE = 10;
const POLL_MS = 2_000;
const FAILED_DAYS = 7;

/** Enqueues a task, in a transaction with the change that it follows from. */
export async function enqueue(
  services: Pick<Services, 'random' | 'clock' | 'wakeups'>,
  db: Pick<Database, 'insertInto'>,
  { kind, key, payload, dueAt }: NewTask,
): Promise<void> {
  const now = services.clock.now();
  await db
    .insertInto('tasks')
    .values({
      id: newId(services, 'task'),
      kind,
      key,
      payload: JSON.stringify(payload),
      status: 'waiting',
      attempt: 0,
      due_at: dueAt ?? now,
      lease_until: null,
      error: null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet({
        payload: JSON.stringify(payload),
        status: 'waiting',
        attempt: 0,
        due_at: dueAt ?? now,
        revision: sql`tasks.revision + 1`,
      }),
    )
    .execute();
  if (dueAt === undefined) services.wakeups.announce(TASKS_TOPIC);
}

/** Removes a task that is not needed any more. */
export async function dequeue(
  db: Pick<Database, 'deleteFrom'>,
  kind: string,
  key: string,
): Promise<void> {
  await db.deleteFrom('tasks').where('kind', '=', kind).where('key', '=', key).execute();
}

/** Does the tasks that are due, a few at a time. Returns how many were attempted. */
export async function doDueTasks(services: Services, kinds: TaskKinds): Promise<number> {
  const { db, clock } = services;
  const now = clock.now();
  const claimed = await db.transaction().execute(async (transaction) => {
    const due = await transaction
      .selectFrom('tasks')
      .select('id')
      .where('status', '=', 'waiting')
      .where('due_at', '<=', now)
      .where('kind', 'in', Object.keys(kinds))
      .where((expression) =>
        expression.or([expression('lease_until', 'is', null), expression('lease_until', '<', now)]),
      )
      .orderBy('due_at')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return [];
    return await transaction
      .updateTable('tasks')
      .set({ lease_until: new Date(now.getTime() + LEASE_MS), attempt: sql`attempt + 1` })
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .returningAll()
      .execute();
  });
  await Promise.all(claimed.map((task) => doTask(services, kinds, task)));
  return claimed.length;
}

async function doTask(
  services: Services,
  kinds: TaskKinds,
  task: {
    readonly id: string;
    readonly kind: string;
    readonly payload: Readonly<Record<string, unknown>>;
    readonly attempt: number;
    readonly lease_until: Date | null;
    readonly revision: number;
  },
): Promise<void> {
  const { db, clock } = services;
  const kind = kinds[task.kind];
  if (kind === undefined) return;
  try {
    await kind.run(services, task.payload);
    await db
      .deleteFrom('tasks')
      .where('id', '=', task.id)
      .where('lease_until', '=', task.lease_until)
      .where('revision', '=', task.revision)
      .execute();
    // A task that was enqueued again in the meantime is done again, and not by two servers at once.
    await db
      .updateTable('tasks')
      .set({ lease_until: null })
      .where('id', '=', task.id)
      .where('lease_until', '=', task.lease_until)
      .execute();
  } catch (error) {
    // any-error: another task must not wait for the reason of this one; the table keeps it.
    const reason = errorText(error).slice(0, 2_000);
    const { mostAttempts = MOST_ATTEMPTS, pauseMs = PAUSE.first } = kind;
    const isLast = task.attempt >= mostAttempts;
    const pause = Math.min(PAUSE.most, pauseMs * 2 ** (task.attempt - 1));
    await db
      .updateTable('tasks')
      .set({
        status: isLast ? 'failed' : 'waiting',
        due_at: new Date(clock.now().getTime() + pause),
        lease_until: null,
        error: reason,
      })
      .where('id', '=', task.id)
      .where('lease_until', '=', task.lease_until)
      .execute();
    services.report?.(`${task.kind}: ${reason}`);
    if (isLast) await kind.giveUp?.(services, task.payload, reason);
  }
}

/** Does tasks until the signal. */
export async function workOnTasks(
  services: Services,
  kinds: TaskKinds,
  signal: AbortSignal,
): Promise<void> {
  let purged = 0;
  while (!signal.aborted) {
    try {
      const now = services.clock.now().getTime();
      if (now - purged > PAUSE.most) {
        purged = now;
        await services.db
          .deleteFrom('tasks')
          .where('status', '=', 'failed')
          .where('due_at', '<', new Date(now - FAILED_DAYS * 86_400_000))
          .execute();
      }
      if ((await doDueTasks(services, kinds)) > 0) continue;
    } catch (error) {
      // any-error: the database may be away for a while.
      services.report?.(`background work: ${errorText(error)}`);
    }
    await services.wakeups
      .wait(TASKS_TOPIC, POLL_MS, (ms, stop) =>
        services.clock.sleep(ms, AbortSignal.any([stop, signal])),
      )
      .catch(() => undefined);
  }
}
