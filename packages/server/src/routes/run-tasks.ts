import { isOneOf } from '../http/choice.ts';
import { ApiError, invalid, notFound, type ApiResource, toMany, toOne } from '../http/json-api.ts';
import { listOf } from '../http/listing.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, inWorkspace, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { failureText } from '../services/notifications.ts';
import { outgoingUrl } from '../services/outgoing.ts';
import { type RunTask, TASK_STAGES, testTask } from '../services/run-tasks.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';
import { workspaceOf } from './workspace-resource.ts';

const LEVELS = ['advisory', 'mandatory'] as const;
const MOST_TASKS = 50;

/** Presents a run task. Its key is never returned. */
async function taskResource(
  { services, place }: ApiRequest,
  task: RunTask,
): Promise<ApiResource<'tasks'>> {
  const attached = await services.db
    .selectFrom('workspace_tasks')
    .select('id')
    .where('task_id', '=', task.id)
    .execute();
  const { enabled, stages, 'enforcement-level': level } = task.global_stages;
  return {
    id: task.id,
    type: 'tasks',
    attributes: {
      category: 'task',
      name: task.name,
      url: task.url,
      description: task.description,
      enabled: task.enabled,
      'hmac-key': null,
      'global-configuration': {
        enabled: enabled === true,
        stages: Array.isArray(stages) ? stages : [],
        'enforcement-level': typeof level === 'string' ? level : 'advisory',
      },
    },
    relationships: {
      organization: toOne('organizations', place.organization?.name),
      'workspace-tasks': toMany(
        'workspace-tasks',
        attached.map(({ id }) => id),
      ),
    },
    links: { self: `/api/v2/tasks/${task.id}` },
  };
}

async function taskOf({ services, param }: ApiRequest): Promise<RunTask> {
  const task = await services.db
    .selectFrom('run_tasks')
    .selectAll()
    .where('id', '=', param('task'))
    .executeTakeFirst();
  if (task === undefined) throw notFound();
  return task;
}

function stagesIn(attribute: string, value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const names = list.map(String);
  const known: readonly string[] = TASK_STAGES;
  if (names.length === 0 || names.some((each) => !known.includes(each))) {
    throw invalid(attribute, `have to be some of: ${TASK_STAGES.join(', ')}`);
  }
  return [...new Set(names)];
}

function levelIn(value: unknown): (typeof LEVELS)[number] {
  const level = typeof value === 'string' ? value : '';
  if (!isOneOf(LEVELS, level)) {
    throw invalid('enforcement-level', `has to be one of: ${LEVELS.join(', ')}`);
  }
  return level;
}

function globalSettings({ input }: ApiRequest, before: RunTask | undefined): string {
  const requestedSettings = input.object('global-configuration');
  if (requestedSettings === undefined) return JSON.stringify(before?.global_stages ?? {});
  const merged = { ...before?.global_stages, ...requestedSettings };
  const { stages, 'enforcement-level': level } = merged;
  const enabled = merged['enabled'] === true;
  // While the task is not global, its settings are kept, and may be missing.
  return JSON.stringify({
    enabled,
    ...((enabled || stages !== undefined) && { stages: stagesIn('global-configuration', stages) }),
    ...((enabled || level !== undefined) && { 'enforcement-level': levelIn(level) }),
  });
}

/** Reads a task, and verifies that its service answers. Throws an ApiError. */
async function readTask(request: ApiRequest, id: string, before: RunTask | undefined) {
  const { services, input } = request;
  const name = input.text('name') ?? before?.name ?? '';
  if (!/^[\w-]{1,90}$/.test(name)) {
    throw invalid('name', 'can contain letters, numbers, hyphens and underscores only');
  }
  const category = input.text('category');
  if (category !== undefined && category !== 'task') throw invalid('category', 'has to be "task"');
  const key = input.text('hmac-key');
  const values = {
    name,
    url: outgoingUrl('url', input.text('url') ?? before?.url),
    description: input.text('description') ?? before?.description ?? '',
    enabled: input.boolean('enabled') ?? before?.enabled ?? true,
    hmac_key: input.has('hmac-key')
      ? key === undefined || key === ''
        ? null
        : services.sealing.seal(key, id)
      : (before?.hmac_key ?? null),
    global_stages: globalSettings(request, before),
  };
  const needsTest = values.url !== before?.url || input.has('hmac-key');
  if (values.enabled && needsTest) {
    const delivery = await testTask(services, { id, ...values });
    if (!delivery.isSuccessful) {
      throw new ApiError(
        422,
        'invalid attribute',
        `The service of the task could not be verified: ${failureText(delivery)}. It has to answer a request with status 200.`,
        '/data/attributes/url',
      );
    }
  }
  return values;
}

