import { hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { recordingFailure, type OutputState } from '@terrane/engine';
import type { Outcome } from './locked-state.ts';
import { withOpenRun } from './open-run.ts';
import { planIn } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import type { Project } from './project.ts';
import type { RemoteOutcome } from './remote-runs/run-remotely.ts';
import type { RunPorts } from './run-ports.ts';

/** Brings the state up to what really exists, without asking. Gives the outputs of the new state. */
export async function refresh(
  project: Project,
  request: Omit<PlanRequest, 'mode' | 'refresh' | 'replace'>,
  ports: RunPorts,
): Promise<RefreshOutcome> {
  type Outputs = ReadonlyMap<string, OutputState>;
  let remote: RemoteOutcome | undefined;
  const outcome = await withOpenRun<Outputs>(
    project,
    request,
    ports,
    'OperationTypeRefresh',
    async (run) => {
      const warnings: Diagnostic[] = [];
      if (isEmpty(run.state.managedInstances())) {
        warnings.push(
          warningDiagnostic(
            'Empty or non-existent state',
            'There are currently no remote objects tracked in the state, so there is nothing to refresh.',
          ),
        );
      }
      const made = await planIn(run, {
        ...request,
        // Terraform plans as usual and keeps what that found out on the way: the prior state.
        mode: 'normal',
        refresh: true,
        minimalRefresh: false,
        replace: [],
      });
      const diagnostics = [...warnings, ...made.diagnostics];
      const plan = made.result?.plan;
      if (plan === undefined || hasErrors(diagnostics)) return { diagnostics };
      const recorder = await run.manager.begin(run.base);
      // Conditions that were checked belong to a plan that nobody follows.
      const checks = { kind: 'checks', results: [] } as const;
      try {
        await recorder.record({ kind: 'batch', events: [...plan.adopted, checks] });
      } catch (error) {
        diagnostics.push(recordingFailure(error));
      }
      const finished = await recorder.finish();
      return {
        result: finished.file.state.outputs,
        diagnostics: [...diagnostics, ...finished.diagnostics],
      };
    },
    {
      remotely: async ({ runs: { server }, workspace }, loaded) => {
        const { runRemotely } = await import('./remote-runs/run-remotely.ts');
        const asked: PlanRequest = { ...request, mode: 'refresh-only', refresh: true, replace: [] };
        const work = { server, workspace, operation: 'refresh', request: asked } as const;
        remote = await runRemotely(project, { ...work, ...loaded, autoApprove: true }, ports);
        return { diagnostics: remote.diagnostics };
      },
    },
  );
  return remote === undefined ? outcome : { ...outcome, remote };
}

/** The outputs of a refreshed state, or what came of having a server refresh it. */
export type RefreshOutcome = Outcome<ReadonlyMap<string, OutputState>> & {
  readonly remote?: RemoteOutcome;
};

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false;
  return true;
}
