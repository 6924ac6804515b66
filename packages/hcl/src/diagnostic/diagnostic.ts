import type {
  AssertionExtra,
  CheckExtra,
  Comparison,
  DeprecationExtra,
  Diagnostic,
  DiagnosticExtra,
} from '../model.ts';
import type { Range } from '../source/source.ts';

/** An error. `more` adds or replaces fields. */
export function errorDiagnostic(
  summary: string,
  detail: string,
  subject?: Range,
  more?: Partial<Diagnostic>,
): Diagnostic {
  return make('error', summary, detail, subject, more);
}

/** A warning. `more` adds or replaces fields. */
export function warningDiagnostic(
  summary: string,
  detail: string,
  subject?: Range,
  more?: Partial<Diagnostic>,
): Diagnostic {
  return make('warning', summary, detail, subject, more);
}

function make(
  severity: 'error' | 'warning',
  summary: string,
  detail: string,
  subject: Range | undefined,
  more: Partial<Diagnostic> | undefined,
): Diagnostic {
  const base =
    subject === undefined ? { severity, summary, detail } : { severity, summary, detail, subject };
  return more === undefined ? base : { ...base, ...more };
}

/** Returns true if any of the diagnostics, from an index on, is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[], from = 0): boolean {
  for (let i = from; i < diagnostics.length; i++) {
    if (diagnostics[i]?.severity === 'error') {
      return true;
    }
  }
  return false;
}

/** Returns the deprecated object if the diagnostic is a deprecation warning. */
export function deprecationOrigin({ extra }: Diagnostic): string | undefined {
  return extra !== undefined && isDeprecation(extra) ? extra.origin : undefined;
}

/** Returns true if the diagnostic warns about a deprecated object of a remote package. */
export function isRemoteDeprecation({ extra }: Diagnostic): boolean {
  return extra !== undefined && isDeprecation(extra) && extra.isRemote;
}

/** Returns the condition that caused a diagnostic; undefined if none did. */
export function checkOrigin({ extra }: Diagnostic): CheckExtra | undefined {
  return extra !== undefined && isCheck(extra) ? extra : undefined;
}

/** Returns the comparison of a failed assertion. */
export function comparisonOf({ extra }: Diagnostic): Comparison | undefined {
  return extra !== undefined && isAssertion(extra) ? extra.compared : undefined;
}

function isAssertion(extra: DiagnosticExtra): extra is AssertionExtra {
  return extra.kind === 'assertion';
}

function isCheck(extra: DiagnosticExtra): extra is CheckExtra {
  return (extra.kind === 'check' || extra.kind === 'checkData') && 'object' in extra;
}

// The kinds are an open set, so the compiler cannot narrow them.
function isDeprecation(extra: DiagnosticExtra): extra is DeprecationExtra {
  return extra.kind === 'deprecation';
}

/**
 * Sorts diagnostics in the order in which Terraform prints them: warnings before errors, those without a range first,
 * files with fewer path segments first, then by name, then by position. The sort is stable.
 */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .map((diagnostic) => ({ diagnostic, key: sortKey(diagnostic) }))
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map((entry) => entry.diagnostic);
}

interface SortKey {
  readonly severity: number;
  readonly file: string | undefined;
  readonly segments: number;
  readonly start: number;
  readonly end: number;
}

function sortKey(diagnostic: Diagnostic): SortKey {
  const subject = diagnostic.subject;
  const severity = diagnostic.severity === 'warning' ? 0 : 1;
  if (subject === undefined) {
    return { severity, file: undefined, segments: 0, start: 0, end: 0 };
  }
  return {
    severity,
    file: subject.filename,
    segments: subject.filename.split(/[/\\]/).length,
    start: subject.from.byte,
    end: subject.to.byte,
  };
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a.severity !== b.severity) {
    return a.severity - b.severity;
  }
  if (a.file === undefined || b.file === undefined) {
    return (a.file === undefined ? 0 : 1) - (b.file === undefined ? 0 : 1);
  }
  if (a.file !== b.file) {
    return a.segments !== b.segments ? a.segments - b.segments : a.file < b.file ? -1 : 1;
  }
  return a.start !== b.start ? a.start - b.start : a.end - b.end;
}
