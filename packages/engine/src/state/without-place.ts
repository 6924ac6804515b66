import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';

/** A diagnostic of an address, whose place in that address would mislead: there is no such file. */
export function withoutPlace(diagnostic: Diagnostic): Diagnostic {
  return errorDiagnostic(diagnostic.summary, diagnostic.detail);
}
