import { nullOf } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import type { ProviderConfigAddr } from '../addrs/provider-source.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { type ActionReason, identities, type PlannedChange } from './model.ts';
import { type PlanRun, previousAddress } from './run.ts';
import { type LiveObject, type Subject, whereabouts } from './stored.ts';

/** An object that is to go, and the provider configuration that can remove it. */
export type Leaving = Subject & { readonly providerAddr: ProviderConfigAddr };

/** Plans to destroy an object; undefined after errors. */
export async function planDelete(
  run: PlanRun,
  leaving: Leaving,
  live: LiveObject,
  reason: ActionReason | undefined,
  diagnostics: Diagnostic[],
): Promise<PlannedChange | undefined> {
  const { addr, provider } = leaving;
  const { value: prior } = live.value.unmarkDeep();
  const nothing = nullOf(prior.type);
  const answer = await provider.planResourceChange({
    type: addr.resource.resource.type,
    address: addr.text,
    prior,
    proposed: nothing,
    config: nothing,
    capabilities: run.capabilities,
    ...(live.stored.private === undefined ? {} : { priorPrivate: live.stored.private }),
    ...(live.identity === undefined ? {} : { priorIdentity: live.identity }),
  });
  const said = diagnosticsOf(answer.diagnostics, whereabouts(leaving));
  diagnostics.push(...said);
  if (hasErrors(said)) return undefined;
  const change: PlannedChange = {
    ...changeOf(run, leaving, live, 'delete', reason),
    ...(answer.private === undefined ? {} : { private: answer.private }),
    ...identities(live.identity, answer.identity),
  };
  if (answer.deferred === undefined) return change;
  run.deferrals.add(change, answer.deferred.reason);
  return undefined;
}

/** Plans to forget an object without destroying it. */
export function planForget(
  run: PlanRun,
  leaving: Leaving,
  live: LiveObject,
  reason: ActionReason | undefined,
): PlannedChange {
  return {
    ...changeOf(run, leaving, live, 'forget', reason),
    ...identities(live.identity, undefined),
  };
}

function changeOf(
  run: PlanRun,
  leaving: Leaving,
  live: LiveObject,
  action: 'delete' | 'forget',
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
