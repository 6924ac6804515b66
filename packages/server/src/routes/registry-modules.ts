import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { Selectable } from 'kysely';
import type { RegistryModuleTable, RegistryModuleVersionTable } from '../database/schema.ts';
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
import { inOrganization, type Route, SIGNED } from '../http/route.ts';
import { signedUrl } from '../http/signed-url.ts';
import { audit } from '../services/audit.ts';
import { deleteBlob, getBlob, LARGEST_BLOB, putBlob } from '../services/blobs.ts';
import { newId, type Services } from '../services/services.ts';
import { organizationOf } from './organizations.ts';

type Module = Selectable<RegistryModuleTable>;
type Version = Selectable<RegistryModuleVersionTable>;

const NAME = /^[\dA-Za-z](?:[\w-]{0,62}[\dA-Za-z])?$/;
const PROVIDER = /^[\da-z]{1,64}$/;
/** Semantic versions, as the registry protocol requires. */
export const VERSION: RegExp =
  /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[\d.A-Za-z-]{1,64})?(?:\+[\d.A-Za-z-]{1,64})?$/;
const GZIP = Buffer.of(0x1f, 0x8b);

const archiveBlob = (versionId: string): string => `${versionId}.module`;

async function versionsOf({ db }: Pick<Services, 'db'>, moduleId: string) {
  return await db
    .selectFrom('registry_module_versions')
    .selectAll()
    .where('module_id', '=', moduleId)
    .orderBy('created_at', 'desc')
    .execute();
}

async function present(
  request: ApiRequest,
  module: Module,
): Promise<ApiResource<'registry-modules'>> {
  const { name: organization } = organizationOf(request);
  const versions = await versionsOf(request.services, module.id);
  const mayManage = request.place.organizationPermissions.has('organization:manage-modules');
  const isReady = versions.some(({ status }) => status === 'ok');
  return {
    id: module.id,
    type: 'registry-modules',
    attributes: {
      name: module.name,
      namespace: organization,
      provider: module.provider,
      'registry-name': 'private',
      'no-code': module.no_code,
      'publishing-mechanism': 'git_tag',
      status: isReady ? 'setup_complete' : 'pending',
      'version-statuses': versions.map(({ version, status }) => ({ version, status })),
      'created-at': module.created_at.toISOString(),
      'updated-at': module.updated_at.toISOString(),
      permissions: { 'can-delete': mayManage, 'can-resync': mayManage, 'can-retry': mayManage },
    },
    relationships: { organization: toOne('organizations', organization) },
    links: {
      self: `/api/v2/organizations/${organization}/registry-modules/private/${organization}/${module.name}/${module.provider}`,
    },
  };
}

function presentVersion(services: Services, version: Version): Resource {
  const isPending = version.status === 'pending';
  return {
    id: version.id,
    type: 'registry-module-versions',
    attributes: {
      source: 'tfe-api',
      status: version.status,
      version: version.version,
      'created-at': version.created_at.toISOString(),
      'updated-at': version.updated_at.toISOString(),
    },
    relationships: { 'registry-module': toOne('registry-modules', version.module_id) },
    links: isPending
      ? {
          upload: signedUrl(
            services,
            'PUT',
            `/api/v2/object/registry-module-versions/${version.id}`,
          ),
        }
      : {},
  };
}

/** The modules of the registry are those of the organization; other namespaces and public modules do not exist. */
function requireNamespace({ param, place }: ApiRequest): void {
  const namespace = param('namespace');
  if (namespace !== '' && namespace !== place.organization?.name) throw notFound();
}

async function moduleOf(request: ApiRequest): Promise<Module> {
  const { services, param } = request;
  requireNamespace(request);
  const module = await services.db
    .selectFrom('registry_modules')
    .selectAll()
    .where('organization_id', '=', organizationOf(request).id)
    .where('name', '=', param('name'))
    .where('provider', '=', param('provider'))
    .executeTakeFirst();
  if (module === undefined) throw notFound();
  return module;
}

async function versionOf(request: ApiRequest, text: string): Promise<Version> {
  const module = await moduleOf(request);
  const version = await request.services.db
    .selectFrom('registry_module_versions')
    .selectAll()
    .where('module_id', '=', module.id)
    .where('version', '=', text)
    .executeTakeFirst();
  if (version === undefined) throw notFound();
  return version;
}

