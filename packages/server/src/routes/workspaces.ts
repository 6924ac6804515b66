import type { Workspace } from '../access/place.ts';
import { conflict, type Document, invalid, notFound } from '../http/json-api.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, inWorkspace, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { inheritedExecution, INHERITS, inheritsExecution } from '../services/execution.ts';
import { executionMode } from '../services/runs.ts';
import { newId, type Services } from '../services/services.ts';
import { connectRepository } from '../vcs/repositories.ts';
import { requirePoolFor } from './agent-pools.ts';
import { defaultProjectOf, organizationOf } from './organizations.ts';
import { changeTagsOf, setTagBindings } from './tags.ts';
import { withRelated } from './workspace-included.ts';
import { agentPoolOf, checkedName, projectIdOf, settingsWithVcs } from './workspace-input.ts';
import { listWorkspaces } from './workspace-list.ts';
import { WORKSPACE_LOCK_ROUTES } from './workspace-locks.ts';
import { WORKSPACE_RELATIONSHIP_ROUTES } from './workspace-relationships.ts';
import { presentWorkspaces, workspaceOf, workspaceResource } from './workspace-resource.ts';

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const name = checkedName(input.text('name'));
  const settings = await settingsWithVcs(request, organization.id);
  const pool = (await agentPoolOf(request)) ?? null;
  if (settings['execution-mode'] === 'agent' && pool === null) {
    throw invalid('agent-pool', "can't be blank if the execution mode is agent");
  }
  if (settings['execution-mode'] !== 'agent' && pool !== null) {
    throw invalid('agent-pool', 'requires the execution mode agent');
  }
  await refuseDuplicate(services, organization.id, name);
  const { id: fallback } = (await defaultProjectOf(services, organization.id)) ?? {};
  const projectId = (await projectIdOf(request)) ?? fallback;
  if (projectId === undefined) throw notFound();
  if (pool !== null) await requirePoolFor(services, pool, { project_id: projectId });
  const inherited =
    settings['execution-mode'] === undefined
      ? await inheritedExecution(services.db, organization, projectId)
      : undefined;
  const now = services.clock.now();
  const workspace = await services.db
    .insertInto('workspaces')
    .values({
      id: newId(services, 'ws'),
      organization_id: organization.id,
      project_id: projectId,
      name,
      settings: JSON.stringify({
        ...(inherited !== undefined && { [INHERITS]: true, 'execution-mode': inherited.mode }),
        ...settings,
      }),
      agent_pool_id: inherited?.pool ?? pool,
      locked_by: null,
      lock_reason: '',
      current_run_id: null,
      current_state_version_id: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await changeTagsOf(
    services,
    organization.id,
    workspace.id,
    input.relatedMany('tags') ?? [],
    'add',
  );
  await setTagBindings(services, workspace.id, input.relatedMany('tag-bindings') ?? [], 'add');
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'workspace',
    id: workspace.id,
    details: { name },
  });
  await connectRepository(services, workspace);
  const [data] = await presentWorkspaces(request, [workspace]);
  return created({ ...(data !== undefined && { data }) });
}

async function refuseDuplicate(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
  name: string,
  except = '',
): Promise<void> {
  const taken = await db
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
}

/** Returns the document of a workspace, with what the request includes. */
async function documentOf(request: ApiRequest, workspace: Workspace): Promise<Document> {
  const resource = await workspaceResource(request.services, workspace, request.place);
  const { data, included } = await withRelated(request, [workspace], [resource]);
  return { data: data[0] ?? resource, included };
}

async function read(request: ApiRequest) {
  return ok(await documentOf(request, workspaceOf(request)));
}

/** Returns what a workspace inherits from now on, or in its new project; undefined if it has a mode of its own. */
async function newlyInherited(
  { services, place, input }: ApiRequest,
  settings: Readonly<Record<string, unknown>>,
  projectId: string,
) {
  const { organization, workspace } = place;
  if (organization === undefined || workspace === undefined) return undefined;
  if (settings['execution-mode'] !== undefined) return undefined;
  const isReset = input.object('setting-overwrites')?.['execution-mode'] === false;
  const isMoved = inheritsExecution(workspace) && projectId !== workspace.project_id;
  if (!isReset && !isMoved) return undefined;
  return await inheritedExecution(services.db, organization, projectId);
}

