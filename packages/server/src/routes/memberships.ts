import type { Selectable } from 'kysely';
import { OWNERS_TEAM, requireOwnerFor } from '../access/authorize.ts';
import type { Organization } from '../access/place.ts';
import type { MembershipTable } from '../database/schema.ts';
import { groupedBy } from '../http/grouped-by.ts';
import {
  ApiError,
  type Document,
  invalid,
  notFound,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { containing, listOfPage, requireIncluded, withIncluded } from '../http/listing.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';
import { teamResources } from './teams.ts';
import { memberResource } from './users.ts';

type Membership = Selectable<MembershipTable>;

/** Presents memberships of an organization, with as many queries for several as for one. */
async function membershipResources(
  services: Pick<Services, 'db'>,
  rows: readonly Membership[],
  organization: Organization,
): Promise<readonly Resource[]> {
  const userIds = rows.map((row) => row.user_id);
  if (userIds.length === 0) return [];
  const users = await services.db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', userIds)
    .execute();
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const teams = groupedBy(await teamsOf(services, userIds, organization), (team) => team.user_id);
  return rows.map((row) => ({
    id: row.id,
    type: 'organization-memberships',
    attributes: {
      status: row.status,
      email: emails.get(row.user_id),
      'created-at': row.created_at.toISOString(),
    },
    relationships: {
      organization: toOne('organizations', organization.name),
      user: toOne('users', row.user_id),
      teams: toMany(
        'teams',
        (teams.get(row.user_id) ?? []).map(({ id }) => id),
      ),
    },
  }));
}

/** Returns the document of a membership, with the included resources. */
async function documentOf(
  { services, place }: ApiRequest,
  row: Membership,
  included: readonly Resource[],
): Promise<Document> {
  if (place.organization === undefined) throw notFound();
  const [data] = await membershipResources(services, [row], place.organization);
  return { ...(data !== undefined && { data }), included };
}

/** Returns the teams of users in an organization, once for each of their members. */
async function teamsOf(
  { db }: Pick<Services, 'db'>,
  userIds: readonly string[],
  { id }: Organization,
) {
  return await db
    .selectFrom('teams')
    .innerJoin('team_members', 'team_members.team_id', 'teams.id')
    .selectAll('teams')
    .select('team_members.user_id')
    .where('team_members.user_id', 'in', userIds)
    .where('teams.organization_id', '=', id)
    .execute();
}

async function invite(request: ApiRequest) {
  const { services, input } = request;
  const organization = organizationOf(request);
  const email = input.text('email') ?? '';
  if (email === '') throw invalid('email', "can't be blank");
  if (!/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(email) || email.length > 254) {
    throw invalid('email', 'is not an e-mail address');
  }
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
  return created(await documentOf(request, row, [memberResource(user)]));
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
  const { services, query } = request;
  const organization = organizationOf(request);
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
    const like = containing(text);
    select = select.where((expression) =>
      expression.or([
        expression('users.email', 'ilike', like),
        expression('users.username', 'ilike', like),
      ]),
    );
  }
  let included: readonly Resource[] = [];
  const selected = select.selectAll('memberships').orderBy('memberships.created_at');
  const answer = await listOfPage(request, selected, async (rows) => {
    included = await includedOf(request, rows);
    return await membershipResources(services, rows, organization);
  });
  return withIncluded(answer, included);
}

async function includedOf(
  request: ApiRequest,
  rows: readonly Membership[],
): Promise<readonly Resource[]> {
  const includeNames = (request.query.get('include') ?? '').split(',');
  const { services } = request;
  const userIds = rows.map((row) => row.user_id);
  const included: Resource[] = [];
  if (userIds.length === 0) return included;
  if (includeNames.includes('user')) {
    const users = await services.db
      .selectFrom('users')
      .selectAll()
      .where('id', 'in', userIds)
      .execute();
    included.push(...users.map((user) => memberResource(user)));
  }
  if (includeNames.includes('teams')) {
    const teams = await teamsOf(services, userIds, organizationOf(request));
    const each = new Map(teams.map(({ user_id: _user, ...team }) => [team.id, team]));
    included.push(...(await teamResources(request, [...each.values()])));
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

const ofMembership = (permission: Parameters<typeof inOrganization>[0]) =>
  inOrganization(permission, 'membership', 'membership');
const MEMBERSHIP = '/api/v2/organization-memberships/:membership';

export const MEMBERSHIP_ROUTES: readonly Route[] = [
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
      requireIncluded(request, ['user', 'teams', 'organization']);
      const row = await membershipOf(request);
      return ok(await documentOf(request, row, await includedOf(request, [row])));
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
];
