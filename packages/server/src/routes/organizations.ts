import type { Selectable } from 'kysely';
import { OWNERS_TEAM } from '../access/authorize.ts';
import { type Organization, organizationById, type Place } from '../access/place.ts';
import type { ProjectTable, Settings } from '../database/schema.ts';
import {
  ApiError,
  collection,
  invalid,
  notFound,
  pageOf,
  type ApiResource,
  type Resource,
  toOne,
} from '../http/json-api.ts';
import { containing, listOf } from '../http/listing.ts';
import { type Answer, type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { AUTHENTICATED, inOrganization, type Route, USER } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { inheritExecution } from '../services/execution.ts';
import { newId, type Services } from '../services/services.ts';
import { isUserToken, USER_TOKENS } from '../services/token-ttl.ts';

const NAME = /^[A-Za-z0-9_-]{3,40}$/;

/** Attributes that clients may set, with their defaults. */
const SETTINGS: Settings<'organizations'> = {
  'assessments-enforced': false,
  'collaborator-auth-policy': 'password',
  'cost-estimation-enabled': false,
  'default-execution-mode': 'remote',
  'owners-team-saml-role-id': null,
  'send-passing-statuses-for-untriggered-speculative-plans': false,
  'aggregated-commit-status-enabled': false,
  'speculative-plan-management-enabled': true,
  'allow-force-delete-workspaces': false,
  'session-remember': null,
  'session-timeout': null,
  [USER_TOKENS]: true,
  'stacks-enabled': false,
  'max-ttl-enabled': false,
  'enforce-hyok': false,
};

/**
 * Returns the members of an input that are settings; `known` has their names and defaults. Null stands for the default.
 * Throws an ApiError for a value of another type than the default.
 */
export function settingsOf(
  { input }: Pick<ApiRequest, 'input'>,
  known: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, usual]) => {
      const value = input.attributes[name];
      if (value === undefined) return [];
      if (typeof usual === 'boolean') input.boolean(name);
      else if (typeof usual === 'string') input.text(name);
      else if (typeof usual === 'number') input.number(name);
      else if (Array.isArray(usual)) input.texts(name);
      return [[name, value ?? usual]];
    }),
  );
}

/** Throws an ApiError if a project or workspace overwrites the execution mode without the agent pool, or vice versa. */
export function requireEqualOverwrites(
  overwrites: Readonly<Record<string, unknown>>,
  prefix: string,
): void {
  const mode = overwrites[`${prefix}execution-mode`] ?? overwrites['execution-mode'];
  const pool = overwrites[`${prefix}agent-pool`] ?? overwrites['agent-pool'];
  if (mode === undefined || pool === undefined || mode === pool) return;
  throw new ApiError(
    422,
    'invalid attribute',
    'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.',
    '/data/attributes/setting-overwrites',
  );
}

/** Presents an organization. */
export function organizationResource(
  organization: Organization,
  place: Pick<Place, 'organizationPermissions'>,
  defaultProject: string | undefined,
): ApiResource<'organizations'> {
  const { organizationPermissions: permissions } = place;
  const isAdmin = permissions.has('organization:admin');
  const pool = organization.settings['default-agent-pool'];
  return {
    id: organization.name,
    type: 'organizations',
    attributes: {
      'external-id': organization.id,
      name: organization.name,
      email: organization.email,
      'created-at': organization.created_at.toISOString(),
      'is-unified': false,
      'saml-enabled': false,
      'two-factor-conformant': false,
      'plan-expired': false,
      'plan-identifier': 'self-hosted',
      'trial-expires-at': null,
      'remaining-testable-count': 5,
      ...SETTINGS,
      ...organization.settings,
      permissions: {
        'can-update': isAdmin,
        'can-destroy': isAdmin,
        'can-create-team': permissions.has('organization:manage-teams'),
        'can-create-workspace': permissions.has('organization:manage-workspaces'),
        'can-create-workspace-migration': isAdmin,
        'can-create-project': permissions.has('organization:manage-projects'),
        'can-create-module': permissions.has('organization:manage-modules'),
        'can-create-provider': permissions.has('organization:manage-providers'),
        'can-manage-run-tasks': permissions.has('organization:manage-run-tasks'),
        'can-manage-users': permissions.has('organization:manage-membership'),
        'can-manage-tags': isAdmin,
        'can-manage-varsets': isAdmin,
        'can-read-varsets': permissions.has('organization:read'),
        'can-update-api-token': isAdmin,
        'can-update-oauth': permissions.has('organization:manage-vcs'),
        'can-update-sentinel': permissions.has('organization:manage-policies'),
        'can-access-via-teams': true,
        'can-traverse': true,
      },
    },
    relationships: {
      'default-project': toOne('projects', defaultProject),
      'default-agent-pool': toOne('agent-pools', typeof pool === 'string' ? pool : null),
      'entitlement-set': toOne('entitlement-sets', organization.id),
      'oauth-tokens': {
        links: { related: `/api/v2/organizations/${organization.name}/oauth-tokens` },
      },
    },
    links: { self: `/api/v2/organizations/${organization.name}` },
  };
}

