import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';

/** The most syntax errors of a file that are reported; a file that is no text would have one for each byte. */
const MOST = 20;

/** Returns the first diagnostics of a file, and how many more there are. */
export function boundedDiagnostics(path: string, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  if (diagnostics.length <= MOST) return [...diagnostics];
  const detail = `The file ${path} has ${diagnostics.length - MOST} further syntax errors. Correct those above first, and check that it is a text file.`;
  return [...diagnostics.slice(0, MOST), errorDiagnostic('More syntax errors', detail)];
}
