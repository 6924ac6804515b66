/**
 * A directed graph whose nodes are the integers 0 … size-1, with its edges packed by source node:
 * the targets of `node` are `targets[starts[node]]` up to, not including, `targets[starts[node+1]]`.
 * By convention an edge goes from a node to one that it depends on. Repeated edges are allowed.
 *
 * Indices in this package are valid; `?? 0` after an element only satisfies the compiler. Loops index arrays directly,
 * because a shared accessor would be megamorphic, and thus slow.
 */
export class Graph {
  readonly size: number;
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;

  constructor(size: number, starts: Uint32Array, targets: Uint32Array) {
    this.size = size;
    this.starts = starts;
    this.targets = targets;
  }

  /** The targets of one node, as a view that shares the graph's memory. */
  edgesOf(node: number): Uint32Array {
    return this.targets.subarray(this.starts[node], this.starts[node + 1]);
  }
}

/** Collects nodes and edges in any order; `build` packs them in time linear in both. */
export class GraphBuilder {
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #size: number;

  /** Starts with `size` nodes, 0 … size-1, and no edges. */
  constructor(size = 0) {
    this.#size = size;
  }

  /** Adds a node and returns its number. */
  addNode(): number {
    return this.#size++;
  }

  /** Adds an edge, by convention from a node to one that it depends on. Both nodes must exist. */
  addEdge(from: number, to: number): void {
    if (!(from >= 0 && from < this.#size && to >= 0 && to < this.#size))
      throw invalidEdge(from, to, this.#size);
    this.#from.push(from);
    this.#to.push(to);
  }

  /** Returns the graph of the added nodes and edges; the targets of a node keep their insertion order. */
  build(): Graph {
    return pack(this.#size, this.#from, this.#to);
  }
}

/** The graph in which `targets[node]` lists the targets of each node. */
export function graphOf(targets: readonly (readonly number[])[]): Graph {
  const size = targets.length;
  const starts = new Uint32Array(size + 1);
  for (let from = 0; from < size; from++)
    starts[from + 1] = (starts[from] ?? 0) + (targets[from]?.length ?? 0);
  const packed = new Uint32Array(starts[size] ?? 0);
  let edge = 0;
  for (let from = 0; from < size; from++) {
    const list = targets[from] ?? [];
    for (let i = 0; i < list.length; i++) {
      const to = list[i] ?? 0;
      if (!(to >= 0 && to < size)) throw invalidEdge(from, to, size);
      packed[edge++] = to;
    }
  }
  return new Graph(size, starts, packed);
}

/** The error about an edge with a node that does not exist. */
function invalidEdge(from: number, to: number, size: number): RangeError {
  return new RangeError(`edge ${from} → ${to} leaves a graph of ${size} nodes`);
}

/** Returns the graph with all edges reversed: from a dependency to its dependents. */
export function reversed(graph: Graph): Graph {
  const sources = new Uint32Array(graph.targets.length);
  for (let node = 0; node < graph.size; node++) {
    sources.fill(node, graph.starts[node], graph.starts[node + 1]);
  }
  return pack(graph.size, graph.targets, sources);
}

/** Counting sort of the edges by their source. */
function pack(size: number, from: ArrayLike<number>, to: ArrayLike<number>): Graph {
  const starts = new Uint32Array(size + 1);
  for (let edge = 0; edge < from.length; edge++) {
    const after = (from[edge] ?? 0) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let node = 0; node < size; node++) {
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  }
  const next = starts.slice(0, size);
  const targets = new Uint32Array(from.length);
  for (let edge = 0; edge < from.length; edge++) {
    const source = from[edge] ?? 0;
    const position = next[source] ?? 0;
    targets[position] = to[edge] ?? 0;
    next[source] = position + 1;
  }
  return new Graph(size, starts, targets);
}
