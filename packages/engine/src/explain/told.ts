import type { Cause } from './model.ts';

/** Deeper than this a chain is not followed: what is behind it is told where that is explained. */
const DEEPEST = 60;

/** What was told already, of one thing that is explained. */
export class Told {
  readonly #told = new Set<string>();
  #depth = 0;

  /** What is behind something, unless that was told before or lies too deep. */
  once(key: string, find: () => readonly Cause[]): Pick<Cause, 'causes' | 'told'> {
    if (this.#told.has(key) || this.#depth >= DEEPEST) return { causes: [], told: true };
    this.#told.add(key);
    this.#depth++;
    try {
      return { causes: find() };
    } finally {
      this.#depth--;
    }
  }
}
