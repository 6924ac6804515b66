/** A binary heap of nodes: the highest priority first, and of equal ones the lowest number. */
export class ReadyHeap {
  readonly #priority: readonly number[];
  readonly #nodes: number[] = [];

  /** `priority` contains the priority of every node to be pushed. */
  constructor(priority: readonly number[]) {
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
      const above = nodes[parent] ?? 0;
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
      if (child + 1 < nodes.length && this.#before(nodes[child + 1] ?? 0, nodes[child] ?? 0))
        child++;
      if (!this.#before(nodes[child] ?? 0, last)) break;
      nodes[position] = nodes[child] ?? 0;
      position = child;
    }
    nodes[position] = last;
    return first;
  }

  #before(a: number, b: number): boolean {
    const difference = (this.#priority[a] ?? 0) - (this.#priority[b] ?? 0);
    return difference === 0 ? a < b : difference > 0;
  }
}
