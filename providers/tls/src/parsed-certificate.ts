import { createHash, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { EXTENSION } from './certificate.ts';
import type { DerElement } from './der.ts';
import {
  contextTag,
  readChildren,
  readElement,
  readInteger,
  readOid,
  readTime,
  TAG,
} from './der.ts';

/** The content of a parsed certificate. */
export interface ParsedCertificate {
  readonly raw: Buffer;
  readonly version: number;
  readonly serial: bigint;
  readonly signatureAlgorithm: string;
  readonly publicKeyAlgorithm: string;
  readonly publicKey: KeyObject;
  /** names in DER: the elements of their sequences */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isAuthority: boolean;
  /** -1: no limit */
  readonly maxPathLength: number;
  readonly subjectKeyId: Buffer | undefined;
}

const SIGNATURES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.2': 'MD2-RSA',
  '1.2.840.113549.1.1.4': 'MD5-RSA',
  '1.2.840.113549.1.1.5': 'SHA1-RSA',
  '1.3.14.3.2.29': 'SHA1-RSA',
  '1.2.840.113549.1.1.11': 'SHA256-RSA',
  '1.2.840.113549.1.1.12': 'SHA384-RSA',
  '1.2.840.113549.1.1.13': 'SHA512-RSA',
  '1.2.840.10040.4.3': 'DSA-SHA1',
  '2.16.840.1.101.3.4.3.2': 'DSA-SHA256',
  '1.2.840.10045.4.1': 'ECDSA-SHA1',
  '1.2.840.10045.4.3.2': 'ECDSA-SHA256',
  '1.2.840.10045.4.3.3': 'ECDSA-SHA384',
  '1.2.840.10045.4.3.4': 'ECDSA-SHA512',
  '1.3.101.112': 'Ed25519',
};
const PSS = '1.2.840.113549.1.1.10';
const PSS_HASHES: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'SHA256-RSAPSS',
  '2.16.840.1.101.3.4.2.2': 'SHA384-RSAPSS',
  '2.16.840.1.101.3.4.2.3': 'SHA512-RSAPSS',
};
const PUBLIC_KEYS: Readonly<Record<string, string>> = {
  rsa: 'RSA',
  dsa: 'DSA',
  ec: 'ECDSA',
  ed25519: 'Ed25519',
};

const NOTHING = Buffer.alloc(0);

/** Parses a certificate in DER; throws if it is invalid. */
export function parseCertificate(bytes: Buffer): ParsedCertificate {
  const { publicKey } = new X509Certificate(bytes);
  const [body, algorithm] = readChildren(readElement(bytes).content);
  const fields = readChildren(body?.content ?? NOTHING);
  const hasVersion = fields[0]?.tag === contextTag(0, true);
  const [serial, , issuer, validity, subject] = fields.slice(hasVersion ? 1 : 0);
  const [notBefore, notAfter] = readChildren(validity?.content ?? NOTHING);
  if (!serial || !issuer || !subject || !notBefore || !notAfter) {
    throw new Error('x509: malformed certificate');
  }
  const extensions = readExtensions(fields);
  const [isAuthority, maxPathLength] = constraintsOf(extensions);
  const keyId = extensions.get(EXTENSION.subjectKeyId);
  return {
    raw: bytes,
    version: hasVersion
      ? Number(readInteger(readElement(fields[0]?.content ?? NOTHING).content)) + 1
      : 1,
    serial: readInteger(serial.content),
    signatureAlgorithm: signatureName(algorithm),
    publicKeyAlgorithm: PUBLIC_KEYS[publicKey.asymmetricKeyType ?? ''] ?? '0',
    publicKey,
    issuer: issuer.content,
    subject: subject.content,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    isAuthority,
    maxPathLength,
    subjectKeyId: keyId && readElement(keyId).content,
  };
}

function signatureName(algorithm: DerElement | undefined): string {
  const [type, parameters] = readChildren(algorithm?.content ?? NOTHING);
  const dotted = type ? readOid(type.content) : '';
  if (dotted !== PSS) return SIGNATURES[dotted] ?? '0';
  const [tagged] = readChildren(parameters?.content ?? NOTHING);
  const [hash] = readChildren(readElement(tagged?.content ?? NOTHING).content);
  return PSS_HASHES[hash ? readOid(hash.content) : ''] ?? '0';
}

function readExtensions(fields: readonly DerElement[]): ReadonlyMap<string, Buffer> {
  const extensions = new Map<string, Buffer>();
  const holder = fields.find(({ tag }) => tag === contextTag(3, true));
  const [list] = readChildren(holder?.content ?? NOTHING);
  for (const extension of readChildren(list?.content ?? NOTHING)) {
    const parts = readChildren(extension.content);
    const [type, value] = [parts[0], parts.at(-1)];
    if (type && value) extensions.set(readOid(type.content), value.content);
  }
  return extensions;
}

function constraintsOf(extensions: ReadonlyMap<string, Buffer>): readonly [boolean, number] {
  const value = extensions.get(EXTENSION.basicConstraints);
  if (value === undefined) return [false, 0];
  const parts = readChildren(readElement(value).content);
  const flag = parts.find(({ tag }) => tag === TAG.boolean);
  const limit = parts.find(({ tag }) => tag === TAG.integer);
  return [(flag?.content[0] ?? 0) !== 0, limit ? Number(readInteger(limit.content)) : -1];
}

/** The fingerprint that browsers show. */
export function fingerprint({ raw }: ParsedCertificate): string {
  return createHash('sha1').update(raw).digest('hex');
}
