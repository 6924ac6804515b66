import { at } from './graph.ts';

/** A binary heap of nodes: the highest priority first, and of equal ones the lowest number. */
export class ReadyHeap {
  readonly #priority: Float64Array;
  readonly #nodes: number[] = [];

  /** `priority` contains the priority of every node to be pushed. */
  constructor(priority: Float64Array) {
    this.#priority = priority;
  }

  get size(): number {
    return this.#nodes.length;
  }

  push(node: number): void {
    const nodes = this.#nodes;
    let position = nodes.length;
    nodes.push(node);
    while (position > 0) {
      const parent = (position - 1) >> 1;
      const above = at(nodes, parent);
      if (!this.#before(node, above)) break;
      nodes[position] = above;
      position = parent;
    }
    nodes[position] = node;
  }

  /** Removes and returns the first node; undefined if the heap is empty. */
  pop(): number | undefined {
    const nodes = this.#nodes;
    const first = nodes[0];
    const last = nodes.pop();
    if (first === undefined || last === undefined || nodes.length === 0) return first;
    let position = 0;
    for (let child = 1; child < nodes.length; child = 2 * position + 1) {
      if (child + 1 < nodes.length && this.#before(at(nodes, child + 1), at(nodes, child))) child++;
      if (!this.#before(at(nodes, child), last)) break;
      nodes[position] = at(nodes, child);
      position = child;
    }
    nodes[position] = last;
    return first;
  }

  #before(a: number, b: number): boolean {
    const difference = at(this.#priority, a) - at(this.#priority, b);
    return difference === 0 ? a < b : difference > 0;
  }
}
