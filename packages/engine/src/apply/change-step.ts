import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { assertObjectCompatible, type Awaitable, formatContractError } from '@terrane/provider';
import { evaluateBody } from '../evaluate/body.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import type { PlannedChange } from '../objects/change.ts';
import { isReplace } from '../objects/decide.ts';
import { planChange } from '../objects/plan-change.ts';
import { upgradeStored } from '../objects/stored.ts';
import type { DeposedKey } from '../state/model.ts';
import { Halted } from './lock-gate.ts';
import { makeChange } from './make-change.ts';
import type { ApplyRun } from './request.ts';
import { checkConditions, type Target, targetOf } from './target.ts';

/** Creates or updates the object of an instance as planned, with final values. */
export async function applyChange(
  run: ApplyRun,
  step: number,
  addr: InstanceAddr,
  depose: DeposedKey | undefined,
  diagnostics: Diagnostic[],
): Promise<void> {
  const target = await targetOf(run, addr, diagnostics);
  if (target === undefined) return;
  if (depose !== undefined) await run.recorder.record({ kind: 'depose', addr, as: depose });
  const before = errorCount(diagnostics);
  let failureKind: 'unanswered' | undefined;
  try {
    failureKind = await changeObject(run, step, target, diagnostics);
  } catch (error) {
    const isMissing = run.recorder.draft.instance(addr)?.current === undefined;
    if (error instanceof Halted && depose !== undefined && isMissing)
      await run.recorder.record({ kind: 'restore', addr, from: depose });
    throw error;
  }
  // If the call had no response, the new object may exist, so the old one stays deposed.
  if (depose !== undefined && failureKind !== 'unanswered' && errorCount(diagnostics) > before) {
    await run.recorder.record({ kind: 'restore', addr, from: depose });
  }
}

async function changeObject(
  run: ApplyRun,
  step: number,
  target: Target,
  diagnostics: Diagnostic[],
): Promise<'unanswered' | undefined> {
  const { addr, schema, planned } = target;
  const before = errorCount(diagnostics);
  const storedObject = run.recorder.draft.instance(addr)?.current;
  const live =
    storedObject === undefined ? undefined : await upgradeStored(target, storedObject, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  await checkConditions(run, target, 'precondition', target.scope, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  const { body } = target.resource;
  const config = await run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateBody(body, schema.block, target.scope, addr.text, pass.diagnostics),
  );
  if (errorCount(diagnostics) > before) return undefined;
  const planInputs = {
    config,
    createBeforeDestroy: planned.action === 'create-then-delete',
    forced: false,
    ...(planned.private === undefined ? {} : { plannedPrivate: planned.private }),
  };
  const change = await planChange(UNMOVED, target, live, planInputs, diagnostics);
  if (change === undefined) return undefined;
  reportInconsistencies(target, change, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  if (change.action === 'no-op') {
    target.cell.set(addr.key, change.after);
    await checkSelf(run, target, change.after, diagnostics);
    return undefined;
  }
  const { inspector } = run.request;
  if (inspector !== undefined) {
    diagnostics.push(...(await inspector.beforeChange(change)));
    if (errorCount(diagnostics) > before) return undefined;
  }
  const result = await makeChange(
    run,
    { step, target, change, config, stored: storedObject },
    diagnostics,
  );
  if (result === undefined || result === 'unanswered') return result;
  target.cell.set(addr.key, result);
  inspector?.afterChange(addr, result);
  await checkSelf(run, target, result, diagnostics);
  return undefined;
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
    await checkSelf(run, target, target.planned.after, diagnostics);
}

function checkSelf(
  run: ApplyRun,
  target: Target,
  value: Value,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const { cells, cell, addr } = target;
  const scope = run.evaluation.scope(cells, repetitionOf(cell.expansion, addr.key), value);
  return checkConditions(run, target, 'postcondition', scope, diagnostics);
}
