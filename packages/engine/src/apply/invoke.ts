import type { InstanceAddr } from '@terrane/addresses';
import { Bug, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Awaitable, CheckedProvider } from '@terrane/provider';
import type { ActionEvent } from '../config/model.ts';
import { actionConfig } from '../evaluate/action-config.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import { type KnownAction, knownAction } from '../objects/known-action.ts';
import type { PlannedInvocation } from '../objects/change.ts';
import { conditionOf } from '../objects/trigger-condition.ts';
import { actionDiagnostics, actionWhereabouts } from '../session/action-diagnostics.ts';
import { passLastLockGate, passLockGate } from './lock-gate.ts';
import type { ApplyRun, TriggeredInvocation } from './request.ts';
import type { Target } from './target.ts';

/** Returns the planned invocations by the instance that triggers them, in their order. */
export function invocationIndex(
  invocations: readonly PlannedInvocation[],
): ApplyRun['invocations'] {
  const index = new Map<InstanceAddr, TriggeredInvocation[]>();
  for (const { trigger, ...invocation } of invocations) {
    if (trigger.kind !== 'lifecycle') continue;
    const triggered: TriggeredInvocation = { ...invocation, trigger };
    const triggers = index.get(trigger.resource);
    if (triggers === undefined) index.set(trigger.resource, [triggered]);
    else triggers.push(triggered);
  }
  return index;
}

/** The result of the invocations that a change triggers. */
export type Invoked = 'done' | 'failed' | 'taint';

/**
 * Invokes the actions that the creation or update of an instance triggers, in sequence, with final values. `caller` is
 * the planned object before the change and the new object after it. The first failure ends the sequence, unless the
 * trigger has `on_failure = continue`, which turns its errors into warnings.
 */
export function invokeTriggered(
  run: ApplyRun,
  target: Target,
  events: readonly ActionEvent[],
  caller: Value,
  diagnostics: Diagnostic[],
): Awaitable<Invoked> {
  const invocations = run.invocations.get(target.addr);
  if (invocations === undefined) return 'done';
  // Actions may refer to the resource that triggers them by its address.
  target.cell.set(target.addr.key, caller);
  return invokeInSequence(run, target, invocations, events, caller, diagnostics);
}

async function invokeInSequence(
  run: ApplyRun,
  target: Target,
  invocations: readonly TriggeredInvocation[],
  events: readonly ActionEvent[],
  caller: Value,
  diagnostics: Diagnostic[],
): Promise<Invoked> {
  for (const invocation of invocations) {
    const { event, onFailure } = invocation.trigger;
    if (!events.includes(event)) continue;
    const failure = onFailure === 'taint' && event === 'after_create' ? 'taint' : 'failed';
    const before = errorCount(diagnostics);
    const holds = await conditionHolds(run, target, invocation, caller, diagnostics);
    if (errorCount(diagnostics) > before) return failure;
    if (!holds) continue;
    const reported: Diagnostic[] = [];
    await invokeWith(run, invocation, caller, reported);
    if (!hasErrors(reported)) diagnostics.push(...reported);
    else if (onFailure === 'continue') diagnostics.push(...asWarnings(reported));
    else {
      diagnostics.push(...reported);
      return failure;
    }
  }
  return 'done';
}

function asWarnings(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, severity: 'warning' }));
}

/** Evaluates the condition of a trigger with final values. */
async function conditionHolds(
  run: ApplyRun,
  { resource, cells, cell, addr }: Target,
  { trigger }: TriggeredInvocation,
  self: Value,
  diagnostics: Diagnostic[],
): Promise<boolean> {
  const condition = resource.actionTriggers[trigger.block]?.condition;
  if (condition === undefined) return true;
  const scope = run.evaluation.scope(cells, repetitionOf(cell.expansion, addr.key), self);
  const before = errorCount(diagnostics);
  const holds = await run.evaluation.evaluate(diagnostics, (pass) =>
    conditionOf(condition, scope, pass.diagnostics),
  );
  if (holds === undefined && errorCount(diagnostics) === before) {
    diagnostics.push(
      errorDiagnostic(
        'Unknown condition when invoking action before apply',
        'The action trigger condition must be known before it can be invoked.',
        condition.range,
      ),
    );
  }
  return holds === true;
}

/**
 * Invokes the actions that the destruction of an object triggers, with their planned configuration. Returns false if a
 * failure prevents the destruction, which none does in destroy mode.
 */
export function invokeOnDestroy(
  run: ApplyRun,
  addr: InstanceAddr,
  event: 'before_destroy' | 'after_destroy',
  diagnostics: Diagnostic[],
): Awaitable<boolean> {
  const invocations = run.invocations.get(addr);
  return invocations === undefined
    ? true
    : invokeEachOnDestroy(run, addr, invocations, event, diagnostics);
}

