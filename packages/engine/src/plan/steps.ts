import type {
  InstanceAddr,
  ModuleInstance,
  ModulePath,
  ProviderConfigAddr,
} from '@terrane/addresses';
import { type Graph, reversed } from '@terrane/graph';
import type { CloseNode, ProgramNode, ResourceNode } from '../evaluate/node.ts';
import { nodeKey, type Program } from '../evaluate/program.ts';
import { providerNodeAddr } from '../evaluate/provider-node.ts';
import type { DeposedKey, StoredObject } from '../state/model.ts';
import { isReplace } from '../objects/decide.ts';
import { configAddr } from '../evaluate/dependencies.ts';
import type { PlannedChange, PlannedInvocation } from '../objects/change.ts';
import { type DroppableEdge, type EdgeClass, StepOrder } from './step-order.ts';
import type { Step, StepId, StepWork } from './step.ts';

/** The input of the steps of a plan. */
export interface StepSources {
  /** Undefined for a destroy plan, which evaluates nothing of the configuration. */
  readonly program: Program | undefined;
  readonly includes: (node: ProgramNode) => boolean;
  readonly changes: Iterable<PlannedChange>;
  /** Returns the object that a change updates or removes, with its dependencies. */
  readonly stored: (
    addr: InstanceAddr,
    deposed: DeposedKey | undefined,
  ) => StoredObject | undefined;
  /** Returns the same object as the previous run stored it. */
  readonly original: StepSources['stored'];
  readonly createBeforeDestroy: ReadonlySet<ResourceNode>;
  readonly newDeposedKey: (addr: InstanceAddr) => DeposedKey;
  readonly invocations: readonly PlannedInvocation[];
}

/**
 * Returns the steps of a plan in their order. Creations follow the references of the configuration, deletions the
 * reverse of the dependencies in the state. "All of A before any of B" is one join, so that the number of steps and
 * edges is linear in the number of instances.
 *
 * Edges that contradict each other are dropped by class: see `EDGE_CLASSES`.
 *
 * @param without a class of edges to omit, for the test of the classes
 */
export function planSteps(sources: StepSources, without?: EdgeClass): readonly Step[] {
  return new StepBuilder(sources, new StepOrder(without)).build();
}

/** The joins around one resource. */
interface Stage {
  /** Precedes every creation and update of the resource. */
  readonly before: StepId;
  /** Comes after every creation and update of the resource. */
  readonly after: StepId;
}

/** The joins around deletions of one resource, or of its instances in one instance of its module. */
interface Deletions {
  /** Precedes every deletion. */
  readonly gate: StepId;
  /** Comes after the deletions of objects whose replacement is created later. */
  readonly early: StepId;
  /** Comes after the deletions of objects whose replacement was created before. */
  readonly late: StepId;
}

interface Removal extends Deletions {
  /** Precedes the deletions of objects whose replacement was created before. */
  readonly hold: StepId;
  /** The joins of each instance of the module. */
  readonly instances: Map<ModuleInstance, Deletions>;
}

/** The dependencies of an object, by configuration address. */
interface Dependencies {
  /** The dependencies recorded by this run. */
  readonly current: readonly string[];
  /** The dependencies stored by the previous run. */
  readonly previous: readonly string[];
}

/** The runs that recorded a dependency. */
type Origin = 'current' | 'previous' | 'both';

