import { canonicalLines } from '../format/layout.ts';
import { quotedText } from '../format/value-tokens.ts';
import { Source } from '../source/source.ts';
import { parseBody } from '../syntax/body-parser.ts';
import { checkInvalidTokens } from '../syntax/invalid-tokens.ts';
import { parseExpression } from '../syntax/parse.ts';
import { isValidIdentifier, scanTokens } from '../syntax/scanner.ts';
import { TokenReader } from '../syntax/token-reader.ts';
import { Token } from '../syntax/tokens.ts';
import { throwErrors } from '../toolkit/hcl-error.ts';

/** An expression in source form; created by {@link expression}. */
export class HclExpression {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Returns source text to be used as a value: `expression('var.region')`. Throws an `HclError` if it is not an
 * expression.
 */
export function expression(source: string): HclExpression {
  throwErrors(parseExpression(new Source('', source)).diagnostics);
  return new HclExpression(source);
}

/** A value for an attribute: a constant, an expression, or lists and objects of both. */
export type HclInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | HclExpression
  | readonly HclInput[]
  | { readonly [name: string]: HclInput | undefined };

/**
 * Returns the source of an expression for a value, in canonical layout, with further lines indented by `indent`.
 * Strings are constants: `${` in them is escaped. Throws a TypeError for values that HCL does not have.
 */
export function sourceOf(input: HclInput, indent: string, eol: string): string {
  if (input instanceof HclExpression) return standalone(input.source);
  const pieces: string[] = [];
  write(input, pieces);
  const text = pieces.join('');
  if (!text.includes('\n')) return text;
  return canonicalLines(scanTokens(new Source('', text))).join(`${eol}${indent}`);
}

function write(input: HclInput, pieces: string[]): void {
  if (input === null || typeof input === 'boolean' || typeof input === 'bigint') {
    pieces.push(String(input));
  } else if (typeof input === 'number') {
    if (!Number.isFinite(input)) throw new TypeError(`${input} is not a number of HCL`);
    pieces.push(String(input));
  } else if (typeof input === 'string') {
    pieces.push(quotedText(input));
  } else if (input instanceof HclExpression) {
    pieces.push(inBrackets(input.source));
  } else if (isList(input)) {
    writeList(input, pieces);
  } else if (typeof input === 'object') {
    writeObject(input, pieces);
  } else {
    throw new TypeError(`HCL has no value for a ${typeof input}`);
  }
}

function writeList(list: readonly HclInput[], pieces: string[]): void {
  const compound = list.some(
    (item) => typeof item === 'object' && item !== null && !(item instanceof HclExpression),
  );
  pieces.push('[');
  for (const [i, item] of list.entries()) {
    if (compound) pieces.push('\n');
    else if (i > 0) pieces.push(' ');
    write(item, pieces);
    if (compound || i < list.length - 1) pieces.push(',');
  }
  pieces.push(compound && list.length > 0 ? '\n]' : ']');
}

function writeObject(
  object: { readonly [name: string]: HclInput | undefined },
  pieces: string[],
): void {
  const entries = Object.entries(object);
  pieces.push('{');
  let isEmpty = true;
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    isEmpty = false;
    pieces.push('\n', keySource(name), ' = ');
    write(value, pieces);
  }
  pieces.push(isEmpty ? '}' : '\n}');
}

function isList(input: object): input is readonly HclInput[] {
  return Array.isArray(input);
}

/** Returns the source of an object key; names that are not identifiers are quoted. */
export function keySource(name: string): string {
  const isPlainName = isValidIdentifier(name) && name !== 'for';
  return isPlainName ? name : quotedText(name);
}

/** Returns the source of an expression in a form that may follow `name =`, with parentheses if necessary. */
function standalone(source: string): string {
  const trimmed = source.trim();
  const text = `x = ${trimmed}\n`;
  const tokens = scanTokens(new Source('', text));
  const diagnostics = checkInvalidTokens(tokens);
  const body = parseBody(new TokenReader(tokens, diagnostics), Token.EOF);
  const end = body.attributes.get('x')?.range.end;
  const isSingleExpression =
    diagnostics.length === 0 && body.attributes.size === 1 && body.blocks.length === 0;
  return isSingleExpression && end === text.length - 1 ? trimmed : inParentheses(trimmed);
}

/** The source of an expression inside brackets, where a heredoc or a comment may be at its end. */
function inBrackets(source: string): string {
  const trimmed = standalone(source);
  return endsWithHeredoc(trimmed) ? inParentheses(trimmed) : trimmed;
}

/** Encloses an expression in parentheses, on separate lines if necessary. */
export function inParentheses(source: string): string {
  return source.includes('\n') || /#|\/\//.test(source) ? `(${source}\n)` : `(${source})`;
}

/** Returns true if a source ends with the end marker of a heredoc, which must be followed by a newline. */
export function endsWithHeredoc(source: string): boolean {
  if (!source.includes('<<')) return false;
  // The marker is recognised only before a newline.
  const tokens = scanTokens(new Source('', `${source}\n`));
  return tokens.type(tokens.length - 3) === Token.CHeredoc;
}
