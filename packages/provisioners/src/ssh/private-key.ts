import { createPrivateKey, type KeyObject } from 'node:crypto';
import { quoteText } from '@terrane/cty';
import ssh2 from 'ssh2';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\s*\n([\s\S]*?)-----END \1-----/;
const LINE = 64;

/**
 * Converts a private key to a format that the SSH library reads. Throws Terraform's errors for unusable keys, without
 * disclosing the key.
 */
export function readPrivateKey(text: string): string {
  const match = BLOCK.exec(text.replaceAll('\r\n', '\n'));
  if (match === null) throw new Error('Failed to read ssh private key: no key found');
  const [, label = '', content = ''] = match;
  if (/^\s*Proc-Type: 4,ENCRYPTED$/m.test(content)) {
    throw new Error(
      'Failed to read ssh private key: password protected keys are\n' +
        'not supported. Please decrypt the key prior to use.',
    );
  }
  const key = label === 'PRIVATE KEY' ? fromPkcs8(content) : pem(label, body(content));
  if (!KINDS.has(label)) throw unreadable(`ssh: unsupported key type ${quoteText(label)}`);
  const parsed = ssh2.utils.parseKey(key);
  if (!(parsed instanceof Error)) return key;
  throw unreadable(
    parsed.message.includes('no passphrase given')
      ? 'ssh: this private key is passphrase protected'
      : parsed.message,
  );
}

const KINDS: ReadonlySet<string> = new Set([
  'RSA PRIVATE KEY',
  'PRIVATE KEY',
  'EC PRIVATE KEY',
  'DSA PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
]);

function unreadable(reason: string): Error {
  return new Error(`Failed to parse ssh private key: ${reason}`);
}

function body(content: string): string {
  return content.replaceAll(/\s/g, '');
}

function pem(label: string, base64: string): string {
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** Converts a PKCS #8 key, which the library does not support, to PKCS #1, SEC 1 or the OpenSSH format. */
function fromPkcs8(content: string): string {
  let key: KeyObject;
  try {
    key = createPrivateKey({
      key: Buffer.from(body(content), 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
  } catch {
    throw unreadable('ssh: the PKCS #8 structure is not valid');
  }
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return key.export({ format: 'pem', type: 'pkcs1' }).toString();
    case 'ec':
      return key.export({ format: 'pem', type: 'sec1' }).toString();
    case 'ed25519':
      return openSshEd25519(key);
    default:
      throw unreadable(`ssh: unsupported key type ${key.asymmetricKeyType ?? 'unknown'}`);
  }
}

/** Encodes a key in the OpenSSH format, without encryption (PROTOCOL.key of OpenSSH). */
function openSshEd25519(key: KeyObject): string {
  const { x = '', d = '' } = key.export({ format: 'jwk' });
  const point = Buffer.from(x, 'base64url');
  const publicKey = Buffer.concat([field('ssh-ed25519'), field(point)]);
  const check = Buffer.alloc(8);
  const secret = Buffer.concat([
    check,
    publicKey,
    field(Buffer.concat([Buffer.from(d, 'base64url'), point])),
    field(''),
  ]);
  const padding = Buffer.from(
    Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, index) => index + 1),
  );
  const count = Buffer.from([0, 0, 0, 1]);
  const encodedKey = Buffer.concat([
    Buffer.from('openssh-key-v1\0', 'latin1'),
    field('none'),
    field('none'),
    field(''),
    count,
    field(publicKey),
    field(Buffer.concat([secret, padding])),
  ]);
  return pem('OPENSSH PRIVATE KEY', encodedKey.toString('base64'));
}

function field(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
