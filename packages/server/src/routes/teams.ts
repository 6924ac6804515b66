import type { Selectable } from 'kysely';
import { OWNERS_TEAM, requireOwnerFor } from '../access/authorize.ts';
import { ORGANIZATION_ACCESS } from '../access/permissions.ts';
import type { Place } from '../access/place.ts';
import type { TeamTable } from '../database/schema.ts';
import { isOneOf } from '../http/choice.ts';
import { groupedBy } from '../http/grouped-by.ts';
import {
  ApiError,
  forbidden,
  invalid,
  notFound,
  type ApiResource,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { containing, listOfPage, withIncluded } from '../http/listing.ts';
import { type ApiRequest, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';
import { userResource } from './users.ts';

type Team = Selectable<TeamTable>;

/** Presents a team. */
export async function teamResource(request: ApiRequest, team: Team): Promise<Resource> {
  const [resource] = await teamResources(request, [team]);
  if (resource === undefined) throw notFound();
  return resource;
}

/** Presents several teams, with as many queries as for one. */
export async function teamResources(
  { services, place }: ApiRequest,
  teams: readonly Team[],
): Promise<readonly Resource[]> {
  const ids = teams.map(({ id }) => id);
  if (ids.length === 0) return [];
  const members = await services.db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'team_members.user_id')
        .onRef('memberships.organization_id', '=', 'teams.organization_id'),
    )
    .select(['team_members.team_id', 'team_members.user_id', 'memberships.id as membership'])
    .where('team_members.team_id', 'in', ids)
    .execute();
  const membersByTeam = groupedBy(members, (member) => member.team_id);
  return teams.map((team) => presentTeam(team, membersByTeam.get(team.id) ?? [], place));
}

function presentTeam(
  team: Team,
  members: readonly { readonly user_id: string; readonly membership: string | null }[],
  place: Place,
): ApiResource<'teams'> {
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
        members.flatMap(({ membership }) => membership ?? []),
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

const VISIBILITIES = ['secret', 'organization'] as const;

function readTeam(
  { input, place }: ApiRequest,
  before: Pick<Team, 'name' | 'visibility' | 'organization_access' | 'settings'>,
) {
  const visibility = input.text('visibility') ?? before.visibility;
  if (!isOneOf(VISIBILITIES, visibility))
    throw invalid('visibility', 'has to be "secret" or "organization"');
  const access = Object.fromEntries(
    Object.entries(input.object('organization-access') ?? {}).map(([name, value]) => [
      name,
      value === true,
    ]),
  );
  // A principal cannot grant permissions that it does not have.
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
  await recordTeam(request, 'create', team.id);
  // HCP Terraform answers 200 here, not 201.
  return ok({ data: await teamResource(request, team) });
}

/** Records a change of a team in the audit log. */
export async function recordTeam(request: ApiRequest, action: string, id: string): Promise<void> {
  const organizationId = request.place.organization?.id ?? null;
  await audit(request.services, request.principal, { organizationId, action, type: 'team', id });
}

async function list(request: ApiRequest) {
  const { services, query, principal, place } = request;
  let select = services.db
    .selectFrom('teams')
    .where('organization_id', '=', organizationOf(request).id);
  const names = query.get('filter[names]') ?? '';
  if (names !== '') select = select.where('name', 'in', names.split(','));
  const text = query.get('q') ?? '';
  if (text !== '') select = select.where('name', 'ilike', containing(text));
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
  const includeNames = (query.get('include') ?? '').split(',');
  const included: Resource[] = [];
  const answer = await listOfPage(request, select.selectAll().orderBy('name'), async (rows) => {
    if (includeNames.includes('users')) {
      included.push(...(await membersOf(services, ...rows.map(({ id }) => id))));
    }
    return await teamResources(request, rows);
  });
  return withIncluded(answer, included);
}

/** Returns the members of teams, each once. */
async function membersOf(
  { db }: Pick<Services, 'db'>,
  ...teamIds: readonly string[]
): Promise<readonly Resource[]> {
  const users = await db
    .selectFrom('users')
    .selectAll('users')
    .where('id', 'in', (sub) =>
      sub
        .selectFrom('team_members')
        .select('user_id')
        .where('team_id', 'in', ['', ...teamIds]),
    )
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
  await recordTeam(request, `${change}-member`, team.id);
  return NO_CONTENT;
}

const ofTeam = (permission: Parameters<typeof inOrganization>[0]) =>
  inOrganization(permission, 'team', 'team');
const TEAM = '/api/v2/teams/:team';

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
      const includeNames = (request.query.get('include') ?? '').split(',');
      return ok({
        data: await teamResource(request, team),
        included: includeNames.includes('users') ? await membersOf(request.services, team.id) : [],
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
      await recordTeam(request, 'update', team.id);
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
      await recordTeam(request, 'destroy', team.id);
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
];
