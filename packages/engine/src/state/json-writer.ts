import { jsonText } from '@terrane/cty';

const CHUNK_SIZE = 256 * 1024;
const ENCODER = new TextEncoder();
const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A string as JSON, escaped as Go's encoding/json does: also `<`, `>`, `&`, U+2028 and U+2029. */
export function jsonString(text: string): string {
  return jsonText(text, true);
}

/** Collects JSON text as bytes in chunks, laid out as Go's `json.MarshalIndent` with two spaces. */
export class JsonWriter {
  #full: Uint8Array[] = [];
  #chunk: Uint8Array = new Uint8Array(CHUNK_SIZE);
  #length = 0;

  /** Chunks filled since the last call, to be written in this order. */
  takeFull(): readonly Uint8Array[] {
    if (this.#full.length === 0) return this.#full;
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Everything not taken yet. */
  takeAll(): readonly Uint8Array[] {
    if (this.#length > 0) this.#closeChunk();
    return this.takeFull();
  }

  #closeChunk(): void {
    this.#full.push(this.#chunk.subarray(0, this.#length));
    this.#chunk = new Uint8Array(CHUNK_SIZE);
    this.#length = 0;
  }

  /** Room for `n` bytes (at most a chunk) in one piece. */
  #reserve(n: number): void {
    if (this.#length + n > CHUNK_SIZE) this.#closeChunk();
  }

  #byte(byte: number): void {
    if (this.#length === CHUNK_SIZE) this.#closeChunk();
    this.#chunk[this.#length++] = byte;
  }

  /** Text as it is. */
  text(text: string): void {
    if (text.length * 3 <= CHUNK_SIZE) {
      this.#reserve(text.length * 3);
      this.#length += ENCODER.encodeInto(text, this.#chunk.subarray(this.#length)).written;
    } else {
      this.bytes(ENCODER.encode(text), 0);
    }
  }

  /** ASCII text as it is; short. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const chunk = this.#chunk;
    let at = this.#length;
    for (let i = 0; i < text.length; i++) chunk[at++] = text.charCodeAt(i);
    this.#length = at;
  }

  /** Bytes as they are. */
  bytes(bytes: Uint8Array, from: number, to: number = bytes.length): void {
    let at = from;
    while (at < to) {
      if (this.#length === CHUNK_SIZE) this.#closeChunk();
      const n = Math.min(to - at, CHUNK_SIZE - this.#length);
      this.#chunk.set(bytes.subarray(at, at + n), this.#length);
      this.#length += n;
      at += n;
    }
  }

  /** A line break and the indentation of `depth`. */
  line(depth: number): void {
    this.#reserve(1 + depth * 2 <= CHUNK_SIZE ? 1 + depth * 2 : 1);
    this.#byte(NEWLINE);
    for (let i = 0; i < depth * 2; i++) this.#byte(SPACE);
  }

  /** A JSON text given as a string; laid out as `json`. */
  jsonText(text: string, depth: number): void {
    this.json(ENCODER.encode(text), 0, undefined, depth);
  }

  /**
   * A valid JSON text, laid out anew: `depth` is the indentation of the line it stands in. Literals
   * stay as they are written, but for the characters that Go escapes.
   */
  json(bytes: Uint8Array, from: number, to: number | undefined, depth: number): void {
    const end = to ?? bytes.length;
    let level = depth;
    let i = from;
    while (i < end) {
      const c = bytes[i] ?? SPACE;
      switch (c) {
        case SPACE:
        case NEWLINE:
        case 0x0d:
        case 0x09:
          i++;
          break;
        case 0x7b: // {
        case 0x5b: {
          this.#byte(c);
          i = skipSpace(bytes, i + 1);
          const next = bytes[i];
          if (next === c + 2) {
            this.#byte(next);
            i++;
          } else {
            level++;
            this.line(level);
          }
          break;
        }
        case 0x7d: // }
        case 0x5d:
          level--;
          this.line(level);
          this.#byte(c);
          i++;
          break;
        case 0x2c: // ,
          this.#byte(c);
          this.line(level);
          i++;
          break;
        case 0x3a: // :
          this.#byte(c);
          this.#byte(SPACE);
          i++;
          break;
        case QUOTE:
          i = this.#string(bytes, i);
          break;
        default:
          this.#byte(c);
          i++;
      }
    }
  }

  #string(bytes: Uint8Array, at: number): number {
    let from = at;
    let i = at + 1;
    for (;;) {
      const c = bytes[i];
      if (c === QUOTE || c === undefined) break;
      if (c === BACKSLASH) {
        i += 2;
      } else if (c === 0x3c || c === 0x3e || c === 0x26) {
        this.#span(bytes, from, i);
        this.ascii(c === 0x3c ? '\\u003c' : c === 0x3e ? '\\u003e' : '\\u0026');
        i++;
        from = i;
      } else if (c === 0xe2 && bytes[i + 1] === 0x80 && ((bytes[i + 2] ?? 0) & 0xfe) === 0xa8) {
        this.#span(bytes, from, i);
        this.ascii(bytes[i + 2] === 0xa8 ? '\\u2028' : '\\u2029');
        i += 3;
        from = i;
      } else {
        i++;
      }
    }
    this.#span(bytes, from, i + 1);
    return i + 1;
  }

  /** Copying by hand beats a call of `set` for the short strings that most are. */
  #span(bytes: Uint8Array, from: number, to: number): void {
    const n = to - from;
    if (n > 64 || this.#length + n > CHUNK_SIZE) {
      this.bytes(bytes, from, to);
      return;
    }
    const chunk = this.#chunk;
    let at = this.#length;
    for (let i = from; i < to; i++) chunk[at++] = bytes[i] ?? 0;
    this.#length = at;
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
