import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { organizationById, type Workspace } from '../access/place.ts';
import type { AssessmentResultTable } from '../database/schema.ts';
import { storable } from '../database/storable.ts';
import { ApiError } from '../http/json-api.ts';
import { fields } from '../http/request.ts';
import { workspacePath } from '../web/paths.ts';
import { deleteBlob, getBlob } from './blobs.ts';
import { ASSESSMENT_SOURCE, notify } from './notifications.ts';
import { createRun, executionMode, type Run } from './runs.ts';
import { newId, type Services } from './services.ts';
import { repeated, type Schedule } from './tasks.ts';

export type AssessmentResult = Selectable<AssessmentResultTable>;

export const driftBlob = (runId: string): string => `${runId}.drift`;
export const isAssessment = ({ source }: Pick<Run, 'source'>): boolean =>
  source === ASSESSMENT_SOURCE;

/** The interval of assessments in minutes, if the workspace does not set one. */
export const DEFAULT_INTERVAL: number = 24 * 60;
export const LEAST_INTERVAL = 10;
const TICK = 'assessment-tick';
const TICK_MS = 60_000;
const AT_ONCE = 20;
const RESULTS_KEPT = 50;
const STATE = 'state-version';

/** The minutes between two assessments of a workspace. */
export function intervalOf({ settings }: Pick<Workspace, 'settings'>): number {
  const value = settings['assessment-interval'];
  return typeof value === 'number' ? Math.max(LEAST_INTERVAL, value) : DEFAULT_INTERVAL;
}

/** Starts the assessments that are due. */
export const ASSESSMENT_SCHEDULE: Schedule = repeated(TICK, TICK_MS, startDueAssessments);

async function startDueAssessments(services: Services): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const due = await db
    .selectFrom('workspaces')
    .innerJoin('organizations', 'organizations.id', 'workspaces.organization_id')
    .selectAll('workspaces')
    .where('workspaces.current_run_id', 'is', null)
    .where('workspaces.current_state_version_id', 'is not', null)
    .where(
      sql<boolean>`(workspaces.settings->>'assessments-enabled' = 'true'
        OR organizations.settings->>'assessments-enforced' = 'true')`,
    )
    .where((expression) =>
      expression.or([
        expression('workspaces.assessed_at', 'is', null),
        expression(
          'workspaces.assessed_at',
          '<',
          new Date(now.getTime() - LEAST_INTERVAL * 60_000),
        ),
      ]),
    )
    .orderBy(sql`workspaces.assessed_at NULLS FIRST`)
    .execute();
  let started = 0;
  for (const workspace of due) {
    const { assessed_at: last } = workspace;
    const isDue = last === null || last.getTime() + intervalOf(workspace) * 60_000 <= now.getTime();
    if (!isDue || executionMode(workspace) === 'local') continue;
    // Other servers have the same list: the one that changes the time starts the assessment.
    const claimed = await db
      .updateTable('workspaces')
      .set({ assessed_at: now })
      .where('id', '=', workspace.id)
      .where('assessed_at', 'is not distinct from', last)
      .returning('id')
      .executeTakeFirst();
    if (claimed === undefined) continue;
    if ((await startAssessment(services, workspace)) !== undefined) started++;
    if (started >= AT_ONCE) return;
  }
}

/** Starts an assessment of a workspace; undefined if it has no state, no configuration, or one is in progress. */
export async function startAssessment(
  services: Services,
  workspace: Workspace,
): Promise<Run | undefined> {
  const { db } = services;
  if (workspace.current_state_version_id === null) return undefined;
  const running = await db
    .selectFrom('runs')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('source', '=', ASSESSMENT_SOURCE)
    .where('status', 'in', ['pending', 'plan_queued', 'planning'])
    .executeTakeFirst();
  if (running !== undefined) return undefined;
  // Compared with the last applied configuration: a newer one that was only planned is no drift.
  const configuration = await db
    .selectFrom('configuration_versions')
    .innerJoin('runs', 'runs.configuration_version_id', 'configuration_versions.id')
    .selectAll('configuration_versions')
    .where('runs.workspace_id', '=', workspace.id)
    .where('runs.status', '=', 'applied')
    .where('configuration_versions.status', '=', 'uploaded')
    .orderBy('runs.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (configuration === undefined) return undefined;
  return await createRun(services, workspace, {
    configuration,
    message: 'Health assessment',
    source: ASSESSMENT_SOURCE,
    options: { [STATE]: workspace.current_state_version_id },
    planOnly: true,
    isDestroy: false,
    autoApply: false,
    savePlan: false,
    createdBy: null,
  });
}

/** Records the result of an assessment, and reports changes since the previous one. */
export async function finishAssessment(
  services: Services,
  run: Run,
  outcome: 'succeeded' | 'errored',
): Promise<void> {
  const { db, clock } = services;
  const workspace = await db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', run.workspace_id)
    .executeTakeFirstOrThrow();
  if (workspace.current_state_version_id !== run.options[STATE]) {
    // The state was changed in between, so that the comparison means nothing.
    await db
      .updateTable('workspaces')
      .set({ assessed_at: null })
      .where('id', '=', workspace.id)
      .execute();
    return;
  }
  const content = outcome === 'succeeded' ? await getBlob(services, driftBlob(run.id)) : undefined;
  const report = content === undefined ? undefined : fields(JSON.parse(content.toString('utf8')));
  const prior = await currentAssessment(services, workspace.id);
  const succeeded = report !== undefined;
  const inserted = await db
    .insertInto('assessment_results')
    .values({
      id: newId(services, 'asmtres'),
      workspace_id: workspace.id,
      run_id: run.id,
      succeeded,
      drifted: driftedEntries(report).length > 0,
      report: report === undefined ? null : JSON.stringify(storable(report)),
      error: succeeded ? null : 'The drift could not be determined. The log has the reason.',
      created_at: clock.now(),
    })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted === undefined) return;
  await notifyOfChange(services, workspace, inserted, prior);
  await removeOld(services, workspace.id);
}

