import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import { quoteText } from '@terrane/cty';
import { Range, type Source } from '../source/source.ts';
import type { TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';

// A piece that may need work: an escape (quoted only), or a doubled template introducer.
const QUOTED_PIECES = /\\u[0-9a-fA-F]{0,4}|\\U[0-9a-fA-F]{0,8}|\\[^]?|\$\$\{|%%\{/gu;
const BARE_PIECES = /\$\$\{|%%\{/g;
const NEEDS_WORK_QUOTED = /[\\$%]/;
const NEEDS_WORK_BARE = /[$%]/;

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
]);

/** Decodes a literal token, of a quoted string or of other text. */
export function stringLiteral({ tokens, source, diagnostics }: TokenReader, token: number): string {
  const { types, starts, ends } = tokens;
  const isQuoted = types[token] === Token.QuotedLit;
  return resolveStringLiteral(source, starts[token] ?? 0, ends[token] ?? 0, isQuoted, diagnostics);
}

/**
 * Decodes the string of a literal token. Backslash escapes are decoded in quoted strings; `$${` and `%%{` become `${`
 * and `%{` everywhere. Invalid escapes are reported with their ranges.
 */
export function resolveStringLiteral(
  source: Source,
  start: number,
  end: number,
  quoted: boolean,
  diagnostics: Diagnostic[],
): string {
  const text = source.text.slice(start, end);
  if (!(quoted ? NEEDS_WORK_QUOTED : NEEDS_WORK_BARE).test(text)) {
    return text;
  }
  return resolvePieces(text, source, start, quoted, diagnostics);
}

/** Decodes a text that contains escapes or introducers; `start` is its offset. */
function resolvePieces(
  text: string,
  source: Source,
  start: number,
  quoted: boolean,
  diagnostics: Diagnostic[],
): string {
  return text.replace(quoted ? QUOTED_PIECES : BARE_PIECES, (piece: string, offset: number) => {
    if (piece[0] !== '\\') {
      return piece.slice(1);
    }
    const at = start + offset;
    return resolveEscape(piece, new Range(source, at, at + piece.length), diagnostics);
  });
}

function resolveEscape(escape: string, range: Range, diagnostics: Diagnostic[]): string {
  const summary = 'Invalid escape sequence';
  if (escape.length < 2) {
    const detail = 'Backslash must be followed by an escape sequence selector character.';
    diagnostics.push(errorDiagnostic(summary, detail, range));
    return escape;
  }
  const simple = SIMPLE_ESCAPES.get(escape.slice(1));
  if (simple !== undefined) {
    return simple;
  }
  const selector = escape[1];
  if (selector !== 'u' && selector !== 'U') {
    const detail = `The symbol ${quoteText(escape.slice(1))} is not a valid escape sequence selector.`;
    diagnostics.push(errorDiagnostic(summary, detail, range));
    return escape.slice(1);
  }
  const long = selector === 'U';
  if (escape.length !== (long ? 10 : 6)) {
    const detail = long
      ? 'The \\U escape sequence must be followed by eight hexadecimal digits.'
      : 'The \\u escape sequence must be followed by four hexadecimal digits.';
    diagnostics.push(errorDiagnostic(summary, detail, range));
    return escape;
  }
  const code = Number.parseInt(escape.slice(2), 16);
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    const hexCode = code.toString(16).padStart(4, '0');
    const detail = `Cannot encode character U+${hexCode} in UTF-8.`;
    diagnostics.push(errorDiagnostic(summary, detail, range));
    return escape;
  }
  return String.fromCodePoint(code);
}
