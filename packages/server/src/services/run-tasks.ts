import type { Selectable } from 'kysely';
import type { Workspace } from '../access/place.ts';
import type { Database } from '../database/database.ts';
import type {
  RunTable,
  RunTaskTable,
  TaskResultTable,
  TaskStageTable,
} from '../database/schema.ts';
import { ApiError, conflict } from '../http/json-api.ts';
import { fields } from '../http/request.ts';
import { runPath, workspacePath } from '../web/paths.ts';
import { signature } from './notifications.ts';
import { deliver, type Delivery } from './outgoing.ts';
import { newId, type Services } from './services.ts';
import { enqueue, type TaskKind } from './tasks.ts';
import { issueToken } from './tokens.ts';

export type RunTask = Selectable<RunTaskTable>;
type Run = Pick<Selectable<RunTable>, 'id' | 'plan_only'>;
export type TaskStage = Selectable<TaskStageTable>;
export type TaskResult = Selectable<TaskResultTable>;
type Db = Pick<Database, 'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom'>;

/** The stages of a run at which tasks are called. */
export const TASK_STAGES = ['pre_plan', 'post_plan', 'pre_apply', 'post_apply'] as const;
export type TaskStageName = (typeof TASK_STAGES)[number];

/** Statuses of a result that can still change. */
const OPEN: ReadonlySet<string> = new Set(['pending', 'running']);
/** A task has to report progress at least this often, and to answer in this time, as in HCP Terraform. */
const TIMES = { progressMs: 10 * 60_000, totalMs: 60 * 60_000 };
const CALL = 'run-task-call';
const DEADLINE = 'run-task-deadline';

/** Returns the tasks of a workspace with their levels and stages: attached ones, then global ones. */
async function tasksOf(db: Db, workspace: Workspace) {
  const attached = await db
    .selectFrom('workspace_tasks')
    .innerJoin('run_tasks', 'run_tasks.id', 'workspace_tasks.task_id')
    .select([
      'workspace_tasks.id as workspaceTask',
      'workspace_tasks.enforcement_level as level',
      'workspace_tasks.stages',
      'run_tasks.id',
      'run_tasks.name',
      'run_tasks.url',
    ])
    .where('workspace_tasks.workspace_id', '=', workspace.id)
    .where('run_tasks.enabled', '=', true)
    .orderBy('run_tasks.name')
    .execute();
  const all = await db
    .selectFrom('run_tasks')
    .selectAll()
    .where('organization_id', '=', workspace.organization_id)
    .where('enabled', '=', true)
    .orderBy('name')
    .execute();
  const global = all.flatMap(({ id, name, url, global_stages: settings }) => {
    const { enabled, stages, 'enforcement-level': level } = settings;
    if (enabled !== true || attached.some((each) => each.id === id)) return [];
    const names = Array.isArray(stages) ? stages.map(String) : [];
    return [{ workspaceTask: null, level: String(level), stages: names, id, name, url }];
  });
  return [...attached, ...global];
}

/** Creates the stages of a new run that tasks are attached to. */
export async function createTaskStages(
  services: Pick<Services, 'random' | 'clock'>,
  db: Db,
  workspace: Workspace,
  run: Run,
): Promise<void> {
  const tasks = await tasksOf(db, workspace);
  const now = services.clock.now();
  for (const stage of TASK_STAGES) {
    if (run.plan_only && stage.endsWith('_apply')) continue;
    const asked = tasks.filter(({ stages }) => stages.includes(stage));
    if (asked.length === 0) continue;
    const stageId = newId(services, 'ts');
    const common = { timestamps: '{}', created_at: now, updated_at: now };
    await db
      .insertInto('task_stages')
      .values({ id: stageId, run_id: run.id, stage, status: 'pending', ...common })
      .execute();
    for (const task of asked) {
      await db
        .insertInto('task_results')
        .values({
          id: newId(services, 'taskrs'),
          task_stage_id: stageId,
          task_id: task.id,
          workspace_task_id: task.workspaceTask,
          name: task.name,
          task_url: task.url,
          enforcement_level: task.level,
          status: 'pending',
          message: '',
          url: '',
          outcomes: '[]',
          ...common,
        })
        .execute();
    }
  }
}

