import { componentsOf } from './components.ts';
import { at, type Graph } from './graph.ts';

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
      const end = at(components.starts, component + 1);
      for (let index = at(components.starts, component); index < end; index++) {
        this.#follow(graph, at(components.order, index), component);
      }
    }
  }

  /** Returns true if there is a path of at least one edge between the nodes. */
  has(from: number, to: number): boolean {
    const word = at(this.#rows, at(this.#of, from) * this.#words + (to >>> 5));
    return (word & (1 << (to & 31))) !== 0;
  }

  /** Returns the nodes that are reachable by at least one edge, ascending. */
  from(node: number): number[] {
    const nodes: number[] = [];
    const component = at(this.#of, node);
    const row = component * this.#words;
    for (let word = at(this.#low, component); word < at(this.#high, component); word++) {
      let bits = at(this.#rows, row + word);
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
    for (const target of graph.edgesOf(node)) {
      const word = target >>> 5;
      this.#rows[row + word] = at(this.#rows, row + word) | (1 << (target & 31));
      this.#widen(component, word, word + 1);
      const other = at(this.#of, target);
      if (other !== component) this.#join(component, other);
    }
  }

  #join(component: number, other: number): void {
    const rows = this.#rows;
    const [low, high] = [at(this.#low, other), at(this.#high, other)];
    const row = component * this.#words;
    const otherRow = other * this.#words;
    for (let word = low; word < high; word++) {
      rows[row + word] = (rows[row + word] ?? 0) | (rows[otherRow + word] ?? 0);
    }
    this.#widen(component, low, high);
  }

  #widen(component: number, low: number, high: number): void {
    if (low < at(this.#low, component)) this.#low[component] = low;
    if (high > at(this.#high, component)) this.#high[component] = high;
  }
}