async function update(request: ApiRequest) {
  const { services, input, principal } = request;
  const workspace = workspaceOf(request);
  const name = input.has('name') ? checkedName(input.text('name')) : workspace.name;
  await refuseDuplicate(services, workspace.organization_id, name, workspace.id);
  const settings = await settingsWithVcs(request, workspace.organization_id);
  const projectId = await projectIdOf(request);
  const inherited = await newlyInherited(request, settings, projectId ?? workspace.project_id);
  const pool = inherited === undefined ? await agentPoolOf(request) : inherited.pool;
  const mode = inherited?.mode ?? settings['execution-mode'] ?? executionMode(workspace);
  if (mode === 'agent' && inherited === undefined && (pool ?? workspace.agent_pool_id) === null) {
    throw invalid('agent-pool', "can't be blank if the execution mode is agent");
  }
  if (pool !== undefined && pool !== null && inherited === undefined) {
    const project = projectId ?? workspace.project_id;
    await requirePoolFor(services, pool, { id: workspace.id, project_id: project });
  }
  const updated = await services.db
    .updateTable('workspaces')
    .set({
      name,
      settings: JSON.stringify({
        ...workspace.settings,
        ...settings,
        ...(inherited !== undefined && { [INHERITS]: true, 'execution-mode': inherited.mode }),
        ...(settings['execution-mode'] !== undefined && { [INHERITS]: false }),
      }),
      ...(pool !== undefined && { agent_pool_id: pool }),
      ...(mode !== 'agent' && { agent_pool_id: null }),
      ...(projectId !== undefined && { project_id: projectId }),
      updated_at: services.clock.now(),
    })
    .where('id', '=', workspace.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (input.has('vcs-repo')) await connectRepository(services, updated);
  const bindings = input.relatedMany('tag-bindings');
  if (bindings !== undefined) await setTagBindings(services, workspace.id, bindings, 'replace');
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'update',
    type: 'workspace',
    id: workspace.id,
    details: { settings: Object.keys(settings) },
  });
  return ok(await documentOf(request, updated));
}

async function remove(request: ApiRequest, isSafe: boolean) {
  const { services, principal } = request;
  const workspace = workspaceOf(request);
  if (isSafe) {
    if (workspace.locked_by !== null || workspace.current_run_id !== null) {
      throw conflict('The workspace cannot be safely deleted: it is locked.');
    }
    const state =
      workspace.current_state_version_id === null
        ? undefined
        : await services.db
            .selectFrom('state_versions')
            .select('summary')
            .where('id', '=', workspace.current_state_version_id)
            .executeTakeFirst();
    if (Number(state?.summary['resource-count'] ?? 0) > 0) {
      throw conflict('The workspace cannot be safely deleted: it manages resources.');
    }
  }
  await services.db.deleteFrom('workspaces').where('id', '=', workspace.id).execute();
  await services.db.deleteFrom('variables').where('owner_id', '=', workspace.id).execute();
  await services.db.deleteFrom('tag_bindings').where('subject_id', '=', workspace.id).execute();
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'destroy',
    type: 'workspace',
    id: workspace.id,
    details: { name: workspace.name },
  });
  return NO_CONTENT;
}

const BY_ID = '/api/v2/workspaces/:workspace';
const BY_NAME = '/api/v2/organizations/:organization/workspaces/:name';
const named = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'name', 'workspace-name');

export const WORKSPACE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/workspaces',
    rule: inOrganization('organization:read'),
    handle: listWorkspaces,
  },
  {
    method: 'POST',
    path: '/api/v2/organizations/:organization/workspaces',
    rule: inOrganization('organization:manage-workspaces'),
    handle: create,
  },
  { method: 'GET', path: BY_NAME, rule: named('workspace:read'), handle: read },
  { method: 'PATCH', path: BY_NAME, rule: named('workspace:admin'), handle: update },
  {
    method: 'DELETE',
    path: BY_NAME,
    rule: named('workspace:admin'),
    handle: (request) => remove(request, false),
  },
  {
    method: 'POST',
    path: `${BY_NAME}/actions/safe-delete`,
    rule: named('workspace:admin'),
    handle: (request) => remove(request, true),
  },
  { method: 'GET', path: BY_ID, rule: inWorkspace('workspace:read'), handle: read },
  { method: 'PATCH', path: BY_ID, rule: inWorkspace('workspace:admin'), handle: update },
  {
    method: 'DELETE',
    path: BY_ID,
    rule: inWorkspace('workspace:admin'),
    handle: (request) => remove(request, false),
  },
  {
    method: 'POST',
    path: `${BY_ID}/actions/safe-delete`,
    rule: inWorkspace('workspace:admin'),
    handle: (request) => remove(request, true),
  },
  ...WORKSPACE_LOCK_ROUTES,
  ...WORKSPACE_RELATIONSHIP_ROUTES,
];
