import { componentsOf } from './components.ts';
import type { Graph } from './graph.ts';

/**
 * The transitive closure of a graph as one row of bits per component. It uses nodes² / 8 bytes, which is suitable for
 * thousands of nodes, not for hundreds of thousands.
 */
export class Reachability {
  readonly #of: Uint32Array;
  readonly #words: number;
  readonly #rows: Uint32Array;
  // The range of words, from `low` to `high`, that may have bits in each row; most rows are nearly empty.
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;

  constructor(graph: Graph) {
    const { size } = graph;
    const components = componentsOf(graph);
    this.#of = components.of;
    this.#words = Math.ceil(size / 32);
    this.#rows = new Uint32Array(components.count * this.#words);
    this.#low = new Uint32Array(components.count).fill(this.#words);
    this.#high = new Uint32Array(components.count);
    // Components are numbered dependencies first, so the row of each target is complete by now.
    for (let component = 0; component < components.count; component++) {
      const end = components.starts[component + 1] ?? 0;
      for (let index = components.starts[component] ?? 0; index < end; index++) {
        this.#follow(graph, components.order[index] ?? 0, component);
      }
    }
  }

  /** Returns true if there is a path of at least one edge between the nodes. */
  has(from: number, to: number): boolean {
    const word = this.#rows[(this.#of[from] ?? 0) * this.#words + (to >>> 5)] ?? 0;
    return (word & (1 << (to & 31))) !== 0;
  }

  /** Returns the nodes that are reachable by at least one edge, ascending. */
  from(node: number): number[] {
    const nodes: number[] = [];
    const component = this.#of[node] ?? 0;
    const row = component * this.#words;
    for (let word = this.#low[component] ?? 0; word < (this.#high[component] ?? 0); word++) {
      let bits = this.#rows[row + word] ?? 0;
      while (bits !== 0) {
        const lowest = bits & -bits;
        nodes.push(word * 32 + 31 - Math.clz32(lowest));
        bits ^= lowest;
      }
    }
    return nodes;
  }

  #follow(graph: Graph, node: number, component: number): void {
    const row = component * this.#words;
    const { starts, targets } = graph;
    const end = starts[node + 1] ?? 0;
    for (let edge = starts[node] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      const word = target >>> 5;
      this.#rows[row + word] = (this.#rows[row + word] ?? 0) | (1 << (target & 31));
      this.#widen(component, word, word + 1);
      const other = this.#of[target] ?? 0;
      if (other !== component) this.#join(component, other);
    }
  }

  #join(component: number, other: number): void {
    const rows = this.#rows;
    const [low, high] = [this.#low[other] ?? 0, this.#high[other] ?? 0];
    const row = component * this.#words;
    const otherRow = other * this.#words;
    for (let word = low; word < high; word++) {
      rows[row + word] = (rows[row + word] ?? 0) | (rows[otherRow + word] ?? 0);
    }
    this.#widen(component, low, high);
  }

  #widen(component: number, low: number, high: number): void {
    if (low < (this.#low[component] ?? 0)) this.#low[component] = low;
    if (high > (this.#high[component] ?? 0)) this.#high[component] = high;
  }
}
