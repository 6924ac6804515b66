import { escapeJson } from './json-text.ts';

/** The length from which text becomes a chunk, so that V8 frees the parts of a concatenated string early. */
const CHUNK_LENGTH = 1 << 13;

/** Collects the fragments of a JSON text. */
export class JsonWriter {
  readonly #escapeHtml: boolean;
  readonly #chunks: string[] = [];
  /** The text after the chunks, whose characters are not escaped yet. */
  #text = '';

  /** With `escapeHtml`, the text contains `<`, `>` and `&` as escapes only. */
  constructor(escapeHtml: boolean) {
    this.#escapeHtml = escapeHtml;
  }

  /** Appends JSON text. */
  raw(text: string): void {
    this.#text += text;
    if (this.#text.length > CHUNK_LENGTH) this.#flush();
  }

  /** Appends a string literal. */
  string(text: string): void {
    this.#text += JSON.stringify(text.toWellFormed());
  }

  /** The whole text. */
  result(): string {
    if (this.#chunks.length === 0) return escapeJson(this.#text, this.#escapeHtml);
    this.#flush();
    return this.#chunks.join('');
  }

  #flush(): void {
    // Escaping also flattens the text, of which V8 has kept the parts until now.
    this.#chunks.push(escapeJson(this.#text, this.#escapeHtml));
    this.#text = '';
  }
}
