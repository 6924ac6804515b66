import { ApiError } from '../http/json-api.ts';
import { type Answer, type ApiRequest, ok } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { advance } from '../services/runs.ts';
import { holderId, holdsLock, workspaceOf, workspaceResource } from './workspace-resource.ts';

/** Locks a workspace for the principal. */
export async function lockWorkspace(request: ApiRequest): Promise<Answer> {
  const { services, principal, input } = request;
  const { id, organization_id: organizationId } = workspaceOf(request);
  const reason = input.json['reason'];
  const holder = holderId(principal);
  const locked = await services.db
    .updateTable('workspaces')
    .set({ locked_by: holder, lock_reason: typeof reason === 'string' ? reason : '' })
    .where('id', '=', id)
    .where('locked_by', 'is', null)
    .where('current_run_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (locked === undefined) {
    throw new ApiError(
      409,
      'conflict',
      'Unable to lock workspace. The workspace is already locked.',
    );
  }
  await audit(services, principal, { organizationId, action: 'lock', type: 'workspace', id });
  return ok({ data: await workspaceResource(services, locked, request.place) });
}

/** Releases the lock of a workspace; that of another holder only if it is forced. */
export async function unlockWorkspace(request: ApiRequest, isForced: boolean): Promise<Answer> {
  const { services, principal } = request;
  const workspace = workspaceOf(request);
  if (workspace.locked_by === null) {
    const detail =
      workspace.current_run_id === null
        ? 'The workspace is already unlocked.'
        : `The workspace is locked by Run ${workspace.current_run_id}. Discard or cancel the run.`;
    throw new ApiError(409, 'conflict', `Unable to unlock workspace. ${detail}`);
  }
  if (!isForced && !holdsLock(workspace, principal)) {
    throw new ApiError(
      409,
      'conflict',
      // Clients look for these words.
      `Unable to unlock workspace. The workspace is locked by ${holderKind(workspace.locked_by)} ${workspace.locked_by}.`,
    );
  }
  const unlocked = await services.db
    .updateTable('workspaces')
    .set({ locked_by: null, lock_reason: '' })
    .where('id', '=', workspace.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: isForced ? 'force-unlock' : 'unlock',
    type: 'workspace',
    id: workspace.id,
  });
  await advance(services, workspace.id);
  return ok({ data: await workspaceResource(services, unlocked, request.place) });
}

const holderKind = (holder: string): string =>
  holder.startsWith('team-') ? 'Team' : holder.startsWith('org-') ? 'Organization' : 'User';

const ACTIONS = '/api/v2/workspaces/:workspace/actions';

export const WORKSPACE_LOCK_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: `${ACTIONS}/lock`,
    rule: inWorkspace('workspace:lock'),
    handle: lockWorkspace,
  },
  {
    method: 'POST',
    path: `${ACTIONS}/unlock`,
    rule: inWorkspace('workspace:lock'),
    handle: (request) => unlockWorkspace(request, false),
  },
  {
    method: 'POST',
    path: `${ACTIONS}/force-unlock`,
    rule: inWorkspace('workspace:admin'),
    handle: (request) => unlockWorkspace(request, true),
  },
];
