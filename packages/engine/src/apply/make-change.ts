import { NULL, type Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import {
  type ApplyAnswer,
  type ApplyResourceRequest,
  type Awaitable,
  chainWith,
  impliedType,
} from '@terrane/provider';
import { errorCount } from '../evaluate/expansion.ts';
import type { PlannedChange } from '../objects/change.ts';
import { isEqual } from '../objects/decide.ts';
import { isKeptInState } from '../objects/forgetting.ts';
import { identityPart } from '../objects/stored-identity.ts';
import {
  idOf,
  idOrNameOf,
  type LiveObject,
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
import { type Invoked, invokeTriggered } from './invoke.ts';
import { passLastLockGate, passLockGate, recordNothing } from './lock-gate.ts';
import { isProvisioned, provisionCreated } from './provision.ts';
import type { ApplyRun } from './request.ts';
import { checkPostconditions, type Target } from './target.ts';

/**
 * A creation or update in progress. Its stages are functions that each continue with the result of the one before:
 * immediately where providers and the recorder respond synchronously. They need no closures, and all stages after an
 * awaited result run in its turn, so that a change costs few promises.
 */
export class ObjectChange {
  readonly run: ApplyRun;
  readonly step: number;
  readonly target: Target;
  /** The key under which the current object is deposed first. */
  readonly depose: DeposedKey | undefined;
  readonly diagnostics: Diagnostic[];
  /** The number of errors before the change. */
  readonly errorsBefore: number;
  /** The current object; undefined for a creation. */
  stored: StoredObject | undefined;
  /** The current object in the current schema. */
  live: LiveObject | undefined;
  /** The configuration, once it is evaluated. */
  config: Value = NULL;
  /** The planned change, with final values once it is planned again. */
  change: PlannedChange;
  /** The time of the start event, until the change has ended. */
  started: number | undefined;
  /** The recorded intent; undefined if the provider has no side effects. */
  intent: StateEvent | undefined;
  /** The new object, and what the provider returned with it, once the provider has returned an object. */
  value: Value = NULL;
  privateData: Uint8Array | undefined;
  identity: Value | undefined;

  constructor(
    run: ApplyRun,
    step: number,
    target: Target,
    depose: DeposedKey | undefined,
    diagnostics: Diagnostic[],
  ) {
    this.run = run;
    this.step = step;
    this.target = target;
    this.depose = depose;
    this.diagnostics = diagnostics;
    this.errorsBefore = errorCount(diagnostics);
    this.stored = undefined;
    this.live = undefined;
    this.change = target.planned;
    this.started = undefined;
    this.intent = undefined;
    this.privateData = undefined;
    this.identity = undefined;
  }

  /** Returns true if the change has reported errors. */
  get hasErrors(): boolean {
    return errorCount(this.diagnostics) > this.errorsBefore;
  }
}

/** `unanswered`: the provider did not respond to a creation, so that its intent remains open, as after a crash. */
export type ChangeResult = 'unanswered' | undefined;

const BEFORE = ['before_create', 'before_update'] as const;
const AFTER = ['after_create', 'after_update'] as const;

/**
 * Executes a change, records the result, and checks its postconditions. If that throws, the caller calls
 * {@link endFailed}.
 */
export function makeChange(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run, target } = changing;
  // Objects of providers without side effects exist only in the state, whose storage verifies the lock itself.
  return target.provider.sideEffects !== false || isProvisioned(target)
    ? chainWith(passLockGate(run), changing, startChange)
    : startChange(changing);
}

function startChange(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run, target, change, diagnostics } = changing;
  changing.started = run.request.monotonicMs();
  const start = { kind: 'apply-start', addr: target.addr, action: actionOf(change) } as const;
  run.request.emit(start.action === 'update' ? { ...start, ...idOrNameOf(change.before) } : start);
  const invoking = invokeTriggered(run, target, BEFORE, change.after, diagnostics);
  return chainWith(invoking, changing, changeAfterActions);
}

