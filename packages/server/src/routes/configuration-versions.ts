import type { Database } from '../database/database.ts';
import { ApiError, notFound, type ApiResource, type Resource, toOne } from '../http/json-api.ts';
import { type ApiRequest, created, fields, ok } from '../http/request.ts';
import { listOf } from '../http/listing.ts';
import { inWorkspace, type Route, SIGNED } from '../http/route.ts';
import { signedUrl } from '../http/signed-url.ts';
import { deleteBlob, getBlobStream, largestStream, putBlobStream } from '../services/blobs.ts';
import { configurationBlob } from '../services/jobs.ts';
import { advance, type ConfigurationVersion, createRun, executionMode } from '../services/runs.ts';
import { newId, type Services } from '../services/services.ts';
import { workspaceOf } from './workspace-resource.ts';

/** Presents a configuration version. Only principals that may start a run with it receive the upload URL. */
export function configurationResource(
  services: Pick<Services, 'sealing' | 'clock' | 'baseUrl'>,
  configuration: ConfigurationVersion,
  isCreated = false,
): ApiResource<'configuration-versions'> {
  const { id, status } = configuration;
  return {
    id,
    type: 'configuration-versions',
    attributes: {
      'auto-queue-runs': configuration.auto_queue_runs,
      error: configuration.error,
      'error-message': configuration.error,
      source: configuration.source,
      speculative: configuration.speculative,
      provisional: configuration.provisional,
      status,
      'status-timestamps': { ...configuration.timestamps },
      'changed-files': [],
      'upload-url': isCreated
        ? signedUrl(services, 'PUT', `/api/v2/configuration-versions/${id}/upload`)
        : null,
    },
    relationships: {
      'ingress-attributes': toOne(
        'ingress-attributes',
        configuration.ingress === null ? null : ingressId(configuration),
      ),
    },
    links: {
      self: `/api/v2/configuration-versions/${id}`,
      ...(status === 'uploaded' && { download: `/api/v2/configuration-versions/${id}/download` }),
    },
  };
}

const ingressId = ({ id }: Pick<ConfigurationVersion, 'id'>): string => id.replace('cv-', 'ia-');

/** Presents the commit of a configuration version that version control has delivered. */
export function ingressResource(configuration: ConfigurationVersion): Resource | undefined {
  const { ingress } = configuration;
  if (ingress === null) return undefined;
  const { repository: _repository, 'pull-request-number': number, ...attributes } = fields(ingress);
  return {
    id: ingressId(configuration),
    type: 'ingress-attributes',
    attributes: {
      ...attributes,
      'pull-request-number': number,
      'pull-request-body': null,
      'compare-url': null,
      'sender-avatar-url': null,
      'sender-html-url': null,
      tag: null,
    },
  };
}

