import type { BackendRuns } from '@terrane/backends';
import { errorDiagnostic, type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import type { StateBackend } from './backend/state-backend.ts';

/** What is wrong with changing a workspace's state by this version, seeing by which one a server runs it. */
export async function versionProblems(
  runs: BackendRuns,
  workspace: string,
  ignored: boolean,
): Promise<readonly Diagnostic[]> {
  const problems = await runs.checkVersion(workspace, ignored);
  return problems.map(({ severity, summary, detail }) =>
    severity === 'error' ? errorDiagnostic(summary, detail) : warningDiagnostic(summary, detail),
  );
}

/** The same of a backend, which may have no server that runs anything. */
export async function remoteVersionProblems(
  backend: StateBackend,
  workspace: string,
  ignored: boolean,
): Promise<readonly Diagnostic[]> {
  const runs = backend.kind === 'opened' ? backend.backend.runs : undefined;
  return runs === undefined ? [] : await versionProblems(runs, workspace, ignored);
}

/** That a server is to run what was asked for here; `undefined`: it is to be run here. Rejects where that cannot be told. */
export async function runElsewhere(
  backend: StateBackend,
  workspace: string,
): Promise<Diagnostic | undefined> {
  const opened = backend.kind === 'opened' ? backend.backend : undefined;
  const runs = opened?.runs;
  if (runs === undefined) return undefined;
  const mode = await runs.modeOf(workspace);
  if (mode === 'local') return undefined;
  const server = opened?.cloud?.appName ?? 'HCP Terraform';
  return errorDiagnostic(
    'Remote execution is not available',
    `The workspace ${JSON.stringify(runs.nameOf(workspace))} has the execution mode "${mode}": ${server} is to run its plans and applies, which this version of Terrane cannot ask it for yet.

To plan and apply on this machine, with the state and its lock kept by ${server}, set the workspace's execution mode to "local" in its settings under General. Nothing has been changed.`,
  );
}