export async function defaultProjectOf(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
): Promise<Selectable<ProjectTable> | undefined> {
  return await db
    .selectFrom('projects')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('is_default', '=', true)
    .executeTakeFirst();
}

async function list(request: ApiRequest): Promise<Answer> {
  const { services, principal, query } = request;
  let select = services.db.selectFrom('organizations');
  const text = query.get('q') ?? query.get('q[name]') ?? '';
  if (text !== '') {
    const like = containing(text);
    select = select.where((where) =>
      where.or([
        where('organizations.name', 'ilike', like),
        ...(query.has('q') ? [where('organizations.email', 'ilike', like)] : []),
      ]),
    );
  }
  const email = query.get('q[email]') ?? '';
  if (email !== '') select = select.where('organizations.email', '=', email);
  if (principal.kind === 'user' && !principal.user.is_site_admin) {
    select = select.where('organizations.id', 'in', (sub) =>
      sub
        .selectFrom('memberships')
        .select('organization_id')
        .where('user_id', '=', principal.user.id)
        // An invitation shows nothing.
        .where('status', '=', 'active'),
    );
  } else if (principal.kind === 'organization') {
    select = select.where('organizations.id', '=', principal.organizationId);
  } else if (principal.kind === 'team') {
    select = select.where('organizations.id', 'in', (sub) =>
      sub.selectFrom('teams').select('organization_id').where('id', '=', principal.teamId),
    );
  } else if (principal.kind !== 'user') throw notFound();
  return await listOf(request, select.selectAll().orderBy('organizations.name'), (each) =>
    present(request, each),
  );
}

/** Throws an ApiError if a user's token sends a setting that ends the access of all tokens of users. */
function requireOtherToken({ principal, input }: Pick<ApiRequest, 'principal' | 'input'>): void {
  if (input.attributes[USER_TOKENS] !== false || !isUserToken(principal)) return;
  throw invalid(
    USER_TOKENS,
    "cannot be false in a request with a user's token, which would lose its access to the organization. " +
      'Send the request with a token of the owners team or the organization.',
  );
}