async function requireFreeName(
  services: Services,
  organizationId: string,
  name: string,
): Promise<void> {
  const rows = await services.db
    .selectFrom('run_tasks')
    .select('name')
    .where('organization_id', '=', organizationId)
    .execute();
  if (rows.some((each) => each.name === name)) throw invalid('name', 'has already been taken');
  if (rows.length >= MOST_TASKS) {
    throw new ApiError(422, 'invalid', `An organization has at most ${MOST_TASKS} run tasks.`);
  }
}

async function create(request: ApiRequest) {
  const { services, input } = request;
  const organization = organizationOf(request);
  await requireFreeName(services, organization.id, input.text('name') ?? '');
  const id = newId(services, 'task');
  const values = await readTask(request, id, undefined);
  const task = await services.db
    .insertInto('run_tasks')
    .values({ id, organization_id: organization.id, created_at: services.clock.now(), ...values })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'create', 'run-task', id);
  return created({ data: await taskResource(request, task) });
}

async function update(request: ApiRequest) {
  const { services } = request;
  const before = await taskOf(request);
  const values = await readTask(request, before.id, before);
  if (values.name !== before.name) {
    await requireFreeName(services, before.organization_id, values.name);
  }
  const task = await services.db
    .updateTable('run_tasks')
    .set(values)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'update', 'run-task', task.id);
  return ok({ data: await taskResource(request, task) });
}

async function remove(request: ApiRequest) {
  const { id } = await taskOf(request);
  await request.services.db.deleteFrom('run_tasks').where('id', '=', id).execute();
  await record(request, 'destroy', 'run-task', id);
  return NO_CONTENT;
}

async function record(
  request: ApiRequest,
  action: string,
  type: string,
  id: string,
): Promise<void> {
  const { services, principal, place } = request;
  await audit(services, principal, {
    organizationId: place.organization?.id ?? null,
    action,
    type,
    id,
    ...(place.workspace !== undefined && { details: { workspace: place.workspace.id } }),
  });
}

interface WorkspaceTask {
  readonly id: string;
  readonly task_id: string;
  readonly workspace_id: string;
  readonly enforcement_level: (typeof LEVELS)[number];
  readonly stages: readonly string[];
}

const workspaceTaskResource = (row: WorkspaceTask): ApiResource<'workspace-tasks'> => ({
  id: row.id,
  type: 'workspace-tasks',
  attributes: {
    'enforcement-level': row.enforcement_level,
    ...(row.stages[0] !== undefined && { stage: row.stages[0] }),
    stages: row.stages,
  },
  relationships: {
    task: toOne('tasks', row.task_id),
    workspace: toOne('workspaces', row.workspace_id),
  },
  links: { self: `/api/v2/workspaces/${row.workspace_id}/tasks/${row.id}` },
});

/** Reads `stages`, or `stage` of older clients. */
function readStages({ input }: ApiRequest): readonly string[] | undefined {
  if (input.has('stages')) return stagesIn('stages', input.attributes['stages']);
  return input.has('stage') ? stagesIn('stage', [input.attributes['stage']]) : undefined;
}

