/**
 * The number of bits of each byte's code and, last, of the end mark, in base 36 (RFC 7541, appendix B). The code is
 * canonical: shorter codes come first, codes of equal length are in byte order.
 */
const LENGTHS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f56565666577666567655677777fbed' +
  'skmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu';

const END = 256;

interface Level {
  /** the first code of this length */
  readonly first: number;
  readonly symbols: readonly number[];
}

let levels: readonly Level[] | undefined;

function makeLevels(): readonly Level[] {
  const bySize: number[][] = Array.from({ length: 31 }, () => []);
  for (let symbol = 0; symbol <= END; symbol++) {
    bySize[Number.parseInt(LENGTHS.charAt(symbol), 36)]?.push(symbol);
  }
  let code = 0;
  return bySize.map((symbols) => {
    code *= 2;
    const first = code;
    code += symbols.length;
    return { first, symbols };
  });
}

/** Decodes a Huffman-coded header string, one character per byte. @throws Error if it is malformed */
export function decodeHuffman(bytes: Uint8Array): string {
  levels ??= makeLevels();
  const text: number[] = [];
  let code = 0;
  let size = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      size++;
      const level = levels[size];
      if (level === undefined) throw new Error('a header is not Huffman-coded as it should be');
      const symbol = level.symbols[code - level.first];
      if (symbol === undefined) continue;
      if (symbol === END) throw new Error('a header has an end mark within');
      text.push(symbol);
      code = 0;
      size = 0;
    }
  }
  // The remaining bits of the last byte are the first bits of the end-of-string code.
  if (size > 7 || code !== 2 ** size - 1) throw new Error('a header ends within a character');
  return String.fromCharCode(...text);
}