async function list(request: ApiRequest) {
  const { services, query } = request;
  let select = services.db
    .selectFrom('registry_modules')
    .where('organization_id', '=', organizationOf(request).id);
  const [text, provider] = [query.get('q') ?? '', query.get('filter[provider]') ?? ''];
  if (text !== '') {
    select = select.where('name', 'ilike', containing(text));
  }
  if (provider !== '') select = select.where('provider', '=', provider);
  if ((query.get('filter[registry_name]') ?? 'private') !== 'private') {
    return ok(collection([], pageOf(query), 0, request.url));
  }
  return await listOf(request, select.selectAll().orderBy('name').orderBy('provider'), (each) =>
    present(request, each),
  );
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const [name, provider] = [input.text('name') ?? '', input.text('provider') ?? ''];
  if (!NAME.test(name)) throw invalid('name', 'has to be letters, digits, "-" and "_"');
  if (!PROVIDER.test(provider))
    throw invalid('provider', 'has to be lower-case letters and digits');
  const registry = input.text('registry-name') ?? 'private';
  if (registry !== 'private') throw invalid('registry-name', 'has to be private');
  const namespace = input.text('namespace') ?? '';
  if (namespace !== '' && namespace !== organization.name) {
    throw invalid('namespace', 'has to be the name of the organization');
  }
  const now = services.clock.now();
  const module = await services.db
    .insertInto('registry_modules')
    .values({
      id: newId(services, 'mod'),
      organization_id: organization.id,
      name,
      provider,
      no_code: input.boolean('no-code') ?? false,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (module === undefined) throw invalid('name', 'has already been taken');
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'registry-module',
    id: module.id,
    details: { name, provider },
  });
  return created({ data: await present(request, module) });
}

