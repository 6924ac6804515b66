import { jsonText } from './json-text.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const BUFFER_BYTES = 1 << 15;
/** Longer texts are not copied by code unit, but become chunks of their own. */
const MAX_COPIED = 256;
/** The bytes of the text that is being written. Values are encoded one at a time, without a break. */
const bytes = new Uint8Array(BUFFER_BYTES);

/** 1 for the code units of ASCII that a JSON string of Go's encoder contains as they are. */
const isPlain = new Uint8Array(128);
for (let unit = 0x20; unit < 0x7f; unit++) {
  isPlain[unit] = '"\\<>&'.includes(String.fromCharCode(unit)) ? 0 : 1;
}

/**
 * Collects the fragments of a JSON text. ASCII, which most fragments are, is copied into a buffer; that takes a fraction
 * of the time and memory of a list of strings.
 */
export class JsonWriter {
  #length = 0;
  /** The text before the content of the buffer. */
  readonly #chunks: string[] = [];

  /** Appends a byte of ASCII. */
  byte(code: number): void {
    if (this.#length === BUFFER_BYTES) this.#flush();
    bytes[this.#length++] = code;
  }

  /** Appends text as it is. */
  raw(text: string): void {
    const { length } = text;
    if (length > MAX_COPIED) {
      this.#chunk(text);
      return;
    }
    if (this.#length + length > BUFFER_BYTES) this.#flush();
    const at = this.#length;
    const buffer = bytes;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) {
        this.#chunk(text);
        return;
      }
      buffer[at + i] = unit;
    }
    this.#length = at + length;
  }

  /** Appends a string literal; see {@link jsonText}. */
  string(text: string, escapeHtml: boolean): void {
    const { length } = text;
    if (length > MAX_COPIED) {
      this.#chunk(jsonText(text, escapeHtml));
      return;
    }
    if (this.#length + length + 2 > BUFFER_BYTES) this.#flush();
    const buffer = bytes;
    const plain = isPlain;
    let at = this.#length;
    buffer[at++] = 0x22;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f || plain[unit] === 0) {
        this.raw(jsonText(text, escapeHtml));
        return;
      }
      buffer[at++] = unit;
    }
    buffer[at++] = 0x22;
    this.#length = at;
  }

  /** The whole text. */
  result(): string {
    if (this.#chunks.length === 0) return this.#buffered();
    this.#flush();
    return this.#chunks.join('');
  }

  #buffered(): string {
    return decoder.decode(bytes.subarray(0, this.#length));
  }

  #flush(): void {
    if (this.#length > 0) this.#chunks.push(this.#buffered());
    this.#length = 0;
  }

  #chunk(text: string): void {
    this.#flush();
    this.#chunks.push(text);
  }
}
