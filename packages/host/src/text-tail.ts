/** Retains the end of an incremental text, in bounded memory. */
export class TextTail {
  readonly #limit: number;
  #text = '';

  /** `limit`: the retained length, in UTF-16 code units. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  write(text: string): void {
    this.#text += text.slice(-this.#limit);
    // Truncate rarely, so that many short texts cost no more than a long one.
    if (this.#text.length > 2 * this.#limit) this.#text = this.#text.slice(-this.#limit);
  }

  /** Returns the end of the written text. */
  get text(): string {
    return this.#text.slice(-this.#limit);
  }
}