export async function stageResults(
  db: Db,
  stageIds: readonly string[],
): Promise<readonly TaskResult[]> {
  if (stageIds.length === 0) return [];
  return await db
    .selectFrom('task_results')
    .selectAll()
    .where('task_stage_id', 'in', stageIds)
    .orderBy('name')
    .execute();
}

/** Asks the tasks of a stage of a run, in the transaction that reaches it. Returns false if there are none. */
export async function startTaskStage(
  services: Services,
  db: Db,
  runId: string,
  stage: TaskStageName,
): Promise<boolean> {
  const row = await db
    .selectFrom('task_stages')
    .selectAll()
    .where('run_id', '=', runId)
    .where('stage', '=', stage)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (row === undefined) return false;
  await setStageStatus(services, db, row, 'running');
  for (const result of await stageResults(db, [row.id])) {
    await setResult(services, db, result, { status: 'running' });
    const payload = { result: result.id };
    await enqueue(services, db, { kind: CALL, key: result.id, payload });
    await extendDeadline(services, db, result.id, TIMES.progressMs);
  }
  return true;
}

async function extendDeadline(
  services: Services,
  db: Db,
  resultId: string,
  ms: number,
): Promise<void> {
  const dueAt = new Date(services.clock.now().getTime() + ms);
  await enqueue(services, db, {
    kind: DEADLINE,
    key: resultId,
    payload: { result: resultId },
    dueAt,
  });
}

