import type { Step } from './step.ts';

/**
 * An operation that is impossible for the given values. This is `CtyError` for the lowest layer of the package, which
 * does not depend on values: `Key` is the type of collection keys.
 */
export class PathError<Key> extends Error {
  override readonly name: string = 'CtyError';
  readonly path: readonly Step<Key>[];

  constructor(message: string, path: readonly Step<Key>[] = []) {
    super(message);
    this.path = path;
  }

  /** Returns the same error with a path that is extended by an outer step. */
  under(step: Step<Key>): PathError<Key> {
    return new PathError(this.message, [step, ...this.path]);
  }
}
