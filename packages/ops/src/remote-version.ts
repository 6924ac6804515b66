import type { BackendRuns, RunWorkspace } from '@terrane/backends';
import { errorDiagnostic, type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import type { StateBackend } from './backend/state-backend.ts';

/** What is wrong with changing a workspace's state by this version, seeing by which one a server runs it. */
async function versionProblems(
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

/** A workspace whose runs its backend's server is to make. */
export interface RemotePlace {
  readonly runs: BackendRuns;
  readonly workspace: RunWorkspace;
}

/** Where the server of a backend is to make the runs of a workspace; `undefined`: they are made here. Rejects where that cannot be told. */
export async function remotePlace(
  backend: StateBackend,
  workspace: string,
): Promise<RemotePlace | undefined> {
  const runs = backend.kind === 'opened' ? backend.backend.runs : undefined;
  const found = await runs?.remoteWorkspace(workspace);
  return runs === undefined || found === undefined ? undefined : { runs, workspace: found };
}

/** That what was asked for is done on this machine only. */
export function onlyHere({ runs, workspace }: RemotePlace): Diagnostic {
  const { appName, organization } = runs.server;
  return errorDiagnostic(
    'Remote execution is not available',
    `The workspace ${JSON.stringify(`${organization}/${workspace.name}`)} has the execution mode ${JSON.stringify(workspace.executionMode)}: ${appName} runs its plans and applies, which it cannot be asked for in this way.

To plan and apply on this machine, with the state and its lock kept by ${appName}, set the workspace's execution mode to "local" in its settings under General. Nothing has been changed.`,
  );
}
