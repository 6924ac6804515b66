import type { Selectable } from 'kysely';
import { OWNERS_TEAM, requireOwnerFor } from '../access/authorize.ts';
import { ORGANIZATION_ACCESS } from '../access/permissions.ts';
import type { MembershipTable, TeamTable } from '../database/schema.ts';
import {
  ApiError,
  collection,
  forbidden,
  invalid,
  notFound,
  pageOf,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { type ApiRequest, created, fields, NO_CONTENT, ok } from '../http/request.ts';
import { AUTHENTICATED, inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';
import { userResource } from './users.ts';

type Team = Selectable<TeamTable>;
type Membership = Selectable<MembershipTable>;

async function teamResource({ services, place }: ApiRequest, team: Team): Promise<Resource> {
  const members = await services.db
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', team.id)
    .execute();
  const memberships = await services.db
    .selectFrom('memberships')
    .innerJoin('team_members', 'team_members.user_id', 'memberships.user_id')
    .select('memberships.id')
    .where('team_members.team_id', '=', team.id)
    .where('memberships.organization_id', '=', team.organization_id)
    .execute();
  const isOwners = team.name === OWNERS_TEAM;
  const may = place.organizationPermissions.has('organization:manage-teams');
  const access = Object.fromEntries(
    [
      ...Object.keys(ORGANIZATION_ACCESS),
      'manage-policy-overrides',
      'delegate-policy-overrides',
      'manage-organization-access',
      'access-secret-teams',
    ].map((name) => [name, isOwners || team.organization_access[name] === true]),
  );
  return {
    id: team.id,
    type: 'teams',
    attributes: {
      name: team.name,
      'sso-team-id': team.settings['sso-team-id'] ?? null,
      'is-unified': false,
      'users-count': members.length,
      visibility: team.visibility,
      'allow-member-token-management': team.settings['allow-member-token-management'] ?? true,
      'organization-access': access,
      permissions: {
        'can-update-membership': may,
        'can-destroy': may && !isOwners,
        'can-update-organization-access': may && !isOwners,
        'can-update-api-token': may,
        'can-update-visibility': may && !isOwners,
        'can-update-name': may && !isOwners,
        'can-update-member-token-management': may,
      },
    },
    relationships: {
      users: toMany(
        'users',
        members.map((each) => each.user_id),
      ),
      'organization-memberships': toMany(
        'organization-memberships',
        memberships.map(({ id }) => id),
      ),
      'authentication-token': { data: null },
      organization: toOne('organizations', place.organization?.name),
    },
    links: { self: `/api/v2/teams/${team.id}` },
  };
}

async function teamOf({ services, param }: ApiRequest): Promise<Team> {
  const team = await services.db
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', param('team'))
    .executeTakeFirst();
  if (team === undefined) throw notFound();
  return team;
}

const VISIBILITIES: ReadonlySet<string> = new Set(['secret', 'organization']);

function readTeam(
  { input, place }: ApiRequest,
  before: Pick<Team, 'name' | 'visibility' | 'organization_access' | 'settings'>,
) {
  const visibility = input.text('visibility') ?? before.visibility;
  if (!VISIBILITIES.has(visibility))
    throw invalid('visibility', 'has to be "secret" or "organization"');
  const access = Object.fromEntries(
    Object.entries(input.object('organization-access') ?? {}).map(([name, value]) => [
      name,
      value === true,
    ]),
  );
  // Nobody grants what it does not have itself.
  for (const [name, permissions] of Object.entries(ORGANIZATION_ACCESS)) {
    const isGranted = access[name] === true && before.organization_access[name] !== true;
    if (isGranted && !permissions.every((each) => place.organizationPermissions.has(each))) {
      throw forbidden();
    }
  }
  const name = input.text('name') ?? before.name;
  if (name !== before.name && [name, before.name].includes(OWNERS_TEAM)) {
    throw invalid('name', 'of the team of the owners cannot be changed or given to another team');
  }
  const settings = Object.fromEntries(
    ['sso-team-id', 'allow-member-token-management'].flatMap((name) => {
      const value = input.attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    name,
    visibility,
    organization_access: JSON.stringify({ ...before.organization_access, ...access }),
    settings: JSON.stringify({ ...before.settings, ...settings }),
  };
}

async function create(request: ApiRequest) {
  const { services, input } = request;
  const organization = organizationOf(request);
  if ((input.text('name') ?? '') === '') throw invalid('name', "can't be blank");
  const values = readTeam(request, {
    name: '',
    visibility: 'secret',
    organization_access: {},
    settings: {},
  });
  const taken = await services.db
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organization.id)
    .where('name', '=', values.name)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
  const team = await services.db
    .insertInto('teams')
    .values({
      id: newId(services, 'team'),
      organization_id: organization.id,
      created_at: services.clock.now(),
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'create', team.id);
  return created({ data: await teamResource(request, team) });
}

async function record(request: ApiRequest, action: string, id: string): Promise<void> {
  const organizationId = request.place.organization?.id ?? null;
  await audit(request.services, request.principal, { organizationId, action, type: 'team', id });
}

async function list(request: ApiRequest) {
  const { services, query, url, principal, place } = request;
  const page = pageOf(query);
  let select = services.db
    .selectFrom('teams')
    .where('organization_id', '=', organizationOf(request).id);
  const names = query.get('filter[names]') ?? '';
  if (names !== '') select = select.where('name', 'in', names.split(','));
  const text = query.get('q') ?? '';
  if (text !== '')
    select = select.where('name', 'ilike', `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`);
  if (!place.organizationPermissions.has('organization:manage-teams')) {
    const userId = principal.kind === 'user' ? principal.user.id : '';
    select = select.where((expression) =>
      expression.or([
        expression('visibility', '=', 'organization'),
        expression(
          'id',
          'in',
          expression.selectFrom('team_members').select('team_id').where('user_id', '=', userId),
        ),
      ]),
    );
  }
  const { total } = await select
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await select
    .selectAll()
    .orderBy('name')
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute();
  const data = await Promise.all(rows.map((row) => teamResource(request, row)));
  const wanted = (query.get('include') ?? '').split(',');
  const included: Resource[] = [];
  if (wanted.includes('users'))
    for (const row of rows) included.push(...(await membersOf(services, row.id)));
  return ok({ ...collection(data, page, Number(total), url), included });
}

async function membersOf(
  { db }: Pick<Services, 'db'>,
  teamId: string,
): Promise<readonly Resource[]> {
  const users = await db
    .selectFrom('users')
    .innerJoin('team_members', 'team_members.user_id', 'users.id')
    .selectAll('users')
    .where('team_members.team_id', '=', teamId)
    .execute();
  return users.map((user) => userResource(user));
}

/** Returns the IDs of the users that a request names: by user name, or by membership. */
async function namedUsers(
  request: ApiRequest,
  by: 'users' | 'memberships',
): Promise<readonly string[]> {
  const { services, input } = request;
  const team = await teamOf(request);
  const ids: string[] = [];
  for (const { id } of input.list) {
    const user =
      by === 'users'
        ? await services.db
            .selectFrom('users')
            .innerJoin('memberships', 'memberships.user_id', 'users.id')
            .select('users.id')
            .where('memberships.organization_id', '=', team.organization_id)
            .where((expression) =>
              expression.or([
                expression('users.username', '=', id),
                expression('users.id', '=', id),
              ]),
            )
            .executeTakeFirst()
        : await services.db
            .selectFrom('memberships')
            .select('user_id as id')
            .where('id', '=', id)
            .where('organization_id', '=', team.organization_id)
            .executeTakeFirst();
    if (user === undefined) throw notFound();
    ids.push(user.id);
  }
  return ids;
}

async function changeMembers(
  request: ApiRequest,
  by: 'users' | 'memberships',
  change: 'add' | 'remove',
) {
  const { services } = request;
  const team = await teamOf(request);
  requireOwnerFor(request.place, team.name);
  for (const userId of await namedUsers(request, by)) {
    if (change === 'add') {
      await services.db
        .insertInto('team_members')
        .values({ team_id: team.id, user_id: userId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else {
      await services.db
        .deleteFrom('team_members')
        .where('team_id', '=', team.id)
        .where('user_id', '=', userId)
        .execute();
    }
  }
  await record(request, `${change}-member`, team.id);
  return NO_CONTENT;
}

async function membershipResource(
  services: Pick<Services, 'db'>,
  row: Membership,
  organization: string,
): Promise<Resource> {
  const user = await services.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', row.user_id)
    .executeTakeFirstOrThrow();
  const teams = await services.db
    .selectFrom('teams')
    .innerJoin('team_members', 'team_members.team_id', 'teams.id')
    .select('teams.id')
    .where('team_members.user_id', '=', row.user_id)
    .where('teams.organization_id', '=', row.organization_id)
    .execute();
  return {
    id: row.id,
    type: 'organization-memberships',
    attributes: {
      status: row.status,
      email: user.email,
      'created-at': row.created_at.toISOString(),
    },
    relationships: {
      organization: toOne('organizations', organization),
      user: toOne('users', row.user_id),
      teams: toMany(
        'teams',
        teams.map(({ id }) => id),
      ),
    },
  };
}

async function invite(request: ApiRequest) {
  const { services, input } = request;
  const organization = organizationOf(request);
  const email = input.text('email') ?? '';
  if (email === '') throw invalid('email', "can't be blank");
  const teams: readonly string[] = await invitedTeams(request, organization.id);
  const now = services.clock.now();
  let user = await services.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst();
  const isKnown = user !== undefined;
  user ??= await services.db
    .insertInto('users')
    .values({
      id: newId(services, 'user'),
      username: await freeName(services, email.split('@')[0] ?? 'user'),
      email,
      is_site_admin: false,
      is_service_account: false,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const member = await services.db
    .selectFrom('memberships')
    .select('id')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (member !== undefined)
    throw new ApiError(422, 'invalid', 'Status member has already been added to the organization.');
  const row = await services.db
    .insertInto('memberships')
    .values({
      id: newId(services, 'ou'),
      organization_id: organization.id,
      user_id: user.id,
      status: isKnown ? 'active' : 'invited',
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const id of teams) {
    await services.db
      .insertInto('team_members')
      .values({ team_id: id, user_id: user.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return created({
    data: await membershipResource(services, row, organization.name),
    included: [userResource(user)],
  });
}

/** Returns the IDs of the teams that an invitation names. */
async function invitedTeams(
  { services, input, place }: ApiRequest,
  organizationId: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { id } of input.relatedMany('teams') ?? []) {
    const team = await services.db
      .selectFrom('teams')
      .select('name')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (team === undefined) throw notFound();
    requireOwnerFor(place, team.name);
    ids.push(id);
  }
  return ids;
}

async function freeName({ db }: Pick<Services, 'db'>, wanted: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = number === 0 ? wanted : `${wanted}-${number}`;
    const taken = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', name)
      .executeTakeFirst();
    if (taken === undefined) return name;
  }
}

async function listMemberships(request: ApiRequest) {
  const { services, query, url } = request;
  const organization = organizationOf(request);
  const page = pageOf(query);
  let select = services.db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.organization_id', '=', organization.id);
  const emails = query.get('filter[email]') ?? '';
  if (emails !== '') select = select.where('users.email', 'in', emails.split(','));
  const status = query.get('filter[status]') ?? '';
  if (status !== '') select = select.where('memberships.status', '=', status);
  const text = query.get('q') ?? '';
  if (text !== '') {
    const like = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    select = select.where((expression) =>
      expression.or([
        expression('users.email', 'ilike', like),
        expression('users.username', 'ilike', like),
      ]),
    );
  }
  const { total } = await select
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await select
    .selectAll('memberships')
    .orderBy('memberships.created_at')
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute();
  const data = await Promise.all(
    rows.map((row) => membershipResource(services, row, organization.name)),
  );
  return ok({
    ...collection(data, page, Number(total), url),
    included: await includedOf(request, rows),
  });
}

async function includedOf(
  request: ApiRequest,
  rows: readonly Membership[],
): Promise<readonly Resource[]> {
  const wanted = (request.query.get('include') ?? '').split(',');
  const { db } = request.services;
  const included: Resource[] = [];
  for (const row of rows) {
    if (wanted.includes('user')) {
      const user = await db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', row.user_id)
        .executeTakeFirstOrThrow();
      included.push(userResource(user));
    }
    if (!wanted.includes('teams')) continue;
    const teams = await db
      .selectFrom('teams')
      .innerJoin('team_members', 'team_members.team_id', 'teams.id')
      .selectAll('teams')
      .where('team_members.user_id', '=', row.user_id)
      .where('teams.organization_id', '=', row.organization_id)
      .execute();
    for (const team of teams) included.push(await teamResource(request, team));
  }
  return included;
}

async function membershipOf({ services, param }: ApiRequest): Promise<Membership> {
  const row = await services.db
    .selectFrom('memberships')
    .selectAll()
    .where('id', '=', param('membership'))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

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

function readAccess({ input }: ApiRequest, kind: 'workspaces' | 'projects', before?: Access) {
  const access = input.text('access') ?? before?.access ?? '';
  const levels =
    kind === 'workspaces'
      ? ['read', 'plan', 'write', 'admin', 'custom']
      : ['read', 'write', 'maintain', 'admin', 'custom'];
  if (!levels.includes(access)) throw invalid('access', `has to be one of ${levels.join(', ')}`);
  if (access !== 'custom') {
    if (kind === 'workspaces' && CUSTOM.some((name) => input.has(name))) {
      throw invalid('access', 'has to be "custom" to set single permissions');
    }
    return { access, permissions: '{}' };
  }
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
        await record(request, 'grant-access', teamId);
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
        const { services, query, url, principal } = request;
        const page = pageOf(query);
        const subjectId = query.get(`filter[${subject}][id]`) ?? '';
        if (subjectId === '') {
          throw new ApiError(422, 'invalid', `The filter of the ${subject} is required.`);
        }
        const { locate } = await import('../access/place.ts');
        const { permissionsIn } = await import('../access/authorize.ts');
        const location = await locate(services, subject, subjectId);
        if (location === undefined) throw notFound();
        const place = await permissionsIn(services, principal, location);
        if (!place.organizationPermissions.has('organization:read')) throw notFound();
        const rows = await rowsOf(services, { subject: subjectId });
        const data = rows
          .slice((page.number - 1) * page.size, page.number * page.size)
          .map((row) => accessResource(row, kind));
        return ok(collection(data, page, rows.length, url));
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
        await record(request, 'change-access', before.team_id);
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
        await record(request, 'revoke-access', row.team_id);
        return NO_CONTENT;
      },
    },
  ];
}

const ofTeam = (permission: Parameters<typeof inOrganization>[0]) =>
  inOrganization(permission, 'team', 'team');
const ofMembership = (permission: Parameters<typeof inOrganization>[0]) =>
  inOrganization(permission, 'membership', 'membership');
const TEAM = '/api/v2/teams/:team';
const MEMBERSHIP = '/api/v2/organization-memberships/:membership';

export const TEAM_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/teams',
    rule: inOrganization('organization:read'),
    handle: list,
  },
  {
    method: 'POST',
    path: '/api/v2/organizations/:organization/teams',
    rule: inOrganization('organization:manage-teams'),
    handle: create,
  },
  {
    method: 'GET',
    path: TEAM,
    rule: ofTeam('organization:read'),
    async handle(request) {
      const team = await teamOf(request);
      const wanted = (request.query.get('include') ?? '').split(',');
      return ok({
        data: await teamResource(request, team),
        included: wanted.includes('users') ? await membersOf(request.services, team.id) : [],
      });
    },
  },
  {
    method: 'PATCH',
    path: TEAM,
    rule: ofTeam('organization:manage-teams'),
    async handle(request) {
      const team = await teamOf(request);
      requireOwnerFor(request.place, team.name);
      const updated = await request.services.db
        .updateTable('teams')
        .set(readTeam(request, team))
        .where('id', '=', team.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(request, 'update', team.id);
      return ok({ data: await teamResource(request, updated) });
    },
  },
  {
    method: 'DELETE',
    path: TEAM,
    rule: ofTeam('organization:manage-teams'),
    async handle(request) {
      const team = await teamOf(request);
      if (team.name === OWNERS_TEAM) {
        throw new ApiError(422, 'invalid', 'The team of the owners cannot be deleted.');
      }
      await request.services.db.deleteFrom('teams').where('id', '=', team.id).execute();
      await request.services.db.deleteFrom('tokens').where('owner_id', '=', team.id).execute();
      await record(request, 'destroy', team.id);
      return NO_CONTENT;
    },
  },
  ...(['users', 'memberships'] as const).flatMap((by): readonly Route[] => {
    const path = `${TEAM}/relationships/${by === 'users' ? 'users' : 'organization-memberships'}`;
    const rule = ofTeam('organization:manage-membership');
    return [
      { method: 'POST', path, rule, handle: (request) => changeMembers(request, by, 'add') },
      { method: 'DELETE', path, rule, handle: (request) => changeMembers(request, by, 'remove') },
    ];
  }),
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/organization-memberships',
    rule: inOrganization('organization:read'),
    handle: listMemberships,
  },
  {
    method: 'POST',
    path: '/api/v2/organizations/:organization/organization-memberships',
    rule: inOrganization('organization:manage-membership'),
    handle: invite,
  },
  {
    method: 'GET',
    path: MEMBERSHIP,
    rule: ofMembership('organization:read'),
    async handle(request) {
      const row = await membershipOf(request);
      return ok({
        data: await membershipResource(request.services, row, organizationOf(request).name),
        included: await includedOf(request, [row]),
      });
    },
  },
  {
    method: 'DELETE',
    path: MEMBERSHIP,
    rule: ofMembership('organization:manage-membership'),
    async handle(request) {
      const row = await membershipOf(request);
      const { services, principal } = request;
      if (principal.kind === 'user' && principal.user.id === row.user_id) {
        throw new ApiError(403, 'forbidden', 'You cannot remove yourself from the organization.');
      }
      const owner = await services.db
        .selectFrom('team_members')
        .innerJoin('teams', 'teams.id', 'team_members.team_id')
        .select('teams.name')
        .where('team_members.user_id', '=', row.user_id)
        .where('teams.organization_id', '=', row.organization_id)
        .where('teams.name', '=', OWNERS_TEAM)
        .executeTakeFirst();
      if (owner !== undefined) requireOwnerFor(request.place, owner.name);
      await services.db.deleteFrom('memberships').where('id', '=', row.id).execute();
      await services.db
        .deleteFrom('team_members')
        .where('user_id', '=', row.user_id)
        .where('team_id', 'in', (sub) =>
          sub.selectFrom('teams').select('id').where('organization_id', '=', row.organization_id),
        )
        .execute();
      return NO_CONTENT;
    },
  },
  ...accessRoutes('workspaces'),
  ...accessRoutes('projects'),
];
