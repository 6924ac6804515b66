/** A JSON syntax error; `offset` counts the bytes up to and including the invalid one, as Go does. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super(`syntax error at byte offset ${offset}`);
    this.offset = offset;
  }
}

const MAX_DEPTH = 10_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
/** Strings up to this length, such as numbers and short keys, are built faster than decoded. */
const SHORT = 12;
/** Buffers up to this size are also kept as text, in which patterns find the ends of strings and of white space. */
const SEARCHED = 1024 * 1024;
const WHITE_SPACE = /[ \n\r\t]*/y;
/** Bytes of a string except quotes, escapes and control characters. */
const PLAIN_BYTES = /[ !#-[\]-\xff]*/y;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const TRUE = [0x74, 0x72, 0x75, 0x65];
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65];
const NULL = [0x6e, 0x75, 0x6c, 0x6c];

/** The kind of a JSON value, named as in errors of Go's encoding/json. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'bool' | 'null';

/**
 * A JSON buffer that is traversed without building values: methods return positions, and validate the syntax of skipped
 * parts as strictly as Go's encoding/json does. Positions are byte offsets; end positions are exclusive.
 */
export class JsonBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly #buffer: Buffer;
  /** the bytes of a small buffer as Latin-1, with the same positions: code that runs seldom searches it faster */
  readonly #latin1: string | undefined;
  /** true for each depth at which the container is an object; shared between calls */
  readonly #inObject: Uint8Array = new Uint8Array(MAX_DEPTH + 1);

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (bytes.length <= SEARCHED) this.#latin1 = this.#buffer.toString('latin1');
  }

  /** The error for the byte at `at`, or for the end of the text. */
  fail(at: number): never {
    throw new JsonSyntaxError(at >= this.bytes.length ? this.bytes.length : at + 1);
  }

  /** First position from `at` on that is no white space. */
  space(at: number): number {
    const { bytes } = this;
    let i = at;
    // Mostly there is no white space, or one space after a colon.
    if (bytes[i] === 0x20) i++;
    if ((bytes[i] ?? 0) > 0x20) return i;
    if (this.#latin1 !== undefined) return endOf(WHITE_SPACE, this.#latin1, i);
    for (;;) {
      const c = bytes[i];
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return i;
      i++;
    }
  }

  /** Returns the kind of the value at `at`. */
  kind(at: number): JsonKind {
    switch (this.bytes[at]) {
      case OPEN_BRACE:
        return 'object';
      case OPEN_BRACKET:
        return 'array';
      case QUOTE:
        return 'string';
      case 0x74:
      case 0x66:
        return 'bool';
      case 0x6e:
        return 'null';
      default:
        return 'number';
    }
  }

  /** Validates the value at `at` and returns the position after it. */
  value(at: number): number {
    const { bytes } = this;
    const inObject = this.#inObject;
    let depth = 0;
    let i = this.space(at);
    for (;;) {
      const c = bytes[i];
      if (c === QUOTE) {
        i = this.string(i);
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        depth++;
        if (depth > MAX_DEPTH) this.fail(i);
        inObject[depth] = c === OPEN_BRACE ? 1 : 0;
        i = this.space(i + 1);
        if (bytes[i] === (c === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) {
          depth--;
          i++;
        } else {
          if (c === OPEN_BRACE) i = this.key(i);
          continue;
        }
      } else {
        i = this.#literal(i);
      }
      // A value has ended: close the containers that end here, or continue with the next value.
      for (;;) {
        if (depth === 0) return i;
        i = this.space(i);
        const d = bytes[i];
        if (d === COMMA) {
          i = this.space(i + 1);
          if (inObject[depth] === 1) i = this.key(i);
          break;
        }
        if (d !== (inObject[depth] === 1 ? CLOSE_BRACE : CLOSE_BRACKET)) this.fail(i);
        depth--;
        i++;
      }
    }
  }

  /** Skips an object's key and its colon; returns the position of the member's value. */
  key(at: number): number {
    if (this.bytes[at] !== QUOTE) this.fail(at);
    const i = this.space(this.string(at));
    if (this.bytes[i] !== COLON) this.fail(i);
    return this.space(i + 1);
  }

  /** Returns the position after the string at `at`. */
  string(at: number): number {
    const { bytes } = this;
    let i = at + 1;
    if (this.#latin1 !== undefined) i = endOf(PLAIN_BYTES, this.#latin1, i);
    for (;;) {
      const c = bytes[i];
      if (c === QUOTE) return i + 1;
      if (c === undefined || c < 0x20) this.fail(i);
      if (c !== BACKSLASH) {
        i++;
        continue;
      }
      const e = bytes[i + 1];
      if (e === 0x75) {
        for (let k = 2; k < 6; k++) {
          if (!isHex(bytes[i + k])) this.fail(i + k);
        }
        i += 6;
      } else {
        // " \ / b f n r t
        if (
          e !== QUOTE &&
          e !== BACKSLASH &&
          e !== 0x2f &&
          e !== 0x62 &&
          e !== 0x66 &&
          e !== 0x6e &&
          e !== 0x72 &&
          e !== 0x74
        ) {
          this.fail(i + 1);
        }
        i += 2;
      }
    }
  }

  #literal(at: number): number {
    const { bytes } = this;
    const c = bytes[at];
    if (c === 0x74) return this.#word(at, TRUE);
    if (c === 0x66) return this.#word(at, FALSE);
    if (c === 0x6e) return this.#word(at, NULL);
    let i = at;
    if (bytes[i] === 0x2d) i++;
    if (bytes[i] === 0x30) i++;
    else i = this.#digits(i);
    if (bytes[i] === 0x2e) i = this.#digits(i + 1);
    if (bytes[i] === 0x65 || bytes[i] === 0x45) {
      i++;
      if (bytes[i] === 0x2b || bytes[i] === 0x2d) i++;
      i = this.#digits(i);
    }
    return i;
  }

  #digits(at: number): number {
    const { bytes } = this;
    let i = at;
    for (;;) {
      const c = bytes[i];
      if (c === undefined || c < 0x30 || c > 0x39) break;
      i++;
    }
    if (i === at) this.fail(i);
    return i;
  }

  #word(at: number, word: readonly number[]): number {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[at + i] !== word[i]) this.fail(at + i);
    }
    return at + word.length;
  }

  /**
   * Visits the members of the object at `at` and returns the position after it. `visit` receives the positions of the
   * key and the value, and returns the position after the value.
   */
  members(at: number, visit: (key: number, value: number) => number): number {
    const { bytes } = this;
    let i = this.space(at + 1);
    if (bytes[i] === CLOSE_BRACE) return i + 1;
    for (;;) {
      const key = i;
      i = this.space(visit(key, this.key(key)));
      if (bytes[i] === CLOSE_BRACE) return i + 1;
      if (bytes[i] !== COMMA) this.fail(i);
      i = this.space(i + 1);
    }
  }

  /** Visits the elements of the array at `at`, like `members`. */
  elements(at: number, visit: (value: number) => number): number {
    const { bytes } = this;
    let i = this.space(at + 1);
    if (bytes[i] === CLOSE_BRACKET) return i + 1;
    for (;;) {
      i = this.space(visit(i));
      if (bytes[i] === CLOSE_BRACKET) return i + 1;
      if (bytes[i] !== COMMA) this.fail(i);
      i = this.space(i + 1);
    }
  }

  /** Returns the number at `at` if it consists of at most 15 digits; otherwise undefined. */
  digitsAt(at: number): number | undefined {
    const { bytes } = this;
    let number = 0;
    let i = at;
    for (; ; i++) {
      const c = bytes[i] ?? 0;
      if (c < 0x30 || c > 0x39) {
        const isWhole = c !== 0x2e && c !== 0x65 && c !== 0x45;
        return isWhole && i > at && i <= at + 15 ? number : undefined;
      }
      number = number * 10 + (c - 0x30);
    }
  }

  /** The text between two positions. */
  text(from: number, to: number): string {
    const { bytes } = this;
    if (to - from <= SHORT) {
      let text = '';
      for (let i = from; i < to; i++) {
        const c = bytes[i] ?? 0;
        if (c >= 0x80) return DECODER.decode(bytes.subarray(from, to));
        text += String.fromCharCode(c);
      }
      return text;
    }
    return DECODER.decode(this.bytes.subarray(from, to));
  }

  /** The text between two positions that contain ASCII only. */
  asciiText(from: number, to: number): string {
    return this.#buffer.toString('latin1', from, to);
  }

  /** Returns the value of the string at `at`. */
  stringAt(at: number): string {
    const { bytes } = this;
    let i = at + 1;
    let plain = true;
    for (;;) {
      const c = bytes[i];
      if (c === QUOTE || c === undefined) break;
      if (c === BACKSLASH) {
        plain = false;
        i++;
      }
      i++;
    }
    const inner = this.text(at + 1, i);
    // The syntax has been validated, so the parser cannot fail; it only decodes escapes.
    return plain ? inner : String(JSON.parse(`"${inner}"`)).replace(LONE_SURROGATE, '\ufffd');
  }

  /** Returns true if the string at `at` is exactly this ASCII text, written without escapes. */
  isString(at: number, text: string): boolean {
    const { bytes } = this;
    if (bytes[at + 1 + text.length] !== QUOTE) return false;
    for (let i = 0; i < text.length; i++) {
      if (bytes[at + 1 + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }
}

/** Returns the end of the match of a sticky pattern, which matches everywhere, at a position. */
function endOf(pattern: RegExp, text: string, at: number): number {
  if (at >= text.length) return at;
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function isHex(c: number | undefined): boolean {
  return (
    c !== undefined &&
    ((c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66))
  );
}
