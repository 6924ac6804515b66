import { permissionsIn } from '../access/authorize.ts';
import { locate } from '../access/place.ts';
import { ApiError, invalid, notFound, type Resource, toOne } from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, created, fields, NO_CONTENT, ok } from '../http/request.ts';
import { AUTHENTICATED, inOrganization, type Route } from '../http/route.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';
import { recordTeam } from './teams.ts';

const CUSTOM = [
  'runs',
  'variables',
  'state-versions',
  'sentinel-mocks',
  'workspace-locking',
  'run-tasks',
  'policy-overrides',
] as const;

const OF_LEVEL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read: {
    runs: 'read',
    variables: 'read',
    'state-versions': 'read',
    'sentinel-mocks': 'none',
    'workspace-locking': false,
    'run-tasks': false,
    'policy-overrides': false,
  },
  plan: {
    runs: 'plan',
    variables: 'read',
    'state-versions': 'read',
    'sentinel-mocks': 'none',
    'workspace-locking': false,
    'run-tasks': false,
    'policy-overrides': false,
  },
  write: {
    runs: 'apply',
    variables: 'write',
    'state-versions': 'write',
    'sentinel-mocks': 'read',
    'workspace-locking': true,
    'run-tasks': false,
    'policy-overrides': false,
  },
  admin: {
    runs: 'apply',
    variables: 'write',
    'state-versions': 'write',
    'sentinel-mocks': 'read',
    'workspace-locking': true,
    'run-tasks': true,
    'policy-overrides': true,
  },
};
const NO_ACCESS: Readonly<Record<string, unknown>> = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  'workspace-locking': false,
  'run-tasks': false,
  'policy-overrides': false,
};

interface Access {
  readonly id: string;
  readonly team_id: string;
  readonly access: string;
  readonly permissions: Readonly<Record<string, unknown>>;
}

function accessResource(
  row: Access & { readonly subject: string },
  kind: 'workspaces' | 'projects',
): Resource {
  const ofLevel = OF_LEVEL[row.access] ?? { ...NO_ACCESS, ...row.permissions };
  const projectLevel = {
    'project-access': {
      settings: row.access === 'admin' ? 'delete' : row.access === 'maintain' ? 'update' : 'read',
      teams: row.access === 'admin' ? 'manage' : 'none',
      'variable-sets': row.access === 'admin' || row.access === 'maintain' ? 'write' : 'none',
      ...fields(row.permissions['project-access']),
    },
    'workspace-access': {
      ...(OF_LEVEL[row.access === 'maintain' ? 'admin' : row.access] ?? NO_ACCESS),
      create: row.access === 'admin' || row.access === 'maintain',
      move: row.access === 'admin' || row.access === 'maintain',
      delete: row.access === 'admin' || row.access === 'maintain',
      locking: row.access !== 'read' && row.access !== 'custom',
      ...fields(row.permissions['workspace-access']),
    },
  };
  return {
    id: row.id,
    type: kind === 'workspaces' ? 'team-workspaces' : 'team-projects',
    attributes: { access: row.access, ...(kind === 'workspaces' ? ofLevel : projectLevel) },
    relationships: {
      team: toOne('teams', row.team_id),
      [kind === 'workspaces' ? 'workspace' : 'project']: toOne(kind, row.subject),
    },
    links: { self: `/api/v2/team-${kind}/${row.id}` },
  };
}

/** Values of single permissions, by their names. */
const OF_WORKSPACE: Readonly<Record<string, readonly string[]>> = {
  runs: ['read', 'plan', 'apply'],
  variables: ['none', 'read', 'write'],
  'state-versions': ['none', 'read-outputs', 'read', 'write'],
  'sentinel-mocks': ['none', 'read'],
};
const OF_PROJECT: Readonly<Record<string, readonly string[]>> = {
  settings: ['read', 'update', 'delete'],
  teams: ['none', 'read', 'manage'],
  'variable-sets': ['none', 'read', 'write'],
};

/** Throws an ApiError if a single permission has a value that does not exist. */
function requireKnownValues({ attributes }: ApiRequest['input'], kind: 'workspaces' | 'projects') {
  const check = (
    values: Readonly<Record<string, unknown>>,
    known: Readonly<Record<string, readonly string[]>>,
  ): void => {
    for (const [name, choices] of Object.entries(known)) {
      const value = values[name];
      if (value === undefined || value === null || choices.includes(String(value))) continue;
      throw invalid(name, `has to be one of: ${choices.join(', ')}`);
    }
  };
  if (kind === 'workspaces') return check(attributes, OF_WORKSPACE);
  check(fields(attributes['project-access']), OF_PROJECT);
  check(fields(attributes['workspace-access']), OF_WORKSPACE);
}

function readAccess({ input }: ApiRequest, kind: 'workspaces' | 'projects', before?: Access) {
  const access = input.text('access') ?? before?.access ?? '';
  const levels =
    kind === 'workspaces'
      ? ['read', 'plan', 'write', 'admin', 'custom']
      : ['read', 'write', 'maintain', 'admin', 'custom'];
  if (!levels.includes(access)) throw invalid('access', `has to be one of ${levels.join(', ')}`);
  if (access !== 'custom') {
    const single = kind === 'workspaces' ? CUSTOM.find((name) => input.has(name)) : undefined;
    if (single !== undefined) {
      throw invalid(
        single,
        `is read-only when access level is '${access}'; use the 'custom' access level to set this attribute.`,
      );
    }
    return { access, permissions: '{}' };
  }
  requireKnownValues(input, kind);
  const custom = kind === 'workspaces' ? CUSTOM : (['project-access', 'workspace-access'] as const);
  const permissions: Record<string, unknown> = { ...before?.permissions };
  for (const name of custom) {
    const value = input.attributes[name];
    if (value === undefined) continue;
    permissions[name] =
      typeof value === 'object' ? { ...fields(permissions[name]), ...fields(value) } : value;
  }
  // Permissions on workspaces have their usual names, from which they are derived.
  if (kind === 'projects') {
    const inside = fields(permissions['workspace-access']);
    Object.assign(permissions, inside, { 'workspace-locking': inside['locking'] });
  }
  return { access, permissions: JSON.stringify(permissions) };
}

