import type { InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { type Graph, GraphBuilder, orderOf, schedule } from '@terrane/graph';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { type Awaitable, chain } from '@terrane/provider';
import { configureFromState } from '../objects/configure-from-state.ts';
import type { ProgramNode } from '../evaluate/node.ts';
import { repetitionOfKey } from '../evaluate/repetition.ts';
import { providerOfLeaving } from '../evaluate/provider-instance.ts';
import { eachIn } from '../session/each.ts';
import { SessionGate } from '../session/session-gate.ts';
import { type Leaving, planDelete, planForget } from '../objects/delete.ts';
import type { PlannedChange } from '../objects/change.ts';
import { forgetting } from '../objects/forgetting.ts';
import type { RunSettings } from '../objects/settings.ts';
import { upgradeStored } from '../objects/stored.ts';
import type { StoredObject } from '../state/model.ts';
import { planDeposed } from './deposed.ts';
import { recordPrior } from './managed.ts';
import { checkPreventDestroy } from './prevent-destroy.ts';
import type { PlanRun } from './run.ts';
import { planTriggers, triggersOnDestroy } from './triggers.ts';

/** The instances of a resource that are destroyed. */
interface LeavingGroup {
  readonly instances: InstanceAddr[];
  /** The provider configurations of their objects. */
  readonly used: Set<ProviderConfigAddr>;
  /** The resources that their current objects depend on. */
  readonly needed: Set<string>;
}

/** Plans to destroy all objects in the state, or the targeted ones. */
export async function planDestroy(
  run: PlanRun,
  settings: RunSettings,
): Promise<readonly Diagnostic[]> {
  const { previous } = run;
  const groups = new Map<string, LeavingGroup>();
  for (const addr of previous.instances()) {
    if (run.choices.targeting !== undefined && !isTargeted(run, addr)) continue;
    const { current, deposed } = previous.instance(addr) ?? {};
    const { text } = addr.config;
    let group = groups.get(text);
    if (group === undefined)
      groups.set(text, (group = { instances: [], used: new Set(), needed: new Set() }));
    group.instances.push(addr);
    if (current !== undefined) {
      group.used.add(current.provider.configuration);
      for (const text of current.dependencies) group.needed.add(text);
    }
    if (deposed !== undefined)
      for (const object of deposed.values()) group.used.add(object.provider.configuration);
  }
  const diagnostics = [
    ...(await configureFromState(
      run,
      previous,
      new Set([...groups.values()].flatMap(({ used }) => [...used])),
      settings,
      triggeredByDestroying(run),
    )),
  ];
  if (hasErrors(diagnostics)) return diagnostics;
  expectOutputs(run);
  const without: PlanRun = { ...run, choices: { ...run.choices, refresh: false } };
  await inOrderOfLeaving(run, groups, (addr) => {
    const problems: Diagnostic[] = [];
    return chain(planLeaving(without, addr, problems), () => {
      if (problems.length === 0) return true;
      diagnostics.push(...problems);
      return !hasErrors(problems);
    });
  });
  return diagnostics;
}

/** Conditions are not evaluated, but the outputs of the root module are known to have some. */
function expectOutputs({ evaluation, choices }: PlanRun): void {
  for (const node of evaluation.program.nodes) {
    if (node.kind !== 'output' || !node.module.path.isRoot) continue;
    if (choices.targeting?.includes(node) === false) continue;
    const addr = `output.${node.output.name}`;
    evaluation.checks.expect(addr, [addr]);
  }
}

/**
 * Plans deletions in the order of stored dependencies, dependents first. An object that cannot be deleted keeps all its
 * dependencies, which are then not planned. A cycle in the state has no order, which is reported by the steps.
 */
async function inOrderOfLeaving(
  run: PlanRun,
  groups: ReadonlyMap<string, LeavingGroup>,
  plan: (addr: InstanceAddr) => Awaitable<boolean>,
): Promise<void> {
  /** Instances that are kept, by the resources that they depend on. */
  const keptDependencies = new Map<string, InstanceAddr[]>();
  const isKept = (addr: InstanceAddr): boolean =>
    keptDependencies.size > 0 &&
    keptDependencies.get(addr.config.text)?.some((user) => !isBeside(user, addr)) === true;
  const keep = (addr: InstanceAddr): void => {
    for (const text of run.previous.instance(addr)?.current?.dependencies ?? []) {
      const users = keptDependencies.get(text);
      if (users === undefined) keptDependencies.set(text, [addr]);
      else users.push(addr);
    }
  };
  const planOrKeep = (addr: InstanceAddr): Awaitable<void> =>
    isKept(addr)
      ? keep(addr)
      : chain(plan(addr), (isPlanned) => {
          if (!isPlanned) keep(addr);
        });
  const { parallelism } = run.choices;
  const each = (group: readonly InstanceAddr[]): Awaitable<void> =>
    eachIn(run.pool, parallelism, group, planOrKeep, run.signal);
  const all = [...groups.values()];
  const dependencies = leavingOrder(groups);
  if (orderOf(dependencies).cycles.length > 0) {
    await each([...run.previous.instances()].filter((addr) => isTargeted(run, addr)));
    return;
  }
  const { sessions } = run;
  const used = Array.from(groups, ([resource, group]) => configurationsOf(run, resource, group));
  for (const configuration of used.flat()) sessions.expect(configuration);
  await schedule({
    dependencies,
    limit: Math.max(1, all.length),
    gate: new SessionGate(sessions, parallelism, (n) => used[n] ?? []),
    run: async (n) => await sessions.use(used[n] ?? [], () => each(all[n]?.instances ?? [])),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  });
}

/** Returns the provider configurations that the deletions of a resource use. */
function configurationsOf(
  run: PlanRun,
  resource: string,
  { used }: LeavingGroup,
): readonly ProviderConfigAddr[] {
  const node = run.dependencies.node(resource);
  return [...new Set([...(node === undefined ? [] : run.configurationsOf(node)), ...used])];
}

/** Returns the graph of resources, in which each comes after its dependents. */
function leavingOrder(groups: ReadonlyMap<string, LeavingGroup>): Graph {
  const numbers = new Map(Array.from(groups.keys(), (text, number) => [text, number]));
  const order = new GraphBuilder(groups.size);
  let number = 0;
  for (const { needed } of groups.values()) {
    for (const text of needed) {
      const other = numbers.get(text);
      if (other !== undefined && other !== number) order.addEdge(other, number);
    }
    number++;
  }
  return order.build();
}

/** Returns true if two objects are in different instances of the same module, which cannot depend on each other. */
function isBeside(addr: InstanceAddr, other: InstanceAddr): boolean {
  const [module, beside] = [addr.resource.module, other.resource.module];
  return module !== beside && module.path === beside.path;
}

/** Returns true if an instance is targeted, directly or as a dependent of a targeted one. */
function isTargeted(run: PlanRun, addr: InstanceAddr): boolean {
  const { targeting } = run.choices;
  return targeting === undefined || targeting.destroys(addr, run.previous);
}

/** Plans to remove an instance. The result is immediate if the provider responds synchronously. */
function planLeaving(run: PlanRun, addr: InstanceAddr, diagnostics: Diagnostic[]): Awaitable<void> {
  const { resource: resourceAddr, module } = addr.resource;
  if (resourceAddr.mode !== 'managed') {
    run.leftData.push(addr);
    return;
  }
  const { configuration } = run.evaluation.program;
  const resource = configuration.modules.get(module.path.text)?.resources.get(resourceAddr.text);
  const state = run.prior.instance(addr);
  const storedProvider = (state?.current ?? [...(state?.deposed.values() ?? [])][0])?.provider;
  if (state === undefined || storedProvider === undefined) return;
  const serving = providerOfLeaving(configuration, addr, storedProvider);
  if (serving.diagnostics.length > 0) {
    diagnostics.push(...serving.diagnostics);
    return;
  }
  const { provider: providerAddr } = serving;
  const schema = run.schemas.resource(providerAddr.provider, 'managed', resourceAddr.type);
  return chain(run.sessions.open(providerAddr), (opened) => {
    diagnostics.push(...opened.diagnostics);
    const { provider } = opened;
    if (provider === undefined || schema === undefined) return undefined;
    const leaving: Leaving = { addr, schema, provider, resource, providerAddr };
    return chain(planDeposed(run, leaving, diagnostics), () =>
      planCurrent(run, leaving, state.current, diagnostics),
    );
  });
}

/** Plans to remove the current object of an instance, if it has one. */
function planCurrent(
  run: PlanRun,
  leaving: Leaving,
  current: StoredObject | undefined,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  if (current === undefined) return;
  return chain(upgradeStored(leaving, current, diagnostics), (live) => {
    if (live === undefined) return undefined;
    recordPrior(run, leaving.addr, current, live.stored);
    const forgetAction = forgetting(leaving.resource, live.stored, []);
    const planning: Awaitable<PlannedChange | undefined> =
      forgetAction === undefined
        ? planDelete(run, leaving, live, undefined, diagnostics)
        : planForget(run, leaving, live, forgetAction.reason);
    return chain(planning, (change) =>
      change === undefined ? undefined : recordChange(run, leaving, change, diagnostics),
    );
  });
}

/** Records a change, checks that it is permitted, and plans the actions that it triggers. */
function recordChange(
  run: PlanRun,
  leaving: Leaving,
  change: PlannedChange,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const { addr, resource, schema } = leaving;
  run.changes.set(addr, change);
  const checking = checkPreventDestroy(run, leaving, change, diagnostics);
  if (resource?.actionTriggers.some(triggersOnDestroy) !== true) return checking;
  return chain(checking, async () => {
    const cells = run.evaluation.find(addr.resource.module);
    if (cells === undefined) return;
    const repetition = repetitionOfKey(addr.key);
    await planTriggers(run, { addr, resource, schema, cells, repetition }, change, diagnostics);
  });
}

/** Returns the actions that destroying resources triggers, whose configurations must be evaluated. */
function triggeredByDestroying({ evaluation: { program } }: PlanRun): ReadonlySet<ProgramNode> {
  const triggered = new Set<ProgramNode>();
  for (const node of program.nodes) {
    if (node.kind !== 'resource') continue;
    for (const { actions } of node.resource.actionTriggers.filter(triggersOnDestroy)) {
      for (const { action } of actions) {
        const named = program.find(node.module, action.text);
        if (named !== undefined) triggered.add(named);
      }
    }
  }
  return triggered;
}
