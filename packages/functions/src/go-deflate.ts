import {
  bitsOf,
  fixedDistanceCode,
  fixedLiteralCode,
  huffmanCode,
  type HuffmanCode,
} from './huffman-code.ts';

// Compresses text to the same bytes as Go's compress/flate at its default level: states and plans contain them, so
// other bytes would be a change. Offsets into the whole text represent those into Go's sliding window.

const WINDOW = 1 << 15;
const MASK = WINDOW - 1;
const MIN_MATCH = 4;
const MAX_MATCH = 258;
/** A block ends when it has so many tokens. */
const BLOCK = 1 << 14;
const MAX_STORED_BLOCK = 65_535;
const HASH_BITS = 17;
/** Go's level 6: when a match is good, when it is long enough to look no further, how far to look. */
const GOOD = 8;
const LAZY = 16;
const NICE = 128;
const CHAIN = 128;
const END_OF_BLOCK = 256;
const FIRST_LENGTH = 257;

const LENGTH_EXTRA = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const DISTANCE_EXTRA = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1));
const LENGTH_BASE = basesOf(LENGTH_EXTRA);
const DISTANCE_BASE = basesOf(DISTANCE_EXTRA);
/** The code of each match length, relative to the minimum length of DEFLATE. */
const LENGTH_CODE = codesOf(LENGTH_BASE, 256);
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function basesOf(extra: readonly number[]): readonly number[] {
  const bases: number[] = [];
  let next = 0;
  for (const bits of extra) {
    bases.push(next);
    next += 1 << bits;
  }
  // The maximum match length has a separate code.
  if (extra.length === 29) bases[28] = 255;
  return bases;
}

function codesOf(bases: readonly number[], size: number): Uint8Array {
  const codes = new Uint8Array(size);
  for (const [code, base] of bases.entries()) codes.fill(code, base);
  return codes;
}

function distanceCode(distance: number): number {
  let code = 29;
  while ((DISTANCE_BASE[code] ?? 0) > distance) code--;
  return code;
}

/** Returns the DEFLATE blocks of a text, followed by an empty byte-aligned block and an empty final block. */
export function goDeflate(text: Uint8Array): Uint8Array {
  const writer = new BlockWriter();
  new Matcher(text, writer).run();
  writer.writeStored(EMPTY, false);
  writer.writeStored(EMPTY, true);
  return writer.bytes();
}

const EMPTY = new Uint8Array();

/** Literals, and matches as length and distance, less the least of each. */
interface Tokens {
  readonly values: number[];
  /** -1 for a literal, whose byte is the value; else the length, with the distance as the value */
  readonly lengths: number[];
}

/** Finds repeated byte sequences. */
class Matcher {
  readonly #text: Uint8Array;
  readonly #writer: BlockWriter;
  /** Positions plus one; 0 if there is none. */
  readonly #heads = new Uint32Array(1 << HASH_BITS);
  readonly #previous = new Uint32Array(WINDOW);
  #tokens: Tokens = { values: [], lengths: [] };
  #blockStart = 0;
  #windowStart = 0;
  #windowEnd = 0;
  #at = 0;
  #head = -1;
  #length = MIN_MATCH - 1;
  #distance = 0;
  #pending = false;
  #insertable = 0;

  constructor(text: Uint8Array, writer: BlockWriter) {
    this.#text = text;
    this.#writer = writer;
  }

  run(): void {
    while (this.#windowEnd < this.#text.length) {
      this.#step(false);
      this.#slide();
    }
    this.#step(true);
  }

  /** Appends text to the window; text that leaves the window can no longer be referenced. */
  #slide(): void {
    if (this.#at - this.#windowStart >= 2 * WINDOW - (MIN_MATCH + MAX_MATCH)) {
      if (this.#blockStart - this.#windowStart < WINDOW) this.#blockStart = Infinity;
      this.#windowStart += WINDOW;
    }
    this.#windowEnd = Math.min(this.#text.length, this.#windowStart + 2 * WINDOW);
  }

