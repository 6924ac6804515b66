import { UNKNOWN } from '@terrane/cty';
import type { LiteralExpr } from '../model.ts';
import type { Range } from '../source/source.ts';

/** A constant that stands where something could not be parsed. */
export function placeholder(range: Range): LiteralExpr {
  return { kind: 'literal', range, value: UNKNOWN };
}
