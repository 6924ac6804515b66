import type { Selectable } from 'kysely';
import type { Described, PolicySetSubjectTable } from '../database/schema.ts';
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
import { containing, listOfPage } from '../http/listing.ts';
import { type Answer, type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route, SIGNED } from '../http/route.ts';
import { signedUrl } from '../http/signed-url.ts';
import { audit } from '../services/audit.ts';
import { acceptPolicies, POLICY_KIND, type PolicySet } from '../services/policies.ts';
import { newId } from '../services/services.ts';
import { organizationOf } from './organizations.ts';

const ARCHIVE_LIMIT = 8 * 1024 * 1024;

/** The relationships of a set to workspaces and projects, with the table that has the objects. */
const SUBJECTS = {
  workspaces: { table: 'workspaces', isExcluded: false },
  projects: { table: 'projects', isExcluded: false },
  'workspace-exclusions': { table: 'workspaces', isExcluded: true },
  'project-exclusions': { table: 'projects', isExcluded: true },
} as const;
type SubjectName = keyof typeof SUBJECTS;
const SUBJECT_NAMES = [
  'workspaces',
  'projects',
  'workspace-exclusions',
  'project-exclusions',
] as const;

async function setResource(request: ApiRequest, set: PolicySet): Promise<Resource> {
  const [resource] = await setResources(request, [set]);
  if (resource === undefined) throw notFound();
  return resource;
}

/** Presents policy sets, with as many queries for several as for one. */
async function setResources(
  { services, place }: ApiRequest,
  sets: readonly PolicySet[],
): Promise<readonly Resource[]> {
  const { db } = services;
  const ids = sets.map(({ id }) => id);
  if (ids.length === 0) return [];
  const bySet = (row: { readonly policy_set_id: string }): string => row.policy_set_id;
  const subjects = groupedBy(
    await db
      .selectFrom('policy_set_subjects')
      .selectAll()
      .where('policy_set_id', 'in', ids)
      .orderBy('subject_id')
      .execute(),
    bySet,
  );
  const policies = groupedBy(
    await db
      .selectFrom('policy_set_policies')
      .select(['policy_set_id', 'policy_id'])
      .where('policy_set_id', 'in', ids)
      .orderBy('policy_id')
      .execute(),
    bySet,
  );
  const versions = groupedBy(
    await db
      .selectFrom('policy_set_versions')
      .select(['policy_set_id', 'id'])
      .distinctOn('policy_set_id')
      .where('policy_set_id', 'in', ids)
      .orderBy('policy_set_id')
      .orderBy('created_at', 'desc')
      .execute(),
    bySet,
  );
  return sets.map((set) =>
    presentSet(set, place.organization?.name, {
      subjects: subjects.get(set.id) ?? [],
      policies: (policies.get(set.id) ?? []).map((each) => each.policy_id),
      newest: versions.get(set.id)?.[0]?.id,
    }),
  );
}

/** The objects that a policy set is related to. */
interface SetFacts {
  readonly subjects: readonly Selectable<PolicySetSubjectTable>[];
  readonly policies: readonly string[];
  /** the newest version */
  readonly newest: string | undefined;
}

function presentSet(
  set: PolicySet,
  organization: string | undefined,
  { subjects, policies, newest }: SetFacts,
): ApiResource<'policy-sets'> {
  const related = (prefix: string, isExcluded: boolean): readonly string[] =>
    subjects
      .filter((each) => each.is_excluded === isExcluded && each.subject_id.startsWith(prefix))
      .map((each) => each.subject_id);
  const [workspaces, projects] = [related('ws-', false), related('prj-', false)];
  return {
    id: set.id,
    type: 'policy-sets',
    attributes: {
      name: set.name,
      description: set.description,
      kind: POLICY_KIND,
      global: set.is_global,
      overridable: null,
      'agent-enabled': true,
      'policy-tool-version': null,
      'policies-path': null,
      'policy-count': policies.length,
      'workspace-count': workspaces.length,
      'project-count': projects.length,
      versioned: set.current_version_id !== null,
      'created-at': set.created_at.toISOString(),
      'updated-at': set.updated_at.toISOString(),
    },
    relationships: {
      organization: toOne('organizations', organization),
      policies: toMany('policies', policies),
      workspaces: toMany('workspaces', workspaces),
      projects: toMany('projects', projects),
      'workspace-exclusions': toMany('workspaces', related('ws-', true)),
      'project-exclusions': toMany('projects', related('prj-', true)),
      'newest-version': toOne('policy-set-versions', newest),
      'current-version': toOne('policy-set-versions', set.current_version_id),
    },
    links: { self: `/api/v2/policy-sets/${set.id}` },
  };
}

async function setOf({ services, param }: ApiRequest): Promise<PolicySet> {
  const set = await services.db
    .selectFrom('policy_sets')
    .selectAll()
    .where('id', '=', param('set'))
    .executeTakeFirst();
  if (set === undefined) throw notFound();
  return set;
}

