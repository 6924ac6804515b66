// The part of `node:zlib` that the engine uses in a browser.
import * as fflate from 'fflate';

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** The CRC-32 of bytes, continuing from an earlier one. */
export function crc32(data: string | Uint8Array, start = 0): number {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  let value = ~start;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}

/** Compresses bytes. */
export function gzipSync(data: Uint8Array): Buffer {
  return Buffer.from(fflate.gzipSync(data, { level: 1, mtime: 0 }));
}

/** Compresses bytes. A worker has one thread, so it is done when this function returns. */
export function gzip(
  data: Uint8Array,
  _options: object,
  done: (error: undefined, result: Buffer) => void,
): void {
  done(undefined, gzipSync(data));
}

/** Decompresses one or several joined members, as Node does. Throws if a member is damaged. */
export function gunzipSync(data: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  const stream = new fflate.Gunzip((part) => parts.push(part));
  stream.push(data, true);
  return Buffer.concat(parts);
}
