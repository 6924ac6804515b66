import { CtyError, limitError, type Value } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, DiagnosticExtra, Expression, Scope } from '../model.ts';
import type { Range } from '../source/source.ts';
import { frozenScope } from './scope.ts';

/** Evaluates an expression. A parameter of the parts of the evaluator, which call each other recursively. */
export type Evaluate = (
  expression: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
) => Value;

/** The range of an evaluation error and the operation that was evaluated. */
export interface FaultPlace {
  readonly subject: Range;
  readonly context?: Range | undefined;
  readonly expression: Expression;
  readonly scope: Scope | undefined;
  readonly extra?: DiagnosticExtra | undefined;
}

/** Reports an evaluation error with the current scope. */
export function reportFault(
  diagnostics: Diagnostic[],
  summary: string,
  detail: string,
  origin: FaultPlace,
): void {
  const scope = frozenScope(origin.scope);
  diagnostics.push(
    errorDiagnostic(summary, detail, origin.subject, {
      ...(origin.context === undefined ? {} : { context: origin.context }),
      expression: origin.expression,
      ...(scope === undefined ? {} : { scope }),
      ...(origin.extra === undefined ? {} : { extra: origin.extra }),
    }),
  );
}

/** Returns the message of an error about values. Rethrows any other error, which is internal. */
export function faultMessage(error: unknown): string {
  const ctyError = error instanceof CtyError ? error : limitError(error);
  if (ctyError === undefined) throw error;
  return ctyError.message;
}