/** Returns the drifted objects of a report that are not ignored. */
export function driftedEntries(report: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { entries } = fields(report);
  return (Array.isArray(entries) ? entries.map(fields) : []).filter(({ alarm }) => alarm === true);
}

export async function currentAssessment(
  { db }: Pick<Services, 'db'>,
  workspaceId: string,
): Promise<AssessmentResult | undefined> {
  return await db
    .selectFrom('assessment_results')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Identifies the drift of a result, so that only another one is reported. */
function fingerprint(result: AssessmentResult | undefined): string {
  const entries = driftedEntries(result?.report).map(({ address, level, vanished, changes }) => [
    address,
    level,
    vanished,
    changes,
  ]);
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}

async function notifyOfChange(
  services: Services,
  workspace: Workspace,
  result: AssessmentResult,
  prior: AssessmentResult | undefined,
): Promise<void> {
  const trigger = result.succeeded
    ? result.drifted
      ? 'assessment:drifted'
      : undefined
    : 'assessment:failed';
  if (trigger === undefined) return;
  const isKnown =
    prior?.succeeded === result.succeeded && fingerprint(prior) === fingerprint(result);
  if (isKnown) return;
  const organization = await organizationById(services, workspace.organization_id);
  const name = organization?.name ?? '';
  const title = result.succeeded ? 'Drift Detected' : 'Health Assessment Failed';
  const count = driftedEntries(result.report).length;
  const link = `${services.baseUrl}${workspacePath(name, workspace.name)}/drift`;
  const summaryOf = (each: AssessmentResult | undefined) =>
    each === undefined
      ? null
      : {
          id: each.id,
          url: `${services.baseUrl}/api/v2/assessment-results/${each.id}`,
          succeeded: each.succeeded,
          drifted: each.drifted,
          all_checks_succeeded: true,
          resources_drifted: driftedEntries(each.report).length,
          created_at: each.created_at.toISOString(),
        };
  await notify(services, workspace.id, {
    trigger,
    key: result.id,
    payload: {
      payload_version: 2,
      trigger_scope: 'assessment',
      trigger,
      message: title,
      details: {
        new_assessment_result: summaryOf(result),
        prior_assessment_result: summaryOf(prior),
        workspace_id: workspace.id,
        workspace_name: workspace.name,
        organization_name: name,
      },
    },
    message: {
      title,
      text: result.succeeded
        ? `${name}/${workspace.name}: ${count} ${count === 1 ? 'object has' : 'objects have'} drifted`
        : `${name}/${workspace.name}: ${result.error ?? ''}`,
      link,
    },
  });
}

/** Removes the runs of old assessments, with their logs and results. */
async function removeOld(services: Services, workspaceId: string): Promise<void> {
  const { db } = services;
  const kept = await db
    .selectFrom('runs')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', ASSESSMENT_SOURCE)
    .orderBy('created_at', 'desc')
    .offset(RESULTS_KEPT)
    .execute();
  if (kept.length === 0) return;
  const ids = kept.map(({ id }) => id);
  for (const id of ids) await deleteBlob(services, driftBlob(id));
  await db.deleteFrom('runs').where('id', 'in', ids).execute();
}

/** Validates the interval of a workspace's settings. Throws an ApiError. */
export function requireInterval(value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value === 'number' && Number.isInteger(value) && value >= LEAST_INTERVAL) return;
  throw new ApiError(
    422,
    'invalid attribute',
    `Assessment interval has to be a whole number of minutes, ${LEAST_INTERVAL} or more.`,
    '/data/attributes/assessment-interval',
  );
}
