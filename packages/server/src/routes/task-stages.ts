import type { Place } from '../access/place.ts';
import type { Database } from '../database/database.ts';
import { isOneOf } from '../http/choice.ts';
import { groupedBy } from '../http/grouped-by.ts';
import {
  ApiError,
  invalid,
  notFound,
  type ApiResource,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, fields, ok } from '../http/request.ts';
import { inWorkspace, type Route, RUN_TASK } from '../http/route.ts';
import {
  acceptReport,
  stageResults,
  TASK_STAGES,
  type TaskResult,
  type TaskStage,
} from '../services/run-tasks.ts';
import type { Services } from '../services/services.ts';

const STATUSES = ['running', 'passed', 'failed'] as const;
const MOST_OUTCOMES = 100;
const LONGEST = { message: 1_000, url: 2_048, description: 1_000, body: 100_000 };

/** Returns the task stages of runs in the order of the stages. */
export async function taskStagesOf(
  db: Pick<Database, 'selectFrom'>,
  runIds: readonly string[],
): Promise<readonly TaskStage[]> {
  if (runIds.length === 0) return [];
  const rows = await db
    .selectFrom('task_stages')
    .selectAll()
    .where('run_id', 'in', runIds)
    .execute();
  return inStageOrder(rows);
}

/** Returns task stages in the order in which a run passes through them. */
export function inStageOrder<Stage extends { readonly stage: string }>(
  stages: readonly Stage[],
): readonly Stage[] {
  const names: readonly string[] = TASK_STAGES;
  return stages.toSorted((a, b) => names.indexOf(a.stage) - names.indexOf(b.stage));
}

/** Presents task stages. */
export async function taskStageResources(
  { db }: Pick<Services, 'db'>,
  stages: readonly TaskStage[],
  place: Pick<Place, 'workspacePermissions'>,
): Promise<readonly Resource[]> {
  const ids = stages.map(({ id }) => id);
  const results = groupedBy(await stageResults(db, ids), (result) => result.task_stage_id);
  return stages.map((stage) => presentTaskStage(stage, results.get(stage.id) ?? [], place));
}

function presentTaskStage(
  stage: TaskStage,
  results: readonly TaskResult[],
  { workspacePermissions: may }: Pick<Place, 'workspacePermissions'>,
): ApiResource<'task-stages'> {
  return {
    id: stage.id,
    type: 'task-stages',
    attributes: {
      stage: stage.stage,
      status: stage.status,
      'status-timestamps': { ...stage.timestamps },
      'created-at': stage.created_at.toISOString(),
      'updated-at': stage.updated_at.toISOString(),
      permissions: {
        'can-override-policy': may.has('workspace:policy-overrides'),
        'can-override-tasks': false,
        'can-override': false,
      },
      actions: { 'is-overridable': false },
    },
    relationships: {
      run: toOne('runs', stage.run_id),
      'task-results': toMany(
        'task-results',
        results.map(({ id }) => id),
      ),
      'policy-evaluations': { data: [] },
    },
    links: { self: `/api/v2/task-stages/${stage.id}` },
  };
}

const taskResultResource = (result: TaskResult, stage: TaskStage): ApiResource<'task-results'> => ({
  id: result.id,
  type: 'task-results',
  attributes: {
    status: result.status,
    message: result.message,
    'status-timestamps': { ...result.timestamps },
    url: result.url,
    stage: stage.stage,
    'is-speculative': false,
    'task-id': result.task_id,
    'task-name': result.name,
    'task-url': result.task_url,
    'workspace-task-id': result.workspace_task_id,
    'workspace-task-enforcement-level': result.enforcement_level,
    'agent-pool-id': null,
    'created-at': result.created_at.toISOString(),
    'updated-at': result.updated_at.toISOString(),
  },
  relationships: { 'task-stage': toOne('task-stages', stage.id) },
  links: { self: `/api/v2/task-results/${result.id}` },
});

async function stageById({ services }: ApiRequest, id: string): Promise<TaskStage> {
  const stage = await services.db
    .selectFrom('task_stages')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (stage === undefined) throw notFound();
  return stage;
}

