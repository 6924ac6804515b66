// Token types and the token list of the native syntax. The list is three parallel arrays, since a large file has
// hundreds of thousands of tokens.

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

/**
 * The length of a text from which on its tokens are in typed arrays. These need an eighth of the memory of arrays that
 * grow by pushing, all of it outside of the heap that is copied to collect garbage, but each takes a microsecond to
 * allocate: too much for a small file, the strings of a JSON file, or an address.
 */
const MIN_TYPED = 32_768;
const NO_TYPES = new Uint8Array(0);
const NO_OFFSETS = new Uint32Array(0);

interface ShortArrays {
  readonly types: TokenType[];
  readonly starts: number[];
  readonly ends: number[];
}

/** The tokens of a source, in order, ending with one of type EOF. */
export class TokenList {
  readonly source: Source;
  // The arrays for readers, set by `finish`.
  types: ArrayLike<TokenType> = [];
  starts: ArrayLike<number> = [];
  ends: ArrayLike<number> = [];
  /** The arrays of a short text; the ones below are those of a long one. */
  readonly #short: ShortArrays | undefined;
  #types: Uint8Array = NO_TYPES;
  #starts: Uint32Array = NO_OFFSETS;
  #ends: Uint32Array = NO_OFFSETS;
  #length = 0;
  #hasInvalid = false;

  constructor(source: Source) {
    this.source = source;
    const { length } = source.text;
    if (length < MIN_TYPED) this.#short = { types: [], starts: [], ends: [] };
    else this.#reserve(length >> 2);
  }

  /** The text of the source. */
  get text(): string {
    return this.source.text;
  }

  get length(): number {
    return this.#length;
  }

  /** Is true if a token is of a type that no grammar contains. */
  get hasInvalid(): boolean {
    return this.#hasInvalid;
  }

  /** Adds a token. Returns its end. */
  push(type: TokenType, start: number, end: number): number {
    if (type >= FIRST_INVALID) this.#hasInvalid = true;
    const index = this.#length++;
    const short = this.#short;
    if (short !== undefined) {
      short.types.push(type);
      short.starts.push(start);
      short.ends.push(end);
      return end;
    }
    if (index === this.#types.length) this.#reserve(2 * index);
    this.#types[index] = type;
    this.#starts[index] = start;
    this.#ends[index] = end;
    return end;
  }

  /** Makes the added tokens available to readers. */
  finish(): void {
    const { types, starts, ends } = this.#short ?? this.#usedParts();
    this.types = types;
    this.starts = starts;
    this.ends = ends;
  }

  #usedParts(): Pick<TokenList, 'types' | 'starts' | 'ends'> {
    const length = this.#length;
    return {
      // `push` adds nothing but token types.
      types: this.#types.subarray(0, length) as ArrayLike<number> as ArrayLike<TokenType>,
      starts: this.#starts.subarray(0, length),
      ends: this.#ends.subarray(0, length),
    };
  }

  /** Provides room for a number of tokens. */
  #reserve(room: number): void {
    const [types, starts, ends] = [this.#types, this.#starts, this.#ends];
    this.#types = new Uint8Array(room);
    this.#starts = new Uint32Array(room);
    this.#ends = new Uint32Array(room);
    this.#types.set(types);
    this.#starts.set(starts);
    this.#ends.set(ends);
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
