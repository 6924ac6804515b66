import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { EncryptionError } from '../failure.ts';
import {
  base64,
  bytesMember,
  type KeyProviderKind,
  metadataObject,
  MetadataError,
} from '../key-provider.ts';
import { count, keys, type Settings, text } from '../settings.ts';

const HASHES: ReadonlySet<string> = new Set(['sha256', 'sha512']);
const MIN_SECRET_LENGTH = 16;
const MIN_ITERATIONS = 200_000;

/** The longest key, in bytes; methods take 32 at most. */
const MAX_KEY_LENGTH = 64 * 1024;
/** The maximum number of hash rounds for a key: about half a minute. */
const MAX_ROUNDS = 50_000_000;
/** The minimum output size of the hash functions. Each part of a key of this size needs all iterations. */
const HASH_BYTES = 32;

const derive = promisify(pbkdf2);

/** Derives keys from a passphrase, or from the keys of another key provider, with a stored random salt. */
export const PBKDF2: KeyProviderKind = {
  shape: {
    arguments: [
      text('passphrase'),
      keys('chain'),
      count('key_length'),
      count('iterations'),
      text('hash_function'),
      count('salt_length'),
    ],
  },
  build(settings, { random }) {
    const { passphrase, chain, keyLength, iterations, saltLength, hashFunction } =
      checkedSettings(settings);
    return {
      keyLength,
      async provide() {
        const salt = random.bytes(saltLength);
        const secret = chain?.keys?.encryption ?? passphrase;
        return {
          key: await derive(secret, salt, iterations, keyLength, hashFunction),
          metadata: JSON.stringify({
            salt: base64(salt),
            iterations,
            hash_function: hashFunction,
            key_length: keyLength,
          }),
        };
      },
      async recover(metadata) {
        const storedMetadata = metadataObject(metadata);
        const salt = bytesMember(storedMetadata, 'salt');
        const iterationCount = wholeMember(storedMetadata, 'iterations');
        const length = wholeMember(storedMetadata, 'key_length');
        const hash = storedMetadata['hash_function'] ?? '';
        if (typeof hash !== 'string') throw new MetadataError('hash_function must be a string');
        if (salt.length === 0 || iterationCount === 0 || hash === '' || length === 0)
          return undefined;
        if (iterationCount < 0)
          throw new EncryptionError(`invalid number of iterations (${iterationCount})`);
        if (length < 0) throw new EncryptionError(`invalid key length (${length})`);
        if (!HASHES.has(hash)) {
          throw new EncryptionError(`invalid hash function name: ${wrongHash(hash)}`);
        }
        // The numbers come from the encrypted file, which is untrusted.
        requireAffordable(iterationCount, length);
        const secret = chain === undefined ? passphrase : (chain.keys?.decryption ?? '');
        return await derive(secret, salt, iterationCount, length, hash);
      },
    };
  },
};

interface Pbkdf2Settings {
  readonly passphrase: string;
  readonly chain: ReturnType<Settings['configuredKeys']>;
  readonly keyLength: number;
  readonly iterations: number;
  readonly saltLength: number;
  readonly hashFunction: string;
}

/** Reads and validates the settings. @throws EncryptionError */
function checkedSettings(settings: Settings): Pbkdf2Settings {
  const passphrase = settings.text('passphrase');
  const chain = settings.configuredKeys('chain');
  const keyLength = settings.number('key_length', 32);
  const iterations = settings.number('iterations', 600_000);
  const hashFunction = settings.value('hash_function')?.asString() ?? 'sha512';
  const saltLength = settings.number('salt_length', 32);
  if (passphrase === '' && chain === undefined) {
    throw new EncryptionError('no passphrase provided and no chained provider defined');
  }
  if (passphrase !== '' && chain !== undefined) {
    throw new EncryptionError('passphrase and chain are mutually exclusive');
  }
  if (chain?.keys !== undefined) checkChain(chain.keys.encryption, chain.keys.decryption);
  if (passphrase !== '' && Buffer.byteLength(passphrase) < MIN_SECRET_LENGTH) {
    throw new EncryptionError(`passphrase is too short (minimum ${MIN_SECRET_LENGTH} characters)`);
  }
  requireWhole(keyLength, 'key length');
  requireWhole(iterations, 'number of iterations');
  if (iterations < MIN_ITERATIONS) {
    throw new EncryptionError(
      `the number of iterations is dangerously low (<${MIN_ITERATIONS}), refusing to generate key`,
    );
  }
  requireWhole(saltLength, 'salt length');
  if (saltLength > MAX_KEY_LENGTH) {
    throw new EncryptionError(`the salt length must not be larger than ${MAX_KEY_LENGTH}`);
  }
  requireAffordable(iterations, keyLength);
  if (!HASHES.has(hashFunction))
    throw new EncryptionError(`invalid key provider configuration: ${wrongHash(hashFunction)}`);
  return { passphrase, chain, keyLength, iterations, saltLength, hashFunction };
}

/** Rejects a key whose derivation would take minutes, or all memory. @throws EncryptionError */
function requireAffordable(iterations: number, keyLength: number): void {
  if (keyLength > MAX_KEY_LENGTH) {
    throw new EncryptionError(
      `the key length ${keyLength} is larger than the limit of ${MAX_KEY_LENGTH} bytes`,
    );
  }
  const rounds = iterations * Math.ceil(keyLength / HASH_BYTES);
  if (rounds <= MAX_ROUNDS) return;
  throw new EncryptionError(
    `${iterations} iterations for a key of ${keyLength} bytes take longer than the limit of ${MAX_ROUNDS} rounds of the hash function`,
  );
}

function wrongHash(name: string): string {
  return name === '' ? 'please specify a hash function' : `invalid hash function name: ${name}`;
}

function checkChain(encryption: Uint8Array, decryption: Uint8Array | undefined): void {
  if (encryption.length === 0) {
    throw new EncryptionError('no encryption key provided from upstream key provider');
  }
  for (const [subject, key] of [
    ['encryption', encryption],
    ['decryption', decryption],
  ] as const) {
    if (key === undefined || key.length >= MIN_SECRET_LENGTH) continue;
    throw new EncryptionError(
      `upstream key provider supplied an ${subject} key that is too short (minimum ${MIN_SECRET_LENGTH} characters)`,
    );
  }
}

function requireWhole(n: number, subject: string): void {
  if (!Number.isSafeInteger(n) || n <= 0) {
    throw new EncryptionError(`the ${subject} must be larger than zero`);
  }
}

function wholeMember(storedMetadata: Readonly<Record<string, unknown>>, name: string): number {
  const value = storedMetadata[name] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new MetadataError(`${name} must be a whole number`);
  }
  return value;
}
