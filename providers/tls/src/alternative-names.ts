// outside-world: only recognises IP addresses
import { isIPv4, isIPv6 } from 'node:net';
import { quoteText } from '@terrane/cty';
import { contextTag, element, readChildren, readElement, sequence } from './der.ts';

/** The subject alternative names of a certificate. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  /** 4 or 16 octets each */
  readonly addresses: readonly Buffer[];
  readonly uris: readonly string[];
}

const DNS = contextTag(2, false);
const URI = contextTag(6, false);
const ADDRESS = contextTag(7, false);

/** Encodes the value of the extension, undefined without names; throws for names that are not ASCII. */
export function encodeAlternativeNames(names: AlternativeNames): Buffer | undefined {
  const all = [
    ...names.dnsNames.map((name) => element(DNS, ascii(name))),
    ...names.addresses.map((address) => element(ADDRESS, address)),
    ...names.uris.map((uri) => element(URI, ascii(uri))),
  ];
  return all.length === 0 ? undefined : sequence(...all);
}

function ascii(text: string): Buffer {
  for (const char of text) {
    if (char <= '\u007f') continue;
    throw new Error(`x509: ${quoteText(text)} cannot be encoded as an IA5String`);
  }
  return Buffer.from(text);
}

/** Reads the value of the extension. */
export function decodeAlternativeNames(value: Buffer): AlternativeNames {
  const all = readChildren(readElement(value).content);
  const texts = (tag: number) =>
    all.filter((name) => name.tag === tag).map(({ content }) => content.toString('latin1'));
  return {
    dnsNames: texts(DNS),
    addresses: all.filter((name) => name.tag === ADDRESS).map(({ content }) => content),
    uris: texts(URI),
  };
}

/** Parses an IP address to octets, undefined if it is invalid. */
export function parseAddress(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // A final IPv4 address represents two groups.
  const plain = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = plain.split('::');
  const groups = (part: string | undefined) =>
    part === undefined || part === '' ? [] : part.split(':');
  const [first, last] = [groups(head), groups(tail)];
  const zeros = new Array<string>(8 - first.length - last.length).fill('0');
  const octets = Buffer.alloc(16);
  for (const [i, group] of [...first, ...zeros, ...last].entries()) {
    octets.writeUInt16BE(Number.parseInt(group, 16), i * 2);
  }
  const mapped = octets.subarray(0, 12).toString('hex') === '00000000000000000000ffff';
  return mapped ? octets.subarray(12) : octets;
}
