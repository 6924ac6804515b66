import type {
  InstanceAddr,
  ModuleInstance,
  ModulePath,
  ProviderConfigAddr,
} from '@terrane/addresses';
import { type Graph, GraphBuilder, orderOf, reversed } from '@terrane/graph';
import type { CloseNode, ProgramNode, ResourceNode } from '../evaluate/node.ts';
import { nodeKey, type Program } from '../evaluate/program.ts';
import { providerNodeAddr } from '../evaluate/provider-node.ts';
import type { DeposedKey, StoredObject } from '../state/model.ts';
import { isReplace } from './decide.ts';
import { configAddr } from './dependencies.ts';
import type { PlannedChange, PlannedInvocation } from './model.ts';
import type { Step, StepId, StepWork } from './step.ts';

/** What the steps are made from. */
export interface StepSources {
  /** Undefined for a destroy plan, in which nothing of the configuration is worked out. */
  readonly program: Program | undefined;
  readonly includes: (node: ProgramNode) => boolean;
  readonly changes: Iterable<PlannedChange>;
  /** The object that a change removes, for what it depends on. */
  readonly stored: (
    addr: InstanceAddr,
    deposed: DeposedKey | undefined,
  ) => StoredObject | undefined;
  /** The same as the previous run left it, without what this one found it to depend on. */
  readonly original: StepSources['stored'];
  readonly createBeforeDestroy: ReadonlySet<ResourceNode>;
  readonly newDeposedKey: (addr: InstanceAddr) => DeposedKey;
  readonly invocations: readonly PlannedInvocation[];
}

/**
 * The steps of a plan and their order. Creating follows the references of the configuration,
 * deleting the reverse of what the state says objects were built on. "All of this before any of
 * that" goes through one join, so that steps and edges stay within a constant times the instances.
 *
 * What the state says and what the configuration says can contradict each other, where references
 * were turned round or a provider is made from what is replaced. Then less of the order is kept,
 * for the resources in the circle only.
 */
export function planSteps(sources: StepSources): readonly Step[] {
  const eased = new Map<string, number>();
  for (;;) {
    const builder = new StepBuilder(sources, eased);
    const steps = builder.build();
    let isEased = false;
    for (const text of new Set(circles(steps).flatMap((id) => builder.resourceOf(id) ?? []))) {
      const ease = eased.get(text) ?? 0;
      if (ease === ORDERS.length - 1) continue;
      eased.set(text, ease + 1);
      isEased = true;
    }
    if (!isEased) return steps;
  }
}

/** How much of the order of a resource is kept. */
interface Order {
  /** What refers to the resource waits until those of its instances are gone that are asked for no more. */
  readonly holdsUsers: boolean;
  /** What a provider is made from is deleted only after what that provider deletes. */
  readonly holdsProviders: boolean;
  /** Also what only makes a run easier to follow. */
  readonly isTidy: boolean;
  /** What is changed in place is changed only after the objects that were built on it are deleted. */
  readonly holdsUpdates: boolean;
  /** Whether a replacement came first is as the state has it, not as the configuration. */
  readonly goesByState: boolean;
  /** What this run found an object to depend on counts too, not only what the previous run stored. */
  readonly isFresh: boolean;
  /**
   * What has no configuration any more, and was to be replaced by creating first, is deleted only after
   * what was built on it has turned away.
   */
  readonly holdsOrphans: boolean;
  /** What goes after its replacement came goes also after all that was built on it has turned away. */
  readonly holdsDependents: boolean;
}

const STRICT: Order = {
  holdsUsers: true,
  holdsProviders: true,
  isTidy: true,
  holdsUpdates: true,
  goesByState: true,
  isFresh: true,
  holdsOrphans: true,
  holdsDependents: true,
};

