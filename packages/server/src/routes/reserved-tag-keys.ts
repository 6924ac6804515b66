import type { Selectable } from 'kysely';
import type { DocumentTable } from '../database/schema.ts';
import { invalid, notFound, type Resource } from '../http/json-api.ts';
import { listOf } from '../http/listing.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId } from '../services/services.ts';
import { organizationOf } from './organizations.ts';
import { RESERVED_TAG_KEYS } from './tags.ts';

type ReservedKey = Selectable<DocumentTable>;

const KEY = /^[\p{L}\p{N}_.:/=+@-]{1,128}$/u;

const present = (row: ReservedKey): Resource => {
  const times = {
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
  };
  return {
    id: row.id,
    type: RESERVED_TAG_KEYS,
    attributes: {
      key: row.name,
      'disable-overrides': row.attributes['disable-overrides'] === true,
      'is-registry-tag': false,
      'created-at': times.created,
      'updated-at': times.updated,
      // Go's client reads these names.
      created_at: times.created,
      updated_at: times.updated,
    },
  };
};

async function rowOf({ services, param }: ApiRequest): Promise<ReservedKey> {
  const row = await services.db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', param('reserved'))
    .where('type', '=', RESERVED_TAG_KEYS)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** Reads the key of a request, which no other reserved key of the organization has. Throws an ApiError. */
async function keyOf(request: ApiRequest, before: ReservedKey | undefined): Promise<string> {
  const key = request.input.text('key') ?? before?.name ?? '';
  if (key === '') throw invalid('key', "can't be blank");
  if (!KEY.test(key)) throw invalid('key', 'is invalid');
  const taken = await request.services.db
    .selectFrom('documents')
    .select('id')
    .where('organization_id', '=', organizationOf(request).id)
    .where('type', '=', RESERVED_TAG_KEYS)
    .where('name', '=', key)
    .where('id', '!=', before?.id ?? '')
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('key', 'has already been taken');
  return key;
}

async function create(request: ApiRequest) {
  const { services, input } = request;
  const name = await keyOf(request, undefined);
  const now = services.clock.now();
  const row = await services.db
    .insertInto('documents')
    .values({
      id: newId(services, 'rtk'),
      type: RESERVED_TAG_KEYS,
      organization_id: organizationOf(request).id,
      owner_id: null,
      name,
      attributes: JSON.stringify({
        'disable-overrides': input.boolean('disable-overrides') ?? false,
      }),
      relationships: '{}',
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'create', row);
  return created({ data: present(row) });
}

async function update(request: ApiRequest) {
  const { services, input } = request;
  const before = await rowOf(request);
  const disables =
    input.boolean('disable-overrides') ?? before.attributes['disable-overrides'] === true;
  const row = await services.db
    .updateTable('documents')
    .set({
      name: await keyOf(request, before),
      attributes: JSON.stringify({ 'disable-overrides': disables }),
      updated_at: services.clock.now(),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'update', row);
  return ok({ data: present(row) });
}

async function remove(request: ApiRequest) {
  const row = await rowOf(request);
  await request.services.db.deleteFrom('documents').where('id', '=', row.id).execute();
  await record(request, 'destroy', row);
  return NO_CONTENT;
}

async function record(request: ApiRequest, action: string, row: ReservedKey): Promise<void> {
  await audit(request.services, request.principal, {
    organizationId: row.organization_id,
    action,
    type: 'reserved-tag-key',
    id: row.id,
    details: { key: row.name },
  });
}

const OF_ORGANIZATION = '/api/v2/organizations/:organization/reserved-tag-keys';
const manages = inOrganization('organization:admin', 'reserved', 'document');

/** Tag keys that an organization suggests, and whose values on projects workspaces may not override. */
export const RESERVED_TAG_KEY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: OF_ORGANIZATION,
    rule: inOrganization('organization:read'),
    handle: (request) =>
      listOf(
        request,
        request.services.db
          .selectFrom('documents')
          .selectAll()
          .where('organization_id', '=', organizationOf(request).id)
          .where('type', '=', RESERVED_TAG_KEYS)
          .orderBy('name'),
        present,
      ),
  },
  {
    method: 'POST',
    path: OF_ORGANIZATION,
    rule: inOrganization('organization:admin'),
    handle: create,
  },
  // The documentation names the first path, and Go's client requests the second.
  ...['/api/v2/reserved-tags/:reserved', '/api/v2/reserved-tag-keys/:reserved'].flatMap(
    (path): readonly Route[] => [
      { method: 'PATCH', path, rule: manages, handle: update },
      { method: 'DELETE', path, rule: manages, handle: remove },
    ],
  ),
];
