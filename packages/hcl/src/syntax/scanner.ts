import type { Source } from '../source/source.ts';
import { Token, TokenList, type TokenType } from './tokens.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const DOLLAR = 0x24;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const STAR = 0x2a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUAL = 0x3d;
const GREATER = 0x3e;
const UPPER_E = 0x45;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;
const LOWER_E = 0x65;
const OPEN_BRACE = 0x7b;
const BAR = 0x7c;
const CLOSE_BRACE = 0x7d;
const TILDE = 0x7e;
const BOM = 0xfeff;

/** The kind of text: a configuration or expression, or a template (such as the content of a file). */
export type ScanMode = 'normal' | 'template';

/** Splits a source into tokens. Every character ends up in a token or between two (spaces, tabs). */
export function scanTokens(source: Source, mode: ScanMode = 'normal', start = 0): TokenList {
  return new Scanner(source, mode === 'normal' ? 'main' : 'template', start).run();
}

// Patterns with classes of Unicode take half a millisecond to create: only text that is not ASCII needs them.
const startsIdentifier = (character: string): boolean => /^[\p{ID_Start}]$/u.test(character);
// Unicode 15.1 added joiners and middle dots to this class; HCL uses an older version.
const continuesIdentifier = (character: string): boolean =>
  /^(?!\u200c|\u200d|\u30fb|\uff65)[\p{ID_Continue}]$/u.test(character);

// Character classes of ASCII, so that inner loops use a table instead of comparisons.
const IDENT_START = 1;
const IDENT_CONTINUE = 2;
const DIGIT = 4;
const classes: Uint8Array = asciiClasses();

