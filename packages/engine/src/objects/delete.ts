import type { ProviderConfigAddr } from '@terrane/addresses';
import { nullOf } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { ClientCapabilities, PlanAnswer } from '@terrane/provider';
import { metaPart } from '../evaluate/provider-meta.ts';
import { type ActionReason, identities, type PlannedChange } from './change.ts';
import { type ObjectRun, previousAddress } from './run.ts';
import { isRefused, type LiveObject, type Subject } from './stored.ts';

/** An object to remove, and the provider configuration that manages it. */
export type Leaving = Subject & { readonly providerAddr: ProviderConfigAddr };

/** Plans to destroy an object; undefined after errors. */
export async function planDelete(
  run: ObjectRun,
  leaving: Leaving,
  live: LiveObject,
  reason: ActionReason | undefined,
  diagnostics: Diagnostic[],
): Promise<PlannedChange | undefined> {
  const deletionPlan = await askToDelete(leaving, live, run.capabilities, diagnostics);
  if (deletionPlan === undefined) return undefined;
  const { deferred, ...part } = deletionPlan;
  const change = { ...changeOf(run, leaving, live, 'delete', reason), ...part };
  if (deferred === undefined) return change;
  run.deferrals.add(change, deferred.reason);
  return undefined;
}

/** The provider's response to a planned deletion. */
type DeletionPlan = Pick<PlannedChange, 'private' | 'beforeIdentity' | 'afterIdentity'> &
  Pick<PlanAnswer, 'deferred'>;

/** Requests the provider's plan for destroying an object; returns its private data and identities, undefined after errors. */
export async function askToDelete(
  leaving: Subject,
  live: LiveObject,
  capabilities: ClientCapabilities,
  diagnostics: Diagnostic[],
): Promise<DeletionPlan | undefined> {
  const { addr, provider } = leaving;
  const { value: prior } = live.value.unmarkDeep();
  const nullValue = nullOf(prior.type);
  const response = await provider.planResourceChange({
    type: addr.resource.resource.type,
    address: addr.text,
    prior,
    proposed: nullValue,
    config: nullValue,
    capabilities,
    ...metaPart(leaving),
    ...(live.stored.private === undefined ? {} : { priorPrivate: live.stored.private }),
    ...(live.identity === undefined ? {} : { priorIdentity: live.identity }),
  });
  if (isRefused(response, leaving, diagnostics)) return undefined;
  return {
    ...(response.private === undefined ? {} : { private: response.private }),
    ...identities(live.identity, response.identity),
    ...(response.deferred === undefined ? {} : { deferred: response.deferred }),
  };
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
): PlannedChange {
  const { addr, deposed } = leaving;
  return {
    addr,
    previousAddr: previousAddress(run, addr),
    ...(deposed === undefined ? {} : { deposed }),
    provider: leaving.providerAddr,
    action,
    ...(reason === undefined ? {} : { reason }),
    before: live.value,
    after: nullOf(live.value.type),
    schemaVersion: leaving.schema.version,
    requiredReplace: [],
  };
}
