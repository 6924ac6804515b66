import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { verifyRelease } from '@terrane/registry';
import { userErrorText } from '@terrane/host';
import type {
  RegistryProviderPlatformTable,
  RegistryProviderTable,
  RegistryProviderVersionTable,
} from '../database/schema.ts';
import type { Database } from '../database/database.ts';
import { ApiError, invalid, notFound, type Resource, toMany, toOne } from '../http/json-api.ts';
import { containing, listOf, listOfRows, withIncluded } from '../http/listing.ts';
import { type Answer, type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route, SIGNED } from '../http/route.ts';
import { signedUrl } from '../http/signed-url.ts';
import { audit } from '../services/audit.ts';
import {
  deleteBlob,
  getBlob,
  getBlobStream,
  largestStream,
  putBlob,
  putBlobStream,
} from '../services/blobs.ts';
import { newId, type Services } from '../services/services.ts';
import { keyOf } from './gpg-keys.ts';
import { organizationOf } from './organizations.ts';
import { VERSION } from './registry-modules.ts';

type Provider = Selectable<RegistryProviderTable>;
type Version = Selectable<RegistryProviderVersionTable>;
type Platform = Selectable<RegistryProviderPlatformTable>;

const NAME = /^[\dA-Za-z][\w-]{0,63}$/;
const FILE_NAME = /^[\w+-][\w.+-]{0,200}$/;
const LARGEST_SHASUMS = 256 * 1024;
const SHASUMS = 'shasums';
const SIGNATURE = 'shasums-sig';

const fileBlob = (id: string, kind: string): string => `${id}.${kind}`;

/** A provider of the public registry, which has its releases, is only listed. */
const PUBLIC_REGISTRY = 'public';
const PRIVATE_REGISTRY = 'private';

async function providerOf(request: ApiRequest): Promise<Provider> {
  const { services, param } = request;
  const provider = await services.db
    .selectFrom('registry_providers')
    .selectAll()
    .where('organization_id', '=', organizationOf(request).id)
    .where('registry_name', '=', param('registry') || PRIVATE_REGISTRY)
    .where('namespace', '=', param('namespace'))
    .where('name', '=', param('name'))
    .executeTakeFirst();
  if (provider === undefined) throw notFound();
  return provider;
}

async function versionOf(request: ApiRequest): Promise<Version> {
  const provider = await providerOf(request);
  const version = await request.services.db
    .selectFrom('registry_provider_versions')
    .selectAll()
    .where('provider_id', '=', provider.id)
    .where('version', '=', request.param('version'))
    .executeTakeFirst();
  if (version === undefined) throw notFound();
  return version;
}

async function platformsOf({ db }: Pick<Services, 'db'>, versionId: string) {
  return await db
    .selectFrom('registry_provider_platforms')
    .selectAll()
    .where('version_id', '=', versionId)
    .orderBy('os')
    .orderBy('arch')
    .execute();
}

async function platformOf(request: ApiRequest): Promise<Platform> {
  const version = await versionOf(request);
  const platform = (await platformsOf(request.services, version.id)).find(
    ({ os, arch }) => os === request.param('os') && arch === request.param('arch'),
  );
  if (platform === undefined) throw notFound();
  return platform;
}

async function present(request: ApiRequest, provider: Provider): Promise<Resource> {
  const { name: organization } = organizationOf(request);
  const versions = await request.services.db
    .selectFrom('registry_provider_versions')
    .select('id')
    .where('provider_id', '=', provider.id)
    .execute();
  return {
    id: provider.id,
    type: 'registry-providers',
    attributes: {
      name: provider.name,
      namespace: provider.namespace,
      'registry-name': provider.registry_name,
      'created-at': provider.created_at.toISOString(),
      'updated-at': provider.updated_at.toISOString(),
      permissions: {
        'can-delete': request.place.organizationPermissions.has('organization:manage-providers'),
      },
    },
    relationships: {
      organization: toOne('organizations', organization),
      'registry-provider-versions': toMany(
        'registry-provider-versions',
        versions.map(({ id }) => id),
      ),
    },
    links: {
      self: `/api/v2/organizations/${organization}/registry-providers/${provider.registry_name}/${provider.namespace}/${provider.name}`,
    },
  };
}

