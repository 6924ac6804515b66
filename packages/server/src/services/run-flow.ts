import { conflict } from '../http/json-api.ts';
import { JOBS_TOPIC } from './job-queue.ts';
import { decidePolicyCheck, policyCheckOf, resultsOf, setCheck } from './policies.ts';
import { recordChange, runChanged } from './run-changes.ts';
import { isConfirmable } from './run-status.ts';
import { STAGE_END, startTaskStage } from './run-tasks.ts';
import {
  advance,
  beginStage,
  changeStatus,
  finishRun,
  queueStage,
  readRun,
  type Run,
  setStatus,
} from './runs.ts';
import type { Services } from './services.ts';
import type { TaskKind } from './tasks.ts';

/** Continues a run after its plan has succeeded: with its run tasks, its policies, and the decision. */
export async function planSucceeded(
  services: Services,
  run: Run,
  { hasChanges, digest }: { readonly hasChanges: boolean; readonly digest: string },
): Promise<Run> {
  const continued = await services.db.transaction().execute(async (db) => {
    const changes = { has_changes: hasChanges, plan_digest: digest };
    const current = await readRun(db, run.id);
    // It was ended in the meantime, by force, or continued by another server.
    if (current.status !== 'planning') return current;
    if (!(await startTaskStage(services, db, run.id, 'post_plan'))) {
      return await db
        .updateTable('runs')
        .set(changes)
        .where('id', '=', run.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    }
    const waiting = await setStatus(services, db, run, 'post_plan_running', changes);
    await recordChange(services, db, waiting, 'run:progressed');
    return waiting;
  });
  if (continued.status === 'planning') return await checkPolicies(services, continued);
  if (continued.status === 'post_plan_running') {
    await runChanged(services, continued, 'run:progressed');
  }
  return continued;
}

const isEmpty = (run: Run): boolean =>
  !run.has_changes && run.options['allow-empty-apply'] !== true;

/** Decides the policies of a planned run, which the agent has evaluated. */
async function checkPolicies(services: Services, run: Run): Promise<Run> {
  const check = await policyCheckOf(services.db, run.id);
  if (check === undefined) return await continueAfterPlan(services, run, 'planned');
  const outcome =
    check.status === 'pending' ? await decidePolicyCheck(services, check) : check.status;
  switch (outcome) {
    case 'passed':
    case 'overridden':
      return await continueAfterPlan(services, run, 'policy_checked');
    case 'soft_failed':
      return run.plan_only || isEmpty(run)
        ? await finishRun(services, run, 'policy_soft_failed')
        : await changeStatus(services, run, 'policy_override', 'run:needs_attention');
    default:
      return await finishRun(services, run, 'errored');
  }
}

async function continueAfterPlan(
  services: Services,
  run: Run,
  status: Run['status'],
): Promise<Run> {
  if (run.plan_only || isEmpty(run)) {
    return await finishRun(services, run, 'planned_and_finished');
  }
  const trigger = run.auto_apply ? 'run:progressed' : 'run:needs_attention';
  const next = await changeStatus(
    services,
    run,
    run.save_plan ? 'planned_and_saved' : status,
    trigger,
  );
  const isWaiting = isConfirmable(next.status);
  return isWaiting && next.auto_apply ? await confirmRun(services, next, null) : next;
}

/** Overrides the failed policies of a run. Throws an ApiError if there is nothing to override. */
export async function overridePolicies(
  services: Services,
  run: Run,
  userId: string | null,
  reason: string,
): Promise<readonly string[]> {
  const overridden = await services.db.transaction().execute(async (db) => {
    await db
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', run.workspace_id)
      .forUpdate()
      .execute();
    const check = await policyCheckOf(db, run.id);
    const current = await readRun(db, run.id);
    if (check?.status !== 'soft_failed' || current.status !== 'policy_override') {
      throw conflict('The run has no failed policies that can be overridden.');
    }
    await setCheck(services, db, check, 'overridden', {
      overridden_by: userId,
      override_reason: reason,
    });
    const failed = resultsOf(check.result).filter(({ result }) => result !== 'pass');
    return [...new Set(failed.map(({ policy }) => String(policy)))];
  });
  await continueAfterPlan(services, await readRun(services.db, run.id), 'policy_checked');
  return overridden;
}

/**
 * Approves the plan of a run.
 *
 * @param digest the plan that was reviewed; the approval of another one is rejected
 */
export async function confirmRun(
  services: Services,
  run: Run,
  confirmedBy: string | null,
  digest?: string,
): Promise<Run> {
  const confirmed = await services.db.transaction().execute(async (db) => {
    const workspace = await db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', run.workspace_id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const current = await readRun(db, run.id);
    if (!isConfirmable(current.status)) {
      throw conflict(`The run cannot be applied: its status is ${current.status}.`);
    }
    if (digest !== undefined && digest !== current.plan_digest) {
      throw conflict('The plan that was reviewed is not the plan of this run. Review it again.');
    }
    const approved = await setStatus(services, db, current, 'confirmed', {
      confirmed_by: confirmedBy,
    });
    // A saved plan waits for its turn.
    const result =
      workspace.current_run_id === run.id
        ? await beginStage(services, db, workspace, approved, 'apply')
        : approved;
    await recordChange(services, db, result, 'run:confirmed');
    return result;
  });
  await runChanged(services, confirmed, 'run:confirmed');
  await advance(services, run.workspace_id);
  services.wakeups.announce(JOBS_TOPIC);
  return await readRun(services.db, run.id);
}

/** Continues runs whose tasks of a stage have answered. */
export const RUN_FLOW_TASKS: Readonly<Record<string, TaskKind>> = {
  [STAGE_END]: {
    async run(services, { stage: id }) {
      const stage = await services.db
        .selectFrom('task_stages')
        .selectAll()
        .where('id', '=', String(id))
        .executeTakeFirst();
      if (stage === undefined) return;
      const run = await readRun(services.db, stage.run_id);
      // The run has ended, or was continued before.
      if (run.status !== `${stage.stage}_running`) return;
      if (stage.status === 'failed') {
        await finishRun(services, run, 'errored');
      } else if (stage.stage === 'post_plan') {
        await checkPolicies(services, run);
      } else {
        await queueAfterTasks(services, run, stage.stage === 'pre_plan' ? 'plan' : 'apply');
      }
    },
  },
};

async function queueAfterTasks(
  services: Services,
  run: Run,
  kind: 'plan' | 'apply',
): Promise<void> {
  const queued = await services.db.transaction().execute(async (db) => {
    const workspace = await db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', run.workspace_id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const current = await readRun(db, run.id);
    if (current.status !== run.status) return undefined;
    const result = await queueStage(services, db, workspace, current, kind);
    await recordChange(services, db, result, 'run:queued');
    return result;
  });
  if (queued === undefined) return;
  services.wakeups.announce(JOBS_TOPIC);
  await runChanged(services, queued, 'run:queued');
}
