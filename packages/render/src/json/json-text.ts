import { compareText, jsonText } from '@terrane/cty';

/** A JSON string as Go's encoding/json writes it, with `<`, `>` and `&` escaped. */
export function jsonString(text: string): string {
  return jsonText(text, true);
}

/**
 * Members of a JSON object in insertion order, as in a Go struct: `undefined` members are omitted. Values are JSON
 * text.
 */
export class JsonMembers {
  readonly #parts: string[] = [];

  add(name: string, json: string | undefined): this {
    if (json !== undefined) this.#parts.push(`"${name}":${json}`);
    return this;
  }

  /** Adds a string member; an empty string is omitted (`omitempty`). */
  addText(name: string, text: string | undefined): this {
    return text === undefined || text === '' ? this : this.add(name, jsonString(text));
  }

  /** A member that is only written when true (`omitempty`). */
  addFlag(name: string, flag: boolean): this {
    return flag ? this.add(name, 'true') : this;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  text(): string {
    return `{${this.#parts.join(',')}}`;
  }
}

/** Receives the pieces of a text in order. */
export type Write = (text: string) => void;

/** Length in UTF-16 units from which a part is complete. */
const PART_LENGTH = 1 << 20;

/**
 * Returns a text in parts. Strings have a maximum length, which the text of a million objects may exceed, and take more
 * memory as the sum of their pieces than as their characters.
 */
export function textParts(produce: (write: Write) => void): string[] {
  const parts: string[] = [];
  let pending: string[] = [];
  let length = 0;
  const flush = (): void => {
    parts.push(pending.join(''));
    pending = [];
    length = 0;
  };
  produce((text) => {
    pending.push(text);
    length += text.length;
    if (length >= PART_LENGTH) flush();
  });
  flush();
  return parts;
}

/** Writes a JSON object with the members that {@link JsonMembers} would have, for objects of any size. */
export class MemberWriter {
  readonly #write: Write;
  #separator = '{';

  constructor(write: Write) {
    this.#write = write;
  }

  add(name: string, json: string | undefined): this {
    return json === undefined ? this : this.addWritten(name, (write) => write(json));
  }

  /** Adds a string member; an empty string is omitted (`omitempty`). */
  addText(name: string, text: string | undefined): this {
    return text === undefined || text === '' ? this : this.add(name, jsonString(text));
  }

  /** Adds a member whose value is written in pieces. */
  addWritten(name: string, writeValue: (write: Write) => void): this {
    this.#write(`${this.#separator}"${name}":`);
    this.#separator = ',';
    writeValue(this.#write);
    return this;
  }

  /** Adds an array, unless it is empty. */
  addArray<T>(name: string, elements: readonly T[], writeElement: Element<T>): this {
    if (elements.length === 0) return this;
    return this.addWritten(name, (write) => {
      let separator = '[';
      for (const element of elements) {
        write(separator);
        separator = ',';
        writeElement(element, write);
      }
      write(']');
    });
  }

  end(): void {
    this.#write(this.#separator === '{' ? '{}' : '}');
  }
}

type Element<T> = (element: T, write: Write) => void;

/** A JSON array of JSON texts. */
export function jsonArray(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** A JSON array of strings. */
export function jsonStrings(items: readonly string[]): string {
  return jsonArray(items.map(jsonString));
}

/**
 * A JSON object of JSON texts with its keys sorted, as Go writes a map. The order is
 * by code points.
 */
export function jsonObject(entries: Iterable<readonly [string, string]>): string {
  const sorted = [...entries].sort((a, b) => compareText(a[0], b[0]));
  return `{${sorted.map(([key, json]) => `${jsonString(key)}:${json}`).join(',')}}`;
}

/** Formats compact JSON on several lines, with two spaces per level, as Go's MarshalIndent. */
export function indentJson(json: string): string {
  let result = '';
  let depth = 0;
  let start = 0;
  const length = json.length;
  for (let i = 0; i < length; i++) {
    const code = json.charCodeAt(i);
    if (code === 0x22) {
      i = stringEnd(json, i);
    } else if (code === 0x7b || code === 0x5b) {
      const next = json.charCodeAt(i + 1);
      if (next === 0x7d || next === 0x5d) {
        i++;
        continue;
      }
      depth++;
      result += json.slice(start, i + 1) + lineBreak(depth);
      start = i + 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
      result += json.slice(start, i) + lineBreak(depth);
      start = i;
    } else if (code === 0x2c) {
      result += json.slice(start, i + 1) + lineBreak(depth);
      start = i + 1;
    } else if (code === 0x3a) {
      result += `${json.slice(start, i + 1)} `;
      start = i + 1;
    }
  }
  return result + json.slice(start);
}

function stringEnd(json: string, quote: number): number {
  let i = quote + 1;
  while (json.charCodeAt(i) !== 0x22) i += json.charCodeAt(i) === 0x5c ? 2 : 1;
  return i;
}

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

/** Removes white space from JSON. */
export function compactJson(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}