async function resultById({ services, param }: ApiRequest): Promise<TaskResult> {
  const result = await services.db
    .selectFrom('task_results')
    .selectAll()
    .where('id', '=', param('result'))
    .executeTakeFirst();
  if (result === undefined) throw notFound();
  return result;
}

async function readStage(request: ApiRequest) {
  const { services, place, query, param } = request;
  const stage = await stageById(request, param('stage'));
  const includeNames = (query.get('include') ?? '').split(',');
  const results = includeNames.includes('task_results')
    ? await stageResults(services.db, [stage.id])
    : [];
  return ok({
    data: (await taskStageResources(services, [stage], place))[0] ?? null,
    included: results.map((each) => taskResultResource(each, stage)),
  });
}

async function readResult(request: ApiRequest) {
  const result = await resultById(request);
  return ok({ data: taskResultResource(result, await stageById(request, result.task_stage_id)) });
}

/** Receives the report of a task, which authenticates with the token that it was sent. */
async function callback(request: ApiRequest) {
  const { services, input, param } = request;
  const status = input.text('status') ?? '';
  if (!isOneOf(STATUSES, status)) {
    throw invalid('status', `has to be one of: ${STATUSES.join(', ')}`);
  }
  const message = (input.text('message') ?? '').slice(0, LONGEST.message);
  const url = linkOf(input.text('url') ?? '');
  const outcomes = outcomesOf(fields(fields(input.data['relationships'])['outcomes'])['data']);
  await acceptReport(services, param('result'), { status, message, url, outcomes });
  return await readResult(request);
}

/** Returns a link that a browser may open; an empty text for anything else. */
function linkOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLink = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isLink && text.length <= LONGEST.url ? text : '';
}

function outcomesOf(data: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list: readonly unknown[] = Array.isArray(data) ? data : [];
  if (list.length > MOST_OUTCOMES) {
    throw new ApiError(422, 'invalid', `A task reports at most ${MOST_OUTCOMES} outcomes.`);
  }
  return list.map((each) => {
    const attributes = fields(fields(each)['attributes']);
    const text = (name: string, longest: number): string => {
      const value = attributes[name];
      return typeof value === 'string' ? value.slice(0, longest) : '';
    };
    return {
      'outcome-id': text('outcome-id', 200),
      description: text('description', LONGEST.description),
      body: text('body', LONGEST.body),
      url: linkOf(text('url', LONGEST.url)),
      tags: fields(attributes['tags']),
    };
  });
}

async function listOutcomes(request: ApiRequest) {
  const { id, outcomes } = await resultById(request);
  return await listOfRows(
    request,
    outcomes.map((attributes, index) => ({ attributes, index })),
    ({ attributes, index }) => ({
      id: `${id.replace('taskrs', 'taskrso')}-${index}`,
      type: 'task-result-outcomes',
      attributes,
    }),
  );
}

const ofStage = inWorkspace('workspace:read-runs', 'stage', 'task-stage');
const ofResult = inWorkspace('workspace:read-runs', 'result', 'task-result');

export const TASK_STAGE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/runs/:run/task-stages',
    rule: inWorkspace('workspace:read-runs', 'run', 'run'),
    async handle(request) {
      const { services, place, param } = request;
      const stages = await taskStagesOf(services.db, [param('run')]);
      const resources = await taskStageResources(services, stages, place);
      return await listOfRows(request, resources, (resource) => resource);
    },
  },
  { method: 'GET', path: '/api/v2/task-stages/:stage', rule: ofStage, handle: readStage },
  { method: 'GET', path: '/api/v2/task-results/:result', rule: ofResult, handle: readResult },
  {
    method: 'GET',
    path: '/api/v2/task-results/:result/outcomes',
    rule: ofResult,
    handle: listOutcomes,
  },
  {
    method: 'PATCH',
    path: '/api/v2/task-results/:result/callback',
    rule: RUN_TASK,
    limit: 12 * 1024 * 1024,
    handle: callback,
  },
];
