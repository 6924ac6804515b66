import type { Path, PathStep } from './path.ts';

/** A fault of this program, never of the user: a broken promise between its parts. */
export class Bug extends Error {
  override readonly name: string = 'Bug';
}

/**
 * An operation on values that cannot be done because of the values given: a failed conversion, a missing attribute,
 * an operator on null. The message is a phrase in the words of the type system, without a full stop, ready to be
 * embedded in a diagnostic. `path` says where, relative to the value the caller gave.
 */
export class CtyError extends Error {
  override readonly name: string = 'CtyError';
  readonly path: Path;

  constructor(message: string, path: Path = []) {
    super(message);
    this.path = path;
  }

  /** The same error as seen from one level further out. */
  under(step: PathStep): CtyError {
    return new CtyError(this.message, [step, ...this.path]);
  }
}

/** Rethrows `error` with `step` put before its path if it is a {@link CtyError}, else as it is. */
export function rethrowUnder(error: unknown, step: PathStep): never {
  throw error instanceof CtyError ? error.under(step) : error;
}
