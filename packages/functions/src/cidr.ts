import {
  ArgumentError,
  BOOL,
  bool,
  CtyError,
  FALSE,
  STRING,
  list,
  numToInt,
  str,
} from '@terrane/cty';
import type { FunctionSpec, Value } from '@terrane/cty';
import {
  formatAddress,
  isMappedV4,
  parseAddress,
  parsePrefix,
  prefixText,
  type Prefix,
} from './ip-address.ts';
import { argument, define, numeric, STRINGS, text, wholeArgument, wholeBigInt } from './spec.ts';

function prefixArgument(args: readonly Value[]): Prefix {
  const cidr = argument(args, 0).asString();
  const prefix = parsePrefix(cidr);
  if (prefix === undefined) {
    throw new CtyError(`invalid CIDR expression: invalid CIDR address: ${cidr}`);
  }
  return prefix;
}

function bigArgument(args: readonly Value[], i: number): bigint {
  const integerValue = numToInt(argument(args, i).asNum());
  if (integerValue === undefined) throw new CtyError('value must be a whole number');
  return integerValue;
}

const UINT64 = 2n ** 64n;

function cidrHost(args: readonly Value[]): Value {
  const hostNumber = bigArgument(args, 1);
  const prefix = prefixArgument(args);
  const hostBits = BigInt(prefix.bits - prefix.length);
  const maxHostNumber = (1n << hostBits) - 1n;
  const number = hostNumber < 0n ? maxHostNumber + hostNumber + 1n : hostNumber;
  // Compares only the low 64 bits, as a signed number.
  const compared = hostNumber < 0n ? -hostNumber - 1n : BigInt.asIntN(64, hostNumber % UINT64);
  if (compared > maxHostNumber) {
    throw new CtyError(`prefix of ${prefix.length} does not accommodate a host numbered ${number}`);
  }
  // A host number in an IPv4 network is applied to the 32-bit part of an address.
  const shift = isMappedV4(prefix) ? 96n : 0n;
  const address = prefix.address | BigInt.asUintN(prefix.bits, number << shift);
  return str(formatAddress(address, prefix.bits));
}

function cidrSubnet(args: readonly Value[]): Value {
  const extension = wholeBigInt(argument(args, 1));
  const newBits = Number(extension);
  const number = bigArgument(args, 2);
  const prefix = prefixArgument(args);
  const length = prefix.length + newBits;
  if (length > prefix.bits) {
    throw new CtyError(
      `insufficient address space to extend prefix of ${prefix.length} by ${extension}`,
    );
  }
  const maxNumber = newBits >= 64 || newBits < 0 ? UINT64 - 1n : (1n << BigInt(newBits)) - 1n;
  if (BigInt.asUintN(64, number < 0n ? -number : number) > maxNumber) {
    throw new CtyError(
      `prefix extension of ${extension} does not accommodate a subnet numbered ${number}`,
    );
  }
  // A negative number reaches into the bits of the prefix; the rest of the sign is dropped.
  const joined = prefix.address | (number << BigInt(prefix.bits - length));
  const address = BigInt.asUintN(prefix.bits, joined < 0n ? -joined : joined);
  return str(prefixText({ address, length, bits: prefix.bits }));
}

function cidrNetmask(args: readonly Value[]): Value {
  const prefix = prefixArgument(args);
  if (prefix.bits === 128 && !isMappedV4(prefix)) {
    throw new CtyError(`IPv6 addresses cannot have a netmask: ${argument(args, 0).asString()}`);
  }
  return str(formatAddress(maskOf(prefix.length, prefix.bits), prefix.bits));
}

function maskOf(length: number, bits: number): bigint {
  return ((1n << BigInt(length)) - 1n) << BigInt(bits - length);
}

const PROTOCOL: Readonly<Record<number, string>> = { 32: 'IPv4', 128: 'IPv6' };

