const BITS_PER_ENTRY = 10;
const HASHES = 7;
/** Number of entries of the largest filter, so that the list of runs stays small; no filter has more addresses. */
export const MAX_FILTERED = 1024;

/**
 * Returns a Bloom filter, in base64, of instance addresses and of the resources and modules that contain them;
 * undefined if there are too many addresses. The rate of false positives is about 1 %.
 */
export function addressFilter(instances: readonly string[]): string | undefined {
  const entries = new Set<string>();
  let previous = '';
  for (const instance of instances) {
    addPrefixes(entries, instance, previous);
    if (entries.size > MAX_FILTERED) return undefined;
    previous = instance;
  }
  const bytes = new Uint8Array(Math.ceil((entries.size * BITS_PER_ENTRY) / 8));
  const bitCount = bytes.length * 8;
  for (const entry of entries)
    for (const bit of bitsOf(entry, bitCount))
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  return Buffer.from(bytes.buffer).toString('base64');
}

/** Returns false if a filter has neither the instance nor any instance of the resource or module at an address. */
export function mayContain(filter: string, address: string): boolean {
  const bytes = Buffer.from(filter, 'base64');
  return bitsOf(address, bytes.length * 8).every(
    (bit) => ((bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0,
  );
}

/**
 * Adds an address, and each part of it that ends before a dot or an index. The parts that it shares with the previous
 * address, which most instances do, are there already.
 */
function addPrefixes(entries: Set<string>, address: string, previous: string): void {
  let shared = 0;
  while (shared < address.length && address.charCodeAt(shared) === previous.charCodeAt(shared))
    shared++;
  for (let index = shared; index < address.length; index++) {
    const code = address.charCodeAt(index);
    if (code === DOT || code === BRACKET) entries.add(address.slice(0, index));
  }
  entries.add(address);
}

const DOT = 0x2e;
const BRACKET = 0x5b;

/** Returns the bits of an entry, by double hashing. An empty filter has none. */
function bitsOf(text: string, bitCount: number): readonly number[] {
  if (bitCount === 0) return [];
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  // FNV-1a with two starting values.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x01000193);
  }
  const start = mixed(first);
  // An odd step does not repeat early.
  const step = mixed(second) | 1;
  const bits: number[] = [];
  for (let index = 0; index < HASHES; index++)
    bits.push(((start + Math.imul(index, step)) >>> 0) % bitCount);
  return bits;
}

/** The final mixing of MurmurHash3. */
function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
