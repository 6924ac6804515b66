/** Permissions on a workspace, from the weakest to the strongest. */
export const WORKSPACE_PERMISSIONS = [
  'workspace:read',
  'workspace:read-runs',
  'workspace:read-outputs',
  'workspace:read-variables',
  'workspace:read-state',
  'workspace:queue-plan',
  'workspace:write-variables',
  'workspace:lock',
  'workspace:write-state',
  'workspace:apply',
  'workspace:run-tasks',
  'workspace:policy-overrides',
  /** the plan in JSON with its sensitive values */
  'workspace:read-plan-json',
  'workspace:admin',
] as const;

export type WorkspacePermission = (typeof WORKSPACE_PERMISSIONS)[number];

/** Permissions on an organization. */
export const ORGANIZATION_PERMISSIONS = [
  'organization:read',
  'organization:read-workspaces',
  'organization:read-projects',
  'organization:manage-workspaces',
  'organization:manage-projects',
  'organization:manage-teams',
  'organization:manage-membership',
  'organization:manage-agent-pools',
  'organization:manage-modules',
  'organization:manage-providers',
  'organization:manage-policies',
  'organization:manage-run-tasks',
  'organization:manage-vcs',
  'organization:read-audit',
  'organization:admin',
] as const;

export type OrganizationPermission = (typeof ORGANIZATION_PERMISSIONS)[number];

const UP_TO_READ: readonly WorkspacePermission[] = [
  'workspace:read',
  'workspace:read-runs',
  'workspace:read-outputs',
  'workspace:read-variables',
  'workspace:read-state',
];
const UP_TO_PLAN: readonly WorkspacePermission[] = [...UP_TO_READ, 'workspace:queue-plan'];
const UP_TO_WRITE: readonly WorkspacePermission[] = [
  ...UP_TO_PLAN,
  'workspace:write-variables',
  'workspace:lock',
  'workspace:write-state',
  'workspace:apply',
];

/** Whoever administers a workspace does not override the policies of the organization. */
export const UP_TO_ADMIN: readonly WorkspacePermission[] = WORKSPACE_PERMISSIONS.filter(
  (name) => name !== 'workspace:policy-overrides',
);

/** The permissions of each access level of teams for a workspace. */
const LEVELS: Readonly<Record<string, readonly WorkspacePermission[]>> = {
  read: UP_TO_READ,
  plan: UP_TO_PLAN,
  write: UP_TO_WRITE,
  maintain: UP_TO_ADMIN,
  admin: UP_TO_ADMIN,
};

/** Returns the workspace permissions of an access level; `custom` is decided by its settings. */
export function permissionsOfAccess(
  access: string,
  custom: Readonly<Record<string, unknown>>,
): ReadonlySet<WorkspacePermission> {
  const level = LEVELS[access];
  if (level !== undefined) return new Set(level);
  const permissions = new Set<WorkspacePermission>(access === 'custom' ? ['workspace:read'] : []);
  if (access !== 'custom') return permissions;
  const add = (...names: readonly WorkspacePermission[]): void => {
    for (const name of names) permissions.add(name);
  };
  const { runs, variables } = custom;
  if (runs === 'read' || runs === 'plan' || runs === 'apply') add('workspace:read-runs');
  if (runs === 'plan' || runs === 'apply') add('workspace:queue-plan');
  if (runs === 'apply') add('workspace:apply');
  if (variables === 'read' || variables === 'write') add('workspace:read-variables');
  if (variables === 'write') add('workspace:write-variables');
  const states = custom['state-versions'];
  if (states === 'read-outputs' || states === 'read' || states === 'write') {
    add('workspace:read-outputs');
  }
  if (states === 'read' || states === 'write') add('workspace:read-state');
  if (states === 'write') add('workspace:write-state');
  if (custom['workspace-locking'] === true) add('workspace:lock');
  if (custom['run-tasks'] === true) add('workspace:run-tasks');
  if (custom['policy-overrides'] === true) add('workspace:policy-overrides');
  return permissions;
}

/** Organization permissions by the setting in `organization-access` of a team that grants them. */
export const ORGANIZATION_ACCESS: Readonly<Record<string, readonly OrganizationPermission[]>> = {
  'manage-workspaces': ['organization:manage-workspaces', 'organization:read-workspaces'],
  'read-workspaces': ['organization:read-workspaces'],
  'manage-projects': [
    'organization:manage-projects',
    'organization:read-projects',
    'organization:manage-workspaces',
    'organization:read-workspaces',
  ],
  'read-projects': ['organization:read-projects', 'organization:read-workspaces'],
  'manage-teams': ['organization:manage-teams', 'organization:manage-membership'],
  'manage-membership': ['organization:manage-membership'],
  'manage-agent-pools': ['organization:manage-agent-pools'],
  'manage-modules': ['organization:manage-modules'],
  'manage-providers': ['organization:manage-providers'],
  'manage-policies': ['organization:manage-policies'],
  'manage-run-tasks': ['organization:manage-run-tasks'],
  'manage-vcs-settings': ['organization:manage-vcs'],
};
