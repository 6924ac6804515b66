import type { RunServer, RunWorkspace } from '@terrane/backends';
import type { Configuration, InputValue } from '@terrane/engine';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { generationProblems } from '../generated-config.ts';
import { hasConfiguration } from '../load-project.ts';
import { DEFAULT_PARALLELISM } from '../run/run-request.ts';
import type { PlanRequest } from '../plan-request.ts';
import type { Project } from '../project.ts';
import { hasExplicitVariables } from './run-variables.ts';

/** Properties of a remote run that the server may not support. */
export interface AskedOfServer {
  readonly project: Project;
  readonly server: RunServer;
  readonly workspace: RunWorkspace;
  readonly operation: 'plan' | 'apply';
  readonly request: PlanRequest;
  readonly out?: string | undefined;
  /** applies a locally saved plan */
  readonly appliesLocalPlan: boolean;
  /** applies a plan stored on the server */
  readonly appliesRemotePlan: boolean;
  readonly configuration: Configuration;
  readonly inputs: ReadonlyMap<string, InputValue>;
}

/** Returns the errors that prevent a remote run, with Terraform's messages where it has them. */
export function remoteRefusals(context: AskedOfServer): readonly Diagnostic[] {
  const rights = missingRights(context);
  if (rights !== undefined) return [rights];
  return context.server.flavour === 'cloud'
    ? cloudRefusals(context)
    : remoteBackendRefusals(context);
}

function missingRights({
  operation,
  workspace,
  out,
  server,
}: AskedOfServer): Diagnostic | undefined {
  const repository =
    'A workspace that is connected to a VCS requires the VCS-driven workflow to ensure that the VCS remains the single source of truth.';
  if (operation === 'plan') {
    if (!workspace.mayQueueRun) {
      return errorDiagnostic(
        'Insufficient rights to generate a plan',
        'The provided credentials have insufficient rights to generate a plan. In order to generate plans, at least plan permissions on the workspace are required.',
      );
    }
    return server.flavour === 'cloud' && workspace.hasRepository && out !== undefined
      ? errorDiagnostic('Saved plans not allowed for workspaces with a VCS connection', repository)
      : undefined;
  }
  if (!workspace.mayApply) {
    return errorDiagnostic(
      'Insufficient rights to apply changes',
      'The provided credentials have insufficient rights to apply changes. In order to apply changes at least write permissions on the workspace are required.',
    );
  }
  return workspace.hasRepository
    ? errorDiagnostic('Apply not allowed for workspaces with a VCS connection', repository)
    : undefined;
}

function cloudRefusals(context: AskedOfServer): readonly Diagnostic[] {
  const { server, request, project } = context;
  const problems = commonRefusals(context, server.appName);
  if (context.appliesLocalPlan) {
    problems.push(
      errorDiagnostic(
        'Applying a saved local plan is not supported',
        `${server.appName} can apply a saved cloud plan, or create a new plan when configuration is present. It cannot apply a saved local plan.`,
      ),
    );
  }
  problems.push(...configurationRefusals(context));
  const { generateConfigOut } = request;
  if (generateConfigOut !== undefined) {
    problems.push(...generationProblems(project, request.mode, generateConfigOut));
  }
  return problems;
}

function remoteBackendRefusals(context: AskedOfServer): readonly Diagnostic[] {
  const { server, request, workspace, operation } = context;
  const problems = commonRefusals(context, 'The "remote" backend');
  const reject = (summary: string, detail: string): void =>
    void problems.push(errorDiagnostic(summary, detail));
  if (context.appliesLocalPlan || context.appliesRemotePlan) {
    reject(
      'Applying a saved plan is currently not supported',
      'The "remote" backend currently requires configuration to be present and does not accept an existing saved plan as an argument at this time.',
    );
  }
  if (operation === 'plan' && context.out !== undefined) {
    reject(
      'Saving a generated plan is currently not supported',
      'The "remote" backend does not support saving the generated execution plan locally at this time.',
    );
  }
  if (request.generateConfigOut !== undefined) {
    reject(
      'Generating configuration is not currently supported',
      'The "remote" backend does not currently support generating resource configuration as part of a plan.',
    );
  }
  if (request.invoke !== undefined) {
    reject(
      'Invoking actions is currently not supported',
      'The "remote" backend does not support invoking actions at this time.',
    );
  }
  if (hasExplicitVariables(context.configuration, context.inputs)) {
    reject(
      'Run variables are currently not supported',
      `The "remote" backend does not support setting run variables at this time. Currently the only to way to pass variables to the remote backend is by creating a '*.auto.tfvars' variables file. This file will automatically be loaded by the "remote" backend when the workspace is configured to use Terraform v0.10.0 or later.\n\nAdditionally you can also set variables on the workspace in the web UI:\nhttps://${server.hostname}/app/${server.organization}/${workspace.name}/variables`,
    );
  }
  problems.push(...configurationRefusals(context));
  const lacks = (minVersion: number): boolean => !isAtLeast(server.apiVersion, minVersion);
  const unsupported = (summary: string, subject: string): void =>
    reject(summary, `The host ${server.hostname} does not support ${subject} for remote plans.`);
  if (request.targets.length > 0 && lacks(3)) {
    unsupported('Resource targeting is not supported', 'the -target option');
  }
  if (!request.refresh && lacks(4)) {
    unsupported('Planning without refresh is not supported', 'the -refresh=false option');
  }
  if (request.replace.length > 0 && lacks(4)) {
    unsupported('Planning resource replacements is not supported', 'the -replace option');
  }
  if (request.mode === 'refresh-only' && lacks(4)) {
    unsupported('Refresh-only mode is not supported', '-refresh-only mode');
  }
  return problems;
}

/** Returns errors for options that no server supports. */
function commonRefusals({ request }: AskedOfServer, who: string): Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (request.parallelism !== DEFAULT_PARALLELISM) {
    problems.push(
      errorDiagnostic(
        'Custom parallelism values are currently not supported',
        `${who} does not support setting a custom parallelism value at this time.`,
      ),
    );
  }
  if (request.minimalRefresh === true) {
    problems.push(
      errorDiagnostic(
        'Minimal refresh mode is currently not supported',
        `${who} does not support -minimal-refresh mode for plans at this time.`,
      ),
    );
  }
  if ((request.excludes ?? []).length > 0) {
    problems.push(
      errorDiagnostic(
        'Excluding resources is currently not supported',
        `${who} does not support the -exclude option for remote plans.`,
      ),
    );
  }
  if (request.allowDeferral === true) {
    problems.push(
      errorDiagnostic(
        'Deferred changes are currently not supported',
        `${who} does not support the -allow-deferral option for remote plans.`,
      ),
    );
  }
  return problems;
}

function configurationRefusals({
  project,
  operation,
  request,
}: AskedOfServer): readonly Diagnostic[] {
  if (request.mode === 'destroy' || hasConfiguration(project)) return [];
  return [
    errorDiagnostic(
      'No configuration files found',
      operation === 'plan'
        ? 'Plan requires configuration to be present. Planning without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, please run plan with the "-destroy" flag or create a single empty configuration file. Otherwise, please create a Terraform configuration file in the path being executed and try again.'
        : `Apply requires configuration to be present. Applying without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, please run '${programCommand('destroy')}' which does not require any configuration files.`,
    ),
  ];
}

/** Returns true if the API version is 2.`least` or later. */
function isAtLeast(version: string | undefined, minVersion: number): boolean {
  const match = /^(\d+)\.(\d+)/.exec(version ?? '');
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > 2 || (major === 2 && minor >= minVersion);
}