function asciiClasses(): Uint8Array {
  const table = new Uint8Array(128);
  for (let c = 0; c < 128; c++) {
    const letter = (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === UNDERSCORE;
    const digit = c >= ZERO && c <= NINE;
    table[c] =
      (letter ? IDENT_START : 0) |
      (letter || digit || c === MINUS ? IDENT_CONTINUE : 0) |
      (digit ? DIGIT : 0);
  }
  return table;
}

/** The tokens of ASCII characters that never begin a longer one; Nil for other characters. */
const singles: Uint8Array = singleTokens();

function singleTokens(): Uint8Array {
  const table = new Uint8Array(128);
  table[LF] = Token.Newline;
  table[0x27] = Token.Apostrophe;
  table[0x28] = Token.OParen;
  table[0x29] = Token.CParen;
  table[STAR] = Token.Star;
  table[PLUS] = Token.Plus;
  table[0x2c] = Token.Comma;
  table[MINUS] = Token.Minus;
  table[PERCENT] = Token.Percent;
  table[0x3b] = Token.Semicolon;
  table[0x3f] = Token.Question;
  table[0x5b] = Token.OBrack;
  table[0x5d] = Token.CBrack;
  table[0x5e] = Token.BitwiseXor;
  table[0x60] = Token.Backtick;
  return table;
}

/** Returns true if a text is an identifier: it can be used as an attribute or variable name. */
export function isValidIdentifier(text: string): boolean {
  return text.length > 0 && identifierEnd(text, 0) === text.length;
}

/** Returns the end of the identifier at an index; the index itself if none starts there. */
function identifierEnd(text: string, at: number): number {
  let end = at;
  let code = text.charCodeAt(end);
  if (code < 128) {
    if (((classes[code] ?? 0) & IDENT_START) === 0) {
      return at;
    }
    end++;
  } else {
    const char = characterAt(text, end);
    if (char === '' || !startsIdentifier(char)) {
      return at;
    }
    end += char.length;
  }
  while (end < text.length) {
    code = text.charCodeAt(end);
    if (code < 128) {
      if (((classes[code] ?? 0) & IDENT_CONTINUE) === 0) {
        break;
      }
      end++;
    } else {
      const char = characterAt(text, end);
      if (!continuesIdentifier(char)) {
        break;
      }
      end += char.length;
    }
  }
  return end;
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

interface Heredoc {
  readonly marker: string;
  startOfLine: boolean;
}

type Mode = 'main' | 'string' | 'heredoc' | 'template';

class Scanner {
  readonly #text: string;
  readonly #tokens: TokenList;
  readonly #startsAtFirst: boolean;
  #at: number;
  #mode: Mode;
  #braces = 0;
  // Brace depths at which a closing brace ends a template sequence. The stacks below only grow: an array that becomes
  // empty loses its room, so that each string would allocate it again.
  readonly #returnBraces: number[] = [];
  #returnCount = 0;
  readonly #heredocs: Heredoc[] = [];
  // The modes to go back to: a template inside an expression inside a template …
  readonly #outerModes: Mode[] = [];
  #outerCount = 0;

  constructor(source: Source, mode: Mode, start: number) {
    this.#text = source.text;
    this.#tokens = new TokenList(source);
    this.#startsAtFirst = start === 0;
    this.#mode = mode;
    this.#at = start === 0 && this.#text.charCodeAt(0) === BOM ? 1 : start;
  }

  run(): TokenList {
    const end = this.#text.length;
    while (this.#at < end) {
      switch (this.#mode) {
        case 'main':
          this.#scanMain();
          break;
        case 'string':
          this.#scanString();
          break;
        case 'heredoc':
          this.#scanHeredoc();
          break;
        case 'template':
          this.#scanTemplate();
      }
    }
    this.#tokens.push(Token.EOF, end, end);
    this.#tokens.finish();
    if (this.#startsAtFirst) this.#tokens.source.setTokenStarts(this.#tokens.starts);
    return this.#tokens;
  }

  #emit(type: TokenType, length: number): void {
    this.#at = this.#tokens.push(type, this.#at, this.#at + length);
  }

  #emitTo(type: TokenType, end: number): void {
    this.#at = this.#tokens.push(type, this.#at, end);
  }

  #enterMode(mode: Mode): void {
    this.#outerModes[this.#outerCount++] = this.#mode;
    this.#mode = mode;
  }

  #returnMode(): void {
    if (this.#outerCount > 0) this.#mode = this.#outerModes[--this.#outerCount] as Mode;
  }

  // ----- expressions and bodies

  /** Scans the tokens up to one after which the text is in another mode. */
  #scanMain(): void {
    const text = this.#text;
    const tokens = this.#tokens;
    const { length } = text;
    for (let at = this.#at; this.#mode === 'main'; at = this.#at) {
      let code = text.charCodeAt(at);
      while (code === SPACE || code === TAB) {
        at++;
        code = text.charCodeAt(at);
      }
      this.#at = at;
      if (at >= length) {
        return;
      }
      if (code >= 128) {
        this.#scanIdentifierOrInvalid();
        continue;
      }
      const single = singles[code] as TokenType;
      if (single !== Token.Nil) {
        this.#at = tokens.push(single, at, at + 1);
        continue;
      }
      const kind = classes[code] ?? 0;
      if ((kind & IDENT_START) !== 0) {
        this.#at = tokens.push(Token.Ident, at, identifierEnd(text, at));
      } else if ((kind & DIGIT) !== 0) {
        this.#at = tokens.push(Token.NumberLit, at, numberEnd(text, at));
      } else {
        this.#scanSymbol(code);
      }
    }
  }

  #scanIdentifierOrInvalid(): void {
    const end = identifierEnd(this.#text, this.#at);
    if (end > this.#at) {
      this.#emitTo(Token.Ident, end);
    } else {
      this.#scanInvalid();
    }
  }

  #scanInvalid(): void {
    const code = this.#text.codePointAt(this.#at) ?? 0;
    const bad = code >= 0xd800 && code < 0xe000;
    this.#emit(bad ? Token.BadUTF8 : Token.Invalid, code > 0xffff ? 2 : 1);
  }

  #scanSymbol(code: number): void {
    const text = this.#text;
    const next = text.charCodeAt(this.#at + 1);
    switch (code) {
      case CR:
        if (next === LF) {
          this.#emit(Token.Newline, 2);
        } else {
          this.#scanInvalid();
        }
        return;
      case HASH:
        this.#scanLineComment();
        return;
      case SLASH:
        if (next === SLASH) {
          this.#scanLineComment();
        } else if (next === STAR) {
          this.#scanBlockComment();
        } else {
          this.#emit(Token.Slash, 1);
        }
        return;
      case QUOTE:
        this.#emit(Token.OQuote, 1);
        this.#enterMode('string');
        return;
      case OPEN_BRACE:
        this.#emit(Token.OBrace, 1);
        this.#braces++;
        return;
      case CLOSE_BRACE:
        this.#closeBrace();
        return;
      case TILDE:
        if (next === CLOSE_BRACE) {
          this.#closeTrimmedSequence();
        } else {
          this.#emit(Token.BitwiseNot, 1);
        }
        return;
      case LESS:
        if (next === LESS && this.#openHeredoc()) {
          return;
        }
        this.#emitPair(next === EQUAL, Token.LessThanEq, Token.LessThan);
        return;
      case GREATER:
        this.#emitPair(next === EQUAL, Token.GreaterThanEq, Token.GreaterThan);
        return;
      case EQUAL:
        if (next === GREATER) {
          this.#emit(Token.FatArrow, 2);
        } else {
          this.#emitPair(next === EQUAL, Token.EqualOp, Token.Equal);
        }
        return;
      case 0x21:
        this.#emitPair(next === EQUAL, Token.NotEqual, Token.Bang);
        return;
      case AMPERSAND:
        this.#emitPair(next === AMPERSAND, Token.And, Token.BitwiseAnd);
        return;
      case BAR:
        this.#emitPair(next === BAR, Token.Or, Token.BitwiseOr);
        return;
      case COLON:
        this.#emitPair(next === COLON, Token.DoubleColon, Token.Colon);
        return;
      case DOT:
        if (next === DOT && text.charCodeAt(this.#at + 2) === DOT) {
          this.#emit(Token.Ellipsis, 3);
        } else {
          this.#emit(Token.Dot, 1);
        }
        return;
      default:
        this.#scanInvalid();
    }
  }

  #emitPair(isPair: boolean, pair: TokenType, single: TokenType): void {
    if (isPair) {
      this.#emit(pair, 2);
    } else {
      this.#emit(single, 1);
    }
  }

  #scanLineComment(): void {
    const newline = this.#text.indexOf('\n', this.#at);
    this.#emitTo(Token.Comment, newline < 0 ? this.#text.length : newline + 1);
  }

  #scanBlockComment(): void {
    const close = this.#text.indexOf('*/', this.#at + 2);
    if (close < 0) {
      this.#emit(Token.Slash, 1);
    } else {
      this.#emitTo(Token.Comment, close + 2);
    }
  }

  #closeBrace(): void {
    if (this.#isSequenceEnd()) {
      this.#endSequence(1);
    } else {
      this.#emit(Token.CBrace, 1);
      this.#braces--;
    }
  }

  #closeTrimmedSequence(): void {
    if (this.#isSequenceEnd()) {
      this.#endSequence(2);
    } else {
      // Not the end of a sequence, but treating it as one improves the parser's message.
      this.#emit(Token.TemplateSeqEnd, 2);
      this.#braces--;
    }
  }

  /** Returns true if a closing brace here ends a template sequence. */
  #isSequenceEnd(): boolean {
    const count = this.#returnCount;
    return count > 0 && this.#returnBraces[count - 1] === this.#braces;
  }

  #endSequence(length: number): void {
    this.#emit(Token.TemplateSeqEnd, length);
    this.#braces--;
    this.#returnCount--;
    this.#returnMode();
  }

  #openHeredoc(): boolean {
    const text = this.#text;
    let at = this.#at + 2;
    if (text.charCodeAt(at) === MINUS) {
      at++;
    }
    const nameEnd = identifierEnd(text, at);
    if (nameEnd === at) {
      return false;
    }
    let end = nameEnd;
    if (text.charCodeAt(end) === CR) {
      end++;
    }
    if (text.charCodeAt(end) !== LF) {
      return false;
    }
    this.#heredocs.push({ marker: text.slice(at, nameEnd), startOfLine: true });
    this.#emitTo(Token.OHeredoc, end + 1);
    this.#enterMode('heredoc');
    return true;
  }

  // ----- templates

  /**
   * Scans `${`, `%{` and their escapes. Returns false, without consuming the character, if it does not begin a
   * sequence.
   */
  #scanSequence(code: number, literal: TokenType): boolean {
    const text = this.#text;
    const next = text.charCodeAt(this.#at + 1);
    if (next === OPEN_BRACE) {
      const length = text.charCodeAt(this.#at + 2) === TILDE ? 3 : 2;
      this.#emit(code === DOLLAR ? Token.TemplateInterp : Token.TemplateControl, length);
      this.#braces++;
      this.#returnBraces[this.#returnCount++] = this.#braces;
      this.#leaveLineStart();
      this.#enterMode('main');
      return true;
    }
    if (this.#at + 1 >= text.length) {
      return false;
    }
    if (next === code && text.charCodeAt(this.#at + 2) === OPEN_BRACE) {
      this.#emit(literal, text.charCodeAt(this.#at + 3) === TILDE ? 4 : 3);
    } else {
      // HCL treats a carriage return as a part of the text here, and counts columns accordingly.
      const beforeLineEnd =
        literal === Token.StringLit &&
        next === CR &&
        text.charCodeAt(this.#at + 2) === LF &&
        this.#mode === 'heredoc';
      this.#emit(literal, beforeLineEnd ? 2 : 1);
    }
    return true;
  }

  #leaveLineStart(): void {
    const heredoc = this.#heredocs.at(-1);
    if (heredoc !== undefined) {
      heredoc.startOfLine = false;
    }
  }

  #scanString(): void {
    const text = this.#text;
    const code = text.charCodeAt(this.#at);
    if (code === DOLLAR || code === PERCENT) {
      if (!this.#scanSequence(code, Token.QuotedLit)) {
        this.#emitTo(Token.Invalid, text.length);
      }
      return;
    }
    if (code === QUOTE) {
      this.#emit(Token.CQuote, 1);
      this.#returnMode();
      return;
    }
    if (code === LF || code === CR) {
      let end = this.#at + 1;
      while (text.charCodeAt(end) === LF || text.charCodeAt(end) === CR) {
        end++;
      }
      this.#emitTo(Token.QuotedNewline, end);
      return;
    }
    const end = quotedLiteralEnd(text, this.#at);
    if (end > this.#at) {
      this.#emitTo(Token.QuotedLit, end);
    } else {
      this.#scanInvalid();
    }
  }

  #scanHeredoc(): void {
    const text = this.#text;
    const code = text.charCodeAt(this.#at);
    if (code === DOLLAR || code === PERCENT) {
      if (this.#scanSequence(code, Token.StringLit)) {
        this.#leaveLineStart();
      } else {
        this.#emitTo(Token.Invalid, text.length);
      }
      return;
    }
    const literalEnd = bareLiteralEnd(text, this.#at);
    let end = literalEnd;
    if (text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF) {
      end++;
    }
    if (text.charCodeAt(end) === LF) {
      this.#endHeredocLine(end + 1);
    } else if (literalEnd > this.#at) {
      this.#leaveLineStart();
      this.#emitTo(Token.StringLit, literalEnd);
    } else if (isLoneSurrogate(text, this.#at)) {
      this.#emit(Token.BadUTF8, 1);
    } else {
      // A carriage return without a line feed is invalid in a heredoc.
      this.#emitTo(Token.Invalid, text.length);
    }
  }

  #endHeredocLine(end: number): void {
    const heredoc = this.#heredocs.at(-1);
    if (
      heredoc?.startOfLine === true &&
      this.#text.slice(this.#at, end).trim() === heredoc.marker
    ) {
      const newline = this.#text.charCodeAt(end - 2) === CR ? end - 2 : end - 1;
      this.#emitTo(Token.CHeredoc, newline);
      this.#emitTo(Token.Newline, end);
      this.#heredocs.pop();
      this.#returnMode();
      return;
    }
    if (heredoc !== undefined) {
      heredoc.startOfLine = true;
    }
    this.#emitTo(Token.StringLit, end);
  }

  #scanTemplate(): void {
    const text = this.#text;
    const code = text.charCodeAt(this.#at);
    if (code === DOLLAR || code === PERCENT) {
      if (!this.#scanSequence(code, Token.StringLit)) {
        this.#emitTo(Token.StringLit, text.length);
      }
      return;
    }
    let end = bareLiteralEnd(text, this.#at);
    if (text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF) {
      end += 2;
    } else if (text.charCodeAt(end) === LF) {
      end++;
    }
    if (end > this.#at) {
      this.#emitTo(Token.StringLit, end);
    } else if (isLoneSurrogate(text, this.#at)) {
      this.#emit(Token.BadUTF8, 1);
    } else {
      this.#emitTo(Token.StringLit, text.length);
    }
  }
}

function isLoneSurrogate(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0;
  return code >= 0xd800 && code < 0xe000;
}

/** Returns the end of the number at an index. Dots may occur anywhere except at the end. */
function numberEnd(text: string, start: number): number {
  let end = start + 1;
  let at = end;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      at++;
      end = at;
    } else if (code === DOT) {
      at++;
    } else if (code === LOWER_E || code === UPPER_E) {
      const sign = text.charCodeAt(at + 1);
      const digitAt = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
      const digit = text.charCodeAt(digitAt);
      if (!(digit >= ZERO && digit <= NINE)) {
        return end;
      }
      at = digitAt + 1;
      end = at;
    } else {
      return end;
    }
  }
}

/** The end of the literal text at an index of a quoted string, with its backslash escapes. */
function quotedLiteralEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === DOLLAR || code === PERCENT || code === LF || code === CR) {
      return at;
    }
    if (code === BACKSLASH) {
      const next = text.charCodeAt(at + 1);
      if (at + 1 >= text.length || next === LF || next === CR || isLoneSurrogate(text, at + 1)) {
        return at;
      }
      at += characterLength(next);
      at++;
    } else if (code >= 0xd800 && code < 0xe000) {
      if (isLoneSurrogate(text, at)) {
        return at;
      }
      at += 2;
    } else {
      at++;
    }
  }
  return at;
}

/** The end of the literal text at an index of a heredoc line or template file. */
function bareLiteralEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === DOLLAR || code === PERCENT || code === LF || code === CR) {
      return at;
    }
    if (code >= 0xd800 && code < 0xe000) {
      if (isLoneSurrogate(text, at)) {
        return at;
      }
      at++;
    }
    at++;
  }
  return at;
}

function characterLength(unit: number): number {
  return unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
}
