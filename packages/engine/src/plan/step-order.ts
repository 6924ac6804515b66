import { componentsOf, GraphBuilder } from '@terrane/graph';
import type { StepId } from './step.ts';

/** The name of a class of edges. */
export type EdgeClass =
  | 'shrinking'
  | 'readability'
  | 'updates'
  | 'providers'
  | 'storedPlacement'
  | 'refreshedDependencies'
  | 'orphans'
  | 'dependents';

interface EdgeClassRow {
  readonly name: EdgeClass;
  /** The order that the edges define. */
  readonly order: string;
  /** The case of `steps.test.ts` that fails without the class. */
  readonly test: string;
}

/**
 * The classes of edges between steps that a cycle may drop, from the lowest priority to the highest. All other edges
 * are required.
 *
 * The state and the configuration can contradict each other: references may have been reversed since the last run, or a
 * provider may be configured from an object that is replaced. Their edges then form a cycle. Within each strongly
 * connected component the edges of the lowest class are dropped, until no cycle is left; edges outside of it stay.
 */
export const EDGE_CLASSES: readonly EdgeClassRow[] = [
  {
    name: 'shrinking',
    order: 'References to a resource are evaluated after its surplus instances are deleted.',
    test: 'users of a resource follow the deletion of its surplus instances',
  },
  {
    name: 'readability',
    order:
      'No dependency, but a run that is easier to follow: users of an object turn away from it after its deletion, the new object follows the old users, and check blocks read after all changes.',
    test: 'an object is updated after the deletion of what it no longer depends on',
  },
  {
    name: 'updates',
    order: 'A resource is updated in place after the objects that depended on it are deleted.',
    test: 'a resource is updated after the objects that depended on it are deleted',
  },
  {
    name: 'providers',
    order:
      'What a provider configuration depends on is deleted after the objects that this provider deletes.',
    test: 'what configures a provider is deleted after the objects of that provider',
  },
  {
    name: 'storedPlacement',
    order:
      'Whether an object is deleted before or after its replacement is created follows the state. The alternative follows the configuration.',
    test: 'an object that the state has as create_before_destroy is deleted after its users turned away',
  },
  {
    name: 'refreshedDependencies',
    order:
      'Dependencies that this run recorded count, not only those of the previous run. The alternative is those of the previous run.',
    test: 'a dependency that the refresh recorded orders the deletions',
  },
  {
    name: 'orphans',
    order:
      'An object without configuration that the state has as create_before_destroy is deleted after its users turned away. The alternative deletes it first.',
    test: 'an orphan that the state has as create_before_destroy is deleted after its users turned away',
  },
  {
    name: 'dependents',
    order:
      'A replaced object is deleted after everything that depended on it turned to the new object.',
    test: 'a replaced object is deleted after its users turned to the new one',
  },
];

const PRIORITIES: ReadonlyMap<EdgeClass, number> = new Map(
  EDGE_CLASSES.map(({ name }, priority) => [name, priority]),
);

/** An edge between steps that a cycle may drop. */
export interface DroppableEdge {
  readonly later: StepId;
  readonly earlier: StepId;
  /** If undefined, the edge is required, except in the components of `within`. */
  readonly class?: EdgeClass;
  /** A class that the edge has in some components only, chosen by the resources of their steps. */
  readonly within?: {
    readonly class: EdgeClass;
    readonly applies: (resources: ReadonlySet<string>) => boolean;
  };
  /** The configuration address of the resource that requires the order. */
  readonly resource: string;
}

/** An edge that takes effect once its resource has lost its edges of a class. No class: the edge is required. */
export interface AlternativeEdge {
  readonly later: StepId;
  readonly earlier: StepId;
  readonly replaces: EdgeClass;
  readonly resource: string;
  readonly class?: EdgeClass;
}

/** The edges between the steps of a plan. */
export class StepOrder {
  readonly #required: StepId[][] = [];
  #droppable: DroppableEdge[] = [];
  #alternatives: AlternativeEdge[] = [];
  readonly #without: EdgeClass | undefined;

  /** @param without a class to omit, for the test of the table */
  constructor(without?: EdgeClass) {
    this.#without = without;
  }

  /** Adds a step that depends on others. */
  addStep(after: StepId[]): StepId {
    this.#required.push(after);
    return this.#required.length - 1;
  }

  /** Adds a required edge. */
  require(later: StepId, earlier: StepId): void {
    this.#required[later]?.push(earlier);
  }

  /** Adds an edge that a cycle may drop. */
  prefer(edge: DroppableEdge): void {
    const without = this.#without;
    if (without === undefined || (edge.class !== without && edge.within?.class !== without))
      this.#droppable.push(edge);
  }

