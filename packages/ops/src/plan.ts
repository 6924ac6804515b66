import { isOpenCreate, makePlan } from '@terrane/engine';
import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { withSpan } from '@terrane/host';
import { deprecationsOnce } from './deprecations-once.ts';
import type { Outcome } from './locked-state.ts';
import { withOpenRun, type OpenRun } from './open-run.ts';
import type { PlanRequest } from './plan-request.ts';
import type { Project } from './project.ts';
import type { RunPorts } from './run-ports.ts';
import type { MadePlan } from './made-plan.ts';
import { generationProblems, writeGenerated } from './generated-config.ts';
import type { RemoteOutcome } from './remote-runs/run-remotely.ts';
import { savePlan } from './saved-plan.ts';

const NOTHING_TO_PLAN =
  'Plan requires configuration to be present. Planning without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run plan with the -destroy option. Otherwise, create a Terraform configuration file (.tf file) and try again.';

/** Plans, and saves the plan under `out` if that is given. Changes nothing else. */
export async function plan(
  project: Project,
  request: PlanRequest,
  ports: RunPorts,
  out?: string,
): Promise<PlanOutcome> {
  let remote: RemoteOutcome | undefined;
  const outcome = await withOpenRun<MadePlan>(
    project,
    request,
    ports,
    'OperationTypePlan',
    async (run) => {
      const outcome = await planIn(run, request);
      const made = outcome.result;
      if (made === undefined) return outcome;
      const problems = out === undefined || out === '' ? [] : await savePlan(run, made, out);
      if (problems.length > 0) return { diagnostics: [...outcome.diagnostics, ...problems] };
      const { generateConfigOut: generated } = request;
      if (generated === undefined) return outcome;
      const written = await writeGenerated(project, made.plan, generated);
      const diagnostics = [...outcome.diagnostics, ...written.diagnostics];
      if (hasErrors(written.diagnostics)) return { diagnostics };
      return { result: { ...made, generatedConfig: written.wrote }, diagnostics };
    },
    {
      ...(request.mode === 'destroy' ? {} : { emptyAllowed: NOTHING_TO_PLAN }),
      ...(out === undefined || out === '' ? {} : { writes: 'plan' }),
      check: () => {
        const { mode, generateConfigOut: generated } = request;
        const problems =
          generated === undefined ? [] : generationProblems(project, mode, generated);
        return problems.length === 0 ? undefined : { diagnostics: problems };
      },
      remotely: async ({ runs, workspace }, loaded) => {
        const { runRemotely } = await import('./remote-runs/run-remotely.ts');
        const { server } = runs;
        const work = { server, workspace, operation: 'plan', request, ...loaded } as const;
        const saves = out === undefined || out === '' ? {} : { out };
        remote = await runRemotely(project, { ...work, ...saves, autoApprove: false }, ports);
        return { diagnostics: remote.diagnostics };
      },
    },
  );
  return remote === undefined ? outcome : { ...outcome, remote };
}

/** A plan that was made here, or what came of having a server make one. */
export type PlanOutcome = Outcome<MadePlan> & { readonly remote?: RemoteOutcome };

/** Plans within an open run. */
export async function planIn(run: OpenRun, request: PlanRequest): Promise<Outcome<MadePlan>> {
  const { traces } = run.project.host;
  return await withSpan(traces, 'plan', { 'terrane.mode': request.mode }, async (span) => {
    const outcome = await planUntold(run, request);
    if (hasErrors(outcome.diagnostics)) span.fail();
    return outcome;
  });
}

async function planUntold(run: OpenRun, request: PlanRequest): Promise<Outcome<MadePlan>> {
  const { mode, refresh, targets, targetTexts, replace, invoke } = request;
  const { excludes = [], excludeTexts = [], allowDeferral = false, generateConfigOut } = request;
  const { minimalRefresh = false } = request;
  const interrupted = run.manager.interrupted.filter(isOpenCreate);
  const made = await makePlan({
    ...run.settings,
    givenVariables: run.givenVariables,
    state: run.state,
    mode,
    refresh,
    targets,
    targetTexts,
    excludes,
    excludeTexts,
    allowDeferral,
    minimalRefresh,
    replace,
    ...(interrupted.length === 0 ? {} : { interrupted }),
    ...(invoke === undefined ? {} : { invoke }),
    ...(generateConfigOut === undefined ? {} : { generateConfigOut }),
  });
  const diagnostics = deprecationsOnce([...run.diagnostics, ...made.diagnostics]);
  if (made.plan === undefined) {
    // An interrupted run may end with nothing to show and nothing said.
    if (!hasErrors(diagnostics) && run.settings.signal?.aborted === true) {
      diagnostics.push(errorDiagnostic('execution halted', ''));
    }
    return { diagnostics };
  }
  return { result: { plan: made.plan, base: run.base }, diagnostics };
}
