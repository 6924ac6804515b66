import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import type { Range, Source } from '../source/source.ts';
import { Token, type TokenList, type TokenType } from './tokens.ts';

const LF = 0x0a;

/**
 * A reader of tokens for the parser, which represents a token by its index in the list. It skips comments, newlines
 * where they are insignificant, and tokens after errors. In recovery mode the parser suppresses "bad token" errors,
 * which may be consequences of a previous one.
 */
export class TokenReader {
  readonly tokens: TokenList;
  readonly source: Source;
  readonly diagnostics: Diagnostic[];
  recovery = false;
  /** the nesting depth of the blocks and expressions being parsed */
  depth = 0;
  /** the index of the next token; only the reader changes it */
  nextIndex = 0;
  /** the type of the next token; only the reader changes it. Fields, because they are read several times for a token */
  nextType: TokenType = Token.Nil;
  /** The labels of the block being parsed. Arrays that are used again, because growing new ones takes memory and time. */
  readonly labels: { readonly texts: string[]; readonly offsets: number[] } = {
    texts: [],
    offsets: [],
  };
  #newlines = true;
  /** `#newlines` of the surrounding expressions and bodies */
  readonly #outerNewlines: boolean[] = [];
  /** the index after the token consumed last */
  #after = 0;

  constructor(tokens: TokenList, diagnostics: Diagnostic[]) {
    this.tokens = tokens;
    this.source = tokens.source;
    this.diagnostics = diagnostics;
    this.#look();
  }

  /** Returns true if the next tokens are a literal and a closing quote: a string without template sequences. */
  isPlainString(): boolean {
    const { types } = this.tokens;
    const next = this.nextIndex;
    return types[next] === Token.QuotedLit && types[next + 1] === Token.CQuote;
  }

  /** Returns true if the next token is of a type. The compiler knows no type of the tokens after it from the result. */
  nextIs(type: TokenType): boolean {
    return this.nextType === type;
  }

  /** Returns true if the next token is a certain word. */
  peekIs(keyword: string): boolean {
    return this.nextType === Token.Ident && this.tokens.textOf(this.nextIndex) === keyword;
  }

  /** Consumes the next token and returns its index. */
  read(): number {
    const index = this.nextIndex;
    this.#after = index + 1;
    this.#look();
    return index;
  }

  /** Consumes the next token and returns its type. */
  skip(): TokenType {
    const type = this.nextType;
    this.#after = this.nextIndex + 1;
    this.#look();
    return type;
  }

  nextRange(): Range {
    return this.tokens.range(this.nextIndex);
  }

  /** The index of the token before the next one, comments and newlines included. */
  previousIndex(): number {
    return this.#after === 0 ? this.nextIndex : this.#after - 1;
  }

  /** The range of the token before the next one, comments and newlines included. */
  previousRange(): Range {
    return this.tokens.range(this.previousIndex());
  }

  pushNewlines(include: boolean): void {
    this.#outerNewlines.push(this.#newlines);
    this.#setNewlines(include);
  }

  popNewlines(): void {
    this.#setNewlines(this.#outerNewlines.pop() ?? true);
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
  recover(end: TokenType): number {
    const start = oppositeBracket(end);
    this.recovery = true;
    let nesting = 0;
    for (;;) {
      const seen = this.nextType;
      const token = this.read();
      const type =
        end === Token.TemplateSeqEnd && seen === Token.TemplateControl
          ? Token.TemplateInterp
          : seen;
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

  #setNewlines(include: boolean): void {
    if (include !== this.#newlines) {
      this.#newlines = include;
      this.#look();
    }
  }

  /** Finds the next token. */
  #look(): void {
    const { types } = this.tokens;
    const last = types.length - 1;
    for (let i = this.#after; i < last; i++) {
      const type = types[i] ?? Token.EOF;
      if (type !== Token.Newline && type !== Token.Comment) {
        this.nextIndex = i;
        this.nextType = type;
        return;
      }
      if (this.#newlines && (type === Token.Newline || this.#endsWithNewline(i))) {
        this.nextIndex = i;
        this.nextType = Token.Newline;
        return;
      }
    }
    this.nextIndex = last;
    this.nextType = Token.EOF;
  }

  /** Returns true for a line comment, which includes the newline after it, unless the file ends there. */
  #endsWithNewline(comment: number): boolean {
    return this.source.text.charCodeAt((this.tokens.ends[comment] ?? 0) - 1) === LF;
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
