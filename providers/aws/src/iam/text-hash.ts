/** The number that ids of data sources are made of: CRC-32 (IEEE) of a text in UTF-8. */
export function textHash(text: string): string {
  let crc = 0xff_ff_ff_ff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return String((crc ^ 0xff_ff_ff_ff) >>> 0);
}
