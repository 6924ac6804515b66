import type { Path } from './path-step.ts';
import { pathKey } from './path.ts';

/** An insertion-ordered set of paths. */
export class PathSet {
  readonly #paths = new Map<string, Path>();

  constructor(paths: Iterable<Path> = []) {
    for (const path of paths) this.add(path);
  }

  /** Adds a path, if it is not there yet. */
  add(p: Path): void {
    const key = pathKey(p);
    if (!this.#paths.has(key)) this.#paths.set(key, p);
  }

  /** Adds the path and all its prefixes. */
  addAllSteps(p: Path): void {
    for (let length = 1; length <= p.length; length++) this.add(p.slice(0, length));
  }

  /** Returns true if the path is in the set. */
  has(p: Path): boolean {
    return this.#paths.has(pathKey(p));
  }

  /** Returns all paths. */
  list(): Path[] {
    return [...this.#paths.values()];
  }

  /** The number of paths. */
  get size(): number {
    return this.#paths.size;
  }
}
