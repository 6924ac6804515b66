import type { ProviderConfigAddr } from '@terrane/addresses';
import { Bug } from '@terrane/cty';
import { type Graph, GraphBuilder, orderOf, type Ran, schedule } from '@terrane/graph';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { type Awaitable, isPromise } from '@terrane/provider';
import type { NodeOutcome } from '../evaluate/driver.ts';
import { withProviders } from '../evaluate/provider-node.ts';
import { configureFromState } from '../objects/configure-from-state.ts';
import type { Step } from '../plan/step.ts';
import { haltSignal } from '../session/halt-signal.ts';
import { SessionGate } from '../session/session-gate.ts';
import { recordingFailure } from '../state/recorder.ts';
import { applyChange, checkUnchanged } from './change-step.ts';
import { applyDelete, applyForget } from './delete-step.ts';
import { evaluateNode } from './evaluate-step.ts';
import { applyInvoke } from './invoke.ts';
import { Halted } from './lock-gate.ts';
import { applyRead } from './read-step.ts';
import type { ApplyRun } from './request.ts';
import { StepUses } from './step-uses.ts';

/** The outcome of the steps of a plan. */
export interface StepsOutcome {
  readonly diagnostics: Diagnostic[];
  /** True if the run ended before it had started every step that could start. */
  readonly stopped: boolean;
}

/**
 * Executes the steps of a plan. A step starts when the steps before it have succeeded; after the failure of a step its
 * dependents are skipped, the other steps are executed.
 */
export async function runSteps(run: ApplyRun): Promise<StepsOutcome> {
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
  const outcomeOf = (outcome: NodeOutcome): 'failed' | undefined => {
    if (outcome === 'failed') return outcome;
    if (outcome.length > 0) diagnostics.push(...outcome);
    return hasErrors(outcome) ? 'failed' : undefined;
  };
  const signal = haltSignal(request);
  const dependencies = dependenciesOf(plan.steps);
  const order = orderOf(dependencies);
  if (order.cycles.length > 0) {
    diagnostics.push(...order.cycles.map((cycle) => cycleDiagnostic(plan.steps, cycle)));
    return { diagnostics, stopped: false };
  }
  const { sessions } = run;
  const uses = new StepUses(run);
  // Determined once: the gate and the step itself need them again.
  const used = plan.steps.map((step) => uses.of(step));
  for (const configurations of used)
    for (const configuration of configurations) sessions.expect(configuration);
  const following = schedule({
    dependencies,
    limit: request.parallelism,
    order,
    gate: new SessionGate(sessions, request.parallelism, (id) => used[id] ?? []),
    now: request.monotonicMs,
    ...(signal === undefined ? {} : { signal }),
    run: (id) => {
      const step = plan.steps[id];
      if (step === undefined) throw new Bug(`no step ${id}`);
      const configurations = used[id] ?? [];
      if (step.kind !== 'evaluate') return executeStep(run, step, configurations, outcomeOf);
      const { module, key } = step;
      const outcome = withProviders(sessions, configurations, () => evaluateNode(run, module, key));
      return outcome instanceof Promise ? outcome.then(outcomeOf) : outcomeOf(outcome);
    },
  });
  try {
    const { stopped } = await following;
    diagnostics.push(...run.halted.flat());
    return { diagnostics, stopped: stopped || run.halted.length > 0 };
  } catch (error) {
    // The steps in flight have ended and are in the draft. A change that cannot be recorded must not start.
    diagnostics.push(recordingFailure(error));
    return { diagnostics, stopped: true };
  }
}

/** Returns the graph of the steps. Its builder, which is larger, must not outlive it. */
function dependenciesOf(steps: readonly Step[]): Graph {
  const builder = new GraphBuilder(steps.length);
  for (const { id, after } of steps) {
    // Iterators of so many short lists cost more than their edges.
    for (let index = 0; index < after.length; index++) builder.addEdge(id, after[index] ?? 0);
  }
  return builder.build();
}

/**
 * The error for steps that form a cycle: the dependencies in the state and the references in the configuration may
 * contradict each other, for instance after two replaced resources swapped the direction of their reference.
 */
function cycleDiagnostic(steps: readonly Step[], cycle: readonly number[]): Diagnostic {
  const names = cycle.flatMap((id) => stepName(steps[id]) ?? []).sort();
  return errorDiagnostic(`Cycle: ${names.join(', ')}`, '');
}

/** Returns the name of a step in Terraform's report of a cycle; undefined for joins and invocations. */
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

/**
 * Executes a step, which uses provider configurations until it has ended. A step that is halted has failed. The result
 * is immediate if providers and the recorder respond synchronously; otherwise one promise serves all of it.
 */
function executeStep(
  run: ApplyRun,
  step: Exclude<Step, { readonly kind: 'evaluate' }>,
  configurations: readonly ProviderConfigAddr[],
  outcomeOf: (outcome: NodeOutcome) => Ran,
): Awaitable<Ran> {
  const { sessions } = run;
  const diagnostics: Diagnostic[] = [];
  const end = (): Ran => {
    sessions.end(configurations);
    return outcomeOf(diagnostics);
  };
  const endThrown = (error: unknown): Ran => {
    sessions.end(configurations);
    if (!(error instanceof Halted)) throw error;
    run.halted.push(diagnostics);
    return outcomeOf('failed');
  };
  sessions.begin(configurations);
  let working: Awaitable<void>;
  try {
    working = workOf(run, step, diagnostics);
  } catch (error) {
    return endThrown(error);
  }
  return isPromise(working) ? working.then(end, endThrown) : end();
}

function workOf(
  run: ApplyRun,
  step: Exclude<Step, { readonly kind: 'evaluate' }>,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  switch (step.kind) {
    case 'join':
      return undefined;
    case 'create':
      return applyChange(run, step.id, step.addr, step.depose, diagnostics);
    case 'update':
      return applyChange(run, step.id, step.addr, undefined, diagnostics);
    case 'invoke':
      return applyInvoke(run, step.invocation, diagnostics);
    case 'read':
      return applyRead(run, step.addr, diagnostics);
    case 'check':
      return checkUnchanged(run, step.addr, diagnostics);
    case 'delete':
      return applyDelete(run, step.id, step.addr, step.deposed, diagnostics);
    case 'forget':
      return applyForget(run, step.addr, step.deposed);
  }
}
