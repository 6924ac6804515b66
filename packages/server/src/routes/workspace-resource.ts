import { permissionsInEach } from '../access/authorize.ts';
import { NOWHERE, type Place, type Workspace } from '../access/place.ts';
import type { Principal } from '../access/principal.ts';
import type { Settings } from '../database/schema.ts';
import { notFound, type ApiResource, type Resource, toMany, toOne } from '../http/json-api.ts';
import type { ApiRequest } from '../http/request.ts';
import { DEFAULT_INTERVAL } from '../services/assessments.ts';
import { AUTO_DESTROY_DURATION } from '../services/auto-destroy.ts';
import { inheritsExecution } from '../services/execution.ts';
import { executionMode } from '../services/runs.ts';
import type { Services } from '../services/services.ts';
import { workspacePath } from '../web/paths.ts';
import { type WorkspaceFacts, workspaceFacts } from './workspace-facts.ts';

/** Attributes that clients may set, with their defaults. */
export const WORKSPACE_SETTINGS: Settings<'workspaces'> = {
  'allow-destroy-plan': true,
  'apply-from-comments': false,
  'assessments-enabled': false,
  'assessment-interval': DEFAULT_INTERVAL,
  'auto-apply': false,
  'auto-apply-run-trigger': false,
  'auto-destroy-at': null,
  'auto-destroy-activity-duration': null,
  'inherits-project-auto-destroy': true,
  description: null,
  engine: 'terrane',
  environment: 'default',
  'execution-mode': 'remote',
  'file-triggers-enabled': true,
  'global-remote-state': false,
  'project-remote-state': false,
  'migration-environment': null,
  'queue-all-runs': false,
  'speculative-enabled': true,
  'source-name': null,
  'source-url': null,
  'structured-run-output-enabled': false,
  'terraform-version': 'latest',
  'trigger-prefixes': [],
  'trigger-patterns': [],
  'vcs-repo': null,
  'working-directory': '',
};

/** Returns the workspace that the rule of the route has found. */
export function workspaceOf({ place }: Pick<ApiRequest, 'place'>): Workspace {
  if (place.workspace === undefined) throw notFound();
  return place.workspace;
}

/** Returns who a lock belongs to. */
function holderOf(workspace: Workspace): { readonly type: string; readonly id: string } | null {
  const { locked_by: holder, current_run_id: run } = workspace;
  if (holder === null) return run === null ? null : { type: 'runs', id: run };
  if (holder.startsWith('team-')) return { type: 'teams', id: holder };
  if (holder.startsWith('org-')) return { type: 'organizations', id: holder };
  return { type: 'users', id: holder };
}

/** Presents a workspace. */
export async function workspaceResource(
  services: Pick<Services, 'db'>,
  workspace: Workspace,
  place: Place,
): Promise<Resource> {
  const factsOf = await workspaceFacts(services, [workspace]);
  return presentWorkspace(workspace, place, factsOf(workspace.id));
}

/** Presents several workspaces, each with the permissions of the principal there, with as many queries as for one. */
export async function presentWorkspaces(
  request: ApiRequest,
  workspaces: readonly Workspace[],
): Promise<readonly Resource[]> {
  const places = await placesOf(request, workspaces);
  const factsOf = await workspaceFacts(request.services, workspaces);
  return workspaces.map((workspace, index) =>
    presentWorkspace(workspace, places[index] ?? NOWHERE, factsOf(workspace.id)),
  );
}

/** Returns the places of workspaces, with the permissions of the principal there. */
export async function placesOf(
  { services, principal, place }: ApiRequest,
  workspaces: readonly Workspace[],
): Promise<readonly Place[]> {
  const { organization } = place;
  if (organization === undefined) return workspaces.map(() => place);
  if (place.organizationPermissions.has('organization:admin')) {
    return workspaces.map((workspace) => ({ ...place, workspace }));
  }
  return await permissionsInEach(services, principal, organization, workspaces);
}

