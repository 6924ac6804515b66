import { Token, type TokenType } from '../syntax/tokens.ts';

/** Tokens with their source text; white space between two tokens belongs to neither. */
export interface Tokens {
  readonly text: string;
  readonly types: ArrayLike<TokenType>;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
}

/** Writes tokens one after the other, new ones and copies of tokens of a source. */
export class TokenWriter {
  readonly #types: TokenType[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #pieces: string[] = [];
  #length = 0;

  /** Appends a new token. */
  add(type: TokenType, text: string): void {
    this.#types.push(type);
    this.#starts.push(this.#length);
    this.#pieces.push(text);
    this.#length += text.length;
    this.#ends.push(this.#length);
  }

  /** Appends a copy of the tokens from one index up to another, with the space before and between them. */
  copy(tokens: Tokens, from: number, to: number): void {
    if (from >= to) return;
    const start = from === 0 ? (tokens.starts[0] ?? 0) : (tokens.ends[from - 1] ?? 0);
    const end = tokens.ends[to - 1] ?? start;
    const shift = this.#length - start;
    for (let i = from; i < to; i++) {
      this.#types.push(tokens.types[i] ?? Token.Nil);
      this.#starts.push((tokens.starts[i] ?? 0) + shift);
      this.#ends.push((tokens.ends[i] ?? 0) + shift);
    }
    this.#pieces.push(tokens.text.slice(start, end));
    this.#length += end - start;
  }

  /** Returns all that was appended. */
  tokens(): Tokens {
    return {
      text: this.#pieces.join(''),
      types: this.#types,
      starts: this.#starts,
      ends: this.#ends,
    };
  }
}

/** Returns 1 for a token that opens a bracket, -1 for one that closes a bracket, otherwise 0. */
export function bracketChange(type: TokenType | undefined): number {
  switch (type) {
    case Token.OBrace:
    case Token.OBrack:
    case Token.OParen:
    case Token.TemplateControl:
    case Token.TemplateInterp:
      return 1;
    case Token.CBrace:
    case Token.CBrack:
    case Token.CParen:
    case Token.TemplateSeqEnd:
      return -1;
    default:
      return 0;
  }
}

/** Returns true for a token that ends a line: a newline, or a comment that includes one. */
export function endsLine({ text, types, ends }: Tokens, index: number): boolean {
  const type = types[index];
  if (type === Token.Newline) return true;
  return type === Token.Comment && text.charCodeAt((ends[index] ?? 0) - 1) === 0x0a;
}
