// The canonical layout: indentation by brackets, one space or none between tokens, equals signs and
// comments of neighbouring lines in one column. A layout is the number of spaces before each token.

import { countClusters } from '../source/graphemes.ts';
import { Token, type TokenType } from '../syntax/tokens.ts';
import { bracketChange, endsLine, type Tokens } from './token-writer.ts';

/** The text of tokens in canonical layout; linear in the number of tokens. */
export function canonicalText(tokens: Tokens): string {
  const layout = new Layout(tokens);
  return layout.text(0, tokens.types.length);
}

/**
 * Returns the lines of tokens in canonical layout, without line ends. A heredoc belongs to the line on which it begins.
 */
export function canonicalLines(tokens: Tokens): string[] {
  const layout = new Layout(tokens);
  return layout.lines.map((line, i) => {
    const end = i + 1 < layout.lines.length ? line.end : tokens.types.length;
    return layout.text(line.start, end).replace(/\r?\n$/, '');
  });
}

/**
 * A line of up to three cells of tokens: the lead from `start`, the assignment from its equals sign, if its value is
 * complete on the line, and a comment after other tokens. A missing cell is empty and starts at the next one.
 */
interface Line {
  readonly start: number;
  readonly assign: number;
  readonly comment: number;
  readonly end: number;
}

