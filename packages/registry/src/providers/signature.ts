import { importOptional, userErrorText } from '@terrane/host';
import type { AuthenticationResult } from './authentication-result.ts';
import { HASHICORP_KEY, HASHICORP_PARTNERS_KEY } from './hashicorp-keys.ts';
import type * as OpenPgp from './libraries/openpgp.ts';

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
const PERMISSIVE: OpenPgp.PartialConfig = {
  rejectHashAlgorithms: new Set(),
  rejectMessageHashAlgorithms: new Set(),
  rejectPublicKeyAlgorithms: new Set(),
  rejectCurves: new Set(),
  minRSABits: 0,
};

/** The OpenPGP library and its configuration, which most runs do not need; loaded by {@link verifyRelease}. */
let openpgp: typeof OpenPgp;
let config: OpenPgp.Config;

async function loadLibrary(): Promise<void> {
  openpgp = await importOptional(
    'Verifying the signature of a provider',
    ['openpgp'],
    () => import('./libraries/openpgp.ts'),
  );
  config = { ...openpgp.config, ...PERMISSIVE };
}

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
  await loadLibrary();
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

/** Returns the ID of the one public key in ASCII armor; undefined if the text is not exactly one. */
export async function keyIdOf(asciiArmor: string): Promise<string | undefined> {
  await loadLibrary();
  try {
    const [key, ...others] = await readKeys(asciiArmor);
    if (key === undefined || others.length > 0 || key.isPrivate()) return undefined;
    return key.getKeyID().toHex().toUpperCase();
  } catch {
    return undefined;
  }
}

async function findSigner(
  document: Uint8Array,
  signature: Uint8Array,
  keys: readonly SigningKey[],
  when: Verification,
): Promise<{ signer: OpenPgp.PublicKey; key: SigningKey }> {
  let hasExpired = false;
  for (const key of keys) {
    let ring: OpenPgp.PublicKey[];
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

function readKeys(armoredKeys: string): Promise<OpenPgp.PublicKey[]> {
  return openpgp.readKeys({ armoredKeys, config });
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
  ring: readonly OpenPgp.PublicKey[],
  document: Uint8Array,
  signature: Uint8Array,
  when: Verification,
): Promise<OpenPgp.PublicKey> {
  for (const packet of await readSignatures(signature)) {
    const signer = await signerOf(ring, packet, when);
    if (signer === undefined) continue;
    await checkSignature(packet, signer.part, document);
    await checkTimes(packet, signer.key, when);
    return signer.key;
  }
  throw new UnknownIssuer();
}

async function readSignatures(bytes: Uint8Array): Promise<readonly OpenPgp.SignaturePacket[]> {
  const [first] = bytes;
  if (first === undefined) return [];
  if ((first & 0x80) === 0) {
    throw new Error('openpgp: invalid data: tag byte does not have MSB set');
  }
  try {
    const read = await openpgp.readSignature({ binarySignature: bytes, config });
    return read.packets;
  } catch (error) {
    throw new Error(`openpgp: invalid data: ${userErrorText(error)}`, { cause: error });
  }
}

interface SigningPart {
  readonly key: OpenPgp.PublicKey;
  /** the primary key, or a subkey */
  readonly part: OpenPgp.Key | OpenPgp.Subkey;
}

/** Returns the key and subkey of a signature; undefined if the ring has none that may sign. */
async function signerOf(
  ring: readonly OpenPgp.PublicKey[],
  packet: OpenPgp.SignaturePacket,
  when: Verification,
): Promise<SigningPart | undefined> {
  const issuer = packet.issuerKeyID;
  for (const key of ring) {
    if (key.getKeys(issuer).length === 0) continue;
    try {
      // Independent of the time: expired keys are handled later.
      return { key, part: await key.getSigningKey(issuer, null, undefined, config) };
    } catch {
      // The key is not allowed to sign, or no longer.
      await checkRevocation(key, when);
    }
  }
  return undefined;
}

async function checkSignature(
  packet: OpenPgp.SignaturePacket,
  { keyPacket }: OpenPgp.Key | OpenPgp.Subkey,
  document: Uint8Array,
): Promise<void> {
  const { packets } = await openpgp.createMessage({ binary: document });
  const [literal] = packets;
  if (literal === undefined) throw new Error('no message was made');
  const type = packet.signatureType ?? openpgp.enums.signature.binary;
  try {
    await packet.verify(keyPacket, type, literal, NO_TIME, true, config);
  } catch (error) {
    throw new Error(`openpgp: invalid signature: ${verificationError(packet, error)}`, {
      cause: error,
    });
  }
}

/** Formats a verification error as Terraform's library does. */
function verificationError(
  { publicKeyAlgorithm }: OpenPgp.SignaturePacket,
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
  packet: OpenPgp.SignaturePacket,
  key: OpenPgp.PublicKey,
  when: Verification,
): Promise<void> {
  await checkRevocation(key, when);
  // An expired key is accepted by default, and the expiry of its signature is not checked then: releases outlive keys.
  const expires = await key.getExpirationTime(undefined, config);
  if (expires instanceof Date && expires <= when.now) {
    if (when.expiredKeys === 'refused') throw new ExpiredKey();
    return;
  }
  const ends: unknown = packet.getExpirationTime();
  if (ends instanceof Date && ends <= when.now) throw new Error('openpgp: signature expired');
}

async function checkRevocation(key: OpenPgp.PublicKey, { now }: Verification): Promise<void> {
  if (await key.isRevoked(undefined, undefined, now, config)) {
    throw new Error('openpgp: signature made by revoked key');
  }
}
