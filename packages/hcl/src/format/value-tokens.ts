import { Bug, formatNumber, type Num, NUMBER, STRING, type Value } from '@terrane/cty';
import { isValidIdentifier } from '../syntax/scanner.ts';
import { Token } from '../syntax/tokens.ts';
import { type FormatToken, newToken } from './format-token.ts';

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The tokens of a quoted string that stands for a text. */
export function quotedTokens(text: string): FormatToken[] {
  const tokens = [newToken(Token.OQuote, '"')];
  if (text !== '') {
    tokens.push(newToken(Token.QuotedLit, escapeQuoted(text)));
  }
  tokens.push(newToken(Token.CQuote, '"'));
  return tokens;
}

function escapeQuoted(text: string): string {
  const pieces: string[] = [];
  const chars = Array.from(text);
  for (const [i, char] of chars.entries()) {
    switch (char) {
      case '\n':
        pieces.push('\\n');
        break;
      case '\r':
        pieces.push('\\r');
        break;
      case '\t':
        pieces.push('\\t');
        break;
      case '"':
        pieces.push('\\"');
        break;
      case '\\':
        pieces.push('\\\\');
        break;
      case '$':
      case '%':
        pieces.push(chars[i + 1] === '{' ? char + char : char);
        break;
      default:
        pieces.push(PRINTABLE.test(char) ? char : escapeCode(char.codePointAt(0) ?? 0));
    }
  }
  return pieces.join('');
}

function escapeCode(code: number): string {
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Appends the tokens of an expression for a known value; marks are ignored. */
export function appendValue(marked: Value, tokens: FormatToken[]): void {
  const value = marked.unmark();
  const { type } = value;
  if (!value.isKnown) {
    throw new Bug('an unknown value cannot be written as source');
  }
  if (value.isNull) {
    tokens.push(newToken(Token.Ident, 'null'));
    return;
  }
  if (type === STRING) {
    tokens.push(...quotedTokens(value.asString()));
    return;
  }
  if (type === NUMBER) {
    const n: Num = value.asNum();
    tokens.push(newToken(Token.NumberLit, formatNumber(n)));
    return;
  }
  switch (type.kind) {
    case 'bool':
      tokens.push(newToken(Token.Ident, value.asBool() ? 'true' : 'false'));
      return;
    case 'list':
    case 'set':
    case 'tuple':
      appendSequence(value, tokens);
      return;
    case 'map':
    case 'object':
      appendMapping(value, tokens);
      return;
    default:
      throw new Bug(`a value of type ${type.kind} cannot be written as source`);
  }
}

function appendSequence(value: Value, tokens: FormatToken[]): void {
  tokens.push(newToken(Token.OBrack, '['));
  for (const [i, element] of value.elements().entries()) {
    if (i > 0) {
      tokens.push(newToken(Token.Comma, ','));
    }
    appendValue(element, tokens);
  }
  tokens.push(newToken(Token.CBrack, ']'));
}

function appendMapping(value: Value, tokens: FormatToken[]): void {
  tokens.push(newToken(Token.OBrace, '{'));
  const entries = [...value.entries()];
  if (entries.length > 0) {
    tokens.push(newToken(Token.Newline, '\n'));
  }
  for (const [key, element] of entries) {
    const name = key.asString();
    if (isValidIdentifier(name)) {
      tokens.push(newToken(Token.Ident, name));
    } else {
      tokens.push(...quotedTokens(name));
    }
    tokens.push(newToken(Token.Equal, '='));
    appendValue(element, tokens);
    tokens.push(newToken(Token.Newline, '\n'));
  }
  tokens.push(newToken(Token.CBrace, '}'));
}