async function update(request: ApiRequest) {
  const { services, input } = request;
  const module = await moduleOf(request);
  const updated = await services.db
    .updateTable('registry_modules')
    .set({ no_code: input.boolean('no-code') ?? module.no_code, updated_at: services.clock.now() })
    .where('id', '=', module.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return ok({ data: await present(request, updated) });
}

async function createVersion(request: ApiRequest) {
  const { services, input, principal } = request;
  const module = await moduleOf(request);
  const version = input.text('version') ?? '';
  if (!VERSION.test(version)) throw invalid('version', 'has to be a semantic version, as 1.2.0');
  const now = services.clock.now();
  const row = await services.db
    .insertInto('registry_module_versions')
    .values({
      id: newId(services, 'modver'),
      module_id: module.id,
      version,
      status: 'pending',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalid('version', 'has already been taken');
  await audit(services, principal, {
    organizationId: module.organization_id,
    action: 'create',
    type: 'registry-module-version',
    id: row.id,
    details: { name: module.name, provider: module.provider, version },
  });
  return created({ data: presentVersion(services, row) });
}

/** Reads the archive to its end, so that a damaged one is not published. Its size when unpacked is bounded. */
async function isArchive(bytes: Uint8Array): Promise<boolean> {
  if (!GZIP.equals(Buffer.from(bytes.subarray(0, 2)))) return false;
  let size = 0;
  try {
    for await (const chunk of Readable.from([bytes]).pipe(createGunzip())) {
      size += (chunk as Buffer).length; // A stream of bytes without an encoding has buffers.
      if (size > 16 * LARGEST_BLOB) return false;
    }
  } catch {
    return false;
  }
  return size >= 512;
}

/** Stores the archive of a version, once. A published version never changes. */
async function upload({ services, param, bytes }: ApiRequest): Promise<Answer> {
  const version = await services.db
    .selectFrom('registry_module_versions')
    .selectAll()
    .where('id', '=', param('version'))
    .executeTakeFirst();
  if (version === undefined) throw notFound();
  if (version.status !== 'pending') {
    throw new ApiError(409, 'conflict', 'The archive of this version was uploaded already.');
  }
  if (!(await isArchive(bytes))) {
    throw new ApiError(422, 'invalid', 'The module has to be a tar archive, compressed with gzip.');
  }
  await putBlob(services, archiveBlob(version.id), bytes);
  await services.db
    .updateTable('registry_module_versions')
    .set({ status: 'ok', updated_at: services.clock.now() })
    .where('id', '=', version.id)
    .execute();
  return { status: 200 };
}

/** Deletes the modules of a name, one provider of it, or one version. */
async function remove(request: ApiRequest) {
  const { services, param, principal } = request;
  const organization = organizationOf(request);
  requireNamespace(request);
  const [provider, version] = [param('provider'), param('version')];
  const modules = await services.db
    .selectFrom('registry_modules')
    .selectAll()
    .where('organization_id', '=', organization.id)
    .where('name', '=', param('name'))
    .$if(provider !== '', (query) => query.where('provider', '=', provider))
    .execute();
  if (modules.length === 0) throw notFound();
  for (const module of modules) {
    const versions = (await versionsOf(services, module.id)).filter(
      (each) => version === '' || each.version === version,
    );
    if (version !== '' && versions.length === 0) throw notFound();
    for (const { id } of versions) await deleteBlob(services, archiveBlob(id));
    if (version === '') {
      await services.db.deleteFrom('registry_modules').where('id', '=', module.id).execute();
    } else {
      await services.db
        .deleteFrom('registry_module_versions')
        .where('module_id', '=', module.id)
        .where('version', '=', version)
        .execute();
    }
    await audit(services, principal, {
      organizationId: organization.id,
      action: 'destroy',
      type: version === '' ? 'registry-module' : 'registry-module-version',
      id: module.id,
      details: { name: module.name, provider: module.provider, version },
    });
  }
  return NO_CONTENT;
}

/** The versions of a module, in the registry protocol. */
async function protocolVersions(request: ApiRequest): Promise<Answer> {
  const module = await moduleOf(request);
  const versions = (await versionsOf(request.services, module.id))
    .filter(({ status }) => status === 'ok')
    .map(({ version }) => ({ version }));
  return { document: { modules: [{ versions }] }, contentType: 'application/json' };
}

/** The location of the archive of a module, in the registry protocol. */
async function protocolDownload(request: ApiRequest): Promise<Answer> {
  const { services, param } = request;
  const version = await versionOf(request, param('version'));
  if (version.status !== 'ok') throw notFound();
  const url = signedUrl(services, 'GET', `/api/v2/registry-module-versions/${version.id}/archive`);
  return { status: 204, headers: { 'x-terraform-get': `${url}?archive=tar.gz` } };
}

async function archive({ services, param }: ApiRequest): Promise<Answer> {
  const body = await getBlob(services, archiveBlob(param('version')));
  if (body === undefined) throw notFound();
  return { body, contentType: 'application/gzip' };
}

/** A module as the registry describes it. */
async function protocolModule(request: ApiRequest): Promise<Answer> {
  const { param } = request;
  const version = await versionOf(request, param('version'));
  const { namespace, name, provider } = {
    namespace: param('namespace'),
    name: param('name'),
    provider: param('provider'),
  };
  return {
    document: {
      id: `${namespace}/${name}/${provider}/${version.version}`,
      namespace,
      name,
      provider,
      version: version.version,
      published_at: version.created_at.toISOString(),
      verified: false,
      versions: (await versionsOf(request.services, version.module_id)).map((each) => each.version),
    },
    contentType: 'application/json',
  };
}

const ORGANIZATION = '/api/v2/organizations/:organization/registry-modules';
const MODULE = `${ORGANIZATION}/private/:namespace/:name/:provider`;
const PROTOCOL = '/api/registry/v1/modules/:namespace/:name/:provider';
const reads = inOrganization('organization:read');
const manages = inOrganization('organization:manage-modules');
const readsNamespace = inOrganization('organization:read', 'namespace', 'organization');

/** Modules of the private registry: their publication, and the protocol that `init` speaks. */
export const REGISTRY_MODULE_ROUTES: readonly Route[] = [
  { method: 'GET', path: ORGANIZATION, rule: reads, handle: list },
  { method: 'POST', path: ORGANIZATION, rule: manages, handle: create },
  {
    method: 'GET',
    path: MODULE,
    rule: reads,
    handle: async (request) => ok({ data: await present(request, await moduleOf(request)) }),
  },
  { method: 'PATCH', path: MODULE, rule: manages, handle: update },
  {
    method: 'DELETE',
    path: `${ORGANIZATION}/private/:namespace/:name`,
    rule: manages,
    handle: remove,
  },
  { method: 'DELETE', path: MODULE, rule: manages, handle: remove },
  { method: 'DELETE', path: `${MODULE}/:version`, rule: manages, handle: remove },
  {
    method: 'GET',
    path: `${MODULE}/version`,
    rule: reads,
    async handle(request) {
      const version = await versionOf(request, request.query.get('module_version') ?? '');
      return ok({ data: presentVersion(request.services, version) });
    },
  },
  { method: 'POST', path: `${MODULE}/versions`, rule: manages, handle: createVersion },
  {
    method: 'POST',
    path: '/api/v2/registry-modules/:organization/:name/:provider/versions',
    rule: manages,
    handle: createVersion,
  },
  ...[':name', ':name/:provider', ':name/:provider/:version'].map((path): Route => ({
    method: 'POST',
    path: `/api/v2/registry-modules/actions/delete/:organization/${path}`,
    rule: manages,
    handle: remove,
  })),
  {
    method: 'GET',
    path: '/api/v2/registry-modules/:module',
    rule: inOrganization('organization:read', 'module', 'registry-module'),
    async handle(request) {
      const module = await request.services.db
        .selectFrom('registry_modules')
        .selectAll()
        .where('id', '=', request.param('module'))
        .executeTakeFirst();
      if (module === undefined) throw notFound();
      return ok({ data: await present(request, module) });
    },
  },
  {
    method: 'PUT',
    path: '/api/v2/object/registry-module-versions/:version',
    rule: SIGNED,
    limit: LARGEST_BLOB,
    handle: upload,
  },
  {
    method: 'GET',
    path: '/api/v2/registry-module-versions/:version/archive',
    rule: SIGNED,
    handle: archive,
  },
  { method: 'GET', path: `${PROTOCOL}/versions`, rule: readsNamespace, handle: protocolVersions },
  {
    method: 'GET',
    path: `${PROTOCOL}/:version/download`,
    rule: readsNamespace,
    handle: protocolDownload,
  },
  { method: 'GET', path: `${PROTOCOL}/:version`, rule: readsNamespace, handle: protocolModule },
];
