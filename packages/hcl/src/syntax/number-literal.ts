import { NUMBER, number, parseNumber, unknownOf, type Value } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { TokenReader } from './token-reader.ts';

/** Parses a number token; returns an unknown value, with a diagnostic, if it is invalid. */
export function numberLiteral(p: TokenReader, token: number): Value {
  const value = parseNumber(p.tokens.textOf(token));
  if (value === undefined) {
    const detail = 'Failed to recognize the value of this number literal.';
    p.diagnostics.push(errorDiagnostic('Invalid number literal', detail, p.tokens.range(token)));
    return unknownOf(NUMBER);
  }
  return number(value);
}
