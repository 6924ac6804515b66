import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression, ObjectItem } from '../model.ts';
import { parseFor } from './for-parser.ts';
import type { TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';
import type { ParseExpression } from './traversal-operators.ts';

/** Tuple = "[" [ Expression { "," Expression } [ "," ] ] "]" | For */
export function parseTupleOrFor(p: TokenReader, parseExpression: ParseExpression): Expression {
  const open = p.read();
  p.pushNewlines(false);
  if (p.peekIs('for')) {
    const result = parseFor(p, open, parseExpression);
    p.popNewlines();
    return result;
  }
  const elements: Expression[] = [];
  const close = parseElements(p, open, elements, parseExpression);
  p.popNewlines();
  const range = p.tokens.rangeBetween(open, close);
  return { kind: 'tuple', range, elements, openRange: p.tokens.range(open) };
}

function parseElements(
  p: TokenReader,
  open: number,
  elements: Expression[],
  parseExpression: ParseExpression,
): number {
  for (;;) {
    if (p.nextIs(Token.CBrack)) {
      return p.read();
    }
    const mark = p.diagnostics.length;
    elements.push(parseExpression(p));
    if (p.lostSince(mark)) {
      return p.recover(Token.CBrack);
    }
    const next = p.nextType;
    if (next === Token.CBrack) {
      return p.read();
    }
    if (next !== Token.Comma) {
      if (!p.recovery) {
        reportBadElementEnd(p, open, p.nextIndex);
      }
      return p.recover(Token.CBrack);
    }
    p.skip();
  }
}

function reportBadElementEnd(p: TokenReader, open: number, next: number): void {
  if (p.tokens.type(next) === Token.EOF) {
    const detail =
      'There is no corresponding closing bracket before the end of the file. This may be caused by incorrect bracket nesting elsewhere in this file.';
    const summary = 'Unterminated tuple constructor expression';
    p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(open)));
    return;
  }
  const detail = 'Expected a comma to mark the beginning of the next item.';
  p.diagnostics.push(
    errorDiagnostic('Missing item separator', detail, p.tokens.range(next), {
      context: p.tokens.rangeBetween(open, next),
    }),
  );
}

/** Object = "{" { Expression ("=" | ":") Expression ("," | newline) } "}" | For */
export function parseObjectOrFor(p: TokenReader, parseExpression: ParseExpression): Expression {
  const open = p.read();
  // Newlines separate items, but `for` may be on the next line.
  p.pushNewlines(false);
  const isFor = p.peekIs('for');
  p.popNewlines();
  if (isFor) {
    return parseFor(p, open, parseExpression);
  }
  p.pushNewlines(true);
  const items: ObjectItem[] = [];
  const close = parseItems(p, open, items, parseExpression);
  p.popNewlines();
  const range = p.tokens.rangeBetween(open, close);
  return { kind: 'object', range, items, openRange: p.tokens.range(open) };
}

function parseItems(
  p: TokenReader,
  open: number,
  items: ObjectItem[],
  parseExpression: ParseExpression,
): number {
  for (;;) {
    const start = p.nextType;
    if (start === Token.Newline) {
      p.skip();
      continue;
    }
    if (start === Token.CBrace) {
      return p.read();
    }
    let mark = p.diagnostics.length;
    const wrapped = parseExpression(p);
    if (p.lostSince(mark)) {
      return p.recover(Token.CBrace);
    }
    const forceNonLiteral = start === Token.OParen;
    const key = { kind: 'objectKey', range: wrapped.range, wrapped, forceNonLiteral } as const;

    let next = p.nextType;
    if (next !== Token.Equal && next !== Token.Colon) {
      if (!p.recovery) {
        reportBadKeyEnd(p, open, p.nextIndex);
      }
      return p.recover(Token.CBrace);
    }
    p.skip();

    mark = p.diagnostics.length;
    const value = parseExpression(p);
    if (p.lostSince(mark)) {
      if (value.kind === 'syntaxError') {
        items.push({ key, value });
      }
      return p.recover(Token.CBrace);
    }
    items.push({ key, value });

    next = p.nextType;
    if (next === Token.CBrace) {
      return p.read();
    }
    if (next !== Token.Comma && next !== Token.Newline) {
      if (!p.recovery) {
        reportBadItemEnd(p, open, p.nextIndex);
      }
      return p.recover(Token.CBrace);
    }
    p.skip();
  }
}

const UNTERMINATED_OBJECT =
  'There is no corresponding closing brace before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file.';

function reportBadKeyEnd(p: TokenReader, open: number, next: number): void {
  const context = p.tokens.rangeBetween(open, next);
  switch (p.nextType) {
    case Token.Newline:
    case Token.Comma: {
      const detail = 'Expected an attribute value, introduced by an equals sign ("=").';
      p.diagnostics.push(
        errorDiagnostic('Missing attribute value', detail, p.tokens.range(next), { context }),
      );
      return;
    }
    case Token.EOF:
      reportUnterminatedObject(p, open);
      return;
    default: {
      // A name here is often an attribute name with a dot before a digit, which HCL 1 allowed.
      const hint =
        p.nextType === Token.Ident
          ? ' If you intended to given an attribute name containing periods or spaces, write the name in quotes to create a string literal.'
          : '';
      const detail = `Expected an equals sign ("=") to mark the beginning of the attribute value.${hint}`;
      p.diagnostics.push(
        errorDiagnostic('Missing key/value separator', detail, p.tokens.range(next), { context }),
      );
    }
  }
}

function reportBadItemEnd(p: TokenReader, open: number, next: number): void {
  if (p.tokens.type(next) === Token.EOF) {
    reportUnterminatedObject(p, open);
    return;
  }
  const detail = 'Expected a newline or comma to mark the beginning of the next attribute.';
  p.diagnostics.push(
    errorDiagnostic('Missing attribute separator', detail, p.tokens.range(next), {
      context: p.tokens.rangeBetween(open, next),
    }),
  );
}

function reportUnterminatedObject(p: TokenReader, open: number): void {
  const summary = 'Unterminated object constructor expression';
  p.diagnostics.push(errorDiagnostic(summary, UNTERMINATED_OBJECT, p.tokens.range(open)));
}
