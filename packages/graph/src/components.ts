import type { Graph } from './graph.ts';

/** The strongly connected components of a graph, dependencies before dependents. */
export interface Components {
  /** The number of components. */
  readonly count: number;
  /** The component of each node. Every edge leads to the same or to a lower-numbered component. */
  readonly of: Uint32Array;
  /** All nodes, sorted by component: a dependency comes before its dependents unless they form a cycle. */
  readonly order: Uint32Array;
  /** The index in `order` at which each component starts, followed by the number of nodes. */
  readonly starts: Uint32Array;
}

const UNSEEN = 0;

/**
 * Tarjan's algorithm without recursion, linear in nodes and edges. The result depends only on the
 * numbering of the nodes and the order of their edges.
 */
export function componentsOf(graph: Graph): Components {
  const { size, starts, targets } = graph;
  const visit = new Uint32Array(size); // when each node was entered, from 1; UNSEEN before that
  const low = new Uint32Array(size); // the earliest open node that each one reaches
  const component = new Uint32Array(size).fill(NONE);
  const cursor = new Uint32Array(size); // the next edge to follow, per node on the path
  const path = new Uint32Array(size); // the nodes being explored, outermost first
  const open = new Uint32Array(size); // entered nodes whose component is not known yet
  const order = new Uint32Array(size);
  const bounds: number[] = [0];
  let clock = 0;
  let placed = 0;
  let opened = 0;

  for (let root = 0; root < size; root++) {
    if (visit[root] !== UNSEEN) continue;
    let depth = 0;
    path[0] = root;
    while (depth >= 0) {
      const node = path[depth] ?? 0;
      if (visit[node] === UNSEEN) {
        visit[node] = ++clock;
        low[node] = clock;
        cursor[node] = starts[node] ?? 0;
        open[opened++] = node;
      }
      const edge = cursor[node] ?? 0;
      if (edge < (starts[node + 1] ?? 0)) {
        const target = targets[edge] ?? 0;
        cursor[node] = edge + 1;
        if (visit[target] === UNSEEN) path[++depth] = target;
        else if (component[target] === NONE) lower(low, node, visit[target] ?? 0);
        continue;
      }
      if (low[node] === visit[node]) {
        const first = placed;
        for (let member = NONE; member !== node; placed++) {
          member = open[--opened] ?? 0;
          component[member] = bounds.length - 1;
          order[placed] = member;
        }
        if (placed - first > 1) order.subarray(first, placed).reverse();
        bounds.push(placed);
      }
      depth--;
      if (depth >= 0) lower(low, path[depth] ?? 0, low[node] ?? 0);
    }
  }
  return { count: bounds.length - 1, of: component, order, starts: Uint32Array.from(bounds) };
}

/** Marks the absence of a component or node. */
const NONE = 0xffffffff;

function lower(low: Uint32Array, node: number, value: number): void {
  if (value < (low[node] ?? 0)) low[node] = value;
}
