import { Bug, str, unknownAsNull, type Value } from '@terrane/cty';
import { functionTable, loadFunctionLibraries } from '@terrane/functions';
import { GraphBuilder, orderOf, schedule } from '@terrane/graph';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { createPool, programCommand } from '@terrane/host';
import type { NodeOutcome } from '../evaluate/driver.ts';
import { Evaluation } from '../evaluate/evaluation.ts';
import { FunctionResults } from '../evaluate/function-results.ts';
import { buildProgram } from '../evaluate/program.ts';
import { createBeforeDestroyNodes, DependencyIndex } from '../evaluate/dependencies.ts';
import { configureFromState } from '../objects/configure-from-state.ts';
import type { Plan } from '../plan/model.ts';
import type { PlannedChange } from '../objects/change.ts';
import type { Step } from '../plan/step.ts';
import { recordingFailure } from '../state/recorder.ts';
import { closeSessions } from '../session/close-sessions.ts';
import { Ephemerals } from '../session/ephemerals.ts';
import { haltSignal } from '../session/halt-signal.ts';
import { heedInterrupts } from '../session/heed-interrupts.ts';
import { ProviderSessions } from '../session/provider-sessions.ts';
import { applyChange, checkUnchanged } from './change-step.ts';
import { applyDelete, applyForget } from './delete-step.ts';
import { completeEvaluation } from './complete-evaluation.ts';
import { evaluateNode } from './evaluate-step.ts';
import { Halted } from './lock-gate.ts';
import { applyInvoke, invocationIndex } from './invoke.ts';
import { applyRead } from './read-step.ts';
import { type ApplyCounts, type ApplyRequest, type ApplyRun, deposedKeyText } from './request.ts';

/** What came of applying a plan. Everything that happened is in the recorder, errors or not. */
export interface Applied {
  readonly diagnostics: readonly Diagnostic[];
  readonly counts: Readonly<ApplyCounts>;
  /** Whether it was stopped before everything was done. */
  readonly stopped: boolean;
  /** What the configuration's expressions came to, where all of them were asked for. */
  readonly evaluation?: Evaluation;
}

