/** Nodes that were taken from the queue, and are still in its list, at most. */
const MAX_TAKEN = 1024;

/**
 * A binary heap of nodes: the highest priority first, and of equal ones the lowest number. Nodes that are pushed in this
 * order, as the instances of a resource are, are in a queue beside the heap, where they cost no comparisons.
 */
export class ReadyHeap {
  readonly #priority: readonly number[];
  readonly #nodes: number[] = [];
  readonly #queue: number[] = [];
  #taken = 0;

  /** `priority` contains the priority of every node to be pushed. */
  constructor(priority: readonly number[]) {
    this.#priority = priority;
  }

  get size(): number {
    return this.#nodes.length + this.#queue.length - this.#taken;
  }

  push(node: number): void {
    const queue = this.#queue;
    if (queue.length === 0 || this.#before(queue.at(-1) ?? 0, node)) queue.push(node);
    else this.#pushToHeap(node);
  }

  #pushToHeap(node: number): void {
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

  /** Removes and returns the first node; undefined if there is none. */
  pop(): number | undefined {
    const queue = this.#queue;
    const queued = queue[this.#taken];
    const top = this.#nodes[0];
    if (queued === undefined || (top !== undefined && this.#before(top, queued)))
      return this.#popFromHeap();
    this.#taken++;
    if (this.#taken === queue.length) {
      queue.length = 0;
      this.#taken = 0;
    } else if (this.#taken > MAX_TAKEN && 2 * this.#taken > queue.length) {
      queue.splice(0, this.#taken);
      this.#taken = 0;
    }
    return queued;
  }

  #popFromHeap(): number | undefined {
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