  /** Adds an edge, which is required if it has no class. */
  connect(edge: Omit<DroppableEdge, 'within'>): void {
    if (edge.class === undefined) this.require(edge.later, edge.earlier);
    else this.prefer(edge);
  }

  /** Adds an edge that takes effect in place of edges of a class. */
  provide(edge: AlternativeEdge): void {
    this.#alternatives.push(edge);
  }

  /**
   * Drops edges until no cycle has droppable ones, and returns the dependencies of each step.
   *
   * @param resourceOf returns the resource of a step; undefined for other steps
   */
  resolve(resourceOf: (step: StepId) => string | undefined): readonly (readonly StepId[])[] {
    while (this.#dropLowest(resourceOf));
    for (const { later, earlier } of this.#droppable) this.require(later, earlier);
    return internLists(this.#required);
  }

  /** Drops the lowest class of every component with a cycle. Returns whether any edge was dropped. */
  #dropLowest(resourceOf: (step: StepId) => string | undefined): boolean {
    const components = this.#components();
    // Most plans have no cycle: every step is a separate component.
    if (components.count === this.#required.length) return false;
    const inside = new Map<number, DroppableEdge[]>();
    for (const edge of this.#droppable) {
      const component = components.of[edge.later];
      if (component === undefined || component !== components.of[edge.earlier]) continue;
      const edges = inside.get(component);
      if (edges === undefined) inside.set(component, [edge]);
      else edges.push(edge);
    }
    const dropped = new Set<DroppableEdge>();
    for (const [component, edges] of inside) {
      const { starts, order } = components;
      const members = order.subarray(starts[component], starts[component + 1]);
      const resources = new Set([...members].flatMap((step) => resourceOf(step) ?? []));
      for (const edge of lowest(edges, resources)) dropped.add(edge);
    }
    this.#drop(dropped);
    return dropped.size > 0;
  }

  #components(): ReturnType<typeof componentsOf> {
    const graph = new GraphBuilder(this.#required.length);
    for (let later = 0; later < this.#required.length; later++)
      addEdges(graph, later, this.#required[later] ?? []);
    for (const { later, earlier } of this.#droppable) graph.addEdge(later, earlier);
    return componentsOf(graph.build());
  }

  /** Removes edges. A resource that has alternatives to a class changes over with all its edges of that class. */
  #drop(dropped: ReadonlySet<DroppableEdge>): void {
    const replaced = new Set(Array.from(dropped, keyOf));
    const provided = this.#alternatives.filter((edge) => replaced.has(keyOf(alternativeTo(edge))));
    const changedOver = new Set(provided.map((edge) => keyOf(alternativeTo(edge))));
    this.#alternatives = this.#alternatives.filter(
      (edge) => !changedOver.has(keyOf(alternativeTo(edge))),
    );
    this.#droppable = this.#droppable.filter(
      (edge) => !dropped.has(edge) && !changedOver.has(keyOf(edge)),
    );
    for (const { later, earlier, class: name, resource } of provided)
      this.connect({ later, earlier, resource, ...(name === undefined ? {} : { class: name }) });
  }
}

/** Adds the edges of one step. */
function addEdges(graph: GraphBuilder, later: StepId, after: readonly StepId[]): void {
  // Iterators of so many short lists cost more than their edges.
  for (let index = 0; index < after.length; index++) graph.addEdge(later, after[index] ?? 0);
}

function alternativeTo({
  replaces,
  resource,
}: AlternativeEdge): Pick<DroppableEdge, 'class' | 'resource'> {
  return { class: replaces, resource };
}

function keyOf(edge: Pick<DroppableEdge, 'class' | 'resource'>): string {
  return `${edge.class ?? ''} ${edge.resource}`;
}

/** Returns the edges of the lowest class that occurs among the edges of a component. */
function lowest(
  edges: readonly DroppableEdge[],
  resources: ReadonlySet<string>,
): readonly DroppableEdge[] {
  let minPriority = Infinity;
  let result: DroppableEdge[] = [];
  for (const edge of edges) {
    const name = edge.within?.applies(resources) === true ? edge.within.class : edge.class;
    const priority = name === undefined ? Infinity : (PRIORITIES.get(name) ?? Infinity);
    if (priority === Infinity || priority > minPriority) continue;
    if (priority < minPriority) result = [];
    minPriority = priority;
    result.push(edge);
  }
  return result;
}

/** Returns the lists with one object for equal lists of one step: most steps only follow the expansion of a resource. */
function internLists(lists: readonly (readonly StepId[])[]): readonly (readonly StepId[])[] {
  const internedLists = new Map<StepId, readonly StepId[]>();
  return lists.map((list) => {
    const [only] = list;
    if (list.length !== 1 || only === undefined) return list;
    const first = internedLists.get(only);
    if (first !== undefined) return first;
    internedLists.set(only, list);
    return list;
  });
}