class StepBuilder {
  readonly #sources: StepSources;
  readonly #steps: StepWork[] = [];
  readonly #order: StepOrder;
  /** The step that dependents of a node of the program wait for, by node. */
  readonly #done: StepId[] = [];
  readonly #stages = new Map<string, Stage>();
  readonly #nodes = new Map<string, ResourceNode>();
  readonly #removals = new Map<string, Removal>();
  readonly #ordered = new Map<string, Set<readonly string[]>>();
  readonly #turned = new Map<string, Set<readonly string[]>>();
  /** Resources with a creation or update, with an update, and with a deletion. */
  readonly #changing = new Set<string>();
  readonly #updating = new Set<string>();
  readonly #leaving = new Set<string>();
  /** Resources with a deletion before the replacement is created. */
  readonly #goEarly = new Set<string>();
  readonly #lateGates = new Map<number, StepId>();
  /** Steps that create, update or check managed objects. */
  readonly #making: StepId[] = [];
  /** Steps that read data sources in check blocks. */
  readonly #checking: { readonly step: StepId; readonly resource: string }[] = [];
  /** Steps that configure providers. */
  readonly #configured = new Map<ProviderConfigAddr, StepId>();
  /** Steps that close the ephemeral resources that a provider was configured from. */
  readonly #closing = new Map<ProviderConfigAddr, StepId[]>();
  #dependents: Graph | undefined;

  /** Nodes of provider configurations, and the configurations that delete objects of a resource. */
  readonly #providers = new Map<ProviderConfigAddr, number>();
  readonly #deleters = new Map<string, Set<ProviderConfigAddr>>();
  /** The nodes that a provider configuration depends on, directly or indirectly, and its own. */
  readonly #madeFromBy = new Map<ProviderConfigAddr, ReadonlySet<number>>();
  /** The nodes that any of them is configured from. */
  #foundations: ReadonlySet<number> | undefined;
  /** The configuration addresses of the steps that expand resources. */
  readonly #starts = new Map<StepId, string>();

  constructor(sources: StepSources, order: StepOrder) {
    this.#sources = sources;
    this.#order = order;
  }

