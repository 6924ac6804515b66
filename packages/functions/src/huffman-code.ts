/** Code and length in bits of each symbol; codes are stored with their bits reversed, as DEFLATE writes them. */
export interface HuffmanCode {
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

const NEVER = 2 ** 31 - 1;

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** The fixed code of literals and lengths (RFC 1951, 3.2.6). */
export function fixedLiteralCode(): HuffmanCode {
  const codes = new Uint16Array(286);
  const lengths = new Uint8Array(286);
  for (let symbol = 0; symbol < 286; symbol++) {
    const [code, length] =
      symbol < 144
        ? [symbol + 48, 8]
        : symbol < 256
          ? [symbol + 400 - 144, 9]
          : symbol < 280
            ? [symbol - 256, 7]
            : [symbol + 192 - 280, 8];
    codes[symbol] = reversed(code, length);
    lengths[symbol] = length;
  }
  return { codes, lengths };
}

/** The fixed code of distances. */
export function fixedDistanceCode(): HuffmanCode {
  const codes = Uint16Array.from({ length: 30 }, (_, symbol) => reversed(symbol, 5));
  return { codes, lengths: new Uint8Array(30).fill(5) };
}

/** Returns the encoded size in bits of symbols with these frequencies. */
export function bitsOf({ lengths }: HuffmanCode, frequencies: Uint32Array): number {
  let total = 0;
  for (const [symbol, frequency] of frequencies.entries())
    total += frequency * (lengths[symbol] ?? 0);
  return total;
}

/**
 * Returns the optimal code for symbols of these frequencies with no length above `limit`. Of several optimal codes it
 * returns the one of Go's compress/flate, as the bytes of compressed texts depend on it.
 */
export function huffmanCode(frequencies: Uint32Array, limit: number): HuffmanCode {
  const codes = new Uint16Array(frequencies.length);
  const lengths = new Uint8Array(frequencies.length);
  const used = [...frequencies.keys()].filter((symbol) => (frequencies[symbol] ?? 0) > 0);
  if (used.length <= 2) {
    for (const [index, symbol] of used.entries()) {
      codes[symbol] = index;
      lengths[symbol] = 1;
    }
    return { codes, lengths };
  }
  const frequencyOf = (symbol: number): number => frequencies[symbol] ?? 0;
  used.sort((a, b) => frequencyOf(a) - frequencyOf(b) || a - b);
  const counts = lengthCounts(used.map(frequencyOf), Math.min(limit, used.length - 1));
  // The least frequent symbols have the longest codes; within a length, codes are ordered by symbol.
  let code = 0;
  let end = used.length;
  for (let length = 1; length < counts.length; length++) {
    code <<= 1;
    const count = counts[length] ?? 0;
    const chunk = used.slice(end - count, end).sort((a, b) => a - b);
    for (const symbol of chunk) {
      codes[symbol] = reversed(code, length);
      lengths[symbol] = length;
      code++;
    }
    end -= count;
  }
  return { codes, lengths };
}

interface Level {
  /** frequency of the item added last */
  last: number;
  /** frequency of the next symbol that could be added */
  nextSymbol: number;
  /** frequency of the next pair from the level below */
  nextPair: number;
  /** items still to be added */
  needed: number;
}

/** Returns the number of symbols with a code of each length, by the package-merge algorithm with boundary nodes. */
function lengthCounts(sorted: readonly number[], deepest: number): readonly number[] {
  const at = (index: number): number => sorted[index] ?? NEVER;
  const levels: Level[] = Array.from({ length: deepest + 2 }, (_, level) => ({
    last: level === 0 ? 0 : at(1),
    nextSymbol: level === 0 ? 0 : at(2),
    nextPair: level === 0 ? 0 : level === 1 ? NEVER : at(0) + at(1),
    needed: 0,
  }));
  // For the newest item of each level: the number of remaining symbols of its ancestor at each lower level.
  const leaves = Array.from({ length: deepest + 1 }, () => new Uint32Array(deepest + 1));
  for (let level = 1; level <= deepest; level++) row(leaves, level)[level] = 2;
  levelAt(levels, deepest).needed = 2 * sorted.length - 4;
  let level = deepest;
  for (;;) {
    const here = levelAt(levels, level);
    if (here.nextPair === NEVER && here.nextSymbol === NEVER) {
      here.needed = 0;
      levelAt(levels, level + 1).nextPair = NEVER;
      level++;
      continue;
    }
    const before = here.last;
    const levelRow = row(leaves, level);
    if (here.nextSymbol < here.nextPair) {
      const count = (levelRow[level] ?? 0) + 1;
      here.last = here.nextSymbol;
      levelRow[level] = count;
      here.nextSymbol = at(count);
    } else {
      here.last = here.nextPair;
      levelRow.set(row(leaves, level - 1).subarray(0, level));
      levelAt(levels, level - 1).needed = 2;
    }
    here.needed--;
    if (here.needed === 0) {
      if (level === deepest) break;
      levelAt(levels, level + 1).nextPair = before + here.last;
      level++;
    } else {
      while (levelAt(levels, level - 1).needed > 0) level--;
    }
  }
  const final = row(leaves, deepest);
  const counts = [0];
  for (let depth = deepest; depth > 0; depth--)
    counts.push((final[depth] ?? 0) - (final[depth - 1] ?? 0));
  return counts;
}

function levelAt(levels: readonly Level[], index: number): Level {
  const level = levels[index];
  if (level === undefined) throw new RangeError(`no level ${index}`);
  return level;
}

function row(leaves: readonly Uint32Array[], index: number): Uint32Array {
  return leaves[index] ?? new Uint32Array(0);
}
