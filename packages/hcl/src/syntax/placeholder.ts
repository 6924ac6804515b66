import { UNKNOWN } from '@terrane/cty';
import type { LiteralExpr } from '../model.ts';
import type { Range } from '../source/source.ts';

/** Returns a placeholder constant for an expression that could not be parsed. */
export function placeholder(range: Range): LiteralExpr {
  return { kind: 'literal', range, value: UNKNOWN };
}
