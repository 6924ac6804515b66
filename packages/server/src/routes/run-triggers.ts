import { permissionsIn } from '../access/authorize.ts';
import { organizationById, workspaceById } from '../access/place.ts';
import { ApiError, invalid, notFound, type ApiResource, toOne } from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId, type Services } from '../services/services.ts';
import { workspaceOf } from './workspace-resource.ts';

const MOST_SOURCES = 20;

type Trigger = Awaited<ReturnType<typeof row>>;

const selectTriggers = ({ db }: Pick<Services, 'db'>) =>
  db
    .selectFrom('run_triggers')
    .innerJoin('workspaces as target', 'target.id', 'run_triggers.workspace_id')
    .innerJoin('workspaces as source', 'source.id', 'run_triggers.source_id')
    .selectAll('run_triggers')
    .select(['target.name as target', 'source.name as source']);

async function row(services: Pick<Services, 'db'>, id: string) {
  const trigger = await selectTriggers(services)
    .where('run_triggers.id', '=', id)
    .executeTakeFirst();
  if (trigger === undefined) throw notFound();
  return trigger;
}

function triggerResource(trigger: Trigger): ApiResource<'run-triggers'> {
  return {
    id: trigger.id,
    type: 'run-triggers',
    attributes: {
      'workspace-name': trigger.target,
      'sourceable-name': trigger.source,
      'created-at': trigger.created_at.toISOString(),
    },
    relationships: {
      workspace: toOne('workspaces', trigger.workspace_id),
      sourceable: toOne('workspaces', trigger.source_id),
    },
    links: { self: `/api/v2/run-triggers/${trigger.id}` },
  };
}

/** Returns true if the principal may read the runs of a workspace. */
async function mayReadRuns({ services, principal }: ApiRequest, id: string): Promise<boolean> {
  const workspace = await workspaceById(services, id);
  if (workspace === undefined) return false;
  const organization = await organizationById(services, workspace.organization_id);
  if (organization === undefined) return false;
  const place = await permissionsIn(services, principal, { organization, workspace });
  return place.workspacePermissions.has('workspace:read-runs');
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const { db } = services;
  const target = workspaceOf(request);
  const sourceId = input.related('sourceable') ?? '';
  const source = await workspaceById(services, sourceId);
  if (source?.organization_id !== target.organization_id) throw notFound();
  // The applies of the source become visible in the target.
  if (!(await mayReadRuns(request, sourceId))) throw notFound();
  if (source.id === target.id) throw invalid('sourceable', 'cannot be the workspace itself');
  const existing = await db
    .selectFrom('run_triggers')
    .select('source_id')
    .where('workspace_id', '=', target.id)
    .execute();
  if (existing.some((each) => each.source_id === source.id)) {
    throw invalid('sourceable', 'has already been taken');
  }
  if (existing.length >= MOST_SOURCES) {
    throw invalid('sourceable', `is limited to ${MOST_SOURCES} workspaces`);
  }
  const id = newId(services, 'rt');
  await db
    .insertInto('run_triggers')
    .values({
      id,
      workspace_id: target.id,
      source_id: source.id,
      created_at: services.clock.now(),
    })
    .execute();
  await audit(services, principal, {
    organizationId: target.organization_id,
    action: 'create',
    type: 'run-trigger',
    id,
    details: { workspace: target.id, source: source.id },
  });
  return created({ data: triggerResource(await row(services, id)) });
}

async function list(request: ApiRequest) {
  const { services, query } = request;
  const { id } = workspaceOf(request);
  const type = query.get('filter[run-trigger][type]');
  if (type !== 'inbound' && type !== 'outbound') {
    throw new ApiError(
      400,
      'bad request',
      'filter[run-trigger][type] has to be "inbound" or "outbound".',
    );
  }
  const [ownColumn, other] =
    type === 'inbound'
      ? (['run_triggers.workspace_id', 'source_id'] as const)
      : (['run_triggers.source_id', 'workspace_id'] as const);
  const rows = await selectTriggers(services)
    .where(ownColumn, '=', id)
    .orderBy('run_triggers.created_at')
    .orderBy('run_triggers.id')
    .execute();
  const visible: Trigger[] = [];
  for (const each of rows) if (await mayReadRuns(request, each[other])) visible.push(each);
  return await listOfRows(request, visible, triggerResource);
}

async function remove(request: ApiRequest) {
  const { services, principal, param } = request;
  const trigger = await row(services, param('trigger'));
  await services.db.deleteFrom('run_triggers').where('id', '=', trigger.id).execute();
  await audit(services, principal, {
    organizationId: workspaceOf(request).organization_id,
    action: 'destroy',
    type: 'run-trigger',
    id: trigger.id,
    details: { workspace: trigger.workspace_id, source: trigger.source_id },
  });
  return NO_CONTENT;
}

const OF_WORKSPACE = '/api/v2/workspaces/:workspace/run-triggers';
const BY_ID = '/api/v2/run-triggers/:trigger';

export const RUN_TRIGGER_ROUTES: readonly Route[] = [
  { method: 'POST', path: OF_WORKSPACE, rule: inWorkspace('workspace:admin'), handle: create },
  { method: 'GET', path: OF_WORKSPACE, rule: inWorkspace('workspace:read-runs'), handle: list },
  {
    method: 'GET',
    path: BY_ID,
    rule: inWorkspace('workspace:read-runs', 'trigger', 'run-trigger'),
    handle: async ({ services, param }) =>
      ok({ data: triggerResource(await row(services, param('trigger'))) }),
  },
  {
    method: 'DELETE',
    path: BY_ID,
    rule: inWorkspace('workspace:admin', 'trigger', 'run-trigger'),
    handle: remove,
  },
];
