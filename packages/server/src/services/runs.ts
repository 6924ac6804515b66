import type { Selectable, Transaction } from 'kysely';
import type { Workspace } from '../access/place.ts';
import type { Database } from '../database/database.ts';
import type {
  Described,
  ConfigurationVersionTable,
  RunTable,
  StageTable,
  Tables,
} from '../database/schema.ts';
import { ApiError, conflict } from '../http/json-api.ts';
import { engineOptions, engineProblem } from './engines.ts';
import { insertLog } from './logs.ts';
import { newId, type RunTrigger, type Services } from './services.ts';
import { type FINAL_STATUSES, isCancelable, isDiscardable, isFinal } from './run-status.ts';
import { ASSESSMENT_SOURCE } from './notifications.ts';
import { JOBS_TOPIC } from './job-queue.ts';
import { recordChange, runChanged } from './run-changes.ts';
import { closeTaskStages, createTaskStages, startTaskStage } from './run-tasks.ts';

export type Run = Selectable<RunTable>;
export type Stage = Selectable<StageTable>;
export type ConfigurationVersion = Selectable<ConfigurationVersionTable>;

type Db = Database | Transaction<Tables>;

export const runTopic = (runId: string): string => `run ${runId}`;

/** The input of a new run. */
export interface NewRun {
  readonly configuration: ConfigurationVersion;
  readonly message: string;
  readonly source: string;
  /** options of the plan by their names in the API */
  readonly options: Run['options'];
  readonly planOnly: boolean;
  readonly isDestroy: boolean;
  readonly autoApply: boolean;
  readonly savePlan: boolean;
  readonly createdBy: string | null;
  readonly triggeredBy?: string;
}

/**
 * Creates a run of a workspace, and starts it if the workspace is free. A run that its engine cannot execute ends with an
 * error at once, as its origin may be no request that could be rejected: a push, or the apply of another workspace.
 */