/** What is tried, one after the other, until it is no circle. */
const ORDERS: readonly Order[] = [
  {},
  { holdsUsers: false },
  { isTidy: false },
  { holdsUpdates: false },
  { holdsProviders: false },
  { goesByState: false },
  { isFresh: false },
  { holdsOrphans: false },
  { holdsDependents: false },
].reduce<readonly Order[]>((all, one) => [...all, { ...STRICT, ...all.at(-1), ...one }], []);

/** The steps that wait for themselves. */
function circles(steps: readonly Step[]): readonly StepId[] {
  const graph = new GraphBuilder(steps.length);
  for (const step of steps) for (const earlier of step.after) graph.addEdge(step.id, earlier);
  return orderOf(graph.build()).cycles.flat();
}

/** The joins around one resource. */
interface Stage {
  /** Nothing of the resource is created or changed before this. */
  readonly before: StepId;
  /** Everything of the resource is created and changed after this. */
  readonly after: StepId;
}

/** The joins around deletions of one resource, or of its instances in one instance of its module. */
interface Deletions {
  /** Nothing is deleted before this. */
  readonly gate: StepId;
  /** Everything is deleted that goes before its replacement comes. */
  readonly early: StepId;
  /** Everything is deleted that goes after its replacement came. */
  readonly late: StepId;
}

interface Removal extends Deletions {
  /** Nothing that goes after its replacement came is deleted before this. */
  readonly hold: StepId;
  /** The same for each instance of the module, where the module has several. */
  readonly instances: Map<ModuleInstance, Deletions>;
}

type Draft = { after: StepId[] } & StepWork;

class StepBuilder {
  readonly #sources: StepSources;
  readonly #steps: Draft[] = [];
  /** What the dependents of a node of the program wait for. */
  readonly #done: StepId[] = [];
  readonly #stages = new Map<string, Stage>();
  readonly #nodes = new Map<string, ResourceNode>();
  readonly #removals = new Map<string, Removal>();
  readonly #ordered = new Map<string, Set<readonly string[]>>();
  readonly #turned = new Map<string, Set<readonly string[]>>();
  /** Resources of which something is created or changed, and of which something is deleted. */
  readonly #changing = new Set<string>();
  readonly #leaving = new Set<string>();
  /** Resources of which something is deleted before its replacement comes. */
  readonly #goEarly = new Set<string>();
  readonly #lateGates = new Map<number, StepId>();
  /** Steps that create, change or look at managed objects. */
  readonly #making: StepId[] = [];
  /** Steps that read data sources in check blocks. */
  readonly #checking: StepId[] = [];
  /** Steps that configure providers. */
  readonly #configured = new Map<ProviderConfigAddr, StepId>();
  /** Steps that close what a provider was configured from. */
  readonly #closing = new Map<ProviderConfigAddr, StepId[]>();
  #dependents: Graph | undefined;

  /** Nodes of providers, and those that delete objects of a resource. */
  readonly #providers = new Map<ProviderConfigAddr, number>();
  readonly #deleters = new Map<string, Set<ProviderConfigAddr>>();
  /** How far the order of resources is eased; not at all as a rule. */
  readonly #eased: ReadonlyMap<string, number>;
  /** What the providers in a circle are made from, once that is asked. */
  #madeFrom: ReadonlySet<number> | undefined;
  /** Steps of resources, as far as their work does not say of which. */
  readonly #starts = new Map<StepId, string>();

  constructor(sources: StepSources, eased: ReadonlyMap<string, number>) {
    this.#sources = sources;
    this.#eased = eased;
  }

  /** The address of the resource that a step does something for. */
  resourceOf(id: StepId): string | undefined {
    const work = this.#steps[id];
    return work !== undefined && 'addr' in work ? work.addr.config.text : this.#starts.get(id);
  }

  #orderOf(text: string): Order {
    return ORDERS[this.#eased.get(text) ?? 0] ?? STRICT;
  }

