import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { quoteText } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import { decodeAlternativeNames, encodeAlternativeNames } from './alternative-names.ts';
import type { AlternativeNames } from './alternative-names.ts';
import { EXTENSION, extension } from './certificate.ts';
import {
  bitString,
  contextTag,
  element,
  integer,
  oid,
  readChildren,
  readElement,
  readOid,
  sequence,
  setOf,
} from './der.ts';
import { publicInfo, signature } from './keys.ts';
import { decodePem } from './pem.ts';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const NO_NAMES: AlternativeNames = { dnsNames: [], addresses: [], uris: [] };

/** Creates a certificate request (PKCS #10) in DER; throws if that fails. */
export function createRequest(subject: Buffer, names: AlternativeNames, key: KeyObject): Buffer {
  const { identifier, of } = signature(key);
  const value = encodeAlternativeNames(names);
  const extensionRequest = value && sequence(extension(EXTENSION.alternativeNames, false, value));
  const attributes = extensionRequest
    ? [sequence(oid(EXTENSION_REQUEST), setOf(extensionRequest))]
    : [];
  const body = sequence(
    integer(0),
    subject,
    publicInfo(key),
    element(contextTag(0, true), ...attributes),
  );
  return sequence(body, identifier, bitString(of(body)));
}

/** The content of a certificate request. */
export interface CertificateRequest {
  /** name in DER */
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER */
  readonly publicKey: Buffer;
  readonly names: AlternativeNames;
}

/** Parses a certificate request in PEM; throws if it is invalid. */
export function parseRequestPem(text: string): CertificateRequest {
  const bytes = expectPem(text, 'CERTIFICATE REQUEST');
  try {
    const [body] = readChildren(readElement(bytes).content);
    const [, subject, publicKey, attributes] = readChildren(body?.content ?? Buffer.alloc(0));
    if (!subject || !publicKey) throw new Error('asn1: structure error');
    // Rejects invalid keys.
    createPublicKey({ key: publicKey.raw, format: 'der', type: 'spki' });
    const names = requestedNames(attributes?.content ?? Buffer.alloc(0));
    return { subject: subject.content, publicKey: publicKey.raw, names };
  } catch (cause) {
    const reason = userErrorText(cause);
    throw new Error(`failed to parse certificate request: ${reason}`);
  }
}

/** The bytes of the first PEM block of a text, which has to be of a type. */
export function expectPem(text: string, type: string): Buffer {
  const block = decodePem(text);
  if (block === undefined) {
    throw new Error(`failed to decode PEM of expected type ${quoteText(type)} from bytes`);
  }
  if (block.type === type) return block.bytes;
  const got = `expected ${quoteText(type)}, got ${quoteText(block.type)}`;
  throw new Error(`invalid PEM type - ${got}`);
}

function requestedNames(attributes: Buffer): AlternativeNames {
  for (const attribute of readChildren(attributes)) {
    const [type, values] = readChildren(attribute.content);
    if (!type || !values || readOid(type.content) !== EXTENSION_REQUEST) continue;
    const [extensions] = readChildren(values.content);
    for (const extension of readChildren(extensions?.content ?? Buffer.alloc(0))) {
      const parts = readChildren(extension.content);
      const [name, value] = [parts[0], parts.at(-1)];
      if (!name || !value || readOid(name.content) !== EXTENSION.alternativeNames) continue;
      return decodeAlternativeNames(value.content);
    }
  }
  return NO_NAMES;
}
