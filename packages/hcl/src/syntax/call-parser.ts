import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression } from '../model.ts';
import type { TokenReader } from './token-reader.ts';
import { Token } from './tokens.ts';
import type { ParseExpression } from './traversal-operators.ts';

/**
 * Call = name { "::" name } "(" [ Expression { "," Expression } [ "," | "..." ] ] ")"
 *
 * The first name has been read; what follows is "(" or "::".
 */
export function parseFunctionCall(
  p: TokenReader,
  first: number,
  parseExpression: ParseExpression,
): Expression {
  let name = p.tokens.textOf(first);
  let nameEnd = first;
  let open = p.read();
  while (p.tokens.type(open) === Token.DoubleColon) {
    const next = p.read();
    if (p.tokens.type(next) !== Token.Ident) {
      const detail =
        'Function scope resolution symbol :: must be followed by a function name in this scope.';
      return reportBrokenName(p, first, next, 'Missing function name', detail);
    }
    name = `${name}::${p.tokens.textOf(next)}`;
    nameEnd = next;
    open = p.read();
  }
  if (p.tokens.type(open) !== Token.OParen) {
    const detail =
      'Function selector must be followed by an open parenthesis to begin the function call.';
    return reportBrokenName(p, first, open, 'Missing open parenthesis', detail);
  }

  p.pushNewlines(false);
  const args: Expression[] = [];
  const { expandFinal, close } = parseArguments(p, first, open, args, parseExpression);
  p.popNewlines();

  return {
    kind: 'call',
    range: p.tokens.rangeBetween(first, close),
    name,
    args,
    expandFinal,
    nameRange: p.tokens.rangeBetween(first, nameEnd),
    openRange: p.tokens.range(open),
    closeRange: p.tokens.range(close),
  };
}

function reportBrokenName(
  p: TokenReader,
  first: number,
  token: number,
  summary: string,
  detail: string,
): Expression {
  const range = p.tokens.rangeBetween(first, token);
  const diagnostic = errorDiagnostic(summary, detail, p.tokens.range(token), { context: range });
  p.diagnostics.push(diagnostic);
  p.recoverOver(Token.OParen);
  return { kind: 'syntaxError', range, diagnostics: [diagnostic] };
}

interface ArgumentsEnd {
  readonly expandFinal: boolean;
  /** the closing parenthesis */
  readonly close: number;
}

function parseArguments(
  p: TokenReader,
  name: number,
  open: number,
  args: Expression[],
  parseExpression: ParseExpression,
): ArgumentsEnd {
  for (;;) {
    if (p.nextIs(Token.CParen)) {
      return { expandFinal: false, close: p.read() };
    }
    const mark = p.diagnostics.length;
    args.push(parseExpression(p));
    if (p.lostSince(mark)) {
      return { expandFinal: false, close: p.recover(Token.CParen) };
    }
    const type = p.nextType;
    const separator = p.read();
    switch (type) {
      case Token.CParen:
        return { expandFinal: false, close: separator };
      case Token.Comma:
        break;
      case Token.Ellipsis:
        return { expandFinal: true, close: parseAfterEllipsis(p, name, separator) };
      default:
        reportBadSeparator(p, name, open, separator);
        return { expandFinal: false, close: p.recover(Token.CParen) };
    }
  }
}

function parseAfterEllipsis(p: TokenReader, name: number, ellipsis: number): number {
  if (p.nextType === Token.CParen) {
    return p.read();
  }
  if (!p.recovery) {
    const detail =
      'An expanded function argument (with ...) must be immediately followed by closing parentheses.';
    p.diagnostics.push(
      errorDiagnostic('Missing closing parenthesis', detail, p.tokens.range(ellipsis), {
        context: p.tokens.rangeBetween(name, ellipsis),
      }),
    );
  }
  return p.recover(Token.CParen);
}

function reportBadSeparator(p: TokenReader, name: number, open: number, token: number): void {
  if (p.tokens.type(token) === Token.EOF) {
    const detail =
      'There is no closing parenthesis for this function call before the end of the file. This may be caused by incorrect parenthesis nesting elsewhere in this file.';
    const subject = p.tokens.rangeBetween(name, open);
    p.diagnostics.push(errorDiagnostic('Unterminated function call', detail, subject));
    return;
  }
  const detail = 'A comma is required to separate each function argument from the next.';
  p.diagnostics.push(
    errorDiagnostic('Missing argument separator', detail, p.tokens.range(token), {
      context: p.tokens.rangeBetween(name, token),
    }),
  );
}
