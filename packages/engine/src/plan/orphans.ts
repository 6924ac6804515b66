import type {
  AbsResource,
  InstanceAddr,
  ModuleInstance,
  ProviderConfigAddr,
} from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import type { Module, Resource } from '../config/model.ts';
import { providerBlockOf } from '../config/resolve-provider.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { providerOfLeaving } from '../evaluate/provider-instance.ts';
import { repetitionOfKey } from '../evaluate/repetition.ts';
import { eachIn } from '../session/each.ts';
import { type Leaving, planDelete, planForget } from '../objects/delete.ts';
import { forgetting, removedBlocksOf } from '../objects/forgetting.ts';
import type { ActionReason, PlannedChange } from '../objects/change.ts';
import { previousAddress } from '../objects/run.ts';
import { type LiveObject, refreshStored, upgradeStored } from '../objects/stored.ts';
import { planDeposed } from './deposed.ts';
import { disabledModule } from './disabled-module.ts';
import { byConfiguration, configurationsOfLeaving, type LeavingUses } from './leaving-uses.ts';
import { deferredRefresh, recordDrift } from './managed.ts';
import { checkPreventDestroy } from './prevent-destroy.ts';
import type { PlanRun } from './run.ts';
import { planTriggers, triggersOnDestroy } from './triggers.ts';
import { settleUncertain } from './uncertain.ts';
import { isUndecided, isWantedIn, wantedIn } from './wanted.ts';

/**
 * Plans the removal of all instances that are not configured, and refreshes those that may be configured. `isExpanded`
 * returns true if the instances of a configured resource were evaluated. Releases what `leaving` keeps open.
 */
export async function planOrphans(
  run: PlanRun,
  leaving: LeavingUses,
  isExpanded: (resource: Resource, module: Module) => boolean,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const orphans: InstanceAddr[] = [];
  const undecided: InstanceAddr[] = [];
  for (const [absolute, addresses] of instancesThatMayExist(run)) {
    const module = run.evaluation.program.configuration.modules.get(absolute.module.path.text);
    const resource = module?.resources.get(absolute.resource.text);
    if (module !== undefined && resource !== undefined && !isExpanded(resource, module)) continue;
    const wanted = wantedIn(run.evaluation, absolute);
    const mayBeUndecided = run.evaluation.deferring;
    for (const addr of addresses) {
      const isConfigured = isWantedIn(wanted, addr.key);
      if (isConfigured && !mayBeUndecided) continue;
      if (run.choices.targeting?.includesInstance(addr) === false) continue;
      if (!isConfigured) orphans.push(addr);
      else if (isUndecided(run.evaluation, addr)) undecided.push(addr);
    }
  }
  const { pool, sessions, signal } = run;
  const { parallelism } = run.choices;
  const uses = (addr: InstanceAddr): readonly ProviderConfigAddr[] =>
    configurationsOfLeaving(run, addr);
  for (const addr of [...undecided, ...orphans])
    for (const configuration of uses(addr)) sessions.expect(configuration);
  leaving.release();
  const refresh = async (addr: InstanceAddr): Promise<void> =>
    sessions.use(uses(addr), () => refreshUndecided(run, addr, diagnostics));
  const plan = async (addr: InstanceAddr): Promise<void> =>
    sessions.use(uses(addr), () => planOrphan(run, addr, diagnostics));
  await eachIn(pool, parallelism, undecided, refresh, signal);
  await eachIn(pool, parallelism, byConfiguration(orphans, uses), plan, signal);
  return diagnostics;
}

/** Yields resources with the instances of each that may exist. A resource may occur more than once. */
function* instancesThatMayExist({
  previous,
  uncertain,
}: PlanRun): Iterable<readonly [AbsResource, readonly InstanceAddr[]]> {
  for (const resource of previous.resources()) yield [resource, previous.instancesOf(resource)];
  for (const addr of uncertain.keys())
    if (previous.instance(addr) === undefined) yield [addr.resource, [addr]];
}

