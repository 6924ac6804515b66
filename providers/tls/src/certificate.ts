import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { encodeAlternativeNames } from './alternative-names.ts';
import type { AlternativeNames } from './alternative-names.ts';
import {
  bitString,
  contextTag,
  element,
  integer,
  octetString,
  oid,
  readChildren,
  readElement,
  sequence,
  TAG,
  time,
  TRUE_ELEMENT,
} from './der.ts';
import { EMPTY_NAME } from './distinguished-name.ts';
import { signature } from './keys.ts';
import { EXTENDED_USAGES, KEY_USAGES } from './usages.ts';

/** The object identifiers of extensions. */
export const EXTENSION = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedUsage: '2.5.29.37',
} as const;

/** The content of a certificate to create. */
export interface CertificateTemplate {
  readonly serial: bigint;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** names in DER */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER */
  readonly publicKey: Buffer;
  readonly names: AlternativeNames;
  /** Terraform's names of usages, of both kinds */
  readonly usages: readonly string[];
  readonly isAuthority: boolean;
  /** 0: no limit */
  readonly maxPathLength: number;
  readonly subjectKeyId: Buffer | undefined;
  readonly authorityKeyId: Buffer | undefined;
}

/** Creates a certificate in DER, signed with a key; throws if that fails. */
export function createCertificate(t: CertificateTemplate, signer: KeyObject): Buffer {
  if (!t.isAuthority && t.maxPathLength !== 0) {
    throw new Error('x509: only CAs are allowed to specify MaxPathLen');
  }
  const { identifier, of } = signature(signer);
  const version = element(contextTag(0, true), integer(2));
  const body = sequence(
    version,
    integer(t.serial),
    identifier,
    t.issuer,
    sequence(time(t.notBefore), time(t.notAfter)),
    t.subject,
    t.publicKey,
    element(contextTag(3, true), sequence(...extensions(t))),
  );
  return sequence(body, identifier, bitString(of(body)));
}

/** Encodes an extension in DER. */
export function extension(type: string, critical: boolean, value: Buffer): Buffer {
  const mark = critical ? [TRUE_ELEMENT] : [];
  return sequence(oid(type), ...mark, octetString(value));
}

function extensions(t: CertificateTemplate): readonly Buffer[] {
  const all: Buffer[] = [];
  const keyUsage = keyUsageBits(t.usages);
  if (keyUsage !== undefined) all.push(extension(EXTENSION.keyUsage, true, keyUsage));
  const extended = t.usages.flatMap((usage) => EXTENDED_USAGES[usage] ?? []);
  if (extended.length > 0) {
    all.push(extension(EXTENSION.extendedUsage, false, sequence(...extended.map(oid))));
  }
  const limit = t.maxPathLength > 0 ? [integer(t.maxPathLength)] : [];
  const constraints = sequence(...(t.isAuthority ? [TRUE_ELEMENT] : []), ...limit);
  all.push(extension(EXTENSION.basicConstraints, true, constraints));
  if (t.subjectKeyId) {
    all.push(extension(EXTENSION.subjectKeyId, false, octetString(t.subjectKeyId)));
  }
  if (t.authorityKeyId) {
    const id = sequence(element(contextTag(0, false), t.authorityKeyId));
    all.push(extension(EXTENSION.authorityKeyId, false, id));
  }
  const names = encodeAlternativeNames(t.names);
  // Without a subject these names are the only identity of the certificate.
  if (names) all.push(extension(EXTENSION.alternativeNames, t.subject.equals(EMPTY_NAME), names));
  return all;
}

/** The bits of the key usages, without trailing zeros. */
function keyUsageBits(usages: readonly string[]): Buffer | undefined {
  const bits = usages.flatMap((usage) => KEY_USAGES[usage] ?? []);
  if (bits.length === 0) return undefined;
  const highest = Math.max(...bits);
  const octets = Buffer.alloc(Math.floor(highest / 8) + 1);
  for (const bit of bits) {
    const at = Math.floor(bit / 8);
    octets[at] = (octets[at] ?? 0) | (0x80 >> (bit % 8));
  }
  return element(TAG.bitString, Buffer.from([7 - (highest % 8)]), octets);
}

/** Returns the SHA-1 subject key identifier; as in the published provider, Ed25519 keys are hashed as octet strings. */
export function subjectKeyIdOf(publicKey: Buffer): Buffer {
  const [algorithm, key] = readChildren(readElement(publicKey).content);
  const content = key?.content.subarray(1) ?? Buffer.alloc(0);
  const [type] = readChildren(algorithm?.content ?? Buffer.alloc(0));
  const ed25519 = type?.raw.equals(oid('1.3.101.112')) === true;
  return createHash('sha1')
    .update(ed25519 ? octetString(content) : content)
    .digest();
}
