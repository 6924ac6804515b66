import { escapeJson, jsonText } from './json-text.ts';

/** The size of the chunks of the text, in bytes. */
const CHUNK_SIZE = 1 << 14;
/** The maximum number of bytes of a UTF-16 unit in UTF-8. */
const MAX_BYTES = 3;
/** The UTF-8 text after the chunks. All writers share it: only one is in use at a time. */
const BUFFER = new Uint8Array(CHUNK_SIZE);
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

const QUOTE = 0x22;
const MAX_ASCII = 0x7e;
/** A character that string literals contain unchanged. */
const PLAIN = 1;
/** A character of JSON's syntax, which string literals contain as an escape. */
const SYNTAX = 2;
/** A character that only string literals contain, perhaps as an escape. */
const ESCAPED = 0;
/** The kinds of the characters up to {@link MAX_ASCII}. */
const KINDS = new Uint8Array(MAX_ASCII + 1).fill(PLAIN, 0x20);
for (const character of '"\\') KINDS[character.charCodeAt(0)] = SYNTAX;
for (const character of '<>&') KINDS[character.charCodeAt(0)] = ESCAPED;

/**
 * Collects the fragments of a JSON text. They are short and numerous, and V8 copies their characters to an array faster
 * than it concatenates strings, which it keeps in parts until they are read.
 */
export class JsonWriter {
  readonly #escapeHtml: boolean;
  readonly #chunks: string[] = [];
  /** The length of the text in the buffer. */
  #length = 0;

  /** With `escapeHtml`, the text contains `<`, `>` and `&` as escapes only. */
  constructor(escapeHtml: boolean) {
    this.#escapeHtml = escapeHtml;
  }

  /** Appends JSON text. */
  raw(text: string): void {
    const { length } = text;
    const end = this.#length + length;
    if (end > CHUNK_SIZE) {
      this.#append(escapeJson(text, this.#escapeHtml));
      return;
    }
    let at = this.#length;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > MAX_ASCII || KINDS[unit] === ESCAPED) {
        this.#append(escapeJson(text, this.#escapeHtml));
        return;
      }
      BUFFER[at++] = unit;
    }
    this.#length = end;
  }

  /** Appends a string literal. */
  string(text: string): void {
    const { length } = text;
    const end = this.#length + length + 2;
    if (end > CHUNK_SIZE) {
      this.#append(jsonText(text, this.#escapeHtml));
      return;
    }
    let at = this.#length;
    BUFFER[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > MAX_ASCII || KINDS[unit] !== PLAIN) {
        this.#append(jsonText(text, this.#escapeHtml));
        return;
      }
      BUFFER[at++] = unit;
    }
    BUFFER[at] = QUOTE;
    this.#length = end;
  }

  /** The whole text. */
  result(): string {
    if (this.#chunks.length === 0) return this.#take();
    this.#flush();
    return this.#chunks.join('');
  }

  /** Appends well-formed text that has the escapes. */
  #append(text: string): void {
    const { length } = text;
    if (this.#length + length * MAX_BYTES > CHUNK_SIZE) this.#flush();
    if (length * MAX_BYTES > CHUNK_SIZE) {
      this.#chunks.push(text);
      return;
    }
    let at = this.#length;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        BUFFER[at++] = unit;
      } else if (unit < 0x800) {
        BUFFER[at++] = 0xc0 | (unit >> 6);
        BUFFER[at++] = 0x80 | (unit & 0x3f);
      } else if ((unit & 0xf800) === 0xd800) {
        const point = text.codePointAt(i++) as number;
        BUFFER[at++] = 0xf0 | (point >> 18);
        BUFFER[at++] = 0x80 | ((point >> 12) & 0x3f);
        BUFFER[at++] = 0x80 | ((point >> 6) & 0x3f);
        BUFFER[at++] = 0x80 | (point & 0x3f);
      } else {
        BUFFER[at++] = 0xe0 | (unit >> 12);
        BUFFER[at++] = 0x80 | ((unit >> 6) & 0x3f);
        BUFFER[at++] = 0x80 | (unit & 0x3f);
      }
    }
    this.#length = at;
  }

  #flush(): void {
    this.#chunks.push(this.#take());
  }

  #take(): string {
    const text = DECODER.decode(BUFFER.subarray(0, this.#length));
    this.#length = 0;
    return text;
  }
}
