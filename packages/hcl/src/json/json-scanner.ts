import { Range, type Source } from '../source/source.ts';

/** Kinds of JSON tokens; each punctuation character is its own kind. `=` is invalid in JSON, but a common mistake. */
export type JsonTokenType =
  | '{'
  | '}'
  | '['
  | ']'
  | ','
  | ':'
  | '='
  | 'keyword'
  | 'string'
  | 'number'
  | 'end'
  | 'invalid';

/** A JSON token with its range. */
export interface JsonToken {
  readonly type: JsonTokenType;
  readonly range: Range;
}

const PUNCTUATION: ReadonlyMap<string, JsonTokenType> = new Map(
  (['{', '}', '[', ']', ',', ':', '='] as const).map((type) => [type, type]),
);
const SPACE = /[ \n\r\t]*/y;
const NUMBER = /[-+.0-9][-+.eE0-9]*/y;
const KEYWORD = /[A-Za-z][A-Za-z_]*/y;
// Control characters end a string; whether it has a closing quote is the parser's business.
const STRING = /"(?:\\\\|\\"|[^"\u0000-\u001f])*"?/y;

/** Reads the tokens of a JSON text one after another; lenient, so that errors can be explained. */
export class JsonTokenReader {
  readonly source: Source;
  #at = 0;
  #stopped = false;
  #current: JsonToken;

  constructor(source: Source) {
    this.source = source;
    this.#current = this.#scan();
  }

  peek(): JsonToken {
    return this.#current;
  }

  read(): JsonToken {
    const token = this.#current;
    if (token.type !== 'end') {
      this.#current = this.#scan();
    }
    return token;
  }

  #scan(): JsonToken {
    const { text } = this.source;
    if (!this.#stopped) {
      this.#at = matchEnd(SPACE, text, this.#at);
    }
    const start = this.#at;
    if (start >= text.length || this.#stopped) {
      return { type: 'end', range: new Range(this.source, start, start) };
    }
    const type = this.#scanOne(text, start);
    return { type, range: new Range(this.source, start, this.#at) };
  }

  #scanOne(text: string, start: number): JsonTokenType {
    const punctuation = PUNCTUATION.get(text.charAt(start));
    if (punctuation !== undefined) {
      this.#at = start + 1;
      return punctuation;
    }
    if (text[start] === '"') {
      this.#at = matchEnd(STRING, text, start);
      return 'string';
    }
    this.#at = matchEnd(NUMBER, text, start);
    if (this.#at > start) {
      return 'number';
    }
    this.#at = matchEnd(KEYWORD, text, start);
    if (this.#at > start) {
      return 'keyword';
    }
    // The parser stops here, so the scanner stops too.
    this.#stopped = true;
    this.#at = start + 1;
    return 'invalid';
  }
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
