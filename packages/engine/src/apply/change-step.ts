import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import {
  assertObjectCompatible,
  type Awaitable,
  impliedType,
  formatContractError,
} from '@terrane/provider';
import { evaluateBody } from '../evaluate/body.ts';
import { errorCount } from '../evaluate/expansion.ts';
import { metaPart } from '../evaluate/provider-meta.ts';
import { repetitionOf } from '../evaluate/repetition.ts';
import { isEqual, isReplace } from '../objects/decide.ts';
import { isKeptInState } from '../objects/forgetting.ts';
import { planChange } from '../objects/plan-change.ts';
import type { PlannedChange } from '../objects/change.ts';
import { identityPart } from '../objects/stored-identity.ts';
import {
  idOf,
  idOrNameOf,
  upgradeStored,
  whereabouts,
  withSchemaMarks,
} from '../objects/stored.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import type { StateEvent } from '../state/event.ts';
import { isOpenCreate } from '../state/interrupted.ts';
import type { DeposedKey, StoredObject } from '../state/model.ts';
import { unansweredWarning } from '../state/recovery.ts';
import { encodeStored } from '../state/stored-value.ts';
import { intentOf } from './intent.ts';
import { invokeTriggered } from './invoke.ts';
import { Halted, passLastLockGate, passLockGate } from './lock-gate.ts';
import { isProvisioned, provisionCreated } from './provision.ts';
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
  let came: 'unanswered' | undefined;
  try {
    came = await changeObject(run, step, target, diagnostics);
  } catch (error) {
    const isMissing = run.recorder.draft.instance(addr)?.current === undefined;
    if (error instanceof Halted && depose !== undefined && isMissing)
      await run.recorder.record({ kind: 'restore', addr, from: depose });
    throw error;
  }
  // After an unanswered call the new object may exist: the old one stays deposed.
  if (depose !== undefined && came !== 'unanswered' && errorCount(diagnostics) > before) {
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
  const stored = run.recorder.draft.instance(addr)?.current;
  const live = stored === undefined ? undefined : await upgradeStored(target, stored, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  await checkConditions(run, target, 'precondition', target.scope, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  const { body } = target.resource;
  const config = await run.evaluation.evaluate(diagnostics, (pass) =>
    evaluateBody(body, schema.block, target.scope, addr.text, pass.diagnostics),
  );
  if (errorCount(diagnostics) > before) return undefined;
  const asked = {
    config,
    createBeforeDestroy: planned.action === 'create-then-delete',
    forced: false,
    ...(planned.private === undefined ? {} : { plannedPrivate: planned.private }),
  };
  const wanted = { ...target, providerAddr: planned.provider };
  const moves = { previousAddresses: NO_MOVES };
  const change = await planChange(moves, wanted, live, asked, diagnostics);
  if (change === undefined) return undefined;
  conform(target, change, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  if (change.action === 'no-op') {
    target.cell.set(addr.key, change.after);
    await checkSelf(run, target, change.after, diagnostics);
    return undefined;
  }
  const result = await makeChange(run, step, target, change, config, stored, diagnostics);
  if (result === undefined || result === 'unanswered') return result;
  target.cell.set(addr.key, result);
  await checkSelf(run, target, result, diagnostics);
  return undefined;
}

const NO_MOVES: ReadonlyMap<InstanceAddr, InstanceAddr> = new Map();

/** Reports differences between the planned change and the change planned again with final values. */
function conform(target: Target, actual: PlannedChange, diagnostics: Diagnostic[]): void {
  const { addr, planned, schema } = target;
  const provider = planned.provider.provider.text;
  const settled = planned.action === 'update' && actual.action === 'no-op';
  const replaced = isReplace(planned.action) && actual.action === 'create';
  if (planned.action !== actual.action && !settled && !replaced) {
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

const BEFORE = ['before_create', 'before_update'] as const;
const AFTER = ['after_create', 'after_update'] as const;

/**
 * Makes a change and records the result. Returns the new value; undefined after errors. If the provider did not answer a
 * creation, the result is `unanswered` and the intent stays open, as after a crash.
 */
async function makeChange(
  run: ApplyRun,
  step: number,
  target: Target,
  change: PlannedChange,
  config: Value,
  stored: StoredObject | undefined,
  diagnostics: Diagnostic[],
): Promise<Value | 'unanswered' | undefined> {
  const { addr, provider } = target;
  // Objects of providers without side effects exist in the state only, whose storage verifies the lock itself.
  if (provider.sideEffects !== false || isProvisioned(target)) await passLockGate(run);
  const action = change.action === 'update' ? 'update' : 'create';
  const started = run.request.monotonicMs();
  run.request.emit({
    kind: 'apply-start',
    addr,
    action,
    ...(action === 'update' ? idOrNameOf(change.before) : {}),
  });
  const errored = (): void =>
    run.request.emit({
      kind: 'apply-errored',
      addr,
      action,
      elapsedMs: run.request.monotonicMs() - started,
    });
  try {
    return await changeStarted(run, step, target, change, config, stored, diagnostics, {
      started,
      errored,
    });
  } catch (error) {
    if (error instanceof Halted) errored();
    throw error;
  }
}

/** Executes a change whose start has been reported. */
async function changeStarted(
  run: ApplyRun,
  step: number,
  target: Target,
  change: PlannedChange,
  config: Value,
  stored: StoredObject | undefined,
  diagnostics: Diagnostic[],
  { started, errored }: { readonly started: number; readonly errored: () => void },
): Promise<Value | 'unanswered' | undefined> {
  const { addr, schema, provider } = target;
  const action = change.action === 'update' ? 'update' : 'create';
  if ((await invokeTriggered(run, target, BEFORE, change.after, diagnostics)) !== 'done') {
    errored();
    return undefined;
  }
  if (run.invocations.has(addr)) await passLockGate(run);
  const { value: prior, paths: priorPaths } = change.before.unmarkDeepWithPaths();
  const { value: planned, paths } = change.after.unmarkDeepWithPaths();
  const isPure = provider.sideEffects === false;
  if (change.action === 'update' && isEqual(prior, planned)) {
    // Only the sensitivity changed: the provider is not called.
    const made = { private: stored?.private, identity: change.afterIdentity };
    const object = objectOf(run, target, change.after, stored?.status ?? 'ready', made);
    await run.recorder.record({ kind: 'put', addr, object }, { sync: !isPure });
    if ((await invokeTriggered(run, target, AFTER, change.after, diagnostics)) !== 'done') {
      errored();
      return undefined;
    }
    finish(run, target, action, change.after, started);
    return change.after;
  }
  const intent = isPure ? undefined : intentOf(run, step, action, target, change, stored);
  if (intent !== undefined) await run.recorder.record(intent);
  await passLastLockGate(run, async () => {
    if (intent === undefined) return;
    await run.recorder.record(
      stored === undefined ? { kind: 'drop', addr } : { kind: 'put', addr, object: stored },
    );
  });
  const { abort } = run.request;
  const answer = await provider.applyResourceChange({
    type: addr.resource.resource.type,
    address: addr.text,
    prior,
    planned,
    config: config.unmarkDeep().value,
    ...metaPart(target),
    ...(change.private === undefined ? {} : { plannedPrivate: change.private }),
    ...(change.afterIdentity === undefined ? {} : { plannedIdentity: change.afterIdentity }),
    ...(abort === undefined ? {} : { signal: abort }),
    progress: (note) => run.request.emit({ kind: 'apply-note', addr, note }),
  });
  const reported = diagnosticsOf(answer.diagnostics, whereabouts(target));
  diagnostics.push(...reported);
  const failed = hasErrors(reported);
  if (failed && answer.unanswered === true && intent !== undefined && isOpenCreate(intent)) {
    diagnostics.push(unansweredWarning(intent));
    errored();
    return 'unanswered';
  }
  // After a failed update the object may still have its old values: those keep their marks.
  const secret = failed && action === 'update' ? [...paths, ...priorPaths] : paths;
  const value = answer.state.isNull
    ? undefined
    : withSchemaMarks(answer.state.markWithPaths(secret), schema);
  const made = { private: answer.private, identity: answer.identity };
  const event = outcome(run, target, action, failed, value, stored, made);
  const isHalfMade = action === 'create' && !failed && isProvisioned(target);
  if (failed || value === undefined || !isHalfMade)
    await run.recorder.record(event, { sync: !isPure });
  if (failed || value === undefined) {
    errored();
    return undefined;
  }
  if (isHalfMade && !(await finishMaking(run, target, value, made, diagnostics))) {
    errored();
    return undefined;
  }
  const invoked = await invokeTriggered(run, target, AFTER, value, diagnostics);
  if (invoked === 'taint') {
    const object = objectOf(run, target, value, 'tainted', made);
    await run.recorder.record({ kind: 'put', addr, object }, { sync: !isPure });
  }
  if (invoked !== 'done') {
    errored();
    return undefined;
  }
  finish(run, target, action, value, started);
  return value;
}

/**
 * Runs the provisioners of an object that was created. The object is tainted until they have succeeded, so that it is
 * replaced if they fail or the run ends. Returns whether they succeeded.
 */
async function finishMaking(
  run: ApplyRun,
  target: Target,
  value: Value,
  made: Made,
  diagnostics: Diagnostic[],
): Promise<boolean> {
  const { addr } = target;
  const record = async (status: StoredObject['status']): Promise<void> => {
    const object = objectOf(run, target, value, status, made);
    await run.recorder.record({ kind: 'put', addr, object });
  };
  await record('tainted');
  target.cell.set(addr.key, value);
  const before = diagnostics.length;
  await provisionCreated(run, target, value, diagnostics);
  if (hasErrors(diagnostics, before)) return false;
  await record('ready');
  return true;
}

function finish(
  run: ApplyRun,
  target: Target,
  action: 'create' | 'update',
  value: Value,
  started: number,
): void {
  if (action === 'create') run.counts.added++;
  else run.counts.changed++;
  const { addr } = target;
  const elapsedMs = run.request.monotonicMs() - started;
  run.request.emit({ kind: 'apply-complete', addr, action, elapsedMs, ...idOf(value) });
}

/** Returns the state event that records the answer of the provider to a change. */
function outcome(
  run: ApplyRun,
  target: Target,
  action: 'create' | 'update',
  failed: boolean,
  value: Value | undefined,
  stored: StoredObject | undefined,
  made: Made,
): StateEvent {
  const { addr } = target;
  if (value === undefined) {
    // The provider returned no object: the stored one, if any, is kept.
    return stored === undefined ? { kind: 'drop', addr } : { kind: 'put', addr, object: stored };
  }
  const status = !failed ? 'ready' : action === 'create' ? 'tainted' : (stored?.status ?? 'ready');
  return { kind: 'put', addr, object: objectOf(run, target, value, status, made) };
}

/** The private data and the identity that a provider returned with an object. */
interface Made {
  readonly private: Uint8Array | undefined;
  readonly identity: Value | undefined;
}

/** Encodes a created or updated object for the state. */
function objectOf(
  run: ApplyRun,
  target: Target,
  value: Value,
  status: StoredObject['status'],
  { private: privateData, identity }: Made,
): StoredObject {
  return encodeStored(value, impliedType(target.schema.block), {
    status,
    schemaVersion: target.schema.version,
    dependencies: run.dependencies.of(target.node),
    createBeforeDestroy: run.createsFirst.has(target.node),
    provider: target.planned.provider,
    ...(isKeptInState(target.resource) ? { skipDestroy: true } : {}),
    ...(privateData === undefined ? {} : { private: privateData }),
    ...identityPart(target, identity),
  });
}

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