/** Creates an organization with its default project and its owners. */
export async function createOrganization(
  services: Services,
  name: string,
  email: string,
  settings: Readonly<Record<string, unknown>>,
  ownerId: string | undefined,
): Promise<Organization> {
  const now = services.clock.now();
  return await services.db.transaction().execute(async (db) => {
    const organization = await db
      .insertInto('organizations')
      .values({
        id: newId(services, 'org'),
        name,
        email,
        settings: JSON.stringify(settings),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await db
      .insertInto('projects')
      .values({
        id: newId(services, 'prj'),
        organization_id: organization.id,
        name: 'Default Project',
        description: '',
        is_default: true,
        settings: '{}',
        created_at: now,
      })
      .execute();
    const owners = newId(services, 'team');
    await db
      .insertInto('teams')
      .values({
        id: owners,
        organization_id: organization.id,
        name: OWNERS_TEAM,
        visibility: 'secret',
        organization_access: '{}',
        settings: '{}',
        created_at: now,
      })
      .execute();
    if (ownerId !== undefined) {
      await db
        .insertInto('memberships')
        .values({
          id: newId(services, 'ou'),
          organization_id: organization.id,
          user_id: ownerId,
          status: 'active',
          created_at: now,
        })
        .execute();
      await db.insertInto('team_members').values({ team_id: owners, user_id: ownerId }).execute();
    }
    return organization;
  });
}

function checkedName(name: string | undefined): string {
  if (name === undefined || name === '') throw invalid('name', "can't be blank");
  if (!NAME.test(name)) {
    throw invalid('name', 'has to have 3 to 40 letters, digits, "-" and "_" only');
  }
  return name;
}

async function create(request: ApiRequest) {
  const { services, principal, input } = request;
  if (principal.kind !== 'user') throw notFound();
  const name = checkedName(input.text('name'));
  const email = input.text('email') ?? '';
  if (email === '') throw invalid('email', "can't be blank");
  const taken = await services.db
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
  requireOtherToken(request);
  const settings = settingsOf(request, SETTINGS);
  const organization = await createOrganization(services, name, email, settings, principal.user.id);
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'organization',
    id: organization.id,
  });
  return created({ data: await present(request, organization) });
}

async function present(request: ApiRequest, organization: Organization): Promise<Resource> {
  const { permissionsIn } = await import('../access/authorize.ts');
  const place = await permissionsIn(request.services, request.principal, { organization });
  const project = await defaultProjectOf(request.services, organization.id);
  return organizationResource(organization, place, project?.id);
}

/** Returns the organization that the rule of the route has found. */
export function organizationOf({ place }: Pick<ApiRequest, 'place'>): Organization {
  if (place.organization === undefined) throw notFound();
  return place.organization;
}

async function read(request: ApiRequest) {
  return ok({ data: await present(request, organizationOf(request)) });
}

async function update(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  requireOtherToken(request);
  const name = input.has('name') ? checkedName(input.text('name')) : organization.name;
  const related = input.related('default-agent-pool');
  const mode = input.text('default-execution-mode');
  if (typeof related === 'string' && mode !== 'agent') {
    throw invalid(
      'default-agent-pool',
      "must not be specified unless using 'agent' execution mode",
    );
  }
  if (mode === 'agent' && typeof related !== 'string') {
    throw invalid('default-agent-pool', "must be specified when using 'agent' execution mode");
  }
  // Another mode has no agent pool.
  const pool = mode === undefined || mode === 'agent' ? related : null;
  const settings = {
    ...organization.settings,
    ...settingsOf(request, SETTINGS),
    ...(pool !== undefined && { 'default-agent-pool': pool }),
  };
  const updated = await services.db
    .updateTable('organizations')
    .set({
      name,
      email: input.text('email') ?? organization.email,
      settings: JSON.stringify(settings),
    })
    .where('id', '=', organization.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (mode !== undefined || pool !== undefined) await inheritExecution(services.db, updated);
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'update',
    type: 'organization',
    id: organization.id,
  });
  return ok({ data: await present(request, updated) });
}

async function remove(request: ApiRequest) {
  const { services, principal } = request;
  const { id } = organizationOf(request);
  // Workspaces refer to projects, which must not be deleted before them.
  await services.db.transaction().execute(async (db) => {
    await db.deleteFrom('workspaces').where('organization_id', '=', id).execute();
    await db.deleteFrom('organizations').where('id', '=', id).execute();
  });
  await audit(services, principal, {
    organizationId: id,
    action: 'destroy',
    type: 'organization',
    id,
  });
  return NO_CONTENT;
}

const ENTITLEMENTS: Readonly<Record<string, boolean | number | string>> = {
  agents: true,
  'audit-logging': true,
  'configuration-designer': false,
  'cost-estimation': false,
  'global-run-tasks': true,
  'module-tests-generation': false,
  operations: true,
  'policy-enforcement': true,
  'policy-limit': 1000,
  'policy-mandatory-enforcement-limit': 1000,
  'policy-set-limit': 1000,
  'private-module-registry': true,
  'private-policy-agents': false,
  'private-vcs': false,
  'run-task-limit': 50,
  'run-task-mandatory-enforcement-limit': 50,
  'run-task-workspace-limit': 50,
  'run-tasks': true,
  'self-serve-billing': false,
  sentinel: false,
  sso: true,
  'state-storage': true,
  teams: true,
  'usage-reporting': false,
  'user-limit': 0,
  'vcs-integrations': true,
  'versioned-policy-set-limit': 1000,
};

