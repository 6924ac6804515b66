import { userErrorText } from '@terrane/host';
import * as openpgp from 'openpgp';
import type { AuthenticationResult } from './authentication-result.ts';
import { HASHICORP_KEY, HASHICORP_PARTNERS_KEY } from './hashicorp-keys.ts';

/** A key that signs packages, and HashiCorp's signature of it; both in ASCII armor. */
export interface SigningKey {
  readonly asciiArmor: string;
  /** empty: none */
  readonly trustSignature: string;
}

/**
 * Accepts the keys and signatures that Terraform accepts, including older ones: its OpenPGP library does not reject
 * weak algorithms.
 */
const CONFIG: openpgp.Config = {
  ...openpgp.config,
  rejectHashAlgorithms: new Set(),
  rejectMessageHashAlgorithms: new Set(),
  rejectPublicKeyAlgorithms: new Set(),
  rejectCurves: new Set(),
  minRSABits: 0,
};

// Disables the check of times in the library; its types omit this value.
const NO_TIME = null as unknown as Date;

/** Options of signature verification. */
export interface Verification {
  readonly now: Date;
  /** treatment of signatures by keys that have expired since */
  readonly expiredKeys: 'accepted' | 'refused';
}

/** The error for a signature whose issuer is not among the keys. */
class UnknownIssuer extends Error {
  constructor() {
    super('openpgp: signature made by unknown entity');
  }
}

/** The issuer has expired; another key of the registry may have signed as well. */
class ExpiredKey extends Error {
  constructor() {
    super('openpgp: key expired');
  }
}

/**
 * Verifies the signature of a checksum list with the keys of its registry, and returns the signer. Rejects if none of
 * them signed it, or the signature is invalid; an expired key is accepted, as in Terraform, unless `when` changes that.
 */
export async function verifyRelease(
  document: Uint8Array,
  signature: Uint8Array,
  keys: readonly SigningKey[],
  when: Verification,
): Promise<AuthenticationResult> {
  const { signer, key } = await findSigner(document, signature, keys, when);
  const keyId = signer.getKeyID().toHex().toUpperCase();
  if (await isSignedBy(HASHICORP_KEY, document, signature, when))
    return { kind: 'official', keyId };
  if (key.trustSignature === '') return { kind: 'community', keyId };
  let authorKey: Uint8Array;
  let trust: Uint8Array;
  try {
    authorKey = await unarmored(key.asciiArmor);
  } catch (error) {
    throw new Error(`error decoding signing key: ${armorError(key.asciiArmor, error)}`, {
      cause: error,
    });
  }
  try {
    trust = await unarmored(key.trustSignature);
  } catch (error) {
    throw new Error(`error decoding trust signature: ${armorError(key.trustSignature, error)}`, {
      cause: error,
    });
  }
  try {
    await verify(await readKeys(HASHICORP_PARTNERS_KEY), authorKey, trust, when);
  } catch (error) {
    throw new Error(`error verifying trust signature: ${userErrorText(error)}`, { cause: error });
  }
  return { kind: 'partner', keyId };
}

async function findSigner(
  document: Uint8Array,
  signature: Uint8Array,
  keys: readonly SigningKey[],
  when: Verification,
): Promise<{ signer: openpgp.PublicKey; key: SigningKey }> {
  let hasExpired = false;
  for (const key of keys) {
    let ring: openpgp.PublicKey[];
    try {
      ring = await readKeys(key.asciiArmor);
    } catch (error) {
      throw new Error(`error decoding signing key: ${armorError(key.asciiArmor, error)}`, {
        cause: error,
      });
    }
    try {
      return { signer: await verify(ring, document, signature, when), key };
    } catch (error) {
      if (error instanceof ExpiredKey) hasExpired = true;
      if (error instanceof UnknownIssuer || error instanceof ExpiredKey) continue;
      throw new Error(`error checking signature: ${userErrorText(error)}`, { cause: error });
    }
  }
  throw new Error(
    hasExpired
      ? 'the key that signed the release has expired, which OPENTOFU_ENFORCE_GPG_EXPIRATION=true refuses'
      : 'authentication signature from unknown issuer',
  );
}

async function isSignedBy(
  armoredKey: string,
  document: Uint8Array,
  signature: Uint8Array,
  when: Verification,
): Promise<boolean> {
  const ring = await readKeys(armoredKey);
  try {
    await verify(ring, document, signature, when);
    return true;
  } catch {
    return false;
  }
}

function readKeys(armoredKeys: string): Promise<openpgp.PublicKey[]> {
  return openpgp.readKeys({ armoredKeys, config: CONFIG });
}

