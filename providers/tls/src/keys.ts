import { userErrorText } from '@terrane/host';
// outside-world: key generation uses the system's random numbers
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { NULL_ELEMENT, oid, sequence } from './der.ts';
import { readOpenSsh, sshPublicKey } from './openssh.ts';
import { decodePem, encodePem } from './pem.ts';

/** The algorithms of private keys. */
export type Algorithm = 'RSA' | 'ECDSA' | 'ED25519';

export const ALGORITHMS: readonly Algorithm[] = ['RSA', 'ECDSA', 'ED25519'];
export const CURVES: readonly string[] = ['P224', 'P256', 'P384', 'P521'];

const CURVE_NAMES: Readonly<Record<string, string>> = {
  P224: 'secp224r1',
  P256: 'prime256v1',
  P384: 'secp384r1',
  P521: 'secp521r1',
};

const generate = promisify(generateKeyPair);

/** Generates a private key, outside of the main thread; throws if that fails. */
export async function generateKey(
  algorithm: Algorithm,
  rsaBits: number,
  curve: string,
): Promise<KeyObject> {
  switch (algorithm) {
    case 'RSA': {
      if (rsaBits < 1024) {
        throw new Error(
          `crypto/rsa: ${rsaBits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`,
        );
      }
      return (await generate('rsa', { modulusLength: rsaBits })).privateKey;
    }
    case 'ECDSA': {
      const namedCurve = CURVE_NAMES[curve];
      if (namedCurve === undefined) {
        throw new Error(`invalid ECDSA curve; supported values are: [${CURVES.join(' ')}]`);
      }
      return (await generate('ec', { namedCurve })).privateKey;
    }
    case 'ED25519':
      return (await generate('ed25519', {})).privateKey;
  }
}

/** The algorithm of a key; throws for kinds that are not supported. */
export function algorithmOf(key: KeyObject): Algorithm {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return 'RSA';
    case 'ec':
      return 'ECDSA';
    case 'ed25519':
      return 'ED25519';
    default:
      throw new Error(`unsupported private key type: ${key.asymmetricKeyType}`);
  }
}

const ENCODINGS: Readonly<Record<string, 'pkcs1' | 'sec1' | 'pkcs8'>> = {
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
  'PRIVATE KEY': 'pkcs8',
};
const OTHER_PREAMBLES = ['PUBLIC KEY', 'CERTIFICATE', 'CERTIFICATE REQUEST'];

/** Parses a private key in PEM; throws if it is invalid. */
export function parseKeyPem(text: string): KeyObject {
  const block = decodePem(text);
  if (block === undefined) {
    const undecoded = Buffer.byteLength(text);
    throw new Error(`failed to decode PEM block: decoded bytes 0, undecoded ${undecoded}`);
  }
  const type = ENCODINGS[block.type];
  if (type === undefined) {
    throw new Error(
      OTHER_PREAMBLES.includes(block.type)
        ? `unable to determine parser for PEM preamble: ${block.type}`
        : `unsupported PEM preamble/type: ${block.type}`,
    );
  }
  try {
    return createPrivateKey({ key: block.bytes, format: 'der', type });
  } catch (cause) {
    const reason = userErrorText(cause);
    throw new Error(`failed to parse private key given PEM preamble '${block.type}': ${reason}`);
  }
}

/** Parses a private key in OpenSSH or PEM format; throws if it is invalid. */
export function parseKeyOpenSsh(text: string): KeyObject {
  try {
    const block = decodePem(text);
    if (block === undefined) throw new Error('ssh: no key found');
    return block.type === 'OPENSSH PRIVATE KEY' ? readOpenSsh(block.bytes) : parseKeyPem(text);
  } catch (cause) {
    const reason = userErrorText(cause);
    throw new Error(`failed to parse openssh private key: ${reason}`);
  }
}

/** A private key in its traditional PEM form. */
export function keyPem(key: KeyObject): string {
  const type = { RSA: 'pkcs1', ECDSA: 'sec1', ED25519: 'pkcs8' } as const;
  return key.export({ type: type[algorithmOf(key)], format: 'pem' }).toString();
}

/** A private key in PKCS #8 PEM form. */
export function keyPkcs8(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The public key's SubjectPublicKeyInfo in DER. */
export function publicInfo(key: KeyObject): Buffer {
  const publicKey = key.type === 'public' ? key : createPublicKey(key);
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** The arguments that hold a public key. */
export interface PublicKeyState {
  readonly public_key_pem: string;
  readonly public_key_openssh: string;
  readonly public_key_fingerprint_md5: string;
  readonly public_key_fingerprint_sha256: string;
}

/** The arguments that describe the public key of a private key. */
export function publicKeyState(key: KeyObject): PublicKeyState {
  const info = publicInfo(key);
  const blob = sshPublicKey(key);
  const md5 = blob && createHash('md5').update(blob.bytes).digest('hex');
  const sha256 = blob && createHash('sha256').update(blob.bytes).digest('base64');
  return {
    public_key_pem: encodePem('PUBLIC KEY', info),
    public_key_openssh: blob ? `${blob.name} ${blob.bytes.toString('base64')}\n` : '',
    public_key_fingerprint_md5: md5?.match(/../g)?.join(':') ?? '',
    public_key_fingerprint_sha256: sha256 ? `SHA256:${sha256.replace(/=+$/, '')}` : '',
  };
}

/** Returns the identifier of bytes: their SHA-1 without surrounding white space. */
export function stateHash(bytes: Buffer): string {
  const trimmed = bytes.toString('latin1').replace(/^[\t-\r ]+|[\t-\r ]+$/g, '');
  if (bytes.length === 0) return '';
  return createHash('sha1').update(Buffer.from(trimmed, 'latin1')).digest('hex');
}

/** Returns the signature algorithm of a key: the hash, and the algorithm identifier in DER. */
export function signature(key: KeyObject): {
  readonly identifier: Buffer;
  readonly of: (data: Buffer) => Buffer;
} {
  switch (algorithmOf(key)) {
    case 'RSA':
      return {
        identifier: sequence(oid('1.2.840.113549.1.1.11'), NULL_ELEMENT),
        of: (data) => sign('sha256', data, key),
      };
    case 'ED25519':
      return {
        identifier: sequence(oid('1.3.101.112')),
        of: (data) => sign(null, data, key),
      };
    case 'ECDSA': {
      const curve = key.asymmetricKeyDetails?.namedCurve;
      const [hash, dotted] =
        curve === 'secp384r1'
          ? ['sha384', '1.2.840.10045.4.3.3']
          : curve === 'secp521r1'
            ? ['sha512', '1.2.840.10045.4.3.4']
            : ['sha256', '1.2.840.10045.4.3.2'];
      return { identifier: sequence(oid(dotted)), of: (data) => sign(hash, data, key) };
    }
  }
}