/** Refreshes an object that may be configured; a later plan decides about it. */
async function refreshUndecided(
  run: PlanRun,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Promise<void> {
  const storedObject = run.prior.instance(addr)?.current;
  if (addr.resource.resource.mode !== 'managed' || run.uncertain.has(addr)) return;
  const problems: Diagnostic[] = [];
  const leaving = await leavingOf(run, addr, problems);
  diagnostics.push(...problems);
  if (leaving === undefined) return;
  await planDeposed(run, leaving, diagnostics);
  if (storedObject === undefined) return;
  const upgraded = await upgradeStored(leaving, storedObject, diagnostics);
  if (upgraded === undefined) return;
  if (upgraded.stored !== storedObject) run.adopt({ kind: 'put', addr, object: upgraded.stored });
  if (!run.choices.refresh || run.options.minimalRefresh === true) return;
  const { object, failed, deferred } = await refreshStored(run, leaving, upgraded, diagnostics);
  if (failed) return;
  if (deferred !== undefined) {
    if (object !== undefined)
      run.deferrals.add(deferredRefresh(leaving, upgraded, object), deferred);
    return;
  }
  if (object?.stored !== upgraded.stored) run.refreshed.add(addr);
  recordDrift(run, leaving, upgraded, object);
  if (object === undefined) run.adopt({ kind: 'drop', addr });
  else if (object.stored !== upgraded.stored)
    run.adopt({ kind: 'put', addr, object: object.stored });
}

/**
 * Returns the context for planning the removal of an instance; undefined if the state contains no object of it, or
 * after errors.
 */
async function leavingOf(
  run: PlanRun,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Promise<Leaving | undefined> {
  const { configuration } = run.evaluation.program;
  const module = configuration.modules.get(addr.resource.module.path.text);
  const resource = module?.resources.get(addr.resource.resource.text);
  const state = run.prior.instance(addr);
  const current = state?.current ?? run.uncertain.get(addr);
  const storedProvider = (current ?? [...(state?.deposed.values() ?? [])][0])?.provider;
  if (storedProvider === undefined) return undefined;
  const providerConfig = providerOfLeaving(configuration, addr, storedProvider);
  if (providerConfig.diagnostics.length > 0) {
    diagnostics.push(...providerConfig.diagnostics);
    return undefined;
  }
  const providerAddr = providerConfig.provider;
  const schema = run.schemas.resource(
    providerAddr.provider,
    'managed',
    addr.resource.resource.type,
  );
  if (schema === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Unsupported resource type in state',
        `The resource ${addr.text} in the state belongs to provider ${providerAddr.provider.text}, which does not support resource type "${addr.resource.resource.type}". Select a version of the provider that does, or remove the object with "${programCommand('state rm')} ${addr.text}".`,
      ),
    );
    return undefined;
  }
  const opened = await run.sessions.open(providerAddr);
  diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (provider === undefined) {
    // The block is declared but invalid, which is already reported.
    const isGone = providerBlockOf(configuration, providerAddr) === undefined;
    if (isGone && !hasErrors(diagnostics))
      diagnostics.push(missingProvider(addr, providerAddr.text));
    return undefined;
  }
  return { addr, schema, provider, resource, providerAddr };
}

