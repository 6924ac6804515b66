// Token types and the token list of the native syntax. The list is three parallel arrays, since a
// large file has hundreds of thousands of tokens.

import { Range, type Source } from '../source/source.ts';

/** Kinds of tokens. Numbers, since they are compared for every token. */
export const Token = {
  Nil: 0,
  OBrace: 1,
  CBrace: 2,
  OBrack: 3,
  CBrack: 4,
  OParen: 5,
  CParen: 6,
  OQuote: 7,
  CQuote: 8,
  OHeredoc: 9,
  CHeredoc: 10,
  Star: 11,
  Slash: 12,
  Plus: 13,
  Minus: 14,
  Percent: 15,
  Equal: 16,
  EqualOp: 17,
  NotEqual: 18,
  LessThan: 19,
  LessThanEq: 20,
  GreaterThan: 21,
  GreaterThanEq: 22,
  And: 23,
  Or: 24,
  Bang: 25,
  Dot: 26,
  Comma: 27,
  DoubleColon: 28,
  Ellipsis: 29,
  FatArrow: 30,
  Question: 31,
  Colon: 32,
  TemplateInterp: 33,
  TemplateControl: 34,
  TemplateSeqEnd: 35,
  QuotedLit: 36,
  StringLit: 37,
  NumberLit: 38,
  Ident: 39,
  Comment: 40,
  Newline: 41,
  EOF: 42,
  BitwiseAnd: 43,
  BitwiseOr: 44,
  BitwiseNot: 45,
  BitwiseXor: 46,
  Apostrophe: 47,
  Backtick: 48,
  Semicolon: 49,
  Invalid: 50,
  BadUTF8: 51,
  QuotedNewline: 52,
} as const;

/** A token kind. */
export type TokenType = (typeof Token)[keyof typeof Token];

/** Tokens of this type and of those after it are always invalid. */
export const FIRST_INVALID: TokenType = Token.BitwiseAnd;

/** The tokens of a source, in order, ending with one of type EOF. */
export class TokenList {
  readonly source: Source;
  readonly types: TokenType[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  #hasInvalid = false;

  constructor(source: Source) {
    this.source = source;
  }

  /** The text of the source. */
  get text(): string {
    return this.source.text;
  }

  get length(): number {
    return this.types.length;
  }

  /** Is true if a token is of a type that no grammar contains. */
  get hasInvalid(): boolean {
    return this.#hasInvalid;
  }

  /** Adds a token. Returns its end. */
  push(type: TokenType, start: number, end: number): number {
    if (type >= FIRST_INVALID) this.#hasInvalid = true;
    this.types.push(type);
    this.starts.push(start);
    this.ends.push(end);
    return end;
  }

  type(index: number): TokenType {
    return this.types[index] ?? Token.EOF;
  }

  /** The offset of the start of a token. */
  start(index: number): number {
    return this.starts[index] ?? 0;
  }

  /** The offset of the end of a token. */
  end(index: number): number {
    return this.ends[index] ?? 0;
  }

  lengthOf(index: number): number {
    return this.end(index) - this.start(index);
  }

  range(index: number): Range {
    return this.rangeBetween(index, index);
  }

  /** The range from the start of one token to the end of another. */
  rangeBetween(first: number, last: number): Range {
    return new Range(this.source, this.starts[first] ?? 0, this.ends[last] ?? 0);
  }

  /** The range from the start of a token to the end of a range. */
  rangeTo(first: number, end: Range): Range {
    return new Range(this.source, this.starts[first] ?? 0, end.end);
  }

  textOf(index: number): string {
    return this.source.text.slice(this.starts[index], this.ends[index]);
  }
}
