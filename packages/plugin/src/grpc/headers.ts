import { decodeHuffman } from './huffman.ts';

/** Headers by name; the last of several headers with the same name wins. */
export type Headers = ReadonlyMap<string, string>;

/** The static table of HPACK (RFC 7541, appendix A) as `name` or `name=value`, starting at index 1. */
const STATIC: readonly string[] =
  ':authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|:status=206|:status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate'.split(
    '|',
  );

/** The header block of a request. It does not use the dynamic table, so that a block can be reused. */
export function requestHeaders(path: string, secure: boolean): Buffer {
  return Buffer.concat([
    Uint8Array.of(0x83, secure ? 0x87 : 0x86), // :method POST, :scheme
    Uint8Array.of(0x01),
    stringOf('localhost'), // :authority
    Uint8Array.of(0x04),
    stringOf(path), // :path
    Uint8Array.of(0x0f, 0x10),
    stringOf('application/grpc'), // content-type
    Uint8Array.of(0x0f, 0x2b),
    stringOf('terrane'), // user-agent
    Uint8Array.of(0x00),
    stringOf('te'),
    stringOf('trailers'),
  ]);
}

/** A header that is added to the block of one request. */
export function requestHeader(name: string, value: string): Buffer {
  return Buffer.concat([Uint8Array.of(0x00), stringOf(name), stringOf(value)]);
}

function stringOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const { length } = bytes;
  if (length < 0x7f) return Buffer.concat([Uint8Array.of(length), bytes]);
  const size = [0x7f];
  let rest = length - 0x7f;
  for (; rest >= 0x80; rest >>>= 7) size.push((rest & 0x7f) | 0x80);
  size.push(rest);
  return Buffer.concat([Uint8Array.from(size), bytes]);
}

const MAX_CACHED_BLOCKS = 64;
const MAX_CACHED_LENGTH = 256;

/**
 * Decodes header blocks of a peer without a dynamic table (a table size of 0). Equal blocks then mean equal headers, so
 * that repeated blocks are decoded once.
 */
export class HeaderReader {
  readonly #cache = new Map<string, Headers>();

  /** @throws Error for a malformed block (RFC 7541) */
  read(block: Buffer): Headers {
    if (block.length > MAX_CACHED_LENGTH) return readBlock(block);
    const key = block.toString('latin1');
    let headers = this.#cache.get(key);
    if (headers === undefined) {
      headers = readBlock(block);
      if (this.#cache.size >= MAX_CACHED_BLOCKS) this.#cache.clear();
      this.#cache.set(key, headers);
    }
    return headers;
  }
}

function readBlock(block: Buffer): Headers {
  const headers = new Map<string, string>();
  let at = 0;
  const readNumber = (bits: number): number => {
    const maxPrefix = 2 ** bits - 1;
    let value = (block[at++] ?? 0) & maxPrefix;
    if (value < maxPrefix) return value;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = block[at++];
      if (byte === undefined || factor > 2 ** 28)
        throw new Error('a header has an invalid integer');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const readString = (): string => {
    const huffman = (block[at] ?? 0) >= 0x80;
    const length = readNumber(7);
    if (at + length > block.length) throw new Error('a header is truncated');
    const bytes = block.subarray(at, at + length);
    at += length;
    return huffman ? decodeHuffman(bytes) : bytes.toString('latin1');
  };
  while (at < block.length) {
    const byte = block[at] ?? 0;
    if (byte >= 0x80) {
      const entry = entryOf(readNumber(7));
      const end = entry.indexOf('=');
      headers.set(nameOf(entry), end < 0 ? '' : entry.slice(end + 1));
    } else if (byte >= 0x20 && byte < 0x40) {
      if (readNumber(5) > 0) throw new Error('a header table is larger than allowed');
    } else {
      // With a table of size zero, indexing modes are equivalent.
      const index = readNumber(byte >= 0x40 ? 6 : 4);
      const name = index === 0 ? readString() : nameOf(entryOf(index));
      headers.set(name, readString());
    }
  }
  return headers;
}

function entryOf(index: number): string {
  const entry = STATIC[index - 1];
  if (entry === undefined) throw new Error(`there is no header with the index ${index}`);
  return entry;
}

function nameOf(entry: string): string {
  const end = entry.indexOf('=');
  return end < 0 ? entry : entry.slice(0, end);
}