class Layout {
  readonly lines: readonly Line[];
  readonly #tokens: Tokens;
  readonly #spaces: Int32Array;
  // In ASCII text without carriage returns each character is one column.
  readonly #isPlain: boolean;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.#isPlain = /^[\0-\x0c\x0e-\x7f]*$/.test(tokens.text);
    this.#spaces = new Int32Array(tokens.types.length);
    this.#keepSpaceAtEnd();
    this.lines = this.#splitLines();
    this.#indent();
    for (const line of this.lines) {
      this.#spaceTokens(line.start, line.assign);
      if (line.assign < line.comment) {
        this.#spaces[line.assign] = 1;
        this.#spaceTokens(line.assign, line.comment);
      }
    }
    this.#align(
      (line) => line.assign < line.comment,
      (line) => line.assign,
    );
    this.#align(
      (line) => line.comment < line.end,
      (line) => line.comment,
    );
  }

  /** Returns the text of a range of tokens. Slices of the source that need no change are not split. */
  text(from: number, to: number): string {
    const { text, starts, ends } = this.#tokens;
    const pieces: string[] = [];
    let sliceStart = -1;
    let end = 0;
    for (let i = from; i < to; i++) {
      const start = starts[i] ?? 0;
      const spaces = this.#spaces[i] ?? 0;
      if (sliceStart < 0 || !isSpaces(text, end, start, spaces)) {
        if (sliceStart >= 0) pieces.push(text.slice(sliceStart, end));
        if (spaces > 0) pieces.push(' '.repeat(spaces));
        sliceStart = start;
      }
      end = ends[i] ?? start;
    }
    if (sliceStart >= 0) pieces.push(text.slice(sliceStart, end));
    return pieces.join('');
  }

  /**
   * Keeps the space between the last token and the end of the file, as Terraform does; a tab counts as one space. The
   * bytes of a byte order mark count as spaces in a file without tokens.
   */
  #keepSpaceAtEnd(): void {
    const { text, types, starts, ends } = this.#tokens;
    const last = types.length - 1;
    if (types[last] !== Token.EOF) return;
    const end = last > 0 ? (ends[last - 1] ?? 0) : text.startsWith('\uFEFF') ? -2 : 0;
    this.#spaces[last] = (starts[last] ?? 0) - end;
  }

  #splitLines(): Line[] {
    const { types } = this.#tokens;
    const lines: Line[] = [];
    const hasEnd = types[types.length - 1] === Token.EOF;
    const end = hasEnd ? types.length - 1 : types.length;
    let start = 0;
    for (let i = 0; i < end; i++) {
      if (!endsLine(this.#tokens, i)) continue;
      lines.push(this.#line(start, i + 1));
      start = i + 1;
    }
    lines.push(this.#line(start, end));
    return lines;
  }

  #line(start: number, end: number): Line {
    const { types } = this.#tokens;
    const hasComment = end - start > 1 && types[end - 1] === Token.Comment;
    const comment = hasComment ? end - 1 : end;
    let equals = start + 1;
    while (equals < comment && types[equals] !== Token.Equal) equals++;
    const isComplete = equals < comment && this.#netBrackets(equals, comment) === 0;
    return { start, assign: isComplete ? equals : comment, comment, end };
  }

  #netBrackets(from: number, to: number): number {
    const { types } = this.#tokens;
    let net = 0;
    for (let i = from; i < to; i++) net += bracketChange(types[i]);
    return net;
  }

  /** Counts the brackets of a lead. The text of a heredoc belongs to its first line, but is not counted. */
  #leadBrackets({ start, assign }: Line): number {
    const { types } = this.#tokens;
    let end = start;
    while (end < assign && types[end] !== Token.OHeredoc) end++;
    return this.#netBrackets(start, end);
  }

  /**
   * Sets the indentation. A line that opens more brackets than it closes indents the following lines by one step,
   * however many brackets it opens; the step ends when all of them are closed.
   */
  #indent(): void {
    const { types } = this.#tokens;
    const opened: number[] = [];
    for (const line of this.lines) {
      if (line.start === line.end || types[line.start] === Token.Newline) continue;
      const net = this.#leadBrackets(line) + this.#netBrackets(line.assign, line.comment);
      if (net > 0) {
        this.#spaces[line.start] = 2 * opened.length;
        opened.push(net);
      } else {
        closeBrackets(opened, -net);
        this.#spaces[line.start] = 2 * opened.length;
      }
    }
  }

  #spaceTokens(from: number, to: number): void {
    const { text, types, starts, ends } = this.#tokens;
    let before: TokenType = Token.Nil;
    for (let i = from; i + 1 < to; i++) {
      const subject = types[i] ?? Token.Nil;
      const isIn = (): boolean => text.slice(starts[i], ends[i]) === 'in';
      this.#spaces[i + 1] = spaceBetween(before, subject, types[i + 1] ?? Token.Nil, isIn) ? 1 : 0;
      before = subject;
    }
  }

  /** Aligns a cell of neighbouring lines in one column. */
  #align(hasCell: (line: Line) => boolean, cellOf: (line: Line) => number): void {
    const cells: number[] = [];
    const columns: number[] = [];
    let widest = 0;
    const endRun = (): void => {
      for (let i = 0; i < cells.length; i++) {
        this.#spaces[cells[i] ?? 0] = widest - (columns[i] ?? 0) + 1;
      }
      cells.length = 0;
      columns.length = 0;
      widest = 0;
    };
    for (const line of this.lines) {
      if (!hasCell(line)) {
        if (cells.length > 0) endRun();
        continue;
      }
      const cell = cellOf(line);
      const width = this.#columns(line.start, cell);
      cells.push(cell);
      columns.push(width);
      if (width > widest) widest = width;
    }
    endRun();
  }

  /** Returns the width of a range of tokens in grapheme clusters. */
  #columns(from: number, to: number): number {
    const { text, starts, ends } = this.#tokens;
    let columns = 0;
    for (let i = from; i < to; i++) {
      const start = starts[i] ?? 0;
      const end = ends[i] ?? start;
      columns += this.#spaces[i] ?? 0;
      columns += this.#isPlain ? end - start : countClusters(text.slice(start, end));
    }
    return columns;
  }
}

/** Returns true if the text from one offset to another consists of this number of spaces. */
function isSpaces(text: string, from: number, to: number, spaces: number): boolean {
  if (to - from !== spaces) return false;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) !== 0x20) return false;
  return true;
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

/** Returns true if a space separates a token from the one after it. */
function spaceBetween(
  before: TokenType,
  subject: TokenType,
  after: TokenType,
  isIn: () => boolean,
): boolean {
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
  // `for x in [a]`: not an index into a variable named "in".
  if (subject === Token.Ident && before === Token.Ident && isIn()) {
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
  // Spaces separate an object that is a whole interpolation from the enclosing braces.
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

/** Returns true if an operand is expected after this token, so that a minus there is a negation. */
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
