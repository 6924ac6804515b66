import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression } from '../model.ts';
import { placeholder } from './placeholder.ts';
import type { TokenReader } from './token-reader.ts';

/**
 * How many expressions may be inside one another. Deeper nesting would exhaust the stack here or
 * in evaluation; nobody writes it by hand.
 */
export const DEEPEST = 500;

/** Reports that an expression is nested too deeply and gives up on it. */
export function reportTooDeep(p: TokenReader): Expression {
  const range = p.nextRange();
  if (!p.recovery) {
    const detail = `Expressions may not be nested more than ${DEEPEST} levels deep.`;
    p.diagnostics.push(errorDiagnostic('Expression too deeply nested', detail, range));
  }
  p.recovery = true;
  return placeholder(range);
}
