import { errorAt, type LegacySyntaxError, type Place } from './node.ts';
import { unquote, unindentHeredoc } from './quoted.ts';

/** Token kinds, by their names in messages of HCL 1. */
export type TokenType =
  | 'ILLEGAL'
  | 'EOF'
  | 'COMMENT'
  | 'IDENT'
  | 'NUMBER'
  | 'FLOAT'
  | 'BOOL'
  | 'STRING'
  | 'HEREDOC'
  | 'LBRACK'
  | 'LBRACE'
  | 'COMMA'
  | 'PERIOD'
  | 'RBRACK'
  | 'RBRACE'
  | 'ASSIGN'
  | 'ADD'
  | 'SUB';

/** A token of the text. */
export interface Token {
  readonly type: TokenType;
  readonly place: Place;
  readonly text: string;
}

const END = '';
const PUNCTUATION: ReadonlyMap<string, TokenType> = new Map([
  ['[', 'LBRACK'],
  [']', 'RBRACK'],
  ['{', 'LBRACE'],
  ['}', 'RBRACE'],
  [',', 'COMMA'],
  ['=', 'ASSIGN'],
  ['+', 'ADD'],
]);
const isLetter = (char: string): boolean => /^[\p{L}_]$/u.test(char);
const isLetterOrDigit = (char: string): boolean => /^[\p{L}\p{Nd}_]$/u.test(char);
const isDecimal = (char: string): boolean => char >= '0' && char <= '9' && char.length === 1;

/** Scans HCL 1. As in the original, errors do not end the scan; `error` holds the last one. */
export class Scanner {
  error: LegacySyntaxError | undefined;
  readonly #chars: readonly string[];
  #at = 0;
  #line = 1;
  #column = 0;
  #lastLineLength = 0;

  constructor(text: string) {
    this.#chars = Array.from(text);
  }

  /** Returns the next token, skipping comments. */
  scan(): Token {
    for (;;) {
      const token = this.#scan();
      if (token.type !== 'COMMENT') return token;
    }
  }

