import type { InstanceAddr } from '@terrane/addresses';
import { nullOf, type Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import type { ApplyAnswer, Awaitable } from '@terrane/provider';
import { metaPart, providerMetaFor } from '../evaluate/provider-meta.ts';
import { askToDelete } from '../objects/delete.ts';
import type { PlannedChange } from '../objects/change.ts';
import { withIdentity } from '../objects/stored-identity.ts';
import { idOrNameOf, restore, type Subject, upgradeStored } from '../objects/stored.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { CAPABILITIES } from '../session/provider-sessions.ts';
import type { DeposedKey, StoredObject } from '../state/model.ts';
import { invokeOnDestroy } from './invoke.ts';
import { passLastLockGate, passLockGate } from './lock-gate.ts';
import { provisionLeaving } from './provision.ts';
import { type ApplyRun, deposedKeyText } from './request.ts';

/** Destroys the current or a deposed object of an instance. */
export async function applyDelete(
  run: ApplyRun,
  step: number,
  addr: InstanceAddr,
  deposed: DeposedKey | undefined,
  diagnostics: Diagnostic[],
): Promise<void> {
  const subject = await subjectOf(run, addr, deposed, diagnostics);
  const instance = run.recorder.draft.instance(addr);
  const storedObject = deposed === undefined ? instance?.current : instance?.deposed.get(deposed);
  if (subject === undefined || storedObject === undefined) return;
  const live = await upgradeStored(subject, storedObject, diagnostics);
  if (live === undefined) return;
  const { provider } = subject;
  // An object deposed in this run has no planned deletion, and the plan of an earlier one may be out of date.
  const planned =
    deposed === undefined
      ? plannedFor(run, addr)
      : await askToDelete(subject, live, CAPABILITIES, diagnostics);
  if (planned === undefined) return;
  const { inspector } = run.request;
  const plannedChange = run.changes.get(addr);
  if (inspector !== undefined && deposed === undefined && plannedChange !== undefined) {
    const after = nullOf(live.value.type);
    const deletion = { ...plannedChange, action: 'delete', before: live.value, after } as const;
    const judged = await inspector.beforeChange(deletion);
    diagnostics.push(...judged);
    if (hasErrors(judged)) return;
  }
  if (provider.sideEffects !== false) await passLockGate(run);
  const about = { addr, action: 'delete', ...(deposed === undefined ? {} : { deposed }) } as const;
  const started = run.request.monotonicMs();
  run.request.emit({ kind: 'apply-start', ...about, ...idOrNameOf(live.value) });
  const elapsed = (): number => run.request.monotonicMs() - started;
  let isDeleted = false;
  try {
    const deletion = { ...subject, stored: storedObject, live: live.value, planned };
    isDeleted = await deleteStarted(run, step, deletion, diagnostics);
    if (isDeleted && deposed === undefined) inspector?.afterChange(addr, undefined);
  } finally {
    const elapsedMs = elapsed();
    if (isDeleted) run.counts.removed++;
    run.request.emit({ kind: isDeleted ? 'apply-complete' : 'apply-errored', ...about, elapsedMs });
  }
}

/** An object to destroy. */
interface Deletion extends Subject {
  readonly stored: StoredObject;
  readonly live: Value;
  readonly planned: Pick<PlannedChange, 'private' | 'afterIdentity'>;
}

/**
 * Destroys an object whose start event was emitted, and records the result. Returns true if the object no longer
 * exists.
 */
async function deleteStarted(
  run: ApplyRun,
  step: number,
  deletion: Deletion,
  diagnostics: Diagnostic[],
): Promise<boolean> {
  const { addr, provider, deposed, stored } = deletion;
  if (!(await prepareDeletion(run, deletion, diagnostics))) return false;
  const isPure = provider.sideEffects === false;
  const target = deposed === undefined ? { addr } : { addr, deposed };
  if (!isPure)
    await run.recorder.record({
      kind: 'intent',
      step,
      action: 'delete',
      ...target,
      planned: stored,
      at: run.request.now().toISOString(),
    });
  await passLastLockGate(run, async () => {
    if (!isPure) await run.recorder.record({ kind: 'put', ...target, object: stored });
  });
  const response = await requestDeletion(run, deletion);
  // As in Terraform, diagnostics of a deletion have an address, but no range in the configuration.
  const reported = diagnosticsOf(response.diagnostics, { address: addr.text });
  diagnostics.push(...reported);
  if (response.state.isNull && !hasErrors(reported)) {
    await run.recorder.record({ kind: 'drop', ...target }, { sync: !isPure });
    if (!triggersOf(run, addr, deposed)) return true;
    return await invokeOnDestroy(run, addr, 'after_destroy', diagnostics);
  }
  const object = remainingObject(deletion, response);
  await run.recorder.record({ kind: 'put', ...target, object }, { sync: !isPure });
  return false;
}

/**
 * Invokes the actions before the destruction and runs the destroy-time provisioners. Returns false if a failure prevents
 * the destruction.
 */
async function prepareDeletion(
  run: ApplyRun,
  { addr, deposed, stored, live }: Deletion,
  diagnostics: Diagnostic[],
): Promise<boolean> {
  const triggers = triggersOf(run, addr, deposed);
  if (triggers && !(await invokeOnDestroy(run, addr, 'before_destroy', diagnostics))) return false;
  let hasWaited = triggers && run.invocations.has(addr);
  if (deposed === undefined && stored.status !== 'tainted') {
    const before = diagnostics.length;
    hasWaited = (await provisionLeaving(run, addr, live, diagnostics)) || hasWaited;
    if (hasErrors(diagnostics, before)) return false;
  }
  if (hasWaited) await passLockGate(run);
  return true;
}

function requestDeletion(run: ApplyRun, deletion: Deletion): Awaitable<ApplyAnswer> {
  const { addr, provider, deposed, live, planned } = deletion;
  const { value: prior } = live.unmarkDeep();
  const { private: plannedPrivate, afterIdentity: plannedIdentity } = planned;
  const { abort } = run.request;
  const target = deposed === undefined ? { addr } : { addr, deposed };
  return provider.applyResourceChange({
    type: addr.resource.resource.type,
    address: addr.text,
    prior,
    planned: nullOf(prior.type),
    config: nullOf(prior.type),
    ...metaPart(deletion),
    ...(plannedPrivate === undefined ? {} : { plannedPrivate }),
    ...(plannedIdentity === undefined ? {} : { plannedIdentity }),
    ...(abort === undefined ? {} : { signal: abort }),
    progress: (note) => run.request.emit({ kind: 'apply-note', ...target, note }),
  });
}

/** Returns the object to store after a failed deletion; the stored one if the provider returned none. */
function remainingObject(deletion: Deletion, response: ApplyAnswer): StoredObject {
  const { stored, live, schema } = deletion;
  if (response.state.isNull) return stored;
  const identified =
    response.identity === undefined ? stored : withIdentity(deletion, stored, response.identity);
  return restore(
    // Terraform resets create_before_destroy of an object that could not be destroyed.
    { ...identified, createBeforeDestroy: false },
    response.state.markWithPaths(live.unmarkDeepWithPaths().paths),
    schema,
    response.private,
  );
}

/** Returns true if the deletion of an object triggers actions; false if an earlier run deposed the object. */
function triggersOf(run: ApplyRun, addr: InstanceAddr, deposed: DeposedKey | undefined): boolean {
  return deposed === undefined || !run.deposedChanges.has(deposedKeyText(addr, deposed));
}

/** Removes an object from the state without calling the provider. */
export async function applyForget(
  run: ApplyRun,
  addr: InstanceAddr,
  deposed: DeposedKey | undefined,
): Promise<void> {
  await run.recorder.record({ kind: 'drop', addr, ...(deposed === undefined ? {} : { deposed }) });
  if (isPlannedToForget(run, addr, deposed)) run.counts.forgotten++;
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
function plannedFor(
  run: ApplyRun,
  addr: InstanceAddr,
): Pick<PlannedChange, 'private' | 'afterIdentity'> {
  const { action, private: privateData, afterIdentity } = run.changes.get(addr) ?? {};
  return {
    ...(privateData === undefined ? {} : { private: privateData }),
    // The planned identity of a replacement is that of the new object.
    ...(action !== 'delete' || afterIdentity === undefined ? {} : { afterIdentity }),
  };
}

async function subjectOf(
  run: ApplyRun,
  addr: InstanceAddr,
  deposed: DeposedKey | undefined,
  diagnostics: Diagnostic[],
): Promise<Subject | undefined> {
  const change =
    (deposed === undefined ? undefined : run.deposedChanges.get(deposedKeyText(addr, deposed))) ??
    run.changes.get(addr);
  if (change === undefined) return undefined;
  const { resource } = addr.resource;
  const schema = run.request.schemas.resource(
    change.provider.provider,
    resource.mode,
    resource.type,
  );
  const opened = await run.sessions.open(change.provider);
  diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (schema === undefined || provider === undefined) return undefined;
  const configured = run.dependencies.node(addr.config.text)?.resource;
  const source = change.provider.provider;
  const meta = await providerMetaFor(run.evaluation, addr, source, diagnostics);
  return {
    addr,
    schema,
    provider,
    resource: configured,
    ...meta,
    ...(deposed === undefined ? {} : { deposed }),
  };
}
