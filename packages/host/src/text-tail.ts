/** Keeps the end of a text that is written bit by bit, in bounded memory. */
export class TextTail {
  readonly #limit: number;
  #text = '';

  /** `limit`: how much is kept, in UTF-16 code units. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  write(text: string): void {
    this.#text += text.slice(-this.#limit);
    // Cut seldom, so that many short texts cost no more than one long one.
    if (this.#text.length > 2 * this.#limit) this.#text = this.#text.slice(-this.#limit);
  }

  /** The last part of all that was written. */
  get text(): string {
    return this.#text.slice(-this.#limit);
  }
}
