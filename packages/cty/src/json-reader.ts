import { CtyError } from './cty-error.ts';
import { quoteText } from './text.ts';

/** The error for invalid JSON. The message is that of Go's decoder; `offset` counts UTF-16 units of the text. */
export class JsonSyntaxError extends CtyError {
  override readonly name: string = 'JsonSyntaxError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const numberAt = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const MAX_DEPTH = 4000;

// Patterns find the end of a run of characters in native code, which pays for more than a few of them.
const whiteSpace = /[ \n\r\t]*/y;
/** Characters of a string except quotes, escapes and control characters. */
const plainCharacters = /[ !#-[\]-\uffff]*/y;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** A forward reader of JSON text that both decoders share. Its errors are worded as those of Go's token reader. */
export class JsonReader {
  readonly text: string;
  position: number;
  #depth = 0;

  constructor(text: string, position = 0) {
    this.text = text;
    this.position = position;
  }

  /** Returns the next character other than white space as a code unit; -1 at the end. Does not consume it. */
  peek(): number {
    const { text } = this;
    let unit = text.charCodeAt(this.position);
    // Mostly there is no white space, or one space after a colon.
    if (unit === SPACE) unit = text.charCodeAt(++this.position);
    return unit > SPACE ? unit : this.#peekBeyondSpace();
  }

  #peekBeyondSpace(): number {
    const { text, position } = this;
    if (position >= text.length) return -1;
    whiteSpace.lastIndex = position;
    whiteSpace.test(text);
    this.position = whiteSpace.lastIndex;
    return this.position < text.length ? text.charCodeAt(this.position) : -1;
  }

  /** Enters an array or object whose opening bracket is next. */
  open(): void {
    this.position++;
    if (++this.#depth > MAX_DEPTH) this.fail('exceeded max depth');
  }

  /** Leaves an array or object whose closing bracket is next. */
  close(): void {
    this.position++;
    this.#depth--;
  }

  /**
   * Returns true if the open array has another element. `first` is true before the first element. Consumes the comma or
   * the closing bracket.
   */
  nextElement(first: boolean): boolean {
    const unit = this.peek();
    if (unit === 0x5d) {
      this.close();
      return false;
    }
    if (first) return true;
    if (unit !== COMMA) this.unexpected('after array element');
    this.position++;
    if (this.peek() === 0x5d) this.unexpected('looking for beginning of value');
    return true;
  }

  /**
   * Reads the next key of the open object and its colon; undefined at the end of the object, which is read too.
   * `expected` is the most probable key, for which no new string is created.
   */
  nextKey(first: boolean, expected?: string): string | undefined {
    let unit = this.peek();
    if (unit === 0x7d) {
      this.close();
      return undefined;
    }
    if (!first) {
      if (unit !== COMMA) this.unexpected('after object key:value pair');
      this.position++;
      unit = this.peek();
    }
    if (unit !== QUOTE) this.unexpected(first ? '' : 'looking for beginning of object key string');
    const key = this.readString(expected);
    if (this.peek() !== COLON) this.unexpected('after object key');
    this.position++;
    return key;
  }

  /** Reads a string; returns `expected` if it is equal. The current character must be its opening quote. */
  readString(expected?: string): string {
    const { text } = this;
    const start = this.position + 1;
    const end = this.#plainEnd(start);
    if (text.charCodeAt(end) === BACKSLASH) return this.#readEscaped(start, end);
    this.position = end + 1;
    if (expected?.length === end - start && text.startsWith(expected, start)) return expected;
    return detached(text, start, end);
  }

  #skipString(): void {
    const start = this.position + 1;
    const end = this.#plainEnd(start);
    if (this.text.charCodeAt(end) === BACKSLASH) this.#readEscaped(start, end);
    else this.position = end + 1;
  }

  /** Returns the position of the first quote or escape in the string whose content begins at `start`. */
  #plainEnd(start: number): number {
    const { text } = this;
    plainCharacters.lastIndex = start;
    plainCharacters.test(text);
    const end = plainCharacters.lastIndex;
    if (end >= text.length) return this.#endOfText();
    if (text.charCodeAt(end) < SPACE) {
      this.position = end;
      this.unexpected('in string literal');
    }
    return end;
  }