function presentWorkspace(
  workspace: Workspace,
  place: Place,
  facts: WorkspaceFacts,
): ApiResource<'workspaces'> {
  const { workspacePermissions: may } = place;
  const { settings } = workspace;
  const { tags, bindings } = facts;
  const variables = may.has('workspace:read-variables') ? facts.variables : [];
  const mode = executionMode(workspace);
  const holder = holderOf(workspace);
  const overwrites = settings['setting-overwrites'];
  const inherits = inheritsExecution(workspace);
  const resourceCount = Number(facts.summary?.['resource-count'] ?? 0);
  return {
    id: workspace.id,
    type: 'workspaces',
    attributes: {
      name: workspace.name,
      ...WORKSPACE_SETTINGS,
      ...settings,
      'auto-destroy-activity-duration': durationOf(settings, facts),
      'execution-mode': mode,
      operations: mode !== 'local',
      actions: { 'is-destroyable': true },
      'can-queue-destroy-plan': true,
      'created-at': workspace.created_at.toISOString(),
      'updated-at': workspace.updated_at.toISOString(),
      'latest-change-at': workspace.updated_at.toISOString(),
      'last-assessment-result-at': facts.assessedAt?.toISOString() ?? null,
      locked: holder !== null,
      'locked-reason': workspace.lock_reason,
      'resource-count': resourceCount,
      'apply-duration-average': null,
      'plan-duration-average': null,
      'policy-check-failures': null,
      'run-failures': null,
      'workspace-kpis-runs-count': facts.runs,
      'unarchived-workspace-change-requests-count': 0,
      'tag-names': tags.map(({ name }) => name),
      'setting-overwrites': {
        'execution-mode': !inherits && settings['execution-mode'] !== undefined,
        'agent-pool': !inherits && (overwrites?.['agent-pool'] ?? workspace.agent_pool_id !== null),
      },
      source: settings['source'] ?? 'tfe-api',
      permissions: {
        'can-update': may.has('workspace:admin'),
        'can-destroy': may.has('workspace:admin'),
        'can-force-delete': may.has('workspace:admin'),
        'can-force-unlock': may.has('workspace:admin'),
        'can-lock': may.has('workspace:lock'),
        'can-unlock': may.has('workspace:lock'),
        'can-manage-run-tasks': may.has('workspace:run-tasks'),
        'can-manage-tags': may.has('workspace:admin'),
        'can-queue-apply': may.has('workspace:apply'),
        'can-queue-destroy': may.has('workspace:apply'),
        'can-queue-run': may.has('workspace:queue-plan'),
        'can-read-assessment-results': may.has('workspace:read-runs'),
        'can-read-run': may.has('workspace:read-runs'),
        'can-read-settings': may.has('workspace:read'),
        'can-read-state-versions': may.has('workspace:read-state'),
        'can-read-state-outputs': may.has('workspace:read-outputs'),
        'can-read-variable': may.has('workspace:read-variables'),
        'can-create-state-versions': may.has('workspace:write-state'),
        'can-update-variable': may.has('workspace:write-variables'),
      },
    },
    relationships: {
      organization: toOne('organizations', place.organization?.name),
      project: toOne('projects', workspace.project_id),
      'agent-pool': toOne('agent-pools', workspace.agent_pool_id),
      'current-run': toOne('runs', workspace.current_run_id ?? facts.latestRun),
      'latest-run': toOne('runs', facts.latestRun),
      'current-state-version': toOne('state-versions', workspace.current_state_version_id),
      'current-configuration-version': toOne('configuration-versions', facts.configuration),
      outputs: toMany('workspace-outputs', facts.outputs),
      tags: toMany(
        'tags',
        tags.map(({ id }) => id),
      ),
      'tag-bindings': toMany('tag-bindings', bindings),
      'effective-tag-bindings': {
        links: { related: `/api/v2/workspaces/${workspace.id}/effective-tag-bindings` },
      },
      'locked-by': { data: holder },
      'ssh-key': toOne(
        'ssh-keys',
        typeof settings['ssh-key'] === 'string' ? settings['ssh-key'] : null,
      ),
      readme: { data: null },
      'remote-state-consumers': {
        links: {
          related: `/api/v2/workspaces/${workspace.id}/relationships/remote-state-consumers`,
        },
      },
      vars: {
        ...toMany('vars', variables),
        links: { related: `/api/v2/workspaces/${workspace.id}/vars` },
      },
    },
    links: {
      self: `/api/v2/organizations/${place.organization?.name}/workspaces/${workspace.name}`,
      'self-html': workspacePath(place.organization?.name ?? '', workspace.name),
    },
  };
}

/** Returns the time without changes after which a workspace is destroyed: its own, or that of its project. */
function durationOf(
  settings: Workspace['settings'],
  { projectDuration }: WorkspaceFacts,
): string | null {
  const duration = settings[AUTO_DESTROY_DURATION] ?? null;
  const inherits = settings['inherits-project-auto-destroy'] !== false;
  return duration ?? (inherits ? projectDuration : null);
}

/** The name of a principal as the holder of a lock. */
export function holderId(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.user.id;
    case 'team':
      return principal.teamId;
    case 'organization':
      return principal.organizationId;
    default:
      throw notFound();
  }
}

/** Returns true if the principal holds the lock of the workspace. */
export function holdsLock(workspace: Workspace, principal: Principal): boolean {
  const { locked_by: holder } = workspace;
  if (holder === null || principal.kind === 'anonymous') return false;
  if (principal.kind === 'agent' || principal.kind === 'run') return false;
  if (principal.kind === 'task') return false;
  return principal.kind !== 'audit-trails' && holder === holderId(principal);
}
