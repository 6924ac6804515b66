import { jsonText } from '@terrane/cty';

const CHUNK_SIZE = 256 * 1024;
/** The size of the first chunk. It is small because most output is, and allocating costs time. */
const FIRST_CHUNK_SIZE = 8 * 1024;
const ENCODER = new TextEncoder();
/** The bytes of a text while it is formatted. Making an array for each costs more than encoding it. */
const SCRATCH = new Uint8Array(16 * 1024);
const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** 1 for the bytes of a string that are neither its end nor the first of a sequence that may be escaped */
const VERBATIM = new Uint8Array(256).fill(1);
for (const byte of [QUOTE, BACKSLASH, 0x3c, 0x3e, 0x26, 0xe2]) VERBATIM[byte] = 0;

/** A string as JSON, escaped as Go's encoding/json does: also `<`, `>`, `&`, U+2028 and U+2029. */
export function jsonString(text: string): string {
  return jsonText(text, true);
}

/** The length from which collected text is encoded. */
const TEXT_LENGTH = 4096;
const LINES: string[] = [];

/** Returns a line break and the indentation of `depth`. */
export function lineBreak(depth: number): string {
  return (LINES[depth] ??= `\n${'  '.repeat(depth)}`);
}

/** Collects JSON text as bytes in chunks, laid out as Go's `json.MarshalIndent` with two spaces. */
export class JsonWriter {
  #full: Uint8Array[] = [];
  #chunk: Uint8Array = new Uint8Array(FIRST_CHUNK_SIZE);
  #length = 0;
  /** the output after the bytes of the chunk: encoding a few texts together costs as much as encoding one */
  #text = '';

  /** True if `takeFull` returns chunks. */
  get hasFull(): boolean {
    return this.#full.length > 0;
  }

