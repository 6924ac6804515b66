import { CtyError } from './cty-error.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads MessagePack from front to back. Input that ends too early throws CtyError. */
export class MsgpackReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #take(count: number): number {
    const at = this.#position;
    if (at + count > this.#bytes.length) throw new CtyError('unexpected end of data');
    this.#position = at + count;
    return at;
  }

  #unsigned(size: 1 | 2 | 4): number {
    const at = this.#take(size);
    if (size === 1) return this.#bytes[at] as number;
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  /** Returns the type byte of the next value without consuming it. */
  peek(): number {
    const code = this.#bytes[this.#position];
    if (code === undefined) throw new CtyError('unexpected end of data');
    return code;
  }

  /** Reads nil, if it is next. */
  nil(): boolean {
    if (this.peek() !== 0xc0) return false;
    this.#position++;
    return true;
  }

  /** Returns true if an extension is next. */
  isExtension(): boolean {
    const code = this.peek();
    return (code >= 0xd4 && code <= 0xd8) || (code >= 0xc7 && code <= 0xc9);
  }

  /** Reads an extension, if it is next. */
  extension(): { readonly type: number; readonly body: Uint8Array } | undefined {
    const code = this.peek();
    if (!this.isExtension()) return undefined;
    this.#position++;
    const length =
      code >= 0xd4 ? 1 << (code - 0xd4) : this.#unsigned(code === 0xc7 ? 1 : code === 0xc8 ? 2 : 4);
    const type = this.#unsigned(1);
    const at = this.#take(length);
    return { type, body: this.#bytes.subarray(at, at + length) };
  }

  /** Reads a bool; undefined, without consuming anything, if the next value has another type. */
  bool(): boolean | undefined {
    const code = this.peek();
    if (code !== 0xc2 && code !== 0xc3) return undefined;
    this.#position++;
    return code === 0xc3;
  }

  /** Reads an integer; undefined, without consuming anything, if the next value has another type. */
  integer(): number | bigint | undefined {
    const code = this.peek();
    if (code <= 0x7f || code >= 0xe0) {
      this.#position++;
      return code <= 0x7f ? code : code - 0x100;
    }
    if (code < 0xcc || code > 0xd3) return undefined;
    this.#position++;
    switch (code) {
      case 0xcc:
        return this.#unsigned(1);
      case 0xcd:
        return this.#unsigned(2);
      case 0xce:
        return this.#unsigned(4);
      case 0xcf:
        return this.#view.getBigUint64(this.#take(8));
      case 0xd0:
        return this.#view.getInt8(this.#take(1));
      case 0xd1:
        return this.#view.getInt16(this.#take(2));
      case 0xd2:
        return this.#view.getInt32(this.#take(4));
      default:
        return this.#view.getBigInt64(this.#take(8));
    }
  }

  /** Reads a float of either size; undefined, without consuming anything, if the next value has another type. */
  float(): number | undefined {
    const code = this.peek();
    if (code !== 0xca && code !== 0xcb) return undefined;
    this.#position++;
    return code === 0xca
      ? this.#view.getFloat32(this.#take(4))
      : this.#view.getFloat64(this.#take(8));
  }

  /** Reads a string or binary as text; undefined, without consuming anything, if the next value has another type. */
  string(): string | undefined {
    const length = this.#bytesLength();
    if (length === undefined) return undefined;
    const at = this.#take(length);
    return length < 24 ? this.#shortString(at, length) : this.#decode(at, length);
  }

  #decode(at: number, length: number): string {
    return decoder.decode(this.#bytes.subarray(at, at + length));
  }

  #shortString(at: number, length: number): string {
    let out = '';
    for (let i = at; i < at + length; i++) {
      const byte = this.#bytes[i] as number;
      if (byte > 0x7f) return this.#decode(at, length);
      out += String.fromCharCode(byte);
    }
    return out;
  }

  #bytesLength(): number | undefined {
    const code = this.peek();
    if (code >= 0xa0 && code <= 0xbf) {
      this.#position++;
      return code & 0x1f;
    }
    const sizes: Readonly<Record<number, 1 | 2 | 4>> = BYTES_SIZES;
    const size = sizes[code];
    if (size === undefined) return undefined;
    this.#position++;
    return this.#unsigned(size);
  }

  /** Reads the header of an array; undefined, without consuming anything, if the next value has another type. */
  arrayLength(): number | undefined {
    return this.#headerLength(0x90, 0xdc);
  }

  /** Reads the header of a map; undefined, without consuming anything, if the next value has another type. */
  mapLength(): number | undefined {
    return this.#headerLength(0x80, 0xde);
  }

  #headerLength(fixed: number, sized: number): number | undefined {
    const code = this.peek();
    if ((code & 0xf0) === fixed) {
      this.#position++;
      return code & 0x0f;
    }
    if (code !== sized && code !== sized + 1) return undefined;
    this.#position++;
    return this.#unsigned(code === sized ? 2 : 4);
  }
}

const BYTES_SIZES = { 0xd9: 1, 0xda: 2, 0xdb: 4, 0xc4: 1, 0xc5: 2, 0xc6: 4 } as const;
