import { type Selectable, sql } from 'kysely';
import type { OrganizationTable, WorkspaceTable } from '../database/schema.ts';
import type { Services } from '../services/services.ts';
import type { OrganizationPermission, WorkspacePermission } from './permissions.ts';

export type Organization = Selectable<OrganizationTable>;
export type Workspace = Selectable<WorkspaceTable>;

/** The objects of a request, and the permissions of its principal on them. */
export interface Place {
  readonly organization?: Organization;
  readonly workspace?: Workspace;
  readonly organizationPermissions: ReadonlySet<OrganizationPermission>;
  readonly workspacePermissions: ReadonlySet<WorkspacePermission>;
}

export const NOWHERE: Place = {
  organizationPermissions: new Set(),
  workspacePermissions: new Set(),
};

type Db = Pick<Services, 'db'>;

export async function organizationByName(
  { db }: Db,
  name: string,
): Promise<Organization | undefined> {
  return await db
    .selectFrom('organizations')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst();
}

export async function organizationById({ db }: Db, id: string): Promise<Organization | undefined> {
  return await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function workspaceById({ db }: Db, id: string): Promise<Workspace | undefined> {
  return await db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Objects of an organization or a workspace that paths and bodies name by their ID. */
export type Located =
  | 'organization'
  | 'organization-id'
  | 'workspace'
  | 'workspace-name'
  | 'project'
  | 'team'
  | 'team-token'
  | 'membership'
  | 'variable-set'
  | 'configuration-version'
  | 'run'
  | 'stage'
  | 'state-version'
  | 'state-output'
  | 'agent-pool'
  | 'agent'
  | 'notification'
  | 'run-trigger'
  | 'run-task'
  | 'workspace-task'
  | 'task-stage'
  | 'task-result'
  | 'policy-set'
  | 'policy-set-version'
  | 'policy'
  | 'policy-check'
  | 'assessment-result'
  | 'oauth-client'
  | 'oauth-token'
  | 'team-workspace'
  | 'team-project'
  | 'ssh-key'
  | 'token'
  | 'tag'
  | 'registry-module'
  | 'registry-provider'
  | 'run-event'
  | 'comment'
  | 'document';

/** Returns the ID of the run of an event, which the ID of the event contains. */
export const runOfEvent = (event: string): string => event.replace(/^re-([^-]+)-.*$/, 'run-$1');

/** The organization and workspace of an object. */
export interface Location {
  readonly organization: Organization;
  readonly workspace?: Workspace;
}

/** Finds the organization and the workspace of an object; undefined if there is no such object. */
export async function locate(
  services: Db,
  kind: Located,
  id: string,
  organizationName?: string,
): Promise<Location | undefined> {
  switch (kind) {
    case 'organization':
      return inOrganization(await organizationByName(services, id));
    case 'organization-id':
      return inOrganization(await organizationById(services, id));
    case 'workspace':
      return await inWorkspace(services, id);
    case 'workspace-name': {
      const organization = await organizationByName(services, organizationName ?? '');
      if (organization === undefined) return undefined;
      const workspace = await services.db
        .selectFrom('workspaces')
        .selectAll()
        .where('organization_id', '=', organization.id)
        .where('name', '=', id)
        .executeTakeFirst();
      return workspace === undefined ? undefined : { organization, workspace };
    }
    case 'project':
      return await ofRow(services, 'projects', id);
    case 'team':
      return await ofRow(services, 'teams', id);
    case 'membership':
      return await ofRow(services, 'memberships', id);
    case 'variable-set':
      return await ofRow(services, 'variable_sets', id);
    case 'agent-pool':
      return await ofRow(services, 'agent_pools', id);
    case 'ssh-key':
      return await ofRow(services, 'ssh_keys', id);
    case 'tag':
      return await ofRow(services, 'tags', id);
    case 'registry-module':
      return await ofRow(services, 'registry_modules', id);
    case 'registry-provider':
      return await ofRow(services, 'registry_providers', id);
    case 'document':
      return await ofRow(services, 'documents', id);
    case 'agent': {
      const agent = await services.db
        .selectFrom('agents')
        .select('agent_pool_id')
        .where('id', '=', id)
        .executeTakeFirst();
      return agent?.agent_pool_id == null
        ? undefined
        : await ofRow(services, 'agent_pools', agent.agent_pool_id);
    }
    case 'configuration-version':
      return await ofWorkspaceRow(services, 'configuration_versions', id);
    case 'run':
      return await ofWorkspaceRow(services, 'runs', id);
    case 'run-event':
      return await ofWorkspaceRow(services, 'runs', runOfEvent(id));
    case 'comment':
      return await ofRunRow(services, await parentOf(services, 'comments', 'run_id', id));
    case 'state-version':
      return await ofWorkspaceRow(services, 'state_versions', id);
    case 'notification':
      return await ofWorkspaceRow(services, 'notifications', id);
    case 'run-trigger':
      return await ofWorkspaceRow(services, 'run_triggers', id);
    case 'run-task':
      return await ofRow(services, 'run_tasks', id);
    case 'policy-set':
      return await ofRow(services, 'policy_sets', id);
    case 'policy':
      return await ofRow(services, 'policies', id);
    case 'policy-set-version': {
      const set = await parentOf(services, 'policy_set_versions', 'policy_set_id', id);
      return set === undefined ? undefined : await ofRow(services, 'policy_sets', set);
    }
    case 'oauth-client':
      return await ofRow(services, 'oauth_clients', id);
    case 'oauth-token': {
      const client = await parentOf(services, 'oauth_tokens', 'oauth_client_id', id);
      return client === undefined ? undefined : await ofRow(services, 'oauth_clients', client);
    }
    case 'assessment-result':
      return await ofWorkspaceRow(services, 'assessment_results', id);
    case 'workspace-task':
      return await ofWorkspaceRow(services, 'workspace_tasks', id);
    case 'policy-check':
      return await ofRunRow(services, await parentOf(services, 'policy_checks', 'run_id', id));
    case 'task-stage':
      return await ofRunRow(services, await parentOf(services, 'task_stages', 'run_id', id));
    case 'task-result': {
      const stage = await parentOf(services, 'task_results', 'task_stage_id', id);
      const run =
        stage === undefined ? undefined : await parentOf(services, 'task_stages', 'run_id', stage);
      return await ofRunRow(services, run);
    }
    case 'team-workspace':
      return await ofWorkspaceRow(services, 'team_workspaces', id);
    case 'team-project': {
      const access = await services.db
        .selectFrom('team_projects')
        .select('project_id')
        .where('id', '=', id)
        .executeTakeFirst();
      return access === undefined
        ? undefined
        : await ofRow(services, 'projects', access.project_id);
    }
    case 'stage':
      return await ofRunRow(services, await parentOf(services, 'stages', 'run_id', id));
    case 'state-output': {
      const output = await services.db
        .selectFrom('state_outputs')
        .select('state_version_id')
        .where('id', '=', id)
        .executeTakeFirst();
      return output === undefined
        ? undefined
        : await ofWorkspaceRow(services, 'state_versions', output.state_version_id);
    }
    case 'token':
    case 'team-token': {
      const token = await services.db
        .selectFrom('tokens')
        .select(['kind', 'owner_id'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (token?.kind === 'team') return await ofRow(services, 'teams', token.owner_id);
      if (token?.kind === 'agent') return await ofRow(services, 'agent_pools', token.owner_id);
      return undefined;
    }
  }
}

function inOrganization(organization: Organization | undefined): Location | undefined {
  return organization === undefined ? undefined : { organization };
}

async function inWorkspace(services: Db, id: string): Promise<Location | undefined> {
  const workspace = await workspaceById(services, id);
  if (workspace === undefined) return undefined;
  const organization = await organizationById(services, workspace.organization_id);
  return organization === undefined ? undefined : { organization, workspace };
}

async function ofRow(
  services: Db,
  table:
    | 'projects'
    | 'teams'
    | 'memberships'
    | 'variable_sets'
    | 'agent_pools'
    | 'ssh_keys'
    | 'tags'
    | 'registry_modules'
    | 'registry_providers'
    | 'documents'
    | 'run_tasks'
    | 'oauth_clients'
    | 'policy_sets'
    | 'policies',
  id: string,
): Promise<Location | undefined> {
  const row = await services.db
    .selectFrom(table)
    .select('organization_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : inOrganization(await organizationById(services, row.organization_id));
}

async function ofWorkspaceRow(
  services: Db,
  table:
    | 'configuration_versions'
    | 'runs'
    | 'state_versions'
    | 'notifications'
    | 'run_triggers'
    | 'workspace_tasks'
    | 'assessment_results'
    | 'team_workspaces',
  id: string,
): Promise<Location | undefined> {
  const row = await services.db
    .selectFrom(table)
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : await inWorkspace(services, row.workspace_id);
}

async function ofRunRow(services: Db, runId: string | undefined): Promise<Location | undefined> {
  return runId === undefined ? undefined : await ofWorkspaceRow(services, 'runs', runId);
}

type Parents = {
  readonly stages: 'run_id';
  readonly comments: 'run_id';
  readonly policy_checks: 'run_id';
  readonly task_stages: 'run_id';
  readonly task_results: 'task_stage_id';
  readonly policy_set_versions: 'policy_set_id';
  readonly oauth_tokens: 'oauth_client_id';
};

/** Returns the ID of the object that another one belongs to; undefined if there is no such object. */
async function parentOf<Table extends keyof Parents>(
  { db }: Db,
  table: Table,
  column: Parents[Table],
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly parent: string }>`
    SELECT ${sql.ref(column)} AS parent FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
  return rows[0]?.parent;
}
