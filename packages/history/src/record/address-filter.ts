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
  for (const instance of instances) {
    for (const prefix of prefixesOf(instance)) entries.add(prefix);
    if (entries.size > MAX_FILTERED) return undefined;
  }
  const bytes = Buffer.alloc(Math.ceil((entries.size * BITS_PER_ENTRY) / 8));
  for (const entry of entries)
    for (const bit of bitsOf(entry, bytes.length * 8))
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) | (1 << (bit & 7)), bit >> 3);
  return bytes.toString('base64');
}

/** Returns false if a filter has neither the instance nor any instance of the resource or module at an address. */
export function mayContain(filter: string, address: string): boolean {
  const bytes = Buffer.from(filter, 'base64');
  for (const bit of bitsOf(address, bytes.length * 8))
    if ((bytes.readUInt8(bit >> 3) & (1 << (bit & 7))) === 0) return false;
  return true;
}

/** The address, and each part of it that ends before a dot or an index. */
function* prefixesOf(address: string): Generator<string> {
  for (const { index } of address.matchAll(/[.[]/g)) yield address.slice(0, index);
  yield address;
}

/** The bits of an entry, by double hashing. An empty filter has none. */
function* bitsOf(text: string, bitCount: number): Generator<number> {
  const first = hashOf(text, 0x811c9dc5);
  // An odd step does not repeat early.
  const step = hashOf(text, 0x9e3779b9) | 1;
  for (let index = 0; index < HASHES && bitCount > 0; index++)
    yield ((first + Math.imul(index, step)) >>> 0) % bitCount;
}

/** FNV-1a with the final mixing of MurmurHash3. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
