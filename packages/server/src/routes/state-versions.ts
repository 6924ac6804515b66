import { createHash } from 'node:crypto';
import {
  ApiError,
  collection,
  conflict,
  invalid,
  notFound,
  type Page,
  pageOf,
  requestedPage,
  type ApiResource,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { type Answer, type ApiRequest, created, fields, NO_CONTENT, ok } from '../http/request.ts';
import { AUTHENTICATED, inWorkspace, type Route, SIGNED } from '../http/route.ts';
import { partsOfSignedUrl, signedUrl } from '../http/signed-url.ts';
import { principalName } from '../access/principal.ts';
import { audit } from '../services/audit.ts';
import { getBlob, LARGEST_BLOB, putBlob } from '../services/blobs.ts';
import type { Services } from '../services/services.ts';
import {
  announceState,
  jsonStateBlob,
  latestState,
  openState,
  readState,
  type StateVersion,
  storeState,
} from '../services/states.ts';
import { permissionsIn } from '../access/authorize.ts';
import { locate, type Place } from '../access/place.ts';
import { holdsLock, workspaceOf } from './workspace-resource.ts';

type Output = Awaited<ReturnType<typeof outputRows>>[number];

async function outputRows({ db }: Pick<Services, 'db'>, versionId: string) {
  return await db
    .selectFrom('state_outputs')
    .selectAll()
    .where('state_version_id', '=', versionId)
    .orderBy('name')
    .execute();
}

function outputResource(
  { sealing }: Pick<Services, 'sealing'>,
  row: Output,
  showSensitive: boolean,
): ApiResource<'state-version-outputs'> {
  const { type, value } = fields(JSON.parse(sealing.open(row.content, row.id).toString()));
  return {
    id: row.id,
    type: 'state-version-outputs',
    attributes: {
      name: row.name,
      sensitive: row.sensitive,
      type: row.type,
      'detailed-type': type,
      value: row.sensitive && !showSensitive ? null : value,
    },
    links: { self: `/api/v2/state-version-outputs/${row.id}` },
  };
}

/** Presents a state version. */
async function stateResource(
  { services, principal }: Pick<ApiRequest, 'services' | 'principal'>,
  version: StateVersion,
  place: Place,
): Promise<ApiResource<'state-versions'>> {
  const { id, summary } = version;
  const actor = principalName(principal).id ?? 'anonymous';
  const outputs = await outputRows(services, id);
  const mayRead = place.workspacePermissions.has('workspace:read-state');
  const isPending = version.status === 'pending';
  const mayUpload = isPending && place.workspacePermissions.has('workspace:write-state');
  const url = (kind: 'content' | 'json', method: 'GET' | 'PUT'): string =>
    signedUrl(services, method, `/api/v2/state-versions/${id}/${kind}`, { actor });
  return {
    id,
    type: 'state-versions',
    attributes: {
      'created-at': version.created_at.toISOString(),
      size: version.size,
      serial: version.serial,
      status: version.status,
      'hosted-state-download-url': mayRead ? url('content', 'GET') : null,
      'hosted-json-state-download-url': mayRead ? url('json', 'GET') : null,
      'hosted-state-upload-url': mayUpload ? url('content', 'PUT') : null,
      'hosted-json-state-upload-url': mayUpload ? url('json', 'PUT') : null,
      intermediate: false,
      modules: summary['modules'] ?? {},
      providers: summary['providers'] ?? {},
      resources: summary['resources'] ?? [],
      'resources-processed': !isPending,
      'state-version': summary['state-version'] ?? null,
      'terraform-version': summary['terraform-version'] ?? null,
      'billable-rum-count': 0,
      'vcs-commit-sha': null,
      'vcs-commit-url': null,
    },
    relationships: {
      run: toOne('runs', version.run_id),
      'created-by': toOne('users', version.created_by),
      workspace: toOne('workspaces', version.workspace_id),
      outputs: toMany(
        'state-version-outputs',
        outputs.map((row) => row.id),
      ),
    },
    links: { self: `/api/v2/state-versions/${id}` },
  };
}

async function includedOf(
  request: ApiRequest,
  version: StateVersion,
): Promise<readonly Resource[]> {
  const includeNames = new Set((request.query.get('include') ?? '').split(','));
  const { services, place } = request;
  const result: Resource[] = [];
  if (includeNames.has('outputs')) {
    const mayRead = place.workspacePermissions.has('workspace:read-outputs');
    const rows = await outputRows(services, version.id);
    if (mayRead) await auditSensitive(request, rows);
    result.push(...rows.map((row) => outputResource(services, row, mayRead)));
  }
  if (
    includeNames.has('run') &&
    version.run_id !== null &&
    place.workspacePermissions.has('workspace:read-runs')
  ) {
    const { runResource } = await import('./runs.ts');
    const { readRun } = await import('../services/runs.ts');
    result.push(await runResource(services, await readRun(services.db, version.run_id), place));
  }
  return result;
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const workspace = workspaceOf(request);
  const serial = input.number('serial');
  const md5 = input.text('md5');
  if (md5 === undefined)
    throw new ApiError(400, 'bad request', 'param is missing or the value is empty: md5');
  if (serial === undefined) {
    throw new ApiError(400, 'bad request', 'param is missing or the value is empty: serial');
  }
  if (!Number.isSafeInteger(serial) || serial < 0)
    throw invalid('serial', 'has to be a whole number');
  // A lock of the client, so that no run changes the state meanwhile.
  if (!holdsLock(workspace, principal)) {
    throw conflict('The workspace has to be locked by the user who uploads a state.');
  }
  const inline = input.text('state');
  const content = inline === undefined ? undefined : Buffer.from(inline, 'base64');
  if (content !== undefined && createHash('md5').update(content).digest('hex') !== md5) {
    throw new ApiError(
      400,
      'bad request',
      'The content of the state does not have the announced MD5 sum.',
    );
  }
  const lineage = input.text('lineage') ?? lineageOf(content);
  const version = await announceState(services, workspace, {
    serial,
    lineage,
    md5,
    force: input.boolean('force') ?? false,
    runId: await runIdOf(request, workspace.id),
    createdBy: principal.kind === 'user' ? principal.user.id : null,
  });
  if (content !== undefined) await storeState(services, version, content);
  const json = input.text('json-state');
  if (json !== undefined)
    await putBlob(services, jsonStateBlob(version.id), Buffer.from(json, 'base64'));
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'create',
    type: 'state-version',
    id: version.id,
    details: { workspace: workspace.id, serial },
  });
  return created({
    data: await stateResource(request, await row(services, version.id), request.place),
  });
}

