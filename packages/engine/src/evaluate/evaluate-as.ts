import { convert, CtyError, type Type, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Scope,
} from '@terrane/hcl';

/** The value of an expression as a type that it converts to; undefined after errors, which are reported. */
export function evaluateAs(
  expression: Expression,
  target: Type,
  scope: Scope,
  diagnostics: Diagnostic[],
): Value | undefined {
  const before = diagnostics.length;
  const value = evaluate(expression, scope, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  try {
    return convert(value, target);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Incorrect value type',
        `Invalid expression value: ${error.message}.`,
        expression.range,
        { expression, scope },
      ),
    );
    return undefined;
  }
}
