import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression } from '../model.ts';
import type { Range } from '../source/source.ts';
import { placeholder } from './placeholder.ts';
import type { TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';

/**
 * The maximum nesting depth of expressions, blocks and JSON values. Deeper nesting would exhaust the stack here or in
 * evaluation; it does not occur in practice.
 */
export const MAX_DEPTH = 500;

/** Reports that a block is nested too deeply, and skips the rest of it. */
export function skipTooDeepBlock(p: TokenReader, range: Range): void {
  if (!p.recovery) {
    const detail = `Blocks may not be nested more than ${MAX_DEPTH} levels deep.`;
    p.diagnostics.push(errorDiagnostic('Block too deeply nested', detail, range));
  }
  p.recover(Token.CBrace);
}

/** Reports that an expression is nested too deeply and stops parsing it. */
export function reportTooDeep(p: TokenReader): Expression {
  const range = p.nextRange();
  if (!p.recovery) {
    const detail = `Expressions may not be nested more than ${MAX_DEPTH} levels deep.`;
    p.diagnostics.push(errorDiagnostic('Expression too deeply nested', detail, range));
  }
  p.recovery = true;
  return placeholder(range);
}
