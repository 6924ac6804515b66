import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Principal } from '../access/principal.ts';
import type { ProgramPin } from '../agent/programs.ts';
import type { Database } from '../database/database.ts';
import type { JobTable } from '../database/schema.ts';
import { boundedReport, parseReport } from '../http/bounded-json.ts';
import { ApiError, notFound } from '../http/json-api.ts';
import { driftBlob, finishAssessment } from './assessments.ts';
import {
  type BlobStream,
  getBlobStream,
  type Guard,
  putBlob,
  putBlobStream,
  streamOf,
  wholeContent,
} from './blobs.ts';
import { programOfRun } from './engines.ts';
import { JOBS_TOPIC } from './job-queue.ts';
import { insertLog, logLength, logTopic } from './logs.ts';
import { changeStatus, finishRun, readRun, type Run, runTopic, setStage, stageOf } from './runs.ts';
import { planSucceeded } from './run-flow.ts';
import { startTaskStage } from './run-tasks.ts';
import {
  acceptPolicyReport,
  openPolicyCheck,
  overridesOf,
  policiesBlob,
  policyCheckOf,
} from './policies.ts';
import { randomText, type Services } from './services.ts';
import { latestState, openState } from './states.ts';
import { tokenHash } from './sealing.ts';
import { dequeue, enqueue, type TaskKind } from './tasks.ts';
import { type Identity, identityOfRun } from './workload-identity.ts';
import { variablesOfRun, type RunVariable } from './variables.ts';

export type Job = Selectable<JobTable>;

/** The time without a sign of life after which another agent takes over a job. */
export const LEASE_MS = 20_000;
/** The largest journal of a workspace, in bytes: the changes of one run. */
const LARGEST_JOURNAL = 256 * 1024 * 1024;
/** A job that ends all its agents ends with an error. */
const MOST_ATTEMPTS = 5;

export const configurationBlob = (id: string): string => `${id}.tar`;
export const planBlob = (runId: string): string => `${runId}.plan`;
export const planJsonBlob = (runId: string): string => `${runId}.plan-json`;
export const schemasBlob = (runId: string): string => `${runId}.schemas`;

/** A job as an agent receives it. Contents are requested separately. */
export interface AgentJob {
  readonly id: string;
  readonly attempt: number;
  readonly kind: 'plan' | 'apply' | 'drift';
  readonly run: {
    readonly id: string;
    readonly options: Readonly<Record<string, unknown>>;
    readonly isDestroy: boolean;
    readonly planOnly: boolean;
  };
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    readonly organization: string;
    readonly project: string;
    readonly workingDirectory: string;
  };
  readonly variables: readonly RunVariable[];
  /** the program that executes the run; absent for Terrane's engine */
  readonly engine?: ProgramPin;
  /** tokens with which the run authenticates elsewhere; a server of an earlier release sends none */
  readonly identity?: Identity;
  /** the policies that the plan is evaluated with; absent without policies */
  readonly policies?: {
    /** policies whose failure was overridden, by their addresses */
    readonly overrides: readonly string[];
    readonly reason: string;
  };
  /** true if the journal of an interrupted run has to be added to the state */
  readonly hasJournal: boolean;
  readonly hasState: boolean;
  /** bytes of the log that an earlier agent has sent */
  readonly logOffset: number;
  /** a token for the states of other workspaces, valid while the job runs */
  readonly token: string;
}

/** Claims the next job for an agent of a pool: applies first, then plans, then speculative plans. */
export async function claimJob(
  services: Services,
  poolId: string | null,
  agentId: string,
): Promise<AgentJob | undefined> {
  const now = services.clock.now();
  if (services.jobQueue.isRecoveryDue(now.getTime())) await requeueLostJobs(services);
  const claimed = await services.jobQueue.next(
    poolId,
    now.getTime(),
    async () => await takeJob(services, poolId, agentId),
  );
  return claimed === undefined ? undefined : await beginJob(services, claimed);
}