  #step(flush: boolean): void {
    const text = this.#text;
    if (this.#windowEnd - this.#at < MIN_MATCH + MAX_MATCH && !flush) return;
    this.#insertable = this.#windowEnd - (MIN_MATCH - 1);
    for (;;) {
      const ahead = this.#windowEnd - this.#at;
      if (ahead < MIN_MATCH + MAX_MATCH) {
        if (!flush) return;
        if (ahead === 0) {
          if (this.#pending) this.#literal(this.#at - 1);
          this.#pending = false;
          if (this.#tokens.values.length > 0) this.#endBlock(this.#at);
          return;
        }
      }
      if (this.#at < this.#insertable) this.#head = this.#insert(this.#at);
      const previousLength = this.#length;
      const previousDistance = this.#distance;
      this.#length = MIN_MATCH - 1;
      this.#distance = 0;
      const earliest = Math.max(this.#at - WINDOW, this.#windowStart);
      if (this.#head - 1 >= earliest && ahead > previousLength && previousLength < LAZY)
        this.#find(this.#head - 1, ahead);
      if (previousLength >= MIN_MATCH && this.#length <= previousLength) {
        this.#tokens.lengths.push(previousLength - 3);
        this.#tokens.values.push(previousDistance - 1);
        const end = this.#at + previousLength - 1;
        let at = this.#at + 1;
        for (; at < end; at++) if (at < this.#insertable) this.#insert(at);
        this.#at = at;
        this.#pending = false;
        this.#length = MIN_MATCH - 1;
        if (this.#tokens.values.length === BLOCK) this.#endBlock(this.#at);
      } else {
        if (this.#pending) {
          const at = this.#at - 1;
          this.#literal(at);
          if (this.#tokens.values.length === BLOCK) this.#endBlock(at + 1);
        }
        this.#at++;
        this.#pending = true;
      }
      if (this.#at > text.length) throw new RangeError('the text ended before its matches');
    }
  }

  #literal(at: number): void {
    this.#tokens.lengths.push(-1);
    this.#tokens.values.push(this.#text[at] ?? 0);
  }

  /** Records a position by the four bytes at it; returns the previous position of these bytes. */
  #insert(at: number): number {
    const text = this.#text;
    const four =
      ((text[at] ?? 0) << 24) |
      ((text[at + 1] ?? 0) << 16) |
      ((text[at + 2] ?? 0) << 8) |
      (text[at + 3] ?? 0);
    const hash = Math.imul(four, 0x1e35a7bd) >>> (32 - HASH_BITS);
    const head = this.#heads[hash] ?? 0;
    this.#previous[at & MASK] = head;
    this.#heads[hash] = at + 1;
    return head;
  }

  #find(first: number, ahead: number): void {
    const text = this.#text;
    const at = this.#at;
    const maxLength = Math.min(MAX_MATCH, ahead);
    const nice = Math.min(NICE, maxLength);
    const earliest = at - WINDOW;
    let length = MIN_MATCH - 1;
    let nextByte = text[at + length];
    let candidate = first;
    // Go shortens searches after a good match; here each search is independent.
    for (let attempts = length >= GOOD ? CHAIN >> 2 : CHAIN; attempts > 0; attempts--) {
      if (nextByte === text[candidate + length]) {
        let same = 0;
        while (same < maxLength && text[candidate + same] === text[at + same]) same++;
        if (same > length && (same > MIN_MATCH || at - candidate <= 4096)) {
          length = same;
          this.#length = same;
          this.#distance = at - candidate;
          if (same >= nice) return;
          nextByte = text[at + same];
        }
      }
      if (candidate === earliest) return;
      candidate = (this.#previous[candidate & MASK] ?? 0) - 1;
      if (candidate < earliest || candidate < this.#windowStart) return;
    }
  }

  #endBlock(at: number): void {
    const source = this.#blockStart <= at ? this.#text.subarray(this.#blockStart, at) : undefined;
    this.#blockStart = at;
    this.#writer.block(this.#tokens, source);
    this.#tokens = { values: [], lengths: [] };
  }
}

/** Writes blocks bit by bit. */
class BlockWriter {
  readonly #out: number[] = [];
  #bits = 0;
  #count = 0;

  bytes(): Uint8Array {
    return Uint8Array.from(this.#out);
  }

  #put(value: number, count: number): void {
    this.#bits |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#out.push(this.#bits & 0xff);
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  #symbol({ codes, lengths }: HuffmanCode, symbol: number): void {
    this.#put(codes[symbol] ?? 0, lengths[symbol] ?? 0);
  }

  /** Writes a stored block. */
  writeStored(source: Uint8Array, isLast: boolean): void {
    this.#put(isLast ? 1 : 0, 3);
    if (this.#count > 0) this.#put(0, 8 - this.#count);
    this.#put(source.length, 16);
    this.#put(~source.length & 0xffff, 16);
    for (const byte of source) this.#out.push(byte);
  }

  /** Writes a block in the shortest of the three forms; `source` is its content, if available. */
  block(tokens: Tokens, source: Uint8Array | undefined): void {
    const literals = new Uint32Array(286);
    const distances = new Uint32Array(30);
    for (const [index, length] of tokens.lengths.entries()) {
      const value = tokens.values[index] ?? 0;
      if (length < 0) add(literals, value);
      else {
        add(literals, FIRST_LENGTH + (LENGTH_CODE[length] ?? 0));
        add(distances, distanceCode(value));
      }
    }
    add(literals, END_OF_BLOCK);
    const literalCount = usedCount(literals);
    let distanceCount = usedCount(distances);
    if (distanceCount === 0) {
      distances[0] = 1;
      distanceCount = 1;
    }
    const storable = source !== undefined && source.length <= MAX_STORED_BLOCK;
    const extra = storable ? extraBits(literals, distances) : 0;
    let literalCode = FIXED_LITERALS;
    let distanceCodes = FIXED_DISTANCES;
    let size = 3 + bitsOf(literalCode, literals) + bitsOf(distanceCodes, distances) + extra;
    const dynamicLiterals = huffmanCode(literals, 15);
    const ownDistances = huffmanCode(distances, 15);
    const header = new CodeLengths(dynamicLiterals, literalCount, ownDistances, distanceCount);
    const dynamic =
      header.size + bitsOf(dynamicLiterals, literals) + bitsOf(ownDistances, distances) + extra;
    if (dynamic < size) {
      size = dynamic;
      literalCode = dynamicLiterals;
      distanceCodes = ownDistances;
    }
    if (storable && (source.length + 5) * 8 < size) {
      this.writeStored(source, false);
      return;
    }
    if (literalCode === FIXED_LITERALS) this.#put(2, 3);
    else {
      this.#put(4, 3);
      this.#put(literalCount - 257, 5);
      this.#put(distanceCount - 1, 5);
      header.write(
        (value, count) => this.#put(value, count),
        (symbol) => this.#symbol(header.code, symbol),
      );
    }
    this.#tokens(tokens, literalCode, distanceCodes);
  }

  #tokens(tokens: Tokens, literalCode: HuffmanCode, distanceCodes: HuffmanCode): void {
    for (const [index, length] of tokens.lengths.entries()) {
      const value = tokens.values[index] ?? 0;
      if (length < 0) {
        this.#symbol(literalCode, value);
        continue;
      }
      const code = LENGTH_CODE[length] ?? 0;
      this.#symbol(literalCode, FIRST_LENGTH + code);
      this.#put(length - (LENGTH_BASE[code] ?? 0), LENGTH_EXTRA[code] ?? 0);
      const far = distanceCode(value);
      this.#symbol(distanceCodes, far);
      this.#put(value - (DISTANCE_BASE[far] ?? 0), DISTANCE_EXTRA[far] ?? 0);
    }
    this.#symbol(literalCode, END_OF_BLOCK);
  }
}

const FIXED_LITERALS = fixedLiteralCode();
const FIXED_DISTANCES = fixedDistanceCode();

function add(frequencies: Uint32Array, symbol: number): void {
  frequencies[symbol] = (frequencies[symbol] ?? 0) + 1;
}

function usedCount(frequencies: Uint32Array): number {
  let count = frequencies.length;
  while (count > 0 && frequencies[count - 1] === 0) count--;
  return count;
}

/** Returns the number of extra bits of lengths and distances, which is independent of their codes. */
function extraBits(literals: Uint32Array, distances: Uint32Array): number {
  let total = 0;
  for (const [code, bits] of LENGTH_EXTRA.entries())
    total += (literals[FIRST_LENGTH + code] ?? 0) * bits;
  for (const [code, bits] of DISTANCE_EXTRA.entries()) total += (distances[code] ?? 0) * bits;
  return total;
}

/** The lengths of the codes of a block, written before it with run-length encoding (RFC 1951, 3.2.7). */
class CodeLengths {
  readonly code: HuffmanCode;
  /** The size of the block header in bits. */
  readonly size: number;
  /** Symbols, each with the value that follows it and the size of this value in bits. */
  readonly #items: (readonly [symbol: number, value: number, bits: number])[] = [];
  readonly #count: number;

  constructor(literals: HuffmanCode, literalCount: number, distances: HuffmanCode, count: number) {
    const lengths = [
      ...literals.lengths.subarray(0, literalCount),
      ...distances.lengths.subarray(0, count),
    ];
    for (let start = 0; start < lengths.length;) {
      const length = lengths[start] ?? 0;
      let end = start + 1;
      while (end < lengths.length && lengths[end] === length) end++;
      this.#run(length, end - start);
      start = end;
    }
    const frequencies = new Uint32Array(19);
    for (const [symbol] of this.#items) add(frequencies, symbol);
    this.code = huffmanCode(frequencies, 7);
    let used = 19;
    while (used > 4 && frequencies[CODE_LENGTH_ORDER[used - 1] ?? 0] === 0) used--;
    this.#count = used;
    const values = this.#items.reduce((sum, [, , bits]) => sum + bits, 0);
    this.size = 3 + 5 + 5 + 4 + 3 * used + bitsOf(this.code, frequencies) + values;
  }

  #run(length: number, times: number): void {
    let remaining = times;
    if (length === 0) {
      for (; remaining >= 11; remaining -= Math.min(138, remaining))
        this.#items.push([18, Math.min(138, remaining) - 11, 7]);
      if (remaining >= 3) {
        this.#items.push([17, remaining - 3, 3]);
        remaining = 0;
      }
    } else {
      this.#items.push([length, 0, 0]);
      remaining--;
      for (; remaining >= 3; remaining -= Math.min(6, remaining))
        this.#items.push([16, Math.min(6, remaining) - 3, 2]);
    }
    for (; remaining > 0; remaining--) this.#items.push([length, 0, 0]);
  }

  write(put: (value: number, bits: number) => void, symbol: (symbol: number) => void): void {
    put(this.#count - 4, 4);
    for (const code of CODE_LENGTH_ORDER.slice(0, this.#count))
      put(this.code.lengths[code] ?? 0, 3);
    for (const [code, value, bits] of this.#items) {
      symbol(code);
      put(value, bits);
    }
  }
}
