import { hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { recordingFailure, type OutputState } from '@terrane/engine';
import type { Outcome } from './locked-state.ts';
import { planRun } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import type { Project } from './project.ts';
import { executeRemotely } from './remote-runs/execute-remotely.ts';
import type { RemoteOutcome } from './remote-runs/run-remotely.ts';
import { loadRun } from './run/load-run.ts';
import { placeRun } from './run/place-run.ts';
import { type ReadyRun, withReadyRun } from './run/ready-run.ts';
import { observeRun } from './observed-state.ts';
import { ObservedRecorder } from './run-observer.ts';
import type { RunPorts } from './run-ports.ts';

/** Updates the state to match the remote objects, without a prompt. Returns the outputs of the new state. */
export async function refresh(
  project: Project,
  request: Omit<PlanRequest, 'mode' | 'refresh' | 'replace'>,
  ports: RunPorts,
): Promise<RefreshOutcome> {
  const loaded = await loadRun(project, request, { kind: 'refresh' });
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  const { result: placed, diagnostics } = await placeRun(loaded.result);
  if (placed === undefined) return { diagnostics };
  if (placed.kind === 'remote') {
    const planned: PlanRequest = { ...request, mode: 'refresh-only', refresh: true, replace: [] };
    const work = { operation: 'refresh', request: planned, autoApprove: true } as const;
    return await executeRemotely(placed, work, ports);
  }
  return await withReadyRun(placed, ports, (run) => refreshState(run, request));
}

async function refreshState(
  run: ReadyRun,
  request: Omit<PlanRequest, 'mode' | 'refresh' | 'replace'>,
): Promise<Outcome<ReadonlyMap<string, OutputState>>> {
  const warnings: Diagnostic[] = [];
  if (isEmpty(run.state.managedInstances())) {
    warnings.push(
      warningDiagnostic(
        'Empty or non-existent state',
        'There are currently no remote objects tracked in the state, so there is nothing to refresh.',
      ),
    );
  }
  const planning = await planRun(run, {
    ...request,
    // Terraform creates a normal plan and stores only its refreshed prior state.
    mode: 'normal',
    refresh: true,
    minimalRefresh: false,
    replace: [],
  });
  const diagnostics = [...warnings, ...planning.diagnostics];
  const plan = planning.result?.plan;
  if (plan === undefined || hasErrors(diagnostics)) return { diagnostics };
  const { project, opened, storedState, providers } = run;
  const subject = { project, operation: 'refresh', opened, plan, providers: providers.chosen };
  const observation = await observeRun(subject, storedState);
  const recorder = new ObservedRecorder(await storedState.begin());
  // Check results belong to the plan, which is not applied.
  const checks = { kind: 'checks', results: [] } as const;
  try {
    await recorder.record({ kind: 'batch', events: [...plan.adopted, checks] });
  } catch (error) {
    diagnostics.push(recordingFailure(error));
  }
  const finished = await recorder.finish();
  diagnostics.push(...finished.diagnostics);
  const end = { ...finished, events: recorder.events, diagnostics, stopped: false };
  diagnostics.push(...((await observation?.end(end)) ?? []));
  return {
    result: finished.file.state.outputs,
    diagnostics,
  };
}

/** The outputs of the refreshed state, or the outcome of a run on a server. */
export type RefreshOutcome = Outcome<ReadonlyMap<string, OutputState>> & {
  readonly remote?: RemoteOutcome;
};

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false;
  return true;
}
