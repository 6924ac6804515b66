import { type Components, componentsOf } from './components.ts';
import type { Graph } from './graph.ts';

/** A topological order of a graph, and the cycles that prevent one. */
export interface Order {
  /** All nodes, each after its dependencies, unless the two are on a common cycle. */
  readonly order: Uint32Array;
  /** The nodes of each cycle, ascending; empty without cycles. */
  readonly cycles: readonly (readonly number[])[];
}

/** Orders a graph, dependencies first, and finds its cycles; linear in nodes and edges. */
export function orderOf(graph: Graph): Order {
  const components = componentsOf(graph);
  return { order: components.order, cycles: cyclesOf(graph, components) };
}

/** Returns the members of each cyclic component: more than one node, or an edge to itself. */
function cyclesOf(graph: Graph, components: Components): number[][] {
  const cycles: number[][] = [];
  const { order, starts } = components;
  for (let component = 0; component < components.count; component++) {
    // Views are created for cycles only: they cost more than all else here.
    const start = starts[component] ?? 0;
    const end = starts[component + 1] ?? 0;
    if (end - start > 1 || hasEdgeToItself(graph, order[start] ?? 0)) {
      cycles.push([...order.subarray(start, end)].sort((a, b) => a - b));
    }
  }
  return cycles;
}

function hasEdgeToItself({ starts, targets }: Graph, node: number): boolean {
  const end = starts[node + 1] ?? 0;
  for (let edge = starts[node] ?? 0; edge < end; edge++) if (targets[edge] === node) return true;
  return false;
}

/**
 * Returns a shortest cycle through `start`, each node once: every node depends on the next one and the last on the
 * first. Returns undefined if `start` is on no cycle.
 */
export function cycleThrough(graph: Graph, start: number): number[] | undefined {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] ?? 0;
    for (const target of graph.edgesOf(node)) {
      if (target === start) return pathTo(node, start, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return undefined;
}

function pathTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path: number[] = [];
  for (let node: number | undefined = end; node !== undefined; node = cameFrom.get(node)) {
    path.push(node);
    if (node === start) break;
  }
  return path.reverse();
}
