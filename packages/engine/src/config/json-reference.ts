import { STRING } from '@terrane/cty';
import { Source, errorDiagnostic, evaluate, hasErrors, parseExpression } from '@terrane/hcl';
import type { Diagnostic, Expression } from '@terrane/hcl';

/** Parses a reference in JSON syntax, a string that contains an expression; returns any other expression unchanged. */
export function parseJsonReference(
  e: Expression,
  diagnostics: Diagnostic[],
): Expression | undefined {
  if (e.kind !== 'json') return e;
  const problems: Diagnostic[] = [];
  const value = evaluate(e, undefined, problems);
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  if (value.type !== STRING || value.isNull) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid reference expression',
        'A single reference string is required.',
        e.range,
      ),
    );
    return undefined;
  }
  const source = new Source(e.range.filename, value.unmark().asString(), {
    container: e.range.source,
    offset: e.range.start,
  });
  const parsed = parseExpression(source);
  diagnostics.push(...parsed.diagnostics);
  return hasErrors(parsed.diagnostics) ? undefined : parsed.expression;
}
