import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { TeamTable, TeamWorkspaceTable } from '../database/schema.ts';
import { forbidden } from '../http/json-api.ts';
import type { Services } from '../services/services.ts';
import { refusesToken } from '../services/token-ttl.ts';
import type { Located, Location, Organization, Place, Workspace } from './place.ts';
import {
  ORGANIZATION_ACCESS,
  ORGANIZATION_PERMISSIONS,
  permissionsOfAccess,
  UP_TO_ADMIN,
  WORKSPACE_PERMISSIONS,
  type OrganizationPermission,
  type WorkspacePermission,
} from './permissions.ts';
import type { Principal } from './principal.ts';

export const OWNERS_TEAM = 'owners';
/** The organization access of teams that override policies in every workspace. */
const OVERRIDES = 'manage-policy-overrides';

/** The object that a request names. */
export interface LocatedObject {
  readonly of: Located;
  readonly id: string;
}

/**
 * Determines what a principal may do in an organization and a workspace. This is the only place that decides about
 * permissions; routes name the permission that they require.
 */
export async function permissionsIn(
  services: Pick<Services, 'db'>,
  principal: Principal,
  { organization, workspace }: Location,
  subject?: LocatedObject,
): Promise<Place> {
  const everything = (): Place => ({
    organization,
    ...(workspace !== undefined && { workspace }),
    organizationPermissions: new Set(ORGANIZATION_PERMISSIONS),
    workspacePermissions: new Set(WORKSPACE_PERMISSIONS),
  });
  const only = (
    organizationPermissions: Iterable<OrganizationPermission>,
    workspacePermissions: Iterable<WorkspacePermission> = [],
  ): Place => ({
    organization,
    ...(workspace !== undefined && { workspace }),
    organizationPermissions: new Set(organizationPermissions),
    workspacePermissions: new Set(workspacePermissions),
  });
  switch (principal.kind) {
    case 'anonymous':
    case 'agent':
    case 'metrics':
      return only([]);
    case 'audit-trails':
      return principal.organizationId === organization.id
        ? only(['organization:read-audit'])
        : only([]);
    case 'organization':
      // An organization token manages teams and workspaces, and does not start runs, as in HCP Terraform.
      return principal.organizationId === organization.id
        ? only(
            ORGANIZATION_PERMISSIONS,
            WORKSPACE_PERMISSIONS.filter(
              (name) => name !== 'workspace:apply' && name !== 'workspace:queue-plan',
            ),
          )
        : only([]);
    case 'task':
      return (await isOfTask(services, principal.resultId, subject))
        ? only([], ['workspace:read', 'workspace:read-runs', 'workspace:read-plan-json'])
        : only([]);
    case 'run':
      return await permissionsOfRun(services, principal.runId, organization, workspace, only);
    case 'team':
    case 'user': {
      // Routes of several organizations are not authorized in one of them.
      if (await refusesToken(services, organization, principal)) return only([]);
      if (principal.kind === 'user' && principal.user.is_site_admin) return everything();
      const teams = await teamsIn(services, principal, organization);
      if (teams === undefined) return only([]);
      if (teams.some(({ name }) => name === OWNERS_TEAM)) return everything();
      const workspaces = workspace === undefined ? [] : [workspace];
      const grants = await grantsOf(services, teams, workspaces);
      return only(...permissionsOfTeams(teams, grants, workspace));
    }
  }
}

/** Determines what a principal may do in each of several workspaces of an organization, with as many queries as for one. */
export async function permissionsInEach(
  services: Pick<Services, 'db'>,
  principal: Principal,
  organization: Organization,
  workspaces: readonly Workspace[],
): Promise<readonly Place[]> {
  if (principal.kind === 'team' || (principal.kind === 'user' && !principal.user.is_site_admin)) {
    const teams = await teamsIn(services, principal, organization);
    if (teams !== undefined && !teams.some(({ name }) => name === OWNERS_TEAM)) {
      const grants = await grantsOf(services, teams, workspaces);
      return workspaces.map((workspace) => {
        const [organizationPermissions, workspacePermissions] = permissionsOfTeams(
          teams,
          grants,
          workspace,
        );
        return { organization, workspace, organizationPermissions, workspacePermissions };
      });
    }
  }
  const places: Place[] = [];
  for (const workspace of workspaces) {
    places.push(await permissionsIn(services, principal, { organization, workspace }));
  }
  return places;
}