async function planOrphan(
  run: PlanRun,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Promise<void> {
  if (addr.resource.resource.mode !== 'managed') {
    run.adopt({ kind: 'drop', addr });
    return;
  }
  const leaving = await leavingOf(run, addr, diagnostics);
  if (leaving === undefined) return;
  const { resource } = leaving;
  const { configuration } = run.evaluation.program;
  await planDeposed(run, leaving, diagnostics);
  const isUncertain = run.uncertain.has(addr);
  const current = run.prior.instance(addr)?.current ?? run.uncertain.get(addr);
  if (current === undefined) return;
  const upgraded = await upgradeStored(leaving, current, diagnostics);
  if (upgraded === undefined) return;
  if (upgraded.stored !== current && !isUncertain)
    run.adopt({ kind: 'put', addr, object: upgraded.stored });
  const reason = deleteReason(run, addr, resource, previousAddress(run, addr));
  const removed = removedBlocksOf(configuration.modules.values(), addr);
  // A refresh-only plan forgets no objects; the drift of the object is already reported.
  const isLooking = run.choices.mode === 'refresh-only';
  const forgetAction = isLooking ? undefined : forgetting(resource, upgraded.stored, removed);
  const isForgotten = forgetAction !== undefined;
  const planned = isForgotten
    ? planForget(run, leaving, upgraded, forgetAction.reason ?? reason)
    : await planDelete(run, leaving, upgraded, reason, diagnostics);
  if (planned === undefined) return;
  const change = withDisabledModule(run, planned);
  let live: LiveObject | undefined = upgraded;
  if (isUncertain || (run.choices.refresh && run.options.minimalRefresh !== true && !isForgotten)) {
    const refreshed = isUncertain
      ? await settleUncertain(run, leaving, upgraded, diagnostics)
      : await refreshStored(run, leaving, upgraded, diagnostics);
    if (refreshed.failed) return;
    if (refreshed.deferred !== undefined) {
      run.deferrals.add(change, refreshed.deferred);
      return;
    }
    live = refreshed.object;
    if (isUncertain || live?.stored !== upgraded.stored) run.refreshed.add(addr);
    if (!isUncertain) recordDrift(run, leaving, upgraded, live);
    if (live === undefined) {
      if (!isUncertain) run.adopt({ kind: 'drop', addr });
    } else if (isUncertain || live.stored !== upgraded.stored)
      run.adopt({ kind: 'put', addr, object: live.stored });
  }
  if (live === undefined || isLooking) return;
  // The plan uses the object before the refresh, which only determines whether the object still exists.
  run.changes.set(addr, change);
  if (isForgotten) return;
  await checkPreventDestroy(run, { addr, resource }, change, diagnostics);
  await planOrphanTriggers(run, leaving, change, diagnostics);
}

/** Adds the module whose `enabled` is false to a deletion that it causes. */
function withDisabledModule({ evaluation }: PlanRun, change: PlannedChange): PlannedChange {
  if (change.reason !== 'delete_because_no_module') return change;
  const module = disabledModule(evaluation, change.addr.resource.module);
  return module === undefined ? change : { ...change, disabledModule: module };
}

/**
 * Plans destroy triggers of an orphan. Their dependencies may have been removed with it, so errors become warnings and
 * do not prevent the deletion.
 */
async function planOrphanTriggers(
  run: PlanRun,
  { addr, resource, schema }: Leaving,
  change: PlannedChange,
  diagnostics: Diagnostic[],
): Promise<void> {
  if (resource?.actionTriggers.some(triggersOnDestroy) !== true) return;
  const problems: Diagnostic[] = [];
  const cells = run.evaluation.find(addr.resource.module);
  if (cells !== undefined) {
    const repetition = repetitionOfKey(addr.key);
    await planTriggers(run, { addr, resource, schema, cells, repetition }, change, problems);
  }
  if (cells === undefined || hasErrors(problems)) {
    diagnostics.push(
      warningDiagnostic(
        'Orphaned action failed to plan',
        `One or more actions for the orphaned instance ${addr.text} does not have enough configuration information to complete a plan, and will not be invoked`,
      ),
    );
  }
  diagnostics.push(...problems.map((problem): Diagnostic => ({ ...problem, severity: 'warning' })));
}

function missingProvider(addr: InstanceAddr, provider: string): Diagnostic {
  return errorDiagnostic(
    'Provider configuration not present',
    `To work with ${addr.text} its original provider configuration at ${provider} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy ${addr.text}, after which you can remove the provider configuration again.`,
  );
}

/** Returns the reason for deleting an instance that is not configured. */
export function deleteReason(
  run: Pick<PlanRun, 'evaluation'>,
  addr: InstanceAddr,
  resource: Resource | undefined,
  previous: InstanceAddr,
): ActionReason {
  if (resource === undefined) {
    return previous === addr
      ? 'delete_because_no_resource_config'
      : 'delete_because_no_move_target';
  }
  if (!moduleExists(run.evaluation, addr.resource.module)) return 'delete_because_no_module';
  switch (typeof addr.key) {
    case 'number':
      return resource.count === undefined
        ? 'delete_because_wrong_repetition'
        : 'delete_because_count_index';
    case 'string':
      return resource.forEach === undefined
        ? 'delete_because_wrong_repetition'
        : 'delete_because_each_key';
    default:
      return resource.enabled === undefined
        ? 'delete_because_wrong_repetition'
        : 'delete_because_enabled_false';
  }
}

function moduleExists(evaluation: Evaluation, module: ModuleInstance): boolean {
  return evaluation.find(module) !== undefined;
}
