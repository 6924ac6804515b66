// Encodes and decodes the parts of DER (X.690) that certificates need.

/** A DER element: its tag byte and content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** the complete element */
  readonly raw: Buffer;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  printable: 0x13,
  teletex: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
} as const;

/** Tag of a context-specific element; `constructed`: it holds other elements. */
export function contextTag(n: number, constructed: boolean): number {
  return 0x80 | (constructed ? 0x20 : 0) | n;
}

/** Encodes an element with a tag. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOctets(body.length), body]);
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | octets.length]), octets]);
}

export function sequence(...content: readonly Uint8Array[]): Buffer {
  return element(TAG.sequence, ...content);
}

/** Encodes a set, with its elements in DER order. */
export function setOf(...content: readonly Uint8Array[]): Buffer {
  return element(TAG.set, ...content.toSorted((a, b) => Buffer.compare(a, b)));
}

/** A non-negative integer. */
export function integer(n: bigint | number): Buffer {
  return element(TAG.integer, unsignedOctets(BigInt(n)));
}

/** The octets of a non-negative integer, with a zero in front where the first bit is set. */
export function unsignedOctets(n: bigint): Buffer {
  const hex = n.toString(16);
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return (octets[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), octets]) : octets;
}

export function octetString(content: Uint8Array): Buffer {
  return element(TAG.octetString, content);
}

/** A bit string of whole octets. */
export function bitString(content: Uint8Array): Buffer {
  return element(TAG.bitString, Buffer.from([0]), content);
}

export const TRUE_ELEMENT: Buffer = element(TAG.boolean, Buffer.from([0xff]));
export const NULL_ELEMENT: Buffer = element(TAG.null);

/** An object identifier in dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const octets = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (
      let remaining = Math.floor(arc / 128);
      remaining > 0;
      remaining = Math.floor(remaining / 128)
    ) {
      groups.unshift((remaining % 128) | 0x80);
    }
    return groups;
  });
  return element(TAG.oid, Buffer.from(octets));
}

/** A moment, to the second: UTCTime up to 2049, then GeneralizedTime. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  const year = date.getUTCFullYear();
  if (year >= 1950 && year < 2050) return element(TAG.utcTime, Buffer.from(digits.slice(2)));
  return element(TAG.generalizedTime, Buffer.from(digits));
}

/** Reads the element at the start of some bytes; throws if it is malformed. */
export function readElement(bytes: Buffer): DerElement {
  const tag = bytes[0];
  const first = bytes[1];
  if (tag === undefined || first === undefined) throw new Error('truncated DER element');
  const extra = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || extra > 4 || bytes.length < 2 + extra) throw new Error('bad DER length');
  const length = extra === 0 ? first : bytes.readUIntBE(2, extra);
  const start = 2 + extra;
  if (bytes.length < start + length) throw new Error('truncated DER element');
  const end = start + length;
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(0, end) };
}

/** Reads the elements inside another. */
export function readChildren(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const next = readElement(rest);
    elements.push(next);
    rest = rest.subarray(next.raw.length);
  }
  return elements;
}

/** An object identifier's dotted form. */
export function readOid(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const octet of content) {
    arc = arc * 128 + (octet & 0x7f);
    if ((octet & 0x80) !== 0) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}

/** A signed integer. */
export function readInteger(content: Buffer): bigint {
  const n = BigInt(`0x0${content.toString('hex')}`);
  return (content[0] ?? 0) >= 0x80 ? n - (1n << BigInt(content.length * 8)) : n;
}

/** The text of any of the string types. */
export function readText({ tag, content }: DerElement): string {
  if (tag !== TAG.bmp) return content.toString(tag === TAG.teletex ? 'latin1' : 'utf8');
  return Buffer.from(content).swap16().toString('utf16le');
}

/** The moment of a UTCTime or GeneralizedTime. */
export function readTime({ tag, content }: DerElement): Date {
  const text = content.toString('latin1');
  const short = Number(text.slice(0, 2));
  const full = tag === TAG.utcTime ? `${short >= 50 ? '19' : '20'}${text}` : text;
  const [, y, mo, d, h, mi, s = '00'] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?/.exec(full) ?? [];
  return new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
}
