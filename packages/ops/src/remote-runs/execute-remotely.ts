import type { Failure } from '../locked-state.ts';
import type { RemoteRun } from '../run/place-run.ts';
import { type RunPorts, uninspectedRemoteRun } from '../run-ports.ts';
import type { RemoteOutcome, RemoteWork } from './run-remotely.ts';

/** The outcome of a run on a server, beside its diagnostics. */
export interface RemotelyExecuted extends Failure {
  readonly remote: RemoteOutcome;
}

/** Executes a run on the server of its backend. The code for it is loaded on demand. */
export async function executeRemotely(
  run: Pick<RemoteRun, 'project' | 'place' | 'configuration' | 'inputs'>,
  work: Pick<RemoteWork, 'operation' | 'request' | 'autoApprove' | 'out' | 'saved'>,
  ports: RunPorts,
): Promise<RemotelyExecuted> {
  if (ports.inspector !== undefined) {
    const diagnostics = [uninspectedRemoteRun()];
    const remote = { isEmpty: true, hasFailed: true, hasNextStep: false, diagnostics };
    return { remote, diagnostics };
  }
  const { runRemotely } = await import('./run-remotely.ts');
  const { project, configuration, inputs, place } = run;
  const { runs, workspace } = place;
  const target = { server: runs.server, workspace, configuration, inputs };
  const remote = await runRemotely(project, { ...work, ...target }, ports);
  return { remote, diagnostics: remote.diagnostics };
}
