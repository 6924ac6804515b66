import {
  evaluate,
  hasErrors,
  parseExpression,
  Source,
  type Diagnostic,
  type Scope,
} from '@terrane/hcl';
import { showExactly, showType } from './show-exactly.ts';

/** Formats the result of an expression as the oracle program does. */
export interface Answer {
  readonly expression: string;
  readonly type?: unknown;
  readonly value?: unknown;
  /** `from-to Summary: detail`, with the bytes of the expression that the error is about */
  readonly errors?: readonly string[];
  /** panic message of the reference implementation */
  readonly panic?: string;
}

/** Evaluates an expression and returns the result in the format of the oracle program. */
export function answer(expression: string, scope: Scope): Answer {
  const parsed = parseExpression(new Source('', expression));
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  if (parsed.expression !== undefined && !hasErrors(diagnostics)) {
    const value = evaluate(parsed.expression, scope, diagnostics);
    if (!hasErrors(diagnostics)) {
      return { expression, type: showType(value), value: showExactly(value) };
    }
  }
  const errors = diagnostics.map(({ summary, detail, subject }) => {
    const at = subject === undefined ? '' : `${subject.from.byte}-${subject.to.byte}`;
    return `${at} ${summary}: ${detail}`;
  });
  return { expression, errors };
}