  /** Chunks filled since the last call, to be written in this order. */
  takeFull(): readonly Uint8Array[] {
    if (this.#full.length === 0) return this.#full;
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Returns all output that has not been taken yet. */
  takeAll(): readonly Uint8Array[] {
    this.#encode();
    if (this.#length > 0) {
      // The rest is usually small: a copy costs less than a mostly empty chunk.
      this.#full.push(this.#chunk.slice(0, this.#length));
      this.#length = 0;
    }
    return this.takeFull();
  }

  #closeChunk(): void {
    if (this.#length > 0) this.#full.push(this.#chunk.subarray(0, this.#length));
    this.#chunk = new Uint8Array(CHUNK_SIZE);
    this.#length = 0;
  }

  /** Text as it is. */
  text(text: string): void {
    this.#text += text;
    if (this.#text.length > TEXT_LENGTH) this.#encode();
  }

  #encode(): void {
    const text = this.#text;
    if (text === '') return;
    this.#text = '';
    const mostBytes = text.length * 3;
    if (mostBytes > CHUNK_SIZE) {
      this.#copy(ENCODER.encode(text), 0);
      return;
    }
    if (this.#length + mostBytes > this.#chunk.length) this.#closeChunk();
    this.#length += ENCODER.encodeInto(text, this.#chunk.subarray(this.#length)).written;
  }

  /** Bytes as they are. */
  bytes(bytes: Uint8Array, from: number, to: number = bytes.length): void {
    this.#encode();
    this.#copy(bytes, from, to);
  }

  #copy(bytes: Uint8Array, from: number, to: number = bytes.length): void {
    let at = from;
    while (at < to) {
      if (this.#length === this.#chunk.length) this.#closeChunk();
      const n = Math.min(to - at, this.#chunk.length - this.#length);
      this.#chunk.set(bytes.subarray(at, at + n), this.#length);
      this.#length += n;
      at += n;
    }
  }

  /** A line break and the indentation of `depth`. */
  line(depth: number): void {
    this.text(lineBreak(depth));
  }

  /** Writes JSON text given as a string, formatted like `json`. */
  jsonText(text: string, depth: number): void {
    if (text.length * 3 > SCRATCH.length) this.json(ENCODER.encode(text), 0, undefined, depth);
    else this.json(SCRATCH, 0, ENCODER.encodeInto(text, SCRATCH).written, depth);
  }

  /**
   * Writes and reformats valid JSON: `depth` is the indentation of the current line. Literals stay verbatim, except for
   * characters that Go escapes.
   */
  json(bytes: Uint8Array, from: number, to: number | undefined, depth: number): void {
    this.#encode();
    const end = to ?? bytes.length;
    let level = depth;
    // The hottest loop of writing a state: position and buffer stay in local variables, and space for a line feed and
    // the following text is reserved once for each byte outside strings.
    let chunk = this.#chunk;
    let at = this.#length;
    let room = chunk.length - 2 * level - 16;
    let i = from;
    while (i < end) {
      if (at >= room) {
        this.#length = at;
        this.#closeChunk();
        chunk = this.#chunk;
        room = chunk.length - 2 * level - 16;
        at = 0;
      }
      const c = bytes[i++] ?? SPACE;
      switch (c) {
        case SPACE:
        case NEWLINE:
        case 0x0d:
        case 0x09:
          break;
        case 0x7b: // {
        case 0x5b: {
          chunk[at++] = c;
          i = skipSpace(bytes, i);
          if (bytes[i] === c + 2) {
            chunk[at++] = c + 2;
            i++;
          } else {
            level++;
            room = chunk.length - 2 * level - 16;
            chunk[at++] = NEWLINE;
            for (let n = 2 * level; n > 0; n--) chunk[at++] = SPACE;
          }
          break;
        }
        case 0x7d: // }
        case 0x5d:
          level--;
          chunk[at++] = NEWLINE;
          for (let n = 2 * level; n > 0; n--) chunk[at++] = SPACE;
          chunk[at++] = c;
          break;
        case 0x2c: // ,
          chunk[at++] = c;
          chunk[at++] = NEWLINE;
          for (let n = 2 * level; n > 0; n--) chunk[at++] = SPACE;
          break;
        case 0x3a: // :
          chunk[at++] = c;
          chunk[at++] = SPACE;
          break;
        case QUOTE:
          this.#length = at;
          i = this.#string(bytes, i - 1);
          if (chunk !== this.#chunk) {
            chunk = this.#chunk;
            room = chunk.length - 2 * level - 16;
          }
          at = this.#length;
          break;
        default:
          chunk[at++] = c;
      }
    }
    this.#length = at;
  }

  /** Copies the string at `start`, and returns the position after it. */
  #string(bytes: Uint8Array, start: number): number {
    let chunk = this.#chunk;
    let at = this.#length;
    chunk[at++] = QUOTE;
    let i = start + 1;
    for (;;) {
      if (at > chunk.length - 8) {
        this.#length = at;
        this.#closeChunk();
        chunk = this.#chunk;
        at = 0;
      }
      let c = bytes[i] ?? QUOTE;
      // Most bytes are copied as they are, up to the end of the chunk.
      while (VERBATIM[c] === 1 && at <= chunk.length - 8) {
        chunk[at++] = c;
        c = bytes[++i] ?? QUOTE;
      }
      if (c === QUOTE) break;
      if (at > chunk.length - 8) continue;
      if (c === BACKSLASH) {
        chunk[at++] = c;
        chunk[at++] = bytes[i + 1] ?? BACKSLASH;
        i += 2;
      } else if (c === 0x3c || c === 0x3e || c === 0x26) {
        const text = c === 0x3c ? '\\u003c' : c === 0x3e ? '\\u003e' : '\\u0026';
        for (let k = 0; k < 6; k++) chunk[at++] = text.charCodeAt(k);
        i++;
      } else if (c === 0xe2 && bytes[i + 1] === 0x80 && ((bytes[i + 2] ?? 0) & 0xfe) === 0xa8) {
        const text = bytes[i + 2] === 0xa8 ? '\\u2028' : '\\u2029';
        for (let k = 0; k < 6; k++) chunk[at++] = text.charCodeAt(k);
        i += 3;
      } else {
        chunk[at++] = c;
        i++;
      }
    }
    chunk[at++] = QUOTE;
    this.#length = at;
    return i + 1;
  }
}

function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  for (;;) {
    const c = bytes[i];
    if (c !== SPACE && c !== NEWLINE && c !== 0x0d && c !== 0x09) return i;
    i++;
  }
}
