import { workspaceById } from '../access/place.ts';
import { createRun, executionMode } from './runs.ts';
import type { RunListener, Services } from './services.ts';

/** Starts runs of the workspaces that a workspace triggers, after a run of it has been applied. */
export const startTriggeredRuns: RunListener = async (services, run, trigger) => {
  if (trigger !== 'run:completed' || run.status !== 'applied') return;
  const triggers = await services.db
    .selectFrom('run_triggers')
    .innerJoin('workspaces', 'workspaces.id', 'run_triggers.source_id')
    .select(['run_triggers.id', 'run_triggers.workspace_id', 'workspaces.name as source'])
    .where('run_triggers.source_id', '=', run.workspace_id)
    .orderBy('run_triggers.id')
    .execute();
  for (const { id, workspace_id: workspaceId, source } of triggers) {
    const message = `Triggered automatically from successful run ${run.id} in workspace ${source}`;
    await startRun(services, { id, workspaceId, message });
  }
};

async function startRun(
  services: Services,
  trigger: { readonly id: string; readonly workspaceId: string; readonly message: string },
): Promise<void> {
  const { db } = services;
  const { id, workspaceId, message } = trigger;
  const workspace = await workspaceById(services, workspaceId);
  // A workspace without remote runs, or without a configuration yet, has nothing to run.
  if (workspace === undefined || executionMode(workspace) === 'local') return;
  const configuration = await db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'uploaded')
    .where('speculative', '=', false)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (configuration === undefined) return;
  // The end of a run may be reported again, by a request that was repeated.
  const earlier = await db
    .selectFrom('runs')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('triggered_by', '=', id)
    .where('message', '=', message)
    .executeTakeFirst();
  if (earlier !== undefined) return;
  await createRun(services, workspace, {
    configuration,
    message,
    source: 'tfe-run-trigger',
    options: {},
    planOnly: false,
    isDestroy: false,
    autoApply: workspace.settings['auto-apply-run-trigger'] === true,
    savePlan: false,
    createdBy: null,
    triggeredBy: id,
  });
}
