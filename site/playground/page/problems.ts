import type { Problem } from './editor.ts';

/** A position in the output of `validate -json`. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** The part of the output of `validate -json` that the editor marks. */
interface Validation {
  readonly diagnostics: readonly {
    readonly severity: 'error' | 'warning';
    readonly summary: string;
    readonly detail?: string;
    readonly range?: {
      readonly filename: string;
      readonly start: Position;
      readonly end: Position;
    };
  }[];
}

/** Reads the problems of each file from the output of `validate -json`; none if there is no such output. */
export function problemsByFile(json: string): ReadonlyMap<string, readonly Problem[]> {
  const problems = new Map<string, Problem[]>();
  if (!json.trimStart().startsWith('{')) return problems;
  const { diagnostics } = JSON.parse(json) as Validation;
  for (const { severity, summary, detail = '', range } of diagnostics) {
    if (range === undefined) continue;
    const message = detail === '' ? summary : `${summary}\n${detail}`;
    const { start, end } = range;
    const problem = {
      severity,
      message,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
    };
    problems.set(range.filename, [...(problems.get(range.filename) ?? []), problem]);
  }
  return problems;
}
