import { BOOL, convert, CtyError, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, evaluate, type Expression } from '@terrane/hcl';
import { errorCount } from '../evaluate/expansion.ts';
import { formatCtyError } from '../lang/format-error.ts';
import { takeDeprecations, type WarningScope } from '../config/deprecations.ts';

/** Evaluates a trigger condition. Returns undefined if the result is unknown, or after errors. */
export function conditionOf(
  condition: Expression,
  scope: WarningScope,
  diagnostics: Diagnostic[],
): boolean | undefined {
  const before = errorCount(diagnostics);
  const evaluated = evaluate(condition, scope, diagnostics);
  if (errorCount(diagnostics) > before) return undefined;
  const at = { expression: condition, scope };
  const undeprecated = takeDeprecations(evaluated, condition.range, scope.warnsFor, diagnostics);
  let value: Value;
  try {
    value = convert(undeprecated, BOOL);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Invalid expression value: ${formatCtyError(error)}.`;
    diagnostics.push(errorDiagnostic('Incorrect value type', detail, condition.range, at));
    return undefined;
  }
  if (!value.isKnown) return undefined;
  if (value.isNull) {
    const detail = 'Condition expression must return either true or false, not null.';
    diagnostics.push(errorDiagnostic('Invalid condition result', detail, condition.range, at));
    return undefined;
  }
  return value.unmark().asBool();
}
