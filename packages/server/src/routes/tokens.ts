import { ApiError, invalid, notFound, type ApiResource, toOne } from '../http/json-api.ts';
import { containing, listOf } from '../http/listing.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { AUTHENTICATED, inOrganization, type Route, USER } from '../http/route.ts';
import { requireOwnerFor } from '../access/authorize.ts';
import { audit } from '../services/audit.ts';
import { longestLife } from '../services/token-ttl.ts';
import { issueToken, type NewToken, type Token } from '../services/tokens.ts';
import { organizationOf } from './organizations.ts';

/** Presents a token; its text only when it was created. */
function tokenResource(row: Token, token: string | null): ApiResource<'authentication-tokens'> {
  return {
    id: row.id,
    type: 'authentication-tokens',
    attributes: {
      'created-at': row.created_at.toISOString(),
      'last-used-at': row.last_used_at?.toISOString() ?? null,
      'expired-at': row.expires_at?.toISOString() ?? null,
      // The one token of a team from before tokens had descriptions has none.
      description: row.kind === 'team' && row.description === '' ? null : row.description,
      token,
    },
    relationships: {
      'created-by': toOne('users', row.created_by),
      ...(row.kind === 'team' && { team: toOne('teams', row.owner_id) }),
    },
  };
}

/** The years after which a token expires if a request does not say; tokens of agents do not. */
const USUAL_YEARS = 2;

/** Types of policies by the kinds of tokens whose organization is known when they are issued. */
const TTL_OF = {
  organization: 'organization',
  team: 'team',
  'audit-trails': 'audit_trails',
} as const;

/** Returns the latest time at which a new token may expire; undefined without a policy of the organization. */
function latestExpiry({ services, place }: ApiRequest, kind: NewToken['kind']): Date | undefined {
  const hasPolicy = (name: string): name is keyof typeof TTL_OF => Object.hasOwn(TTL_OF, name);
  if (place.organization === undefined || !hasPolicy(kind)) return undefined;
  const longest = longestLife(place.organization, TTL_OF[kind]);
  return longest === undefined ? undefined : new Date(services.clock.now().getTime() + longest);
}

function expiryOf(request: ApiRequest, kind: NewToken['kind']): Date | null {
  const latest = latestExpiry(request, kind);
  const expiry = requestedExpiry(request, kind);
  if (latest === undefined || (expiry !== null && expiry <= latest)) return expiry;
  if (!request.input.has('expired-at')) return latest;
  throw invalid('expired-at', `has to be at most ${latest.toISOString()} in this organization`);
}

function requestedExpiry({ input, services }: ApiRequest, kind: NewToken['kind']): Date | null {
  const text = input.text('expired-at');
  if (text === undefined) {
    // An explicit null asks for a token that does not expire.
    if (kind === 'agent' || input.attributes['expired-at'] === null) return null;
    const time = new Date(services.clock.now());
    time.setUTCFullYear(time.getUTCFullYear() + USUAL_YEARS);
    return time;
  }
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalid('expired-at', 'has to be a time');
  if (time <= services.clock.now()) throw invalid('expired-at', 'has to be in the future');
  return time;
}

async function issue(
  request: ApiRequest,
  kind: NewToken['kind'],
  ownerId: string,
  replaces: boolean,
) {
  const { services, principal, input } = request;
  if (replaces) await revokeAll(request, kind, ownerId);
  const { token, row } = await issueToken(services, {
    kind,
    ownerId,
    description: input.text('description') ?? '',
    createdBy: principal.kind === 'user' ? principal.user.id : null,
    expiresAt: expiryOf(request, kind),
  });
  await audit(services, principal, {
    organizationId: request.place.organization?.id ?? null,
    action: 'create',
    type: `${kind}-token`,
    id: row.id,
    details: { owner: ownerId },
  });
  return created({ data: tokenResource(row, token) });
}

