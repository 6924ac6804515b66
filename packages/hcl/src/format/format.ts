import type { Value } from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseBody } from '../syntax/body-parser.ts';
import { checkInvalidTokens } from '../syntax/invalid-tokens.ts';
import { scanTokens } from '../syntax/scanner.ts';
import { TokenReader } from '../syntax/token-reader.ts';
import { Token } from '../syntax/tokens.ts';
import { type FormatToken, formatTokens, tokensText } from './format-token.ts';
import { simplify } from './simplify.ts';
import { layOut } from './spacing.ts';
import { appendValue } from './value-tokens.ts';

/** A file of the native syntax in canonical style, as `terraform fmt` writes it; as it is if it has errors. */
export function formatSource(text: string): string {
  const tokens = scanTokens(new Source('', text));
  const diagnostics: Diagnostic[] = checkInvalidTokens(tokens);
  const body = parseBody(new TokenReader(tokens, diagnostics), Token.EOF);
  if (hasErrors(diagnostics)) {
    return text;
  }
  const simplified = simplify(body, tokens, formatTokens(tokens));
  layOut(simplified);
  return tokensText(simplified);
}

/** An expression for a known value, over several lines if it has attributes; marks are ignored. */
export function valueToHcl(value: Value): string {
  const tokens: FormatToken[] = [];
  appendValue(value, tokens);
  layOut(tokens);
  return tokensText(tokens);
}
