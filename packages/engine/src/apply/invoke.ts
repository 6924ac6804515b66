import type { InstanceAddr } from '@terrane/addresses';
import { Bug, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { CheckedProvider } from '@terrane/provider';
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

/** The planned invocations that an instance triggers, in their order. */
export function invocationIndex(
  invocations: readonly PlannedInvocation[],
): ApplyRun['invocations'] {
  const index = new Map<InstanceAddr, TriggeredInvocation[]>();
  for (const { trigger, ...invocation } of invocations) {
    if (trigger.kind !== 'lifecycle') continue;
    const triggered: TriggeredInvocation = { ...invocation, trigger };
    const known = index.get(trigger.resource);
    if (known === undefined) index.set(trigger.resource, [triggered]);
    else known.push(triggered);
  }
  return index;
}

/** What came of invoking what a change triggers. */
export type Invoked = 'done' | 'failed' | 'taint';

/**
 * Invokes what the creation or update of an instance triggers, one after the other, with final values:
 * `caller` is the object as it is planned, or as it has become. What fails ends it, unless the trigger
 * says to continue: its errors are warnings then.
 */
export async function invokeTriggered(
  run: ApplyRun,
  target: Target,
  events: readonly ActionEvent[],
  caller: Value,
  diagnostics: Diagnostic[],
): Promise<Invoked> {
  const invocations = run.invocations.get(target.addr) ?? [];
  // Actions may refer to the resource that triggers them by its name.
  if (invocations.length > 0) target.cell.set(target.addr.key, caller);
  for (const invocation of invocations) {
    const { event, onFailure } = invocation.trigger;
    if (!events.includes(event)) continue;
    const failure = onFailure === 'taint' && event === 'after_create' ? 'taint' : 'failed';
    const before = errorCount(diagnostics);
    const holds = await conditionHolds(run, target, invocation, caller, diagnostics);
    if (errorCount(diagnostics) > before) return failure;
    if (!holds) continue;
    const found: Diagnostic[] = [];
    await invokeWith(run, invocation, caller, found);
    if (!hasErrors(found)) diagnostics.push(...found);
    else if (onFailure === 'continue') diagnostics.push(...asWarnings(found));
    else {
      diagnostics.push(...found);
      return failure;
    }
  }
  return 'done';
}

function asWarnings(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.map((one) => ({ ...one, severity: 'warning' }));
}

/** Conditions are looked at again: those that were not known are now. */
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
 * Invokes what the end of an object triggers, with what was planned: nothing can be worked out again.
 * False where the object has to stay; where everything is destroyed nothing is held up.
 */
export async function invokeOnDestroy(
  run: ApplyRun,
  addr: InstanceAddr,
  event: 'before_destroy' | 'after_destroy',
  diagnostics: Diagnostic[],
): Promise<boolean> {
  for (const invocation of run.invocations.get(addr) ?? []) {
    if (invocation.trigger.event !== event) continue;
    const found: Diagnostic[] = [];
    await invokeAs(run, invocation, invocation.config, addr.text, found);
    const goesOn = run.plan.mode === 'destroy' || invocation.trigger.onFailure === 'continue';
    diagnostics.push(...(goesOn ? asWarnings(found) : found));
    if (!goesOn && hasErrors(found)) return false;
  }
  return true;
}

/** Invokes what the user asked for, with what was planned. */
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
  const known = actionOf(run, invocation);
  const { addr, trigger } = invocation;
  const config = await actionConfig(run.evaluation, addr, known, caller, undefined, diagnostics);
  if (config === undefined) return;
  if (!config.isWhollyKnown()) {
    diagnostics.push(
      errorDiagnostic(
        'Action configuration unknown during apply',
        `The action ${addr.text} was not fully known during apply. This may be caused by using the caller object in conjunction with a before event.`,
        known.action.range,
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

/** Invokes an action, recording before and after that it is under way. */
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
  await note(run, provider, invocation, false);
  await passLastLockGate(run, () => note(run, provider, invocation, true));
  const answer = await provider.invokeAction({
    type: addr.action.type,
    config: config.unmarkDeep().value,
    address: addr.text,
    progress: (message) => emit({ kind: 'action-progress', invocation, message }),
    ...(abort === undefined ? {} : { signal: abort }),
  });
  // What was not answered has not ended, as far as anybody knows.
  if (answer.unanswered !== true) await note(run, provider, invocation, true);
  const said = actionDiagnostics(
    answer.diagnostics,
    actionWhereabouts(action, module.path, caller),
  );
  diagnostics.push(...said);
  run.counts.invoked++;
  if (!hasErrors(said)) {
    emit({ kind: 'action-complete', invocation });
    return;
  }
  run.counts.actionsFailed++;
  emit({ kind: 'action-errored', invocation, message: errorText(said) });
}

async function note(
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
  // That it has ended need not be known at once: to be told of it in vain does no harm.
  await run.recorder.record({ kind: 'invoke', invocation, ended }, { sync: !ended });
}

/** Errors as one text, as they are joined in a Go error. */
function errorText(said: readonly Diagnostic[]): string {
  const texts = said
    .filter(({ severity }) => severity === 'error')
    .map(({ summary, detail }) => (detail === '' ? summary : `${summary}: ${detail}`));
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return only;
  return `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
}