async function setStageStatus(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  stage: TaskStage,
  status: TaskStage['status'],
): Promise<TaskStage> {
  const now = clock.now();
  const timestamps = { ...stage.timestamps, [`${status}-at`]: now.toISOString() };
  return await db
    .updateTable('task_stages')
    .set({ status, timestamps: JSON.stringify(timestamps), updated_at: now })
    .where('id', '=', stage.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function setResult(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  result: TaskResult,
  changes: Partial<Pick<TaskResult, 'status' | 'message' | 'url'>> & { outcomes?: string },
): Promise<void> {
  const now = clock.now();
  const { status = result.status } = changes;
  const name = status === 'running' ? 'started-at' : `${status}-at`;
  const timestamps = { [name]: now.toISOString(), ...result.timestamps };
  await db
    .updateTable('task_results')
    .set({ ...changes, timestamps: JSON.stringify(timestamps), updated_at: now })
    .where('id', '=', result.id)
    .execute();
}

/** Ends the open stages of a completed run, except those after an apply. */
export async function closeTaskStages(
  services: Services,
  db: Db,
  runId: string,
  isApplied: boolean,
): Promise<void> {
  const stages = await db
    .selectFrom('task_stages')
    .selectAll()
    .where('run_id', '=', runId)
    .where('status', 'in', ['pending', 'running'])
    .execute();
  for (const stage of stages) {
    if (isApplied && stage.stage === 'post_apply') continue;
    const status = stage.status === 'pending' ? 'unreachable' : 'canceled';
    await setStageStatus(services, db, stage, status);
    for (const result of await stageResults(db, [stage.id])) {
      if (OPEN.has(result.status)) await endResult(services, db, result, { status });
    }
  }
}

async function endResult(
  services: Services,
  db: Db,
  result: TaskResult,
  changes: Parameters<typeof setResult>[3],
): Promise<void> {
  await setResult(services, db, result, changes);
  // The token ends with the question.
  await db
    .deleteFrom('tokens')
    .where('kind', '=', 'task')
    .where('owner_id', '=', result.id)
    .execute();
  await db
    .deleteFrom('tasks')
    .where('kind', 'in', [DEADLINE, CALL])
    .where('key', '=', result.id)
    .execute();
}

/** The report of a task about a run. */
export interface TaskReport {
  readonly status: TaskResult['status'];
  readonly message: string;
  readonly url: string;
  readonly outcomes: readonly Readonly<Record<string, unknown>>[];
}

/** Accepts the report of a task. Throws an ApiError if the run does not wait for it. */
export async function acceptReport(
  services: Services,
  resultId: string,
  report: TaskReport,
): Promise<void> {
  const now = services.clock.now().getTime();
  const started = await changeResult(services, resultId, async (db, result) => {
    if (!OPEN.has(result.status)) throw conflict('The task has already answered, or was ended.');
    const { outcomes, ...changes } = report;
    const stored = {
      ...changes,
      ...(outcomes.length > 0 && { outcomes: JSON.stringify(outcomes) }),
    };
    if (OPEN.has(report.status)) {
      await setResult(services, db, result, stored);
      const remainingMs = TIMES.totalMs - (now - startOf(result));
      await extendDeadline(services, db, resultId, Math.min(TIMES.progressMs, remainingMs));
    } else {
      await endResult(services, db, result, stored);
    }
    return true;
  });
  if (!started) throw new ApiError(404, 'not found', 'There is no such task result.');
}

const startOf = ({ timestamps, created_at: created }: TaskResult): number =>
  new Date(timestamps['started-at'] ?? created).getTime();

/** Changes a result, and ends its stage if it was the last one. Returns false if there is no such result. */
async function changeResult(
  services: Services,
  resultId: string,
  change: (db: Db, result: TaskResult) => Promise<boolean>,
): Promise<boolean> {
  const ended = await services.db.transaction().execute(async (db) => {
    const stageReference = await db
      .selectFrom('task_results')
      .select('task_stage_id')
      .where('id', '=', resultId)
      .executeTakeFirst();
    if (stageReference === undefined) return undefined;
    const stage = await db
      .selectFrom('task_stages')
      .selectAll()
      .where('id', '=', stageReference.task_stage_id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const result = await db
      .selectFrom('task_results')
      .selectAll()
      .where('id', '=', resultId)
      .executeTakeFirstOrThrow();
    if (!(await change(db, result))) return { run: stage.run_id };
    const results = await stageResults(db, [stage.id]);
    if (stage.status !== 'running' || results.some(({ status }) => OPEN.has(status))) {
      return { run: stage.run_id };
    }
    const failed = results.filter(({ status }) => status !== 'passed');
    const isFailed = failed.some(({ enforcement_level: level }) => level === 'mandatory');
    await setStageStatus(services, db, stage, isFailed ? 'failed' : 'passed');
    const payload = { stage: stage.id };
    await enqueue(services, db, { kind: STAGE_END, key: stage.id, payload });
    return { run: stage.run_id };
  });
  if (ended !== undefined) services.wakeups.announce(`run ${ended.run}`);
  return ended !== undefined;
}

/** The kind of the task that continues a run after a stage. */
export const STAGE_END = 'run-task-stage-end';

/** Asks tasks, and ends those that do not answer in time. */
export const RUN_TASK_TASKS: Readonly<Record<string, TaskKind>> = {
  [CALL]: {
    mostAttempts: 3,
    pauseMs: 2_000,
    async run(services, { result: id }) {
      const result = await openResult(services, String(id));
      if (result === undefined) return;
      const delivery = await call(services, result);
      if (!delivery.isSuccessful) throw new Error(callFailure(delivery));
    },
    async giveUp(services, { result: id }, reason) {
      await changeResult(services, String(id), async (db, result) => {
        if (!OPEN.has(result.status)) return false;
        const message = `The task could not be called: ${reason}.`;
        await endResult(services, db, result, { status: 'errored', message });
        return true;
      });
    },
  },
  [DEADLINE]: {
    async run(services, { result: id }) {
      await changeResult(services, String(id), async (db, result) => {
        if (!OPEN.has(result.status)) return false;
        const message = 'The task did not answer in time.';
        await endResult(services, db, result, { status: 'errored', message });
        return true;
      });
    },
  },
};

const callFailure = ({ code, body }: Delivery): string =>
  code === 0 ? body : `it answered with status ${code}`;

async function openResult(services: Services, id: string): Promise<TaskResult | undefined> {
  const result = await services.db
    .selectFrom('task_results')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return result !== undefined && OPEN.has(result.status) ? result : undefined;
}

async function call(services: Services, result: TaskResult): Promise<Delivery> {
  const { db, baseUrl } = services;
  const run = await db
    .selectFrom('task_stages')
    .innerJoin('runs', 'runs.id', 'task_stages.run_id')
    .innerJoin('stages', 'stages.run_id', 'runs.id')
    .innerJoin(
      'configuration_versions',
      'configuration_versions.id',
      'runs.configuration_version_id',
    )
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id')
    .innerJoin('organizations', 'organizations.id', 'workspaces.organization_id')
    .leftJoin('users', 'users.id', 'runs.created_by')
    .select([
      'task_stages.stage',
      'runs.id',
      'runs.message',
      'runs.created_at',
      'runs.plan_only',
      'runs.configuration_version_id as configuration',
      'configuration_versions.ingress',
      'stages.id as plan',
      'workspaces.id as workspace',
      'workspaces.name as workspaceName',
      'workspaces.settings',
      'organizations.name as organization',
      'users.username',
    ])
    .where('task_stages.id', '=', result.task_stage_id)
    .where('stages.kind', '=', 'plan')
    .executeTakeFirstOrThrow();
  const task = await db
    .selectFrom('run_tasks')
    .selectAll()
    .where('id', '=', result.task_id)
    .executeTakeFirst();
  const { token } = await issueToken(services, {
    kind: 'task',
    ownerId: result.id,
    description: result.name,
    createdBy: null,
    expiresAt: new Date(services.clock.now().getTime() + TIMES.totalMs),
  });
  const ingress = fields(run.ingress);
  const hasPlan = run.stage !== 'pre_plan';
  const configuration = `${baseUrl}/api/v2/configuration-versions/${run.configuration}/download`;
  const body = JSON.stringify({
    payload_version: 1,
    stage: run.stage,
    access_token: token,
    capabilities: { outcomes: true },
    configuration_version_download_url: configuration,
    configuration_version_id: run.configuration,
    is_speculative: run.plan_only,
    organization_name: run.organization,
    ...(hasPlan && { plan_json_api_url: `${baseUrl}/api/v2/plans/${run.plan}/json-output` }),
    run_app_url: `${baseUrl}${runPath(run.organization, run.workspaceName, run.id)}`,
    run_created_at: run.created_at.toISOString(),
    run_created_by: run.username,
    run_id: run.id,
    run_message: run.message,
    task_result_callback_url: `${baseUrl}/api/v2/task-results/${result.id}/callback`,
    task_result_enforcement_level: result.enforcement_level,
    task_result_id: result.id,
    vcs_branch: ingress['branch'] ?? null,
    vcs_commit_url: ingress['commit-url'] ?? null,
    vcs_pull_request_url: ingress['pull-request-url'] ?? null,
    vcs_repo_url: ingress['clone-url'] ?? null,
    workspace_app_url: `${baseUrl}${workspacePath(run.organization, run.workspaceName)}`,
    workspace_id: run.workspace,
    workspace_name: run.workspaceName,
    workspace_working_directory: run.settings['working-directory'] ?? '',
  });
  return await deliver(services, result.task_url, body, signatureOf(services, task, body));
}

function signatureOf(
  { sealing }: Pick<Services, 'sealing'>,
  task: Pick<RunTask, 'id' | 'hmac_key'> | undefined,
  body: string,
): Readonly<Record<string, string>> {
  if (task?.hmac_key == null) return {};
  const key = sealing.open(task.hmac_key, task.id).toString('utf8');
  return { 'x-tfc-task-signature': signature(key, body) };
}

/** Sends a test to a task. Returns how it has answered. */
export async function testTask(
  services: Services,
  task: Pick<RunTask, 'id' | 'url' | 'hmac_key'>,
): Promise<Delivery> {
  const body = JSON.stringify({
    payload_version: 1,
    stage: 'test',
    access_token: 'test-token',
    capabilities: { outcomes: true },
    configuration_version_download_url: null,
    configuration_version_id: null,
    is_speculative: true,
    organization_name: 'test-org',
    run_app_url: services.baseUrl,
    run_created_at: services.clock.now().toISOString(),
    run_created_by: 'test',
    run_id: 'run-test',
    run_message: 'Test run',
    task_result_callback_url: services.baseUrl,
    task_result_enforcement_level: 'test',
    task_result_id: 'taskrs-test',
    workspace_app_url: services.baseUrl,
    workspace_id: 'ws-test',
    workspace_name: 'test',
  });
  return await deliver(services, task.url, body, signatureOf(services, task, body));
}
