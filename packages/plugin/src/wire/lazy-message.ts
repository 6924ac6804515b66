/** The positions of the parts of a message in its bytes. */
export interface MessageParts {
  /** entries of the requested maps: by field number, then by key */
  readonly maps: ReadonlyMap<number, ReadonlyMap<string, Uint8Array>>;
  /** the other fields, as a separate message */
  readonly rest: Uint8Array;
}

/**
 * Splits a protobuf message into parts without decoding its map entries; the cost is proportional to their number.
 *
 * @param fields numbers of the fields that are maps from strings to messages
 * @throws Error for malformed bytes
 */
export function partsOf(bytes: Uint8Array, fields: Iterable<number>): MessageParts {
  const maps = new Map<number, Map<string, Uint8Array>>();
  for (const field of fields) maps.set(field, new Map());
  const rest: Uint8Array[] = [];
  const reader = new FieldReader(bytes);
  for (let start = 0; start < bytes.length; start = reader.at) {
    const field = reader.next();
    const map = maps.get(field.number);
    if (map === undefined || field.value === undefined) {
      rest.push(bytes.subarray(start, reader.at));
      continue;
    }
    let key = '';
    let value: Uint8Array = bytes.subarray(0, 0);
    const entry = new FieldReader(field.value);
    while (entry.at < field.value.length) {
      const part = entry.next();
      if (part.value === undefined) continue;
      if (part.number === 1) key = Buffer.from(part.value).toString();
      else if (part.number === 2) value = part.value;
    }
    map.set(key, value);
  }
  return { maps, rest: rest.length === 1 ? (rest[0] ?? bytes) : Buffer.concat(rest) };
}

/** Reads the fields of a protobuf message one after another. */
export class FieldReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the next field; `value` is set for length-delimited fields. */
  next(): {
    readonly number: number;
    readonly wireType: number;
    readonly value: Uint8Array | undefined;
  } {
    const tag = this.#varint();
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    switch (wireType) {
      case 0:
        this.#varint();
        break;
      case 1:
        this.#skip(8);
        break;
      case 2: {
        const length = this.#varint();
        const start = this.at;
        this.#skip(length);
        return { number, wireType, value: this.#bytes.subarray(start, this.at) };
      }
      case 5:
        this.#skip(4);
        break;
      default:
        throw new Error(`a message has a field of the unknown wire type ${wireType}`);
    }
    return { number, wireType, value: undefined };
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) throw new Error('a message is truncated');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  #skip(length: number): void {
    this.at += length;
    if (this.at > this.#bytes.length) throw new Error('a message is truncated');
  }
}

/** Returns an object whose properties are computed on each access. */
export function computedRecord<T>(
  names: Iterable<string>,
  make: (name: string) => T,
): Readonly<Record<string, T>> {
  const record: Record<string, T> = {};
  for (const name of names)
    Object.defineProperty(record, name, { enumerable: true, get: () => make(name) });
  return record;
}

/** Returns an object whose properties are computed on first access and kept. */
export function lazyRecord<T>(
  names: Iterable<string>,
  make: (name: string) => T,
): Readonly<Record<string, T>> {
  const record: Record<string, T> = {};
  for (const name of names) {
    Object.defineProperty(record, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = make(name);
        Object.defineProperty(record, name, { enumerable: true, configurable: true, value });
        return value;
      },
    });
  }
  return record;
}
