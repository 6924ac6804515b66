import { CtyError, FALSE, TRUE, UNKNOWN, BOOL, unknownOf, type Value } from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, Expression, Scope } from '../model.ts';
import type { Evaluate } from './fault.ts';

/**
 * The result of the first argument that evaluates without errors. While that one is not wholly
 * known, the result is unknown: it might still fail. Throws CtyError if all fail.
 */
export function evaluateTry(
  args: readonly Expression[],
  scope: Scope | undefined,
  evaluate: Evaluate,
): Value {
  if (args.length === 0) {
    throw new CtyError('at least one argument is required');
  }
  const diagnostics: Diagnostic[] = [];
  for (const arg of args) {
    const mark = diagnostics.length;
    const value = evaluate(arg, scope, diagnostics);
    if (!hasErrors(diagnostics, mark)) {
      return value.isWhollyKnown() ? value : UNKNOWN;
    }
  }
  const lines = ['no expression succeeded:\n'];
  for (const { summary, subject, detail } of diagnostics) {
    const location = subject === undefined ? '' : ` (at ${subject})`;
    lines.push(`- ${summary}${location}\n  ${detail}\n`);
  }
  lines.push('\nAt least one expression must produce a successful result');
  throw new CtyError(lines.join(''));
}

/** Returns true if an expression evaluates without errors; unknown while its value is. */
export function evaluateCan(
  arg: Expression | undefined,
  scope: Scope | undefined,
  evaluate: Evaluate,
): Value {
  if (arg === undefined) {
    return FALSE;
  }
  const diagnostics: Diagnostic[] = [];
  const value = evaluate(arg, scope, diagnostics);
  if (hasErrors(diagnostics)) {
    return FALSE;
  }
  return value.isWhollyKnown() ? TRUE : unknownOf(BOOL);
}
