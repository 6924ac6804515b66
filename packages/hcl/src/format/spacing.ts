// The canonical layout: indentation by brackets, one space or none between tokens, equals signs and
// comments of neighbouring lines in one column.

import { Token, type TokenType } from '../syntax/tokens.ts';
import { bracketChange, columnsOf, endsLine, type FormatToken } from './format-token.ts';

/**
 * A line in up to three cells: `assign` from the equals sign on, if what follows it is complete on
 * the line; `comment` if the line has something else before it.
 */
interface Line {
  lead: readonly FormatToken[];
  assign: readonly FormatToken[] | undefined;
  comment: readonly FormatToken[] | undefined;
}

/** Sets the spaces before each token, in place. */
export function layOut(tokens: readonly FormatToken[]): void {
  const lines = splitLines(tokens);
  indentLines(lines);
  for (const line of lines) {
    spaceTokens(line.lead);
    const [first] = line.assign ?? [];
    if (line.assign !== undefined && first !== undefined) {
      first.spaces = 1;
      spaceTokens(line.assign);
    }
  }
  alignAssignments(lines);
  alignComments(lines);
}

function splitLines(tokens: readonly FormatToken[]): Line[] {
  const lines: Line[] = [];
  let start = 0;
  const end = tokens.at(-1)?.type === Token.EOF ? tokens.length - 1 : tokens.length;
  for (let i = 0; i < end; i++) {
    const token = tokens[i];
    if (token !== undefined && endsLine(token)) {
      lines.push(makeLine(tokens.slice(start, i + 1)));
      start = i + 1;
    }
  }
  lines.push(makeLine(tokens.slice(start, end)));
  return lines;
}

function makeLine(tokens: readonly FormatToken[]): Line {
  const line: Line = { lead: tokens, assign: undefined, comment: undefined };
  if (tokens.length > 1 && tokens.at(-1)?.type === Token.Comment) {
    line.comment = tokens.slice(-1);
    line.lead = tokens.slice(0, -1);
  }
  const equals = line.lead.findIndex((token, i) => i > 0 && token.type === Token.Equal);
  if (equals > 0) {
    const assign = line.lead.slice(equals);
    if (netBrackets(assign) === 0) {
      line.assign = assign;
      line.lead = line.lead.slice(0, equals);
    }
  }
  return line;
}

function netBrackets(tokens: readonly FormatToken[]): number {
  let net = 0;
  for (const { type } of tokens) {
    net += bracketChange(type);
  }
  return net;
}

/** A heredoc's own lines belong to the line that begins it, but do not count for indentation. */
function leadBrackets(tokens: readonly FormatToken[]): number {
  const heredoc = tokens.findIndex((token) => token.type === Token.OHeredoc);
  return netBrackets(heredoc < 0 ? tokens : tokens.slice(0, heredoc));
}

/**
 * Each line that opens more brackets than it closes indents what follows by one step, however many
 * they are; it is taken back when all of them have been closed.
 */
function indentLines(lines: readonly Line[]): void {
  const opened: number[] = [];
  for (const line of lines) {
    const [first] = line.lead;
    if (first === undefined) {
      continue;
    }
    if (first.type === Token.Newline) {
      first.spaces = 0;
      continue;
    }
    const net = leadBrackets(line.lead) + netBrackets(line.assign ?? []);
    if (net > 0) {
      first.spaces = 2 * opened.length;
      opened.push(net);
      continue;
    }
    closeBrackets(opened, -net);
    first.spaces = 2 * opened.length;
  }
}

function closeBrackets(opened: number[], count: number): void {
  let closed = count;
  while (closed > 0) {
    const last = opened.pop();
    if (last === undefined) {
      return;
    }
    if (closed < last) {
      opened.push(last - closed);
      return;
    }
    closed -= last;
  }
}

function spaceTokens(tokens: readonly FormatToken[]): void {
  let before: FormatToken | undefined;
  for (let i = 0; i + 1 < tokens.length; i++) {
    const subject = tokens[i];
    const after = tokens[i + 1];
    if (subject !== undefined && after !== undefined) {
      after.spaces = spaceBetween(before?.type ?? Token.Nil, subject, after.type) ? 1 : 0;
    }
    before = subject;
  }
}

