import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression } from '../model.ts';
import type { Range } from '../source/source.ts';
import { placeholder } from './placeholder.ts';
import { oppositeBracket, type TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';
import type { ParseExpression } from './traversal-operators.ts';

const SUMMARY = "Invalid 'for' expression";

/**
 * Parses `For = "[" Intro Expression [ "if" Expression ] "]"`.
 * | "{" Intro Expression "=>" Expression [ "..." ] [ "if" Expression ] "}"
 * Intro = "for" name [ "," name ] "in" Expression ":"
 *
 * The opening bracket has been read; "for" is the next token. Newlines are ignored inside.
 */
export function parseFor(
  p: TokenReader,
  open: number,
  parseExpression: ParseExpression,
): Expression {
  p.pushNewlines(false);
  const result = parseForParts(p, open, parseExpression);
  p.popNewlines();
  return result;
}

function parseForResult(
  p: TokenReader,
  parseExpression: ParseExpression,
): { readonly key: Expression | undefined; readonly value: Expression } {
  const first = parseExpression(p);
  if (p.nextType !== Token.FatArrow) {
    return { key: undefined, value: first };
  }
  p.skip();
  return { key: first, value: parseExpression(p) };
}

function parseForParts(p: TokenReader, open: number, parseExpression: ParseExpression): Expression {
  p.skip();
  const names = parseForNames(p, open);
  if (names === undefined) {
    return abandon(p, open);
  }

  let mark = p.diagnostics.length;
  const collection = parseExpression(p);
  if (p.lostSince(mark)) {
    return abandon(p, open);
  }
  if (!p.nextIs(Token.Colon)) {
    report(p, open, 'For expression requires a colon after the collection expression.');
    return abandon(p, open);
  }
  p.skip();

  mark = p.diagnostics.length;
  const { key, value } = parseForResult(p, parseExpression);
  if (p.lostSince(mark)) {
    return abandon(p, open);
  }

  const ellipsis = p.nextIs(Token.Ellipsis) ? p.tokens.range(p.read()) : undefined;

  let condition: Expression | undefined;
  if (p.peekIs('if')) {
    p.skip();
    mark = p.diagnostics.length;
    condition = parseExpression(p);
    if (p.lostSince(mark)) {
      return abandon(p, open);
    }
  }

  const close = parseForEnd(p, open);
  const range = p.tokens.rangeBetween(open, close);
  checkForShape(p, open, range, key, value, ellipsis);
  return {
    kind: 'for',
    range,
    ...names,
    collection,
    key,
    value,
    condition,
    group: ellipsis !== undefined,
    openRange: p.tokens.range(open),
    closeRange: p.tokens.range(close),
  };
}

interface ForNames {
  readonly keyName: string | undefined;
  readonly valueName: string;
}

function parseForNames(p: TokenReader, open: number): ForNames | undefined {
  if (!p.nextIs(Token.Ident)) {
    report(p, open, "For expression requires variable name after 'for'.");
    return undefined;
  }
  let keyName: string | undefined;
  let valueName = p.tokens.textOf(p.read());
  if (p.nextIs(Token.Comma)) {
    p.skip();
    keyName = valueName;
    if (!p.nextIs(Token.Ident)) {
      report(p, open, 'For expression requires value variable name after comma.');
      return undefined;
    }
    valueName = p.tokens.textOf(p.read());
  }
  if (!p.peekIs('in')) {
    report(p, open, "For expression requires the 'in' keyword after its name declarations.");
    return undefined;
  }
  p.skip();
  return { keyName, valueName };
}

function parseForEnd(p: TokenReader, open: number): number {
  const closeType = oppositeBracket(p.tokens.type(open));
  if (p.nextType === closeType) {
    return p.read();
  }
  report(p, open, "Extra characters after the end of the 'for' expression.");
  return p.recover(closeType);
}

/** Validates that the key and the grouping match the kind of brackets. */
function checkForShape(
  p: TokenReader,
  open: number,
  context: Range,
  key: Expression | undefined,
  value: Expression,
  ellipsis: Range | undefined,
): void {
  if (p.tokens.type(open) === Token.OBrace) {
    if (key === undefined) {
      const detail = 'Key expression is required when building an object.';
      p.diagnostics.push(errorDiagnostic(SUMMARY, detail, value.range, { context }));
    }
    return;
  }
  if (key !== undefined) {
    const detail = 'Key expression is not valid when building a tuple.';
    p.diagnostics.push(errorDiagnostic(SUMMARY, detail, key.range, { context }));
  }
  if (ellipsis !== undefined) {
    const detail = 'Grouping ellipsis (...) cannot be used when building a tuple.';
    p.diagnostics.push(errorDiagnostic(SUMMARY, detail, ellipsis, { context }));
  }
}

function report(p: TokenReader, open: number, detail: string): void {
  if (!p.recovery) {
    const subject = p.nextRange();
    const context = p.tokens.rangeBetween(open, p.nextIndex);
    p.diagnostics.push(errorDiagnostic(SUMMARY, detail, subject, { context }));
  }
}

function abandon(p: TokenReader, open: number): Expression {
  const close = p.recover(oppositeBracket(p.tokens.type(open)));
  return placeholder(p.tokens.rangeBetween(open, close));
}