async function presentVersion(
  { services, place }: Pick<ApiRequest, 'services' | 'place'>,
  version: Version,
): Promise<Resource> {
  const mayManage = place.organizationPermissions.has('organization:manage-providers');
  const platforms = await platformsOf(services, version.id);
  const link = (kind: string, isUploaded: boolean): Record<string, string> => {
    const path = `/api/v2/registry-provider-versions/${version.id}/${kind}`;
    if (isUploaded) return { [`${kind}-download`]: signedUrl(services, 'GET', path) };
    return mayManage ? { [`${kind}-upload`]: signedUrl(services, 'PUT', path) } : {};
  };
  return {
    id: version.id,
    type: 'registry-provider-versions',
    attributes: {
      version: version.version,
      'key-id': version.key_id,
      protocols: version.protocols,
      'shasums-uploaded': version.shasums_uploaded,
      'shasums-sig-uploaded': version.shasums_sig_uploaded,
      'created-at': version.created_at.toISOString(),
      'updated-at': version.updated_at.toISOString(),
      permissions: { 'can-delete': mayManage, 'can-upload-asset': mayManage },
    },
    relationships: {
      'registry-provider': toOne('registry-providers', version.provider_id),
      platforms: toMany(
        'registry-provider-platforms',
        platforms.map(({ id }) => id),
      ),
    },
    links: {
      ...link(SHASUMS, version.shasums_uploaded),
      ...link(SIGNATURE, version.shasums_sig_uploaded),
    },
  };
}

function presentPlatform(
  { services, place }: Pick<ApiRequest, 'services' | 'place'>,
  platform: Platform,
): Resource {
  const mayManage = place.organizationPermissions.has('organization:manage-providers');
  const path = `/api/v2/registry-provider-platforms/${platform.id}`;
  return {
    id: platform.id,
    type: 'registry-provider-platforms',
    attributes: {
      os: platform.os,
      arch: platform.arch,
      filename: platform.filename,
      shasum: platform.shasum,
      'provider-binary-uploaded': platform.uploaded,
      permissions: { 'can-delete': mayManage, 'can-upload-asset': mayManage },
    },
    relationships: {
      'registry-provider-version': toOne('registry-provider-versions', platform.version_id),
    },
    links: platform.uploaded
      ? { 'provider-binary-download': signedUrl(services, 'GET', path) }
      : mayManage
        ? { 'provider-binary-upload': signedUrl(services, 'PUT', path) }
        : {},
  };
}

async function list(request: ApiRequest) {
  const { services, query } = request;
  let select = services.db
    .selectFrom('registry_providers')
    .where('organization_id', '=', organizationOf(request).id);
  const text = query.get('q') ?? '';
  if (text !== '') {
    select = select.where('name', 'ilike', containing(text));
  }
  const registry = query.get('filter[registry_name]') ?? '';
  if (registry !== '') select = select.where('registry_name', '=', registry);
  const namespace = query.get('filter[organization_name]') ?? '';
  if (namespace !== '') select = select.where('namespace', '=', namespace);
  const providers: Provider[] = [];
  const answer = await listOf(request, select.selectAll().orderBy('name'), (each) => {
    providers.push(each);
    return present(request, each);
  });
  return withIncluded(answer, await includedVersions(request, providers));
}