async function invokeEachOnDestroy(
  run: ApplyRun,
  addr: InstanceAddr,
  invocations: readonly TriggeredInvocation[],
  event: 'before_destroy' | 'after_destroy',
  diagnostics: Diagnostic[],
): Promise<boolean> {
  for (const invocation of invocations) {
    if (invocation.trigger.event !== event) continue;
    const reported: Diagnostic[] = [];
    await invokeAs(run, invocation, invocation.config, addr.text, reported);
    const mustContinue = run.plan.mode === 'destroy' || invocation.trigger.onFailure === 'continue';
    diagnostics.push(...(mustContinue ? asWarnings(reported) : reported));
    if (!mustContinue && hasErrors(reported)) return false;
  }
  return true;
}

/** Invokes an action that the user requested, with its planned configuration. */
export async function applyInvoke(
  run: ApplyRun,
  position: number,
  diagnostics: Diagnostic[],
): Promise<void> {
  const invocation = run.plan.invocations[position];
  if (invocation === undefined) throw new Bug(`no invocation ${position}`);
  const { trigger, config } = invocation;
  const caller = trigger.kind === 'invoke' ? trigger.caller?.text : undefined;
  await invokeAs(run, invocation, config, caller, diagnostics);
}

async function invokeWith(
  run: ApplyRun,
  invocation: TriggeredInvocation,
  caller: Value,
  diagnostics: Diagnostic[],
): Promise<void> {
  const knownAction = actionOf(run, invocation);
  const { addr, trigger } = invocation;
  const config = await actionConfig(
    run.evaluation,
    addr,
    knownAction,
    caller,
    undefined,
    diagnostics,
  );
  if (config === undefined) return;
  if (!config.isWhollyKnown()) {
    diagnostics.push(
      errorDiagnostic(
        'Action configuration unknown during apply',
        `The action ${addr.text} was not fully known during apply. This may be caused by using the caller object in conjunction with a before event.`,
        knownAction.action.range,
      ),
    );
    return;
  }
  await invokeAs(run, invocation, config, trigger.resource.text, diagnostics);
}

function actionOf(run: ApplyRun, { addr }: Pick<PlannedInvocation, 'addr'>): KnownAction {
  const module = run.program.configuration.modules.get(addr.module.path.text);
  const known =
    module === undefined ? undefined : knownAction(run.request, module, addr.action.text);
  if (known === undefined) throw new Bug(`the configuration has no ${addr.text}`);
  return known;
}

/** Invokes an action and records its start and end. */
async function invokeAs(
  run: ApplyRun,
  invocation: PlannedInvocation,
  config: Value,
  caller: string | undefined,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { addr } = invocation;
  const { module, action } = actionOf(run, invocation);
  const opened = await run.sessions.open(invocation.provider);
  diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (provider === undefined) return;
  await passLockGate(run);
  const { emit, abort } = run.request;
  emit({ kind: 'action-start', invocation });
  await recordInvocation(run, provider, invocation, false);
  await passLastLockGate(run, () => recordInvocation(run, provider, invocation, true));
  const response = await provider.invokeAction({
    type: addr.action.type,
    config: config.unmarkDeep().value,
    address: addr.text,
    progress: (message) => emit({ kind: 'action-progress', invocation, message }),
    ...(abort === undefined ? {} : { signal: abort }),
  });
  // Without a response it is unknown whether the action has ended.
  if (response.unanswered !== true) await recordInvocation(run, provider, invocation, true);
  const reported = actionDiagnostics(
    response.diagnostics,
    actionWhereabouts(action, module.path, caller),
  );
  diagnostics.push(...reported);
  run.counts.invoked++;
  if (!hasErrors(reported)) {
    emit({ kind: 'action-complete', invocation });
    return;
  }
  run.counts.actionsFailed++;
  emit({ kind: 'action-errored', invocation, message: joinedErrors(reported) });
}

async function recordInvocation(
  run: ApplyRun,
  provider: CheckedProvider,
  { addr, trigger }: PlannedInvocation,
  ended: boolean,
): Promise<void> {
  if (provider.sideEffects === false) return;
  const invocation =
    trigger.kind === 'lifecycle'
      ? `${addr.text} (${trigger.event} of ${trigger.resource.text})`
      : addr.text;
  // The end need not be durable at once: a superfluous report of an open invocation does no harm.
  await run.recorder.record({ kind: 'invoke', invocation, ended }, { sync: !ended });
}

/** Joins errors into one text, as a Go multierror does. */
function joinedErrors(diagnostics: readonly Diagnostic[]): string {
  const texts = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ summary, detail }) => (detail === '' ? summary : `${summary}: ${detail}`));
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return only;
  return `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
}
