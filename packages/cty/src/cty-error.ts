import type { Path, PathStep } from './path-step.ts';
import { PathError } from './path-error.ts';
import type { Value } from './value.ts';

/**
 * An operation on values that cannot be done because of the values given: a failed conversion, a missing attribute,
 * an operator on null. The message is a phrase in the words of the type system, without a full stop, ready to be
 * embedded in a diagnostic. `path` says where, relative to the value the caller gave.
 */
export type CtyError = PathError<Value>;

/** The class of {@link CtyError}. */
export const CtyError: {
  new (message: string, path?: Path): CtyError;
  readonly prototype: CtyError;
} = PathError;

/** Rethrows `error` with `step` put before its path if it is a {@link CtyError}, else as it is. */
export function rethrowUnder(error: unknown, step: PathStep): never {
  throw error instanceof CtyError ? error.under(step) : error;
}
