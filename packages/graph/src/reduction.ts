import { type Graph, GraphBuilder } from './graph.ts';
import { orderOf } from './order.ts';

/**
 * Returns the transitive reduction: the graph with the fewest edges and the same reachability. The targets of each node
 * ascend.
 *
 * @throws RangeError if the graph has a cycle.
 */
export function transitiveReduction(graph: Graph): Graph {
  const { order, cycles } = orderOf(graph);
  if (cycles.length > 0) throw new RangeError('a graph with a cycle has no transitive reduction');
  const rank = new Uint32Array(graph.size);
  for (const [position, node] of order.entries()) rank[node] = position;
  const reduced = new GraphBuilder(graph.size);
  // The last start node that reached each node. Stale entries need no clearing, as each start node is compared.
  const reachedBy = new Int32Array(graph.size).fill(-1);
  for (let node = 0; node < graph.size; node++) {
    // A path to a target contains only nodes ordered between the two, so the last targets are visited first.
    const targets = [...new Set(graph.edgesOf(node))].sort(
      (a, b) => (rank[b] ?? 0) - (rank[a] ?? 0),
    );
    const lowest = targets.length === 0 ? 0 : (rank[targets[targets.length - 1] ?? 0] ?? 0);
    const reducedTargets: number[] = [];
    for (const target of targets) {
      if (reachedBy[target] === node) continue;
      reducedTargets.push(target);
      const stack = [target];
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        if (reachedBy[next] === node) continue;
        reachedBy[next] = node;
        for (const further of graph.edgesOf(next)) {
          if ((rank[further] ?? 0) >= lowest && reachedBy[further] !== node) stack.push(further);
        }
      }
    }
    for (const target of reducedTargets.sort((a, b) => a - b)) reduced.addEdge(node, target);
  }
  return reduced.build();
}