/** Returns the run that a new state names: one of its workspace. */
async function runIdOf(
  { services, input }: ApiRequest,
  workspaceId: string,
): Promise<string | null> {
  const id = input.related('run') ?? null;
  if (id === null) return null;
  const run = await services.db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (run === undefined) throw notFound();
  return run.id;
}

function lineageOf(content: Buffer | undefined): string {
  if (content === undefined) return '';
  try {
    const { lineage } = fields(JSON.parse(content.toString('utf8')));
    return typeof lineage === 'string' ? lineage : '';
  } catch {
    throw new ApiError(400, 'bad request', 'The state is not valid JSON.');
  }
}

async function row({ db }: Pick<Services, 'db'>, id: string): Promise<StateVersion> {
  const version = await db
    .selectFrom('state_versions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (version === undefined) throw notFound();
  return version;
}

async function read(request: ApiRequest) {
  const version = await row(request.services, request.param('version'));
  return ok({
    data: await stateResource(request, version, request.place),
    included: await includedOf(request, version),
  });
}

async function current(request: ApiRequest) {
  const version = await latestState(request.services, workspaceOf(request).id);
  if (version === undefined) throw notFound();
  return ok({
    data: await stateResource(request, version, request.place),
    included: await includedOf(request, version),
  });
}

async function currentOutputs(request: ApiRequest): Promise<Answer> {
  const { services, query, url } = request;
  const version = await latestState(services, workspaceOf(request).id);
  // A workspace without a state has no outputs, as without a server.
  const rows = version === undefined ? [] : await outputRows(services, version.id);
  // Clients do not ask for a second page.
  const { number, size } = requestedPage(query) ?? { number: 1, size: Math.max(1, rows.length) };
  const data = rows
    .slice((number - 1) * size, number * size)
    // As in HCP Terraform, a list omits sensitive values; each output can be read by itself.
    .map((each) => outputResource(services, each, false));
  return ok(collection(data, { number, size }, rows.length, url));
}

async function outputsOf(request: ApiRequest) {
  const { services } = request;
  const page = pageOf(request.query);
  const rows = await outputRows(services, request.param('version'));
  const pageRows = rows.slice((page.number - 1) * page.size, page.number * page.size);
  await auditSensitive(request, pageRows);
  const data = pageRows.map((each) => outputResource(services, each, true));
  return ok(collection(data, page, rows.length, request.url));
}

/** Records who receives sensitive values. */
async function auditSensitive(request: ApiRequest, outputs: readonly Output[]): Promise<void> {
  for (const { id, name, sensitive } of outputs) {
    if (!sensitive) continue;
    await audit(request.services, request.principal, {
      organizationId: workspaceOf(request).organization_id,
      action: 'read-sensitive',
      type: 'state-version-output',
      id,
      details: { name },
    });
  }
}

async function output(request: ApiRequest): Promise<Answer> {
  const { services, param } = request;
  const stateOutput = await services.db
    .selectFrom('state_outputs')
    .selectAll()
    .where('id', '=', param('output'))
    .executeTakeFirst();
  if (stateOutput === undefined) throw notFound();
  await auditSensitive(request, [stateOutput]);
  return ok({ data: outputResource(services, stateOutput, true) });
}

/** Lists the state versions of a workspace that filters name. */
async function list(request: ApiRequest) {
  const { services, query, principal } = request;
  const page = pageOf(query);
  const name = query.get('filter[workspace][name]') ?? '';
  const organization = query.get('filter[organization][name]') ?? '';
  if (name === '' || organization === '') {
    throw new ApiError(
      422,
      'invalid',
      'The filters of the organization and the workspace are required.',
    );
  }
  const location = await locate(services, 'workspace-name', name, organization);
  if (location?.workspace === undefined) throw notFound();
  const place = await permissionsIn(services, principal, location);
  if (!place.workspacePermissions.has('workspace:read-state')) throw notFound();
  return await listOf({ ...request, place }, page);
}

async function listOf(request: ApiRequest, page: Page = pageOf(request.query)): Promise<Answer> {
  const { services, place } = request;
  const select = services.db
    .selectFrom('state_versions')
    .where('workspace_id', '=', workspaceOf(request).id);
  const { total } = await select
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await select
    .selectAll()
    .orderBy('serial', 'desc')
    .orderBy('created_at', 'desc')
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute();
  const data = await Promise.all(rows.map((each) => stateResource(request, each, place)));
  return ok(collection(data, page, Number(total), request.url));
}

/** Makes the content of an earlier state version current again, as a new version. */
async function rollback(request: ApiRequest) {
  const { services, input, principal } = request;
  const workspace = workspaceOf(request);
  const id = input.related('rollback-state-version') ?? '';
  if (!holdsLock(workspace, principal)) {
    throw conflict('The workspace has to be locked by the user who rolls a state back.');
  }
  const target = await row(services, id);
  if (target.workspace_id !== workspace.id) throw notFound();
  const content = await readState(services, target.id);
  const latest = await latestState(services, workspace.id);
  if (content === undefined) throw notFound();
  const serial = (latest?.serial ?? 0) + 1;
  const bytes = Buffer.from(
    JSON.stringify({ ...fields(JSON.parse(content.toString('utf8'))), serial }),
  );
  const version = await announceState(services, workspace, {
    serial,
    lineage: target.lineage,
    md5: createHash('md5').update(bytes).digest('hex'),
    force: true,
    runId: null,
    createdBy: principal.kind === 'user' ? principal.user.id : null,
  });
  await storeState(services, version, bytes);
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'rollback',
    type: 'state-version',
    id: version.id,
    details: { from: target.id },
  });
  return created({
    data: await stateResource(request, await row(services, version.id), request.place),
  });
}