  #readEscaped(start: number, firstEscape: number): string {
    const { text } = this;
    let out = text.slice(start, firstEscape);
    let at = firstEscape;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) {
        this.position = at + 1;
        return out.toWellFormed();
      }
      if (unit === BACKSLASH) {
        this.position = at;
        out += this.#readEscape();
        at = this.position;
      } else if (unit < 0x20) {
        this.position = at;
        this.unexpected('in string literal');
      } else {
        out += text[at];
        at++;
      }
    }
    return this.#endOfText();
  }

  #readEscape(): string {
    this.position++;
    const c = this.text[this.position];
    switch (c) {
      case '"':
      case '\\':
      case '/':
        this.position++;
        return c;
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't':
        this.position++;
        return c === 'b' ? '\b' : c === 'f' ? '\f' : c === 'n' ? '\n' : c === 'r' ? '\r' : '\t';
      case 'u':
        return this.#readCodeUnit();
      case undefined:
        return this.#endOfText();
      default:
        return this.unexpected('in string escape code');
    }
  }

  #readCodeUnit(): string {
    let unit = 0;
    for (let i = 0; i < 4; i++) {
      this.position++;
      const digit = this.text[this.position];
      if (digit === undefined) return this.#endOfText();
      const value = '0123456789abcdef'.indexOf(digit.toLowerCase());
      if (value < 0) this.unexpected('in \\u hexadecimal character escape');
      unit = unit * 16 + value;
    }
    this.position++;
    return String.fromCharCode(unit);
  }

  /** Reads a number and returns its text. The current character must be its first character. */
  readNumber(): string {
    const { text } = this;
    const start = this.position;
    let at = text.charCodeAt(start) === 0x2d ? start + 1 : start;
    const first = text.charCodeAt(at);
    if (first >= 0x31 && first <= 0x39) {
      let unit = first;
      while (unit >= 0x30 && unit <= 0x39) unit = text.charCodeAt(++at);
      // Most numbers are plain integers; a pattern parses the others.
      if (unit !== 0x2e && unit !== 0x65 && unit !== 0x45) {
        this.position = at;
        return text.slice(start, at);
      }
    }
    return this.#readOtherNumber();
  }

  #readOtherNumber(): string {
    numberAt.lastIndex = this.position;
    const match = numberAt.exec(this.text);
    if (match === null) {
      this.position++; // a minus without a digit
      return this.unexpected('in numeric literal');
    }
    const end = numberAt.lastIndex;
    this.position = end;
    const next = this.text[end];
    if (next === '.' && !/[.eE]/.test(match[0])) {
      this.position++;
      this.unexpected('after decimal point in numeric literal');
    }
    if ((next === 'e' || next === 'E') && !/[eE]/.test(match[0])) {
      this.position++;
      if (this.text[this.position] === '+' || this.text[this.position] === '-') this.position++;
      this.unexpected('in exponent of numeric literal');
    }
    return match[0];
  }

  /** Reads `true`, `false` or `null`. The current character must be its first letter. */
  readLiteral(word: 'true' | 'false' | 'null'): void {
    for (let i = 1; i < word.length; i++) {
      this.position++;
      if (this.text[this.position] !== word[i]) {
        this.unexpected(`in literal ${word} (expecting '${word[i]}')`);
      }
    }
    this.position++;
  }

  /** Reads over a value of any kind. */
  skipValue(): void {
    switch (this.peek()) {
      case 0x7b:
        this.open();
        for (let first = true; this.nextKey(first) !== undefined; first = false) this.skipValue();
        return;
      case 0x5b:
        this.open();
        for (let first = true; this.nextElement(first); first = false) this.skipValue();
        return;
      case QUOTE:
        this.#skipString();
        return;
      default:
        this.readScalar();
    }
  }

  /** Reads a number (as `{ number }`), bool or null, and throws for any other value. */
  readScalar(): boolean | null | { readonly number: string } {
    const unit = this.peek();
    if (unit === 0x74) {
      this.readLiteral('true');
      return true;
    }
    if (unit === 0x66) {
      this.readLiteral('false');
      return false;
    }
    if (unit === 0x6e) {
      this.readLiteral('null');
      return null;
    }
    if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) return { number: this.readNumber() };
    return this.unexpected('looking for beginning of value');
  }

  /** Throws the error for an unexpected character at the current position, or for the end of the text. */
  unexpected(context: string): never {
    const code = this.text.codePointAt(this.position);
    if (code === undefined) this.fail(this.#insideValue(context) ? 'unexpected EOF' : 'EOF');
    return this.fail(`invalid character ${quoteByte(code)} ${context}`.trimEnd());
  }

  /** Go distinguishes the end of input inside a string, number or word from the end between two of them. */
  #insideValue(context: string): boolean {
    return context.startsWith('in ') || context.startsWith('after decimal');
  }

  #endOfText(): never {
    this.position = this.text.length;
    return this.fail('unexpected EOF');
  }

  /** Throws a syntax error at the position. */
  fail(message: string): never {
    throw new JsonSyntaxError(message, this.position);
  }
}

/**
 * Go's decoder processes bytes: for a character beyond ASCII it prints the first byte of its UTF-8 encoding, as
 * Latin-1.
 */
function quoteByte(code: number): string {
  if (code === 0x27) return "'\\''";
  if (code === 0x22) return `'"'`;
  const byte =
    code < 0x80
      ? code
      : code < 0x800
        ? 0xc0 | (code >> 6)
        : code < 0x10000
          ? 0xe0 | (code >> 12)
          : 0xf0 | (code >> 18);
  return `'${quoteText(String.fromCharCode(byte)).slice(1, -1)}'`;
}

/**
 * Copies a substring, so that it does not retain the whole text: V8 represents substrings of 13 and more units as
 * slices. A substring that is most of the text is not copied.
 */
export function detached(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  if (part.length < 13 || part.length * 2 > text.length) return part;
  // `join` writes a new string; `+` would only refer to its operands.
  return [text[start], text.slice(start + 1, end)].join('');
}
