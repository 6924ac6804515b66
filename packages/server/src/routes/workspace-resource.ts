import type { Place, Workspace } from '../access/place.ts';
import type { Principal } from '../access/principal.ts';
import { notFound, type Resource, toMany, toOne } from '../http/json-api.ts';
import { type ApiRequest, fields } from '../http/request.ts';
import { currentAssessment, DEFAULT_INTERVAL } from '../services/assessments.ts';
import { inheritsExecution } from '../services/execution.ts';
import { ASSESSMENT_SOURCE } from '../services/notifications.ts';
import { executionMode } from '../services/runs.ts';
import type { Services } from '../services/services.ts';
import { workspacePath } from '../web/paths.ts';

/** Attributes that clients may set, with their defaults. */
export const WORKSPACE_SETTINGS: Readonly<Record<string, unknown>> = {
  'allow-destroy-plan': true,
  'assessments-enabled': false,
  'assessment-interval': DEFAULT_INTERVAL,
  'auto-apply': false,
  'auto-apply-run-trigger': false,
  'auto-destroy-at': null,
  'auto-destroy-activity-duration': null,
  'inherits-project-auto-destroy': true,
  description: null,
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
  const { workspacePermissions: may } = place;
  const { settings } = workspace;
  const { db } = services;
  const tags = await db
    .selectFrom('workspace_tags')
    .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
    .select(['tags.id', 'tags.name'])
    .where('workspace_tags.workspace_id', '=', workspace.id)
    .orderBy('tags.name')
    .execute();
  const latest = await db
    .selectFrom('runs')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('plan_only', '=', false)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const runs = await db
    .selectFrom('runs')
    .select((select) => select.fn.countAll().as('count'))
    .where('workspace_id', '=', workspace.id)
    .where('source', '!=', ASSESSMENT_SOURCE)
    .executeTakeFirstOrThrow();
  const assessment = await currentAssessment(services, workspace.id);
  const state =
    workspace.current_state_version_id === null
      ? undefined
      : await db
          .selectFrom('state_versions')
          .select('summary')
          .where('id', '=', workspace.current_state_version_id)
          .executeTakeFirst();
  const outputs =
    workspace.current_state_version_id === null
      ? []
      : await db
          .selectFrom('state_outputs')
          .select('id')
          .where('state_version_id', '=', workspace.current_state_version_id)
          .execute();
  const configuration = await db
    .selectFrom('configuration_versions')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    // A provisional one becomes current with its run.
    .where((where) =>
      where.or([
        where('provisional', '=', false),
        where.exists(
          where
            .selectFrom('runs')
            .select('runs.id')
            .whereRef('runs.configuration_version_id', '=', 'configuration_versions.id'),
        ),
      ]),
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const bindings = await db
    .selectFrom('tag_bindings')
    .select('id')
    .where('subject_id', '=', workspace.id)
    .execute();
  const variables = may.has('workspace:read-variables')
    ? await db
        .selectFrom('variables')
        .select('id')
        .where('owner_id', '=', workspace.id)
        .orderBy('created_at')
        .execute()
    : [];
  const mode = executionMode(workspace);
  const holder = holderOf(workspace);
  const overwrites = fields(settings['setting-overwrites']);
  const inherits = inheritsExecution(workspace);
  const resourceCount = state?.summary['resource-count'] ?? 0;
  return {
    id: workspace.id,
    type: 'workspaces',
    attributes: {
      name: workspace.name,
      ...WORKSPACE_SETTINGS,
      ...settings,
      'execution-mode': mode,
      operations: mode !== 'local',
      actions: { 'is-destroyable': true },
      'can-queue-destroy-plan': true,
      'created-at': workspace.created_at.toISOString(),
      'updated-at': workspace.updated_at.toISOString(),
      'latest-change-at': workspace.updated_at.toISOString(),
      'last-assessment-result-at': assessment?.created_at.toISOString() ?? null,
      locked: holder !== null,
      'locked-reason': workspace.lock_reason,
      'resource-count': resourceCount,
      'apply-duration-average': null,
      'plan-duration-average': null,
      'policy-check-failures': null,
      'run-failures': null,
      'workspace-kpis-runs-count': Number(runs.count),
      'unarchived-workspace-change-requests-count': 0,
      'tag-names': tags.map(({ name }) => name),
      'setting-overwrites': {
        'execution-mode': !inherits && settings['execution-mode'] !== undefined,
        'agent-pool': !inherits && (overwrites['agent-pool'] ?? workspace.agent_pool_id !== null),
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
      'current-run': toOne('runs', workspace.current_run_id ?? latest?.id),
      'latest-run': toOne('runs', latest?.id),
      'current-state-version': toOne('state-versions', workspace.current_state_version_id),
      'current-configuration-version': toOne('configuration-versions', configuration?.id),
      outputs: toMany(
        'workspace-outputs',
        outputs.map(({ id }) => id),
      ),
      tags: toMany(
        'tags',
        tags.map(({ id }) => id),
      ),
      'tag-bindings': toMany(
        'tag-bindings',
        bindings.map(({ id }) => id),
      ),
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
        ...toMany(
          'vars',
          variables.map(({ id }) => id),
        ),
        links: { related: `/api/v2/workspaces/${workspace.id}/vars` },
      },
    },
    links: {
      self: `/api/v2/organizations/${place.organization?.name}/workspaces/${workspace.name}`,
      'self-html': workspacePath(place.organization?.name ?? '', workspace.name),
    },
  };
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
