import { componentsOf, type Graph, GraphBuilder, reversed } from '@terrane/graph';

/** The number of passes over the layers that move nodes closer to their neighbours. */
const SWEEPS = 4;

/**
 * Arranges nodes in columns, each from top to bottom: a node is to the right of all its dependencies and near its
 * neighbours. Cycles are broken by ignoring edges. A layer that is higher than `maxHeight` takes several columns.
 * Takes time linear in nodes and edges except for sorting.
 */
export function layeredColumns(
  cyclic: Graph,
  heightOf: (node: number) => number,
  maxHeight: number,
): readonly (readonly number[])[] {
  const graph = withoutCycles(cyclic);
  const layers = layersOf(graph);
  const dependents = reversed(graph.edges);
  const rank = new Float64Array(cyclic.size);
  const place = (layer: readonly number[]): void => {
    for (const [index, node] of layer.entries()) rank[node] = index - layer.length / 2;
  };
  for (const layer of layers) place(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const layer of isForward ? layers : layers.toReversed()) {
      const neighbours = isForward ? graph.edges : dependents;
      const desiredRank = new Map(
        layer.map((node) => [node, averageRank(neighbours.edgesOf(node), rank, node)]),
      );
      layer.sort((a, b) => (desiredRank.get(a) ?? 0) - (desiredRank.get(b) ?? 0) || a - b);
      place(layer);
    }
  }
  return layers.flatMap((layer) => split(layer, heightOf, maxHeight));
}

interface OrderedGraph {
  readonly edges: Graph;
  /** all nodes, dependencies first */
  readonly order: Uint32Array;
}

function withoutCycles(graph: Graph): OrderedGraph {
  const { order } = componentsOf(graph);
  const positions = new Uint32Array(graph.size);
  for (const [position, node] of order.entries()) positions[node] = position;
  const builder = new GraphBuilder(graph.size);
  for (const node of order) {
    for (const target of graph.edgesOf(node)) {
      if ((positions[target] ?? 0) < (positions[node] ?? 0)) builder.addEdge(node, target);
    }
  }
  return { edges: builder.build(), order };
}

/** Groups nodes by the length of the longest path that starts at them: nodes without edges first. */
function layersOf({ edges, order }: OrderedGraph): number[][] {
  const layers: number[][] = [];
  const layerOf = new Uint32Array(edges.size);
  for (const node of order) {
    let layer = 0;
    for (const target of edges.edgesOf(node)) layer = Math.max(layer, (layerOf[target] ?? 0) + 1);
    layerOf[node] = layer;
    (layers[layer] ??= []).push(node);
  }
  return layers;
}

function averageRank(neighbours: Uint32Array, rank: Float64Array, center: number): number {
  if (neighbours.length === 0) return rank[center] ?? 0;
  let sum = 0;
  for (const node of neighbours) sum += rank[node] ?? 0;
  return sum / neighbours.length;
}

function split(
  layer: readonly number[],
  heightOf: (node: number) => number,
  maxHeight: number,
): number[][] {
  const columns: number[][] = [];
  let height = Number.POSITIVE_INFINITY;
  for (const node of layer) {
    height += heightOf(node);
    if (height > maxHeight) {
      columns.push([]);
      height = heightOf(node);
    }
    columns.at(-1)?.push(node);
  }
  return columns;
}
