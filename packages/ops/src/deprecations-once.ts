import { type Diagnostic, deprecationOrigin } from '@terrane/hcl';

/**
 * The diagnostics with each use of something deprecated told once, though it is seen when the
 * configuration is checked, when it is planned, and in each instance of a module or resource.
 */
export function deprecationsOnce(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const reported = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const origin = deprecationOrigin(diagnostic);
    if (origin === undefined) return true;
    const { detail, subject } = diagnostic;
    const place = subject === undefined ? [] : [subject.filename, subject.start, subject.end];
    const key = JSON.stringify([origin, detail, ...place]);
    if (reported.has(key)) return false;
    reported.add(key);
    return true;
  });
}