/** Throws an ApiError if a team has another token of the same description, by which its members tell them apart. */
async function requireNewDescription({ services, input }: ApiRequest, team: string): Promise<void> {
  const description = input.text('description') ?? '';
  if (description === '') return;
  const existing = await services.db
    .selectFrom('tokens')
    .select('id')
    .where('kind', '=', 'team')
    .where('owner_id', '=', team)
    .where('description', '=', description)
    .executeTakeFirst();
  if (existing !== undefined) {
    throw new ApiError(
      422,
      'invalid attributes',
      'Validation failed: Description has already been taken',
    );
  }
}

async function revokeAll({ services }: ApiRequest, kind: string, ownerId: string): Promise<void> {
  await services.db
    .deleteFrom('tokens')
    .where('kind', '=', kind)
    .where('owner_id', '=', ownerId)
    .execute();
}

/** The order of tokens by the parameter `sort`. */
const SORTED = {
  'created-at': 'created_at',
  'expired-at': 'expires_at',
  'last-used-at': 'last_used_at',
} as const;

/** Lists the tokens of the teams of an organization, by a part of the name of the team. */
async function listTeamTokens(request: ApiRequest) {
  const { services, query } = request;
  const sort = query.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  const isName = (text: string): text is keyof typeof SORTED => Object.hasOwn(SORTED, text);
  if (sort !== '' && !isName(name)) {
    throw invalid('sort', `has to be one of ${Object.keys(SORTED).join(', ')}`);
  }
  const column = isName(name) ? SORTED[name] : 'created_at';
  return await listOf(
    request,
    services.db
      .selectFrom('tokens')
      .innerJoin('teams', 'teams.id', 'tokens.owner_id')
      .selectAll('tokens')
      .where('tokens.kind', '=', 'team')
      .where('teams.organization_id', '=', organizationOf(request).id)
      .where('teams.name', 'ilike', containing(query.get('q') ?? ''))
      .orderBy(`tokens.${column}`, sort.startsWith('-') ? 'desc' : 'asc')
      .orderBy('tokens.id'),
    (row) => tokenResource(row, null),
  );
}

async function list(request: ApiRequest, kind: string, owners: readonly string[]) {
  return await listOf(
    request,
    request.services.db
      .selectFrom('tokens')
      .selectAll()
      .where('kind', '=', kind)
      .where('owner_id', 'in', owners.length === 0 ? [''] : owners)
      .orderBy('created_at'),
    (row) => tokenResource(row, null),
  );
}

async function readOnly(request: ApiRequest, kind: string, ownerId: string) {
  const row = await request.services.db
    .selectFrom('tokens')
    .selectAll()
    .where('kind', '=', kind)
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return ok({ data: tokenResource(row, null) });
}

/** Returns a token that the principal may manage by its ID alone: its own, or that of a team or pool it manages. */
async function ownToken(request: ApiRequest): Promise<Token> {
  const { services, principal, param } = request;
  const row = await services.db
    .selectFrom('tokens')
    .selectAll()
    .where('id', '=', param('token'))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  if (row.kind === 'user') {
    if (principal.kind === 'user' && row.owner_id === principal.user.id) return row;
    throw notFound();
  }
  const { locate } = await import('../access/place.ts');
  const { permissionsIn } = await import('../access/authorize.ts');
  const location = await locate(services, 'token', row.id);
  if (location === undefined) throw notFound();
  const place = await permissionsIn(services, principal, location);
  const needed =
    row.kind === 'agent' ? 'organization:manage-agent-pools' : 'organization:manage-teams';
  if (!place.organizationPermissions.has(needed)) throw notFound();
  if (row.kind === 'team') await requireTeam(services, place, row.owner_id);
  return row;
}

/** Throws an ApiError if a principal may not manage the tokens of a team: those of owners are for owners alone. */
async function requireTeam(
  { db }: ApiRequest['services'],
  place: ApiRequest['place'],
  teamId: string,
): Promise<void> {
  const team = await db
    .selectFrom('teams')
    .select('name')
    .where('id', '=', teamId)
    .executeTakeFirst();
  if (team === undefined) throw notFound();
  requireOwnerFor(place, team.name);
}

