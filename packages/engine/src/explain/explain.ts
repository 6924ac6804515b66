import {
  type InstanceAddr,
  parseTargetTraversal,
  type TargetAddr,
  targetContains,
} from '@terrane/addresses';
import { attrStep, indexStep, type Path, pathStartsWith } from '@terrane/cty';
import { loadFunctionLibraries } from '@terrane/functions';
import {
  type Diagnostic,
  errorDiagnostic,
  hasErrors,
  parseTraversal,
  Source,
  type TraversalStep,
} from '@terrane/hcl';
import type { Module } from '../config/model.ts';
import type { ProgramNode } from '../evaluate/node.ts';
import { buildProgram, type Program } from '../evaluate/program.ts';
import { didYouMeanClosest } from '../lang/did-you-mean.ts';
import type { DeferredChange, PlannedChange, PlannedInvocation } from '../objects/change.ts';
import type { OutputChange, Plan } from '../plan/model.ts';
import { PlanFacts } from './facts.ts';
import type { Cause, Explanation, UnknownAttribute } from './model.ts';
import { explainOutput } from './outputs.ts';
import { Reasons } from './reasons.ts';
import { unknownPaths } from './values.ts';
import { Worlds, type WorldSettings } from './worlds.ts';

/** The explanations of an address; diagnostics if it matches nothing. */
export interface Explained {
  readonly explanations: readonly Explanation[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Explains a plan, also one that was read from a file. */
export interface Explainer {
  /**
   * Explains the subjects of an address: an instance, all instances of a resource or in a module, an attribute of an
   * instance, `output.x`, or an action instance. Evaluates only the nodes that they depend on.
   */
  explain(address: string): Promise<Explained>;
  /** Explains every change of the plan; with `unchanged` the objects without changes too. */
  all(unchanged?: boolean): Promise<readonly Explanation[]>;
}

/** Opens an explainer of a plan. */
export async function explainPlan(plan: Plan, settings: WorldSettings): Promise<Explainer> {
  await loadFunctionLibraries(plan.configuration.sources.values());
  const { program } = buildProgram(plan.configuration, plan.schemas);
  const facts = new PlanFacts(plan);
  return new PlanExplainer(facts, program, settings);
}

class PlanExplainer implements Explainer {
  readonly #facts: PlanFacts;
  readonly #program: Program | undefined;
  readonly #worlds: Worlds | undefined;

  constructor(facts: PlanFacts, program: Program | undefined, settings: WorldSettings) {
    this.#facts = facts;
    this.#program = program;
    this.#worlds = program === undefined ? undefined : new Worlds(facts, program, settings);
  }

  async explain(address: string): Promise<Explained> {
    const { plan } = this.#facts;
    const named = /^output\.([^.[\]]+)(.*)$/s.exec(address);
    if (named !== null) {
      const output = plan.outputs.find(({ name }) => name === named[1]);
      if (output === undefined || named[2] !== '') return this.#nothingAt(address);
      return withoutDiagnostics([await this.#output(output)]);
    }
    if (address.startsWith('action.') || address.includes('.action.')) {
      const selectedInvocations = plan.invocations.filter(
        ({ addr }) => addr.text === address || addr.text.startsWith(`${address}[`),
      );
      if (selectedInvocations.length === 0) return this.#nothingAt(address);
      const explanations: Explanation[] = [];
      for (const invocation of selectedInvocations)
        explanations.push(await this.#invocation(invocation));
      return withoutDiagnostics(explanations);
    }
    return await this.#resources(address);
  }

  async all(unchanged = false): Promise<readonly Explanation[]> {
    const { plan } = this.#facts;
    await this.#worlds?.prepare(this.#program?.nodes ?? []);
    const explanations: Explanation[] = [];
    for (const change of plan.changes) {
      const isAdopted = change.previousAddr !== change.addr || change.importing !== undefined;
      if (unchanged || change.action !== 'no-op' || isAdopted)
        explanations.push(await this.#change(change));
    }
    for (const deferred of plan.deferred) explanations.push(await this.#deferred(deferred));
    for (const change of plan.drift)
      if (plan.mode === 'refresh-only' && change.action !== 'no-op')
        explanations.push(await this.#unplanned(change.addr));
    for (const output of plan.outputs)
      if (unchanged || output.action !== 'no-op') explanations.push(await this.#output(output));
    for (const invocation of plan.invocations)
      explanations.push(await this.#invocation(invocation));
    return explanations;
  }

  #nothingAt(address: string): Explained {
    const { changes, deferred, outputs, invocations, configuration } = this.#facts.plan;
    const addresses = new Set<string>();
    for (const { addr } of [...changes, ...deferred.map(({ change }) => change)])
      addresses.add(addr.text).add(addr.resource.text).add(addr.resource.module.text);
    for (const { name } of outputs) addresses.add(`output.${name}`);
    for (const { addr } of invocations) addresses.add(addr.text);
    for (const module of configuration.modules.keys()) addresses.add(module);
    return nothingAt(address, addresses);
  }

  async #resources(address: string): Promise<Explained> {
    const parsed = parseAddress(address);
    if ('diagnostics' in parsed) return { explanations: [], diagnostics: parsed.diagnostics };
    const { target, attribute } = parsed;
    const { plan } = this.#facts;
    const changes = plan.changes.filter(({ addr }) => targetContains(target, addr));
    const explanations: Explanation[] = [];
    for (const change of changes) explanations.push(await this.#change(change, attribute));
    const deferredChanges = plan.deferred.filter(({ change }) =>
      targetContains(target, change.addr),
    );
    for (const deferred of deferredChanges) explanations.push(await this.#deferred(deferred));
    const explained = new Set(
      [...changes, ...deferredChanges.map(({ change }) => change)].map(({ addr }) => addr),
    );
    for (const addr of this.#others(target))
      if (!explained.has(addr)) explanations.push(await this.#unplanned(addr, attribute));
    return explanations.length === 0 ? this.#nothingAt(address) : withoutDiagnostics(explanations);
  }

  /** Yields instances without a planned change: data sources that were read, and instances that the plan excludes. */
  *#others(target: TargetAddr): Iterable<InstanceAddr> {
    const { priorState, previousState, drift } = this.#facts.plan;
    const explained = new Set<InstanceAddr>();
    for (const state of [priorState, previousState]) {
      for (const addr of state.instances()) {
        if (explained.has(addr) || !targetContains(target, addr)) continue;
        explained.add(addr);
        yield addr;
      }
    }
    for (const { addr } of drift)
      if (!explained.has(addr) && targetContains(target, addr)) yield addr;
  }

  async #change(change: PlannedChange, attribute: Path = []): Promise<Explanation> {
    const { addr, action, reason, deposed } = change;
    const reasons = await this.#reasons(addr);
    const unknown = this.#unknown(change).filter(
      (invocation) =>
        pathStartsWith(invocation.attribute, attribute) ||
        pathStartsWith(attribute, invocation.attribute),
    );
    const causes =
      reasons === undefined
        ? []
        : attribute.length === 0
          ? reasons.ofChange(change)
          : reasons.ofAttribute(change, attribute);
    return {
      address: addr.text,
      kind: 'resource',
      ...(deposed === undefined ? {} : { deposed }),
      action,
      ...(reason === undefined ? {} : { reason }),
      causes,
      unknown,
    };
  }

  /** Explains a deferred change. */
  async #deferred(deferred: DeferredChange): Promise<Explanation> {
    const { addr, action, reason } = deferred.change;
    const reasons = await this.#reasons(addr);
    return {
      address: addr.text,
      kind: 'resource',
      action,
      ...(reason === undefined ? {} : { reason }),
      deferred: deferred.reason,
      causes: reasons?.ofDeferred(deferred) ?? [],
      unknown: [],
    };
  }

  /** Explains the unknown attributes of a change, each independently of the others. */
  #unknown(change: PlannedChange): readonly UnknownAttribute[] {
    const worlds = this.#worlds;
    if (worlds === undefined) return [];
    return unknownPaths(change.after).map((attribute) => ({
      attribute,
      causes: new Reasons(this.#facts, worlds).ofUnknown(change, attribute),
    }));
  }

  async #unplanned(addr: InstanceAddr, attribute: Path = []): Promise<Explanation> {
    const reasons = await this.#reasons(addr);
    const causes = reasons?.ofUnplanned(addr, attribute) ?? [];
    return { address: addr.text, kind: 'resource', action: 'no-op', causes, unknown: [] };
  }

  async #output(change: OutputChange): Promise<Explanation> {
    const { root } = this.#facts.plan.configuration;
    const reasons = await this.#open(this.#node(root, `output.${change.name}`));
    const worlds = this.#worlds;
    if (reasons !== undefined && worlds !== undefined)
      return explainOutput(this.#facts, () => new Reasons(this.#facts, worlds), change);
    const { action } = change;
    return { address: `output.${change.name}`, kind: 'output', action, causes: [], unknown: [] };
  }

  async #invocation({ addr, trigger }: PlannedInvocation): Promise<Explanation> {
    const causes: Cause[] = [];
    if (trigger.kind === 'invoke') {
      causes.push({ kind: 'invoke-option', address: addr.text, causes: [] });
    } else {
      const { resource, event, block } = trigger;
      const reasons = await this.#reasons(resource);
      const change = this.#facts.changes.get(resource);
      const range = this.#facts.resource(resource)?.actionTriggers[block]?.range;
      causes.push({
        kind: 'action-trigger',
        address: resource.text,
        name: event,
        ...(range === undefined ? {} : { range }),
        ...(change === undefined ? {} : { action: change.action }),
        causes: reasons?.change(resource) ?? [],
      });
    }
    return { address: addr.text, kind: 'action', action: 'invoke', causes, unknown: [] };
  }

  async #reasons(addr: InstanceAddr): Promise<Reasons | undefined> {
    const { modules } = this.#facts.plan.configuration;
    const { module, resource } = addr.resource;
    const nodes: ProgramNode[] = [];
    // The removal of a module is explained by the calls around it.
    let path = modules.get('');
    for (const name of module.path.names) {
      if (path !== undefined) nodes.push(...this.#node(path, `call.${name}`));
      path = path?.children.get(name);
    }
    if (path !== undefined) nodes.push(...this.#node(path, resource.text));
    return await this.#open(nodes);
  }

  #node(module: Module, key: string): readonly ProgramNode[] {
    const node = this.#program?.find(module, key);
    return node === undefined ? [] : [node];
  }

  async #open(nodes: readonly ProgramNode[]): Promise<Reasons | undefined> {
    if (this.#worlds === undefined) return undefined;
    await this.#worlds.prepare(nodes);
    return new Reasons(this.#facts, this.#worlds);
  }
}

function withoutDiagnostics(explanations: readonly Explanation[]): Explained {
  return { explanations, diagnostics: [] };
}

function nothingAt(address: string, known: Iterable<string>): Explained {
  return {
    explanations: [],
    diagnostics: [
      errorDiagnostic(
        'Nothing to explain',
        `There is nothing at ${address} in this plan. Give the address of a resource instance, a resource, a module, an attribute of an instance, an output value ("output.x") or an action, as the plan shows them.${didYouMeanClosest(address, known)}`,
      ),
    ],
  };
}

/** Parses an address, and the steps after it that lead into an instance. */
function parseAddress(
  text: string,
):
  | { readonly target: TargetAddr; readonly attribute: Path }
  | { readonly diagnostics: readonly Diagnostic[] } {
  const { traversal, diagnostics } = parseTraversal(new Source('', text));
  if (traversal === undefined || hasErrors(diagnostics)) return { diagnostics };
  const { steps, range } = traversal;
  let problems: readonly Diagnostic[] = [];
  for (let length = steps.length; length >= 2; length--) {
    const parsed = parseTargetTraversal({ steps: steps.slice(0, length), range });
    if (parsed.target !== undefined && !hasErrors(parsed.diagnostics))
      return { target: parsed.target, attribute: pathOf(steps.slice(length)) };
    if (length === steps.length) problems = parsed.diagnostics;
  }
  return { diagnostics: problems.length > 0 ? problems : nothingAt(text, []).diagnostics };
}

function pathOf(steps: readonly TraversalStep[]): Path {
  return steps.flatMap((step) => {
    if (step.kind === 'attr') return [attrStep(step.name)];
    return step.kind === 'index' ? [indexStep(step.key)] : [];
  });
}
