import type { RemoteRun } from '@terrane/backends';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { Question } from '../ask.ts';
import { confirm } from './confirm.ts';
import { makeRemotePlan } from './make-remote-plan.ts';
import { type RemoteContext, RemoteProblem } from './remote-context.ts';
import { isWrongHost, type PlanBookmark } from './plan-bookmark.ts';
import { showApplyLog } from './show-logs.ts';
import { taskStagesOf, waitForStage } from './task-stages.ts';
import { showTerraformPolicies } from './terraform-policies.ts';
import { waitForRun } from './wait-for-run.ts';

/** Has the server plan and, once that is approved, apply. */
export async function applyRemotely(context: RemoteContext): Promise<void> {
  const { workspace, request, ports } = context;
  let run = await makeRemotePlan(context);
  if (!run.hasChanges || run.status === 'canceled' || run.status === 'errored') return;
  run = await context.current(run);
  const { isCloud, autoApprove } = context;
  // For the remote backend the workspace decides whether runs are approved automatically, for the cloud block the user.
  const mustContinue = isCloud ? autoApprove : workspace.autoApply;
  if (!mustContinue && !run.isConfirmable) return;
  if (!isCloud && !mustContinue && !run.mayApply) throw await mayNotApply(context, run);
  const asks = !autoApprove && (isCloud || !workspace.autoApply);
  if (asks && isCloud && !ports.input) {
    throw RemoteProblem.of(
      'Cannot confirm apply due to -input=false. Please handle run confirmation in the UI.',
    );
  }
  const confirmed = asks
    ? await confirm(context, questionOf(request.mode, workspace.name), run, 'yes')
    : 'here';
  if (!mustContinue && confirmed === 'here') await approve(context, run);
  if (!asks) context.line();
  await reportProgress(context, run);
}

/** Requests the server to apply a plan that it stores. */
export async function applyBookmark(context: RemoteContext, bookmark: PlanBookmark): Promise<void> {
  const { server, workspace } = context;
  if (isWrongHost(bookmark, server)) {
    throw RemoteProblem.of(
      'Saved plan is for a different hostname',
      `The given saved plan refers to a run on ${bookmark.hostname}, but the currently configured ${server.appName} instance is ${server.hostname}.`,
    );
  }
  let run: RemoteRun;
  try {
    run = await server.run(bookmark.run, 'workspace');
  } catch (error) {
    throw RemoteProblem.of(userErrorText(error));
  }
  if (run.workspace?.id !== workspace.id) {
    const at = run.workspace?.name ?? '';
    throw RemoteProblem.of(
      'Saved plan is for a different workspace',
      `The given saved plan does not refer to a run in the current workspace (${server.organization}/${workspace.name}), so it cannot currently be applied. For more details, view this run in a browser at:\nhttps://${server.hostname}/app/${server.organization}/${at}/runs/${run.id}`,
    );
  }
  if (!run.isConfirmable) throw new RemoteProblem([unusable(context, run)]);
  context.run = run;
  context.line(`[reset][yellow]Running apply in ${server.appName}. Output will stream here. Pressing Ctrl-C
will stop streaming the logs, but will not stop the apply running remotely.[reset]

Preparing the remote apply...`);
  context.header(run.id);
  await approve(context, run);
  await reportProgress(context, run);
}

async function approve(context: RemoteContext, run: RemoteRun): Promise<void> {
  await context.ask('Failed to approve the apply command', context.server.act(run.id, 'apply'));
}

/** Shows the progress of an apply until it has ended. */
async function reportProgress(context: RemoteContext, run: RemoteRun): Promise<void> {
  if (context.isCloud) {
    await waitForStage(context, run, await taskStagesOf(context, run), 'pre_apply');
  }
  const applying = await waitForRun(context, 'apply', run);
  await showApplyLog(context, applying);
  await showTerraformPolicies(context, applying, ['Apply']);
}

function questionOf(mode: RemoteContext['request']['mode'], workspace: string): Question {
  return mode === 'destroy'
    ? {
        id: 'approve',
        query: `\nDo you really want to destroy all resources in workspace "${workspace}"?`,
        description:
          "Terrane will destroy all your managed infrastructure, as shown above.\nThere is no undo. Only 'yes' will be accepted to confirm.",
      }
    : {
        id: 'approve',
        query: `\nDo you want to perform these actions in workspace "${workspace}"?`,
        description:
          "Terrane will perform the actions described above.\nOnly 'yes' will be accepted to approve.",
      };
}

async function mayNotApply(context: RemoteContext, run: RemoteRun): Promise<RemoteProblem> {
  const { server, request, workspace } = context;
  if (run.isDiscardable) {
    const subject = request.mode === 'destroy' ? 'destroy' : 'apply';
    await context.ask(`Failed to discard ${subject}`, server.act(run.id, 'discard'));
  }
  return RemoteProblem.of(
    'Insufficient rights to approve the pending changes',
    `There are pending changes, but the provided credentials have insufficient rights to approve them. The run will be discarded to prevent it from blocking the queue waiting for external approval. To queue a run that can be approved by someone else, please use the 'Queue Plan' button in the web UI:\nhttps://${server.hostname}/app/${server.organization}/${workspace.name}/runs`,
  );
}

function unusable(context: RemoteContext, { id, status }: RemoteRun): Diagnostic {
  const [summary, reason] = whyUnusable(status, context.server.appName);
  return errorDiagnostic(
    summary,
    `${reason} For more details, view this run in a browser at:\n${context.urlOf(id)}`,
  );
}

function whyUnusable(status: string, appName: string): readonly [summary: string, reason: string] {
  switch (status) {
    case 'applied':
      return [
        'Saved plan is already applied',
        'The given plan file was already successfully applied, and cannot be applied again.',
      ];
    case 'applying':
    case 'apply_queued':
    case 'confirmed':
      return [
        'Saved plan is already confirmed',
        'The given plan file is already being applied, and cannot be applied again.',
      ];
    case 'canceled':
      return [
        'Saved plan is canceled',
        `The given plan file can no longer be applied because the run was canceled via the ${appName} UI or API.`,
      ];
    case 'discarded':
      return [
        'Saved plan is discarded',
        `The given plan file can no longer be applied; either another run was applied first, or a user discarded it via the ${appName} UI or API.`,
      ];
    case 'errored':
      return [
        'Saved plan is errored',
        'The given plan file refers to a plan that had errors and did not complete successfully. It cannot be applied.',
      ];
    case 'planned_and_finished':
      return [
        'Saved plan has no changes',
        'The given plan file contains no changes, so it cannot be applied.',
      ];
    case 'policy_override':
      return [
        'Saved plan requires policy override',
        'The given plan file has soft policy failures, and cannot be applied until a user with appropriate permissions overrides the policy check.',
      ];
    default:
      return [
        'Saved plan cannot be applied',
        `${appName} cannot apply the given plan file. This may mean the plan and checks have not yet completed, or may indicate another problem.`,
      ];
  }
}
