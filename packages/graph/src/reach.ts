import { componentsOf } from './components.ts';
import { at, type Graph } from './graph.ts';

/**
 * The transitive closure of a graph as one row of bits per component. It takes nodes² / 8 bytes, so
 * it is for graphs of thousands of nodes, not of hundreds of thousands.
 */
export class Reachability {
  readonly #of: Uint32Array;
  readonly #words: number;
  readonly #rows: Uint32Array;

  constructor(graph: Graph) {
    const { size } = graph;
    const components = componentsOf(graph);
    this.#of = components.of;
    this.#words = Math.ceil(size / 32);
    this.#rows = new Uint32Array(components.count * this.#words);
    // Components are numbered dependencies first, so the row of each target is complete by now.
    for (let component = 0; component < components.count; component++) {
      const end = at(components.starts, component + 1);
      for (let index = at(components.starts, component); index < end; index++) {
        this.#follow(graph, at(components.order, index), component);
      }
    }
  }

  /** Returns true if a path of at least one edge leads from one node to the other. */
  has(from: number, to: number): boolean {
    const word = at(this.#rows, at(this.#of, from) * this.#words + (to >>> 5));
    return (word & (1 << (to & 31))) !== 0;
  }

  /** The nodes that a path of at least one edge leads to, ascending. */
  from(node: number): number[] {
    const found: number[] = [];
    const row = at(this.#of, node) * this.#words;
    for (let word = 0; word < this.#words; word++) {
      let bits = at(this.#rows, row + word);
      while (bits !== 0) {
        const lowest = bits & -bits;
        found.push(word * 32 + 31 - Math.clz32(lowest));
        bits ^= lowest;
      }
    }
    return found;
  }

  #follow(graph: Graph, node: number, component: number): void {
    const row = component * this.#words;
    for (const target of graph.edgesOf(node)) {
      const word = row + (target >>> 5);
      this.#rows[word] = at(this.#rows, word) | (1 << (target & 31));
      const other = at(this.#of, target);
      if (other !== component) this.#join(row, other * this.#words);
    }
  }

  #join(row: number, other: number): void {
    for (let word = 0; word < this.#words; word++) {
      this.#rows[row + word] = at(this.#rows, row + word) | at(this.#rows, other + word);
    }
  }
}
