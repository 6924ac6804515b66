import type { BackendRuns, RunWorkspace } from '@terrane/backends';
import { errorDiagnostic, type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import type { Outcome } from './locked-state.ts';
import type { SelectedState } from './opened-state.ts';
import { errorOf } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/**
 * Checks that this version may change a state whose runs a server executes with another version. Returns warnings in
 * place of errors with `-ignore-remote-version`, and nothing for a backend without such a server.
 */
export async function checkRemoteVersion(
  { backend, workspace }: Pick<SelectedState, 'backend' | 'workspace'>,
  { ignoreRemoteVersion = false }: Pick<StateOptions, 'ignoreRemoteVersion'>,
): Promise<readonly Diagnostic[]> {
  const runs = backend.kind === 'opened' ? backend.backend.runs : undefined;
  const problems = (await runs?.checkVersion(workspace, ignoreRemoteVersion)) ?? [];
  return problems.map(({ severity, summary, detail }) =>
    severity === 'error' ? errorDiagnostic(summary, detail) : warningDiagnostic(summary, detail),
  );
}

/** A workspace with remote execution. */
export interface RemotePlace {
  readonly runs: BackendRuns;
  readonly workspace: RunWorkspace;
}

/**
 * Resolves the server that executes the runs of a workspace. No result means that they execute in this process; an
 * error means that the server could not be reached.
 */
export async function resolveRemotePlace({
  backend,
  workspace,
}: Pick<SelectedState, 'backend' | 'workspace'>): Promise<Outcome<RemotePlace>> {
  const runs = backend.kind === 'opened' ? backend.backend.runs : undefined;
  if (runs === undefined) return { diagnostics: [] };
  try {
    const remoteWorkspace = await runs.remoteWorkspace(workspace);
    return remoteWorkspace === undefined
      ? { diagnostics: [] }
      : { result: { runs, workspace: remoteWorkspace }, diagnostics: [] };
  } catch (error) {
    const { summary, detail } = errorOf(error);
    return { diagnostics: [errorDiagnostic(`error starting operation: ${summary}`, detail)] };
  }
}
