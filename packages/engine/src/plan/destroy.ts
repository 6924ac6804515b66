import type { InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { type Graph, GraphBuilder, orderOf, schedule } from '@terrane/graph';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import type { Awaitable } from '@terrane/provider';
import { configureFromState } from '../objects/configure-from-state.ts';
import type { ProgramNode } from '../evaluate/node.ts';
import { repetitionOfKey } from '../evaluate/repetition.ts';
import { providerOfLeaving } from '../evaluate/provider-instance.ts';
import { eachIn } from '../session/each.ts';
import { SessionGate } from '../session/session-gate.ts';
import { type Leaving, planDelete, planForget } from '../objects/delete.ts';
import { forgetting } from '../objects/forgetting.ts';
import type { RunSettings } from '../objects/settings.ts';
import { upgradeStored } from '../objects/stored.ts';
import { planDeposed } from './deposed.ts';
import { recordPrior } from './managed.ts';
import { checkPreventDestroy } from './prevent-destroy.ts';
import type { PlanRun } from './run.ts';
import { planTriggers, triggersOnDestroy } from './triggers.ts';

/** Plans to destroy all objects in the state, or the targeted ones. */
export async function planDestroy(
  run: PlanRun,
  settings: RunSettings,
): Promise<readonly Diagnostic[]> {
  const { previous } = run;
  const leaving: InstanceAddr[] = [];
  const used = new Map<string, Set<ProviderConfigAddr>>();
  for (const addr of previous.instances()) {
    if (run.choices.targeting !== undefined && !isTargeted(run, addr)) continue;
    leaving.push(addr);
    const { current, deposed } = previous.instance(addr) ?? {};
    const { text } = addr.config;
    let configurations = used.get(text);
    if (configurations === undefined) used.set(text, (configurations = new Set()));
    for (const object of [current, ...(deposed?.values() ?? [])])
      if (object !== undefined) configurations.add(object.provider.configuration);
  }
  const diagnostics = [
    ...(await configureFromState(
      run,
      previous,
      new Set([...used.values()].flatMap((configurations) => [...configurations])),
      settings,
      triggeredByDestroying(run),
    )),
  ];
  if (hasErrors(diagnostics)) return diagnostics;
  expectOutputs(run);
  const without: PlanRun = { ...run, choices: { ...run.choices, refresh: false } };
  const uses = (resource: string): readonly ProviderConfigAddr[] => {
    const stored = used.get(resource) ?? [];
    const node = run.dependencies.node(resource);
    return [...new Set([...(node === undefined ? [] : run.configurationsOf(node)), ...stored])];
  };
  await inOrderOfLeaving(run, leaving, uses, async (addr) => {
    const problems: Diagnostic[] = [];
    await planLeaving(without, addr, problems);
    if (problems.length > 0) diagnostics.push(...problems);
    return !hasErrors(problems);
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
 * dependencies, which are then not planned. A cycle in the state has no order, which is reported by the steps. `usesOf`
 * returns the provider configurations that the deletions of a resource use.
 */
async function inOrderOfLeaving(
  run: PlanRun,
  leaving: readonly InstanceAddr[],
  usesOf: (resource: string) => readonly ProviderConfigAddr[],
  plan: (addr: InstanceAddr) => Promise<boolean>,
): Promise<void> {
  const groups = new Map<string, InstanceAddr[]>();
  for (const addr of leaving) {
    const group = groups.get(addr.config.text);
    if (group === undefined) groups.set(addr.config.text, [addr]);
    else group.push(addr);
  }
  const neededOf = (addr: InstanceAddr): readonly string[] =>
    run.previous.instance(addr)?.current?.dependencies ?? [];
  /** Instances that are kept, by the resources that they depend on. */
  const keptDependencies = new Map<string, InstanceAddr[]>();
  const isKept = (addr: InstanceAddr): boolean =>
    keptDependencies.get(addr.config.text)?.some((user) => !isBeside(user, addr)) === true;
  const planOrKeep = async (addr: InstanceAddr): Promise<void> => {
    if (!isKept(addr) && (await plan(addr))) return;
    for (const text of neededOf(addr)) {
      const users = keptDependencies.get(text);
      if (users === undefined) keptDependencies.set(text, [addr]);
      else users.push(addr);
    }
  };
  const { parallelism } = run.choices;
  const each = (group: readonly InstanceAddr[]): Awaitable<void> =>
    eachIn(run.pool, parallelism, group, planOrKeep, run.signal);
  const all = [...groups.values()];
  const dependencies = leavingOrder([...groups.keys()], all, neededOf);
  if (orderOf(dependencies).cycles.length > 0) {
    await each(leaving);
    return;
  }
  const { sessions } = run;
  const used = Array.from(groups.keys(), usesOf);
  for (const configuration of used.flat()) sessions.expect(configuration);
  await schedule({
    dependencies,
    limit: Math.max(1, all.length),
    gate: new SessionGate(sessions, parallelism, (n) => used[n] ?? []),
    run: async (n) => await sessions.use(used[n] ?? [], () => each(all[n] ?? [])),
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  });
}

/** Returns the graph of resources, in which each comes after its dependents. */
function leavingOrder(
  texts: readonly string[],
  groups: readonly (readonly InstanceAddr[])[],
  neededOf: (addr: InstanceAddr) => readonly string[],
): Graph {
  const numbers = new Map(texts.map((text, number) => [text, number]));
  const order = new GraphBuilder(groups.length);
  for (const [number, group] of groups.entries()) {
    // Instances share lists of dependencies.
    const lists = new Set(group.map(neededOf));
    for (const text of new Set([...lists].flat())) {
      const needed = numbers.get(text);
      if (needed !== undefined && needed !== number) order.addEdge(needed, number);
    }
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

async function planLeaving(
  run: PlanRun,
  addr: InstanceAddr,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { resource: resourceAddr, module } = addr.resource;
  if (resourceAddr.mode !== 'managed') {
    run.leftData.push(addr);
    return;
  }
  const resource = run.evaluation.program.configuration.modules
    .get(module.path.text)
    ?.resources.get(resourceAddr.text);
  const state = run.prior.instance(addr);
  const storedProvider = (state?.current ?? [...(state?.deposed.values() ?? [])][0])?.provider;
  if (state === undefined || storedProvider === undefined) return;
  const serving = providerOfLeaving(run.evaluation.program.configuration, addr, storedProvider);
  if (serving.diagnostics.length > 0) {
    diagnostics.push(...serving.diagnostics);
    return;
  }
  const providerAddr = serving.provider;
  const schema = run.schemas.resource(providerAddr.provider, 'managed', resourceAddr.type);
  const opened = await run.sessions.open(providerAddr);
  diagnostics.push(...opened.diagnostics);
  const { provider } = opened;
  if (provider === undefined || schema === undefined) return;
  const leaving: Leaving = { addr, schema, provider, resource, providerAddr };
  await planDeposed(run, leaving, diagnostics);
  if (state.current === undefined) return;
  const live = await upgradeStored(leaving, state.current, diagnostics);
  if (live === undefined) return;
  recordPrior(run, addr, state.current, live.stored);
  const forgetAction = forgetting(resource, live.stored, []);
  const change =
    forgetAction === undefined
      ? await planDelete(run, leaving, live, undefined, diagnostics)
      : planForget(run, leaving, live, forgetAction.reason);
  if (change === undefined) return;
  run.changes.set(addr, change);
  await checkPreventDestroy(run, { addr, resource }, change, diagnostics);
  const cells = run.evaluation.find(module);
  if (resource === undefined || cells === undefined) return;
  if (!resource.actionTriggers.some(triggersOnDestroy)) return;
  const repetition = repetitionOfKey(addr.key);
  await planTriggers(run, { addr, resource, schema, cells, repetition }, change, diagnostics);
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
