import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AgentPoolScopeTable, AgentPoolTable, AgentTable } from '../database/schema.ts';
import type { Workspace } from '../access/place.ts';
import { groupedBy } from '../http/grouped-by.ts';
import {
  ApiError,
  invalid,
  notFound,
  type ApiResource,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { containing, listOf, listOfPage } from '../http/listing.ts';
import { type ApiRequest, type Input, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';

type Pool = Selectable<AgentPoolTable>;

/** An agent that was silent for this long has ended. */
const SILENT_MS = 60_000;

/** Relationships that restrict who uses a pool, with the kind of their rows. */
const SCOPES = {
  'allowed-workspaces': 'allowed-workspace',
  'allowed-projects': 'allowed-project',
  'excluded-workspaces': 'excluded-workspace',
} as const;

const SCOPE_NAMES = ['allowed-workspaces', 'allowed-projects', 'excluded-workspaces'] as const;

/**
 * Throws an ApiError if the pool is not for a workspace: a pool of the organization is for all workspaces except the
 * excluded ones, any other pool for the allowed workspaces and those of the allowed projects.
 */
export async function requirePoolFor(
  { db }: Pick<Services, 'db'>,
  poolId: string,
  workspace: Pick<Workspace, 'project_id'> & { readonly id?: string },
): Promise<void> {
  const pool = await db
    .selectFrom('agent_pools')
    .select('organization_scoped')
    .where('id', '=', poolId)
    .executeTakeFirst();
  const scopes = await db
    .selectFrom('agent_pool_scopes')
    .select(['kind', 'subject_id'])
    .where('agent_pool_id', '=', poolId)
    .execute();
  const has = (kind: string, id: string | undefined): boolean =>
    scopes.some((each) => each.kind === kind && each.subject_id === id);
  const isPermitted =
    pool?.organization_scoped === true
      ? !has('excluded-workspace', workspace.id)
      : has('allowed-workspace', workspace.id) || has('allowed-project', workspace.project_id);
  if (!isPermitted) throw invalid('agent-pool', 'is not available to this workspace');
}

async function present(request: ApiRequest, pool: Pool): Promise<Resource> {
  const [resource] = await presentPools(request, [pool]);
  if (resource === undefined) throw notFound();
  return resource;
}

/** Presents agent pools, with as many queries for several as for one. */
async function presentPools(
  { services: { db }, place }: ApiRequest,
  pools: readonly Pool[],
): Promise<readonly Resource[]> {
  const ids = pools.map(({ id }) => id);
  if (ids.length === 0) return [];
  const byPool = (row: { readonly agent_pool_id: string | null }): string | null =>
    row.agent_pool_id;
  const scopes = groupedBy(
    await db
      .selectFrom('agent_pool_scopes')
      .selectAll()
      .where('agent_pool_id', 'in', ids)
      .orderBy('subject_id')
      .execute(),
    byPool,
  );
  // One row for each pool: the API has no pages of a relationship, and a pool can have thousands of workspaces.
  const workspaces = await db
    .selectFrom('workspaces')
    .select(['agent_pool_id', sql<string[]>`array_agg(id ORDER BY id)`.as('ids')])
    .where('agent_pool_id', 'in', ids)
    .groupBy('agent_pool_id')
    .execute();
  const workspacesByPool = new Map(workspaces.map((row) => [row.agent_pool_id, row.ids]));
  const agents = groupedBy(
    await db
      .selectFrom('agents')
      .select((select) => ['agent_pool_id', select.fn.countAll().as('count')])
      .where('agent_pool_id', 'in', ids)
      .where('status', '!=', 'exited')
      .groupBy('agent_pool_id')
      .execute(),
    byPool,
  );
  return pools.map((pool) =>
    presentPool(pool, place.organization?.name, {
      scopes: scopes.get(pool.id) ?? [],
      workspaces: workspacesByPool.get(pool.id) ?? [],
      agents: Number(agents.get(pool.id)?.[0]?.count ?? 0),
    }),
  );
}

/** The objects that an agent pool is related to. */
interface PoolFacts {
  readonly scopes: readonly Selectable<AgentPoolScopeTable>[];
  readonly workspaces: readonly string[];
  /** the number of agents */
  readonly agents: number;
}

function presentPool(
  pool: Pool,
  organization: string | undefined,
  { scopes, workspaces, agents }: PoolFacts,
): ApiResource<'agent-pools'> {
  const scoped = (kind: string, type: string) =>
    toMany(
      type,
      scopes.filter((each) => each.kind === kind).map(({ subject_id: id }) => id),
    );
  return {
    id: pool.id,
    type: 'agent-pools',
    attributes: {
      name: pool.name,
      'organization-scoped': pool.organization_scoped,
      'agent-count': agents,
      'created-at': pool.created_at.toISOString(),
    },
    relationships: {
      organization: toOne('organizations', organization),
      agents: { links: { related: `/api/v2/agent-pools/${pool.id}/agents` } },
      'authentication-tokens': {
        links: { related: `/api/v2/agent-pools/${pool.id}/authentication-tokens` },
      },
      workspaces: toMany('workspaces', workspaces),
      'allowed-workspaces': scoped('allowed-workspace', 'workspaces'),
      'allowed-projects': scoped('allowed-project', 'projects'),
      'excluded-workspaces': scoped('excluded-workspace', 'workspaces'),
    },
    links: { self: `/api/v2/agent-pools/${pool.id}` },
  };
}

async function poolOf({ services, param }: ApiRequest): Promise<Pool> {
  const pool = await services.db
    .selectFrom('agent_pools')
    .selectAll()
    .where('id', '=', param('pool'))
    .executeTakeFirst();
  if (pool === undefined) throw notFound();
  return pool;
}

async function list(request: ApiRequest) {
  const { services, query } = request;
  let select = services.db
    .selectFrom('agent_pools')
    .where('organization_id', '=', organizationOf(request).id);
  const text = query.get('q') ?? '';
  if (text !== '') {
    select = select.where('name', 'ilike', containing(text));
  }
  const sort = query.get('sort') ?? 'name';
  // The API document has hyphens, and go-tfe sends underscores.
  const filterOf = (subject: string): string =>
    query.get(`filter[allowed-${subject}][name]`) ??
    query.get(`filter[allowed_${subject}][name]`) ??
    '';
  const workspaceName = filterOf('workspaces');
  const projectName = filterOf('projects');
  const ofWorkspace = (kind: string) =>
    services.db
      .selectFrom('agent_pool_scopes')
      .innerJoin('workspaces', 'workspaces.id', 'agent_pool_scopes.subject_id')
      .select('agent_pool_scopes.agent_pool_id')
      .where('agent_pool_scopes.kind', '=', kind)
      .where('workspaces.name', '=', workspaceName);
  if (workspaceName !== '') {
    select = select.where((where) =>
      where.or([
        where.and([
          where('organization_scoped', '=', true),
          where('id', 'not in', ofWorkspace('excluded-workspace')),
        ]),
        where('id', 'in', ofWorkspace('allowed-workspace')),
      ]),
    );
  }
  if (projectName !== '') {
    select = select.where((where) =>
      where.or([
        where('organization_scoped', '=', true),
        where(
          'id',
          'in',
          services.db
            .selectFrom('agent_pool_scopes')
            .innerJoin('projects', 'projects.id', 'agent_pool_scopes.subject_id')
            .select('agent_pool_scopes.agent_pool_id')
            .where('agent_pool_scopes.kind', '=', 'allowed-project')
            .where('projects.name', '=', projectName),
        ),
      ]),
    );
  }
  return await listOfPage(
    request,
    select
      .selectAll()
      .orderBy(
        sort.endsWith('created-at') ? 'created_at' : 'name',
        sort.startsWith('-') ? 'desc' : 'asc',
      ),
    (rows) => presentPools(request, rows),
  );
}

function checkedName(name: string | undefined): string {
  if (name === undefined || name.trim() === '') throw invalid('name', "can't be blank");
  if (name.length > 255) throw invalid('name', 'has at most 255 characters');
  return name;
}

async function refuseDuplicate(request: ApiRequest, name: string, except = ''): Promise<void> {
  const taken = await request.services.db
    .selectFrom('agent_pools')
    .select('id')
    .where('organization_id', '=', organizationOf(request).id)
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
}

/** Replaces the scopes that a request names. Throws an ApiError for objects of other organizations. */
async function writeScopes(
  db: Database,
  input: Input,
  organizationId: string,
  poolId: string,
): Promise<void> {
  for (const name of SCOPE_NAMES) {
    const subjects = input.relatedMany(name);
    if (subjects === undefined) continue;
    const ids = [...new Set(subjects.map(({ id }) => id))];
    const known =
      ids.length === 0
        ? []
        : await db
            .selectFrom(name === 'allowed-projects' ? 'projects' : 'workspaces')
            .select('id')
            .where('organization_id', '=', organizationId)
            .where('id', 'in', ids)
            .execute();
    if (known.length !== ids.length) throw notFound();
    const kind = SCOPES[name];
    await db
      .deleteFrom('agent_pool_scopes')
      .where('agent_pool_id', '=', poolId)
      .where('kind', '=', kind)
      .execute();
    if (ids.length === 0) continue;
    await db
      .insertInto('agent_pool_scopes')
      .values(ids.map((id) => ({ agent_pool_id: poolId, kind, subject_id: id })))
      .execute();
  }
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const name = checkedName(input.text('name'));
  await refuseDuplicate(request, name);
  const pool = await services.db.transaction().execute(async (db) => {
    const row = await db
      .insertInto('agent_pools')
      .values({
        id: newId(services, 'apool'),
        organization_id: organization.id,
        name,
        organization_scoped: input.boolean('organization-scoped') ?? true,
        created_at: services.clock.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeScopes(db, input, organization.id, row.id);
    return row;
  });
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'agent-pool',
    id: pool.id,
    details: { name },
  });
  // HCP Terraform answers 200 here, not 201.
  return ok({ data: await present(request, pool) });
}

async function update(request: ApiRequest) {
  const { services, input, principal } = request;
  const pool = await poolOf(request);
  const name = input.has('name') ? checkedName(input.text('name')) : pool.name;
  await refuseDuplicate(request, name, pool.id);
  const updated = await services.db.transaction().execute(async (db) => {
    await writeScopes(db, input, pool.organization_id, pool.id);
    return await db
      .updateTable('agent_pools')
      .set({
        name,
        organization_scoped: input.boolean('organization-scoped') ?? pool.organization_scoped,
      })
      .where('id', '=', pool.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  await audit(services, principal, {
    organizationId: pool.organization_id,
    action: 'update',
    type: 'agent-pool',
    id: pool.id,
    details: { name },
  });
  return ok({ data: await present(request, updated) });
}

async function remove(request: ApiRequest) {
  const { services, principal } = request;
  const pool = await poolOf(request);
  const used = await services.db
    .selectFrom('workspaces')
    .select('id')
    .where('agent_pool_id', '=', pool.id)
    .limit(1)
    .executeTakeFirst();
  if (used !== undefined) {
    throw new ApiError(422, 'invalid', 'The agent pool cannot be deleted. Workspaces use it.');
  }
  await services.db.transaction().execute(async (db) => {
    await db
      .deleteFrom('tokens')
      .where('kind', '=', 'agent')
      .where('owner_id', '=', pool.id)
      .execute();
    await db.deleteFrom('agent_pools').where('id', '=', pool.id).execute();
  });
  await audit(services, principal, {
    organizationId: pool.organization_id,
    action: 'destroy',
    type: 'agent-pool',
    id: pool.id,
    details: { name: pool.name },
  });
  return NO_CONTENT;
}

/** Returns the status of an agent: `unknown` if it has been silent without having said that it ends. */
export function agentStatus(
  { clock }: Pick<Services, 'clock'>,
  { status, last_ping_at: lastPing }: Pick<Selectable<AgentTable>, 'status' | 'last_ping_at'>,
): string {
  const silent = clock.now().getTime() - lastPing.getTime();
  return silent > SILENT_MS && status !== 'exited' ? 'unknown' : status;
}

function agentResource(
  services: Pick<Services, 'clock'>,
  agent: Selectable<AgentTable>,
): ApiResource<'agents'> {
  return {
    id: agent.id,
    type: 'agents',
    attributes: {
      name: agent.name,
      status: agentStatus(services, agent),
      'ip-address': agent.ip_address,
      'last-ping-at': agent.last_ping_at.toISOString(),
    },
    relationships: { 'agent-pool': toOne('agent-pools', agent.agent_pool_id) },
    links: { self: `/api/v2/agents/${agent.id}` },
  };
}

async function listAgents(request: ApiRequest) {
  const { services, query, param } = request;
  let select = services.db.selectFrom('agents').where('agent_pool_id', '=', param('pool'));
  const since = query.get('filter[last-ping-since]');
  if (since !== null) {
    const time = new Date(since);
    if (Number.isNaN(time.getTime())) {
      throw new ApiError(400, 'bad request', 'filter[last-ping-since] has to be a time.');
    }
    select = select.where('last_ping_at', '>=', time);
  }
  return await listOf(request, select.selectAll().orderBy('last_ping_at', 'desc'), (row) =>
    agentResource(services, row),
  );
}

async function agentOf({ services, param }: ApiRequest) {
  const agent = await services.db
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', param('agent'))
    .executeTakeFirst();
  if (agent === undefined) throw notFound();
  return agent;
}

async function removeAgent(request: ApiRequest) {
  const { services } = request;
  const agent = await agentOf(request);
  const isAlive = services.clock.now().getTime() - agent.last_ping_at.getTime() <= SILENT_MS;
  if (isAlive && agent.status !== 'exited') {
    throw new ApiError(
      422,
      'invalid',
      'The agent is connected. End its process before it is deleted.',
    );
  }
  await services.db.deleteFrom('agents').where('id', '=', agent.id).execute();
  return NO_CONTENT;
}

const ORGANIZATION = '/api/v2/organizations/:organization/agent-pools';
const POOL = '/api/v2/agent-pools/:pool';
const reads = inOrganization('organization:read', 'pool', 'agent-pool');
const manages = inOrganization('organization:manage-agent-pools', 'pool', 'agent-pool');

export const AGENT_POOL_ROUTES: readonly Route[] = [
  { method: 'GET', path: ORGANIZATION, rule: inOrganization('organization:read'), handle: list },
  {
    method: 'POST',
    path: ORGANIZATION,
    rule: inOrganization('organization:manage-agent-pools'),
    handle: create,
  },
  {
    method: 'GET',
    path: POOL,
    rule: reads,
    handle: async (request) => ok({ data: await present(request, await poolOf(request)) }),
  },
  { method: 'PATCH', path: POOL, rule: manages, handle: update },
  { method: 'DELETE', path: POOL, rule: manages, handle: remove },
  { method: 'GET', path: `${POOL}/agents`, rule: reads, handle: listAgents },
  {
    method: 'GET',
    path: '/api/v2/agents/:agent',
    rule: inOrganization('organization:read', 'agent', 'agent'),
    handle: async (request) =>
      ok({ data: agentResource(request.services, await agentOf(request)) }),
  },
  {
    method: 'DELETE',
    path: '/api/v2/agents/:agent',
    rule: inOrganization('organization:manage-agent-pools', 'agent', 'agent'),
    handle: removeAgent,
  },
];