/** Throws an ApiError for other kinds of policies: a set that is not enforced must not look as if it were. */
export function requireKind({ input }: ApiRequest): void {
  const kind = input.text('kind') ?? POLICY_KIND;
  if (kind !== POLICY_KIND) {
    throw invalid('kind', `has to be "${POLICY_KIND}": other kinds of policies are not evaluated`);
  }
}

function readSet({ input, services }: ApiRequest, before: PolicySet | undefined) {
  const name = input.text('name') ?? before?.name ?? '';
  if (!/^[\w-]{1,90}$/.test(name)) {
    throw invalid('name', 'can contain letters, numbers, hyphens and underscores only');
  }
  return {
    name,
    description: input.text('description') ?? before?.description ?? '',
    is_global: input.boolean('global') ?? before?.is_global ?? false,
    updated_at: services.clock.now(),
  };
}

async function requireFreeName(request: ApiRequest, name: string): Promise<void> {
  const { id } = organizationOf(request);
  const taken = await request.services.db
    .selectFrom('policy_sets')
    .select('id')
    .where('organization_id', '=', id)
    .where('name', '=', name)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
}

async function record(request: ApiRequest, action: string, id: string): Promise<void> {
  const organizationId = request.place.organization?.id ?? null;
  const type = 'policy-set';
  await audit(request.services, request.principal, { organizationId, action, type, id });
}

