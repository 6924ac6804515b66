import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  timingSafeEqual,
} from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Random } from '@terrane/host';
import type { Database } from '../database/database.ts';

/** Encrypts the data key of the installation. Implemented by the key providers of `@terrane/encryption`. */
export interface KeyWrapper {
  encode(key: Uint8Array): Promise<Uint8Array>;
  decode(wrapped: Uint8Array, isKey: (bytes: Uint8Array) => boolean): Promise<Uint8Array>;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const [PLAIN, COMPRESSED] = [0, 1];
/** Smaller contents are not worth compressing. */
const COMPRESSED_FROM = 1024;

/**
 * Encrypts everything in the database that may hold secrets, with AES-256-GCM and a data key. The data key is stored
 * encrypted by the key provider of the installation, so that a rotation of that key rewrites one row.
 */
export class Sealing {
  readonly #random: Random;
  readonly #dataKey: Buffer;
  readonly #signingKey: Buffer;

  constructor(random: Random, key: Uint8Array) {
    this.#random = random;
    this.#dataKey = createHmac('sha256', key).update('terrane-server data').digest();
    this.#signingKey = createHmac('sha256', key).update('terrane-server signatures').digest();
  }

  /** Encrypts a content. `subject` names the object that it belongs to, and is authenticated. */
  seal(content: Uint8Array | string, subject: string): Buffer {
    const bytes = Buffer.from(content);
    const isCompressed = bytes.length >= COMPRESSED_FROM;
    const nonce = Buffer.from(this.#random.bytes(NONCE_BYTES));
    const cipher = createCipheriv('aes-256-gcm', this.#dataKey, nonce);
    cipher.setAAD(Buffer.from(subject));
    const body = isCompressed ? gzipSync(bytes, { level: 1 }) : bytes;
    const sealed = Buffer.concat([
      cipher.update(Buffer.of(isCompressed ? COMPRESSED : PLAIN)),
      cipher.update(body),
      cipher.final(),
    ]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
  }

  /** Decrypts a content. Throws if it was changed, or belongs to another object. */
  open(sealed: Uint8Array, subject: string): Buffer {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', this.#dataKey, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(subject));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
    const body = plain.subarray(1);
    return plain[0] === COMPRESSED ? gunzipSync(body) : body;
  }

  /** Signs a text for a URL. */
  sign(text: string): string {
    return createHmac('sha256', this.#signingKey).update(text).digest('base64url');
  }

  isSigned(text: string, signature: string): boolean {
    const [expected, actual] = [Buffer.from(this.sign(text)), Buffer.from(signature)];
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }
}

/** Opens the data key of a database; creates it for a new one. */
export async function openSealing(
  db: Database,
  random: Random,
  wrapper: KeyWrapper,
): Promise<Sealing> {
  const isKey = (bytes: Uint8Array): boolean => bytes.length === KEY_BYTES;
  const read = async (): Promise<Uint8Array | undefined> =>
    (
      await db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', 'data-key')
        .executeTakeFirst()
    )?.value;
  const existing = await read();
  if (existing !== undefined) return new Sealing(random, await wrapper.decode(existing, isKey));
  const value = Buffer.from(await wrapper.encode(random.bytes(KEY_BYTES)));
  await db
    .insertInto('settings')
    .values({ name: 'data-key', value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another server may have been first.
  const stored = await read();
  if (stored === undefined) throw new Error('The data key of the server could not be stored.');
  return new Sealing(random, await wrapper.decode(stored, isKey));
}

/** The hash of a token, as stored. Tokens are random, so that a plain hash cannot be guessed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
