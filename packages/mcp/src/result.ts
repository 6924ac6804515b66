import type { Diagnostic } from '@terrane/hcl';

/** The maximum number of characters in a result. Longer results become an error that suggests a smaller selection. */
const MAX_LENGTH = 60_000;

/** The result of a tool, as data that is sent as JSON. */
export interface ToolOutcome {
  readonly data: unknown;
  readonly isError?: boolean;
}

/** A diagnostic without the source text around it, which may contain secrets. */
export interface PlainProblem {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
  readonly file?: string;
  readonly line?: number;
}

/** Converts diagnostics. Sources and values of expressions are omitted. */
export function plainProblems(diagnostics: readonly Diagnostic[]): readonly PlainProblem[] {
  return diagnostics.map(({ severity, summary, detail, address, subject }) => ({
    severity,
    summary,
    detail,
    ...(address === undefined ? {} : { address }),
    ...(subject === undefined ? {} : { file: subject.filename, line: subject.from.line }),
  }));
}

/** A failed call of a tool. */
export function failure(message: string, problems: readonly Diagnostic[] = []): ToolOutcome {
  return { data: { error: message, diagnostics: plainProblems(problems) }, isError: true };
}

/** Formats a result; a result that is too long becomes an error that says so. */
export function resultText({ data }: ToolOutcome): {
  readonly text: string;
  readonly fits: boolean;
} {
  const text = JSON.stringify(data, undefined, 1);
  if (text.length <= MAX_LENGTH) return { text, fits: true };
  const error = `The result has ${text.length} characters, more than ${MAX_LENGTH}. Ask for less: a page with "limit" and "offset", one address, or one path.`;
  return { text: JSON.stringify({ error }), fits: false };
}

/** A page of a list. */
export function page<T>(
  items: readonly T[],
  { offset = 0, limit = 20 }: { readonly offset?: number; readonly limit?: number },
): {
  readonly total: number;
  readonly offset: number;
  readonly next?: number;
  readonly items: readonly T[];
} {
  const end = offset + limit;
  return {
    total: items.length,
    offset,
    ...(end < items.length ? { next: end } : {}),
    items: items.slice(offset, end),
  };
}
