import type { RemoteRun } from '@terrane/backends';
import { basename, join, normalize } from 'node:path/posix';
import { hasConfiguration } from '../load-project.ts';
import { checkPolicies, showCosts } from './cost-and-policies.ts';
import { packConfiguration, packNothing } from './pack-configuration.ts';
import { type RemoteContext, RemoteProblem } from './remote-context.ts';
import { showPlanLog } from './show-logs.ts';
import { taskStagesOf, waitForStage } from './task-stages.ts';
import { showTerraformPolicies } from './terraform-policies.ts';
import { waitForRun } from './wait-for-run.ts';

const UPLOAD_POLL_MS = 500;
const UPLOAD_POLLS = 60;

/** Uploads the configuration, requests a plan from the server, and shows the results: log, tasks, costs, policies. */
export async function makeRemotePlan(context: RemoteContext): Promise<RemoteRun> {
  const { server, workspace, request } = context;
  context.line(planHeader(context));
  const saves = request.out !== undefined;
  const configuration = await context.ask(
    'Failed to create configuration version',
    server.createConfiguration(workspace.id, {
      isSpeculative: request.operation === 'plan' && !saves,
      ...(context.isCloud && { isProvisional: saves }),
    }),
  );
  await upload(context, configuration);
  let run = await context.ask(
    'Failed to create run',
    server.createRun({
      configuration: configuration.id,
      workspace: workspace.id,
      mode: request.mode,
      refresh: request.refresh,
      targets: request.targets,
      replace: request.replace,
      ...(context.isCloud && {
        cloud: {
          autoApply: context.autoApprove,
          savePlan: saves,
          generates: request.generateConfigOut !== undefined,
          variables: request.variables,
          invokes: request.invokes,
        },
      }),
    }),
  );
  context.run = run;
  context.header(run.id);
  let stages: ReadonlyMap<string, string> = new Map();
  if (context.isCloud) {
    for (const warning of await context.ask(
      'Failed to retrieve run events',
      server.warningsOf(run.id),
    )) {
      context.line(`[reset][yellow]Warning:[reset] ${warning}\n`);
    }
    stages = await taskStagesOf(context, run);
    await waitForStage(context, run, stages, 'pre_plan');
  }
  run = await waitForRun(context, 'plan', run);
  await showPlanLog(context, run);
  run = await context.current(run);
  // A failed run may have further output too.
  if (!context.isCloud) stages = await taskStagesOf(context, run);
  await waitForStage(context, run, stages, 'post_plan');
  await showCosts(context, run);
  await checkPolicies(context, run);
  await showTerraformPolicies(context, run, ['Init', 'Plan']);
  return run;
}

function planHeader({ request, server, isCloud }: RemoteContext): string {
  const where = isCloud ? server.appName : 'the remote backend';
  return request.operation === 'plan'
    ? `[reset][yellow]Running plan in ${where}. Output will stream here. Pressing Ctrl-C
will stop streaming the logs, but will not stop the plan running remotely.[reset]

Preparing the remote plan...
`
    : `[reset][yellow]Running apply in ${where}. Output will stream here. Pressing Ctrl-C
will cancel the remote apply if it's still pending. If the apply started it
will stop streaming the logs, but will not stop the apply running remotely.[reset]

Preparing the remote apply...
`;
}

async function upload(
  context: RemoteContext,
  { id, uploadUrl }: { readonly id: string; readonly uploadUrl: string },
): Promise<void> {
  const { server, project } = context;
  const failed = 'Failed to upload configuration files';
  const archive = await context.ask(
    failed,
    hasConfiguration(project)
      ? packConfiguration(project.host.files, rootOf(context))
      : packNothing(context.workspace.workingDirectory),
  );
  await context.ask(failed, server.upload(uploadUrl, archive));
  for (let poll = 0; poll < UPLOAD_POLLS; poll++) {
    await context.pause(UPLOAD_POLL_MS);
    const exists = await context.ask(
      'Failed to retrieve configuration version',
      server.isUploaded(id),
    );
    if (exists) return;
  }
  await context.ask(failed, Promise.reject(new Error('operation timed out')));
  throw RemoteProblem.of(failed);
}

/** Returns the root of the uploaded configuration. The server's working directory is a path below it. */
function rootOf(context: RemoteContext): string {
  const { project, workspace } = context;
  const here = join(project.host.environment.cwd, project.configurationDirectory ?? '.');
  const { workingDirectory } = workspace;
  if (workingDirectory === '') return here;
  const within = normalize(workingDirectory).replace(/\/$/, '');
  const root = normalize(here.endsWith(within) ? here.slice(0, -within.length) : here);
  const displayRoot = root.length > 1 && root.endsWith('/') ? root.slice(0, -1) : root;
  if (basename(displayRoot) !== workingDirectory) {
    context.line(`The remote workspace is configured to work with configuration at
${workingDirectory} relative to the target repository.

Terrane will upload the contents of the following directory,
excluding files or directories as defined by a .terraformignore file
at ${displayRoot}/.terraformignore (if it is present),
in order to capture the filesystem context the remote workspace expects:
    ${displayRoot}
`);
  }
  return displayRoot;
}