type Team = Selectable<TeamTable>;

/** Returns the teams of a principal in an organization; undefined if it does not belong to the organization. */
async function teamsIn(
  { db }: Pick<Services, 'db'>,
  principal: Extract<Principal, { readonly kind: 'team' | 'user' }>,
  organization: Organization,
): Promise<readonly Team[] | undefined> {
  if (principal.kind === 'team') {
    const team = await db
      .selectFrom('teams')
      .selectAll()
      .where('id', '=', principal.teamId)
      .where('organization_id', '=', organization.id)
      .executeTakeFirst();
    return team === undefined ? undefined : [team];
  }
  const member = await db
    .selectFrom('memberships')
    .select('id')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', principal.user.id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (member === undefined) return undefined;
  return await db
    .selectFrom('teams')
    .innerJoin('team_members', 'team_members.team_id', 'teams.id')
    .selectAll('teams')
    .where('teams.organization_id', '=', organization.id)
    .where('team_members.user_id', '=', principal.user.id)
    .execute();
}

/**
 * Throws an ApiError if a principal may not change a team. Whoever manages teams or memberships does not decide who owns
 * the organization: only owners do.
 */
export function requireOwnerFor(
  { organizationPermissions }: Pick<Place, 'organizationPermissions'>,
  teamName: string,
): void {
  if (teamName === OWNERS_TEAM && !organizationPermissions.has('organization:admin')) {
    throw forbidden();
  }
}

/** A run task may read its run, the plan and the configuration during its call. */
async function isOfTask(
  { db }: Pick<Services, 'db'>,
  resultId: string,
  subject: LocatedObject | undefined,
): Promise<boolean> {
  const run = await db
    .selectFrom('task_results')
    .innerJoin('task_stages', 'task_stages.id', 'task_results.task_stage_id')
    .innerJoin('runs', 'runs.id', 'task_stages.run_id')
    .innerJoin('stages', 'stages.run_id', 'runs.id')
    .select(['runs.id', 'runs.configuration_version_id', 'stages.id as plan'])
    .where('task_results.id', '=', resultId)
    .where('stages.kind', '=', 'plan')
    .executeTakeFirst();
  if (run === undefined || subject === undefined) return false;
  const id = {
    run: run.id,
    stage: run.plan,
    'configuration-version': run.configuration_version_id,
    'task-result': resultId,
  }[String(subject.of)];
  return id === subject.id;
}

/** A run reads the states that its workspace may read, and nothing else. */
async function permissionsOfRun(
  { db }: Pick<Services, 'db'>,
  runId: string,
  organization: Organization,
  workspace: Workspace | undefined,
  only: (
    organizationPermissions: Iterable<OrganizationPermission>,
    workspacePermissions?: Iterable<WorkspacePermission>,
  ) => Place,
): Promise<Place> {
  const runWorkspace = await db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id')
    .select(['workspaces.id', 'workspaces.organization_id', 'workspaces.project_id'])
    .where('runs.id', '=', runId)
    .executeTakeFirst();
  if (runWorkspace === undefined || runWorkspace.organization_id !== organization.id)
    return only([]);
  const reads: readonly WorkspacePermission[] = [
    'workspace:read',
    'workspace:read-outputs',
    'workspace:read-state',
  ];
  if (workspace === undefined) return only(['organization:read']);
  if (workspace.id === runWorkspace.id) return only(['organization:read'], reads);
  if (workspace.settings['global-remote-state'] === true) return only(['organization:read'], reads);
  if (
    workspace.settings['project-remote-state'] === true &&
    workspace.project_id === runWorkspace.project_id
  ) {
    return only(['organization:read'], reads);
  }
  const consumers = workspace.settings['remote-state-consumers'];
  const isConsumer = Array.isArray(consumers) && consumers.includes(runWorkspace.id);
  return only(['organization:read'], isConsumer ? reads : []);
}

