import type { InstanceAddr } from '../addrs/resource-addr.ts';
import { reversed, type Graph } from '@terrane/graph';
import type { ProgramNode, ResourceNode } from '../evaluate/node.ts';
import { nodeKey, type Program } from '../evaluate/program.ts';
import type { DeposedKey, StoredObject } from '../state/model.ts';
import { configAddr } from './dependencies.ts';
import type { PlannedChange } from './model.ts';
import type { Step, StepId, StepWork } from './step.ts';

/** What the steps are made from. */
export interface StepSources {
  /** Undefined for a destroy plan, in which nothing of the configuration is worked out. */
  readonly program: Program | undefined;
  readonly includes: (node: ProgramNode) => boolean;
  readonly changes: Iterable<PlannedChange>;
  /** The object that a change removes, for what it depends on. */
  readonly stored: (addr: InstanceAddr, deposed: DeposedKey | undefined) => StoredObject | undefined;
  readonly createBeforeDestroy: ReadonlySet<ResourceNode>;
  readonly newDeposedKey: (addr: InstanceAddr) => DeposedKey;
}

/**
 * The steps of a plan and their order. Creating follows the references of the configuration,
 * deleting the reverse of what the state says objects were built on. "All of this before any of
 * that" goes through one join, so that steps and edges stay within a constant times the instances.
 */
export function planSteps(sources: StepSources): readonly Step[] {
  return new StepBuilder(sources).build();
}

/** The joins around one resource. */
interface Stage {
  /** Nothing of the resource is created or changed before this. */
  readonly before: StepId;
  /** Everything of the resource is created and changed after this. */
  readonly after: StepId;
}

interface Removal {
  /** Nothing of the resource is deleted before this. */
  readonly gate: StepId;
  /** Everything is deleted that goes before its replacement comes. */
  readonly early: StepId;
  /** Everything is deleted that goes after its replacement came. */
  readonly late: StepId;
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
  readonly #changing = new Set<string>();
  readonly #lateGates = new Map<number, StepId>();
  #dependents: Graph | undefined;

  constructor(sources: StepSources) {
    this.#sources = sources;
  }

  build(): readonly Step[] {
    const { program } = this.#sources;
    if (program !== undefined) for (const id of program.order) this.#addNode(program, id);
    const changes = [...this.#sources.changes];
    for (const change of changes) {
      if (changesInPlace(change)) this.#changing.add(change.addr.config.text);
    }
    for (const change of changes) this.#addChange(change);
    return this.#steps.map((draft, id) => ({ ...draft, id }));
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
      this.#stages.set(text, { before, after: end });
      this.#nodes.set(text, node);
      this.#done[id] = end;
    } else if (node.kind === 'moduleEnd' || !this.#sources.includes(node)) {
      this.#done[id] = this.#add({ kind: 'join' }, after);
    } else {
      const work = { kind: 'evaluate', module: node.module.path.text, key: nodeKey(node) } as const;
      this.#done[id] = this.#add(work, after);
    }
  }

  #addChange(change: PlannedChange): void {
    const { addr, deposed } = change;
    switch (change.action) {
      case 'no-op':
        this.#addCheck(addr);
        return;
      case 'read':
      case 'create':
      case 'update':
        this.#addUp({ kind: change.action, addr }, addr);
        return;
      case 'delete':
      case 'forget':
        this.#addDelete({ kind: change.action, addr, ...(deposed === undefined ? {} : { deposed }) }, change);
        return;
      case 'delete-then-create': {
        const removed = this.#addDelete({ kind: 'delete', addr }, change);
        this.#after(this.#addUp({ kind: 'create', addr }, addr), removed);
        return;
      }
      case 'create-then-delete':
      case 'create-then-forget': {
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
    const stage = this.#stages.get(addr.config.text);
    const step = this.#add(work, stage === undefined ? [] : [stage.before]);
    if (stage !== undefined) this.#after(stage.after, step);
    return step;
  }

  #addDelete(work: StepWork, change: PlannedChange, isReplaced = false): StepId {
    const { addr, deposed } = change;
    const { text } = addr.config;
    const stored = this.#sources.stored(addr, deposed);
    const node = this.#nodes.get(text);
    const isLate =
      isReplaced ||
      (change.action !== 'delete-then-create' &&
        (node === undefined ? stored?.createBeforeDestroy === true : this.#sources.createBeforeDestroy.has(node)));
    const removal = this.#removal(text);
    const step = this.#add(work, [removal.gate]);
    this.#after(isLate ? removal.late : removal.early, step);
    if (isLate && node !== undefined) this.#after(step, this.#lateGate(node.id));
    if (!isLate) {
      const stage = this.#stages.get(text);
      if (stage !== undefined) this.#after(stage.after, removal.early);
    }
    if (stored !== undefined) this.#orderAfter(text, removal, stored.dependencies);
    this.#waitForProvider(step, node);
    return step;
  }

  #removal(text: string): Removal {
    let removal = this.#removals.get(text);
    if (removal === undefined) {
      const gate = this.#add({ kind: 'join' }, []);
      const early = this.#add({ kind: 'join' }, []);
      const late = this.#add({ kind: 'join' }, []);
      removal = { gate, early, late };
      this.#removals.set(text, removal);
    }
    return removal;
  }

  /** What objects of a resource were built on goes, or changes, only after them. */
  #orderAfter(text: string, removal: Removal, dependencies: readonly string[]): void {
    let seen = this.#ordered.get(text);
    if (seen === undefined) this.#ordered.set(text, (seen = new Set()));
    if (seen.has(dependencies)) return;
    seen.add(dependencies);
    for (const dependency of dependencies) {
      if (dependency === text) continue;
      const { gate } = this.#removal(dependency);
      this.#after(gate, removal.early);
      this.#after(gate, removal.late);
      const stage = this.#stages.get(dependency);
      if (stage !== undefined && this.#changing.has(dependency) && !this.#isNeededBy(text, dependency)) {
        this.#after(stage.before, removal.early);
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

  #waitForProvider(step: StepId, node: ResourceNode | undefined): void {
    const { program } = this.#sources;
    if (node === undefined || program === undefined) return;
    for (const id of program.dependencies.edgesOf(node.id)) {
      const done = program.nodes[id]?.kind === 'provider' ? this.#done[id] : undefined;
      if (done !== undefined) this.#after(step, done);
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

function changesInPlace(change: PlannedChange): boolean {
  switch (change.action) {
    case 'create':
    case 'update':
    case 'delete-then-create':
    case 'create-then-delete':
    case 'create-then-forget':
      return true;
    default:
      return false;
  }
}
