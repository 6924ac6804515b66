import type { Selectable } from 'kysely';
import type { PolicyTable } from '../database/schema.ts';
import { conflict, invalid, notFound, type ApiResource, toOne } from '../http/json-api.ts';
import { listOf } from '../http/listing.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { POLICY_KIND } from '../services/policies.ts';
import { newId } from '../services/services.ts';
import { organizationOf } from './organizations.ts';
import { requireKind } from './policy-sets.ts';

type Policy = Selectable<PolicyTable>;

async function policyResource(
  { services, place }: ApiRequest,
  policy: Policy,
): Promise<ApiResource<'policies', 'kind' | 'enforcement-level'>> {
  const sets = await services.db
    .selectFrom('policy_set_policies')
    .select('policy_set_id')
    .where('policy_id', '=', policy.id)
    .execute();
  return {
    id: policy.id,
    type: 'policies',
    attributes: {
      name: policy.name,
      description: policy.description,
      kind: POLICY_KIND,
      query: null,
      // The levels are in the file, for each policy.
      enforce: [],
      'enforcement-level': null,
      'policy-set-count': sets.length,
      'updated-at': policy.updated_at.toISOString(),
    },
    relationships: { organization: toOne('organizations', place.organization?.name) },
    links: {
      self: `/api/v2/policies/${policy.id}`,
      upload: `/api/v2/policies/${policy.id}/upload`,
      ...(policy.content !== null && { download: `/api/v2/policies/${policy.id}/download` }),
    },
  };
}

async function policyOf({ services, param }: ApiRequest): Promise<Policy> {
  const policy = await services.db
    .selectFrom('policies')
    .selectAll()
    .where('id', '=', param('policy'))
    .executeTakeFirst();
  if (policy === undefined) throw notFound();
  return policy;
}

async function record(request: ApiRequest, action: string, id: string): Promise<void> {
  const organizationId = request.place.organization?.id ?? null;
  const type = 'policy';
  await audit(request.services, request.principal, { organizationId, action, type, id });
}

async function create(request: ApiRequest) {
  const { services, input } = request;
  requireKind(request);
  const { id: organizationId } = organizationOf(request);
  const name = input.text('name') ?? '';
  if (!/^\w[\w-]{0,89}$/.test(name)) {
    throw invalid('name', 'can contain letters, numbers, hyphens and underscores only');
  }
  const taken = await services.db
    .selectFrom('policies')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
  const now = services.clock.now();
  const policy = await services.db
    .insertInto('policies')
    .values({
      id: newId(services, 'pol'),
      organization_id: organizationId,
      name,
      description: input.text('description') ?? '',
      content: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'create', policy.id);
  return created({ data: await policyResource(request, policy) });
}

async function change(
  request: ApiRequest,
  changes: { readonly description?: string; readonly content?: string },
  action: string,
) {
  const { id } = await policyOf(request);
  const policy = await request.services.db
    .updateTable('policies')
    .set({ ...changes, updated_at: request.services.clock.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, action, id);
  return policy;
}

async function upload(request: ApiRequest) {
  const content = Buffer.from(request.bytes).toString('utf8');
  if (content.trim() === '' || content.includes('\0')) {
    throw invalid('content', 'has to be the text of a policy file');
  }
  await change(request, { content }, 'upload');
  return { status: 200 };
}

async function remove(request: ApiRequest) {
  const { services } = request;
  const { id } = await policyOf(request);
  const used = await services.db
    .selectFrom('policy_set_policies')
    .select('policy_set_id')
    .where('policy_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (used !== undefined) throw conflict('The policy is part of a policy set. Remove it there.');
  await services.db.deleteFrom('policies').where('id', '=', id).execute();
  await record(request, 'destroy', id);
  return NO_CONTENT;
}

const OF_ORGANIZATION = '/api/v2/organizations/:organization/policies';
const BY_ID = '/api/v2/policies/:policy';
const manage = inOrganization('organization:manage-policies', 'policy', 'policy');
const read = inOrganization('organization:read', 'policy', 'policy');

export const POLICY_ROUTES: readonly Route[] = [
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
    handle: (request) =>
      listOf(
        request,
        request.services.db
          .selectFrom('policies')
          .selectAll()
          .where('organization_id', '=', organizationOf(request).id)
          .orderBy('name'),
        (row) => policyResource(request, row),
      ),
  },
  {
    method: 'GET',
    path: BY_ID,
    rule: read,
    handle: async (request) => ok({ data: await policyResource(request, await policyOf(request)) }),
  },
  {
    method: 'PATCH',
    path: BY_ID,
    rule: manage,
    async handle(request) {
      const description = request.input.text('description');
      const policy = await change(
        request,
        description === undefined ? {} : { description },
        'update',
      );
      return ok({ data: await policyResource(request, policy) });
    },
  },
  { method: 'DELETE', path: BY_ID, rule: manage, handle: remove },
  { method: 'PUT', path: `${BY_ID}/upload`, rule: manage, handle: upload },
  {
    method: 'GET',
    path: `${BY_ID}/download`,
    rule: read,
    async handle(request) {
      const { content } = await policyOf(request);
      if (content === null) throw notFound();
      return { body: content, contentType: 'text/plain; charset=utf-8' };
    },
  },
];
