/**
 * The minimum number of entries at which dead entries are removed. A configuration of thousands of blocks, whose
 * addresses all live, stays below.
 */
const MIN_SWEEP_SIZE = 4096;

/**
 * Canonical objects by key, weakly referenced, so that a long-running program does not retain every address. The cost
 * of removing dead entries is spread over the insertions.
 */
export class InternTable<K, V extends object> {
  readonly #entries: Map<K, WeakRef<V>> = new Map();
  #sweepAt = MIN_SWEEP_SIZE;

  /** Number of entries, dead ones included. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the object of a key; undefined if it does not exist or has been collected. */
  get(key: K): V | undefined {
    return this.#entries.get(key)?.deref();
  }

  set(key: K, value: V): void {
    if (this.#entries.size >= this.#sweepAt) this.#sweep();
    this.#entries.set(key, new WeakRef(value));
  }

  /** Removes dead entries. The next sweep takes place when the table has doubled in size. */
  #sweep(): void {
    this.#entries.forEach((reference, key) => {
      if (reference.deref() === undefined) this.#entries.delete(key);
    });
    this.#sweepAt = Math.max(MIN_SWEEP_SIZE, 2 * this.#entries.size);
  }
}