export async function createRun(
  services: Services,
  workspace: Workspace,
  input: NewRun,
): Promise<Run> {
  if (executionMode(workspace) === 'local') {
    throw new ApiError(
      422,
      'invalid',
      'The workspace executes runs locally. Change its execution mode to "remote" or "agent" to create runs.',
    );
  }
  const id = newId(services, 'run');
  const now = services.clock.now();
  // An assessment only reads, by Terrane's engine.
  const engine = input.source === ASSESSMENT_SOURCE ? {} : engineOptions(workspace, input.options);
  const problem = await engineProblem(services, workspace, engine);
  const run = await services.db.transaction().execute(async (db) => {
    const inserted = await db
      .insertInto('runs')
      .values({
        id,
        workspace_id: workspace.id,
        configuration_version_id: input.configuration.id,
        status: 'pending',
        message: input.message,
        source: input.source,
        options: JSON.stringify({ ...input.options, ...engine }),
        plan_only: input.planOnly,
        is_destroy: input.isDestroy,
        auto_apply: input.autoApply && !input.planOnly,
        save_plan: input.savePlan && !input.planOnly,
        has_changes: false,
        timestamps: JSON.stringify({}),
        created_by: input.createdBy,
        confirmed_by: null,
        cancel: null,
        triggered_by: input.triggeredBy ?? null,
        plan_digest: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    for (const kind of ['plan', 'apply']) {
      const stageId = newId(services, kind);
      await db
        .insertInto('stages')
        .values({
          id: stageId,
          run_id: id,
          kind,
          status: kind === 'apply' && input.planOnly ? 'unreachable' : 'pending',
          summary: JSON.stringify({}),
          timestamps: JSON.stringify({}),
          log_finished: false,
        })
        .execute();
      if (kind === 'plan' && problem !== undefined) {
        const log = `Error: The run could not be executed\n\n${problem}\n`;
        await insertLog(db, stageId, 0, Buffer.from(log));
      }
    }
    if (input.source !== ASSESSMENT_SOURCE) {
      await createTaskStages(services, db, workspace, inserted);
    }
    await recordChange(services, db, inserted, 'run:created');
    return inserted;
  });
  await runChanged(services, run, 'run:created');
  if (problem !== undefined) return await finishRun(services, run, 'errored');
  await advance(services, workspace.id);
  return await readRun(services.db, id);
}

export async function readRun(db: Db, id: string): Promise<Run> {
  return await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function stageOf(db: Db, runId: string, kind: 'plan' | 'apply'): Promise<Stage> {
  return await db
    .selectFrom('stages')
    .selectAll()
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
}

/** The execution mode of a workspace: `remote`, `agent` or `local`. */
export function executionMode({
  settings,
}: Pick<Workspace, 'settings'>): Described<'workspaces', 'execution-mode'> {
  return settings['execution-mode'] ?? 'remote';
}

/**
 * Starts what can start in a workspace: plans that change nothing at once, and one other run at a time, in the order of
 * creation. Saved plans that were confirmed go before new runs.
 */
export async function advance(services: Services, workspaceId: string): Promise<void> {
  const started = await services.db.transaction().execute(async (db) => {
    const workspace = await db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', workspaceId)
      .forUpdate()
      .executeTakeFirst();
    if (workspace === undefined) return [];
    const waiting = await db
      .selectFrom('runs')
      .innerJoin(
        'configuration_versions',
        'configuration_versions.id',
        'runs.configuration_version_id',
      )
      .selectAll('runs')
      .where('runs.workspace_id', '=', workspaceId)
      .where('runs.status', 'in', ['pending', 'confirmed'])
      .where('configuration_versions.status', '=', 'uploaded')
      .orderBy('runs.created_at')
      .orderBy('runs.id')
      .execute();
    const begun: Run[] = [];
    for (const run of waiting) {
      if (run.status === 'pending' && (run.plan_only || run.save_plan)) {
        begun.push(await beginStage(services, db, workspace, run, 'plan'));
      }
    }
    const isFree = workspace.current_run_id === null && workspace.locked_by === null;
    const next =
      waiting.find(({ status }) => status === 'confirmed') ??
      waiting.find((run) => run.status === 'pending' && !run.plan_only && !run.save_plan);
    if (isFree && next !== undefined) {
      await db
        .updateTable('workspaces')
        .set({ current_run_id: next.id })
        .where('id', '=', workspaceId)
        .execute();
      const kind = next.status === 'confirmed' ? 'apply' : 'plan';
      begun.push(await beginStage(services, db, workspace, next, kind));
    }
    for (const each of begun) await recordChange(services, db, each, 'run:queued');
    return begun;
  });
  for (const run of started) await runChanged(services, run, 'run:queued');
  if (started.length > 0) services.wakeups.announce(JOBS_TOPIC);
}

/** Asks the tasks before a plan or an apply; queues it if there are none. */
export async function beginStage(
  services: Services,
  db: Db,
  workspace: Workspace,
  run: Run,
  kind: 'plan' | 'apply',
): Promise<Run> {
  const stage = kind === 'plan' ? 'pre_plan' : 'pre_apply';
  return (await startTaskStage(services, db, run.id, stage))
    ? await setStatus(services, db, run, `${stage}_running`)
    : await queueStage(services, db, workspace, run, kind);
}

export async function queueStage(
  services: Pick<Services, 'random' | 'clock'>,
  db: Db,
  workspace: Workspace,
  run: Run,
  kind: 'plan' | 'apply',
): Promise<Run> {
  const stage = await stageOf(db, run.id, kind);
  await setStage(services, db, stage, 'queued');
  await db
    .insertInto('jobs')
    .values({
      id: newId(services, 'job'),
      run_id: run.id,
      stage_id: stage.id,
      kind: run.source === ASSESSMENT_SOURCE ? 'drift' : kind,
      priority: kind === 'apply' ? 0 : run.plan_only ? 2 : 1,
      agent_pool_id: executionMode(workspace) === 'agent' ? workspace.agent_pool_id : null,
      status: 'queued',
      agent_id: null,
      attempt: 0,
      lease_until: null,
      created_at: services.clock.now(),
      claimed_at: null,
    })
    .execute();
  return await setStatus(services, db, run, kind === 'apply' ? 'apply_queued' : 'plan_queued');
}

/** Changes the status of a run, with its time. */
export async function setStatus(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  run: Run,
  status: Run['status'],
  changes: Partial<Pick<Run, 'has_changes' | 'confirmed_by' | 'cancel' | 'plan_digest'>> = {},
): Promise<Run> {
  const now = clock.now();
  const timestamps = {
    ...run.timestamps,
    [`${status.replaceAll('_', '-')}-at`]: now.toISOString(),
  };
  return await db
    .updateTable('runs')
    .set({ status, timestamps: JSON.stringify(timestamps), updated_at: now, ...changes })
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes the status of a run, and reports it. */
export async function changeStatus(
  services: Services,
  run: Run,
  status: Run['status'],
  trigger: RunTrigger,
  changes: Parameters<typeof setStatus>[4] = {},
): Promise<Run> {
  const changed = await services.db.transaction().execute(async (db) => {
    const current = await db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', run.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // It was ended in the meantime, by force.
    if (isFinal(current.status)) return current;
    const result = await setStatus(services, db, current, status, changes);
    await recordChange(services, db, result, trigger);
    return result;
  });
  if (changed.status === status) await runChanged(services, changed, trigger);
  return changed;
}

/** Changes the status of the plan or apply of a run, with its time. */
export async function setStage(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  stage: Stage,
  status: Stage['status'],
  changes: { readonly summary?: object; readonly logFinished?: boolean } = {},
): Promise<void> {
  const name = status === 'running' ? 'started-at' : `${status}-at`;
  const timestamps = { ...stage.timestamps, [name]: clock.now().toISOString() };
  await db
    .updateTable('stages')
    .set({
      status,
      timestamps: JSON.stringify(timestamps),
      ...(changes.summary !== undefined && {
        summary: JSON.stringify({ ...stage.summary, ...changes.summary }),
      }),
      ...(changes.logFinished !== undefined && { log_finished: changes.logFinished }),
    })
    .where('id', '=', stage.id)
    .execute();
}

/** Ends a run: its workspace becomes free for the next one. */
export async function finishRun(
  services: Services,
  run: Run,
  status: (typeof FINAL_STATUSES)[number],
  changes: Parameters<typeof setStatus>[4] = {},
): Promise<Run> {
  const isFailure = status === 'errored' || status === 'canceled';
  const trigger = isFailure ? 'run:errored' : 'run:completed';
  const { run: finished, isNew } = await services.db.transaction().execute(async (db) => {
    // In the order of every transaction: the workspace, then its run.
    await db
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', run.workspace_id)
      .forUpdate()
      .execute();
    const current = await readRun(db, run.id);
    if (isFinal(current.status)) return { run: current, isNew: false };
    for (const kind of ['plan', 'apply'] as const) {
      const stage = await stageOf(db, run.id, kind);
      if (stage.status === 'pending' || stage.status === 'queued' || stage.status === 'running') {
        const isUnreached = kind === 'apply' && stage.status === 'pending';
        const end = isUnreached ? 'unreachable' : status === 'errored' ? 'errored' : 'canceled';
        await setStage(services, db, stage, end, { logFinished: true });
      }
    }
    await closeTaskStages(services, db, run.id, status === 'applied');
    await db
      .updateTable('policy_checks')
      .set({ status: 'unreachable' })
      .where('run_id', '=', run.id)
      .where('status', '=', 'pending')
      .execute();
    await db
      .updateTable('jobs')
      .set({ status: 'finished', lease_until: null })
      .where('run_id', '=', run.id)
      .where('status', '!=', 'finished')
      .execute();
    await db
      .updateTable('workspaces')
      .set({ current_run_id: null })
      .where('id', '=', run.workspace_id)
      .where('current_run_id', '=', run.id)
      .execute();
    const ended = await setStatus(services, db, current, status, changes);
    await recordChange(services, db, ended, trigger);
    return { run: ended, isNew: true };
  });
  // The next run does not wait for listeners.
  await advance(services, run.workspace_id);
  if (isNew) await runChanged(services, finished, trigger);
  return finished;
}

export async function discardRun(services: Services, run: Run): Promise<Run> {
  if (!isDiscardable(run.status)) {
    throw conflict(`The run cannot be discarded: its status is ${run.status}.`);
  }
  return await finishRun(services, run, 'discarded');
}

/** Cancels a run: at once if no agent works on it, otherwise by an interrupt of the agent's operation. */
export async function cancelRun(services: Services, run: Run): Promise<Run> {
  if (!isCancelable(run.status)) {
    throw conflict(`The run cannot be canceled: its status is ${run.status}.`);
  }
  const isWorking = run.status === 'planning' || run.status === 'applying';
  if (!isWorking) return await finishRun(services, run, 'canceled');
  const updated = await services.db
    .updateTable('runs')
    .set({ cancel: 'soft', updated_at: services.clock.now() })
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  services.wakeups.announce(runTopic(run.id));
  return updated;
}

/**
 * Ends a run at once, whatever its agent does. What the agent has recorded stays in the journal of the workspace, which
 * the next run reads.
 */
export async function forceCancelRun(services: Services, run: Run): Promise<Run> {
  if (run.cancel === null || isFinal(run.status)) {
    throw conflict('The run cannot be canceled by force: cancel it first.');
  }
  services.wakeups.announce(runTopic(run.id));
  return await finishRun(services, run, 'canceled', { cancel: 'force' });
}
