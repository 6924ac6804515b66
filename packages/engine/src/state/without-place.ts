import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';

/** Removes the range from a diagnostic of an address, since it does not refer to a file. */
export function withoutPlace(diagnostic: Diagnostic): Diagnostic {
  return errorDiagnostic(diagnostic.summary, diagnostic.detail);
}
