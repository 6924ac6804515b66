import type { Selectable } from 'kysely';
import type { SshKeyTable } from '../database/schema.ts';
import { invalid, notFound, type ApiResource } from '../http/json-api.ts';
import { listOf } from '../http/listing.ts';
import { type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId } from '../services/services.ts';
import { organizationOf } from './organizations.ts';

/** Presents a key; its value is never returned. */
const present = ({
  id,
  name,
}: Pick<Selectable<SshKeyTable>, 'id' | 'name'>): ApiResource<'ssh-keys'> => ({
  id,
  type: 'ssh-keys',
  attributes: { name },
  links: { self: `/api/v2/ssh-keys/${id}` },
});

async function keyOf({ services, param }: ApiRequest) {
  const key = await services.db
    .selectFrom('ssh_keys')
    .select(['id', 'name', 'organization_id'])
    .where('id', '=', param('key'))
    .executeTakeFirst();
  if (key === undefined) throw notFound();
  return key;
}

async function list(request: ApiRequest) {
  const select = request.services.db
    .selectFrom('ssh_keys')
    .where('organization_id', '=', organizationOf(request).id);
  return await listOf(request, select.select(['id', 'name']).orderBy('name'), present);
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const { id: organizationId } = organizationOf(request);
  const [name, value] = [input.text('name') ?? '', input.text('value') ?? ''];
  if (name === '') throw invalid('name', "can't be blank");
  if (value === '') throw invalid('value', "can't be blank");
  const id = newId(services, 'sshkey');
  await services.db
    .insertInto('ssh_keys')
    .values({ id, organization_id: organizationId, name, value: services.sealing.seal(value, id) })
    .execute();
  await audit(services, principal, { organizationId, action: 'create', type: 'ssh-key', id });
  return created({ data: present({ id, name }) });
}

async function update(request: ApiRequest) {
  const { services, input, principal } = request;
  const key = await keyOf(request);
  const name = input.has('name') ? (input.text('name') ?? '') : key.name;
  if (name === '') throw invalid('name', "can't be blank");
  await services.db.updateTable('ssh_keys').set({ name }).where('id', '=', key.id).execute();
  await audit(services, principal, {
    organizationId: key.organization_id,
    action: 'update',
    type: 'ssh-key',
    id: key.id,
  });
  return ok({ data: present({ id: key.id, name }) });
}

async function remove(request: ApiRequest) {
  const { services, principal } = request;
  const key = await keyOf(request);
  await services.db.deleteFrom('ssh_keys').where('id', '=', key.id).execute();
  await audit(services, principal, {
    organizationId: key.organization_id,
    action: 'destroy',
    type: 'ssh-key',
    id: key.id,
  });
  return NO_CONTENT;
}

const ORGANIZATION = '/api/v2/organizations/:organization/ssh-keys';
const KEY = '/api/v2/ssh-keys/:key';
const manages = inOrganization('organization:manage-vcs', 'key', 'ssh-key');

export const SSH_KEY_ROUTES: readonly Route[] = [
  { method: 'GET', path: ORGANIZATION, rule: inOrganization('organization:read'), handle: list },
  {
    method: 'POST',
    path: ORGANIZATION,
    rule: inOrganization('organization:manage-vcs'),
    handle: create,
  },
  {
    method: 'GET',
    path: KEY,
    rule: inOrganization('organization:read', 'key', 'ssh-key'),
    handle: async (request) => ok({ data: present(await keyOf(request)) }),
  },
  { method: 'PATCH', path: KEY, rule: manages, handle: update },
  { method: 'DELETE', path: KEY, rule: manages, handle: remove },
];
