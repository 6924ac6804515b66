/** A network: its first address, the number of fixed bits, and the number of bits of an address. */
export interface Prefix {
  readonly address: bigint;
  readonly length: number;
  readonly bits: 32 | 128;
}

/** Parses CIDR notation and clears the host bits; undefined for other input. */
export function parsePrefix(text: string): Prefix | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 || !/^[0-9]+$/.test(text.slice(slash + 1))) return undefined;
  const length = Number(text.slice(slash + 1));
  const v4 = parseIPv4(text.slice(0, slash));
  const address = v4 ?? parseIPv6(text.slice(0, slash));
  const bits = v4 === undefined ? 128 : 32;
  if (address === undefined || length > bits) return undefined;
  const free = BigInt(bits - length);
  return { address: (address >> free) << free, length, bits };
}

/** Parses a single address, as a network of this one address; undefined for other input. */
export function parseAddress(text: string): Prefix | undefined {
  const v4 = parseIPv4(text);
  if (v4 !== undefined) return { address: v4, length: 32, bits: 32 };
  const v6 = parseIPv6(text);
  return v6 === undefined ? undefined : { address: v6, length: 128, bits: 128 };
}

/** Formats a network in CIDR notation. */
export function prefixText(prefix: Prefix): string {
  // Go prints a network of IPv4-mapped IPv6 addresses as an IPv4 network.
  const length = isMappedV4(prefix) ? Math.max(0, prefix.length - 96) : prefix.length;
  return `${formatAddress(prefix.address, prefix.bits)}/${length}`;
}

/** Parses a dotted-quad address. Leading zeros are allowed, as Terraform parses addresses in the way of Go before 1.17. */
function parseIPv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let address = 0n;
  for (const part of parts) {
    if (!/^[0-9]+$/.test(part) || Number(part) > 255) return undefined;
    address = (address << 8n) | BigInt(Number(part));
  }
  return address;
}

function parseIPv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const first = parseGroups(head);
  const last = tail === undefined ? [] : parseGroups(tail);
  if (first === undefined || last === undefined) return undefined;
  const missing = 8 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...first, ...new Array<bigint>(missing).fill(0n), ...last];
  return groups.reduce((address, group) => (address << 16n) | group, 0n);
}

function parseGroups(text: string): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    if (part.includes('.')) {
      const v4 = i === parts.length - 1 ? parseIPv4(part) : undefined;
      if (v4 === undefined) return undefined;
      groups.push(v4 >> 16n, v4 & 0xffffn);
    } else if (/^[0-9a-fA-F]+$/.test(part) && Number.parseInt(part, 16) <= 0xffff) {
      groups.push(BigInt(`0x${part}`));
    } else return undefined;
  }
  return groups;
}

const MAPPED_V4 = 0xffffn;

/** Returns true if an IPv6 prefix contains only mapped IPv4 addresses: `::ffff:0:0/96` and narrower ones. */
export function isMappedV4(prefix: Prefix): boolean {
  return prefix.bits === 128 && prefix.address >> 32n === MAPPED_V4;
}

/** Formats an address as Go does: mapped IPv4 addresses as IPv4, the longest run of zero groups as "::". */
export function formatAddress(address: bigint, bits: 32 | 128): string {
  if (bits === 32 || address >> 32n === MAPPED_V4) {
    return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.');
  }
  const groups: bigint[] = [];
  for (let shift = 112n; shift >= 0n; shift -= 16n) groups.push((address >> shift) & 0xffffn);
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let j = i;
    while (j < 8 && groups[j] === 0n) j++;
    if (j - i > length) {
      start = i;
      length = j - i;
    }
    if (j > i) i = j;
  }
  const hex = groups.map((group) => group.toString(16));
  if (start < 0) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}
