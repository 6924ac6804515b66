import { Bug } from '@terrane/cty';
import { type Graph, GraphBuilder, orderOf, schedule } from '@terrane/graph';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
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
  const { cycles } = orderOf(dependencies);
  if (cycles.length > 0) {
    diagnostics.push(...cycles.map((cycle) => cycleDiagnostic(plan.steps, cycle)));
    return { diagnostics, stopped: false };
  }
  const { sessions } = run;
  const uses = new StepUses(run);
  for (const step of plan.steps)
    for (const configuration of uses.of(step)) sessions.expect(configuration);
  const following = schedule({
    dependencies,
    limit: request.parallelism,
    gate: new SessionGate(sessions, request.parallelism, (id) => {
      const step = plan.steps[id];
      return step === undefined ? [] : uses.of(step);
    }),
    now: request.monotonicMs,
    ...(signal === undefined ? {} : { signal }),
    run: (id) => {
      const step = plan.steps[id];
      if (step === undefined) throw new Bug(`no step ${id}`);
      const work = (): NodeOutcome | Promise<NodeOutcome> => runStep(run, step);
      const configurations = uses.of(step);
      const outcome =
        step.kind === 'evaluate'
          ? withProviders(sessions, configurations, work)
          : sessions.use(configurations, work);
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
  for (const step of steps) for (const earlier of step.after) builder.addEdge(step.id, earlier);
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

function runStep(run: ApplyRun, step: Step): NodeOutcome | Promise<NodeOutcome> {
  switch (step.kind) {
    case 'join':
      return [];
    case 'evaluate':
      return evaluateNode(run, step.module, step.key);
    case 'create':
      return collect(run, (diagnostics) =>
        applyChange(run, step.id, step.addr, step.depose, diagnostics),
      );
    case 'update':
      return collect(run, (diagnostics) =>
        applyChange(run, step.id, step.addr, undefined, diagnostics),
      );
    case 'invoke':
      return collect(run, (diagnostics) => applyInvoke(run, step.invocation, diagnostics));
    case 'read':
      return collect(run, (diagnostics) => applyRead(run, step.addr, diagnostics));
    case 'check':
      return collect(run, (diagnostics) => checkUnchanged(run, step.addr, diagnostics));
    case 'delete':
      return collect(run, (diagnostics) =>
        applyDelete(run, step.id, step.addr, step.deposed, diagnostics),
      );
    case 'forget':
      return collect(run, () => applyForget(run, step.addr, step.deposed));
  }
}

async function collect(
  { halted }: ApplyRun,
  work: (diagnostics: Diagnostic[]) => Promise<void>,
): Promise<NodeOutcome> {
  const diagnostics: Diagnostic[] = [];
  try {
    await work(diagnostics);
  } catch (error) {
    if (!(error instanceof Halted)) throw error;
    halted.push(diagnostics);
    return 'failed';
  }
  return diagnostics;
}
