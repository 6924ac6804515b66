// The part of `node:crypto` that the engine uses in a browser: digests and random bytes.
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { NotInBrowser } from '../not-in-browser.ts';

const ALGORITHMS = { md5, sha1, sha224, sha256, sha384, sha512 } as const;

/** A digest under construction, as `crypto.Hash`. */
class Hash {
  readonly #hash: ReturnType<(typeof ALGORITHMS)['sha256']['create']>;

  constructor(algorithm: string) {
    const known = ALGORITHMS[algorithm.toLowerCase().replace('-', '') as keyof typeof ALGORITHMS];
    if (known === undefined) throw new Error(`Digest method not supported: ${algorithm}`);
    // All of them have one interface.
    this.#hash = known.create() as ReturnType<(typeof ALGORITHMS)['sha256']['create']>;
  }

  update(data: string | Uint8Array, encoding?: BufferEncoding): this {
    this.#hash.update(typeof data === 'string' ? Buffer.from(data, encoding) : data);
    return this;
  }

  digest(encoding?: BufferEncoding): string | Buffer {
    const bytes = Buffer.from(this.#hash.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

/** Starts a digest. Throws for algorithms besides MD5, SHA-1 and SHA-2. */
export function createHash(algorithm: string): Hash {
  return new Hash(algorithm);
}

/** Returns random bytes, fit for secrets. */
export function randomBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  // Browsers return at most 64 KiB at once.
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
}

/** Returns a random UUID of version 4. */
export function randomUUID(): string {
  const hex = randomBytes(16);
  hex[6] = ((hex[6] ?? 0) & 0x0f) | 0x40;
  hex[8] = ((hex[8] ?? 0) & 0x3f) | 0x80;
  return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const unavailable = (): never => {
  throw new NotInBrowser('Private keys, signatures and certificates');
};

export const constants = { RSA_PKCS1_PADDING: 1 };
export const createCipheriv: () => never = unavailable;
export const createDecipheriv: () => never = unavailable;
export const createPrivateKey: () => never = unavailable;
export const createPublicKey: () => never = unavailable;
export const generateKeyPair: () => never = unavailable;
export const privateDecrypt: () => never = unavailable;
export const sign: () => never = unavailable;

/** Certificates cannot be read. */
export class X509Certificate {
  constructor() {
    unavailable();
  }
}
