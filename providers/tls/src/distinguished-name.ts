import type { DerElement } from './der.ts';
import {
  element,
  oid,
  readChildren,
  readElement,
  readOid,
  readText,
  sequence,
  setOf,
  TAG,
} from './der.ts';

/** The parts of a name, as Go's `pkix.Name`: several values of a part share one set. */
export interface DistinguishedName {
  readonly country?: readonly string[];
  readonly organization?: readonly string[];
  readonly organizationalUnit?: readonly string[];
  readonly locality?: readonly string[];
  readonly province?: readonly string[];
  readonly streetAddress?: readonly string[];
  readonly postalCode?: readonly string[];
  readonly commonName?: string;
  readonly serialNumber?: string;
  readonly emailAddress?: string;
}

type ListPart =
  | 'country'
  | 'organization'
  | 'organizationalUnit'
  | 'locality'
  | 'province'
  | 'streetAddress'
  | 'postalCode';

/** Attributes of a name in encoding order. */
const LIST_PARTS: readonly (readonly [ListPart, string])[] = [
  ['country', '2.5.4.6'],
  ['province', '2.5.4.8'],
  ['locality', '2.5.4.7'],
  ['streetAddress', '2.5.4.9'],
  ['postalCode', '2.5.4.17'],
  ['organization', '2.5.4.10'],
  ['organizationalUnit', '2.5.4.11'],
];
const COMMON_NAME = '2.5.4.3';
const SERIAL_NUMBER = '2.5.4.5';
const EMAIL = '1.2.840.113549.1.9.1';

/** The encoding of a name without parts. */
export const EMPTY_NAME: Buffer = sequence();

/** A name in DER. */
export function encodeName(name: DistinguishedName): Buffer {
  const sets: Buffer[] = [];
  const add = (type: string, values: readonly string[], tag?: number) => {
    if (values.length === 0) return;
    sets.push(setOf(...values.map((value) => sequence(oid(type), encodeText(value, tag)))));
  };
  for (const [part, type] of LIST_PARTS) add(type, name[part] ?? []);
  if (name.commonName !== undefined && name.commonName !== '') {
    add(COMMON_NAME, [name.commonName]);
  }
  if (name.serialNumber !== undefined && name.serialNumber !== '') {
    add(SERIAL_NUMBER, [name.serialNumber]);
  }
  if (name.emailAddress !== undefined) add(EMAIL, [name.emailAddress], TAG.ia5);
  return sequence(...sets);
}

function encodeText(text: string, tag?: number): Buffer {
  const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);
  return element(tag ?? (printable ? TAG.printable : TAG.utf8), Buffer.from(text));
}

/** A part of a parsed name. */
export interface NamePart {
  readonly type: string;
  readonly value: DerElement;
}

/** The parts of a name, set by set. */
export function readName(name: Buffer): readonly (readonly NamePart[])[] {
  return readChildren(name).map((set) =>
    readChildren(set.content).flatMap((pair): readonly NamePart[] => {
      const [type, value] = readChildren(pair.content);
      return type && value ? [{ type: readOid(type.content), value }] : [];
    }),
  );
}

/** Returns the parts of a name that Go supports, without others, such as e-mail addresses. */
export function knownParts(name: Buffer): DistinguishedName {
  const parts = readName(name).flat();
  const texts = (type: string) =>
    parts.filter((part) => part.type === type).map(({ value }) => readText(value));
  const known: { -readonly [K in keyof DistinguishedName]: DistinguishedName[K] } = {};
  for (const [part, type] of LIST_PARTS) known[part] = texts(type);
  const [commonName, serialNumber] = [texts(COMMON_NAME).at(-1), texts(SERIAL_NUMBER).at(-1)];
  if (commonName !== undefined) known.commonName = commonName;
  if (serialNumber !== undefined) known.serialNumber = serialNumber;
  return known;
}

const SHORT_NAMES: Readonly<Record<string, string>> = {
  '2.5.4.6': 'C',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.3': 'CN',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.17': 'POSTALCODE',
};

/** A name as text, last part first (RFC 2253, as Go writes it). */
export function nameText(name: Buffer): string {
  const others = readName(name)
    .flat()
    .filter(({ type }) => SHORT_NAMES[type] === undefined)
    .map((part) => [part]);
  const known = readName(readElement(encodeName(knownParts(name))).content);
  return [...others, ...known]
    .toReversed()
    .map((set) => set.map(partText).join('+'))
    .join(',');
}

function partText({ type, value }: NamePart): string {
  const short = SHORT_NAMES[type];
  const text = readText(value);
  if (short === undefined) return `${type}=#${encodeText(text).toString('hex')}`;
  const characters = [...text];
  const escaped = characters.map((char, i) => {
    const edge = char === ' ' && (i === 0 || i === characters.length - 1);
    return edge || (char === '#' && i === 0) || ',+"\\<>;'.includes(char) ? `\\${char}` : char;
  });
  return `${short}=${escaped.join('')}`;
}