/** Assigns the next job of a pool to an agent; undefined if there is none. */
async function takeJob(
  { db: database, clock }: Pick<Services, 'db' | 'clock'>,
  poolId: string | null,
  agentId: string,
): Promise<Job | undefined> {
  const now = clock.now();
  return await database.transaction().execute(async (db) => {
    const next = await db
      .selectFrom('jobs')
      .select('id')
      .where('status', '=', 'queued')
      .$if(poolId === null, (query) => query.where('agent_pool_id', 'is', null))
      .$if(poolId !== null, (query) => query.where('agent_pool_id', '=', poolId))
      .orderBy('priority')
      .orderBy('created_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (next === undefined) return undefined;
    return await db
      .updateTable('jobs')
      .set({
        status: 'running',
        agent_id: agentId,
        attempt: sql`attempt + 1`,
        lease_until: new Date(now.getTime() + LEASE_MS),
        claimed_at: now,
      })
      .where('id', '=', next.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** The most queued jobs that a request lists. */
const MOST_LISTED = 100;

/** Returns the queued jobs of a pool in their order, each with its next attempt. */
export async function queuedJobs(
  services: Services,
  poolId: string | null,
): Promise<readonly { readonly id: string; readonly attempt: number }[]> {
  if (services.jobQueue.isRecoveryDue(services.clock.now().getTime())) {
    await requeueLostJobs(services);
  }
  const rows = await services.db
    .selectFrom('jobs')
    .select(['id', 'attempt'])
    .where('status', '=', 'queued')
    .where('agent_pool_id', 'is not distinct from', poolId)
    .orderBy('priority')
    .orderBy('created_at')
    .limit(MOST_LISTED)
    .execute();
  return rows.map(({ id, attempt }) => ({ id, attempt: attempt + 1 }));
}

/** Makes jobs whose agents are silent available to other agents. */
async function requeueLostJobs(services: Services): Promise<void> {
  // The note of the log belongs to the transaction: an agent that takes a job continues behind it.
  const lost = await services.db.transaction().execute(async (db) => {
    const jobs = await db
      .updateTable('jobs')
      .set({ status: 'queued', agent_id: null, lease_until: null })
      .where('id', 'in', (query) =>
        query
          .selectFrom('jobs')
          .select('id')
          .where('status', '=', 'running')
          .where('lease_until', '<', services.clock.now())
          .forUpdate()
          // Another server is about to do the same.
          .skipLocked(),
      )
      .returningAll()
      .execute();
    for (const job of jobs) {
      await revokeRunToken({ db }, job.run_id);
      const offset = await logLength({ db }, job.stage_id);
      await insertLog(db, job.stage_id, offset, Buffer.from(lossNote(job)));
    }
    return jobs;
  });
  if (lost.length > 0) services.wakeups.announce(JOBS_TOPIC);
  for (const job of lost) {
    services.wakeups.announce(logTopic(job.stage_id));
    services.log?.write('warn', 'server', 'agent lost', {
      run: job.run_id,
      job: job.id,
      attempt: job.attempt,
    });
    if (job.attempt >= MOST_ATTEMPTS) {
      await finishRun(services, await readRun(services.db, job.run_id), 'errored');
    }
  }
}

function lossNote({ attempt }: Pick<Job, 'attempt'>): string {
  const next =
    attempt < MOST_ATTEMPTS
      ? 'Another agent continues.'
      : `The run ends with an error, because ${attempt} agents were lost while they executed it. See the logs of the agents for the reason, such as too little memory.`;
  return `\nThe connection to the agent was lost. ${next}\n\n`;
}

async function beginJob(services: Services, job: Job): Promise<AgentJob | undefined> {
  const { db } = services;
  let run = await readRun(db, job.run_id);
  const kind = job.kind === 'apply' ? 'apply' : 'plan';
  const stage = await stageOf(db, run.id, kind);
  if (stage.status !== 'running') await setStage(services, db, stage, 'running');
  const status = kind === 'apply' ? 'applying' : 'planning';
  if (run.status !== status) {
    const trigger = kind === 'apply' ? 'run:applying' : 'run:planning';
    run = await changeStatus(services, run, status, trigger);
  }
  const workspace = await db
    .selectFrom('workspaces')
    .innerJoin('organizations', 'organizations.id', 'workspaces.organization_id')
    .innerJoin('projects', 'projects.id', 'workspaces.project_id')
    .selectAll('workspaces')
    .select(['organizations.name as organization', 'projects.name as project'])
    .where('workspaces.id', '=', run.workspace_id)
    .executeTakeFirstOrThrow();
  const journal = await db
    .selectFrom('journals')
    .select('offset')
    .where('workspace_id', '=', workspace.id)
    .limit(1)
    .executeTakeFirst();
  const token = `run.${randomText(services.random, 48)}`;
  await db
    .insertInto('tokens')
    .values({
      id: `at-${randomText(services.random, 16)}`,
      kind: 'run',
      owner_id: run.id,
      description: job.id,
      hash: tokenHash(token),
      created_by: null,
      last_used_at: null,
      expires_at: new Date(services.clock.now().getTime() + 24 * 60 * 60 * 1000),
      created_at: services.clock.now(),
    })
    .execute();
  const directory = workspace.settings['working-directory'];
  const variables = await variablesOfRun(services, workspace, run);
  const check =
    job.kind === 'plan'
      ? await openPolicyCheck(services, run, workspace)
      : await policyCheckOf(db, run.id);
  const reason = check?.override_reason ?? '';
  const engine = programOfRun(run.options);
  return {
    id: job.id,
    attempt: job.attempt,
    kind: job.kind === 'drift' ? 'drift' : kind,
    run: { id: run.id, options: run.options, isDestroy: run.is_destroy, planOnly: run.plan_only },
    workspace: {
      id: workspace.id,
      name: workspace.name,
      organization: workspace.organization,
      project: workspace.project,
      workingDirectory: typeof directory === 'string' ? directory : '',
    },
    variables,
    ...(engine !== undefined && { engine }),
    identity: await identityOfRun(
      services,
      {
        run,
        phase: kind,
        organization: { id: workspace.organization_id, name: workspace.organization },
        project: { id: workspace.project_id, name: workspace.project },
        workspace,
      },
      variables,
    ),
    ...(check !== undefined && { policies: { overrides: overridesOf(check), reason } }),
    hasJournal: journal !== undefined,
    hasState: workspace.current_state_version_id !== null,
    logOffset: await logLength(services, stage.id),
    token,
  };
}

async function revokeRunToken(
  { db }: { readonly db: Pick<Database, 'deleteFrom'> },
  runId: string,
): Promise<void> {
  await db.deleteFrom('tokens').where('kind', '=', 'run').where('owner_id', '=', runId).execute();
}

/**
 * Returns a job that an agent works on. Throws an ApiError with status 409 if the job was given to another agent or has
 * ended: the agent has to stop.
 */
export async function heldJob(
  { db }: Pick<Services, 'db'>,
  principal: Principal,
  jobId: string,
  attempt: number,
): Promise<Job> {
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst();
  if (job === undefined || principal.kind !== 'agent') throw notFound();
  if (principal.poolId !== job.agent_pool_id) throw notFound();
  if (job.status !== 'running' || job.attempt !== attempt) throw takenJob();
  return job;
}

function takenJob(): ApiError {
  return new ApiError(409, 'conflict', 'The job was taken from this agent.');
}

/**
 * Returns a guard for what the agent of a job writes, which throws an ApiError with status 409 if the job was taken from
 * it. The row of the job is locked until the write is complete, so that an agent that takes the job reads what the former
 * one has written, and the former one can write nothing afterwards.
 */
export function guardOfJob(
  { clock }: Pick<Services, 'clock'>,
  job: Job,
  workspaceId: string,
): Guard {
  return async (db) => {
    // In the order of every transaction: the workspace, then its runs and jobs.
    await db
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', workspaceId)
      .forNoKeyUpdate()
      .execute();
    if (!(await extendLease({ db, clock }, job))) throw takenJob();
  };
}

/**
 * Returns a guard for what an agent reports about a job, which throws an ApiError with status 409 if the job was taken
 * from it. The row of the job is locked until the end of the transaction. It is the last statement of the transaction:
 * rows of runs, stages and checks are locked before those of jobs everywhere.
 */
export function holderOf({ id, attempt }: Pick<Job, 'id' | 'attempt'>): Guard {
  return async (db) => {
    const held = await db
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', id)
      .where('attempt', '=', attempt)
      .where('status', '=', 'running')
      .forShare()
      .executeTakeFirst();
    if (held === undefined) throw takenJob();
  };
}

/** Extends the lease of a job. Returns false, without a change, if its agent does not hold it any more. */
async function extendLease(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, attempt }: Job,
): Promise<boolean> {
  const held = await db
    .updateTable('jobs')
    .set({ lease_until: new Date(clock.now().getTime() + LEASE_MS) })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return held !== undefined;
}

/** Extends the lease of a job, and waits at most `ms` for the cancellation of its run. Returns the cancellation. */
export async function renewLeaseUntilCanceled(
  services: Services,
  job: Job,
  ms: number,
): Promise<{ readonly cancel: string | null }> {
  let state: { readonly cancel: string | null } = { cancel: null };
  await services.wakeups.attempt(
    runTopic(job.run_id),
    ms,
    (time, signal) => services.clock.sleep(time, signal),
    async () => {
      if (!(await extendLease(services, job))) throw takenJob();
      const { cancel } = await readRun(services.db, job.run_id);
      state = { cancel };
      return cancel ?? undefined;
    },
  );
  return state;
}

/** Waits until a run may have changed, at most for `ms`. */
export async function waitForRun(services: Services, runId: string, ms: number): Promise<void> {
  await services.wakeups.wait(runTopic(runId), ms, (time, signal) =>
    services.clock.sleep(time, signal),
  );
}

/** Returns the content of an input of a job; undefined if there is none. */
export async function jobContent(
  services: Services,
  job: Job,
  name: string,
): Promise<BlobStream | undefined> {
  const run = await readRun(services.db, job.run_id);
  switch (name) {
    case 'configuration':
      return await getBlobStream(services, configurationBlob(run.configuration_version_id));
    case 'plan':
      return await getBlobStream(services, planBlob(run.id));
    case 'plan-json':
      return await getBlobStream(services, planJsonBlob(run.id));
    case 'state': {
      const state = await latestState(services, run.workspace_id);
      return state === undefined ? undefined : await openState(services, state.id);
    }
    case 'policies':
      return await getBlobStream(services, policiesBlob(run.id));
    case 'journal': {
      const journal = await readJournal(services, run.workspace_id);
      return journal === undefined ? undefined : streamOf(journal);
    }
    default:
      return undefined;
  }
}

/** Stores a content that a job produced. Throws an ApiError with status 409 if the job was taken from its agent. */
export async function putJobContent(
  services: Services,
  job: Job,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { workspace_id: workspaceId } = await readRun(services.db, job.run_id);
  const guard = guardOfJob(services, job, workspaceId);
  if (name === 'drift-report' && job.kind === 'drift') {
    const bytes = await wholeContent(content);
    parseReport(bytes);
    await putBlob(services, driftBlob(job.run_id), bytes, guard);
    return;
  }
  if (name === 'policy-results' && job.kind === 'plan') {
    await acceptPolicyReport(services, job.run_id, await wholeContent(content), holderOf(job));
    return;
  }
  const blob = { plan: planBlob, 'plan-json': planJsonBlob, schemas: schemasBlob }[name];
  // The plan that was approved never changes: the job that applies it does not store another one.
  if (blob === undefined || job.kind !== 'plan') throw notFound();
  const isJson = name !== 'plan';
  await putBlobStream(services, blob(job.run_id), isJson ? boundedReport(content) : content, guard);
}

async function readJournal(services: Services, workspaceId: string): Promise<Buffer | undefined> {
  const chunks = await services.db
    .selectFrom('journals')
    .select(['offset', 'bytes'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('offset')
    .execute();
  if (chunks.length === 0) return undefined;
  return Buffer.concat(
    chunks.map(({ offset, bytes }) => services.sealing.open(bytes, `${workspaceId}@${offset}`)),
  );
}

/**
 * Appends to the journal of a workspace; at offset 0, a new journal replaces the old one. Throws an ApiError with status
 * 409 if the job was taken from its agent: an agent makes a change only after it has recorded it.
 */
export async function writeJournal(
  services: Services,
  job: Job,
  offset: number,
  bytes: Uint8Array,
): Promise<void> {
  const { workspace_id: workspaceId } = await readRun(services.db, job.run_id);
  const row = {
    workspace_id: workspaceId,
    offset,
    bytes: services.sealing.seal(bytes, `${workspaceId}@${offset}`),
  };
  if (offset + bytes.length > LARGEST_JOURNAL) {
    throw new ApiError(
      413,
      'payload too large',
      `The journal of a workspace is limited to ${LARGEST_JOURNAL} bytes.`,
    );
  }
  await services.db.transaction().execute(async (db) => {
    await guardOfJob(services, job, workspaceId)(db);
    if (offset === 0) {
      await db.deleteFrom('journals').where('workspace_id', '=', workspaceId).execute();
    }
    if (bytes.length === 0) return;
    await db
      .insertInto('journals')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'offset']).doUpdateSet({ bytes: row.bytes }),
      )
      .execute();
  });
}

/** The result of a job. */
export interface JobResult {
  readonly outcome: 'succeeded' | 'errored' | 'canceled';
  readonly hasChanges: boolean;
  readonly summary: Readonly<Record<string, unknown>>;
}

/** The task that continues the run of a finished job, if the server ends before it has done so. */
const FINISHED_JOB = 'finished-job';
/** The delay after which another server continues the run. */
const CONTINUATION_DELAY_MS = 30_000;

/** Ends a job, and continues its run. */
export async function finishJob(services: Services, job: Job, result: JobResult): Promise<Run> {
  const { db: database, clock } = services;
  await revokeRunToken(services, job.run_id);
  const isEnded = await database.transaction().execute(async (db) => {
    const ended = await db
      .updateTable('jobs')
      .set({ status: 'finished', lease_until: null })
      .where('id', '=', job.id)
      .where('attempt', '=', job.attempt)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst();
    if (ended === undefined) return false;
    await enqueue(services, db, {
      kind: FINISHED_JOB,
      key: job.id,
      payload: { job: job.id, result },
      dueAt: new Date(clock.now().getTime() + CONTINUATION_DELAY_MS),
    });
    return true;
  });
  // The response of the first request was lost.
  if (!isEnded) return await readRun(database, job.run_id);
  const run = await continueRun(services, job, result);
  await dequeue(database, FINISHED_JOB, job.id);
  return run;
}

/** Continues runs whose server has ended after it had finished their job. */
export const FINISHED_JOB_TASKS: Readonly<Record<string, TaskKind>> = {
  [FINISHED_JOB]: {
    async run(services, { job: id, result }) {
      const job = await services.db
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', String(id))
        .executeTakeFirst();
      // The payload was written by finishJob.
      if (job !== undefined) await continueRun(services, job, result as JobResult);
    },
  },
};

/** Continues the run of a finished job. What was done before has no effect again. */
async function continueRun(services: Services, job: Job, result: JobResult): Promise<Run> {
  const { db } = services;
  const run = await readRun(db, job.run_id);
  const kind = job.kind === 'apply' ? 'apply' : 'plan';
  const stage = await stageOf(db, run.id, kind);
  const status = result.outcome === 'succeeded' ? 'finished' : result.outcome;
  if (stage.status === 'running') {
    await setStage(services, db, stage, status, { summary: result.summary, logFinished: true });
  }
  services.wakeups.announce(logTopic(stage.id));
  services.wakeups.announce(JOBS_TOPIC);
  if (job.kind === 'drift' && result.outcome !== 'canceled') {
    const isSuccess = result.outcome === 'succeeded';
    const assessed = await finishRun(services, run, isSuccess ? 'planned_and_finished' : 'errored');
    await finishAssessment(services, run, result.outcome);
    return assessed;
  }
  if (result.outcome !== 'succeeded') return await finishRun(services, run, result.outcome);
  if (kind === 'apply') {
    const applied = await finishRun(services, run, 'applied');
    await startTaskStage(services, db, run.id, 'post_apply');
    return applied;
  }
  const hash = createHash('sha256');
  const plan = await getBlobStream(services, planBlob(run.id));
  if (plan !== undefined) for await (const piece of plan.pieces) hash.update(piece);
  const digest = hash.digest('hex');
  return await planSucceeded(services, run, { hasChanges: result.hasChanges, digest });
}