/** Returns the versions of providers, if the request includes them. */
async function includedVersions(
  request: ApiRequest,
  providers: readonly Provider[],
): Promise<readonly Resource[]> {
  const wanted = (request.query.get('include') ?? '').split(',');
  const isWanted = wanted.some(
    (name) => name.replaceAll('_', '-') === 'registry-provider-versions',
  );
  if (!isWanted || providers.length === 0) return [];
  const versions = await request.services.db
    .selectFrom('registry_provider_versions')
    .selectAll()
    .where(
      'provider_id',
      'in',
      providers.map(({ id }) => id),
    )
    .execute();
  return await Promise.all(versions.map((each) => presentVersion(request, each)));
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const name = input.text('name') ?? '';
  if (!NAME.test(name)) throw invalid('name', 'has to be letters, digits, "-" and "_"');
  const registry = input.text('registry-name') ?? PRIVATE_REGISTRY;
  if (registry !== PRIVATE_REGISTRY && registry !== PUBLIC_REGISTRY) {
    throw invalid('registry-name', 'is not included in the list');
  }
  const namespace = input.text('namespace') ?? organization.name;
  if (registry === PRIVATE_REGISTRY && namespace !== organization.name) {
    throw invalid('namespace', 'has to be the name of the organization');
  }
  if (!NAME.test(namespace)) throw invalid('namespace', 'has to be letters, digits, "-" and "_"');
  const now = services.clock.now();
  const provider = await services.db
    .insertInto('registry_providers')
    .values({
      id: newId(services, 'prov'),
      organization_id: organization.id,
      name,
      namespace,
      registry_name: registry,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (provider === undefined) throw invalid('name', 'has already been taken');
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'registry-provider',
    id: provider.id,
    details: { name },
  });
  return created({ data: await present(request, provider) });
}

async function removeFiles({ services }: ApiRequest, versions: readonly Version[]): Promise<void> {
  for (const { id } of versions) {
    for (const platform of await platformsOf(services, id)) {
      await deleteBlob(services, fileBlob(platform.id, 'zip'));
    }
    await deleteBlob(services, fileBlob(id, SHASUMS));
    await deleteBlob(services, fileBlob(id, SIGNATURE));
  }
}

async function remove(request: ApiRequest) {
  const { services, principal } = request;
  const provider = await providerOf(request);
  const versions = await services.db
    .selectFrom('registry_provider_versions')
    .selectAll()
    .where('provider_id', '=', provider.id)
    .execute();
  await removeFiles(request, versions);
  await services.db.deleteFrom('registry_providers').where('id', '=', provider.id).execute();
  await audit(services, principal, {
    organizationId: provider.organization_id,
    action: 'destroy',
    type: 'registry-provider',
    id: provider.id,
    details: { name: provider.name },
  });
  return NO_CONTENT;
}

async function listVersions(request: ApiRequest) {
  const { services } = request;
  const provider = await providerOf(request);
  const select = services.db
    .selectFrom('registry_provider_versions')
    .where('provider_id', '=', provider.id);
  return await listOf(request, select.selectAll().orderBy('created_at', 'desc'), (each) =>
    presentVersion(request, each),
  );
}

