// The expression grammar: precedence climbing over terms. Comments above the functions contain the productions. Every
// function leaves the reader after the parsed text or, after an unrecoverable error, in recovery mode.

import { FALSE, NULL, str, TRUE } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { BinaryOperator, Expression } from '../model.ts';
import { rangeBetween } from '../source/source.ts';
import { parseFunctionCall } from './call-parser.ts';
import { parseObjectOrFor, parseTupleOrFor } from './collection-parser.ts';
import { MAX_DEPTH, reportTooDeep } from './nesting.ts';
import { numberLiteral } from './number-literal.ts';
import { placeholder } from './placeholder.ts';
import { stringLiteral } from './string-literal.ts';
import { parseTemplateContent } from './template-parser.ts';
import { oppositeBracket, type TokenReader } from './token-reader.ts';
import { Token, type TokenType } from './tokens.ts';
import { parseTraversals } from './traversal-operators.ts';

// Operators and their precedence, by token; left-associative.
const OPERATORS: ReadonlyMap<
  TokenType,
  { readonly operator: BinaryOperator; readonly level: number }
> = new Map([
  [Token.Or, { operator: '||', level: 1 }],
  [Token.And, { operator: '&&', level: 2 }],
  [Token.EqualOp, { operator: '==', level: 3 }],
  [Token.NotEqual, { operator: '!=', level: 3 }],
  [Token.GreaterThan, { operator: '>', level: 4 }],
  [Token.GreaterThanEq, { operator: '>=', level: 4 }],
  [Token.LessThan, { operator: '<', level: 4 }],
  [Token.LessThanEq, { operator: '<=', level: 4 }],
  [Token.Plus, { operator: '+', level: 5 }],
  [Token.Minus, { operator: '-', level: 5 }],
  [Token.Star, { operator: '*', level: 6 }],
  [Token.Slash, { operator: '/', level: 6 }],
  [Token.Percent, { operator: '%', level: 6 }],
]);

/** Expression = Operation ["?" Expression ":" Expression] */
export function parseExpression(p: TokenReader): Expression {
  p.depth++;
  const expression = p.depth > MAX_DEPTH ? reportTooDeep(p) : parseConditional(p);
  p.depth--;
  return expression;
}

function parseConditional(p: TokenReader): Expression {
  const start = p.nextIndex;
  let mark = p.diagnostics.length;
  const condition = parseOperation(p, 1);
  if (p.lostSince(mark) || !p.nextIs(Token.Question)) {
    return condition;
  }
  p.skip();

  mark = p.diagnostics.length;
  const ifTrue = parseExpression(p);
  if (p.lostSince(mark)) {
    return condition;
  }
  if (!p.nextIs(Token.Colon)) {
    const end = p.nextIndex;
    const detail =
      'The conditional operator (...?...:...) requires a false expression, delimited by a colon.';
    p.diagnostics.push(
      errorDiagnostic('Missing false expression in conditional', detail, p.tokens.range(end), {
        context: p.tokens.rangeBetween(start, end),
      }),
    );
    return condition;
  }
  p.skip();

  mark = p.diagnostics.length;
  const ifFalse = parseExpression(p);
  if (p.lostSince(mark)) {
    return condition;
  }
  const range = p.tokens.rangeTo(start, ifFalse.range);
  return { kind: 'conditional', range, condition, ifTrue, ifFalse };
}

/** Operation = Operand { operator Operand }, for operators that bind at least as `level` */
function parseOperation(p: TokenReader, level: number): Expression {
  let mark = p.diagnostics.length;
  let left = parseOperand(p);
  if (p.lostSince(mark)) {
    return left;
  }
  for (;;) {
    const next = OPERATORS.get(p.nextType);
    if (next === undefined || next.level < level) {
      return left;
    }
    p.skip();
    mark = p.diagnostics.length;
    const right = parseOperation(p, next.level + 1);
    if (p.lostSince(mark)) {
      return left;
    }
    const range = rangeBetween(left.range, right.range);
    left = { kind: 'binary', range, operator: next.operator, left, right };
  }
}

/** Operand = Term { Traversal } */
function parseOperand(p: TokenReader): Expression {
  return parseTraversals(p, parseTerm(p), parseExpression);
}

