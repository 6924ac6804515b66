import type { Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import {
  type ApplyAnswer,
  type ApplyResourceRequest,
  type Awaitable,
  impliedType,
} from '@terrane/provider';
import type { PlannedChange } from '../objects/change.ts';
import { isEqual } from '../objects/decide.ts';
import { isKeptInState } from '../objects/forgetting.ts';
import { identityPart } from '../objects/stored-identity.ts';
import { idOf, idOrNameOf, whereabouts, withSchemaMarks } from '../objects/stored.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import type { StateEvent } from '../state/event.ts';
import { isOpenCreate } from '../state/interrupted.ts';
import type { StoredObject } from '../state/model.ts';
import { unansweredWarning } from '../state/recovery.ts';
import { encodeStored } from '../state/stored-value.ts';
import { intentOf } from './intent.ts';
import { invokeTriggered } from './invoke.ts';
import { Halted, passLastLockGate, passLockGate } from './lock-gate.ts';
import { isProvisioned, provisionCreated } from './provision.ts';
import type { ApplyRun } from './request.ts';
import type { Target } from './target.ts';

/** A pending creation or update. */
export interface PendingChange {
  readonly step: number;
  readonly target: Target;
  /** The change as planned with final values. */
  readonly change: PlannedChange;
  readonly config: Value;
  /** The current object; undefined for a creation. */
  readonly stored: StoredObject | undefined;
}

const BEFORE = ['before_create', 'before_update'] as const;
const AFTER = ['after_create', 'after_update'] as const;

/**
 * Executes a change and records the result. Returns the new value; undefined after errors. If the provider did not
 * respond to a creation, the result is `unanswered` and the intent remains open, as after a crash.
 */
export async function makeChange(
  run: ApplyRun,
  pending: PendingChange,
  diagnostics: Diagnostic[],
): Promise<Value | 'unanswered' | undefined> {
  const { target, change } = pending;
  const { addr, provider } = target;
  // Objects of providers without side effects exist only in the state, whose storage verifies the lock itself.
  if (provider.sideEffects !== false || isProvisioned(target)) await passLockGate(run);
  const action = actionOf(change);
  const started = run.request.monotonicMs();
  run.request.emit({
    kind: 'apply-start',
    addr,
    action,
    ...(action === 'update' ? idOrNameOf(change.before) : {}),
  });
  const elapsed = (): number => run.request.monotonicMs() - started;
  const reportFailure = (): void =>
    run.request.emit({ kind: 'apply-errored', addr, action, elapsedMs: elapsed() });
  try {
    const result = await changeWithActions(run, pending, diagnostics);
    if (result === undefined || result === 'unanswered') {
      reportFailure();
      return result;
    }
    if (action === 'create') run.counts.added++;
    else run.counts.changed++;
    run.request.emit({
      kind: 'apply-complete',
      addr,
      action,
      elapsedMs: elapsed(),
      ...idOf(result),
    });
    return result;
  } catch (error) {
    if (error instanceof Halted) reportFailure();
    throw error;
  }
}

function actionOf({ action }: PlannedChange): 'create' | 'update' {
  return action === 'update' ? 'update' : 'create';
}

/** Executes a change, and invokes the actions that it triggers before and after. */
async function changeWithActions(
  run: ApplyRun,
  pending: PendingChange,
  diagnostics: Diagnostic[],
): Promise<Value | 'unanswered' | undefined> {
  const { target, change, stored } = pending;
  const { addr } = target;
  if ((await invokeTriggered(run, target, BEFORE, change.after, diagnostics)) !== 'done')
    return undefined;
  if (run.invocations.has(addr)) await passLockGate(run);
  const result = isOfMarksOnly(change)
    ? await recordMarks(run, target, change, stored)
    : await changeByProvider(run, pending, diagnostics);
  if (result === undefined || result === 'unanswered') return result;
  const { value, made } = result;
  const invoked = await invokeTriggered(run, target, AFTER, value, diagnostics);
  if (invoked === 'taint') await recordObject(run, target, value, 'tainted', made);
  return invoked === 'done' ? value : undefined;
}

/** Returns whether only the sensitivity of values changes, so that the provider is not called. */
function isOfMarksOnly({ action, before, after }: PlannedChange): boolean {
  return action === 'update' && isEqual(before.unmarkDeep().value, after.unmarkDeep().value);
}

async function recordMarks(
  run: ApplyRun,
  target: Target,
  { after, afterIdentity }: PlannedChange,
  stored: StoredObject | undefined,
): Promise<MadeObject> {
  const providerData = { private: stored?.private, identity: afterIdentity };
  await recordObject(run, target, after, stored?.status ?? 'ready', providerData);
  return { value: after, made: providerData };
}

/** Requests a change from the provider, runs the provisioners of a new object, and records the result. */
async function changeByProvider(
  run: ApplyRun,
  pending: PendingChange,
  diagnostics: Diagnostic[],
): Promise<MadeObject | 'unanswered' | undefined> {
  const { target, change, stored } = pending;
  const action = actionOf(change);
  const intent = await recordIntent(run, pending);
  const response = await requestChange(run, pending);
  const reported = diagnosticsOf(response.diagnostics, whereabouts(target));
  diagnostics.push(...reported);
  const failed = hasErrors(reported);
  if (failed && response.unanswered === true && intent !== undefined && isOpenCreate(intent)) {
    diagnostics.push(unansweredWarning(intent));
    return 'unanswered';
  }
  const { paths } = change.after.unmarkDeepWithPaths();
  // After a failed update the object may still have its old values, which retain their marks.
  const marks =
    failed && action === 'update'
      ? [...paths, ...change.before.unmarkDeepWithPaths().paths]
      : paths;
  const value = response.state.isNull
    ? undefined
    : withSchemaMarks(response.state.markWithPaths(marks), target.schema);
  const providerData = { private: response.private, identity: response.identity };
  const isHalfMade = action === 'create' && !failed && isProvisioned(target);
  if (value === undefined || !isHalfMade) {
    const event = outcome(run, target, action, failed, value, stored, providerData);
    await run.recorder.record(event, syncOf(target));
  }
  if (failed || value === undefined) return undefined;
  if (isHalfMade && !(await finishMaking(run, target, value, providerData, diagnostics)))
    return undefined;
  return { value, made: providerData };
}

/** Records the intent of a change durably, unless the provider has no side effects, and verifies the lock. */
async function recordIntent(
  run: ApplyRun,
  { step, target, change, stored }: PendingChange,
): Promise<StateEvent | undefined> {
  const { addr, provider } = target;
  const intent =
    provider.sideEffects === false
      ? undefined
      : intentOf(run, step, actionOf(change), target, change, stored);
  if (intent !== undefined) await run.recorder.record(intent);
  await passLastLockGate(run, async () => {
    if (intent === undefined) return;
    await run.recorder.record(
      stored === undefined ? { kind: 'drop', addr } : { kind: 'put', addr, object: stored },
    );
  });
  return intent;
}

function requestChange(
  run: ApplyRun,
  { target, change, config }: PendingChange,
): Awaitable<ApplyAnswer> {
  const { addr, provider } = target;
  const { abort } = run.request;
  // By assignments: spreads of the optional parts would cost as much as the rest.
  const request: { -readonly [K in keyof ApplyResourceRequest]: ApplyResourceRequest[K] } = {
    type: addr.resource.resource.type,
    address: addr.text,
    prior: change.before.unmarkDeep().value,
    planned: change.after.unmarkDeep().value,
    config: config.unmarkDeep().value,
    progress: (note) => run.request.emit({ kind: 'apply-note', addr, note }),
  };
  if (target.providerMeta !== undefined) request.providerMeta = target.providerMeta;
  if (change.private !== undefined) request.plannedPrivate = change.private;
  if (change.afterIdentity !== undefined) request.plannedIdentity = change.afterIdentity;
  if (abort !== undefined) request.signal = abort;
  return provider.applyResourceChange(request);
}

/**
 * Runs the provisioners of an object that was created. The object is tainted until they have succeeded, so that it is
 * replaced if they fail or the run ends. Returns whether they succeeded.
 */
async function finishMaking(
  run: ApplyRun,
  target: Target,
  value: Value,
  providerData: Made,
  diagnostics: Diagnostic[],
): Promise<boolean> {
  const { addr } = target;
  const record = async (status: StoredObject['status']): Promise<void> => {
    const object = objectOf(run, target, value, status, providerData);
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

/** Returns the state event for the provider's response to a change. */
function outcome(
  run: ApplyRun,
  target: Target,
  action: 'create' | 'update',
  failed: boolean,
  value: Value | undefined,
  stored: StoredObject | undefined,
  providerData: Made,
): StateEvent {
  const { addr } = target;
  if (value === undefined) {
    // The provider returned no object: retain the stored one, if any.
    return stored === undefined ? { kind: 'drop', addr } : { kind: 'put', addr, object: stored };
  }
  const status = !failed ? 'ready' : action === 'create' ? 'tainted' : (stored?.status ?? 'ready');
  return { kind: 'put', addr, object: objectOf(run, target, value, status, providerData) };
}

/** The private data and the identity that a provider returned with an object. */
interface Made {
  readonly private: Uint8Array | undefined;
  readonly identity: Value | undefined;
}

/** The result of a change. */
interface MadeObject {
  readonly value: Value;
  readonly made: Made;
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

async function recordObject(
  run: ApplyRun,
  target: Target,
  value: Value,
  status: StoredObject['status'],
  providerData: Made,
): Promise<void> {
  const object = objectOf(run, target, value, status, providerData);
  await run.recorder.record({ kind: 'put', addr: target.addr, object }, syncOf(target));
}

/** Changes of providers without side effects need not be durable at once. */
function syncOf({ provider }: Target): { readonly sync: boolean } {
  return { sync: provider.sideEffects !== false };
}
