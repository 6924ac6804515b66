import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import type { Range, Source } from '../source/source.ts';
import { Token, type TokenList, type TokenType } from './tokens.ts';

/** A token of the list. Its range is created when it is requested: the parser needs that of every second token. */
export class ReadToken {
  readonly type: TokenType;
  readonly index: number;
  readonly #tokens: TokenList;
  #range: Range | undefined;

  constructor(type: TokenType, index: number, tokens: TokenList) {
    this.type = type;
    this.index = index;
    this.#tokens = tokens;
  }

  get range(): Range {
    return (this.#range ??= this.#tokens.range(this.index));
  }
}

/**
 * A reader of tokens for the parser: skips comments, and newlines where they are insignificant; skips forward after
 * errors. In recovery mode the parser suppresses "bad token" errors, which may be consequences of a previous one.
 */
export class TokenReader {
  readonly tokens: TokenList;
  readonly source: Source;
  readonly diagnostics: Diagnostic[];
  recovery = false;
  /** the nesting depth of the blocks and expressions being parsed */
  depth = 0;
  #next = 0;
  #newlines = true;
  /** `#newlines` of the surrounding expressions and bodies */
  readonly #outerNewlines: boolean[] = [];
  // The token that `peek` saw; -1 when it has to look again.
  #peekedIndex = -1;
  #seenType: TokenType = Token.Nil;

  constructor(tokens: TokenList, diagnostics: Diagnostic[]) {
    this.tokens = tokens;
    this.source = tokens.source;
    this.diagnostics = diagnostics;
  }

  /** Returns the type of the next token. */
  peek(): TokenType {
    if (this.#peekedIndex < 0) {
      this.#look();
    }
    return this.#seenType;
  }

