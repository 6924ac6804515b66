// Rows of Tablestore in bytes, "PlainBuffer":
// https://www.alibabacloud.com/help/en/tablestore/developer-reference/plainbuffer. Columns are texts here.

/** Columns of a row by their names. */
export type Columns = Readonly<Record<string, string>>;

const HEADER = 0x75;
const TAG = {
  key: 0x1,
  data: 0x2,
  cell: 0x3,
  cellName: 0x4,
  cellValue: 0x5,
  cellType: 0x6,
  cellTime: 0x7,
  deleteMarker: 0x8,
  rowChecksum: 0x9,
  cellChecksum: 0xa,
} as const;
const VARIANT = { integer: 0x0, double: 0x1, boolean: 0x2, string: 0x3, blob: 0x7 } as const;

/** Encodes a row: its key, and its columns if any; `deleted` marks a deletion. */
export function plainRow(
  key: Columns,
  columns: Columns = {},
  deleted: boolean = false,
): Uint8Array {
  const keyCells = Object.entries(key).map(cell);
  const dataCells = Object.entries(columns).map(cell);
  let checksum = 0;
  for (const { checksum: cellChecksum } of [...keyCells, ...dataCells])
    checksum = crc8(checksum, cellChecksum);
  checksum = crc8(checksum, deleted ? 1 : 0);
  return Buffer.concat([
    little(HEADER),
    Uint8Array.of(TAG.key),
    ...keyCells.map(({ bytes }) => bytes),
    ...(dataCells.length > 0 ? [Uint8Array.of(TAG.data)] : []),
    ...dataCells.map(({ bytes }) => bytes),
    ...(deleted ? [Uint8Array.of(TAG.deleteMarker)] : []),
    Uint8Array.of(TAG.rowChecksum, checksum),
  ]);
}

/** A text as the value that a condition compares a column with. */
export function plainText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return Buffer.concat([Uint8Array.of(VARIANT.string), little(bytes.length), bytes]);
}

function cell([name, text]: readonly [string, string]): {
  readonly bytes: Uint8Array;
  readonly checksum: number;
} {
  const nameBytes = Buffer.from(name);
  const value = plainText(text);
  const checksum = crc8(crc8(0, ...nameBytes), ...value);
  return {
    checksum,
    bytes: Buffer.concat([
      Uint8Array.of(TAG.cell, TAG.cellName),
      little(nameBytes.length),
      nameBytes,
      Uint8Array.of(TAG.cellValue),
      little(value.length),
      value,
      Uint8Array.of(TAG.cellChecksum, checksum),
    ]),
  };
}

/** Decodes the string columns of the first row, including its key. Throws for a malformed row. */
export function readPlainRow(bytes: Uint8Array): Columns {
  const reader = new Reader(bytes);
  if (reader.little() !== HEADER) throw new Error('a row begins in an unknown way');
  const columns: [string, string][] = [];
  for (let tag = reader.byte(); tag !== TAG.rowChecksum; tag = reader.byte()) {
    if (tag === TAG.key || tag === TAG.data || tag === TAG.deleteMarker) continue;
    if (tag !== TAG.cell) throw new Error(`a row has an unknown part ${tag}`);
    const read = reader.cell();
    if (read !== undefined) columns.push(read);
  }
  return Object.fromEntries(columns);
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('a row ends early');
    return byte;
  }

  little(): number {
    const [a, b, c, d] = [this.byte(), this.byte(), this.byte(), this.byte()];
    return a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24;
  }

  /** `undefined`: its value is no text. */
  cell(): [string, string] | undefined {
    let name = '';
    let text: string | undefined;
    for (let tag = this.byte(); tag !== TAG.cellChecksum; tag = this.byte()) {
      if (tag === TAG.cellName) name = this.#text();
      else if (tag === TAG.cellValue) {
        const end = this.little() + this.#at;
        if (this.byte() === VARIANT.string) text = this.#text();
        this.#at = end;
      } else if (tag === TAG.cellType) this.byte();
      else if (tag === TAG.cellTime) this.#at += 8;
      else throw new Error(`a column has an unknown part ${tag}`);
    }
    this.byte();
    return text === undefined ? undefined : [name, text];
  }

  #text(): string {
    const length = this.little();
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new Error('a row ends early');
    return new TextDecoder().decode(this.#bytes.subarray(from, this.#at));
  }
}

function little(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** Polynomial x⁸ + x² + x + 1. */
const CRC8 = Uint8Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80 ? (value << 1) ^ 0x07 : value << 1;
  return value;
});

function crc8(before: number, ...bytes: readonly number[]): number {
  let value = before;
  for (const byte of bytes) value = CRC8[(value ^ byte) & 0xff] ?? 0;
  return value;
}
