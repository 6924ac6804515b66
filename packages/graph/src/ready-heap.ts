import { at } from './graph.ts';

/** A binary heap of nodes: the highest priority first, and of equal ones the lowest number. */
export class ReadyHeap {
  readonly #priority: Float64Array;
  readonly #nodes: number[] = [];

  /** `priority` holds the priority of every node that will be pushed. */
  constructor(priority: Float64Array) {
    this.#priority = priority;
  }

  get size(): number {
    return this.#nodes.length;
  }

  push(node: number): void {
    const nodes = this.#nodes;
    let place = nodes.length;
    nodes.push(node);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = at(nodes, parent);
      if (!this.#before(node, above)) break;
      nodes[place] = above;
      place = parent;
    }
    nodes[place] = node;
  }

  /** Removes and returns the first node; undefined if the heap is empty. */
  pop(): number | undefined {
    const nodes = this.#nodes;
    const first = nodes[0];
    const last = nodes.pop();
    if (first === undefined || last === undefined || nodes.length === 0) return first;
    let place = 0;
    for (let child = 1; child < nodes.length; child = 2 * place + 1) {
      if (child + 1 < nodes.length && this.#before(at(nodes, child + 1), at(nodes, child))) child++;
      if (!this.#before(at(nodes, child), last)) break;
      nodes[place] = at(nodes, child);
      place = child;
    }
    nodes[place] = last;
    return first;
  }

  #before(a: number, b: number): boolean {
    const difference = at(this.#priority, a) - at(this.#priority, b);
    return difference === 0 ? a < b : difference > 0;
  }
}