/** Reports the failure of a change, if it has started and not ended. */
export function endFailed(changing: ObjectChange): undefined {
  const { run, target, change, started } = changing;
  if (started === undefined) return;
  changing.started = undefined;
  const elapsedMs = run.request.monotonicMs() - started;
  run.request.emit({
    kind: 'apply-errored',
    addr: target.addr,
    action: actionOf(change),
    elapsedMs,
  });
}

function actionOf({ action }: PlannedChange): 'create' | 'update' {
  return action === 'update' ? 'update' : 'create';
}

/** Changes the object, unless an action that is invoked before the change has failed. */
function changeAfterActions(changing: ObjectChange, invoked: Invoked): Awaitable<ChangeResult> {
  if (invoked !== 'done') return endFailed(changing);
  const { run, target } = changing;
  return run.invocations.has(target.addr)
    ? chainWith(passLockGate(run), changing, changeObject)
    : changeObject(changing);
}

function changeObject(changing: ObjectChange): Awaitable<ChangeResult> {
  const { change, stored } = changing;
  if (!isOfMarksOnly(change)) return recordIntent(changing);
  changing.value = change.after;
  changing.privateData = stored?.private;
  changing.identity = change.afterIdentity;
  const recording = recordObject(changing, stored?.status ?? 'ready');
  return chainWith(recording, changing, invokeAfter);
}

/** Returns whether only the sensitivity of values changes, so that the provider is not called. */
function isOfMarksOnly({ action, before, after }: PlannedChange): boolean {
  return action === 'update' && isEqual(before.unmarkDeep().value, after.unmarkDeep().value);
}

/** Records the intent of a change durably, unless the provider has no side effects, and verifies the lock. */
function recordIntent(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run, step, target, change, stored } = changing;
  if (target.provider.sideEffects === false)
    return chainWith(passLastLockGate(run, recordNothing), changing, sendChange);
  const intent = intentOf(run, step, actionOf(change), target, change, stored);
  changing.intent = intent;
  return chainWith(run.recorder.record(intent), changing, passIntended);
}

/** Continues with a change whose intent is recorded, or withdraws the intent if the lock is lost. */
function passIntended(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run } = changing;
  const passing = passLastLockGate(run, () => run.recorder.record(unchangedEvent(changing)));
  return chainWith(passing, changing, sendChange);
}

/** Returns the event that retains the stored object, if any. */
function unchangedEvent({ target: { addr }, stored }: ObjectChange): StateEvent {
  return stored === undefined ? { kind: 'drop', addr } : { kind: 'put', addr, object: stored };
}

/** Requests a change from the provider. */
function sendChange(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run, target, change, config } = changing;
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
  return chainWith(provider.applyResourceChange(request), changing, receiveChange);
}

/** Records the response of the provider, and runs the provisioners of a new object. */
function receiveChange(changing: ObjectChange, response: ApplyAnswer): Awaitable<ChangeResult> {
  const { run, target, change, stored, intent, diagnostics } = changing;
  const isCreation = actionOf(change) === 'create';
  const reported = diagnosticsOf(response.diagnostics, whereabouts(target));
  if (reported.length > 0) diagnostics.push(...reported);
  const failed = hasErrors(reported);
  if (failed && response.unanswered === true && intent !== undefined && isOpenCreate(intent)) {
    diagnostics.push(unansweredWarning(intent));
    endFailed(changing);
    return 'unanswered';
  }
  if (response.state.isNull) {
    const recording = run.recorder.record(unchangedEvent(changing), syncOf(target));
    return chainWith(recording, changing, endFailed);
  }
  const { paths } = change.after.unmarkDeepWithPaths();
  // After a failed update the object may still have its old values, which retain their marks.
  const marks =
    failed && !isCreation ? [...paths, ...change.before.unmarkDeepWithPaths().paths] : paths;
  changing.value = withSchemaMarks(response.state.markWithPaths(marks), target.schema);
  changing.privateData = response.private;
  changing.identity = response.identity;
  if (!failed && isCreation && isProvisioned(target)) return finishMaking(changing);
  const failedStatus = isCreation ? 'tainted' : (stored?.status ?? 'ready');
  const recording = recordObject(changing, failed ? failedStatus : 'ready');
  return chainWith(recording, changing, failed ? endFailed : invokeAfter);
}

