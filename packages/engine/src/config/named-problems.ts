import type { Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Range } from '@terrane/hcl';
import { referencesInExpression } from '../lang/references.ts';
import { dialectRules } from './dialect.ts';
import type { Local, Output } from './model.ts';

/** Returns the error for a local value that refers to itself. */
export function selfReferenceProblem({ name, expression }: Local): Diagnostic | undefined {
  for (const { subject, range } of referencesInExpression(expression).references) {
    if (subject.kind !== 'local' || subject.name !== name) continue;
    return errorDiagnostic(
      'Self-referencing local value',
      `Local value local.${name} cannot use its own result as part of its expression.`,
      range,
      { context: expression.range },
    );
  }
  return undefined;
}

/** Returns the error for an output of the root module with an unsupported declaration. */
export function rootOutputProblem(output: Output): Diagnostic | undefined {
  const { deprecatedRange: range } = output;
  if (range !== undefined && !dialectRules(range).rootOutputMayBeDeprecated) {
    return errorDiagnostic(
      'Root module output deprecated',
      'Root module outputs cannot be deprecated, as there is no higher-level module to inform of the deprecation.',
      range,
    );
  }
  if (!output.ephemeral) return undefined;
  return errorDiagnostic(
    'Ephemeral output not allowed',
    'Ephemeral outputs are not allowed in context of a root module',
    output.range,
  );
}

/** Returns the error for a root output with a sensitive value that is not declared sensitive. */
export function sensitiveOutputProblem(output: Output, value: Value): Diagnostic | undefined {
  if (output.sensitive || !value.hasMarkDeep('sensitive')) return undefined;
  return errorDiagnostic(
    'Output refers to sensitive values',
    'To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, Terraform requires that any root module output containing sensitive data be explicitly marked as sensitive, to confirm your intent.\n\nIf you do intend to export this data, annotate the output value as sensitive by adding the following argument:\n    sensitive = true',
    output.range,
  );
}

/** Returns the error for a wholly or partially ephemeral value of an output that is not declared ephemeral. */
export function ephemeralOutputProblem(output: Output, value: Value): Diagnostic | undefined {
  if (output.ephemeral || !value.hasMarkDeep('ephemeral')) return undefined;
  return errorDiagnostic(
    'Ephemeral value not allowed',
    'This output value is not declared as returning an ephemeral value, so it cannot be set to a result derived from an ephemeral value.',
    output.expression.range,
  );
}

/** Returns the error for an output with an infinite number, which the state cannot store. */
export function infiniteOutputProblem(output: Output, value: Value): Diagnostic | undefined {
  if (!value.containsInfinity()) return undefined;
  return infiniteNumber(`output "${output.name}"`, output.expression.range);
}

/** Returns the error for an infinite number in what is stored. */
export function infiniteNumber(subject: string, range: Range, address?: string): Diagnostic {
  return errorDiagnostic(
    'Infinite number',
    `The value of ${subject} is or contains an infinite number, the result of a division by zero for example. Neither plans nor states can store infinite numbers.`,
    range,
    address === undefined ? {} : { address },
  );
}
