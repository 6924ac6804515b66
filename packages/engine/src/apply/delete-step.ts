import type { InstanceAddr } from '@terrane/addresses';
import { NULL, nullOf, type Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import {
  type ApplyAnswer,
  type ApplyResourceRequest,
  type Awaitable,
  chain,
  chainWith,
  isPromise,
} from '@terrane/provider';
import { providerMetaFor } from '../evaluate/provider-meta.ts';
import { askToDelete } from '../objects/delete.ts';
import type { PlannedChange } from '../objects/change.ts';
import { withIdentity } from '../objects/stored-identity.ts';
import {
  idOrNameOf,
  type LiveObject,
  restore,
  type Subject,
  upgradeStored,
} from '../objects/stored.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { CAPABILITIES } from '../session/provider-sessions.ts';
import type { RunEvent } from '../objects/event.ts';
import type { StateEvent } from '../state/event.ts';
import type { DeposedKey, StoredObject } from '../state/model.ts';
import { invokeOnDestroy } from './invoke.ts';
import { passLastLockGate, passLockGate, recordNothing } from './lock-gate.ts';
import { provisionLeaving } from './provision.ts';
import { type ApplyRun, deposedKeyText } from './request.ts';

/**
 * The destruction of an object in progress. As in `make-change.ts`, its stages are functions that each continue with the
 * result of the one before, immediately where it is available.
 */
class ObjectDeletion {
  readonly run: ApplyRun;
  readonly step: number;
  readonly subject: Subject;
  readonly stored: StoredObject;
  readonly diagnostics: Diagnostic[];
  /** The object in the current schema, once it is upgraded. */
  live: Value = NULL;
  /** The planned private data and identity. */
  planned: PlannedDeletion = NOTHING_PLANNED;
  /** The time of the start event. */
  started = 0;
  /** The number of diagnostics before the provisioners. */
  reported = 0;

  constructor(
    run: ApplyRun,
    step: number,
    subject: Subject,
    stored: StoredObject,
    diagnostics: Diagnostic[],
  ) {
    this.run = run;
    this.step = step;
    this.subject = subject;
    this.stored = stored;
    this.diagnostics = diagnostics;
  }
}

type ChangeEvent = Extract<
  RunEvent,
  { kind: 'apply-start' | 'apply-progress' | 'apply-complete' | 'apply-errored' }
>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type PlannedDeletion = Pick<PlannedChange, 'private' | 'afterIdentity'>;

const NOTHING_PLANNED: PlannedDeletion = {};

/**
 * Destroys the current or a deposed object of an instance. The result is immediate if the provider and the recorder
 * respond synchronously.
 */
export function applyDelete(
  run: ApplyRun,
  step: number,
  addr: InstanceAddr,
  deposed: DeposedKey | undefined,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  return chain(subjectOf(run, addr, deposed, diagnostics), (subject) => {
    const instance = run.recorder.draft.instance(addr);
    const storedObject = deposed === undefined ? instance?.current : instance?.deposed.get(deposed);
    if (subject === undefined || storedObject === undefined) return undefined;
    const deleting = new ObjectDeletion(run, step, subject, storedObject, diagnostics);
    const upgrading = upgradeStored(subject, storedObject, diagnostics);
    return deposed === undefined
      ? chainWith(upgrading, deleting, deleteCurrent)
      : deleteDeposed(deleting, upgrading);
  });
}

function deleteCurrent(deleting: ObjectDeletion, live: LiveObject | undefined): Awaitable<void> {
  if (live === undefined) return undefined;
  deleting.live = live.value;
  const { run, subject } = deleting;
  return deletePlanned(deleting, plannedFor(run, subject.addr));
}

/** Plans to destroy a deposed object first: one of this run has no plan, and that of an earlier one may be outdated. */
async function deleteDeposed(
  deleting: ObjectDeletion,
  upgrading: Awaitable<LiveObject | undefined>,
): Promise<void> {
  const live = await upgrading;
  if (live === undefined) return;
  deleting.live = live.value;
  const { subject, diagnostics } = deleting;
  await deletePlanned(deleting, await askToDelete(subject, live, CAPABILITIES, diagnostics));
}

/** Destroys an object as planned, unless the inspector rejects that. */
function deletePlanned(
  deleting: ObjectDeletion,
  planned: PlannedDeletion | undefined,
): Awaitable<void> {
  if (planned === undefined) return undefined;
  deleting.planned = planned;
  const { run, subject, live, diagnostics } = deleting;
  const { addr, deposed } = subject;
  const { inspector } = run.request;
  if (inspector === undefined || deposed !== undefined) return passBeforeDeletion(deleting);
  const plannedChange = run.changes.get(addr);
  if (plannedChange === undefined) return passBeforeDeletion(deleting);
  const after = nullOf(live.type);
  const deletion = { ...plannedChange, action: 'delete', before: live, after } as const;
  return chain(inspector.beforeChange(deletion), (judged) => {
    diagnostics.push(...judged);
    return hasErrors(judged) ? undefined : passBeforeDeletion(deleting);
  });
}

function passBeforeDeletion(deleting: ObjectDeletion): Awaitable<void> {
  const { run, subject } = deleting;
  return subject.provider.sideEffects === false
    ? deleteReported(deleting)
    : chainWith(passLockGate(run), deleting, deleteReported);
}

/** Destroys an object, and reports the start and the end, also if that throws. */
function deleteReported(deleting: ObjectDeletion): Awaitable<void> {
  const { run, subject, live } = deleting;
  const { addr, deposed } = subject;
  deleting.started = run.request.monotonicMs();
  // By assignments: spreads of the optional parts would cost as much as the rest.
  const start: Mutable<ChangeEvent> = { kind: 'apply-start', addr, action: 'delete' };
  const { idKey, idValue } = idOrNameOf(live);
  if (deposed !== undefined) start.deposed = deposed;
  if (idKey !== undefined) start.idKey = idKey;
  if (idValue !== undefined) start.idValue = idValue;
  run.request.emit(start);
  let working: Awaitable<boolean>;
  try {
    working = prepareDeletion(deleting);
  } catch (error) {
    endDeletion(deleting, false);
    throw error;
  }
  if (!isPromise(working)) return endDeletion(deleting, working);
  return working.then(
    (isDeleted) => endDeletion(deleting, isDeleted),
    (error: unknown) => {
      endDeletion(deleting, false);
      throw error;
    },
  );
}

function endDeletion({ run, subject, started }: ObjectDeletion, isDeleted: boolean): void {
  const { addr, deposed } = subject;
  const { request, counts } = run;
  try {
    if (isDeleted && deposed === undefined) request.inspector?.afterChange(addr, undefined);
  } finally {
    const elapsedMs = request.monotonicMs() - started;
    if (isDeleted) counts.removed++;
    const kind = isDeleted ? 'apply-complete' : 'apply-errored';
    request.emit(
      deposed === undefined
        ? { kind, addr, action: 'delete', elapsedMs }
        : { kind, addr, action: 'delete', deposed, elapsedMs },
    );
  }
}

function deposedPart(deposed: DeposedKey | undefined): { readonly deposed?: DeposedKey } {
  return deposed === undefined ? NOT_DEPOSED : { deposed };
}

const NOT_DEPOSED = {};

/**
 * Invokes the actions before the destruction, runs the destroy-time provisioners, and destroys the object. Returns true
 * if the object no longer exists. A failure before the destruction prevents it.
 */
function prepareDeletion(deleting: ObjectDeletion): Awaitable<boolean> {
  const { run, subject, diagnostics } = deleting;
  const { addr, deposed } = subject;
  return triggersOf(run, addr, deposed)
    ? chainWith(
        invokeOnDestroy(run, addr, 'before_destroy', diagnostics),
        deleting,
        runProvisioners,
      )
    : runProvisioners(deleting, true);
}

function runProvisioners(deleting: ObjectDeletion, proceeds: boolean): Awaitable<boolean> {
  if (!proceeds) return false;
  const { run, subject, stored, live, diagnostics } = deleting;
  const { addr, deposed } = subject;
  deleting.reported = diagnostics.length;
  return deposed === undefined && stored.status !== 'tainted'
    ? chainWith(provisionLeaving(run, addr, live, diagnostics), deleting, passPrepared)
    : passPrepared(deleting, false);
}

/** Verifies the lock again if actions or provisioners took their time. */
function passPrepared(deleting: ObjectDeletion, hasProvisioners: boolean): Awaitable<boolean> {
  const { run, subject, diagnostics, reported } = deleting;
  if (hasErrors(diagnostics, reported)) return false;
  const { addr, deposed } = subject;
  const hasWaited =
    hasProvisioners || (triggersOf(run, addr, deposed) && run.invocations.has(addr));
  return hasWaited ? chainWith(passLockGate(run), deleting, recordIntent) : recordIntent(deleting);
}

/** Records the intent durably, unless the provider has no side effects, and verifies the lock. */
function recordIntent(deleting: ObjectDeletion): Awaitable<boolean> {
  const { run, step, subject, stored } = deleting;
  const { addr, deposed, provider } = subject;
  if (provider.sideEffects === false)
    return chainWith(passLastLockGate(run, recordNothing), deleting, sendDeletion);
  const recording = run.recorder.record({
    kind: 'intent',
    step,
    action: 'delete',
    addr,
    ...deposedPart(deposed),
    planned: stored,
    at: run.request.now().toISOString(),
  });
  return chainWith(recording, deleting, passIntended);
}

/** Continues with a deletion whose intent is recorded, or withdraws the intent if the lock is lost. */
function passIntended(deleting: ObjectDeletion): Awaitable<boolean> {
  const { run, subject, stored } = deleting;
  const { addr, deposed } = subject;
  const passing = passLastLockGate(run, () =>
    run.recorder.record({ kind: 'put', addr, ...deposedPart(deposed), object: stored }),
  );
  return chainWith(passing, deleting, sendDeletion);
}

/** Requests a deletion from the provider. */
function sendDeletion(deleting: ObjectDeletion): Awaitable<boolean> {
  const { run, subject, live, planned } = deleting;
  const { addr, provider, deposed, providerMeta } = subject;
  const { abort } = run.request;
  const { value: prior } = live.unmarkDeep();
  const nothing = nullOf(prior.type);
  // By assignments: spreads of the optional parts would cost as much as the rest.
  const request: Mutable<ApplyResourceRequest> = {
    type: addr.resource.resource.type,
    address: addr.text,
    prior,
    planned: nothing,
    config: nothing,
    progress: (note) =>
      run.request.emit({ kind: 'apply-note', addr, ...deposedPart(deposed), note }),
  };
  if (providerMeta !== undefined) request.providerMeta = providerMeta;
  if (planned.private !== undefined) request.plannedPrivate = planned.private;
  if (planned.afterIdentity !== undefined) request.plannedIdentity = planned.afterIdentity;
  if (abort !== undefined) request.signal = abort;
  return chainWith(provider.applyResourceChange(request), deleting, receiveDeletion);
}

/** Records the response of the provider to a deletion. */
function receiveDeletion(deleting: ObjectDeletion, response: ApplyAnswer): Awaitable<boolean> {
  const { run, subject, diagnostics } = deleting;
  const { addr, deposed, provider } = subject;
  // As in Terraform, diagnostics of a deletion have an address, but no range in the configuration.
  const reported = diagnosticsOf(response.diagnostics, { address: addr.text });
  if (reported.length > 0) diagnostics.push(...reported);
  const sync = provider.sideEffects === false ? ASYNC : SYNC;
  if (response.state.isNull && !hasErrors(reported)) {
    const drop: StateEvent =
      deposed === undefined ? { kind: 'drop', addr } : { kind: 'drop', addr, deposed };
    return chainWith(run.recorder.record(drop, sync), deleting, invokeAfter);
  }
  const object = remainingObject(deleting, response);
  const recording = run.recorder.record(
    { kind: 'put', addr, ...deposedPart(deposed), object },
    sync,
  );
  return chain(recording, () => false);
}

const SYNC = { sync: true } as const;
/** Changes of providers without side effects need not be durable at once. */
const ASYNC = { sync: false } as const;

/** Invokes the actions that a recorded deletion triggers. Returns true if the object counts as destroyed. */
function invokeAfter({ run, subject, diagnostics }: ObjectDeletion): Awaitable<boolean> {
  const { addr, deposed } = subject;
  return triggersOf(run, addr, deposed)
    ? invokeOnDestroy(run, addr, 'after_destroy', diagnostics)
    : true;
}

/** Returns the object to store after a failed deletion; the stored one if the provider returned none. */
function remainingObject(
  { subject, stored, live }: ObjectDeletion,
  response: ApplyAnswer,
): StoredObject {
  if (response.state.isNull) return stored;
  const identified =
    response.identity === undefined ? stored : withIdentity(subject, stored, response.identity);
  return restore(
    // Terraform resets create_before_destroy of an object that could not be destroyed.
    { ...identified, createBeforeDestroy: false },
    response.state.markWithPaths(live.unmarkDeepWithPaths().paths),
    subject.schema,
    response.private,
  );
}

/** Returns true if the deletion of an object triggers actions; false if an earlier run deposed the object. */
function triggersOf(run: ApplyRun, addr: InstanceAddr, deposed: DeposedKey | undefined): boolean {
  return deposed === undefined || !run.deposedChanges.has(deposedKeyText(addr, deposed));
}

/** Removes an object from the state without calling the provider. */
export function applyForget(
  run: ApplyRun,
  addr: InstanceAddr,
  deposed: DeposedKey | undefined,
): Awaitable<void> {
  const recording = run.recorder.record({ kind: 'drop', addr, ...deposedPart(deposed) });
  return chain(recording, () => {
    if (isPlannedToForget(run, addr, deposed)) run.counts.forgotten++;
  });
}

/** Returns true if forgetting the object is the planned action, rather than a part of a replacement. */
function isPlannedToForget(
  run: ApplyRun,
  addr: InstanceAddr,
  deposed: DeposedKey | undefined,
): boolean {
  const change =
    deposed === undefined
      ? run.changes.get(addr)
      : run.deposedChanges.get(deposedKeyText(addr, deposed));
  return change?.action === 'forget';
}

/** Returns the private data and the identity that were planned for the deletion of the current object. */
function plannedFor(run: ApplyRun, addr: InstanceAddr): PlannedDeletion {
  const { action, private: privateData, afterIdentity } = run.changes.get(addr) ?? {};
  if (privateData === undefined && afterIdentity === undefined) return NOTHING_PLANNED;
  return {
    ...(privateData === undefined ? {} : { private: privateData }),
    // The planned identity of a replacement is that of the new object.
    ...(action !== 'delete' || afterIdentity === undefined ? {} : { afterIdentity }),
  };
}

function subjectOf(
  run: ApplyRun,
  addr: InstanceAddr,
  deposed: DeposedKey | undefined,
  diagnostics: Diagnostic[],
): Awaitable<Subject | undefined> {
  const change =
    (deposed === undefined ? undefined : run.deposedChanges.get(deposedKeyText(addr, deposed))) ??
    run.changes.get(addr);
  if (change === undefined) return undefined;
  const { resource } = addr.resource;
  const source = change.provider.provider;
  const schema = run.request.schemas.resource(source, resource.mode, resource.type);
  return chain(run.sessions.open(change.provider), (opened) => {
    if (opened.diagnostics.length > 0) diagnostics.push(...opened.diagnostics);
    const { provider } = opened;
    if (schema === undefined || provider === undefined) return undefined;
    const configured = run.dependencies.node(addr.config.text)?.resource;
    return chain(providerMetaFor(run.evaluation, addr, source, diagnostics), (meta) => ({
      addr,
      schema,
      provider,
      resource: configured,
      ...meta,
      ...deposedPart(deposed),
    }));
  });
}