/** Whether there is a space after a token, seen between those around it. */
function spaceBetween(before: TokenType, token: FormatToken, after: TokenType): boolean {
  const subject = token.type;
  if (after === Token.Newline || after === Token.Nil) {
    return false;
  }
  if (subject === Token.Ident && (after === Token.OParen || after === Token.DoubleColon)) {
    return false;
  }
  if (subject === Token.DoubleColon && after === Token.Ident) {
    return false;
  }
  if (subject === Token.Dot || after === Token.Dot) {
    return false;
  }
  if (after === Token.Comma || after === Token.Ellipsis) {
    return false;
  }
  if (subject === Token.Comma) {
    return true;
  }
  if (isInTemplate(subject, after)) {
    return false;
  }
  // `for x in [a]`: not an index into something called "in".
  if (subject === Token.Ident && token.text === 'in' && before === Token.Ident) {
    return true;
  }
  if (
    after === Token.OBrack &&
    (subject === Token.Ident || subject === Token.NumberLit || bracketChange(subject) < 0)
  ) {
    return false;
  }
  if (subject === Token.Bang) {
    return false;
  }
  if (subject === Token.Minus) {
    return !isBeforeOperand(before);
  }
  if (subject === Token.OBrace || after === Token.CBrace) {
    return !(subject === Token.OBrace && after === Token.CBrace);
  }
  // An object alone in an interpolation is set off from the braces around it.
  if (
    (subject === Token.TemplateInterp || subject === Token.TemplateControl) &&
    after === Token.OBrace
  ) {
    return true;
  }
  if (subject === Token.CBrace && after === Token.TemplateSeqEnd) {
    return true;
  }
  if (
    subject === Token.TemplateSeqEnd &&
    (after === Token.TemplateInterp || after === Token.TemplateControl)
  ) {
    return false;
  }
  return bracketChange(subject) <= 0 && bracketChange(after) >= 0;
}

function isInTemplate(subject: TokenType, after: TokenType): boolean {
  switch (subject) {
    case Token.QuotedLit:
    case Token.StringLit:
    case Token.OQuote:
    case Token.OHeredoc:
      return true;
    default:
  }
  switch (after) {
    case Token.QuotedLit:
    case Token.StringLit:
    case Token.CQuote:
    case Token.CHeredoc:
      return true;
    default:
      return false;
  }
}

/** Whether an operand is expected after this token, so that a minus there is a negation. */
function isBeforeOperand(type: TokenType): boolean {
  switch (type) {
    case Token.Nil:
    case Token.OParen:
    case Token.OBrace:
    case Token.OBrack:
    case Token.Equal:
    case Token.Colon:
    case Token.Comma:
    case Token.Question:
    case Token.Plus:
    case Token.Star:
    case Token.Slash:
    case Token.Percent:
    case Token.Minus:
    case Token.EqualOp:
    case Token.NotEqual:
    case Token.GreaterThan:
    case Token.GreaterThanEq:
    case Token.LessThan:
    case Token.LessThanEq:
    case Token.And:
    case Token.Or:
    case Token.Bang:
      return true;
    default:
      return false;
  }
}

/** Runs of lines with assignments have their equals signs in one column. */
function alignAssignments(lines: readonly Line[]): void {
  alignCells(
    lines,
    (line) => line.assign,
    (line) => columnsOf(line.lead),
  );
}

/** Runs of lines with comments after something have their comments in one column. */
function alignComments(lines: readonly Line[]): void {
  alignCells(
    lines,
    (line) => line.comment,
    (line) => columnsOf(line.lead) + columnsOf(line.assign ?? []),
  );
}

function alignCells(
  lines: readonly Line[],
  cellOf: (line: Line) => readonly FormatToken[] | undefined,
  columnsBefore: (line: Line) => number,
): void {
  let run: { readonly cell: FormatToken; readonly columns: number }[] = [];
  const endRun = (): void => {
    const widest = run.reduce((max, entry) => Math.max(max, entry.columns), 0);
    for (const { cell, columns } of run) {
      cell.spaces = widest - columns + 1;
    }
    run = [];
  };
  for (const line of lines) {
    const cell = cellOf(line)?.[0];
    if (cell === undefined) {
      endRun();
    } else {
      run.push({ cell, columns: columnsBefore(line) });
    }
  }
  endRun();
}