const of = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'version', 'state-version');
const BY_ID = '/api/v2/state-versions/:version';
const IN_WORKSPACE = '/api/v2/workspaces/:workspace';

/** Records the reader of a state: with a signed URL, the principal that requested the URL. */
async function auditDownload(
  { services, principal, param, url }: ApiRequest,
  format: 'state' | 'json',
): Promise<void> {
  const version = await row(services, param('version'));
  const location = await locate(services, 'workspace', version.workspace_id);
  const isSigned = principal.kind === 'anonymous';
  await audit(services, principal, {
    organizationId: location?.organization.id ?? null,
    action: 'download',
    type: 'state-version',
    id: version.id,
    details: {
      workspace: version.workspace_id,
      format,
      ...(isSigned && { 'url-obtained-by': partsOfSignedUrl(url).actor }),
    },
  });
}

async function downloadState(request: ApiRequest): Promise<Answer> {
  const stream = await openState(request.services, request.param('version'));
  if (stream === undefined) throw notFound();
  await auditDownload(request, 'state');
  return { stream, contentType: 'application/json' };
}

export const STATE_VERSION_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: `${IN_WORKSPACE}/state-versions`,
    rule: inWorkspace('workspace:write-state'),
    limit: 2 * LARGEST_BLOB,
    handle: create,
  },
  {
    method: 'PATCH',
    path: `${IN_WORKSPACE}/state-versions`,
    rule: inWorkspace('workspace:write-state'),
    handle: rollback,
  },
  {
    method: 'GET',
    path: `${IN_WORKSPACE}/state-versions`,
    rule: inWorkspace('workspace:read-state'),
    handle: (request) => listOf(request),
  },
  { method: 'GET', path: '/api/v2/state-versions', rule: AUTHENTICATED, handle: list },
  {
    method: 'GET',
    path: `${IN_WORKSPACE}/current-state-version`,
    rule: inWorkspace('workspace:read-outputs'),
    handle: current,
  },
  {
    method: 'GET',
    path: `${IN_WORKSPACE}/current-state-version-outputs`,
    rule: inWorkspace('workspace:read-outputs'),
    handle: currentOutputs,
  },
  { method: 'GET', path: BY_ID, rule: of('workspace:read-outputs'), handle: read },
  {
    method: 'GET',
    path: `${BY_ID}/outputs`,
    rule: of('workspace:read-outputs'),
    handle: outputsOf,
  },
  {
    method: 'GET',
    path: `${BY_ID}/download`,
    rule: of('workspace:read-state'),
    handle: downloadState,
  },
  { method: 'GET', path: `${BY_ID}/content`, rule: SIGNED, handle: downloadState },
  {
    method: 'PUT',
    path: `${BY_ID}/content`,
    rule: SIGNED,
    limit: LARGEST_BLOB,
    async handle({ services, param, bytes }) {
      await storeState(services, await row(services, param('version')), bytes);
      return { status: 200 };
    },
  },
  {
    method: 'GET',
    path: `${BY_ID}/json`,
    rule: SIGNED,
    async handle(request) {
      const body = await getBlob(request.services, jsonStateBlob(request.param('version')));
      if (body !== undefined) await auditDownload(request, 'json');
      return body === undefined ? NO_CONTENT : { body, contentType: 'application/json' };
    },
  },
  {
    method: 'PUT',
    path: `${BY_ID}/json`,
    rule: SIGNED,
    limit: LARGEST_BLOB,
    async handle({ services, param, bytes }) {
      await putBlob(services, jsonStateBlob((await row(services, param('version'))).id), bytes);
      return { status: 200 };
    },
  },
  {
    method: 'GET',
    path: '/api/v2/state-version-outputs/:output',
    rule: inWorkspace('workspace:read-outputs', 'output', 'state-output'),
    handle: output,
  },
];

export { currentOutputs, listOf as listStateVersions, output as readOutput };
