import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { type PlainDiagnostic, plainDiagnostic } from '../plain-results.ts';

/** A failed operation of a working directory. Its message contains all errors as the program prints them. */
export class RunError extends Error {
  override readonly name = 'RunError';
  /** all diagnostics of the operation, including warnings */
  readonly diagnostics: readonly PlainDiagnostic[];

  constructor(diagnostics: readonly PlainDiagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    super(errors.map((each) => each.format()).join('\n\n'));
    this.diagnostics = diagnostics;
  }
}

/** Converts the diagnostics of an operation. Throws a {@link RunError} if there are errors. */
export function checkedDiagnostics(diagnostics: readonly Diagnostic[]): readonly PlainDiagnostic[] {
  const plain = diagnostics.map(plainDiagnostic);
  if (hasErrors(diagnostics)) throw new RunError(plain);
  return plain;
}
