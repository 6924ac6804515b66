/** The polynomial of ISO 3309, reflected, which Go's `crc64.ISO` names. */
const POLYNOMIAL = 0xd800000000000000n;
const ALL_BITS = 0xffffffffffffffffn;

let table: BigUint64Array | undefined;

/** Returns the CRC-64 (ISO) of a text in UTF-8 as a signed integer; `node:zlib` has only CRC-32. */
export function crc64(text: string): bigint {
  table ??= BigUint64Array.from({ length: 256 }, (_, index) => {
    let crc = BigInt(index);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ POLYNOMIAL : crc >> 1n;
    return crc;
  });
  let crc = ALL_BITS;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc = (table[Number(crc & 0xffn) ^ byte] ?? 0n) ^ (crc >> 8n);
  }
  return BigInt.asIntN(64, crc ^ ALL_BITS);
}