  build(): readonly Step[] {
    const { program } = this.#sources;
    if (program !== undefined) for (const id of program.order) this.#addNode(program, id);
    const changes = [...this.#sources.changes];
    for (const change of changes) {
      const { text } = change.addr.config;
      // Only what is updated in place was there for others to be built on and still is.
      if (this.#orderOf(text).isTidy ? makesObject(change) : change.action === 'update')
        this.#changing.add(text);
      if (!removesObject(change)) continue;
      this.#leaving.add(text);
      const { configuration } = change.provider;
      const deleters = this.#deleters.get(text);
      if (deleters === undefined) this.#deleters.set(text, new Set([configuration]));
      else deleters.add(configuration);
    }
    for (const change of changes) this.#addChange(change);
    for (const [position, invocation] of this.#sources.invocations.entries())
      this.#addInvocation(position, invocation);
    this.#holdChecks();
    return this.#steps.map((draft, id) => ({ ...draft, id }));
  }

  /** Data sources in check blocks look at what all changes have made, whether they refer to it or not. */
  #holdChecks(): void {
    if (this.#checking.length === 0) return;
    const made = this.#add({ kind: 'join' }, this.#making);
    for (const read of this.#checking) this.#after(read, made);
  }

  #add(work: StepWork, after: StepId[]): StepId {
    this.#steps.push({ ...work, after });
    return this.#steps.length - 1;
  }

  #after(step: StepId, earlier: StepId): void {
    this.#steps[step]?.after.push(earlier);
  }

  #addNode(program: Program, id: number): void {
    const node = program.nodes[id];
    if (node === undefined) return;
    const after: StepId[] = [];
    for (const dependency of program.dependencies.edgesOf(id)) {
      const done = this.#done[dependency];
      if (done !== undefined) after.push(done);
    }
    if (node.kind === 'resource') {
      const work = { kind: 'evaluate', module: node.module.path.text, key: nodeKey(node) } as const;
      const before = this.#add(this.#sources.includes(node) ? work : { kind: 'join' }, after);
      const end = this.#add({ kind: 'join' }, [before]);
      const { text } = configAddr(node);
      this.#starts.set(before, text);
      this.#stages.set(text, { before, after: end });
      this.#nodes.set(text, node);
      this.#done[id] = end;
    } else if (node.kind === 'close') {
      if (this.#sources.includes(node)) this.#addClose(node, after);
    } else if (node.kind === 'moduleEnd' || !this.#sources.includes(node)) {
      this.#done[id] = this.#add({ kind: 'join' }, after);
    } else {
      const work = { kind: 'evaluate', module: node.module.path.text, key: nodeKey(node) } as const;
      const step = this.#add(work, after);
      this.#done[id] = step;
      if (node.kind === 'provider') {
        this.#configured.set(providerNodeAddr(node), step);
        this.#providers.set(providerNodeAddr(node), id);
      }
    }
  }

  /** What a provider was made from is also closed after everything that this provider deletes. */
  #addClose(node: CloseNode, after: StepId[]): void {
    const { path } = node.module;
    const close = this.#add({ kind: 'evaluate', module: path.text, key: nodeKey(node) }, after);
    for (const provider of node.providers) {
      const addr = providerNodeAddr(provider);
      const closing = this.#closing.get(addr);
      if (closing === undefined) this.#closing.set(addr, [close]);
      else closing.push(close);
    }
  }

  /** Only what the user asked for is a step of its own; the rest belongs to the change that triggers it. */
  #addInvocation(position: number, { addr, trigger }: PlannedInvocation): void {
    if (trigger.kind === 'lifecycle') return;
    const { program } = this.#sources;
    const module = program?.configuration.modules.get(addr.module.path.text);
    const node = module === undefined ? undefined : program?.find(module, addr.action.text);
    const done = node === undefined ? undefined : this.#done[node.id];
    const after = done === undefined ? [] : [done];
    this.#add({ kind: 'invoke', invocation: position }, after);
  }