/** Makes the changes of a plan, in its order, recording each before and after it is made. */
export async function applyPlan(request: ApplyRequest): Promise<Applied> {
  await loadFunctionLibraries(request.configuration.sources.values());
  const { plan, recorder, configuration, schemas } = request;
  const counts: ApplyCounts = {
    added: 0,
    changed: 0,
    removed: 0,
    forgotten: 0,
    imported: 0,
    invoked: 0,
    actionsFailed: 0,
  };
  const { program, diagnostics: cycles } = buildProgram(configuration, schemas);
  if (program === undefined) return { diagnostics: cycles, counts, stopped: false };
  try {
    if (plan.adopted.length > 0) await recorder.record({ kind: 'batch', events: plan.adopted });
  } catch (error) {
    return { diagnostics: [recordingFailure(error)], counts, stopped: true };
  }
  for (const { addr, importing } of plan.changes) {
    if (importing === undefined) continue;
    request.emit({ kind: 'import-complete', addr, importing });
    counts.imported++;
  }
  const options = { baseDir: '.', pure: false, plantimestamp: str(plan.timestamp) };
  const results = new FunctionResults(plan.functionResults);
  const { cwd, workspace } = request;
  const sessions = new ProviderSessions(request.providers, schemas);
  const ephemerals = new Ephemerals(request);
  const evaluation = new Evaluation(program, {
    purpose: 'apply',
    warns: request.warnsOfDeprecations ?? false,
    functions: functionTable(request.functions, {
      ...options,
      verifyResult: (name, args, result) => results.verify(name, args, result),
    }),
    providerBlockFunctions: () => functionTable(request.functions, options),
    cwd,
    workspace,
    sessions,
    functionResults: results,
    deferring: plan.deferred.length + plan.deferredModules.length > 0,
    moduleOverride: request.moduleOverride,
  });
  evaluation.checks.foresee(plan.checks);
  const dependencies = new DependencyIndex(program);
  const run: ApplyRun = {
    request,
    plan,
    program,
    evaluation,
    sessions,
    ephemerals,
    recorder,
    dependencies,
    pool: createPool(request.parallelism),
    ...changeIndex(plan.changes),
    plannedOutputs: knownOutputs(plan),
    // A deposed object is not what the instance stands for.
    deferred: new Map(
      plan.deferred.flatMap(({ change }) =>
        change.deposed === undefined ? [[change.addr, change] as const] : [],
      ),
    ),
    invocations: invocationIndex(plan.invocations),
    createsFirst: createBeforeDestroyNodes(dependencies),
    counts,
    halted: [],
  };
  const heeding = heedInterrupts(sessions, request);
  try {
    const { diagnostics, stopped } = await follow(run);
    diagnostics.push(...(await ephemerals.close()));
    if (plan.targets.length > 0) diagnostics.push(incomplete());
    if (plan.excludes.length > 0) diagnostics.push(incompleteExcluded());
    await recordOutputs(run);
    // Where nothing is changed, nothing is checked once more either.
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

const incomplete = (): Diagnostic =>
  warningDiagnostic(
    'Applied changes may be incomplete',
    `The plan was created with the -target option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:\n    ${programCommand('plan')}\n\nNote that the -target option is not suitable for routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.`,
  );

const incompleteExcluded = (): Diagnostic =>
  warningDiagnostic(
    'Applied changes may be incomplete',
    `The plan was created with the -target or the -exclude option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:\n    ${programCommand('plan')}\n\t\nNote that the -target and -exclude options are not suitable for routine use, and are provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.`,
  );

function changeIndex(
  changes: readonly PlannedChange[],
): Pick<ApplyRun, 'changes' | 'deposedChanges'> {
  const current = new Map<PlannedChange['addr'], PlannedChange>();
  const deposed = new Map<string, PlannedChange>();
  for (const change of changes) {
    if (change.deposed === undefined) current.set(change.addr, change);
    else deposed.set(deposedKeyText(change.addr, change.deposed), change);
  }
  return { changes: current, deposedChanges: deposed };
}

async function follow(
  run: ApplyRun,
): Promise<{ readonly diagnostics: Diagnostic[]; readonly stopped: boolean }> {
  const { plan, request } = run;
  const diagnostics: Diagnostic[] = [];
  if (plan.mode === 'destroy') {
    const used = new Set(
      [...plan.changes, ...plan.invocations].map(({ provider }) => provider.configuration),
    );
    const configured = await configureFromState(run, plan.priorState, used, request);
    diagnostics.push(...configured);
    if (hasErrors(configured)) return { diagnostics, stopped: false };
  }
  const graph = new GraphBuilder(plan.steps.length);
  for (const step of plan.steps) for (const earlier of step.after) graph.addEdge(step.id, earlier);
  const settle = (outcome: NodeOutcome): 'failed' | undefined => {
    if (outcome === 'failed') return outcome;
    if (outcome.length > 0) diagnostics.push(...outcome);
    return hasErrors(outcome) ? 'failed' : undefined;
  };
  const signal = haltSignal(request);
  const dependencies = graph.build();
  const { cycles } = orderOf(dependencies);
  if (cycles.length > 0) {
    diagnostics.push(...cycles.map((cycle) => cycleDiagnostic(plan.steps, cycle)));
    return { diagnostics, stopped: false };
  }
  const following = schedule({
    dependencies,
    limit: request.parallelism,
    now: request.monotonicMs,
    ...(signal === undefined ? {} : { signal }),
    run: (id) => {
      const step = plan.steps[id];
      if (step === undefined) throw new Bug(`no step ${id}`);
      const outcome = runStep(run, step);
      return outcome instanceof Promise ? outcome.then(settle) : settle(outcome);
    },
  });
  try {
    const { stopped } = await following;
    diagnostics.push(...run.halted.flat());
    return { diagnostics, stopped: stopped || run.halted.length > 0 };
  } catch (error) {
    // What was under way has ended and is in the draft; nothing new may begin that can't be recorded.
    diagnostics.push(recordingFailure(error));
    return { diagnostics, stopped: true };
  }
}

/**
 * What the state says of the old objects and what the configuration says of the new ones may ask for
 * both orders at once: where two resources that are replaced came to refer to each other the other way.
 */
function cycleDiagnostic(steps: readonly Step[], cycle: readonly number[]): Diagnostic {
  const names = cycle.flatMap((id) => stepName(steps[id]) ?? []).sort();
  return errorDiagnostic(`Cycle: ${names.join(', ')}`, '');
}

/** How Terraform names a step in a report of a cycle; undefined for joins. */
function stepName(step: Step | undefined): string | undefined {
  if (step === undefined) return undefined;
  switch (step.kind) {
    case 'join':
    case 'invoke':
      return undefined;
    case 'evaluate':
      return `${step.module === '' ? '' : `${step.module}.`}${step.key} (expand)`;
    case 'delete':
    case 'forget':
      return `${step.addr.text} (${step.deposed === undefined ? 'destroy' : `destroy deposed ${step.deposed}`})`;
    default:
      return step.addr.text;
  }
}

function runStep(run: ApplyRun, step: Step): NodeOutcome | Promise<NodeOutcome> {
  switch (step.kind) {
    case 'join':
      return [];
    case 'evaluate':
      return evaluateNode(run, step.module, step.key);
    case 'create':
      return collect(run, (found) => applyChange(run, step.id, step.addr, step.depose, found));
    case 'update':
      return collect(run, (found) => applyChange(run, step.id, step.addr, undefined, found));
    case 'invoke':
      return collect(run, (found) => applyInvoke(run, step.invocation, found));
    case 'read':
      return collect(run, (found) => applyRead(run, step.addr, found));
    case 'check':
      return collect(run, (found) => checkUnchanged(run, step.addr, found));
    case 'delete':
      return collect(run, (found) => applyDelete(run, step.id, step.addr, step.deposed, found));
    case 'forget':
      return collect(run, () => applyForget(run, step.addr, step.deposed));
  }
}

async function collect(
  { halted }: ApplyRun,
  work: (found: Diagnostic[]) => Promise<void>,
): Promise<NodeOutcome> {
  const found: Diagnostic[] = [];
  try {
    await work(found);
  } catch (error) {
    if (!(error instanceof Halted)) throw error;
    halted.push(found);
    return 'failed';
  }
  return found;
}

/**
 * Root outputs that were worked out are stored, as planned where the plan knew them; after errors
 * the others stay as they were. Those that go, go whatever else fails.
 */
async function recordOutputs(run: ApplyRun): Promise<void> {
  const values = new Map<string, Value>();
  keepOutputs(run.plan, values);
  for (const [name, final] of run.evaluation.root.outputs) {
    const value = run.plannedOutputs.get(name) ?? final;
    const { value: plain } = value.unmarkDeep();
    if (plain.isNull) values.delete(name);
    else values.set(name, unknownAsNull(value));
  }
  await run.recorder.record({ kind: 'outputs', values }, { sync: false });
}

/** The root outputs whose planned values are wholly known. */
function knownOutputs(plan: Plan): ReadonlyMap<string, Value> {
  const known = new Map<string, Value>();
  for (const { name, after } of plan.outputs) if (after.isWhollyKnown()) known.set(name, after);
  return known;
}

/** Outputs of the prior state that the configuration still has. */
function keepOutputs(plan: Plan, values: Map<string, Value>): void {
  const removed = new Set(
    plan.outputs.filter((change) => change.action === 'delete').map((change) => change.name),
  );
  for (const [name, stored] of plan.priorState.outputs) {
    if (removed.has(name)) continue;
    values.set(name, stored.sensitive ? stored.value.mark('sensitive') : stored.value);
  }
}
