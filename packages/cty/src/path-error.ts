import type { Step } from './step.ts';

/**
 * An operation on values that cannot be done because of the values given. This is `CtyError` as the lowest parts of the
 * package know it, which do not know values: `Key` is what keys of collections are.
 */
export class PathError<Key> extends Error {
  override readonly name: string = 'CtyError';
  readonly path: readonly Step<Key>[];

  constructor(message: string, path: readonly Step<Key>[] = []) {
    super(message);
    this.path = path;
  }

  /** The same error as seen from one level further out. */
  under(step: Step<Key>): PathError<Key> {
    return new PathError(this.message, [step, ...this.path]);
  }
}