/** Term = "(" Expression ")" | number | name | call | string | heredoc | "-" Operand | "!" Operand | tuple | object */
function parseTerm(p: TokenReader): Expression {
  switch (p.nextType) {
    case Token.OParen:
      return parseParentheses(p);
    case Token.NumberLit: {
      const token = p.read();
      return { kind: 'literal', range: p.tokens.range(token), value: numberLiteral(p, token) };
    }
    case Token.Ident:
      return parseName(p);
    case Token.OQuote:
    case Token.OHeredoc:
      return parseQuotedTemplate(p);
    case Token.Minus:
      return parseUnary(p, '-');
    case Token.Bang:
      return parseUnary(p, '!');
    case Token.OBrack:
      return parseTupleOrFor(p, parseExpression);
    case Token.OBrace:
      return parseObjectOrFor(p, parseExpression);
    default:
      return reportMissingTerm(p);
  }
}

function reportMissingTerm(p: TokenReader): Expression {
  const range = p.nextRange();
  if (!p.recovery) {
    p.diagnostics.push(
      p.nextType === Token.EOF
        ? errorDiagnostic(
            'Missing expression',
            'Expected the start of an expression, but found the end of the file.',
            range,
          )
        : errorDiagnostic(
            'Invalid expression',
            'Expected the start of an expression, but found an invalid expression token.',
            range,
          ),
    );
  }
  p.recovery = true;
  return placeholder(range);
}

function parseParentheses(p: TokenReader): Expression {
  const open = p.read();
  p.pushNewlines(false);
  const mark = p.diagnostics.length;
  const inner = parseExpression(p);
  if (p.failedSince(mark)) {
    // Moves the reader past the closing parenthesis, so that the rest can be parsed.
    p.recover(Token.CParen);
    p.popNewlines();
    return inner;
  }
  if (p.nextType !== Token.CParen) {
    const next = p.nextIndex;
    const detail = 'Expected a closing parenthesis to terminate the expression.';
    p.diagnostics.push(
      errorDiagnostic('Unbalanced parentheses', detail, p.tokens.range(next), {
        context: p.tokens.rangeBetween(open, next),
      }),
    );
    p.recovery = true;
  }
  const close = p.read();
  p.popNewlines();
  return { kind: 'parentheses', range: p.tokens.rangeBetween(open, close), inner };
}

function parseName(p: TokenReader): Expression {
  const token = p.read();
  const next = p.nextType;
  if (next === Token.OParen || next === Token.DoubleColon) {
    return parseFunctionCall(p, token, parseExpression);
  }
  const range = p.tokens.range(token);
  const name = p.tokens.textOf(token);
  switch (name) {
    case 'true':
      return { kind: 'literal', range, value: TRUE };
    case 'false':
      return { kind: 'literal', range, value: FALSE };
    case 'null':
      return { kind: 'literal', range, value: NULL };
    default:
      return {
        kind: 'scopeTraversal',
        range,
        traversal: { steps: [{ kind: 'root', name, range }], range },
      };
  }
}

function parseQuotedTemplate(p: TokenReader): Expression {
  const type = p.nextType;
  const open = p.read();
  if (type === Token.OQuote && p.isPlainString()) return parsePlainString(p, open);
  const flush = type === Token.OHeredoc && p.tokens.textOf(open)[2] === '-';
  const closer = oppositeBracket(type);
  const { parts, isWrap } = parseTemplateContent(p, closer, flush, parseExpression);
  const range = p.tokens.rangeBetween(open, p.previousIndex());
  const [first] = parts;
  return isWrap && first !== undefined
    ? { kind: 'templateWrap', range, wrapped: first }
    : { kind: 'template', range, parts };
}

/** A string of one literal, by far the most frequent template. */
function parsePlainString(p: TokenReader, open: number): Expression {
  const literal = p.read();
  const value = str(stringLiteral(p, literal));
  return {
    kind: 'template',
    range: p.tokens.rangeBetween(open, p.read()),
    parts: [{ kind: 'literal', range: p.tokens.range(literal), value }],
  };
}

/** A unary operator takes one operand only: -a+b is (-a)+b. */
function parseUnary(p: TokenReader, operator: '-' | '!'): Expression {
  const symbol = p.read();
  p.depth++;
  const operand = p.depth > MAX_DEPTH ? reportTooDeep(p) : parseOperand(p);
  p.depth--;
  const range = p.tokens.rangeTo(symbol, operand.range);
  return { kind: 'unary', range, operator, operand, symbolRange: p.tokens.range(symbol) };
}
