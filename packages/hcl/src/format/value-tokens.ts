import { Bug, formatNumber, type Num, NUMBER, STRING, type Value } from '@terrane/cty';
import { isValidIdentifier } from '../syntax/scanner.ts';
import { Token } from '../syntax/tokens.ts';
import type { TokenWriter } from './token-writer.ts';

/** The pattern is in the function because parsing its Unicode classes takes over a millisecond, and few runs need it. */
const isPrintable = (char: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);

/** Appends the tokens of a quoted string. */
export function writeQuoted(text: string, writer: TokenWriter): void {
  writer.add(Token.OQuote, '"');
  if (text !== '') writer.add(Token.QuotedLit, escapeQuoted(text));
  writer.add(Token.CQuote, '"');
}

/** The source of a quoted string with this content. */
export function quotedText(text: string): string {
  return `"${escapeQuoted(text)}"`;
}

// Texts that need no escapes.
const PLAIN = /^[ !#&-[\]-~]*$/;

function escapeQuoted(text: string): string {
  if (PLAIN.test(text)) return text;
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
        pieces.push(isPrintable(char) ? char : escapeCode(char.codePointAt(0) ?? 0));
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
export function writeValue(marked: Value, writer: TokenWriter): void {
  const value = marked.unmark();
  const { type } = value;
  if (!value.isKnown) {
    throw new Bug('an unknown value cannot be written as source');
  }
  if (value.isNull) {
    writer.add(Token.Ident, 'null');
    return;
  }
  if (type === STRING) {
    writeQuoted(value.asString(), writer);
    return;
  }
  if (type === NUMBER) {
    const n: Num = value.asNum();
    writer.add(Token.NumberLit, formatNumber(n));
    return;
  }
  switch (type.kind) {
    case 'bool':
      writer.add(Token.Ident, value.asBool() ? 'true' : 'false');
      return;
    case 'list':
    case 'set':
    case 'tuple':
      writeSequence(value, writer);
      return;
    case 'map':
    case 'object':
      writeMapping(value, writer);
      return;
    default:
      throw new Bug(`a value of type ${type.kind} cannot be written as source`);
  }
}

function writeSequence(value: Value, writer: TokenWriter): void {
  writer.add(Token.OBrack, '[');
  for (const [i, element] of value.elements().entries()) {
    if (i > 0) {
      writer.add(Token.Comma, ',');
    }
    writeValue(element, writer);
  }
  writer.add(Token.CBrack, ']');
}

function writeMapping(value: Value, writer: TokenWriter): void {
  writer.add(Token.OBrace, '{');
  const entries = [...value.entries()];
  if (entries.length > 0) {
    writer.add(Token.Newline, '\n');
  }
  for (const [key, element] of entries) {
    const name = key.asString();
    if (isValidIdentifier(name)) {
      writer.add(Token.Ident, name);
    } else {
      writeQuoted(name, writer);
    }
    writer.add(Token.Equal, '=');
    writeValue(element, writer);
    writer.add(Token.Newline, '\n');
  }
  writer.add(Token.CBrace, '}');
}