/** The routes of the access of teams to workspaces or projects. */
function accessRoutes(kind: 'workspaces' | 'projects'): readonly Route[] {
  const isWorkspace = kind === 'workspaces';
  const path = isWorkspace ? '/api/v2/team-workspaces' : '/api/v2/team-projects';
  const located = isWorkspace ? 'team-workspace' : 'team-project';
  const subject = isWorkspace ? 'workspace' : 'project';
  const permission = isWorkspace
    ? 'organization:manage-workspaces'
    : 'organization:manage-projects';
  const rowsOf = async (
    { db }: Pick<Services, 'db'>,
    where: { readonly id?: string; readonly subject?: string; readonly team?: string },
  ): Promise<readonly (Access & { readonly subject: string })[]> => {
    if (isWorkspace) {
      let select = db.selectFrom('team_workspaces').selectAll();
      if (where.id !== undefined) select = select.where('id', '=', where.id);
      if (where.subject !== undefined) select = select.where('workspace_id', '=', where.subject);
      if (where.team !== undefined) select = select.where('team_id', '=', where.team);
      return (await select.execute()).map((row) => ({ ...row, subject: row.workspace_id }));
    }
    let select = db.selectFrom('team_projects').selectAll();
    if (where.id !== undefined) select = select.where('id', '=', where.id);
    if (where.subject !== undefined) select = select.where('project_id', '=', where.subject);
    if (where.team !== undefined) select = select.where('team_id', '=', where.team);
    return (await select.execute()).map((row) => ({ ...row, subject: row.project_id }));
  };
  const rowOf = async ({ services, param }: ApiRequest) => {
    const [row] = await rowsOf(services, { id: param('access') });
    if (row === undefined) throw notFound();
    return row;
  };
  const rule = (name: typeof permission | 'organization:read') =>
    inOrganization(name, 'access', located);
  return [
    {
      method: 'POST',
      path,
      rule: {
        kind: 'organization',
        permission,
        subject: { body: (input) => input.related(subject) ?? '', of: subject },
      },
      async handle(request) {
        const { services, input } = request;
        const teamId = input.related('team') ?? '';
        const team = await services.db
          .selectFrom('teams')
          .select('id')
          .where('id', '=', teamId)
          .where('organization_id', '=', organizationOf(request).id)
          .executeTakeFirst();
        if (team === undefined) throw notFound();
        const subjectId = input.related(subject) ?? '';
        const [taken] = await rowsOf(services, { team: teamId, subject: subjectId });
        if (taken !== undefined) throw invalid('team', `has already been added to the ${subject}`);
        const id = newId(services, isWorkspace ? 'tws' : 'tprj');
        const values = { id, team_id: teamId, ...readAccess(request, kind) };
        if (isWorkspace) {
          await services.db
            .insertInto('team_workspaces')
            .values({ ...values, workspace_id: subjectId })
            .execute();
        } else {
          await services.db
            .insertInto('team_projects')
            .values({ ...values, project_id: subjectId })
            .execute();
        }
        await recordTeam(request, 'grant-access', teamId);
        const [row] = await rowsOf(services, { id });
        if (row === undefined) throw notFound();
        return created({ data: accessResource(row, kind) });
      },
    },
    {
      method: 'GET',
      path,
      rule: AUTHENTICATED,
      async handle(request) {
        const { services, query, principal } = request;
        const subjectId = query.get(`filter[${subject}][id]`) ?? '';
        if (subjectId === '') {
          throw new ApiError(422, 'invalid', `The filter of the ${subject} is required.`);
        }
        const location = await locate(services, subject, subjectId);
        if (location === undefined) throw notFound();
        const place = await permissionsIn(services, principal, location);
        if (!place.organizationPermissions.has('organization:read')) throw notFound();
        const rows = await rowsOf(services, { subject: subjectId });
        return await listOfRows(request, rows, (row) => accessResource(row, kind));
      },
    },
    {
      method: 'GET',
      path: `${path}/:access`,
      rule: rule('organization:read'),
      handle: async (request) => ok({ data: accessResource(await rowOf(request), kind) }),
    },
    {
      method: 'PATCH',
      path: `${path}/:access`,
      rule: rule(permission),
      async handle(request) {
        const before = await rowOf(request);
        const values = readAccess(request, kind, before);
        await request.services.db
          .updateTable(isWorkspace ? 'team_workspaces' : 'team_projects')
          .set(values)
          .where('id', '=', before.id)
          .execute();
        await recordTeam(request, 'change-access', before.team_id);
        return ok({ data: accessResource(await rowOf(request), kind) });
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:access`,
      rule: rule(permission),
      async handle(request) {
        const row = await rowOf(request);
        await request.services.db
          .deleteFrom(isWorkspace ? 'team_workspaces' : 'team_projects')
          .where('id', '=', row.id)
          .execute();
        await recordTeam(request, 'revoke-access', row.team_id);
        return NO_CONTENT;
      },
    },
  ];
}

export const TEAM_ACCESS_ROUTES: readonly Route[] = [
  ...accessRoutes('workspaces'),
  ...accessRoutes('projects'),
];
