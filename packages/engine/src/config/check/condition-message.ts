import { convert, CtyError, STRING, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  warningDiagnostic,
} from '@terrane/hcl';
import { takeDeprecations, type WarningScope } from '../deprecations.ts';

/** Returns the text of an `error_message`; empty, with a diagnostic, if it cannot be displayed. */
export function evaluateMessage(
  expression: Expression,
  scope: WarningScope,
  diagnostics: Diagnostic[],
): string {
  const before = diagnostics.length;
  const evaluated = evaluate(expression, scope, diagnostics);
  if (hasErrors(diagnostics, before)) return '';
  const raw = takeDeprecations(evaluated, expression.range, scope.warnsFor, diagnostics);
  const at = { expression, scope };
  let value: Value;
  try {
    value = convert(raw, STRING);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Unsuitable value for error message: ${error.message}.`;
    diagnostics.push(errorDiagnostic('Invalid error message', detail, expression.range, at));
    return '';
  }
  if (!value.isKnown) return '';
  if (value.isNull) {
    const detail = 'Unsuitable value for error message: must not be null.';
    diagnostics.push(errorDiagnostic('Invalid error message', detail, expression.range, at));
    return '';
  }
  for (const mark of ['sensitive', 'ephemeral'] as const) {
    if (!value.hasMark(mark)) continue;
    diagnostics.push(
      warningDiagnostic(
        `Error message refers to ${mark} values`,
        `The error expression used to explain this condition refers to ${mark} values, so Terraform will not display the resulting message.\n\n${REMEDY[mark]}`,
        expression.range,
        at,
      ),
    );
    return '';
  }
  return value.unmark().asString().trim();
}

/** Advice for messages that would reveal a value with this mark. */
export const REMEDY: Readonly<Record<'sensitive' | 'ephemeral', string>> = {
  sensitive:
    'You can correct this by removing references to sensitive values, or by carefully using the nonsensitive() function if the expression will not reveal the sensitive data.',
  ephemeral:
    'You can correct this by removing references to ephemeral values, or by using the ephemeralasnull() function on the references to not reveal ephemeral data.',
};
