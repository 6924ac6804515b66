import type { Cause } from './model.ts';

/** The greatest length of a chain of causes; longer chains are explained at their links only. */
const MAX_DEPTH = 60;

/** The links of chains that one explanation has visited. */
export class Visited {
  readonly #keys = new Set<string>();
  #depth = 0;

  /** Returns the causes behind a link, unless the explanation contains them already or the chain is too long. */
  once(key: string, find: () => readonly Cause[]): Pick<Cause, 'causes' | 'isExplainedElsewhere'> {
    if (this.#keys.has(key) || this.#depth >= MAX_DEPTH)
      return { causes: [], isExplainedElsewhere: true };
    this.#keys.add(key);
    this.#depth++;
    try {
      return { causes: find() };
    } finally {
      this.#depth--;
    }
  }
}
