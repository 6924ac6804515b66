import { ApiError, notFound, type Resource } from '../http/json-api.ts';
import { type ApiRequest, NO_CONTENT, ok } from '../http/request.ts';
import { inWorkspace, type Route, SIGNED } from '../http/route.ts';
import { LOG_MS, partsOfSignedUrl, signedUrl, TRANSFER_MS } from '../http/signed-url.ts';
import { getBlobStream, getSmallBlob, LARGEST_BLOB } from '../services/blobs.ts';
import { planJsonBlob, schemasBlob } from '../services/jobs.ts';
import { logTopic, readLog } from '../services/logs.ts';
import { readRun, type Run, type Stage } from '../services/runs.ts';
import { audit } from '../services/audit.ts';
import type { Services } from '../services/services.ts';
import { workspaceOf } from './workspace-resource.ts';
import { redactedPlan } from './redacted-plan.ts';

const LOG_PIECE = 64 * 1024;
/** The maximum time that a request waits for new output of a log. */
const LOG_WAIT_MS = 1_000;

/** Presents the plan or the apply of a run. */
export function stageResource(
  services: Pick<Services, 'sealing' | 'clock' | 'baseUrl'>,
  stage: Stage,
  run: Run,
): Resource {
  const { id, kind, summary } = stage;
  const isPlan = kind === 'plan';
  const log = signedUrl(services, 'GET', `/api/v2/logs/${id}`, { validMs: LOG_MS });
  const counts = Object.fromEntries(
    ['additions', 'changes', 'destructions', 'imports'].map((name) => [
      `resource-${name}`,
      summary[`resource-${name}`] ?? (stage.status === 'finished' ? 0 : null),
    ]),
  );
  return {
    id,
    type: isPlan ? 'plans' : 'applies',
    attributes: {
      status: stage.status,
      'status-timestamps': { ...stage.timestamps },
      'log-read-url': log,
      'execution-details': { mode: 'remote' },
      'action-invocations': 0,
      ...counts,
      ...(isPlan && {
        'has-changes': run.has_changes,
        'generated-configuration': summary['generated-configuration'] === true,
        'provider-errors': [],
        'structured-run-output-enabled': false,
      }),
    },
    relationships: isPlan
      ? { 'state-versions': { data: [] }, exports: { data: [] } }
      : { 'state-versions': { data: [] } },
    links: {
      self: `/api/v2/${isPlan ? 'plans' : 'applies'}/${id}`,
      ...(isPlan && {
        'json-output': `/api/v2/plans/${id}/json-output`,
        'json-output-redacted': `/api/v2/plans/${id}/json-output-redacted`,
      }),
    },
  };
}

async function stageRow({ services, param }: ApiRequest): Promise<{ stage: Stage; run: Run }> {
  const stage = await services.db
    .selectFrom('stages')
    .selectAll()
    .where('id', '=', param('stage'))
    .executeTakeFirst();
  if (stage === undefined) throw notFound();
  return { stage, run: await readRun(services.db, stage.run_id) };
}

async function read(request: ApiRequest) {
  const { stage, run } = await stageRow(request);
  return ok({ data: stageResource(request.services, stage, run) });
}

/**
 * Throws an ApiError for the URL of a log that ended minutes ago, unless the URL is newer: the long validity of these URLs
 * is for clients that follow a run.
 */
async function requireCurrentUrl(services: Services, stageId: string, url: URL): Promise<void> {
  const now = services.clock.now().getTime();
  if (partsOfSignedUrl(url).expiresAt - LOG_MS + TRANSFER_MS > now) return;
  const stage = await services.db
    .selectFrom('stages')
    .select(['log_finished', 'timestamps'])
    .where('id', '=', stageId)
    .executeTakeFirst();
  if (stage === undefined || !stage.log_finished) return;
  const ends = Object.values(stage.timestamps).map((time) => Date.parse(String(time)));
  if (Math.max(...ends, 0) + TRANSFER_MS < now) throw notFound();
}

/** Returns a piece of a log; waits for a moment if there is nothing new, so that clients see new output at once. */
async function log(request: ApiRequest) {
  const { services, query, param, url } = request;
  const id = param('stage');
  await requireCurrentUrl(services, id, url);
  const offset = Math.max(0, Number(query.get('offset') ?? '0') || 0);
  const limit = Number(query.get('limit') ?? '') || LOG_PIECE;
  const body = await services.wakeups.attempt(
    logTopic(id),
    LOG_WAIT_MS,
    (ms, signal) => services.clock.sleep(ms, signal),
    async () => {
      const piece = await readLog(services, id, offset, limit);
      return piece.length === 0 ? undefined : piece;
    },
  );
  return { body: body ?? Buffer.alloc(0), contentType: 'text/plain; charset=utf-8' };
}

async function planJson(request: ApiRequest, isRedacted: boolean) {
  const { services } = request;
  const { run } = await stageRow(request);
  if (!isRedacted) {
    const stream = await getBlobStream(services, planJsonBlob(run.id));
    // As in HCP Terraform, the output of an unfinished plan is empty.
    if (stream === undefined) return NO_CONTENT;
    await audit(services, request.principal, {
      organizationId: workspaceOf(request).organization_id,
      action: 'read-sensitive',
      type: 'plan',
      id: request.param('stage'),
      details: { run: run.id },
    });
    return { stream, contentType: 'application/json' };
  }
  const plan = await getSmallBlob(services, planJsonBlob(run.id));
  if (plan === undefined) return NO_CONTENT;
  const schemas = await getSmallBlob(services, schemasBlob(run.id));
  if (plan === 'too large' || schemas === 'too large') {
    throw new ApiError(
      413,
      'payload too large',
      `The plan is larger than ${LARGEST_BLOB} bytes, so that its sensitive values cannot be removed. Read its log, or json-output.`,
    );
  }
  return {
    body: JSON.stringify(
      redactedPlan(JSON.parse(plan.toString()), JSON.parse(schemas?.toString() ?? '{}')),
    ),
    contentType: 'application/json',
  };
}

const inStageWorkspace = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'stage', 'stage');

export const STAGE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/plans/:stage',
    rule: inStageWorkspace('workspace:read-runs'),
    handle: read,
  },
  {
    method: 'GET',
    path: '/api/v2/applies/:stage',
    rule: inStageWorkspace('workspace:read-runs'),
    handle: read,
  },
  {
    method: 'GET',
    path: '/api/v2/plans/:stage/json-output',
    // The unredacted output contains sensitive values.
    rule: inStageWorkspace('workspace:read-plan-json'),
    handle: (request) => planJson(request, false),
  },
  {
    method: 'GET',
    path: '/api/v2/plans/:stage/json-output-redacted',
    rule: inStageWorkspace('workspace:read-runs'),
    handle: (request) => planJson(request, true),
  },
  { method: 'GET', path: '/api/v2/logs/:stage', rule: SIGNED, handle: log },
];
