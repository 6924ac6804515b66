import { type Diagnostic, deprecationOrigin } from '@terrane/hcl';

/**
 * Returns the diagnostics without duplicate deprecation warnings. The same use is found during validation, planning and
 * in each instance of a module or resource.
 */
export function deprecationsOnce(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const reported = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const origin = deprecationOrigin(diagnostic);
    if (origin === undefined) return true;
    const { detail, subject } = diagnostic;
    const location = subject === undefined ? [] : [subject.filename, subject.start, subject.end];
    const key = JSON.stringify([origin, detail, ...location]);
    if (reported.has(key)) return false;
    reported.add(key);
    return true;
  });
}
