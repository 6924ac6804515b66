import type { Selectable } from 'kysely';
import { keyIdOf } from '@terrane/registry';
import { permissionsIn } from '../access/authorize.ts';
import { organizationByName } from '../access/place.ts';
import type { GpgKeyTable } from '../database/schema.ts';
import { ApiError, invalid, notFound, type Resource } from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, created, type Input, NO_CONTENT, ok } from '../http/request.ts';
import { AUTHENTICATED, inOrganization, type Route, type Rule } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';

/** Returns the key of an organization by its ID; undefined without one. */
export async function keyOf(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
  keyId: string,
): Promise<Selectable<GpgKeyTable> | undefined> {
  return await db
    .selectFrom('gpg_keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
}

const presentKey = (key: Selectable<GpgKeyTable>, namespace: string): Resource => ({
  id: key.id,
  type: 'gpg-keys',
  attributes: {
    'ascii-armor': key.ascii_armor,
    'key-id': key.key_id,
    namespace,
    source: '',
    'source-url': null,
    'trust-signature': '',
    'created-at': key.created_at.toISOString(),
    'updated-at': key.created_at.toISOString(),
  },
  links: { self: `/api/registry/private/v2/gpg-keys/${namespace}/${key.key_id}` },
});

async function keyRow(request: ApiRequest): Promise<Selectable<GpgKeyTable>> {
  const key = await keyOf(request.services, organizationOf(request).id, request.param('key'));
  if (key === undefined) throw notFound();
  return key;
}

async function createKey(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const armor = input.text('ascii-armor') ?? '';
  if (armor.trim() === '') throw invalid('ascii-armor', "can't be blank");
  const keyId = armor.length > 64 * 1024 ? undefined : await keyIdOf(armor);
  if (keyId === undefined) throw invalid('ascii-armor', 'has to be one public key');
  const key = await services.db
    .insertInto('gpg_keys')
    .values({
      id: newId(services, 'gpg'),
      organization_id: organization.id,
      key_id: keyId,
      ascii_armor: armor,
      created_at: services.clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (key === undefined) throw invalid('ascii-armor', 'has already been taken');
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'gpg-key',
    id: key.id,
    details: { key: keyId },
  });
  return created({ data: presentKey(key, organization.name) });
}

/** Lists the keys of the namespaces that the principal may read. */
async function listKeys(request: ApiRequest) {
  const { services, query, principal } = request;
  const names = (query.get('filter[namespace]') ?? '').split(',').slice(0, 100);
  const data: Resource[] = [];
  for (const name of names) {
    const organization = await organizationByName(services, name);
    if (organization === undefined) continue;
    const place = await permissionsIn(services, principal, { organization });
    if (!place.organizationPermissions.has('organization:read')) continue;
    const rows = await services.db
      .selectFrom('gpg_keys')
      .selectAll()
      .where('organization_id', '=', organization.id)
      .orderBy('created_at')
      .execute();
    data.push(...rows.map((row) => presentKey(row, organization.name)));
  }
  return await listOfRows(request, data, (key) => key);
}

const namespaceRefused = (): ApiError =>
  new ApiError(
    403,
    'namespace not authorized',
    'namespace not authorized: it is not an organization whose providers the token manages.',
  );

/** Moves a key that has signed nothing to another organization whose providers the principal manages. */
async function moveKey(request: ApiRequest) {
  const { services, principal, input } = request;
  const key = await keyRow(request);
  const namespace = input.text('namespace') ?? '';
  const organization = await organizationByName(services, namespace);
  if (organization === undefined) throw namespaceRefused();
  if (organization.id === key.organization_id) return ok({ data: presentKey(key, namespace) });
  const place = await permissionsIn(services, principal, { organization });
  if (!place.organizationPermissions.has('organization:manage-providers')) {
    throw namespaceRefused();
  }
  await requireUnused(services, key);
  const moved = await services.db
    .updateTable('gpg_keys')
    .set({ organization_id: organization.id })
    .where('id', '=', key.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const organizationId of [key.organization_id, organization.id]) {
    await audit(services, principal, {
      organizationId,
      action: 'move',
      type: 'gpg-key',
      id: key.id,
      details: { key: key.key_id, namespace },
    });
  }
  return ok({ data: presentKey(moved, namespace) });
}

/** Throws an ApiError if a key has signed releases of its organization. */
async function requireUnused(
  { db }: Pick<Services, 'db'>,
  key: Selectable<GpgKeyTable>,
): Promise<void> {
  const used = await db
    .selectFrom('registry_provider_versions')
    .innerJoin(
      'registry_providers',
      'registry_providers.id',
      'registry_provider_versions.provider_id',
    )
    .select('registry_provider_versions.id')
    .where('registry_providers.organization_id', '=', key.organization_id)
    .where('registry_provider_versions.key_id', '=', key.key_id)
    .limit(1)
    .executeTakeFirst();
  if (used === undefined) return;
  throw new ApiError(422, 'invalid', 'The key cannot be changed. It has signed releases.');
}

async function removeKey(request: ApiRequest) {
  const { services, principal } = request;
  const key = await keyRow(request);
  await requireUnused(services, key);
  await services.db.deleteFrom('gpg_keys').where('id', '=', key.id).execute();
  await audit(services, principal, {
    organizationId: key.organization_id,
    action: 'destroy',
    type: 'gpg-key',
    id: key.id,
    details: { key: key.key_id },
  });
  return NO_CONTENT;
}

const KEYS = '/api/registry/private/v2/gpg-keys';
const readsNamespace = inOrganization('organization:read', 'namespace', 'organization');
const managesNamespace = inOrganization(
  'organization:manage-providers',
  'namespace',
  'organization',
);
const managesBody: Rule = {
  kind: 'organization',
  permission: 'organization:manage-providers',
  subject: { body: (input: Input) => input.text('namespace') ?? '', of: 'organization' },
};

/** The routes of the GPG keys that verify the releases of private providers. */
export const GPG_KEY_ROUTES: readonly Route[] = [
  { method: 'GET', path: KEYS, rule: AUTHENTICATED, handle: listKeys },
  { method: 'POST', path: KEYS, rule: managesBody, handle: createKey },
  {
    method: 'GET',
    path: `${KEYS}/:namespace/:key`,
    rule: readsNamespace,
    handle: async (request) =>
      ok({ data: presentKey(await keyRow(request), organizationOf(request).name) }),
  },
  { method: 'PATCH', path: `${KEYS}/:namespace/:key`, rule: managesNamespace, handle: moveKey },
  { method: 'DELETE', path: `${KEYS}/:namespace/:key`, rule: managesNamespace, handle: removeKey },
];