async function create(request: ApiRequest) {
  const { services, input } = request;
  requireKind(request);
  if (input.attributes['vcs-repo'] !== undefined && input.attributes['vcs-repo'] !== null) {
    throw invalid('vcs-repo', 'is not supported; upload a version of the policy set instead');
  }
  const values = readSet(request, undefined);
  await requireFreeName(request, values.name);
  const set = await services.db
    .insertInto('policy_sets')
    .values({
      id: newId(services, 'polset'),
      organization_id: organizationOf(request).id,
      settings: '{}',
      current_version_id: null,
      created_at: services.clock.now(),
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  try {
    for (const name of SUBJECT_NAMES) {
      const ids = input.relatedMany(name)?.map(({ id }) => id) ?? [];
      await changeSubjects(request, set, name, ids, 'add');
    }
    await changePolicies(
      request,
      set,
      input.relatedMany('policies')?.map(({ id }) => id) ?? [],
      'add',
    );
  } catch (error) {
    await services.db.deleteFrom('policy_sets').where('id', '=', set.id).execute();
    throw error;
  }
  await record(request, 'create', set.id);
  return created({ data: await setResource(request, set) });
}

async function update(request: ApiRequest) {
  const before = await setOf(request);
  requireKind(request);
  const values = readSet(request, before);
  if (values.name !== before.name) await requireFreeName(request, values.name);
  const set = await request.services.db
    .updateTable('policy_sets')
    .set(values)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'update', set.id);
  return ok({ data: await setResource(request, set) });
}

async function changeSubjects(
  { services }: ApiRequest,
  set: PolicySet,
  name: SubjectName,
  ids: readonly string[],
  change: 'add' | 'remove',
): Promise<void> {
  if (ids.length === 0) return;
  const { db } = services;
  const { table, isExcluded } = SUBJECTS[name];
  const existing = await db
    .selectFrom(table)
    .select('id')
    .where('organization_id', '=', set.organization_id)
    .where('id', 'in', ids)
    .execute();
  if (new Set(ids).size !== existing.length) throw notFound();
  if (change === 'remove') {
    await db
      .deleteFrom('policy_set_subjects')
      .where('policy_set_id', '=', set.id)
      .where('subject_id', 'in', ids)
      .where('is_excluded', '=', isExcluded)
      .execute();
    return;
  }
  const rows = existing.map(({ id }) => ({
    policy_set_id: set.id,
    subject_id: id,
    is_excluded: isExcluded,
  }));
  await db
    .insertInto('policy_set_subjects')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function changePolicies(
  { services }: ApiRequest,
  set: PolicySet,
  ids: readonly string[],
  change: 'add' | 'remove',
): Promise<void> {
  if (ids.length === 0) return;
  const { db } = services;
  const existing = await db
    .selectFrom('policies')
    .select('id')
    .where('organization_id', '=', set.organization_id)
    .where('id', 'in', ids)
    .execute();
  if (new Set(ids).size !== existing.length) throw notFound();
  if (change === 'remove') {
    await db
      .deleteFrom('policy_set_policies')
      .where('policy_set_id', '=', set.id)
      .where('policy_id', 'in', ids)
      .execute();
    return;
  }
  if (set.current_version_id !== null) {
    throw new ApiError(422, 'invalid', 'The policies of the set come from an uploaded version.');
  }
  await db
    .insertInto('policy_set_policies')
    .values(existing.map(({ id }) => ({ policy_set_id: set.id, policy_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface Version {
  readonly id: string;
  readonly policy_set_id: string;
  readonly status: Described<'policy-set-versions', 'status'>;
  readonly error: string | null;
  readonly timestamps: Readonly<Record<string, string>>;
  readonly created_at: Date;
  readonly updated_at: Date;
}

function versionResource(
  { services }: ApiRequest,
  version: Version,
): ApiResource<'policy-set-versions'> {
  const upload = `/api/v2/policy-set-versions/${version.id}/upload`;
  return {
    id: version.id,
    type: 'policy-set-versions',
    attributes: {
      source: 'tfe-api',
      status: version.status,
      'status-timestamps': { ...version.timestamps },
      error: version.error,
      'error-message': version.error,
      'created-at': version.created_at.toISOString(),
      'updated-at': version.updated_at.toISOString(),
    },
    relationships: { 'policy-set': toOne('policy-sets', version.policy_set_id) },
    links: {
      self: `/api/v2/policy-set-versions/${version.id}`,
      ...(version.status === 'pending' && { upload: signedUrl(services, 'PUT', upload) }),
    },
  };
}

async function createVersion(request: ApiRequest) {
  const { services } = request;
  const set = await setOf(request);
  const now = services.clock.now();
  const version = await services.db
    .insertInto('policy_set_versions')
    .values({
      id: newId(services, 'polsetver'),
      policy_set_id: set.id,
      status: 'pending',
      error: null,
      timestamps: '{}',
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'create-version', set.id);
  return created({ data: versionResource(request, version) });
}

async function readVersion(request: ApiRequest) {
  const version = await request.services.db
    .selectFrom('policy_set_versions')
    .selectAll()
    .where('id', '=', request.param('version'))
    .executeTakeFirst();
  if (version === undefined) throw notFound();
  return ok({ data: versionResource(request, version) });
}

const manage = inOrganization('organization:manage-policies', 'set', 'policy-set');
const OF_ORGANIZATION = '/api/v2/organizations/:organization/policy-sets';
const BY_ID = '/api/v2/policy-sets/:set';

/** The routes that add to a relationship of a set and remove from it. */
const relationshipRoutes = (name: SubjectName | 'policies'): readonly Route[] =>
  (['POST', 'DELETE'] as const).map((method): Route => ({
    method,
    path: `${BY_ID}/relationships/${name}`,
    rule: manage,
    async handle(request) {
      const set = await setOf(request);
      const ids = request.input.list.map(({ id }) => id);
      const change = method === 'POST' ? 'add' : 'remove';
      if (name === 'policies') await changePolicies(request, set, ids, change);
      else await changeSubjects(request, set, name, ids, change);
      await record(request, `${change}-${name}`, set.id);
      return NO_CONTENT;
    },
  }));

export const POLICY_SET_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: OF_ORGANIZATION,
    rule: inOrganization('organization:manage-policies'),
    handle: create,
  },
  {
    method: 'GET',
    path: OF_ORGANIZATION,
    rule: inOrganization('organization:read'),
    handle: (request) => listPolicySets(request),
  },
  {
    method: 'GET',
    path: BY_ID,
    rule: inOrganization('organization:read', 'set', 'policy-set'),
    handle: async (request) => ok({ data: await setResource(request, await setOf(request)) }),
  },
  { method: 'PATCH', path: BY_ID, rule: manage, handle: update },
  {
    method: 'DELETE',
    path: BY_ID,
    rule: manage,
    async handle(request) {
      const { id } = await setOf(request);
      await request.services.db.deleteFrom('policy_sets').where('id', '=', id).execute();
      await record(request, 'destroy', id);
      return NO_CONTENT;
    },
  },
  ...[...SUBJECT_NAMES, 'policies' as const].flatMap(relationshipRoutes),
  { method: 'POST', path: `${BY_ID}/versions`, rule: manage, handle: createVersion },
  {
    method: 'GET',
    path: '/api/v2/policy-set-versions/:version',
    rule: inOrganization('organization:manage-policies', 'version', 'policy-set-version'),
    handle: readVersion,
  },
  {
    method: 'PUT',
    path: '/api/v2/policy-set-versions/:version/upload',
    rule: SIGNED,
    limit: ARCHIVE_LIMIT,
    async handle({ services, param, bytes }) {
      await acceptPolicies(services, param('version'), bytes);
      return { status: 200 };
    },
  },
];

/** Lists the policy sets of the organization of a request. */
export async function listPolicySets(request: ApiRequest): Promise<Answer> {
  const name = request.query.get('search[name]') ?? '';
  return await listOfPage(
    request,
    request.services.db
      .selectFrom('policy_sets')
      .selectAll()
      .where('organization_id', '=', organizationOf(request).id)
      .$if(name !== '', (select) => select.where('name', 'ilike', containing(name)))
      .orderBy('name'),
    (rows) => setResources(request, rows),
  );
}