function cidrSubnets(args: readonly Value[]): Value {
  const cidr = argument(args, 0).asString();
  const prefix = parsePrefix(cidr);
  if (prefix === undefined) {
    throw new ArgumentError(0, `invalid CIDR expression: invalid CIDR address: ${cidr}`);
  }
  const { bits } = prefix;
  const end = prefix.address + (1n << BigInt(bits - prefix.length));
  let next = prefix.address;
  let previous: string | undefined;
  const subnets: Value[] = [];
  for (let i = 1; i < args.length; i++) {
    const extension = wholeArgument(args, i);
    if (extension < 1) throw new ArgumentError(i, 'must extend prefix by at least one bit');
    if (extension > 32 && bits === 32) {
      throw new ArgumentError(i, 'may not extend prefix by more than 32 bits');
    }
    const length = prefix.length + extension;
    if (length > bits) {
      throw new ArgumentError(
        i,
        `would extend prefix to ${length} bits, which is too long for an ${PROTOCOL[bits] ?? 'IP'} address`,
      );
    }
    const size = 1n << BigInt(bits - length);
    // The next subnet begins at a multiple of its size.
    const address = ((next + size - 1n) / size) * size;
    if (address + size > end) {
      throw new ArgumentError(
        i,
        `not enough remaining address space for a subnet with a prefix of ${length} bits after ${previous ?? prefixText(previousOf(prefix, length))}`,
      );
    }
    const subnet = { address, length, bits };
    previous = prefixText(subnet);
    next = address + size;
    subnets.push(str(previous));
  }
  return list(STRING, subnets);
}

/** OpenTofu's: whether an address, or all of a prefix, is in a prefix. */
function cidrContains(args: readonly Value[]): Value {
  const givenOuter = argument(args, 0).asString();
  const givenInner = argument(args, 1).asString();
  const outer = parsePrefix(givenOuter);
  if (outer === undefined) throw new CtyError(`invalid CIDR address: ${givenOuter}`);
  const inner = parseAddress(givenInner) ?? parsePrefix(givenInner);
  if (inner === undefined) throw new CtyError(`invalid IP address or prefix: ${givenInner}`);
  if (isV4(inner) !== isV4(outer)) {
    throw new CtyError(`address family mismatch: ${givenOuter} vs. ${givenInner}`);
  }
  const [network, first] = [outer, inner].map(asV6);
  if (network === undefined || first === undefined || first.length < network.length) {
    return FALSE;
  }
  const free = BigInt(128 - network.length);
  return bool(first.address >> free === network.address >> free);
}

const isV4 = (prefix: Prefix): boolean => prefix.bits === 32 || prefix.address >> 32n === 0xffffn;

/** Maps a network to IPv6, so that both notations of an IPv4 network compare equal. */
function asV6(prefix: Prefix): Prefix {
  if (prefix.bits === 128) return prefix;
  const { address, length } = prefix;
  return { address: (0xffffn << 32n) | address, length: length + 96, bits: 128 };
}

/** The subnet of that length just before a prefix. */
function previousOf(prefix: Prefix, length: number): Prefix {
  const { bits } = prefix;
  const last = BigInt.asUintN(bits, prefix.address - 1n);
  return { address: last & maskOf(length, bits), length, bits };
}

/** Functions on IP address prefixes. */
export const CIDR_FUNCTIONS: readonly FunctionSpec[] = [
  define('cidrcontains', {
    description: 'Whether a network contains an address or all of another network.',
    parameters: [text('containing_prefix'), text('contained_ip_or_prefix')],
    returns: BOOL,
    nullable: true,
    run: cidrContains,
  }),
  define('cidrhost', {
    description: 'The address of a host in a network, by its number.',
    parameters: [text('prefix'), numeric('hostnum')],
    returns: STRING,
    run: cidrHost,
  }),
  define('cidrnetmask', {
    description: 'The netmask of an IPv4 prefix.',
    parameters: [text('prefix')],
    returns: STRING,
    run: cidrNetmask,
  }),
  define('cidrsubnet', {
    description: 'A network within a network, by the bits it adds and its number.',
    parameters: [text('prefix'), numeric('newbits'), numeric('netnum')],
    returns: STRING,
    run: cidrSubnet,
  }),
  define('cidrsubnets', {
    description: 'Networks one after another within a network, by the bits they add.',
    parameters: [text('prefix')],
    variadic: numeric('newbits'),
    returns: STRINGS,
    run: cidrSubnets,
  }),
];