function armorError(text: string, error: unknown): string {
  return text.includes('-----BEGIN')
    ? `openpgp: invalid data: ${userErrorText(error)}`
    : 'openpgp: invalid argument: no armored data found';
}

/** The bytes within ASCII armor. */
async function unarmored(text: string): Promise<Uint8Array> {
  const { data } = await openpgp.unarmor(text);
  // The types do not distinguish bytes from a stream.
  const bytes: unknown = data;
  if (bytes instanceof Uint8Array) return bytes;
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes as AsyncIterable<Uint8Array>) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns the signer among the keys of a key ring; throws if there is none or the signature is invalid. */
async function verify(
  ring: readonly openpgp.PublicKey[],
  document: Uint8Array,
  signature: Uint8Array,
  when: Verification,
): Promise<openpgp.PublicKey> {
  for (const packet of await readSignatures(signature)) {
    const signer = await signerOf(ring, packet, when);
    if (signer === undefined) continue;
    await checkSignature(packet, signer.part, document);
    await checkTimes(packet, signer.key, when);
    return signer.key;
  }
  throw new UnknownIssuer();
}

async function readSignatures(bytes: Uint8Array): Promise<readonly openpgp.SignaturePacket[]> {
  const [first] = bytes;
  if (first === undefined) return [];
  if ((first & 0x80) === 0) {
    throw new Error('openpgp: invalid data: tag byte does not have MSB set');
  }
  try {
    const read = await openpgp.readSignature({ binarySignature: bytes, config: CONFIG });
    return read.packets;
  } catch (error) {
    throw new Error(`openpgp: invalid data: ${userErrorText(error)}`, { cause: error });
  }
}

interface SigningPart {
  readonly key: openpgp.PublicKey;
  /** the primary key, or a subkey */
  readonly part: openpgp.Key | openpgp.Subkey;
}

/** Returns the key and subkey of a signature; undefined if the ring has none that may sign. */
async function signerOf(
  ring: readonly openpgp.PublicKey[],
  packet: openpgp.SignaturePacket,
  when: Verification,
): Promise<SigningPart | undefined> {
  const issuer = packet.issuerKeyID;
  for (const key of ring) {
    if (key.getKeys(issuer).length === 0) continue;
    try {
      // Independent of the time: expired keys are handled later.
      return { key, part: await key.getSigningKey(issuer, null, undefined, CONFIG) };
    } catch {
      // The key is not allowed to sign, or no longer.
      await checkRevocation(key, when);
    }
  }
  return undefined;
}

async function checkSignature(
  packet: openpgp.SignaturePacket,
  { keyPacket }: openpgp.Key | openpgp.Subkey,
  document: Uint8Array,
): Promise<void> {
  const { packets } = await openpgp.createMessage({ binary: document });
  const [literal] = packets;
  if (literal === undefined) throw new Error('no message was made');
  const type = packet.signatureType ?? openpgp.enums.signature.binary;
  try {
    await packet.verify(keyPacket, type, literal, NO_TIME, true, CONFIG);
  } catch (error) {
    throw new Error(`openpgp: invalid signature: ${verificationError(packet, error)}`, {
      cause: error,
    });
  }
}

/** Formats a verification error as Terraform's library does. */
function verificationError(
  { publicKeyAlgorithm }: openpgp.SignaturePacket,
  error: unknown,
): string {
  const text = userErrorText(error);
  if (text !== 'Signature verification failed' && text !== 'Signed digest did not match')
    return text;
  const { publicKey } = openpgp.enums;
  switch (publicKeyAlgorithm) {
    case publicKey.rsaEncryptSign:
    case publicKey.rsaSign:
      return 'RSA verification failure';
    case publicKey.dsa:
      return 'DSA verification failure';
    case publicKey.ecdsa:
      return 'ECDSA verification failure';
    default:
      return 'EdDSA verification failure';
  }
}

async function checkTimes(
  packet: openpgp.SignaturePacket,
  key: openpgp.PublicKey,
  when: Verification,
): Promise<void> {
  await checkRevocation(key, when);
  // An expired key is accepted, but not one with other errors of validity: releases outlive their keys.
  const expires = await key.getExpirationTime(undefined, CONFIG);
  if (expires instanceof Date && expires <= when.now) {
    if (when.expiredKeys === 'refused') throw new ExpiredKey();
    return;
  }
  const ends: unknown = packet.getExpirationTime();
  if (ends instanceof Date && ends <= when.now) throw new Error('openpgp: signature expired');
}

async function checkRevocation(key: openpgp.PublicKey, { now }: Verification): Promise<void> {
  if (await key.isRevoked(undefined, undefined, now, CONFIG)) {
    throw new Error('openpgp: signature made by revoked key');
  }
}