function entitlements(request: ApiRequest) {
  const { id } = organizationOf(request);
  return ok({ data: { id, type: 'entitlement-sets', attributes: ENTITLEMENTS } });
}

async function capacity(request: ApiRequest) {
  const { services } = request;
  const { id, name } = organizationOf(request);
  const counts = await services.db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id')
    .select(['runs.status', (select) => select.fn.countAll().as('count')])
    .where('workspaces.organization_id', '=', id)
    .where('runs.status', 'in', ['pending', 'plan_queued', 'apply_queued', 'planning', 'applying'])
    .groupBy('runs.status')
    .execute();
  const sum = (...statuses: readonly string[]): number =>
    counts.reduce(
      (all, { status, count }) => all + (statuses.includes(status) ? Number(count) : 0),
      0,
    );
  return ok({
    data: {
      id: name,
      type: 'organization-capacity',
      attributes: {
        pending: sum('pending', 'plan_queued', 'apply_queued'),
        running: sum('planning', 'applying'),
      },
    },
  });
}

async function auditTrail(request: ApiRequest): Promise<Answer> {
  const { services, query, url } = request;
  const { id } = organizationOf(request);
  const page = pageOf(query);
  let select = services.db.selectFrom('audit').where('organization_id', '=', id);
  const since = query.get('since') ?? '';
  if (since !== '') {
    const time = new Date(since);
    if (Number.isNaN(time.getTime())) throw invalid('since', 'has to be a time');
    select = select.where('created_at', '>=', time);
  }
  const { total } = await select
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await select
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute();
  const { meta } = collection([], page, Number(total), url);
  return ok({
    data: rows.map((row) => ({
      id: row.id,
      version: '0',
      type: 'Resource',
      timestamp: row.created_at.toISOString(),
      auth: {
        accessor_id: row.actor_id,
        description: row.actor,
        type: 'Client',
        organization_id: id,
      },
      request: { id: row.id },
      resource: {
        id: row.subject_id,
        type: row.subject_type,
        action: row.action,
        meta: row.details,
      },
    })),
    pagination: meta?.['pagination'] ?? {},
  });
}

/** The audit log of the organization whose token is sent, which is how log collectors read it. */
async function ownAuditTrail(request: ApiRequest) {
  const { services, principal } = request;
  if (principal.kind !== 'organization' && principal.kind !== 'audit-trails') throw notFound();
  const organization = await organizationById(services, principal.organizationId);
  if (organization === undefined) throw notFound();
  const { permissionsIn } = await import('../access/authorize.ts');
  const place = await permissionsIn(services, principal, { organization });
  if (!place.organizationPermissions.has('organization:read-audit')) throw notFound();
  return await auditTrail({ ...request, param: request.param, place });
}

/** Organizations and their direct members. */
export const ORGANIZATION_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/v2/organizations', rule: AUTHENTICATED, handle: list },
  { method: 'POST', path: '/api/v2/organizations', rule: USER, handle: create },
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization',
    rule: inOrganization('organization:read'),
    handle: read,
  },
  {
    method: 'PATCH',
    path: '/api/v2/organizations/:organization',
    rule: inOrganization('organization:admin'),
    handle: update,
  },
  {
    method: 'DELETE',
    path: '/api/v2/organizations/:organization',
    rule: inOrganization('organization:admin'),
    handle: remove,
  },
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/entitlement-set',
    rule: inOrganization('organization:read'),
    handle: entitlements,
  },
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/capacity',
    rule: inOrganization('organization:read'),
    handle: capacity,
  },
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/audit-trail',
    rule: inOrganization('organization:read-audit'),
    handle: auditTrail,
  },
  {
    method: 'GET',
    path: '/api/v2/organization/audit-trail',
    rule: AUTHENTICATED,
    handle: ownAuditTrail,
  },
];

export { auditTrail, list as listOrganizations };
