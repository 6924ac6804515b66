import { parseVersionConstraint } from '@terrane/addresses';
import { convert, CtyError, STRING, type Value } from '@terrane/cty';
import {
  errorDiagnostic,
  evaluate,
  hasErrors,
  type Attribute,
  type Diagnostic,
} from '@terrane/hcl';

/** Decodes a literal version constraint argument; undefined if it is null or, with diagnostics, invalid. */
export function decodeVersionConstraint(
  attribute: Attribute,
  diagnostics: Diagnostic[],
): string | undefined {
  const problems: Diagnostic[] = [];
  const evaluated = evaluate(attribute.expression, undefined, problems);
  diagnostics.push(...problems);
  return hasErrors(problems) ? undefined : versionConstraintOf(attribute, evaluated, diagnostics);
}

/** Converts an evaluated value to a version constraint; undefined if it is null or, with diagnostics, invalid. */
export function versionConstraintOf(
  attribute: Attribute,
  evaluated: Value,
  diagnostics: Diagnostic[],
): string | undefined {
  for (const [mark, word] of [
    ['sensitive', 'Sensitive'],
    ['ephemeral', 'Ephemeral'],
  ] as const) {
    if (!evaluated.hasMark(mark)) continue;
    diagnostics.push(
      errorDiagnostic(
        'Invalid version constraint',
        `${word} values, or values derived from ${mark} values, cannot be used as ${attribute.name} arguments.`,
        attribute.expression.range,
      ),
    );
    return undefined;
  }
  let value: Value;
  try {
    value = convert(evaluated, STRING);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Invalid version constraint',
        `A string value is required for ${attribute.name}.`,
        attribute.expression.range,
      ),
    );
    return undefined;
  }
  if (value.isNull || !value.isKnown) return undefined;
  const text = value.unmark().asString();
  if (parseVersionConstraint(text).error === undefined) return text;
  diagnostics.push(
    errorDiagnostic(
      'Invalid version constraint',
      'This string does not use correct version constraint syntax.',
      attribute.expression.range,
    ),
  );
  return undefined;
}
