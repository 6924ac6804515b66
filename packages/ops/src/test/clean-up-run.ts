import { applyPlan, makePlan, MemoryRecorder, type State } from '@terrane/engine';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { inputsOf, prepareRun } from './prepare-run.ts';
import { interruption, type RunContext } from './run-context.ts';

/**
 * Removes all objects of a run, and of those before it with the same state; or restores the objects of the run itself.
 */
export async function cleanUpRun(
  context: RunContext,
  state: State,
  how: 'destroy' | 'restore',
): Promise<{ readonly state: State; readonly diagnostics: readonly Diagnostic[] }> {
  const { run } = context;
  const prepared = prepareRun(context);
  const diagnostics = [...prepared.diagnostics];
  if (hasErrors(diagnostics) || state.isEmpty) return { state, diagnostics };
  const values = context.variables.valuesFor(run.config, new Set(), false, diagnostics);
  if (hasErrors(diagnostics)) return { state, diagnostics };
  const settings = { ...prepared.settings, ...inputsOf(prepared.configuration, values) };
  const { plan, ...planned } = await makePlan({
    ...settings,
    allowDeferral: context.suite.allowDeferral,
    givenVariables: settings.givenVariables,
    state,
    mode: how === 'destroy' ? 'destroy' : 'normal',
    refresh: how === 'destroy',
    ignorePreventDestroy: true,
    targets: [],
    targetTexts: [],
    replace: [],
  });
  diagnostics.push(...interruption(context, planned.diagnostics));
  if (hasErrors(diagnostics) || plan === undefined) return { state, diagnostics };
  const recorder = new MemoryRecorder(state);
  const applied = await applyPlan({ ...settings, plan, recorder });
  diagnostics.push(...interruption(context, applied.diagnostics));
  return { state: recorder.draft.freeze(), diagnostics };
}