/**
 * Runs the provisioners of an object that was created. The object is tainted until they have succeeded, so that it is
 * replaced if they fail or the run ends.
 */
async function finishMaking(changing: ObjectChange): Promise<ChangeResult> {
  const { run, target, value, diagnostics } = changing;
  const { addr } = target;
  await run.recorder.record({ kind: 'put', addr, object: objectOf(changing, 'tainted') });
  target.cell.set(addr.key, value);
  const before = diagnostics.length;
  await provisionCreated(run, target, value, diagnostics);
  if (hasErrors(diagnostics, before)) return endFailed(changing);
  await run.recorder.record({ kind: 'put', addr, object: objectOf(changing, 'ready') });
  return await invokeAfter(changing);
}

/** Invokes the actions that a recorded change triggers, and ends the change. */
function invokeAfter(changing: ObjectChange): Awaitable<ChangeResult> {
  const { run, target, value, diagnostics } = changing;
  const invoking = invokeTriggered(run, target, AFTER, value, diagnostics);
  return chainWith(invoking, changing, endChange);
}

function endChange(changing: ObjectChange, invoked: Invoked): Awaitable<ChangeResult> {
  if (invoked === 'taint') return chainWith(recordObject(changing, 'tainted'), changing, endFailed);
  return invoked === 'done' ? endSuccessful(changing) : endFailed(changing);
}

/** Reports the end of a change, makes the new value visible to references, and checks the postconditions. */
function endSuccessful(changing: ObjectChange): Awaitable<undefined> {
  const { run, target, change, value, diagnostics, started = 0 } = changing;
  const { addr, cell } = target;
  const { inspector } = run.request;
  const action = actionOf(change);
  if (action === 'create') run.counts.added++;
  else run.counts.changed++;
  changing.started = undefined;
  const elapsedMs = run.request.monotonicMs() - started;
  const { idKey, idValue } = idOf(value);
  run.request.emit(
    idKey === undefined || idValue === undefined
      ? { kind: 'apply-complete', addr, action, elapsedMs }
      : { kind: 'apply-complete', addr, action, elapsedMs, idKey, idValue },
  );
  cell.set(addr.key, value);
  inspector?.afterChange(addr, value);
  return checkPostconditions(run, target, value, diagnostics);
}

/** Encodes a created or updated object for the state. */
function objectOf(
  { run, target, value, privateData, identity }: ObjectChange,
  status: StoredObject['status'],
): StoredObject {
  const { schema, node, resource, planned } = target;
  // By assignments: spreads of the optional parts would cost as much as the rest.
  const rest: { -readonly [K in keyof StoredParts]: StoredParts[K] } = {
    status,
    schemaVersion: schema.version,
    dependencies: run.dependencies.of(node),
    createBeforeDestroy: run.createsFirst.has(node),
    provider: planned.provider,
  };
  if (isKeptInState(resource)) rest.skipDestroy = true;
  if (privateData !== undefined) rest.private = privateData;
  if (identity !== undefined) Object.assign(rest, identityPart(target, identity));
  return encodeStored(value, impliedType(schema.block), rest);
}

type StoredParts = Parameters<typeof encodeStored>[2];

function recordObject(changing: ObjectChange, status: StoredObject['status']): Awaitable<void> {
  const { run, target } = changing;
  const object = objectOf(changing, status);
  return run.recorder.record({ kind: 'put', addr: target.addr, object }, syncOf(target));
}

const SYNC = { sync: true } as const;
const ASYNC = { sync: false } as const;

/** Changes of providers without side effects need not be durable at once. */
function syncOf({ provider }: Target): { readonly sync: boolean } {
  return provider.sideEffects === false ? ASYNC : SYNC;
}
