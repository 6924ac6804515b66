import type { ProviderConfigAddr } from '@terrane/addresses';
import { nullOf } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import {
  type Awaitable,
  chain,
  type ClientCapabilities,
  type PlanAnswer,
  type PlanResourceRequest,
} from '@terrane/provider';
import { type ActionReason, identities, type PlannedChange } from './change.ts';
import { type ObjectRun, previousAddress } from './run.ts';
import { isRefused, type LiveObject, type Subject } from './stored.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An object to remove, and the provider configuration that manages it. */
export type Leaving = Subject & { readonly providerAddr: ProviderConfigAddr };

/** Plans to destroy an object; undefined after errors. The result is immediate if the provider responds synchronously. */
export function planDelete(
  run: ObjectRun,
  leaving: Leaving,
  live: LiveObject,
  reason: ActionReason | undefined,
  diagnostics: Diagnostic[],
): Awaitable<PlannedChange | undefined> {
  const asking = askToDelete(leaving, live, run.capabilities, diagnostics);
  return chain(asking, (deletionPlan) => {
    if (deletionPlan === undefined) return undefined;
    const change = changeOf(run, leaving, live, 'delete', reason);
    const { private: plannedPrivate, beforeIdentity, afterIdentity, deferred } = deletionPlan;
    if (plannedPrivate !== undefined) change.private = plannedPrivate;
    if (beforeIdentity !== undefined) change.beforeIdentity = beforeIdentity;
    if (afterIdentity !== undefined) change.afterIdentity = afterIdentity;
    if (deferred === undefined) return change;
    run.deferrals.add(change, deferred.reason);
    return undefined;
  });
}

/** The provider's response to a planned deletion. */
type DeletionPlan = Pick<PlannedChange, 'private' | 'beforeIdentity' | 'afterIdentity'> &
  Pick<PlanAnswer, 'deferred'>;

/** Requests the provider's plan for destroying an object; returns its private data and identities, undefined after errors. */
export function askToDelete(
  leaving: Subject,
  live: LiveObject,
  capabilities: ClientCapabilities,
  diagnostics: Diagnostic[],
): Awaitable<DeletionPlan | undefined> {
  const { addr, provider, providerMeta } = leaving;
  const { value: prior } = live.value.unmarkDeep();
  const nullValue = nullOf(prior.type);
  // By assignments: spreads of the optional parts would cost as much as the rest.
  const request: Mutable<PlanResourceRequest> = {
    type: addr.resource.resource.type,
    address: addr.text,
    prior,
    proposed: nullValue,
    config: nullValue,
    capabilities,
  };
  if (providerMeta !== undefined) request.providerMeta = providerMeta;
  if (live.stored.private !== undefined) request.priorPrivate = live.stored.private;
  if (live.identity !== undefined) request.priorIdentity = live.identity;
  return chain(provider.planResourceChange(request), (response) => {
    if (isRefused(response, leaving, diagnostics)) return undefined;
    const plan: Mutable<DeletionPlan> = {};
    if (response.private !== undefined) plan.private = response.private;
    if (live.identity !== undefined) plan.beforeIdentity = live.identity;
    if (response.identity !== undefined) plan.afterIdentity = response.identity;
    if (response.deferred !== undefined) plan.deferred = response.deferred;
    return plan;
  });
}

/** Plans to forget an object without destroying it. */
export function planForget(
  run: ObjectRun,
  leaving: Leaving,
  live: LiveObject,
  reason: ActionReason | undefined,
): PlannedChange {
  return {
    ...changeOf(run, leaving, live, 'forget', reason),
    ...identities(live.identity, undefined),
  };
}

/** Plans the no-op change of an object that no longer exists. */
export function planNothing(run: ObjectRun, leaving: Leaving, live: LiveObject): PlannedChange {
  const change = changeOf(run, leaving, live, 'no-op', undefined);
  return { ...change, before: change.after };
}

function changeOf(
  run: ObjectRun,
  leaving: Leaving,
  live: LiveObject,
  action: 'delete' | 'forget' | 'no-op',
  reason: ActionReason | undefined,
): Mutable<PlannedChange> {
  const { addr, deposed } = leaving;
  const change: Mutable<PlannedChange> = {
    addr,
    previousAddr: previousAddress(run, addr),
    provider: leaving.providerAddr,
    action,
    before: live.value,
    after: nullOf(live.value.type),
    schemaVersion: leaving.schema.version,
    requiredReplace: NO_PATHS,
  };
  if (deposed !== undefined) change.deposed = deposed;
  if (reason !== undefined) change.reason = reason;
  return change;
}

/** Shared: a plan retains the list of each change. */
const NO_PATHS: PlannedChange['requiredReplace'] = [];