async function create(request: ApiRequest) {
  const { services, input } = request;
  const workspace = workspaceOf(request);
  const row = await services.db
    .insertInto('configuration_versions')
    .values({
      id: newId(services, 'cv'),
      workspace_id: workspace.id,
      status: 'pending',
      source: 'tfe-api',
      speculative: input.boolean('speculative') ?? false,
      provisional: input.boolean('provisional') ?? false,
      auto_queue_runs: input.boolean('auto-queue-runs') ?? true,
      may_apply: request.place.workspacePermissions.has('workspace:apply'),
      error: null,
      ingress: null,
      timestamps: '{}',
      created_at: services.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return created({ data: configurationResource(services, row, true) });
}

async function readRow({ services, param }: ApiRequest): Promise<ConfigurationVersion> {
  const row = await services.db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('id', '=', param('configuration'))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

async function list(request: ApiRequest) {
  const { services } = request;
  return await listOf(
    request,
    services.db
      .selectFrom('configuration_versions')
      .selectAll()
      .where('workspace_id', '=', workspaceOf(request).id)
      .orderBy('created_at', 'desc'),
    (row) => configurationResource(services, row),
  );
}

/** Receives the archive of a configuration, and starts the run that waits for it. */
async function acceptConfiguration(
  services: Services,
  configuration: ConfigurationVersion,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  // Of several uploads one is accepted, as runs are approved with the content: at the end of the upload.
  if (configuration.status !== 'pending') throw notFound();
  const setStatus = async (
    db: Database,
    status: ConfigurationVersion['status'],
    error: string | null,
  ): Promise<void> => {
    const now = services.clock.now().toISOString();
    const timestamps = JSON.stringify({ [`${status}-at`]: now, 'finished-at': now });
    const { numUpdatedRows: updated } = await db
      .updateTable('configuration_versions')
      .set({ status, error, timestamps })
      .where('id', '=', configuration.id)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (updated === 0n) throw notFound();
  };
  const status = 'uploaded';
  try {
    await putBlobStream(services, configurationBlob(configuration.id), gzipOf(content), (db) =>
      setStatus(db, status, null),
    );
  } catch (error) {
    if (!(error instanceof NoGzip)) throw error;
    await setStatus(services.db, 'errored', error.message);
    return;
  }
  const workspace = await services.db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', configuration.workspace_id)
    .executeTakeFirstOrThrow();
  if (
    configuration.auto_queue_runs &&
    executionMode(workspace) !== 'local' &&
    !configuration.provisional
  ) {
    await createRun(services, workspace, {
      configuration: { ...configuration, status },
      message: 'Configuration uploaded',
      source: 'tfe-configuration-version',
      options: {},
      planOnly: configuration.speculative,
      isDestroy: false,
      // The upload has no token: the permissions of the creator of the configuration version apply.
      autoApply: workspace.settings['auto-apply'] === true && configuration.may_apply,
      savePlan: false,
      createdBy: null,
    });
  }
  await advance(services, workspace.id);
}

const GZIP = Buffer.of(0x1f, 0x8b);

/** The content is not compressed with gzip. */
class NoGzip extends Error {
  override readonly message = 'The configuration is not a tar archive compressed with gzip.';
}

/** Passes a content through that begins as gzip. Throws `NoGzip` for another one. */
async function* gzipOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start = Buffer.alloc(0);
  let isChecked = false;
  for await (const piece of content) {
    if (isChecked) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < GZIP.length) continue;
    if (!GZIP.equals(start.subarray(0, GZIP.length))) throw new NoGzip();
    isChecked = true;
    yield start;
  }
  if (!isChecked) throw new NoGzip();
}

async function upload(request: ApiRequest) {
  await acceptConfiguration(request.services, await readRow(request), request.content);
  return { status: 200 };
}

async function download(request: ApiRequest) {
  const { id } = await readRow(request);
  const stream = await getBlobStream(request.services, configurationBlob(id));
  if (stream === undefined) throw notFound();
  return { stream, contentType: 'application/gzip' };
}

async function archive(request: ApiRequest) {
  const { services } = request;
  const row = await readRow(request);
  const current = await services.db
    .selectFrom('configuration_versions')
    .select('id')
    .where('workspace_id', '=', row.workspace_id)
    .where('speculative', '=', false)
    .where('provisional', '=', false)
    .where('status', '=', 'uploaded')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (current?.id === row.id) {
    throw new ApiError(
      409,
      'transition not allowed',
      'configuration could not be archived because it is current',
    );
  }
  await services.db
    .updateTable('configuration_versions')
    .set({ status: 'archived' })
    .where('id', '=', row.id)
    .execute();
  await deleteBlob(services, configurationBlob(row.id));
  return { status: 202 };
}

const of = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'configuration', 'configuration-version');
const PATH = '/api/v2/configuration-versions/:configuration';

export const CONFIGURATION_VERSION_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v2/workspaces/:workspace/configuration-versions',
    rule: inWorkspace('workspace:queue-plan'),
    handle: create,
  },
  {
    method: 'GET',
    path: '/api/v2/workspaces/:workspace/configuration-versions',
    rule: inWorkspace('workspace:read-runs'),
    handle: list,
  },
  {
    method: 'GET',
    path: PATH,
    rule: of('workspace:read-runs'),
    handle: async (request) =>
      ok({
        data: configurationResource(request.services, await readRow(request)),
      }),
  },
  {
    method: 'GET',
    path: `${PATH}/ingress-attributes`,
    rule: of('workspace:read-runs'),
    async handle(request) {
      const data = ingressResource(await readRow(request));
      if (data === undefined) throw notFound();
      return ok({ data });
    },
  },
  { method: 'GET', path: `${PATH}/download`, rule: of('workspace:read-runs'), handle: download },
  {
    method: 'POST',
    path: `${PATH}/actions/archive`,
    rule: of('workspace:queue-plan'),
    handle: archive,
  },
  {
    method: 'PUT',
    path: `${PATH}/upload`,
    rule: SIGNED,
    limit: largestStream,
    isStreamed: true,
    handle: upload,
  },
];
