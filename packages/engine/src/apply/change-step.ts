import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import {
  assertObjectCompatible,
  type Awaitable,
  chain,
  chainWith,
  formatContractError,
  isPromise,
} from '@terrane/provider';
import { evaluateBody } from '../evaluate/body.ts';
import { errorCount } from '../evaluate/expansion.ts';
import type { PlannedChange } from '../objects/change.ts';
import { isReplace } from '../objects/decide.ts';
import { type Asked, planChange } from '../objects/plan-change.ts';
import { type LiveObject, upgradeStored } from '../objects/stored.ts';
import type { DeposedKey } from '../state/model.ts';
import { Halted } from './lock-gate.ts';
import { type ChangeResult, endFailed, makeChange, ObjectChange } from './make-change.ts';
import type { ApplyRun } from './request.ts';
import { checkConditions, checkPostconditions, type Target, targetOf } from './target.ts';

/**
 * Creates or updates the object of an instance as planned, with final values. The result is immediate if the provider
 * and the recorder respond synchronously.
 */
export function applyChange(
  run: ApplyRun,
  step: number,
  addr: InstanceAddr,
  depose: DeposedKey | undefined,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const request = { run, step, depose, diagnostics };
  return chainWith(targetOf(run, addr, diagnostics), request, changeTarget);
}

function changeTarget(
  { run, step, depose, diagnostics }: Pick<ObjectChange, 'run' | 'step' | 'depose' | 'diagnostics'>,
  target: Target | undefined,
): Awaitable<void> {
  if (target === undefined) return undefined;
  const changing = new ObjectChange(run, step, target, depose, diagnostics);
  if (depose === undefined) return changeGuarded(changing);
  const deposing = run.recorder.record({ kind: 'depose', addr: target.addr, as: depose });
  return chainWith(deposing, changing, changeGuarded);
}

/** Changes an object. Ends the change if it throws, and restores an object that was deposed in vain. */
function changeGuarded(changing: ObjectChange): Awaitable<void> {
  let making: Awaitable<ChangeResult>;
  try {
    making = changeObject(changing);
  } catch (error) {
    return endThrown(changing, error);
  }
  if (isPromise(making)) {
    return making.then(
      (result) => endReturned(changing, result),
      (error: unknown) => endThrown(changing, error),
    );
  }
  return endReturned(changing, making);
}

async function endThrown(changing: ObjectChange, error: unknown): Promise<never> {
  const { run, target, depose } = changing;
  const { addr } = target;
  if (!(error instanceof Halted)) throw error;
  endFailed(changing);
  if (depose !== undefined && run.recorder.draft.instance(addr)?.current === undefined)
    await run.recorder.record({ kind: 'restore', addr, from: depose });
  throw error;
}

function endReturned(changing: ObjectChange, result: ChangeResult): Awaitable<void> {
  const { run, target, depose } = changing;
  // If the call had no response, the new object may exist, so the old one stays deposed.
  if (depose === undefined || result === 'unanswered' || !changing.hasErrors) return undefined;
  return run.recorder.record({ kind: 'restore', addr: target.addr, from: depose });
}

function changeObject(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run, target, diagnostics } = changing;
  const storedObject = run.recorder.draft.instance(target.addr)?.current;
  changing.stored = storedObject;
  return storedObject === undefined
    ? changeUpgraded(changing, undefined)
    : chainWith(upgradeStored(target, storedObject, diagnostics), changing, changeUpgraded);
}

/** Continues with the current object in the current schema. */
function changeUpgraded(
  changing: ObjectChange,
  live: LiveObject | undefined,
): Awaitable<ChangeResult> {
  const { run, target, diagnostics } = changing;
  if (changing.hasErrors) return undefined;
  changing.live = live;
  const checking = checkConditions(run, target, 'precondition', target.scope, diagnostics);
  return chainWith(checking, changing, evaluateChecked);
}

