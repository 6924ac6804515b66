// The digest MD4 (RFC 1320), which NTLM uses for passwords. OpenSSL 3 disables it by default.

const ROUNDS: readonly {
  readonly mix: (x: number, y: number, z: number) => number;
  readonly add: number;
  readonly order: readonly number[];
  readonly turns: readonly number[];
}[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    add: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    turns: [3, 7, 11, 19],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    add: 0x5a82_7999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    turns: [3, 5, 9, 13],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    add: 0x6ed9_eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    turns: [3, 9, 11, 15],
  },
];

/** Returns the MD4 digest of bytes, which has 16 bytes. For NTLM only: MD4 is insecure. */
export function md4(data: Uint8Array): Buffer {
  const padded = Buffer.alloc(Math.ceil((data.length + 9) / 64) * 64);
  padded.set(data);
  padded[data.length] = 0x80;
  padded.writeBigUInt64LE(BigInt(data.length) * 8n, padded.length - 8);
  let [a, b, c, d] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
  for (let block = 0; block < padded.length; block += 64) {
    const before = [a, b, c, d] as const;
    for (const { mix, add, order, turns } of ROUNDS) {
      for (const [step, word] of order.entries()) {
        const sum = a + mix(b, c, d) + padded.readUInt32LE(block + word * 4) + add;
        const turn = turns[step % 4] ?? 0;
        [a, b, c, d] = [d, (sum << turn) | ((sum | 0) >>> (32 - turn)), b, c];
      }
    }
    [a, b, c, d] = [a + before[0], b + before[1], c + before[2], d + before[3]];
  }
  const digest = Buffer.alloc(16);
  for (const [at, word] of [a, b, c, d].entries()) digest.writeInt32LE(word | 0, at * 4);
  return digest;
}
