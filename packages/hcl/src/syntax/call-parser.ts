import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression } from '../model.ts';
import { type Range, rangeBetween } from '../source/source.ts';
import type { ReadToken, TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';
import type { ParseExpression } from './traversal-operators.ts';

/**
 * Call = name { "::" name } "(" [ Expression { "," Expression } [ "," | "..." ] ] ")"
 *
 * The first name has been read; what follows is "(" or "::".
 */
export function parseFunctionCall(
  p: TokenReader,
  first: ReadToken,
  parseExpression: ParseExpression,
): Expression {
  let name = p.text(first);
  let nameEnd = first.range;
  let open = p.read();
  while (open.type === Token.DoubleColon) {
    const next = p.read();
    if (next.type !== Token.Ident) {
      const detail =
        'Function scope resolution symbol :: must be followed by a function name in this scope.';
      return reportBrokenName(p, first, next, 'Missing function name', detail);
    }
    name = `${name}::${p.text(next)}`;
    nameEnd = next.range;
    open = p.read();
  }
  if (open.type !== Token.OParen) {
    const detail =
      'Function selector must be followed by an open parenthesis to begin the function call.';
    return reportBrokenName(p, first, open, 'Missing open parenthesis', detail);
  }

  p.pushNewlines(false);
  const args: Expression[] = [];
  const { expandFinal, close } = parseArguments(p, first, open, args, parseExpression);
  p.popNewlines();

  const nameRange = rangeBetween(first.range, nameEnd);
  return {
    kind: 'call',
    range: rangeBetween(nameRange, close),
    name,
    args,
    expandFinal,
    nameRange,
    openRange: open.range,
    closeRange: close,
  };
}

function reportBrokenName(
  p: TokenReader,
  first: ReadToken,
  token: ReadToken,
  summary: string,
  detail: string,
): Expression {
  const range = rangeBetween(first.range, token.range);
  const diagnostic = errorDiagnostic(summary, detail, token.range, { context: range });
  p.diagnostics.push(diagnostic);
  p.recoverOver(Token.OParen);
  return { kind: 'syntaxError', range, diagnostics: [diagnostic] };
}

interface ArgumentsEnd {
  readonly expandFinal: boolean;
  readonly close: Range;
}

function parseArguments(
  p: TokenReader,
  name: ReadToken,
  open: ReadToken,
  args: Expression[],
  parseExpression: ParseExpression,
): ArgumentsEnd {
  for (;;) {
    if (p.peek() === Token.CParen) {
      return { expandFinal: false, close: p.read().range };
    }
    const mark = p.diagnostics.length;
    args.push(parseExpression(p));
    if (p.lostSince(mark)) {
      return { expandFinal: false, close: p.recover(Token.CParen).range };
    }
    const separator = p.read();
    switch (separator.type) {
      case Token.CParen:
        return { expandFinal: false, close: separator.range };
      case Token.Comma:
        break;
      case Token.Ellipsis:
        return { expandFinal: true, close: parseAfterEllipsis(p, name, separator) };
      default:
        reportBadSeparator(p, name, open, separator);
        return { expandFinal: false, close: p.recover(Token.CParen).range };
    }
  }
}

function parseAfterEllipsis(p: TokenReader, name: ReadToken, ellipsis: ReadToken): Range {
  if (p.peek() === Token.CParen) {
    return p.read().range;
  }
  if (!p.recovery) {
    const detail =
      'An expanded function argument (with ...) must be immediately followed by closing parentheses.';
    p.diagnostics.push(
      errorDiagnostic('Missing closing parenthesis', detail, ellipsis.range, {
        context: rangeBetween(name.range, ellipsis.range),
      }),
    );
  }
  return p.recover(Token.CParen).range;
}

function reportBadSeparator(
  p: TokenReader,
  name: ReadToken,
  open: ReadToken,
  token: ReadToken,
): void {
  if (token.type === Token.EOF) {
    const detail =
      'There is no closing parenthesis for this function call before the end of the file. This may be caused by incorrect parenthesis nesting elsewhere in this file.';
    const subject = rangeBetween(name.range, open.range);
    p.diagnostics.push(errorDiagnostic('Unterminated function call', detail, subject));
    return;
  }
  const detail = 'A comma is required to separate each function argument from the next.';
  p.diagnostics.push(
    errorDiagnostic('Missing argument separator', detail, token.range, {
      context: rangeBetween(name.range, token.range),
    }),
  );
}
