import { type Graph, orderOf, reversed } from '@terrane/graph';

/** The positions of nodes: the centre of each, in cells one node wide and high. */
export interface Layout {
  /** the column of each node */
  readonly columns: Float64Array;
  readonly rows: Float64Array;
  /** cells from the left to the right, and from the top to the bottom */
  readonly width: number;
  readonly height: number;
}

/** The number of passes over the layers that move nodes closer to their neighbours. */
const SWEEPS = 4;

/**
 * Lays out an acyclic graph: each node is to the right of all its dependencies and close to its neighbours, in linear
 * time except for sorting. A layer with very many nodes takes several columns, so that a large drawing is about as wide
 * as high.
 */
export function layeredLayout(graph: Graph): Layout {
  const { size } = graph;
  const layers = layersOf(graph);
  const dependents = reversed(graph);
  const rank = new Float64Array(size);
  const assignPositions = (layer: readonly number[]): void => {
    for (const [index, node] of layer.entries()) rank[node] = index - layer.length / 2;
  };
  for (const layer of layers) assignPositions(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forth = sweep % 2 === 0;
    for (const layer of forth ? layers : layers.toReversed()) {
      const neighbours = forth ? graph : dependents;
      const wish = new Map(
        layer.map((node) => [node, middleOf(neighbours.edgesOf(node), rank, node)]),
      );
      layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a - b);
      assignPositions(layer);
    }
  }
  return inColumns(layers, size);
}

/** Groups nodes by the length of the longest path that starts at them: nodes without edges first. */
function layersOf(graph: Graph): number[][] {
  const layers: number[][] = [];
  const layerOf = new Uint32Array(graph.size);
  for (const node of orderOf(graph).order) {
    let layer = 0;
    for (const target of graph.edgesOf(node)) layer = Math.max(layer, (layerOf[target] ?? 0) + 1);
    layerOf[node] = layer;
    (layers[layer] ??= []).push(node);
  }
  return layers;
}

function middleOf(neighbours: Uint32Array, rank: Float64Array, center: number): number {
  if (neighbours.length === 0) return rank[center] ?? 0;
  let sum = 0;
  for (const node of neighbours) sum += rank[node] ?? 0;
  return sum / neighbours.length;
}

function inColumns(layers: readonly (readonly number[])[], size: number): Layout {
  const columns = new Float64Array(size);
  const rows = new Float64Array(size);
  // A node is about five times as wide as it is high.
  const height = Math.max(12, Math.ceil(Math.sqrt(size * 5)));
  let column = 0;
  let highest = 0;
  for (const layer of layers) {
    for (let start = 0; start < layer.length; start += height) {
      const part = layer.slice(start, start + height);
      highest = Math.max(highest, part.length);
      for (const [index, node] of part.entries()) {
        columns[node] = column;
        rows[node] = index - (part.length - 1) / 2;
      }
      column += 1;
    }
  }
  for (let node = 0; node < size; node++) rows[node] = (rows[node] ?? 0) + (highest - 1) / 2;
  return { columns, rows, width: column, height: highest };
}
