import type { Value } from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseBody } from '../syntax/body-parser.ts';
import { checkInvalidTokens } from '../syntax/invalid-tokens.ts';
import { scanTokens } from '../syntax/scanner.ts';
import { TokenReader } from '../syntax/token-reader.ts';
import { Token } from '../syntax/tokens.ts';
import { canonicalText } from './layout.ts';
import { simplify } from './simplify.ts';
import { TokenWriter } from './token-writer.ts';
import { writeValue } from './value-tokens.ts';

/** A formatted file. */
export interface FormattedSource {
  /** in canonical style; the text of the source if it has syntax errors */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Formats a file of the native syntax as `terraform fmt` does; it is scanned and parsed once. */
export function formatNative(source: Source): FormattedSource {
  const tokens = scanTokens(source);
  const diagnostics = checkInvalidTokens(tokens);
  const body = parseBody(new TokenReader(tokens, diagnostics), Token.EOF);
  if (hasErrors(diagnostics)) return { text: source.text, diagnostics };
  return { text: canonicalText(simplify(body, tokens)), diagnostics };
}

/** A file of the native syntax in canonical style, as `terraform fmt` writes it; unchanged if it has errors. */
export function formatSource(text: string): string {
  return formatNative(new Source('', text)).text;
}

/** Lays out a piece of source, which need not be complete, without rewriting any token. */
export function layOutText(text: string): string {
  return canonicalText(scanTokens(new Source('', text)));
}

/** An expression for a known value, on several lines if it has attributes; marks are ignored. */
export function valueToHcl(value: Value): string {
  const writer = new TokenWriter();
  writeValue(value, writer);
  return canonicalText(writer.tokens());
}