  #next(): string {
    const char = this.#chars[this.#at];
    this.#column++;
    if (char === undefined) return END;
    this.#at++;
    if (char === '\n') {
      this.#line++;
      this.#lastLineLength = this.#column;
      this.#column = 0;
    }
    if (char === '\0') {
      this.#fault('unexpected null character (0x00)');
      return END;
    }
    return char;
  }

  #peek(): string {
    return this.#chars[this.#at] ?? END;
  }

  #unread(): void {
    this.#at--;
    if (this.#chars[this.#at] === '\n') {
      this.#line--;
      this.#column = this.#lastLineLength - 1;
    } else this.#column--;
  }

  /** Returns the position of the last character read. */
  #place(): Place {
    return this.#column > 0
      ? { line: this.#line, column: this.#column }
      : { line: this.#line - 1, column: this.#lastLineLength };
  }

  #fault(message: string): void {
    this.error = errorAt(this.#place(), message);
  }

  /** Reports an error at the next character, without consuming it. */
  #faultAtNext(message: string): void {
    const ends = this.#peek() === END;
    if (!ends) this.#next();
    this.#fault(message);
    if (!ends) this.#unread();
  }

  #scan(): Token {
    let char = this.#next();
    while (char === ' ' || char === '\t' || char === '\n' || char === '\r') char = this.#next();
    const start = char === END ? this.#at : this.#at - 1;
    const place = this.#place();
    const type = this.#typeFrom(char);
    const text = this.#chars.slice(start, this.#at).join('');
    const named = type === 'IDENT' && (text === 'true' || text === 'false');
    return { type: named ? 'BOOL' : type, place, text };
  }

  #typeFrom(char: string): TokenType {
    if (isLetter(char)) {
      this.#consumeWhile((next) => isLetterOrDigit(next) || next === '-' || next === '.');
      return 'IDENT';
    }
    if (isDecimal(char)) return this.#number(char);
    const punctuation = PUNCTUATION.get(char);
    if (punctuation !== undefined) return punctuation;
    switch (char) {
      case END:
        return 'EOF';
      case '"':
        this.#string();
        return 'STRING';
      case '#':
      case '/':
        this.#comment(char);
        return 'COMMENT';
      case '.':
        if (!isDecimal(this.#peek())) return 'PERIOD';
        this.#consumeWhile(isDecimal);
        this.#exponent();
        return 'FLOAT';
      case '<':
        this.#heredoc();
        return 'HEREDOC';
      case '-':
        return isDecimal(this.#peek()) ? this.#number(this.#next()) : 'SUB';
      default:
        this.#fault('illegal char');
        return 'ILLEGAL';
    }
  }

  #consumeWhile(mayContinue: (char: string) => boolean): number {
    let count = 0;
    while (this.#peek() !== END && mayContinue(this.#peek())) {
      this.#next();
      count++;
    }
    // Reaching the end counts as a character, which is visible in the positions of messages.
    if (this.#peek() === END) this.#column++;
    return count;
  }

  #comment(first: string): void {
    if (first === '#' || this.#peek() !== '*') {
      if (first === '/' && this.#peek() !== '/') {
        this.#fault("expected '/' for comment");
        return;
      }
      this.#consumeWhile((char) => char !== '\n');
      return;
    }
    this.#next();
    let before = this.#next();
    for (;;) {
      if (before === END) {
        this.#fault('comment not terminated');
        return;
      }
      const char = this.#next();
      if (before === '*' && char === '/') return;
      before = char;
    }
  }

  #number(first: string): TokenType {
    if (first === '0' && /^[xX]$/.test(this.#peek())) {
      this.#next();
      const digits = this.#consumeWhile((char) => /^[0-9a-fA-F]$/.test(char));
      if (digits === 0) this.#faultAtNext('illegal hexadecimal number');
      return 'NUMBER';
    }
    const from = this.#at;
    this.#consumeWhile(isDecimal);
    const digits = this.#chars.slice(from, this.#at).join('');
    if (this.#exponent()) return 'FLOAT';
    if (this.#peek() === '.') {
      this.#next();
      this.#consumeWhile(isDecimal);
      this.#exponent();
      return 'FLOAT';
    }
    // The first digit is not checked.
    if (first === '0' && /[89]/.test(digits.slice(1))) this.#fault('illegal octal number');
    return 'NUMBER';
  }

  #exponent(): boolean {
    if (!/^[eE]$/.test(this.#peek())) return false;
    this.#next();
    if (/^[-+]$/.test(this.#peek())) this.#next();
    this.#consumeWhile(isDecimal);
    return true;
  }

  #string(): void {
    let braces = 0;
    for (;;) {
      const char = this.#next();
      if ((char === '\n' && braces === 0) || char === END) {
        this.#fault('literal not terminated');
        return;
      }
      if (char === '"' && braces === 0) return;
      if (braces === 0 && char === '$' && this.#peek() === '{') {
        braces++;
        this.#next();
      } else if (braces > 0 && char === '{') braces++;
      if (braces > 0 && char === '}') braces--;
      if (char === '\\') this.#escape();
    }
  }

  #escape(): void {
    const char = this.#next();
    if (/^[abfnrtv\\"]$/.test(char)) return;
    if (/^[0-7]$/.test(char)) this.#digits(/^[0-7]$/, 2);
    else if (char === 'x') this.#digits(/^[0-9a-fA-F]$/, 2);
    else if (char === 'u') this.#digits(/^[0-9a-fA-F]$/, 4);
    else if (char === 'U') this.#digits(/^[0-9a-fA-F]$/, 8);
    else this.#fault('illegal char escape');
  }

  #digits(allowed: RegExp, count: number): void {
    for (let remaining = count; remaining > 0; remaining--) {
      if (!allowed.test(this.#peek())) {
        this.#faultAtNext('illegal char escape');
        return;
      }
      this.#next();
    }
  }

  #heredoc(): void {
    if (this.#next() !== '<') {
      this.#fault("heredoc expected second '<', didn't see it");
      return;
    }
    const from = this.#at;
    let char = this.#next();
    if (char === '-') char = this.#next();
    while (isLetterOrDigit(char)) char = this.#next();
    if (char === END) {
      this.#fault('heredoc not terminated');
      return;
    }
    if (char !== '\n') {
      this.#fault('invalid characters in heredoc anchor');
      return;
    }
    const anchor = this.#chars.slice(from, this.#at - 1).join('');
    if (anchor === '' || anchor === '-') {
      this.#fault('zero-length heredoc anchor');
      return;
    }
    const end = anchor.replace(/^-/, '');
    let line = '';
    for (;;) {
      char = this.#next();
      if (char === END) {
        this.#fault('heredoc not terminated');
        return;
      }
      if (char !== '\n') {
        line += char;
        continue;
      }
      if (line.replace(/^[\t-\r ]*/, '').replace(/\r*$/, '') === end) return;
      line = '';
    }
  }
}

/** Returns the value of a literal; undefined for a string with invalid quoting. */
export function literalValue({ type, text }: Token): string | undefined {
  if (type === 'STRING') return unquote(text);
  return type === 'HEREDOC' ? unindentHeredoc(text) : text;
}
