import { StringDecoder } from 'node:string_decoder';

/** The maximum length of a line in UTF-16 code units. Longer lines are passed on in parts of this length. */
export const MAX_LINE_LENGTH: number = 1024 * 1024;

/**
 * Splits UTF-8 that arrives in pieces into lines, for `onLine`. Memory is bounded by {@link MAX_LINE_LENGTH} and time
 * grows linearly with the input, however long a line is.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #length = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(chunk: Uint8Array): void {
    this.#split(this.#decoder.write(chunk));
  }

  /** Passes on the last line, if it has no line break at its end. */
  end(): void {
    this.#split(this.#decoder.end());
    if (this.#length > 0) this.#pass();
  }

  #split(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#append(text.slice(start, end));
      this.#pass();
      start = end + 1;
    }
    this.#append(text.slice(start));
  }

  #append(text: string): void {
    let rest = text;
    while (this.#length + rest.length > MAX_LINE_LENGTH) {
      let room = MAX_LINE_LENGTH - this.#length;
      // Do not split surrogate pairs.
      if (/[\uD800-\uDBFF]/.test(rest.charAt(room - 1))) room--;
      this.#parts.push(rest.slice(0, room));
      this.#pass();
      rest = rest.slice(room);
    }
    if (rest === '') return;
    this.#parts.push(rest);
    this.#length += rest.length;
  }

  #pass(): void {
    const line = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    this.#onLine(line);
  }
}
