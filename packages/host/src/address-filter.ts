import { BlockList, isIP } from 'node:net';

/** Networks that are not on the internet (IANA special-purpose registries), and those that contain IPv4 addresses. */
const SPECIAL: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Returns true for an address or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/**
 * Returns a filter of destinations for requests that users configure: addresses of the internet, and those
 * in the `allowed` networks. Throws if a network is invalid.
 */
export function addressFilter(allowed: readonly string[] = []): (address: string) => boolean {
  const [forbidden, permitted] = [blockList(SPECIAL), blockList(allowed)];
  return (address) => {
    // IPv4-mapped IPv6 addresses are filtered as IPv4 addresses.
    const plain = mappedAddress(address) ?? address;
    const version = isIP(plain);
    if (version === 0) return false;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    return permitted.check(plain, family) || !forbidden.check(plain, family);
  };
}

function mappedAddress(address: string): string | undefined {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const match = /^(?:::|0:0:0:0:0:)ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (match === null) return undefined;
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of networks) {
    const network = parseNetwork(each);
    if (network === undefined) throw new Error(`${JSON.stringify(each)} is not a network.`);
    list.addSubnet(network.address, network.bits, network.family);
  }
  return list;
}

function parseNetwork(text: string) {
  const [address = '', bits] = text.split('/');
  const version = isIP(address);
  const maxBits = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : maxBits + 1;
  if (version === 0 || prefix > maxBits) return undefined;
  return { address, bits: prefix, family: version === 6 ? 'ipv6' : 'ipv4' } as const;
}
