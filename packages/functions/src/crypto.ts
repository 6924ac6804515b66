import {
  constants,
  createHash,
  createPrivateKey,
  privateDecrypt,
  type KeyObject,
} from 'node:crypto';
import { ArgumentError, CtyError, STRING, quoteText, str } from '@terrane/cty';
import type { FunctionSpec, Value } from '@terrane/cty';
import { decodeBase64 } from './encodings.ts';
import { argument, define, numeric, text, wholeNumber } from './spec.ts';
import { bcryptHash } from './bcrypt.ts';

/** The encoding of digests. */
export type DigestForm = 'hex' | 'base64';

/** Returns a digest of bytes in text form. */
export function digest(algorithm: string, form: DigestForm, bytes: string | Uint8Array): string {
  return createHash(algorithm).update(bytes).digest(form);
}

/**
 * Name, algorithm and form of the functions that digest strings; the names of their variants for files start with
 * "file".
 */
export const DIGESTS: readonly (readonly [name: string, algorithm: string, form: DigestForm])[] = [
  ['base64sha256', 'sha256', 'base64'],
  ['base64sha512', 'sha512', 'base64'],
  ['md5', 'md5', 'hex'],
  ['sha1', 'sha1', 'hex'],
  ['sha256', 'sha256', 'hex'],
  ['sha512', 'sha512', 'hex'],
];

const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['dns', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ['url', '6ba7b811-9dad-11d1-80b4-00c04fd430c8'],
  ['oid', '6ba7b812-9dad-11d1-80b4-00c04fd430c8'],
  ['x500', '6ba7b814-9dad-11d1-80b4-00c04fd430c8'],
]);

const UUID =
  /^(?:urn:uuid:)?\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}?$/i;

/** Returns the error of google/uuid for text that is not a UUID. */
function uuidFault(text: string): string {
  const length = Buffer.byteLength(text);
  if (length === 45 && !/^urn:uuid:/i.test(text)) {
    return `invalid urn prefix: ${quoteText(text.slice(0, 9))}`;
  }
  return [32, 36, 38, 45].includes(length)
    ? 'invalid UUID format'
    : `invalid UUID length: ${length}`;
}

function uuidV5(namespace: string, name: string): string {
  const wellKnownId = NAMESPACES.get(namespace) ?? UUID.exec(namespace)?.[1];
  const plain = wellKnownId ?? (/^[0-9a-f]{32}$/i.test(namespace) ? namespace : undefined);
  if (plain === undefined) {
    const reason = uuidFault(namespace);
    throw new CtyError(`uuidv5() doesn't support namespace ${namespace} (${reason})`);
  }
  const bytes = Buffer.concat([Buffer.from(plain.replaceAll('-', ''), 'hex'), Buffer.from(name)]);
  const hash = createHash('sha1').update(bytes).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function rsaDecrypt(args: readonly Value[]): Value {
  const cipherText = argument(args, 0).asString();
  const bytes = decodeBase64(cipherText);
  if (typeof bytes === 'number') {
    throw new ArgumentError(
      0,
      `failed to decode input ${quoteText(cipherText)}: cipher text must be base64-encoded`,
    );
  }
  const key = readKey(argument(args, 1).asString());
  try {
    return str(rsaUnpad(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, bytes)));
  } catch (error) {
    if (error instanceof CtyError) throw error;
    throw new CtyError('failed to decrypt: crypto/rsa: decryption error');
  }
}

/** Removes PKCS#1 v1.5 padding; implemented here because the platform rejects that padding. */
function rsaUnpad(padded: Uint8Array): string {
  const end = padded.indexOf(0, 2);
  if (padded[0] !== 0 || padded[1] !== 2 || end < 10) {
    throw new CtyError('failed to decrypt: crypto/rsa: decryption error');
  }
  return Buffer.from(padded.subarray(end + 1)).toString();
}

const KEY_LABELS: ReadonlySet<string> = new Set([
  'RSA PRIVATE KEY',
  'PRIVATE KEY',
  'EC PRIVATE KEY',
  'DSA PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
]);

function readKey(pem: string): KeyObject {
  if (!pem.includes('-----BEGIN')) {
    throw new ArgumentError(1, 'invalid private key: ssh: no key found');
  }
  const label = /-----BEGIN ([^-]*)-----/.exec(pem)?.[1] ?? '';
  if (!KEY_LABELS.has(label)) {
    throw new ArgumentError(
      1,
      `invalid private key: ssh: unsupported key type ${quoteText(label)}`,
    );
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    throw new ArgumentError(1, 'invalid private key: asn1: structure error');
  }
  throw new ArgumentError(1, 'invalid private key type');
}

/** Functions of digests, keys and identifiers; `randomBytes` salts passwords. */
export function cryptoFunctions(random: {
  bytes(n: number): Uint8Array;
  uuid(): string;
}): readonly FunctionSpec[] {
  return [
    ...DIGESTS.map(([name, algorithm, form]) =>
      define(name, {
        description: `The ${algorithm.toUpperCase()} digest of a text, in ${form === 'hex' ? 'hexadecimal digits' : 'Base64'}.`,
        parameters: [text('str')],
        returns: STRING,
        run: (args) => str(digest(algorithm, form, argument(args, 0).asString())),
      }),
    ),
    define('bcrypt', {
      description: 'A password hashed with bcrypt, at a cost; different each time.',
      parameters: [text('str')],
      variadic: numeric('cost'),
      returns: STRING,
      run: (args) => {
        const cost = args[1] === undefined ? 10 : wholeNumber(args[1]);
        if (args.length > 2) throw new CtyError('bcrypt() takes no more than two arguments');
        return str(bcryptHash(argument(args, 0).asString(), cost, random.bytes(16)));
      },
    }),
    define('rsadecrypt', {
      description: 'The text that was encrypted for the owner of a private RSA key.',
      parameters: [text('ciphertext'), text('privatekey')],
      returns: STRING,
      run: rsaDecrypt,
    }),
    define('uuid', {
      description: 'A random UUID.',
      returns: STRING,
      run: () => str(random.uuid()),
    }),
    define('uuidv5', {
      description: 'The UUID that a name has in a namespace.',
      parameters: [text('namespace'), text('name')],
      returns: STRING,
      run: (args) => str(uuidV5(argument(args, 0).asString(), argument(args, 1).asString())),
    }),
  ];
}
