import { ActionInstanceAddr, type InstanceAddr } from '@terrane/addresses';
import { nullOf, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { impliedType, type Schema } from '@terrane/provider';
import { conditionOf } from '../objects/trigger-condition.ts';
import { namedAction, SOME_KEY } from '../config/action-reference.ts';
import type { ActionEvent, ActionReference, ActionTrigger, Resource } from '../config/model.ts';
import { resolveProvider } from '../config/resolve-provider.ts';
import { actionConfig } from '../evaluate/action-config.ts';
import { errorCount } from '../evaluate/expansion.ts';
import type { ModuleCells } from '../evaluate/module-cells.ts';
import type { Repetition } from '../evaluate/repetition.ts';
import { isReplace } from '../objects/decide.ts';
import { knownAction } from '../objects/known-action.ts';
import type {
  Action,
  InvocationTrigger,
  PlannedChange,
  PlannedInvocation,
} from '../objects/change.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import { planInvocation } from './invocation.ts';
import type { PlanRun } from './run.ts';

/** A resource instance whose change may trigger actions. */
export interface Triggering {
  readonly addr: InstanceAddr;
  readonly resource: Resource;
  readonly schema: Schema;
  readonly cells: ModuleCells;
  readonly repetition: Repetition;
}

/**
 * Plans the invocations that a change triggers: by block, then by event, in source order. A condition that is known to
 * be false skips its block. Returns `deferred` if one of them must be deferred, together with the change.
 */
export async function planTriggers(
  run: PlanRun,
  at: Triggering,
  change: PlannedChange,
  diagnostics: Diagnostic[],
): Promise<'deferred' | undefined> {
  const planned: PlannedInvocation[] = [];
  const after = withSchemaMarks(change.after, at.schema);
  for (const [block, trigger] of at.resource.actionTriggers.entries()) {
    const events = trigger.events.filter((event) => isTriggered(event, change.action));
    const before = errorCount(diagnostics);
    const scope = run.evaluation.scope(at.cells, at.repetition, after);
    // A condition cannot refer to an object that is deleted.
    const isGoing = change.action === 'delete' || change.action === 'forget';
    if (trigger.condition !== undefined && !isGoing) {
      const { condition } = trigger;
      const holds = await run.evaluation.evaluate(diagnostics, (pass) =>
        conditionOf(condition, scope, pass.diagnostics),
      );
      if (errorCount(diagnostics) > before || holds === false) continue;
    }
    for (const event of events) {
      for (const [position, reference] of trigger.actions.entries()) {
        const { onFailure } = trigger;
        const about = { kind: 'lifecycle', event, block, position, onFailure } as const;
        const invocation = await planOne(run, at, change, reference, about, diagnostics);
        if (invocation === 'deferred') return invocation;
        if (invocation !== undefined) planned.push(invocation);
      }
    }
  }
  run.invocations.push(...planned);
  return undefined;
}

/** Records the known invocations that a deferred change triggers, without evaluating their conditions. */
export function deferTriggers(
  run: Pick<PlanRun, 'deferrals' | 'evaluation' | 'schemas'>,
  { addr: resource, resource: { actionTriggers }, cells, repetition }: Triggering,
  { action }: PlannedChange,
): void {
  for (const [block, { events, actions, onFailure }] of actionTriggers.entries()) {
    for (const event of events.filter((candidate) => isTriggered(candidate, action))) {
      for (const [position, reference] of actions.entries()) {
        const known = knownAction(run, cells.module, reference.action.text);
        const named = namedAction(reference.expression, repetition, []);
        if (named === undefined || known === undefined || named.key === SOME_KEY) continue;
        const { configuration } = run.evaluation.program;
        run.deferrals.invocations.push({
          invocation: {
            addr: new ActionInstanceAddr(cells.instance, named.action, named.key),
            provider: resolveProvider(configuration, known.module, known.action.providerLocal),
            trigger: { kind: 'lifecycle', event, block, position, onFailure, resource },
            config: nullOf(impliedType(known.schema.block)),
          },
          reason: 'deferred_prereq',
        });
      }
    }
  }
}

type Lifecycle = Omit<Extract<InvocationTrigger, { readonly kind: 'lifecycle' }>, 'resource'>;

async function planOne(
  run: PlanRun,
  at: Triggering,
  change: PlannedChange,
  reference: ActionReference,
  about: Lifecycle,
  diagnostics: Diagnostic[],
): Promise<PlannedInvocation | 'deferred' | undefined> {
  const { instance, module } = at.cells;
  const named = namedAction(reference.expression, at.repetition, diagnostics);
  const known = knownAction(run, module, reference.action.text);
  const expansion = at.cells.actions.get(reference.action.text);
  if (expansion?.kind === 'unknown' && run.evaluation.deferring) return 'deferred';
  if (named === undefined || known === undefined || named.key === SOME_KEY) return undefined;
  const addr = new ActionInstanceAddr(instance, named.action, named.key);
  const { range } = reference.expression;
  const isDestroy = isDestroyEvent(about.event);
  const caller = withSchemaMarks(isDestroy ? change.before : change.after, at.schema);
  const config = await actionConfig(run.evaluation, addr, known, caller, range, diagnostics);
  if (config === undefined) return undefined;
  if (isDestroy) {
    const problem = destroyProblem(config, known.action.range);
    if (problem !== undefined) {
      diagnostics.push(problem);
      return undefined;
    }
  }
  const trigger: InvocationTrigger = { ...about, resource: at.addr };
  return await planInvocation(
    run,
    { addr, known, trigger, config, callerText: at.addr.text },
    diagnostics,
  );
}

/**
 * Returns the error for a destroy trigger whose configuration is not wholly known: it is not evaluated again during the
 * apply.
 */
function destroyProblem(config: Value, at: Diagnostic['subject']): Diagnostic | undefined {
  if (!config.isWhollyKnown()) {
    return errorDiagnostic(
      'Unknown action config',
      'Action configuration must be known to plan a destroy action.',
      at,
    );
  }
  return config.hasMarkDeep('ephemeral')
    ? errorDiagnostic(
        'Action config contains ephemeral values',
        'A destroy action configuration must be fully planned, and cannot contain ephemeral values.',
        at,
      )
    : undefined;
}

/** Returns true if an action causes an event. */
function isTriggered(event: ActionEvent, action: Action): boolean {
  switch (event) {
    case 'before_create':
    case 'after_create':
      return action === 'create' || isReplace(action);
    case 'before_update':
    case 'after_update':
      return action === 'update';
    case 'before_destroy':
    case 'after_destroy':
      return (
        action === 'delete' || action === 'delete-then-create' || action === 'create-then-delete'
      );
  }
}

/** Returns true for `before_destroy` and `after_destroy`. */
function isDestroyEvent(event: ActionEvent): boolean {
  return event === 'before_destroy' || event === 'after_destroy';
}

/** Returns true if a trigger may invoke actions when an object is destroyed. */
export function triggersOnDestroy(trigger: ActionTrigger): boolean {
  return trigger.events.some(isDestroyEvent);
}
