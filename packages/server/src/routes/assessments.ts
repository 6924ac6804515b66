import { conflict, notFound, type ApiResource, toOne } from '../http/json-api.ts';
import { type ApiRequest, ok } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import {
  type AssessmentResult,
  currentAssessment,
  driftedEntries,
  startAssessment,
} from '../services/assessments.ts';
import { audit } from '../services/audit.ts';
import { readLog } from '../services/logs.ts';
import { stageOf } from '../services/runs.ts';
import { workspaceOf } from './workspace-resource.ts';

const LONGEST_LOG = 1024 * 1024;

const resultResource = (result: AssessmentResult): ApiResource<'assessment-results'> => ({
  id: result.id,
  type: 'assessment-results',
  attributes: {
    drifted: result.drifted,
    succeeded: result.succeeded,
    'error-msg': result.error,
    'all-checks-succeeded': true,
    'resources-drifted': driftedEntries(result.report).length,
    'created-at': result.created_at.toISOString(),
  },
  relationships: { workspace: toOne('workspaces', result.workspace_id) },
  links: {
    self: `/api/v2/assessment-results/${result.id}`,
    'json-output': `/api/v2/assessment-results/${result.id}/json-output`,
    'log-output': `/api/v2/assessment-results/${result.id}/log-output`,
  },
});

async function resultOf({ services, param }: ApiRequest): Promise<AssessmentResult> {
  const result = await services.db
    .selectFrom('assessment_results')
    .selectAll()
    .where('id', '=', param('result'))
    .executeTakeFirst();
  if (result === undefined) throw notFound();
  return result;
}

/** Starts an assessment at once. Throws an ApiError if nothing can be assessed. */
export async function assess(request: ApiRequest): Promise<void> {
  const { services, principal } = request;
  const workspace = workspaceOf(request);
  const run = await startAssessment(services, workspace);
  if (run === undefined) {
    throw conflict('The workspace has nothing that was applied, or an assessment is in progress.');
  }
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'assess',
    type: 'workspace',
    id: workspace.id,
  });
}

const readResult = inWorkspace('workspace:read-runs', 'result', 'assessment-result');
const BY_ID = '/api/v2/assessment-results/:result';

export const ASSESSMENT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/workspaces/:workspace/current-assessment-result',
    rule: inWorkspace('workspace:read-runs'),
    async handle(request) {
      const result = await currentAssessment(request.services, workspaceOf(request).id);
      if (result === undefined) throw notFound();
      return ok({ data: resultResource(result) });
    },
  },
  {
    method: 'POST',
    path: '/api/v2/workspaces/:workspace/actions/assess',
    rule: inWorkspace('workspace:queue-plan'),
    async handle(request) {
      await assess(request);
      return { status: 202 };
    },
  },
  {
    method: 'GET',
    path: BY_ID,
    rule: readResult,
    handle: async (request) => ok({ data: resultResource(await resultOf(request)) }),
  },
  {
    method: 'GET',
    path: `${BY_ID}/json-output`,
    rule: readResult,
    async handle(request) {
      const { report } = await resultOf(request);
      if (report === null) throw notFound();
      return { body: JSON.stringify(report), contentType: 'application/json' };
    },
  },
  {
    method: 'GET',
    path: `${BY_ID}/log-output`,
    rule: readResult,
    async handle(request) {
      const { run_id: run } = await resultOf(request);
      const stage = await stageOf(request.services.db, run, 'plan');
      const log = await readLog(request.services, stage.id, 0, LONGEST_LOG);
      const text = log.toString('utf8').replaceAll(/[\u0002\u0003]/g, '');
      return { body: text, contentType: 'text/plain; charset=utf-8' };
    },
  },
];