  /** Returns the configuration address of a step's resource. */
  #resourceOf(id: StepId): string | undefined {
    const work = this.#steps[id];
    return work !== undefined && 'addr' in work ? work.addr.config.text : this.#starts.get(id);
  }

  build(): readonly Step[] {
    const { program } = this.#sources;
    if (program !== undefined) for (const id of program.order) this.#addNode(program, id);
    const changes = [...this.#sources.changes];
    for (const change of changes) {
      const { text } = change.addr.config;
      if (makesObject(change)) this.#changing.add(text);
      if (change.action === 'update') this.#updating.add(text);
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
    const after = this.#order.resolve((id) => this.#resourceOf(id));
    return this.#steps.map((work, id) => stepOf(work, id, after[id] ?? []));
  }

  /** Data sources in check blocks are read after all changes, whether they refer to them or not. */
  #holdChecks(): void {
    if (this.#checking.length === 0) return;
    const made = this.#add({ kind: 'join' }, this.#making);
    for (const { step, resource } of this.#checking)
      this.#order.prefer({ later: step, earlier: made, class: 'readability', resource });
  }

  #add(work: StepWork, after: StepId[]): StepId {
    this.#steps.push(work);
    return this.#order.addStep(after);
  }

  #after(step: StepId, earlier: StepId): void {
    this.#order.require(step, earlier);
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

  /** Closes an ephemeral resource, also after the deletions of the providers configured from it. */
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

  /** Only a requested invocation is a separate step; others are part of the change that triggers them. */
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
        // Regardless of the action, the old object exists until the new one is created.
        const key = this.#sources.newDeposedKey(addr);
        const created = this.#addUp({ kind: 'create', addr, depose: key }, addr);
        const kind = change.action === 'create-then-delete' ? 'delete' : 'forget';
        this.#after(this.#addDelete({ kind, addr, deposed: key }, change, true), created);
        return;
      }
    }
  }

  /** Adds a step that evaluates the conditions of an unchanged instance with final values. */
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
    if (this.#nodes.get(text)?.resource.check !== undefined)
      this.#checking.push({ step, resource: text });
    const dependencies =
      work.kind === 'check'
        ? undefined
        : this.#dependenciesOf(addr, undefined, this.#sources.stored(addr, undefined));
    if (dependencies !== undefined) this.#turnFrom(text, stage, dependencies);
    return step;
  }

  /**
   * Orders the users of a resource and its deletions: users follow deletions that precede the replacement, and
   * precede deletions that follow the replacement.
   */
  #turnFrom(text: string, stage: Stage, dependencies: Dependencies): void {
    if (!isNew(this.#turned, text, dependencies)) return;
    for (const [dependency, origin] of originsOf(dependencies)) {
      if (dependency === text || !this.#leaving.has(dependency)) continue;
      const removal = this.#removal(dependency);
      this.#connect({ later: removal.hold, earlier: stage.after, resource: text }, origin);
      const turning = { later: stage.before, earlier: removal.early, resource: text } as const;
      this.#connect({ ...turning, class: 'readability' }, origin);
    }
  }

  #dependenciesOf(
    addr: InstanceAddr,
    deposed: DeposedKey | undefined,
    stored: StoredObject | undefined,
  ): Dependencies | undefined {
    if (stored === undefined) return undefined;
    const { dependencies: current } = stored;
    return { current, previous: this.#sources.original(addr, deposed)?.dependencies ?? current };
  }

  /** Adds the edge of a dependency. */
  #connect(edge: DroppableEdge, origin: Origin): void {
    const { later, earlier, resource } = edge;
    // A separate class is lower than that of the dependency, and was dropped before alternatives take effect.
    if (origin === 'both' && edge.within !== undefined) this.#order.prefer(edge);
    else if (origin === 'both') this.#order.connect(edge);
    else if (origin === 'current') this.#order.prefer({ class: 'refreshedDependencies', ...edge });
    else if (edge.class === undefined)
      this.#order.provide({ later, earlier, resource, replaces: 'refreshedDependencies' });
  }

  #addDelete(work: StepWork, change: PlannedChange, isReplaced = false): StepId {
    const { addr, deposed } = change;
    const { text } = addr.config;
    // A forgotten object continues to exist, so no step waits for it. It stays in the state as long as its dependents.
    if (work.kind === 'forget') {
      return this.#add(
        work,
        isReplaced || deposed !== undefined ? [] : [this.#deletions(addr).gate],
      );
    }
    const node = this.#nodes.get(text);
    const deletions = this.#deletions(addr);
    const stored = this.#sources.stored(addr, deposed);
    const step = this.#add(work, [deletions.gate]);
    this.#place(step, change, deletions, stored, isReplaced);
    const { configuration } = change.provider;
    const dependencies = this.#dependenciesOf(addr, deposed, stored);
    if (dependencies !== undefined) this.#orderAfter(addr, deletions, dependencies);
    this.#waitForProvider(step, node);
    const configured = this.#configured.get(configuration);
    if (configured !== undefined) this.#after(step, configured);
    const closing = this.#closing.get(configuration);
    if (closing !== undefined) for (const close of closing) this.#after(close, step);
    return step;
  }

  /**
   * Orders a deletion before or after the creation of the replacement and the update of its dependents. The state
   * decides; an alternative takes effect if the configuration disagrees and a cycle drops the order of the state.
   */
  #place(
    step: StepId,
    change: PlannedChange,
    deletions: Deletions,
    stored: StoredObject | undefined,
    isReplaced: boolean,
  ): void {
    const { addr, deposed, action } = change;
    const resource = addr.config.text;
    const node = this.#nodes.get(resource);
    const removal = this.#removal(resource);
    const late = { later: deletions.late, earlier: step, resource };
    const early = { later: deletions.early, earlier: step, resource };
    const afterUsers = (): readonly Pick<DroppableEdge, 'later' | 'earlier' | 'resource'>[] => [
      { later: step, earlier: removal.hold, resource },
      ...(node === undefined ? [] : [{ later: step, earlier: this.#lateGate(node.id), resource }]),
    ];
    if (isReplaced || deposed !== undefined) {
      this.#order.connect(late);
      for (const edge of afterUsers()) this.#order.prefer({ ...edge, class: 'dependents' });
      return;
    }
    const isCreatedFirst = node !== undefined && this.#sources.createBeforeDestroy.has(node);
    if (action !== 'delete-then-create' && stored?.createBeforeDestroy === true) {
      const replaces = node === undefined ? 'orphans' : 'storedPlacement';
      this.#order.connect(late);
      for (const edge of afterUsers())
        this.#order.prefer({ ...edge, class: isCreatedFirst ? 'dependents' : replaces });
      if (!isCreatedFirst) this.#order.provide({ ...early, replaces });
      return;
    }
    const stage = this.#stages.get(resource);
    if (stage !== undefined && !this.#goEarly.has(resource)) {
      const shrinking = { later: stage.after, earlier: removal.early, resource };
      this.#order.prefer({ ...shrinking, class: 'shrinking' });
    }
    this.#goEarly.add(resource);
    if (!isCreatedFirst || action === 'delete-then-create') {
      this.#order.connect(early);
      return;
    }
    const replaces = 'storedPlacement';
    this.#order.prefer({ ...early, class: replaces });
    this.#order.provide({ ...late, replaces });
    for (const edge of afterUsers())
      this.#order.provide({ ...edge, class: 'dependents', replaces });
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

  /** Returns the deletions of a resource in the module instance of one of its instances. */
  #deletions({ config, resource: { module } }: InstanceAddr): Deletions {
    return this.#deletionsIn(config.text, module);
  }

  #deletionsIn(text: string, module: ModuleInstance): Deletions {
    const removal = this.#removal(text);
    if (module.isRoot) return removal;
    let deletions = removal.instances.get(module);
    if (deletions === undefined) {
      const gate = this.#add({ kind: 'join' }, [removal.gate]);
      const early = this.#add({ kind: 'join' }, []);
      const late = this.#add({ kind: 'join' }, []);
      this.#after(removal.early, early);
      this.#after(removal.late, late);
      deletions = { gate, early, late };
      removal.instances.set(module, deletions);
    }
    return deletions;
  }

  /**
   * Orders deletions before those of their dependencies, and before updates of them. Dependencies in the same module
   * are unrelated to the objects in other instances of that module.
   */
  #orderAfter(addr: InstanceAddr, deletions: Deletions, dependencies: Dependencies): void {
    const { module } = addr.resource;
    const resource = addr.config.text;
    if (!isNew(this.#ordered, addr.resource.text, dependencies)) return;
    for (const [dependency, origin] of originsOf(dependencies)) {
      if (dependency === resource) continue;
      const { gate } = isIn(dependency, module.path)
        ? this.#deletionsIn(dependency, module)
        : this.#removal(dependency);
      const within = this.#configuresProvider(dependency);
      for (const earlier of [deletions.early, deletions.late]) {
        const edge = { later: gate, earlier, resource };
        this.#connect(within === undefined ? edge : { ...edge, within }, origin);
      }
      const stage = this.#stages.get(dependency);
      if (
        stage !== undefined &&
        this.#changing.has(dependency) &&
        !this.#isNeededBy(resource, dependency)
      ) {
        const turned = { later: stage.before, earlier: deletions.early, resource };
        // Only an object that is updated in place existed before and continues to exist.
        const name = this.#updating.has(dependency) ? 'updates' : 'readability';
        this.#connect({ ...turned, class: name }, origin);
      }
    }
  }

  /**
   * Returns true if the provider configuration of a resource has dependencies, so that `dependency` may be among them.
   */
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
   * Returns the class of the order in which a resource is deleted after its users, if a provider that deletes an object
   * is configured from it: in components with a deletion by such a provider. The resources in between cannot be deleted
   * first either.
   */
  #configuresProvider(dependency: string): DroppableEdge['within'] {
    const target = this.#nodes.get(dependency)?.id;
    if (target === undefined || !this.#allMadeFrom().has(target)) return undefined;
    const applies = (resources: ReadonlySet<string>): boolean =>
      [...resources].some((resource) =>
        [...(this.#deleters.get(resource) ?? [])].some((addr) => this.#madeFrom(addr).has(target)),
      );
    return { class: 'providers', applies };
  }

  #allMadeFrom(): ReadonlySet<number> {
    this.#foundations ??= new Set(
      [...this.#deleters.values()].flatMap((all) =>
        [...all].flatMap((addr) => [...this.#madeFrom(addr)]),
      ),
    );
    return this.#foundations;
  }

  /** Returns the nodes that a provider is configured from, directly or indirectly, and its own. */
  #madeFrom(addr: ProviderConfigAddr): ReadonlySet<number> {
    const existing = this.#madeFromBy.get(addr);
    if (existing !== undefined) return existing;
    const { program } = this.#sources;
    const provider = this.#providers.get(addr);
    const seen = new Set(provider === undefined ? [] : [provider]);
    for (const id of seen)
      for (const next of program?.dependencies.edgesOf(id) ?? []) seen.add(next);
    this.#madeFromBy.set(addr, seen);
    return seen;
  }

  #waitForProvider(step: StepId, node: ResourceNode | undefined): void {
    const { program } = this.#sources;
    if (node === undefined || program === undefined) return;
    for (const id of program.dependencies.edgesOf(node.id)) {
      const other = program.nodes[id];
      // An action that a deletion triggers is invoked with planned values: it needs its provider only.
      const needed = other?.kind === 'action' ? [...program.dependencies.edgesOf(id)] : [id];
      for (const dependency of needed) {
        const done =
          program.nodes[dependency]?.kind === 'provider' ? this.#done[dependency] : undefined;
        if (done !== undefined) this.#after(step, done);
      }
    }
  }

  /** Returns a join that follows all direct and indirect dependents of a node of the program. */
  #lateGate(id: number): StepId {
    const existing = this.#lateGates.get(id);
    if (existing !== undefined) return existing;
    const { program } = this.#sources;
    const gate = this.#add({ kind: 'join' }, []);
    this.#lateGates.set(id, gate);
    if (program === undefined) return gate;
    this.#dependents ??= reversed(program.dependencies);
    const pending = [id];
    for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
      const from = this.#lateGates.get(current) ?? gate;
      for (const dependent of this.#dependents.edgesOf(current)) {
        // The end of a module is not a dependent itself, but leads to dependents.
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

/**
 * Returns a step with its position and dependencies. A plan has a step for each changed instance, and a spread would
 * place their properties outside of the object.
 */
function stepOf(work: StepWork, id: StepId, after: readonly StepId[]): Step {
  if (work.kind === 'update' || (work.kind === 'create' && work.depose === undefined))
    return { kind: work.kind, addr: work.addr, id, after };
  return { ...work, id, after };
}

/** Returns whether lists of dependencies occur for the first time with a resource. Instances share lists. */
function isNew(
  seen: Map<string, Set<readonly string[]>>,
  text: string,
  { current, previous }: Dependencies,
): boolean {
  let lists = seen.get(text);
  if (lists === undefined) seen.set(text, (lists = new Set()));
  const before = lists.size;
  lists.add(current).add(previous);
  return lists.size > before;
}

/** Returns every dependency of an object with the run that recorded it. */
function originsOf({ current, previous }: Dependencies): Iterable<readonly [string, Origin]> {
  if (current === previous) return current.map((text) => [text, 'both'] as const);
  const origins = new Map<string, Origin>(previous.map((text) => [text, 'previous']));
  for (const text of current) origins.set(text, origins.has(text) ? 'both' : 'current');
  return origins;
}

/** Returns whether an address names a resource of a module, as opposed to a resource of its descendants. */
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
