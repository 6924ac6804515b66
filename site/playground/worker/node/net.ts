// The part of `node:net` that the engine uses in a browser: the syntax of addresses.

/** Returns true for an IPv4 address in dotted decimal notation without leading zeros. */
export function isIPv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** Returns true for an IPv6 address, with or without a zone. */
export function isIPv6(text: string): boolean {
  const [address = ''] = text.split('%');
  if (!/^[\da-fA-F:.]+$/.test(address)) return false;
  try {
    return new URL(`ws://[${address}]`).hostname !== '';
  } catch {
    return false;
  }
}

/** Returns 4 or 6 for an address, otherwise 0. */
export function isIP(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

/** A list of addresses without a proxy. There is no network, so it is never asked. */
export class BlockList {
  addSubnet(): void {}
  addAddress(): void {}
  check(): boolean {
    return false;
  }
}
