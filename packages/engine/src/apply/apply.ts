import { loadFunctionLibraries } from '@terrane/functions';
import { type Diagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { inProductName, programCommand } from '@terrane/host';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { inspectedRun } from '../evaluate/inspected-run.ts';
import { buildProgram } from '../evaluate/program.ts';
import type { InspectedRun, Inspector } from '../plan/inspector.ts';
import { closeSessions } from '../session/close-sessions.ts';
import { heedInterrupts } from '../session/heed-interrupts.ts';
import { recordingFailure } from '../state/recorder.ts';
import { completeEvaluation } from './complete-evaluation.ts';
import { noCounts, openApplyRun } from './open-run.ts';
import { recordOutputs } from './record-outputs.ts';
import type { ApplyCounts, ApplyInput, ApplyRun } from './request.ts';
import { runSteps } from './run-steps.ts';

/** The result of applying a plan. The recorder contains every change, also after errors. */
export interface Applied {
  readonly diagnostics: readonly Diagnostic[];
  readonly counts: Readonly<ApplyCounts>;
  /** True if the run ended before it had started every step that could start. */
  readonly stopped: boolean;
  /** The evaluated configuration, if the request needs all of it. */
  readonly evaluation?: Evaluation;
}

/** Applies a plan: executes its steps in order and records each change before and after it is made. */
export async function applyPlan(request: ApplyInput): Promise<Applied> {
  await loadFunctionLibraries(request.configuration.sources.values());
  const { plan, recorder, configuration, schemas } = request;
  const { program, diagnostics: cycles } = buildProgram(configuration, schemas);
  if (program === undefined) return { diagnostics: cycles, counts: noCounts(), stopped: false };
  const run = openApplyRun(request, program);
  const { counts, evaluation, ephemerals, sessions } = run;
  const { inspector } = request;
  const inspected = inspectedRun(evaluation, sessions, schemas);
  if (inspector !== undefined && request.inspectsPlan === true) {
    const judged = await inspectSaved(run, inspector, inspected);
    if (hasErrors(judged)) return { diagnostics: judged, counts, stopped: true };
  }
  try {
    if (plan.adopted.length > 0) await recorder.record({ kind: 'batch', events: plan.adopted });
  } catch (error) {
    await closeSessions(run);
    return { diagnostics: [recordingFailure(error)], counts, stopped: true };
  }
  for (const { addr, importing } of plan.changes) {
    if (importing === undefined) continue;
    request.emit({ kind: 'import-complete', addr, importing });
    counts.imported++;
  }
  const heeding = heedInterrupts(sessions, request);
  try {
    const { diagnostics, stopped } = await runSteps(run);
    if (inspector !== undefined) diagnostics.push(...(await inspector.afterApply(inspected)));
    diagnostics.push(...(await ephemerals.close()));
    if (plan.targets.length > 0) diagnostics.push(incomplete());
    if (plan.excludes.length > 0) diagnostics.push(incompleteExcluded());
    await recordOutputs(run);
    // A refresh-only run has no final values: the results of the plan are stored.
    const results = plan.mode === 'refresh-only' ? plan.checks : evaluation.checks.results();
    await recorder.record({ kind: 'checks', results }, { sync: false });
    if (request.evaluateAll !== true || stopped) return { diagnostics, counts, stopped };
    await completeEvaluation(run, recorder.draft.freeze());
    return { diagnostics, counts, stopped, evaluation };
  } finally {
    heeding.end();
    await closeSessions(run);
  }
}

/** Has the inspector judge a plan of another run. Providers are closed afterwards if the plan may not be applied. */
async function inspectSaved(
  run: ApplyRun,
  inspector: Inspector,
  inspected: InspectedRun,
): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await inspector.inspectPlan(run.plan, inspected);
  if (hasErrors(diagnostics)) await closeSessions(run);
  return diagnostics;
}

const incomplete = (): Diagnostic =>
  warningDiagnostic(
    'Applied changes may be incomplete',
    `The plan was created with the -target option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:\n    ${programCommand('plan')}\n\nNote that the -target option is not suitable for routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or when ${inProductName('Terraform')} specifically suggests to use it as part of an error message.`,
  );

const incompleteExcluded = (): Diagnostic =>
  warningDiagnostic(
    'Applied changes may be incomplete',
    `The plan was created with the -target or the -exclude option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:\n    ${programCommand('plan')}\n\t\nNote that the -target and -exclude options are not suitable for routine use, and are provided only for exceptional situations such as recovering from errors or mistakes, or when ${inProductName('Terraform')} specifically suggests to use it as part of an error message.`,
  );