async function attach(request: ApiRequest) {
  const { services, input } = request;
  const workspace = workspaceOf(request);
  const task = await services.db
    .selectFrom('run_tasks')
    .select('id')
    .where('id', '=', input.related('task') ?? '')
    .where('organization_id', '=', workspace.organization_id)
    .executeTakeFirst();
  if (task === undefined) throw notFound();
  const taken = await services.db
    .selectFrom('workspace_tasks')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('task_id', '=', task.id)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('task', 'is already attached to the workspace');
  const row = await services.db
    .insertInto('workspace_tasks')
    .values({
      id: newId(services, 'wstask'),
      task_id: task.id,
      workspace_id: workspace.id,
      enforcement_level: levelIn(input.attributes['enforcement-level']),
      stages: JSON.stringify(readStages(request) ?? ['post_plan']),
      created_at: services.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'create', 'workspace-task', row.id);
  return created({ data: workspaceTaskResource(row) });
}

async function readTaskResource(request: ApiRequest) {
  const task = await taskOf(request);
  const wanted = (request.query.get('include') ?? '').split(',');
  const attached = wanted.includes('workspace_tasks')
    ? await request.services.db
        .selectFrom('workspace_tasks')
        .selectAll()
        .where('task_id', '=', task.id)
        .orderBy('created_at')
        .execute()
    : [];
  return ok({
    data: await taskResource(request, task),
    included: attached.map(workspaceTaskResource),
  });
}

async function workspaceTaskOf({ services, param, place }: ApiRequest) {
  const row = await services.db
    .selectFrom('workspace_tasks')
    .selectAll()
    .where('id', '=', param('task'))
    .where('workspace_id', '=', workspaceOf({ place }).id)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

async function updateAttached(request: ApiRequest) {
  const { services, input } = request;
  const before = await workspaceTaskOf(request);
  const level = input.attributes['enforcement-level'];
  const row = await services.db
    .updateTable('workspace_tasks')
    .set({
      enforcement_level: level === undefined ? before.enforcement_level : levelIn(level),
      stages: JSON.stringify(readStages(request) ?? before.stages),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'update', 'workspace-task', row.id);
  return ok({ data: workspaceTaskResource(row) });
}

const OF_ORGANIZATION = '/api/v2/organizations/:organization/tasks';
const BY_ID = '/api/v2/tasks/:task';
const OF_WORKSPACE = '/api/v2/workspaces/:workspace/tasks';

export const RUN_TASK_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: OF_ORGANIZATION,
    rule: inOrganization('organization:manage-run-tasks'),
    handle: create,
  },
  {
    method: 'GET',
    path: OF_ORGANIZATION,
    rule: inOrganization('organization:read'),
    handle: (request) =>
      listOf(
        request,
        request.services.db
          .selectFrom('run_tasks')
          .selectAll()
          .where('organization_id', '=', organizationOf(request).id)
          .orderBy('name'),
        (row) => taskResource(request, row),
      ),
  },
  {
    method: 'GET',
    path: BY_ID,
    rule: inOrganization('organization:read', 'task', 'run-task'),
    handle: readTaskResource,
  },
  {
    method: 'PATCH',
    path: BY_ID,
    rule: inOrganization('organization:manage-run-tasks', 'task', 'run-task'),
    handle: update,
  },
  {
    method: 'DELETE',
    path: BY_ID,
    rule: inOrganization('organization:manage-run-tasks', 'task', 'run-task'),
    handle: remove,
  },
  { method: 'POST', path: OF_WORKSPACE, rule: inWorkspace('workspace:run-tasks'), handle: attach },
  {
    method: 'GET',
    path: OF_WORKSPACE,
    rule: inWorkspace('workspace:read'),
    handle: (request) =>
      listOf(
        request,
        request.services.db
          .selectFrom('workspace_tasks')
          .selectAll()
          .where('workspace_id', '=', workspaceOf(request).id)
          .orderBy('created_at')
          .orderBy('id'),
        workspaceTaskResource,
      ),
  },
  {
    method: 'GET',
    path: `${OF_WORKSPACE}/:task`,
    rule: inWorkspace('workspace:read'),
    handle: async (request) => ok({ data: workspaceTaskResource(await workspaceTaskOf(request)) }),
  },
  {
    method: 'PATCH',
    path: `${OF_WORKSPACE}/:task`,
    rule: inWorkspace('workspace:run-tasks'),
    handle: updateAttached,
  },
  {
    method: 'DELETE',
    path: `${OF_WORKSPACE}/:task`,
    rule: inWorkspace('workspace:run-tasks'),
    async handle(request) {
      const { id } = await workspaceTaskOf(request);
      await request.services.db.deleteFrom('workspace_tasks').where('id', '=', id).execute();
      await record(request, 'destroy', 'workspace-task', id);
      return NO_CONTENT;
    },
  },
];
