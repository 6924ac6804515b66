import type { Selectable } from 'kysely';
import type { TagTable } from '../database/schema.ts';
import { collection, notFound, pageOf, type Resource, toOne } from '../http/json-api.ts';
import { containing } from '../http/listing.ts';
import { type ApiRequest, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { organizationOf } from './organizations.ts';

async function list(request: ApiRequest) {
  const { services, query, url } = request;
  const organization = organizationOf(request);
  const page = pageOf(query);
  const [text, workspaceId] = [
    query.get('q') ?? '',
    query.get('filter[exclude][taggable][id]') ?? '',
  ];
  let select = services.db.selectFrom('tags').where('organization_id', '=', organization.id);
  if (text !== '') {
    select = select.where('name', 'ilike', containing(text));
  }
  if (workspaceId !== '') {
    select = select.where('id', 'not in', (sub) =>
      sub.selectFrom('workspace_tags').select('tag_id').where('workspace_id', '=', workspaceId),
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
  const uses = await services.db
    .selectFrom('workspace_tags')
    .select(['tag_id', (count) => count.fn.countAll().as('count')])
    .where('tag_id', 'in', ['', ...rows.map(({ id }) => id)])
    .groupBy('tag_id')
    .execute();
  const present = ({
    id,
    name,
    organization_id: organizationId,
  }: Selectable<TagTable>): Resource => ({
    id,
    type: 'tags',
    attributes: {
      name,
      'created-at': organization.created_at.toISOString(),
      'instance-count': Number(uses.find(({ tag_id: tag }) => tag === id)?.count ?? 0),
    },
    relationships: {
      organization: toOne(
        'organizations',
        organizationId === organization.id ? organization.name : null,
      ),
    },
  });
  return ok(collection(rows.map(present), page, Number(total), url));
}

async function remove(request: ApiRequest) {
  const { services, input, principal } = request;
  const { id: organizationId } = organizationOf(request);
  const ids = input.list.map(({ id }) => id);
  const deleted = await services.db
    .deleteFrom('tags')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ['', ...ids])
    .returning('id')
    .execute();
  if (deleted.length === 0) throw notFound();
  for (const { id } of deleted) {
    await audit(services, principal, { organizationId, action: 'destroy', type: 'tag', id });
  }
  return NO_CONTENT;
}

/** Adds a tag to workspaces of its organization. */
async function addWorkspaces(request: ApiRequest) {
  const { services, input, param } = request;
  const ids = [...new Set(input.list.map(({ id }) => id))];
  const existing = await services.db
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationOf(request).id)
    .where('id', 'in', ['', ...ids])
    .execute();
  if (existing.length !== ids.length || ids.length === 0) throw notFound();
  await services.db
    .insertInto('workspace_tags')
    .values(ids.map((id) => ({ workspace_id: id, tag_id: param('tag') })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return NO_CONTENT;
}

const PATH = '/api/v2/organizations/:organization/tags';

/** The tags of all workspaces of an organization. */
export const ORGANIZATION_TAG_ROUTES: readonly Route[] = [
  { method: 'GET', path: PATH, rule: inOrganization('organization:read'), handle: list },
  {
    method: 'DELETE',
    path: PATH,
    rule: inOrganization('organization:manage-workspaces'),
    handle: remove,
  },
  {
    method: 'POST',
    path: '/api/v2/tags/:tag/relationships/workspaces',
    rule: inOrganization('organization:manage-workspaces', 'tag', 'tag'),
    handle: addWorkspaces,
  },
];
