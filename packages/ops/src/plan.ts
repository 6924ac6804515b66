import {
  type ActionTarget,
  isOpenCreate,
  makePlan,
  type InstanceAddr,
  type TargetAddr,
} from '@terrane/engine';
import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { deprecationsOnce } from './deprecations-once.ts';
import type { Outcome } from './locked-state.ts';
import { withOpenRun, type OpenRun, type RunRequest } from './open-run.ts';
import type { Project } from './project.ts';
import type { RunPorts } from './run-ports.ts';
import type { MadePlan } from './made-plan.ts';
import { generationProblems, writeGenerated } from './generated-config.ts';
import { savePlan } from './saved-plan.ts';

/** What to plan. */
export interface PlanRequest extends RunRequest {
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  readonly refresh: boolean;
  /** whether only objects with changes are looked at; see `minimalRefresh` of the engine */
  readonly minimalRefresh?: boolean;
  readonly targets: readonly TargetAddr[];
  /** as the user wrote them */
  readonly targetTexts: readonly string[];
  /** what is left out, with all that builds on it; an error together with `targets` */
  readonly excludes?: readonly TargetAddr[];
  /** as the user wrote them */
  readonly excludeTexts?: readonly string[];
  /** whether changes may be left to a later plan; see `allowDeferral` of the engine */
  readonly allowDeferral?: boolean;
  readonly replace: readonly InstanceAddr[];
  /** the one action to invoke; the plan is a refresh-only one then */
  readonly invoke?: ActionTarget;
  /** a file, not there yet, to write configuration to for imported objects that have none */
  readonly generateConfigOut?: string;
}

const NOTHING_TO_PLAN =
  'Plan requires configuration to be present. Planning without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run plan with the -destroy option. Otherwise, create a Terraform configuration file (.tf file) and try again.';

/** Plans, and saves the plan under `out` if that is given. Changes nothing else. */
export async function plan(
  project: Project,
  request: PlanRequest,
  ports: RunPorts,
  out?: string,
): Promise<Outcome<MadePlan>> {
  return await withOpenRun(
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
    },
  );
}

/** Plans within an open run. */
export async function planIn(run: OpenRun, request: PlanRequest): Promise<Outcome<MadePlan>> {
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