function evaluateChecked(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run, target, diagnostics } = changing;
  if (changing.hasErrors) return undefined;
  const { resource, schema, scope, addr } = target;
  const evaluating = run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateBody(resource.body, schema.block, scope, addr.text, pass.diagnostics),
  );
  return chainWith(evaluating, changing, planFinal);
}

/** Plans the change again, with the final configuration. */
function planFinal(changing: ObjectChange, config: Value): Awaitable<ChangeResult> {
  const { target, live, diagnostics } = changing;
  if (changing.hasErrors) return undefined;
  changing.config = config;
  const { planned } = target;
  const inputs: { -readonly [K in keyof Asked]: Asked[K] } = {
    config,
    createBeforeDestroy: planned.action === 'create-then-delete',
    forced: false,
  };
  if (planned.private !== undefined) inputs.plannedPrivate = planned.private;
  return chainWith(planChange(UNMOVED, target, live, inputs, diagnostics), changing, makePlanned);
}

/** Makes the change, if it is consistent with the first plan. */
function makePlanned(
  changing: ObjectChange,
  change: PlannedChange | undefined,
): Awaitable<ChangeResult> {
  if (change === undefined) return undefined;
  const { run, target, diagnostics } = changing;
  changing.change = change;
  reportInconsistencies(target, change, diagnostics);
  if (changing.hasErrors) return undefined;
  if (change.action === 'no-op') {
    target.cell.set(target.addr.key, change.after);
    return checkPostconditions(run, target, change.after, diagnostics);
  }
  const { inspector } = run.request;
  if (inspector === undefined) return makeChange(changing);
  return chain(inspector.beforeChange(change), (judged) => {
    diagnostics.push(...judged);
    return changing.hasErrors ? undefined : makeChange(changing);
  });
}

/** Moves are made before the steps of an apply. */
const UNMOVED: Parameters<typeof planChange>[0] = { previousAddresses: new Map() };

/** Reports differences between the planned change and the change planned again with final values. */
function reportInconsistencies(
  target: Target,
  actual: PlannedChange,
  diagnostics: Diagnostic[],
): void {
  const { addr, planned, schema } = target;
  const provider = planned.provider.provider.text;
  const isAlreadyUpdated = planned.action === 'update' && actual.action === 'no-op';
  const replaced = isReplace(planned.action) && actual.action === 'create';
  if (planned.action !== actual.action && !isAlreadyUpdated && !replaced) {
    diagnostics.push(
      errorDiagnostic(
        'Provider produced inconsistent final plan',
        `When expanding the plan for ${addr.text} to include new values learned so far during apply, provider "${provider}" changed the planned action from ${ACTION_NAMES[planned.action]} to ${ACTION_NAMES[actual.action]}.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
      ),
    );
  }
  const expected = planned.after.unmarkDeep().value;
  for (const error of assertObjectCompatible(
    schema.block,
    expected,
    actual.after.unmarkDeep().value,
  )) {
    diagnostics.push(
      errorDiagnostic(
        'Provider produced inconsistent final plan',
        `When expanding the plan for ${addr.text} to include new values learned so far during apply, provider "${provider}" produced an invalid new value for ${formatContractError(error)}.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`,
      ),
    );
  }
}

const ACTION_NAMES: Readonly<Record<PlannedChange['action'], string>> = {
  'no-op': 'NoOp',
  create: 'Create',
  read: 'Read',
  update: 'Update',
  delete: 'Delete',
  'delete-then-create': 'DeleteThenCreate',
  'create-then-delete': 'CreateThenDelete',
  forget: 'Forget',
  'create-then-forget': 'CreateThenForget',
  'forget-then-create': 'ForgetThenCreate',
};

/** Evaluates the conditions of an instance without a change. */
export async function checkUnchanged(
  run: ApplyRun,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Promise<void> {
  const target = await targetOf(run, addr, diagnostics);
  if (target === undefined) return;
  const before = errorCount(diagnostics);
  await checkConditions(run, target, 'precondition', target.scope, diagnostics);
  if (errorCount(diagnostics) === before)
    await checkPostconditions(run, target, target.planned.after, diagnostics);
}