  /** The next token, without taking it. */
  peekToken(): ReadToken {
    const type = this.peek();
    return new ReadToken(type, this.#peekedIndex, this.tokens);
  }

  /** Returns true if the next tokens are a literal and a closing quote: a string without template sequences. */
  isPlainString(): boolean {
    const { types } = this.tokens;
    const next = this.nextIndex();
    return types[next] === Token.QuotedLit && types[next + 1] === Token.CQuote;
  }

  /** Returns the index of the next token. */
  nextIndex(): number {
    this.peek();
    return this.#peekedIndex;
  }

  /** Returns true if the next token is a certain word. */
  peekIs(keyword: string): boolean {
    return this.peek() === Token.Ident && this.tokens.textOf(this.#peekedIndex) === keyword;
  }

  /** Consumes the next token. */
  read(): ReadToken {
    const type = this.peek();
    const index = this.#peekedIndex;
    this.#advance();
    return new ReadToken(type, index, this.tokens);
  }

  /** Consumes the next token and returns its index. */
  readIndex(): number {
    this.peek();
    const index = this.#peekedIndex;
    this.#advance();
    return index;
  }

  /** Consumes the next token without its range and returns its type. */
  skip(): TokenType {
    const type = this.peek();
    this.#advance();
    return type;
  }

  text(token: ReadToken): string {
    return this.tokens.textOf(token.index);
  }

  nextRange(): Range {
    this.peek();
    return this.tokens.range(this.#peekedIndex);
  }

  /** The range of the token before the next one, comments and newlines included. */
  previousRange(): Range {
    return this.#next === 0 ? this.nextRange() : this.tokens.range(this.#next - 1);
  }

  pushNewlines(include: boolean): void {
    this.#outerNewlines.push(this.#newlines);
    this.#newlines = include;
    this.#peekedIndex = -1;
  }

  popNewlines(): void {
    this.#newlines = this.#outerNewlines.pop() ?? true;
    this.#peekedIndex = -1;
  }

  /** Returns true if an error was reported since `mark` diagnostics had been. */
  failedSince(mark: number): boolean {
    return hasErrors(this.diagnostics, mark);
  }

  /** Returns true if the reader has skipped input because of an error reported since `mark`. */
  lostSince(mark: number): boolean {
    return this.recovery && this.failedSince(mark);
  }

  /**
   * Skips to just after the next token of type `end`, over nested pairs if it is a closing bracket. Returns that token,
   * or the end of the file.
   */
  recover(end: TokenType): ReadToken {
    const start = oppositeBracket(end);
    this.recovery = true;
    let nesting = 0;
    for (;;) {
      const token = this.read();
      const type =
        end === Token.TemplateSeqEnd && token.type === Token.TemplateControl
          ? Token.TemplateInterp
          : token.type;
      if (type === start) {
        nesting++;
      } else if (type === end) {
        if (nesting < 1) {
          return token;
        }
        nesting--;
      } else if (type === Token.EOF) {
        return token;
      }
    }
  }

  /** Skips the next bracketed group that begins with `start`. */
  recoverOver(start: TokenType): void {
    for (let type = this.skip(); type !== start && type !== Token.EOF; type = this.skip()) {
      // skipped tokens need no action
    }
    this.recover(oppositeBracket(start));
  }

  /** Skips to the start of the next line outside brackets opened on the way. */
  recoverAfterBodyItem(): void {
    this.recovery = true;
    const open: TokenType[] = [];
    for (;;) {
      const type = this.skip();
      switch (type) {
        case Token.Newline:
          if (open.length === 0) {
            return;
          }
          break;
        case Token.EOF:
          return;
        case Token.OBrace:
        case Token.OBrack:
        case Token.OParen:
        case Token.OQuote:
        case Token.OHeredoc:
        case Token.TemplateInterp:
        case Token.TemplateControl:
          open.push(type);
          break;
        case Token.CBrace:
        case Token.CBrack:
        case Token.CParen:
        case Token.CQuote:
        case Token.CHeredoc:
          closeUpTo(open, oppositeBracket(type), oppositeBracket(type));
          break;
        case Token.TemplateSeqEnd:
          closeUpTo(open, Token.TemplateInterp, Token.TemplateControl);
          break;
        default:
      }
    }
  }

  #advance(): void {
    this.#next = this.#peekedIndex + 1;
    this.#peekedIndex = -1;
  }

  #look(): void {
    const { types, ends } = this.tokens;
    const newlines = this.#newlines;
    for (let i = this.#next; i < types.length; i++) {
      const type = types[i] ?? Token.EOF;
      if (type === Token.Comment) {
        // A line comment has swallowed the newline after it.
        if (newlines && this.source.text.charCodeAt((ends[i] ?? 0) - 1) === 0x0a) {
          this.#peekedIndex = i;
          this.#seenType = Token.Newline;
          return;
        }
      } else if (type !== Token.Newline || newlines) {
        this.#peekedIndex = i;
        this.#seenType = type;
        return;
      }
    }
    this.#peekedIndex = types.length - 1;
    this.#seenType = Token.EOF;
  }
}

function closeUpTo(open: TokenType[], type: TokenType, other: TokenType): void {
  while (open.length > 0 && open.at(-1) !== type && open.at(-1) !== other) {
    open.pop();
  }
  open.pop();
}

/** Returns the opposite bracket; Nil for tokens that are not brackets. */
export function oppositeBracket(type: TokenType): TokenType {
  switch (type) {
    case Token.OBrace:
      return Token.CBrace;
    case Token.OBrack:
      return Token.CBrack;
    case Token.OParen:
      return Token.CParen;
    case Token.OQuote:
      return Token.CQuote;
    case Token.OHeredoc:
      return Token.CHeredoc;
    case Token.CBrace:
      return Token.OBrace;
    case Token.CBrack:
      return Token.OBrack;
    case Token.CParen:
      return Token.OParen;
    case Token.CQuote:
      return Token.OQuote;
    case Token.CHeredoc:
      return Token.OHeredoc;
    case Token.TemplateControl:
    case Token.TemplateInterp:
      return Token.TemplateSeqEnd;
    case Token.TemplateSeqEnd:
      return Token.TemplateInterp;
    default:
      return Token.Nil;
  }
}