function ownId({ principal, param }: ApiRequest): string {
  if (principal.kind !== 'user' || principal.user.id !== param('user')) throw notFound();
  return principal.user.id;
}

const ORGANIZATION = '/api/v2/organizations/:organization';
const admin = inOrganization('organization:admin');

function organizationKind({ query }: ApiRequest): 'organization' | 'audit-trails' {
  return query.get('token') === 'audit-trails' ? 'audit-trails' : 'organization';
}

export const TOKEN_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: `${ORGANIZATION}/authentication-token`,
    rule: admin,
    handle: (request) =>
      issue(request, organizationKind(request), organizationOf(request).id, true),
  },
  {
    method: 'GET',
    path: `${ORGANIZATION}/authentication-token`,
    rule: admin,
    handle: (request) => readOnly(request, organizationKind(request), organizationOf(request).id),
  },
  {
    method: 'DELETE',
    path: `${ORGANIZATION}/authentication-token`,
    rule: admin,
    async handle(request) {
      await readOnly(request, organizationKind(request), organizationOf(request).id);
      await revokeAll(request, organizationKind(request), organizationOf(request).id);
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: `${ORGANIZATION}/team-tokens`,
    rule: inOrganization('organization:manage-teams'),
    handle: listTeamTokens,
  },
  ...(['authentication-token', 'authentication-tokens'] as const).flatMap(
    (name): readonly Route[] => {
      const path = `/api/v2/teams/:team/${name}`;
      const rule = inOrganization('organization:manage-teams', 'team', 'team');
      return [
        {
          method: 'POST',
          path,
          rule,
          async handle(request) {
            await requireTeam(request.services, request.place, request.param('team'));
            const replaces = name === 'authentication-token';
            if (!replaces) await requireNewDescription(request, request.param('team'));
            return await issue(request, 'team', request.param('team'), replaces);
          },
        },
        {
          method: 'GET',
          path,
          rule,
          handle: (request) =>
            name === 'authentication-token'
              ? readOnly(request, 'team', request.param('team'))
              : list(request, 'team', [request.param('team')]),
        },
        {
          method: 'DELETE',
          path,
          rule,
          async handle(request) {
            await requireTeam(request.services, request.place, request.param('team'));
            await readOnly(request, 'team', request.param('team'));
            await revokeAll(request, 'team', request.param('team'));
            return NO_CONTENT;
          },
        },
      ];
    },
  ),
  {
    method: 'POST',
    path: '/api/v2/agent-pools/:pool/authentication-tokens',
    rule: inOrganization('organization:manage-agent-pools', 'pool', 'agent-pool'),
    async handle(request) {
      if ((request.input.text('description') ?? '') === '') {
        throw invalid('description', "can't be blank");
      }
      return await issue(request, 'agent', request.param('pool'), false);
    },
  },
  {
    method: 'GET',
    path: '/api/v2/agent-pools/:pool/authentication-tokens',
    rule: inOrganization('organization:manage-agent-pools', 'pool', 'agent-pool'),
    handle: (request) => list(request, 'agent', [request.param('pool')]),
  },
  {
    method: 'POST',
    path: '/api/v2/users/:user/authentication-tokens',
    rule: USER,
    handle: (request) => issue(request, 'user', ownId(request), false),
  },
  {
    method: 'GET',
    path: '/api/v2/users/:user/authentication-tokens',
    rule: USER,
    handle: (request) => list(request, 'user', [ownId(request)]),
  },
  {
    method: 'GET',
    path: '/api/v2/authentication-tokens/:token',
    rule: AUTHENTICATED,
    handle: async (request) => ok({ data: tokenResource(await ownToken(request), null) }),
  },
  {
    method: 'DELETE',
    path: '/api/v2/authentication-tokens/:token',
    rule: AUTHENTICATED,
    async handle(request) {
      const { id } = await ownToken(request);
      await request.services.db.deleteFrom('tokens').where('id', '=', id).execute();
      return NO_CONTENT;
    },
  },
];