/** The access that teams were granted to workspaces and projects. */
interface Grant {
  /** the workspace or the project */
  readonly subject: string;
  readonly access: string;
  readonly permissions: Selectable<TeamWorkspaceTable>['permissions'];
}

async function grantsOf(
  { db }: Pick<Services, 'db'>,
  teams: readonly Team[],
  workspaces: readonly Workspace[],
): Promise<readonly Grant[]> {
  if (teams.length === 0 || workspaces.length === 0) return [];
  const ids = teams.map(({ id }) => id);
  const direct = await db
    .selectFrom('team_workspaces')
    .select(['workspace_id as subject', 'access', 'permissions'])
    .where(
      'workspace_id',
      'in',
      workspaces.map(({ id }) => id),
    )
    .where('team_id', 'in', ids)
    .execute();
  const ofProjects = await db
    .selectFrom('team_projects')
    .select(['project_id as subject', 'access', 'permissions'])
    .where('project_id', 'in', [...new Set(workspaces.map((each) => each.project_id))])
    .where('team_id', 'in', ids)
    .execute();
  return [...direct, ...ofProjects];
}

function permissionsOfTeams(
  teams: readonly Team[],
  grants: readonly Grant[],
  workspace: Workspace | undefined,
): [ReadonlySet<OrganizationPermission>, ReadonlySet<WorkspacePermission>] {
  const inOrganization = new Set<OrganizationPermission>(['organization:read']);
  for (const { organization_access: access } of teams) {
    for (const [name, permissions] of Object.entries(ORGANIZATION_ACCESS)) {
      if (access[name] === true) for (const each of permissions) inOrganization.add(each);
    }
  }
  const inWorkspace = new Set<WorkspacePermission>();
  const add = (permissions: Iterable<WorkspacePermission>): void => {
    for (const each of permissions) inWorkspace.add(each);
  };
  if (inOrganization.has('organization:read-workspaces')) add(permissionsOfAccess('read', {}));
  if (inOrganization.has('organization:manage-workspaces')) add(UP_TO_ADMIN);
  if (teams.some(({ organization_access: access }) => access[OVERRIDES] === true)) {
    add(['workspace:read', 'workspace:read-runs', 'workspace:policy-overrides']);
  }
  for (const { subject, access, permissions } of grants) {
    if (subject === workspace?.id || subject === workspace?.project_id) {
      add(permissionsOfAccess(access, permissions));
    }
  }
  return [inOrganization, inWorkspace];
}

/**
 * Returns the condition that a principal can see a row of `workspaces`; undefined: it can see all workspaces of the
 * organization. The condition names projects instead of their workspaces, which can be very many.
 */
export async function visibleWorkspaces(
  { db }: Pick<Services, 'db'>,
  principal: Principal,
  place: Place,
): Promise<RawBuilder<boolean> | undefined> {
  if (place.organizationPermissions.has('organization:read-workspaces')) return undefined;
  if (place.organizationPermissions.has('organization:admin')) return undefined;
  const teamIds =
    principal.kind === 'team'
      ? [principal.teamId]
      : principal.kind === 'user'
        ? (
            await db
              .selectFrom('team_members')
              .select('team_id')
              .where('user_id', '=', principal.user.id)
              .execute()
          ).map(({ team_id: id }) => id)
        : [];
  if (teamIds.length === 0) return sql`false`;
  const direct = await db
    .selectFrom('team_workspaces')
    .select('workspace_id as id')
    .where('team_id', 'in', teamIds)
    .execute();
  const projects = await db
    .selectFrom('team_projects')
    .select('project_id as id')
    .where('team_id', 'in', teamIds)
    .execute();
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  return sql`(workspaces.project_id = ANY(${ids(projects)}::text[])
    OR workspaces.id = ANY(${ids(direct)}::text[]))`;
}
