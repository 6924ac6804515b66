const encoder = new TextEncoder();
const MAX_KEPT_BYTES = 1 << 20;
/** Length up to which strings are encoded by own code, which costs less than a call of the encoder. */
const SHORT_STRING = 64;

/**
 * MessagePack, as much of it as values need, with the encodings that Terraform's library chooses. Own code instead of a
 * library: values must go straight from and to their types, with 64-bit integers exact and no JavaScript objects in
 * between, which no library offers.
 */
export class MsgpackWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(size = 256) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** The buffer, of which the first `length` bytes are written. */
  get buffer(): Uint8Array {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns a copy of the written bytes. */
  result(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Resets the content, but keeps the buffer unless it has grown very large. */
  reset(): void {
    this.#length = 0;
    if (this.#bytes.length <= MAX_KEPT_BYTES) return;
    this.#bytes = new Uint8Array(256);
    this.#view = new DataView(this.#bytes.buffer);
  }

  #reserve(count: number): number {
    const at = this.#length;
    const needed = at + count;
    if (needed > this.#bytes.length) {
      const buffer = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      buffer.set(this.#bytes.subarray(0, at));
      this.#bytes = buffer;
      this.#view = new DataView(buffer.buffer);
    }
    this.#length = needed;
    return at;
  }

  /** Writes one byte unchanged. */
  byte(b: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = b;
  }

  /** Writes raw bytes. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  nil(): void {
    this.byte(0xc0);
  }

  bool(b: boolean): void {
    this.byte(b ? 0xc3 : 0xc2);
  }

  /** A safe integer, in the shortest form. */
  integer(n: number): void {
    if (n >= 0 ? n <= 0x7f : n >= -32) this.byte(n & 0xff);
    else if (n >= 0) this.#positive(n);
    else this.#negative(n);
  }

  #positive(n: number): void {
    if (n <= 0xff) this.#sized8(0xcc, n);
    else if (n <= 0xffff) this.#sized16(0xcd, n);
    else if (n <= 0xffffffff) this.#sized32(0xce, n);
    else this.bigInteger(BigInt(n));
  }

  #negative(n: number): void {
    if (n >= -0x80) this.#sized8(0xd0, n & 0xff);
    else if (n >= -0x8000) this.#sized16(0xd1, n & 0xffff);
    else if (n >= -0x80000000) this.#sized32(0xd2, n >>> 0);
    else this.bigInteger(BigInt(n));
  }

  /** An integer of 64 bits, in eight bytes. */
  bigInteger(n: bigint): void {
    const at = this.#reserve(9);
    this.#bytes[at] = n >= 0n ? 0xcf : 0xd3;
    this.#view.setBigUint64(at + 1, BigInt.asUintN(64, n));
  }

  double(n: number): void {
    const at = this.#reserve(9);
    this.#bytes[at] = 0xcb;
    this.#view.setFloat64(at + 1, n);
  }

  string(s: string): void {
    const { length } = s;
    if (length <= SHORT_STRING && this.#shortAscii(s)) return;
    const bytes = encoder.encode(s);
    this.stringHeader(bytes.length);
    this.raw(bytes);
  }

  /** Short ASCII strings, which most are, without an encoder. */
  #shortAscii(s: string): boolean {
    const start = this.#length;
    this.stringHeader(s.length);
    let at = this.#reserve(s.length);
    const bytes = this.#bytes;
    for (let i = 0; i < s.length; i++) {
      const unit = s.charCodeAt(i);
      if (unit > 0x7f) {
        this.#length = start;
        return false;
      }
      bytes[at++] = unit;
    }
    return true;
  }

  stringHeader(length: number): void {
    if (length < 32) this.byte(0xa0 | length);
    else if (length <= 0xff) this.#sized8(0xd9, length);
    else if (length <= 0xffff) this.#sized16(0xda, length);
    else this.#sized32(0xdb, length);
  }

  binary(bytes: Uint8Array): void {
    if (bytes.length <= 0xff) this.#sized8(0xc4, bytes.length);
    else if (bytes.length <= 0xffff) this.#sized16(0xc5, bytes.length);
    else this.#sized32(0xc6, bytes.length);
    this.raw(bytes);
  }

  arrayHeader(length: number): void {
    if (length < 16) this.byte(0x90 | length);
    else if (length <= 0xffff) this.#sized16(0xdc, length);
    else this.#sized32(0xdd, length);
  }

  mapHeader(length: number): void {
    if (length < 16) this.byte(0x80 | length);
    else if (length <= 0xffff) this.#sized16(0xde, length);
    else this.#sized32(0xdf, length);
  }

  extension(type: number, body: Uint8Array): void {
    const { length } = body;
    const fixed = [1, 2, 4, 8, 16].indexOf(length);
    if (fixed >= 0) this.byte(0xd4 + fixed);
    else if (length <= 0xff) this.#sized8(0xc7, length);
    else if (length <= 0xffff) this.#sized16(0xc8, length);
    else this.#sized32(0xc9, length);
    this.byte(type);
    this.raw(body);
  }

  #sized8(code: number, n: number): void {
    const at = this.#reserve(2);
    this.#bytes[at] = code;
    this.#bytes[at + 1] = n;
  }

  #sized16(code: number, n: number): void {
    const at = this.#reserve(3);
    this.#bytes[at] = code;
    this.#view.setUint16(at + 1, n);
  }

  #sized32(code: number, n: number): void {
    const at = this.#reserve(5);
    this.#bytes[at] = code;
    this.#view.setUint32(at + 1, n);
  }
}
