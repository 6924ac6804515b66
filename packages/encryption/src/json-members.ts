import { userErrorText } from '@terrane/host';

/** Invalid JSON, with Go's text, which OpenTofu's messages contain. */
export class JsonFault extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A member of an object: its value is the bytes from `start` to `end`. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the members of a JSON object in order, without decoding their values, which may exceed the maximum string
 * length. Throws {@link JsonFault} at the first syntax error.
 */
export function* jsonMembers(bytes: Uint8Array): Iterable<Member> {
  const json = new Scanner(bytes);
  let at = json.space(0);
  if (bytes[at] !== 0x7b) {
    json.value(at); // errors of the value come first
    throw new JsonFault(`json: cannot unmarshal ${kindAt(bytes, at)} into an object`);
  }
  at = json.space(at + 1);
  if (bytes[at] === 0x7d) {
    json.end(at + 1);
    return;
  }
  for (;;) {
    if (bytes[at] !== QUOTE) json.fail(at, 'looking for beginning of object key string');
    const afterName = json.text(at);
    const name = textOf(bytes, at, afterName);
    at = json.space(afterName);
    if (bytes[at] !== 0x3a) json.fail(at, 'after object key');
    const start = json.space(at + 1);
    const end = json.value(start);
    yield { name, start, end };
    at = json.space(end);
    if (bytes[at] === 0x7d) break;
    if (bytes[at] !== 0x2c) json.fail(at, 'after object key:value pair');
    at = json.space(at + 1);
  }
  json.end(at + 1);
}

/** Parses the value of a member. */
export function memberValue(bytes: Uint8Array, { start, end }: Member): unknown {
  try {
    const value: unknown = JSON.parse(DECODER.decode(bytes.subarray(start, end)));
    return value;
  } catch (error) {
    throw new JsonFault(userErrorText(error));
  }
}

const DECODER = new TextDecoder();

function textOf(bytes: Uint8Array, start: number, end: number): string {
  const value = memberValue(bytes, { name: '', start, end });
  return typeof value === 'string' ? value : '';
}

function kindAt(bytes: Uint8Array, at: number): string {
  switch (bytes[at]) {
    case 0x5b:
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

class Scanner {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  space(at: number): number {
    for (;;) {
      const byte = this.#bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
      at++;
    }
  }

  end(at: number): void {
    const rest = this.space(at);
    if (rest < this.#bytes.length) this.fail(rest, 'after top-level value');
  }

  fail(at: number, where: string): never {
    const byte = this.#bytes[at];
    if (byte === undefined) throw new JsonFault('unexpected end of JSON input');
    const shown =
      byte === 0x27 ? String.raw`'\''` : byte < 0x20 ? `'\\x${hex(byte)}'` : `'${charOf(byte)}'`;
    throw new JsonFault(`invalid character ${shown} ${where}`);
  }

  /** Returns the end of the string at a position. */
  text(at: number): number {
    const bytes = this.#bytes;
    let from = at + 1;
    for (;;) {
      const quote = bytes.indexOf(QUOTE, from);
      if (quote === -1) this.fail(bytes.length, '');
      let before = quote;
      while (bytes[before - 1] === BACKSLASH && before - 1 > at) before--;
      if ((quote - before) % 2 === 0) return quote + 1;
      from = quote + 1;
    }
  }

  /** Returns the end of the value at a position; brackets must match, other content is not validated. */
  value(at: number): number {
    const bytes = this.#bytes;
    switch (bytes[at]) {
      case QUOTE:
        return this.text(at);
      case 0x7b:
      case 0x5b:
        return this.#nested(at);
      case 0x74:
        return this.#literal(at, 'true');
      case 0x66:
        return this.#literal(at, 'false');
      case 0x6e:
        return this.#literal(at, 'null');
      default: {
        let end = at;
        while (isOfNumber(bytes[end])) end++;
        if (end === at) this.fail(at, 'looking for beginning of value');
        if (!NUMBER.test(DECODER.decode(bytes.subarray(at, end)))) {
          this.fail(end, 'in numeric literal');
        }
        return end;
      }
    }
  }

  #literal(at: number, word: string): number {
    for (let i = 1; i < word.length; i++) {
      if (this.#bytes[at + i] === word.charCodeAt(i)) continue;
      this.fail(at + i, `in literal ${word} (expecting '${word[i]}')`);
    }
    return at + word.length;
  }

  #nested(at: number): number {
    const bytes = this.#bytes;
    const open: number[] = [];
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) i = this.text(i) - 1;
      else if (byte === 0x7b || byte === 0x5b) open.push(byte + 2);
      else if (byte === 0x7d || byte === 0x5d) {
        if (open.pop() !== byte) this.fail(i, 'after array element');
        if (open.length === 0) return i + 1;
      }
    }
    return this.fail(bytes.length, '');
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isOfNumber(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x65 ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  );
}

function charOf(byte: number): string {
  return String.fromCharCode(byte);
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