  #addChange(change: PlannedChange): void {
    const { addr, deposed } = change;
    switch (change.action) {
      case 'no-op':
        if (deposed === undefined) this.#addCheck(addr);
        return;
      case 'read':
      case 'create':
      case 'update':
        this.#addUp({ kind: change.action, addr }, addr);
        return;
      case 'delete':
      case 'forget':
        this.#addDelete(
          { kind: change.action, addr, ...(deposed === undefined ? {} : { deposed }) },
          change,
        );
        return;
      case 'delete-then-create': {
        const removed = this.#addDelete({ kind: 'delete', addr }, change);
        this.#after(this.#addUp({ kind: 'create', addr }, addr), removed);
        return;
      }
      case 'create-then-delete':
      case 'create-then-forget':
      case 'forget-then-create': {
        // Whatever the words: the old object is known until there is another one in its place.
        const key = this.#sources.newDeposedKey(addr);
        const created = this.#addUp({ kind: 'create', addr, depose: key }, addr);
        const kind = change.action === 'create-then-delete' ? 'delete' : 'forget';
        this.#after(this.#addDelete({ kind, addr, deposed: key }, change, true), created);
        return;
      }
    }
  }

  /** Nothing is done to the instance, but its conditions are to be evaluated with final values. */
  #addCheck(addr: InstanceAddr): void {
    const resource = this.#nodes.get(addr.config.text)?.resource;
    if (resource === undefined) return;
    if (resource.preconditions.length + resource.postconditions.length === 0) return;
    this.#addUp({ kind: 'check', addr }, addr);
  }

  #addUp(work: StepWork, addr: InstanceAddr): StepId {
    const { text } = addr.config;
    const stage = this.#stages.get(text);
    const step = this.#add(work, stage === undefined ? [] : [stage.before]);
    if (addr.resource.resource.mode === 'managed') this.#making.push(step);
    if (stage === undefined) return step;
    this.#after(stage.after, step);
    if (this.#nodes.get(text)?.resource.check !== undefined && this.#orderOf(text).isTidy)
      this.#checking.push(step);
    const stored = work.kind === 'check' ? undefined : this.#stored(addr, undefined);
    if (stored !== undefined) this.#turnFrom(text, stage, stored.dependencies);
    return step;
  }

  /**
   * What instances of a resource were built on, and maybe no longer are: it goes before them as a
   * rule, or else, where replacements come first, only after they have turned away from it.
   */
  #turnFrom(text: string, stage: Stage, dependencies: readonly string[]): void {
    if (!isNew(this.#turned, text, dependencies)) return;
    for (const dependency of dependencies) {
      if (dependency === text || !this.#leaving.has(dependency)) continue;
      const removal = this.#removal(dependency);
      this.#after(removal.hold, stage.after);
      if (this.#orderOf(text).isTidy) this.#after(stage.before, removal.early);
    }
  }

  #stored(addr: InstanceAddr, deposed: DeposedKey | undefined): StoredObject | undefined {
    const { stored, original } = this.#sources;
    return this.#orderOf(addr.config.text).isFresh
      ? stored(addr, deposed)
      : original(addr, deposed);
  }

  #addDelete(work: StepWork, change: PlannedChange, isReplaced = false): StepId {
    const { addr, deposed } = change;
    const { text } = addr.config;
    // What is only forgotten exists on, so that nothing has to wait for it; but it stays known as long as what was
    // built on it is there.
    if (work.kind === 'forget') {
      return this.#add(
        work,
        isReplaced || deposed !== undefined ? [] : [this.#deletions(addr).gate],
      );
    }
    const stored = this.#stored(addr, deposed);
    const node = this.#nodes.get(text);
    const isLate =
      isReplaced ||
      deposed !== undefined ||
      (change.action !== 'delete-then-create' && this.#goesLate(text, stored));
    const removal = this.#removal(text);
    const deletions = this.#deletions(addr);
    const step = this.#add(work, [deletions.gate]);
    this.#after(isLate ? deletions.late : deletions.early, step);
    if (isLate && this.#orderOf(text).holdsDependents) {
      this.#after(step, removal.hold);
      if (node !== undefined) this.#after(step, this.#lateGate(node.id));
    }
    if (!isLate) {
      const stage = this.#stages.get(text);
      if (stage !== undefined && !this.#goEarly.has(text) && this.#orderOf(text).holdsUsers) {
        this.#after(stage.after, removal.early);
      }
      this.#goEarly.add(text);
    }
    const { configuration } = change.provider;
    if (stored !== undefined) this.#orderAfter(addr, deletions, stored.dependencies);
    this.#waitForProvider(step, node);
    const configured = this.#configured.get(configuration);
    if (configured !== undefined) this.#after(step, configured);
    for (const close of this.#closing.get(configuration) ?? []) this.#after(close, step);
    return step;
  }

  /** As the state has it, whatever the configuration says now; unless that cannot be. */
  #goesLate(text: string, stored: StoredObject | undefined): boolean {
    const node = this.#nodes.get(text);
    const { goesByState, holdsOrphans } = this.#orderOf(text);
    if (goesByState) return stored?.createBeforeDestroy === true;
    if (node === undefined) return holdsOrphans && stored?.createBeforeDestroy === true;
    return this.#sources.createBeforeDestroy.has(node);
  }

  #removal(text: string): Removal {
    let removal = this.#removals.get(text);
    if (removal === undefined) {
      const gate = this.#add({ kind: 'join' }, []);
      const early = this.#add({ kind: 'join' }, []);
      const late = this.#add({ kind: 'join' }, []);
      const hold = this.#add({ kind: 'join' }, []);
      removal = { gate, early, late, hold, instances: new Map() };
      this.#removals.set(text, removal);
    }
    return removal;
  }

  /** The deletions of a resource in the instance of its module that an instance of it is in. */
  #deletions({ config, resource: { module } }: InstanceAddr): Deletions {
    return this.#deletionsIn(config.text, module);
  }

  #deletionsIn(text: string, module: ModuleInstance): Deletions {
    const removal = this.#removal(text);
    if (module.isRoot) return removal;
    let own = removal.instances.get(module);
    if (own === undefined) {
      const gate = this.#add({ kind: 'join' }, [removal.gate]);
      const early = this.#add({ kind: 'join' }, []);
      const late = this.#add({ kind: 'join' }, []);
      this.#after(removal.early, early);
      this.#after(removal.late, late);
      own = { gate, early, late };
      removal.instances.set(module, own);
    }
    return own;
  }

  /**
   * What objects of a resource were built on goes, or changes, only after them. What is in the same module has
   * nothing to do with the objects in other instances of that module.
   */
  #orderAfter(addr: InstanceAddr, deletions: Deletions, dependencies: readonly string[]): void {
    const { module } = addr.resource;
    const { text } = addr.config;
    if (!isNew(this.#ordered, addr.resource.text, dependencies)) return;
    const { holdsProviders, holdsUpdates } = this.#orderOf(text);
    for (const dependency of dependencies) {
      if (dependency === text) continue;
      if (!holdsProviders && this.#isProviderMadeFrom(dependency)) continue;
      const { gate } = isIn(dependency, module.path)
        ? this.#deletionsIn(dependency, module)
        : this.#removal(dependency);
      this.#after(gate, deletions.early);
      this.#after(gate, deletions.late);
      const stage = this.#stages.get(dependency);
      if (
        stage !== undefined &&
        holdsUpdates &&
        this.#changing.has(dependency) &&
        !this.#isNeededBy(text, dependency)
      ) {
        this.#after(stage.before, deletions.early);
      }
    }
  }

  /** Whether the provider that deletes objects of one resource needs the other to be done. */
  #isNeededBy(text: string, dependency: string): boolean {
    const node = this.#nodes.get(text);
    const other = this.#nodes.get(dependency);
    const { program } = this.#sources;
    if (node === undefined || other === undefined || program === undefined) return false;
    return [...program.dependencies.edgesOf(node.id)].some(
      (id) => program.nodes[id]?.kind === 'provider' && program.dependencies.edgesOf(id).length > 0,
    );
  }

  /**
   * Whether a provider that deletes something in a circle is made from a resource, near or far. What is in between, built
   * on the resource and itself needed by what that provider deletes, cannot go first either.
   */
  #isProviderMadeFrom(dependency: string): boolean {
    const target = this.#nodes.get(dependency)?.id;
    return target !== undefined && (this.#madeFrom ??= this.#findMadeFrom()).has(target);
  }

  /** The nodes that providers are made from which delete something in a circle, and these providers. */
  #findMadeFrom(): ReadonlySet<number> {
    const { program } = this.#sources;
    const pending = [...this.#eased.keys()]
      .flatMap((text) => [...(this.#deleters.get(text) ?? [])])
      .flatMap((addr) => this.#providers.get(addr) ?? []);
    const seen = new Set(pending);
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      for (const next of program?.dependencies.edgesOf(id) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        pending.push(next);
      }
    }
    return seen;
  }

  #waitForProvider(step: StepId, node: ResourceNode | undefined): void {
    const { program } = this.#sources;
    if (node === undefined || program === undefined) return;
    for (const id of program.dependencies.edgesOf(node.id)) {
      const other = program.nodes[id];
      // What a deletion triggers is invoked with what is planned: all that it needs is the provider.
      const needed = other?.kind === 'action' ? [...program.dependencies.edgesOf(id)] : [id];
      for (const one of needed) {
        const done = program.nodes[one]?.kind === 'provider' ? this.#done[one] : undefined;
        if (done !== undefined) this.#after(step, done);
      }
    }
  }

  /** Everything that builds on a node of the program is done, near and far. */
  #lateGate(id: number): StepId {
    const known = this.#lateGates.get(id);
    if (known !== undefined) return known;
    const { program } = this.#sources;
    const gate = this.#add({ kind: 'join' }, []);
    this.#lateGates.set(id, gate);
    if (program === undefined) return gate;
    this.#dependents ??= reversed(program.dependencies);
    const pending = [id];
    for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
      const from = this.#lateGates.get(current) ?? gate;
      for (const dependent of this.#dependents.edgesOf(current)) {
        // The end of a module is not something that builds on this, only a way to what does.
        const isEnd = program.nodes[dependent]?.kind === 'moduleEnd';
        const done = isEnd ? undefined : this.#done[dependent];
        if (done !== undefined) this.#after(from, done);
        let next = this.#lateGates.get(dependent);
        if (next === undefined) {
          next = this.#add({ kind: 'join' }, []);
          this.#lateGates.set(dependent, next);
          pending.push(dependent);
        }
        this.#after(from, next);
      }
    }
    return gate;
  }
}

/** Whether a list of dependencies comes up for the first time with a resource. Instances share lists. */
function isNew(
  seen: Map<string, Set<readonly string[]>>,
  text: string,
  dependencies: readonly string[],
): boolean {
  let lists = seen.get(text);
  if (lists === undefined) seen.set(text, (lists = new Set()));
  if (lists.has(dependencies)) return false;
  lists.add(dependencies);
  return true;
}

/** Whether the resource of an address is in a module itself, and not in one below it or elsewhere. */
function isIn(resource: string, { text, isRoot }: ModulePath): boolean {
  const rest = isRoot ? resource : resource.slice(text.length + 1);
  return (isRoot || resource.startsWith(`${text}.`)) && !rest.startsWith('module.');
}

function makesObject({ action }: PlannedChange): boolean {
  return action === 'create' || action === 'update' || isReplace(action);
}

function removesObject({ action }: PlannedChange): boolean {
  return action === 'delete' || action === 'forget' || isReplace(action);
}