async function createVersion(request: ApiRequest) {
  const { services, input, principal } = request;
  const provider = await providerOf(request);
  const [version, keyId] = [input.text('version') ?? '', input.text('key-id') ?? ''];
  if (!VERSION.test(version)) throw invalid('version', 'has to be a semantic version, as 1.2.0');
  const protocols = input.texts('protocols') ?? ['5.0'];
  if (protocols.length === 0 || !protocols.every((each) => /^[456]\.\d{1,2}$/.test(each))) {
    throw invalid('protocols', 'has to be versions of the plugin protocol, such as 6.0');
  }
  // The key has to exist when its signature is uploaded.
  if (keyId === '' || keyId.length > 64) throw invalid('key-id', "can't be blank");
  if (provider.registry_name !== PRIVATE_REGISTRY) {
    throw invalid('registry-name', 'has to be private');
  }
  const now = services.clock.now();
  const row = await services.db
    .insertInto('registry_provider_versions')
    .values({
      id: newId(services, 'provver'),
      provider_id: provider.id,
      version,
      key_id: keyId,
      protocols: JSON.stringify(protocols),
      shasums_uploaded: false,
      shasums_sig_uploaded: false,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalid('version', 'has already been taken');
  await audit(services, principal, {
    organizationId: provider.organization_id,
    action: 'create',
    type: 'registry-provider-version',
    id: row.id,
    details: { name: provider.name, version },
  });
  return created({ data: await presentVersion(request, row) });
}

async function removeVersion(request: ApiRequest) {
  const version = await versionOf(request);
  await removeFiles(request, [version]);
  await request.services.db
    .deleteFrom('registry_provider_versions')
    .where('id', '=', version.id)
    .execute();
  await audit(request.services, request.principal, {
    organizationId: organizationOf(request).id,
    action: 'destroy',
    type: 'registry-provider-version',
    id: version.id,
    details: { version: version.version },
  });
  return NO_CONTENT;
}

async function createPlatform(request: ApiRequest) {
  const { services, input } = request;
  const version = await versionOf(request);
  const text = (name: string, pattern: RegExp, expected: string): string => {
    const value = input.text(name) ?? '';
    if (!pattern.test(value)) throw invalid(name, expected);
    return value;
  };
  const row = await services.db
    .insertInto('registry_provider_platforms')
    .values({
      id: newId(services, 'provpltfrm'),
      version_id: version.id,
      os: text('os', /^[\da-z]{1,32}$/, 'has to be an operating system, such as linux'),
      arch: text('arch', /^[\da-z]{1,32}$/, 'has to be an architecture, such as amd64'),
      filename: text('filename', FILE_NAME, 'has to be the name of a file'),
      shasum: text('shasum', /^\w{1,64}$/, 'has to be a SHA-256 checksum in hexadecimal'),
      uploaded: false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw invalid('os', 'and arch have already been taken');
  return created({ data: presentPlatform(request, row) });
}

async function listPlatforms(request: ApiRequest) {
  const version = await versionOf(request);
  return await listOfRows(request, await platformsOf(request.services, version.id), (platform) =>
    presentPlatform(request, platform),
  );
}

async function removePlatform(request: ApiRequest) {
  const platform = await platformOf(request);
  await deleteBlob(request.services, fileBlob(platform.id, 'zip'));
  await request.services.db
    .deleteFrom('registry_provider_platforms')
    .where('id', '=', platform.id)
    .execute();
  return NO_CONTENT;
}

async function versionById({ services, param }: ApiRequest): Promise<Version> {
  const version = await services.db
    .selectFrom('registry_provider_versions')
    .selectAll()
    .where('id', '=', param('id'))
    .executeTakeFirst();
  if (version === undefined) throw notFound();
  return version;
}

const uploaded = (): ApiError =>
  new ApiError(409, 'conflict', 'The file of this release was uploaded already.');

/** Stores the checksums of a release or their signature, once. The signature has to be that of the key of the release. */
async function uploadFile(request: ApiRequest, kind: typeof SHASUMS | typeof SIGNATURE) {
  const { services, bytes } = request;
  const version = await versionById(request);
  if (kind === SHASUMS ? version.shasums_uploaded : version.shasums_sig_uploaded) throw uploaded();
  const other = await getBlob(
    services,
    fileBlob(version.id, kind === SHASUMS ? SIGNATURE : SHASUMS),
  );
  if (other !== undefined) {
    const [document, signature] = kind === SHASUMS ? [bytes, other] : [other, bytes];
    await requireSignature(services, version, document, signature);
  }
  await putBlob(services, fileBlob(version.id, kind), bytes);
  await services.db
    .updateTable('registry_provider_versions')
    .set({
      ...(kind === SHASUMS ? { shasums_uploaded: true } : { shasums_sig_uploaded: true }),
      updated_at: services.clock.now(),
    })
    .where('id', '=', version.id)
    .execute();
  return { status: 200 };
}

async function requireSignature(
  services: Services,
  version: Version,
  document: Uint8Array,
  signature: Uint8Array,
): Promise<void> {
  const { organization_id: organizationId } = await services.db
    .selectFrom('registry_providers')
    .select('organization_id')
    .where('id', '=', version.provider_id)
    .executeTakeFirstOrThrow();
  const key = await keyOf(services, organizationId, version.key_id);
  if (key === undefined) throw invalid('key-id', 'is not a GPG key of the organization');
  try {
    await verifyRelease(
      document,
      signature,
      [{ asciiArmor: key.ascii_armor, trustSignature: '' }],
      { now: services.clock.now(), expiredKeys: 'accepted' },
    );
  } catch (error) {
    throw new ApiError(
      422,
      'invalid',
      `The signature of the checksums is not valid for the key ${version.key_id}: ${userErrorText(error)}`,
    );
  }
}

async function downloadFile(request: ApiRequest, kind: string): Promise<Answer> {
  const stream = await getBlobStream(request.services, fileBlob(request.param('id'), kind));
  if (stream === undefined) throw notFound();
  return { stream };
}

/** Stores the archive of a platform, once. It has to have the announced checksum. */
async function uploadBinary({ services, param, content }: ApiRequest): Promise<Answer> {
  const platform = await services.db
    .selectFrom('registry_provider_platforms')
    .selectAll()
    .where('id', '=', param('id'))
    .executeTakeFirst();
  if (platform === undefined) throw notFound();
  if (platform.uploaded) throw uploaded();
  const setUploaded = async (db: Database): Promise<void> => {
    const { numUpdatedRows: updated } = await db
      .updateTable('registry_provider_platforms')
      .set({ uploaded: true })
      .where('id', '=', platform.id)
      .where('uploaded', '=', false)
      .executeTakeFirst();
    if (updated === 0n) throw uploaded();
  };
  const verified = withChecksum(content, platform.shasum);
  await putBlobStream(services, fileBlob(platform.id, 'zip'), verified, setUploaded);
  return { status: 200 };
}

/** Passes an archive through. Throws an ApiError at its end if it does not have the announced checksum. */
async function* withChecksum(
  content: AsyncIterable<Uint8Array>,
  expected: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
  const sum = hash.digest('hex');
  if (sum === expected) return;
  throw new ApiError(422, 'invalid', `The checksum of the archive is ${sum}, and not ${expected}.`);
}

/** Returns true if a release has all files that its signature requires. */
const isSigned = (version: Version): boolean =>
  version.shasums_uploaded && version.shasums_sig_uploaded;

async function protocolVersions(request: ApiRequest): Promise<Answer> {
  const { services } = request;
  const provider = await providerOf(request);
  const rows = await services.db
    .selectFrom('registry_provider_versions')
    .selectAll()
    .where('provider_id', '=', provider.id)
    .execute();
  const versions = await Promise.all(
    rows.filter(isSigned).map(async (each) => ({
      version: each.version,
      protocols: each.protocols,
      platforms: (await platformsOf(services, each.id))
        .filter((platform) => platform.uploaded)
        .map(({ os, arch }) => ({ os, arch })),
    })),
  );
  const complete = versions.filter(({ platforms }) => platforms.length > 0);
  return { document: { versions: complete }, contentType: 'application/json' };
}

async function protocolDownload(request: ApiRequest): Promise<Answer> {
  const { services } = request;
  const [version, platform] = [await versionOf(request), await platformOf(request)];
  const key = await keyOf(services, organizationOf(request).id, version.key_id);
  if (!isSigned(version) || !platform.uploaded || key === undefined) throw notFound();
  const file = (kind: string): string =>
    signedUrl(services, 'GET', `/api/v2/registry-provider-versions/${version.id}/${kind}`);
  return {
    document: {
      protocols: version.protocols,
      os: platform.os,
      arch: platform.arch,
      filename: platform.filename,
      download_url: signedUrl(
        services,
        'GET',
        `/api/v2/registry-provider-platforms/${platform.id}`,
      ),
      shasums_url: file(SHASUMS),
      shasums_signature_url: file(SIGNATURE),
      shasum: platform.shasum,
      signing_keys: {
        gpg_public_keys: [
          {
            key_id: key.key_id,
            ascii_armor: key.ascii_armor,
            trust_signature: '',
            source: '',
            source_url: '',
          },
        ],
      },
    },
    contentType: 'application/json',
  };
}

const ORGANIZATION = '/api/v2/organizations/:organization/registry-providers';
const PROVIDER = `${ORGANIZATION}/:registry/:namespace/:name`;
const VERSIONS = `${PROVIDER}/versions`;
const PLATFORMS = `${VERSIONS}/:version/platforms`;
const PROTOCOL = '/api/registry/v1/providers/:namespace/:name';
const FILES = '/api/v2/registry-provider-versions/:id';
const reads = inOrganization('organization:read');
const manages = inOrganization('organization:manage-providers');
const readsNamespace = inOrganization('organization:read', 'namespace', 'organization');

/** Providers of the private registry: their publication, and the protocol of `init`. */
export const REGISTRY_PROVIDER_ROUTES: readonly Route[] = [
  { method: 'GET', path: ORGANIZATION, rule: reads, handle: list },
  { method: 'POST', path: ORGANIZATION, rule: manages, handle: create },
  {
    method: 'GET',
    path: PROVIDER,
    rule: reads,
    async handle(request) {
      const provider = await providerOf(request);
      return ok({
        data: await present(request, provider),
        included: await includedVersions(request, [provider]),
      });
    },
  },
  { method: 'DELETE', path: PROVIDER, rule: manages, handle: remove },
  { method: 'GET', path: VERSIONS, rule: reads, handle: listVersions },
  { method: 'POST', path: VERSIONS, rule: manages, handle: createVersion },
  {
    method: 'GET',
    path: `${VERSIONS}/:version`,
    rule: reads,
    handle: async (request) =>
      ok({ data: await presentVersion(request, await versionOf(request)) }),
  },
  { method: 'DELETE', path: `${VERSIONS}/:version`, rule: manages, handle: removeVersion },
  { method: 'GET', path: PLATFORMS, rule: reads, handle: listPlatforms },
  { method: 'POST', path: PLATFORMS, rule: manages, handle: createPlatform },
  {
    method: 'GET',
    path: `${PLATFORMS}/:os/:arch`,
    rule: reads,
    handle: async (request) => ok({ data: presentPlatform(request, await platformOf(request)) }),
  },
  { method: 'DELETE', path: `${PLATFORMS}/:os/:arch`, rule: manages, handle: removePlatform },
  ...([SHASUMS, SIGNATURE] as const).flatMap((kind): readonly Route[] => [
    {
      method: 'PUT',
      path: `${FILES}/${kind}`,
      rule: SIGNED,
      limit: LARGEST_SHASUMS,
      handle: (request) => uploadFile(request, kind),
    },
    {
      method: 'GET',
      path: `${FILES}/${kind}`,
      rule: SIGNED,
      handle: (request) => downloadFile(request, kind),
    },
  ]),
  {
    method: 'PUT',
    path: '/api/v2/registry-provider-platforms/:id',
    rule: SIGNED,
    limit: largestStream,
    isStreamed: true,
    handle: uploadBinary,
  },
  {
    method: 'GET',
    path: '/api/v2/registry-provider-platforms/:id',
    rule: SIGNED,
    handle: (request) => downloadFile(request, 'zip'),
  },
  { method: 'GET', path: `${PROTOCOL}/versions`, rule: readsNamespace, handle: protocolVersions },
  {
    method: 'GET',
    path: `${PROTOCOL}/:version/download/:os/:arch`,
    rule: readsNamespace,
    handle: protocolDownload,
  },
];
