import type { Path, PathStep } from './path-step.ts';
import { PathError } from './path-error.ts';
import type { Value } from './value.ts';

/**
 * An operation that is impossible for the given values: a failed conversion, a missing attribute, an operator on null.
 * The message is a phrase of the type system without a full stop, ready to be embedded in a diagnostic. `path` is
 * relative to the caller's value.
 */
export type CtyError = PathError<Value>;

/** The class of {@link CtyError}. */
export const CtyError: {
  new (message: string, path?: Path): CtyError;
  readonly prototype: CtyError;
} = PathError;

/** Rethrows `error`, with `step` prepended to its path if it is a {@link CtyError}. */
export function rethrowUnder(error: unknown, step: PathStep): never {
  throw error instanceof CtyError ? error.under(step) : error;
}
