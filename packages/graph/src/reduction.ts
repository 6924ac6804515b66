import { at, type Graph, GraphBuilder } from './graph.ts';
import { orderOf } from './order.ts';

/**
 * The fewest edges that lead to the same places: without repeated edges and without those that a longer path makes
 * superfluous. The targets of each node ascend.
 *
 * @throws RangeError where the graph has a cycle, in which no edges are fewest.
 */
export function transitiveReduction(graph: Graph): Graph {
  const { order, cycles } = orderOf(graph);
  if (cycles.length > 0) throw new RangeError('a graph with a cycle has no transitive reduction');
  const rank = new Uint32Array(graph.size);
  for (const [place, node] of order.entries()) rank[node] = place;
  const reduced = new GraphBuilder(graph.size);
  // Which node reached a node last: no clearing between one node and the next.
  const reachedBy = new Int32Array(graph.size).fill(-1);
  for (let node = 0; node < graph.size; node++) {
    // A path to a target leads only through nodes between the two, so the last targets are visited first.
    const targets = [...new Set(graph.edgesOf(node))].sort((a, b) => at(rank, b) - at(rank, a));
    const lowest = targets.length === 0 ? 0 : at(rank, at(targets, targets.length - 1));
    const kept: number[] = [];
    for (const target of targets) {
      if (reachedBy[target] === node) continue;
      kept.push(target);
      const stack = [target];
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        if (reachedBy[next] === node) continue;
        reachedBy[next] = node;
        for (const further of graph.edgesOf(next)) {
          if (at(rank, further) >= lowest && reachedBy[further] !== node) stack.push(further);
        }
      }
    }
    for (const target of kept.sort((a, b) => a - b)) reduced.addEdge(node, target);
  }
  return reduced.build();
}
