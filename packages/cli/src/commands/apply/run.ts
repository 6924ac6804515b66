import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Plan } from '@terrane/engine';
import { type Applied, apply, type ApplyRequest } from '@terrane/ops';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import type { ApplyFlags } from './flags.ts';
import { jsonInto } from '../../views/json-into.ts';
import { APPLY_PATIENCE, operationView, type OperationView } from '../../views/operation-view.ts';
import { plannedCounts } from '../../views/planned-counts.ts';
import { terminalAsk } from '../../views/terminal-ask.ts';
import { runPolicies } from '../../run/policies.ts';
import { projectOf } from '../../run/project-of.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import {
  type OperationArguments,
  operationArguments,
  summaryInJson,
  tooManyArguments,
} from '../../run/operation-arguments.ts';

/** Returns the error for `destroy` with a plan file. */
function destroyPlanError(planPath: string, exists: boolean): Diagnostic {
  const name = JSON.stringify(planPath);
  if (!exists) {
    return errorDiagnostic(
      `Failed to load ${name} as a plan file`,
      `Error: stat ${planPath}: no such file or directory`,
    );
  }
  return errorDiagnostic(
    "Destroy can't be called with a plan file",
    `If this plan was created using plan -destroy, apply it using:\n  ${programCommand('apply')} ${name}`,
  );
}

/** Plans and applies, or applies a saved plan; `destroy` is the command of that name. */
export async function runApply(
  parsed: ApplyFlags,
  context: CommandContext,
  destroy: boolean,
): Promise<number> {
  const { values } = parsed;
  const into = jsonInto(values, context);
  const { summary, parallelism } = values;
  const view = operationView(context, values.json, { summary, parallelism }, into.world);
  const { request, problems: argumentProblems } = await applyArguments(parsed, context, destroy);
  const problems = [...argumentProblems, ...into.problems];
  view.diagnostics(problems);
  if (hasErrors(problems)) {
    view.helpPrompt(destroy ? 'destroy' : 'apply');
    return 1;
  }
  if (destroy && request.planPath !== undefined) {
    const { files } = projectOf(context).host;
    const exists = (await files.stat(request.planPath)) !== undefined;
    view.diagnostics([destroyPlanError(request.planPath, exists)]);
    return 1;
  }
  const input = inputAllowed(context, values.input && !values.json);
  return await runOperation(context, view, { input, color: view.color }, async (project, ports) => {
    const ask = terminalAsk(view.world, view.color);
    const policies = await runPolicies(values, project, ports.signal);
    view.diagnostics(policies.diagnostics);
    if (hasErrors(policies.diagnostics)) return 1;
    let shownPlan: Plan | undefined;
    const outcome = await apply(project, request, {
      ...ports,
      ...policies.ports,
      approval: ask,
      showPlan: async (plan) => {
        shownPlan = plan;
        await view.plan(plan, APPLY_PATIENCE);
        await policies.show(view);
      },
      ...(view.started === undefined ? {} : { showStart: view.started }),
      showSavedPlan(plan) {
        shownPlan = plan;
        view.savedPlan(plan);
      },
      showDiagnostics: (diagnostics) => view.diagnostics(diagnostics),
    });
    await policies.show(view);
    const unwritten = await policies.write(project);
    view.diagnostics([...outcome.diagnostics, ...unwritten]);
    if (outcome.remote !== undefined) return outcome.remote.hasFailed ? 1 : 0;
    if (outcome.cancelled === true) {
      view.cancelled(request.mode);
      return 1;
    }
    const { result } = outcome;
    if (result !== undefined && !hasErrors(outcome.diagnostics) && unwritten.length === 0) {
      showResult(view, result, destroy, values['state-out']);
      return 0;
    }
    const isAdvised = context.world.stdout.isTerminal && !context.automation && !values.json;
    if (isAdvised && result !== undefined && shownPlan !== undefined)
      view.world.stdout.write(failureText(shownPlan, result, request.planPath));
    return 1;
  });
}

/** Describes the completed changes of a failed apply, and how to continue or undo them. */
function failureText(plan: Plan, { counts, interrupted }: Applied, planPath?: string): string {
  const { add, change, remove } = plannedCounts(plan);
  const total = add + change + remove;
  const done = counts.added + counts.changed + counts.removed;
  const unknown = interrupted === 0 ? '' : ` The result of ${interrupted} is not known.`;
  const next =
    planPath === undefined
      ? `To continue, correct the cause and apply again:\n    ${programCommand('apply')}`
      : `To continue, correct the cause and make a new plan:\n    ${programCommand('plan')}`;
  return `\n${done} of ${total} changes are done.${unknown}\n\n${next}\n\nTo go back to what there was before this run, look at the plan for that:\n    ${programCommand('undo')}\n`;
}

function showResult(
  view: OperationView,
  applied: NonNullable<Awaited<ReturnType<typeof apply>>['result']>,
  destroy: boolean,
  stateOutPath: string,
): void {
  view.complete(applied.counts, destroy, stateOutPath);
  if (!destroy) view.outputs(applied.outputs);
}

async function applyArguments(
  parsed: ApplyFlags,
  context: CommandContext,
  destroy: boolean,
): Promise<{
  readonly request: ApplyRequest;
  readonly problems: OperationArguments['diagnostics'];
}> {
  const { values, rest } = parsed;
  const { request, diagnostics } = await operationArguments(parsed, context);
  const problems = [...diagnostics];
  const [planPath, ...more] = rest;
  if (more.length > 0) {
    problems.push(tooManyArguments());
  }
  if (values.json && planPath === undefined && !values['auto-approve']) {
    problems.push(
      errorDiagnostic(
        'Plan file or auto-approve required',
        'Terraform cannot ask for interactive approval when -json is set. You can either apply a saved plan file, or enable the -auto-approve option.',
      ),
    );
  }
  if (values.summary && values.json) problems.push(summaryInJson());
  if (destroy && request.mode === 'destroy') {
    problems.push(
      errorDiagnostic(
        'Invalid mode option',
        `The -destroy option is not valid for "${programCommand('destroy')}", because this command always runs in destroy mode.`,
      ),
    );
  }
  if (destroy && request.mode === 'refresh-only') {
    problems.push(
      errorDiagnostic(
        'Invalid mode option',
        `The -refresh-only option is not valid for "${programCommand('destroy')}".`,
      ),
    );
  }
  return {
    request: {
      ...request,
      mode: destroy ? 'destroy' : request.mode,
      autoApprove: values['auto-approve'],
      suppressForgetErrors: values['suppress-forget-errors'],
      ...(planPath === undefined ? {} : { planPath }),
    },
    problems,
  };
}
