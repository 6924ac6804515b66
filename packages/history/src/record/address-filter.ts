import { crc32 } from 'node:zlib';
import type { AbsResource, InstanceAddr } from '@terrane/addresses';

/** Number of entries of the largest filter, so that the list of runs stays small; no filter has more addresses. */
export const MAX_FILTERED = 1024;

/** The first character of a filter. Filters of another form, which base64 is, contain everything. */
const FORM = ':';

/**
 * Returns a filter of instance addresses and of the resources and modules that contain them: a fingerprint of 16 bits
 * for each, in base64. Undefined if there are too many. The rate of false positives is at most 1.6 %.
 *
 * A run calculates it once for its own addresses, in code that is not compiled yet, so it loops over instances alone.
 */
export function addressFilter(instances: Iterable<InstanceAddr>): string | undefined {
  const entries = new Set<string>();
  let previous: AbsResource | undefined;
  for (const { resource, text } of instances) {
    if (resource !== previous) addPrefixes(entries, resource.text);
    previous = resource;
    entries.add(text);
    if (entries.size > MAX_FILTERED) return undefined;
  }
  const bytes = Buffer.alloc(entries.size * 2);
  let end = 0;
  for (const entry of entries) {
    const bits = fingerprint(entry);
    bytes[end++] = bits;
    bytes[end++] = bits >>> 8;
  }
  return FORM + bytes.toString('base64');
}

/** Returns false if a filter has neither the instance nor any instance of the resource or module at an address. */
export function mayContain(filter: string, address: string): boolean {
  if (!filter.startsWith(FORM)) return true;
  const bytes = Buffer.from(filter.slice(FORM.length), 'base64');
  const wanted = fingerprint(address);
  for (let at = 0; at + 1 < bytes.length; at += 2)
    if (bytes.readUInt16LE(at) === wanted) return true;
  return false;
}

/** Adds the address of a resource, and each part of it that ends before a dot or an index. */
function addPrefixes(entries: Set<string>, resource: string): void {
  for (const { index } of resource.matchAll(/[.[]/g)) entries.add(resource.slice(0, index));
  entries.add(resource);
}

/** The upper half of a product, in which texts that differ in one character do not have similar fingerprints. */
function fingerprint(text: string): number {
  return Math.imul(crc32(text), 0x9e3779b1) >>> 16;
}
