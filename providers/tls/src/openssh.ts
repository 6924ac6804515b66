import { createPrivateKey } from 'node:crypto';
import type { KeyObject, webcrypto } from 'node:crypto';
import { unsignedOctets } from './der.ts';
import { encodePem } from './pem.ts';

const MAGIC = 'openssh-key-v1\0';

/** SSH names of curves; P-224 has none. */
const SSH_CURVES: Readonly<Record<string, string>> = {
  'P-256': 'nistp256',
  'P-384': 'nistp384',
  'P-521': 'nistp521',
};

/** A public key in the wire format of SSH. */
export interface SshPublicKey {
  readonly name: string;
  readonly bytes: Buffer;
}

function field(content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function octets(base64url: string | undefined): Buffer {
  return Buffer.from(base64url ?? '', 'base64url');
}

/** A positive number: without leading zeros, but for one where the first bit is set. */
function numberField(base64url: string | undefined): Buffer {
  return field(unsignedOctets(BigInt(`0x0${octets(base64url).toString('hex')}`)));
}

function point({ x, y }: webcrypto.JsonWebKey): Buffer {
  return Buffer.concat([Buffer.from([4]), octets(x), octets(y)]);
}

/** Returns the SSH name of a key type, and the fields of its public and private parts. */
function partsOf(
  jwk: webcrypto.JsonWebKey,
):
  | { readonly name: string; readonly open: readonly Buffer[]; readonly secret: readonly Buffer[] }
  | undefined {
  switch (jwk.kty) {
    case 'RSA':
      return {
        name: 'ssh-rsa',
        open: [numberField(jwk.e), numberField(jwk.n)],
        secret: [jwk.n, jwk.e, jwk.d, jwk.qi, jwk.p, jwk.q].map(numberField),
      };
    case 'EC': {
      const curve = SSH_CURVES[jwk.crv ?? ''];
      if (curve === undefined) return undefined;
      const open = [field(curve), field(point(jwk))];
      return { name: `ecdsa-sha2-${curve}`, open, secret: [...open, numberField(jwk.d)] };
    }
    default: {
      const open = [field(octets(jwk.x))];
      const both = field(Buffer.concat([octets(jwk.d), octets(jwk.x)]));
      return { name: 'ssh-ed25519', open, secret: [...open, both] };
    }
  }
}

/** The public key of a private key for SSH, undefined where SSH does not know its curve. */
export function sshPublicKey(key: KeyObject): SshPublicKey | undefined {
  // Node has no JWK form of P-224.
  if (key.asymmetricKeyDetails?.namedCurve === 'secp224r1') return undefined;
  const parts = partsOf(key.export({ format: 'jwk' }));
  return parts && { name: parts.name, bytes: Buffer.concat([field(parts.name), ...parts.open]) };
}

/** A private key in the format of OpenSSH, or an empty text; `check` is any random number of 32 bits. */
export function openSshPrivateKey(key: KeyObject, check: Uint8Array): string {
  const open = sshPublicKey(key);
  const parts = open && partsOf(key.export({ format: 'jwk' }));
  if (open === undefined || parts === undefined) return '';
  const comment = field('');
  const secret = Buffer.concat([check, check, field(parts.name), ...parts.secret, comment]);
  const padding = Uint8Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, i) => i + 1);
  const keyCount = Buffer.from([0, 0, 0, 1]);
  const bytes = Buffer.concat([
    Buffer.from(MAGIC),
    field('none'),
    field('none'),
    field(''),
    keyCount,
    field(open.bytes),
    field(Buffer.concat([secret, padding])),
  ]);
  return encodePem('OPENSSH PRIVATE KEY', bytes);
}

class Reader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  take(length: number): Buffer {
    if (this.#rest.length < length) throw new Error('ssh: invalid openssh private key format');
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  field(): Buffer {
    return this.take(this.take(4).readUInt32BE());
  }

  text(): string {
    return this.field().toString('latin1');
  }

  big(): bigint {
    return BigInt(`0x0${this.field().toString('hex')}`);
  }
}

/** Parses an unencrypted OpenSSH private key; throws if it is invalid. */
export function readOpenSsh(bytes: Buffer): KeyObject {
  const reader = new Reader(bytes);
  if (reader.take(Math.min(MAGIC.length, bytes.length)).toString('latin1') !== MAGIC) {
    throw new Error('ssh: invalid openssh private key format');
  }
  const [cipher, kdf] = [reader.text(), reader.text()];
  if (cipher !== 'none' || kdf !== 'none') {
    throw new Error('ssh: this private key is passphrase protected');
  }
  reader.field();
  if (reader.take(4).readUInt32BE() !== 1) {
    throw new Error('ssh: multi-key files are not supported');
  }
  reader.field();
  const secret = new Reader(reader.field());
  if (!secret.take(4).equals(secret.take(4))) throw new Error('ssh: malformed OpenSSH key');
  return createPrivateKey({ key: jwkOf(secret), format: 'jwk' });
}

function base64url(n: bigint, length?: number): string {
  const hex = n.toString(16);
  const width = length === undefined ? hex.length + (hex.length % 2) : length * 2;
  return Buffer.from(hex.padStart(width, '0'), 'hex').toString('base64url');
}

function jwkOf(secret: Reader): webcrypto.JsonWebKey {
  const name = secret.text();
  if (name === 'ssh-rsa') {
    const [n, e, d, qi, p, q] = [1, 2, 3, 4, 5, 6].map(() => secret.big());
    if (!n || !e || !d || !qi || !p || !q) throw new Error('ssh: malformed OpenSSH key');
    const [dp, dq] = [d % (p - 1n), d % (q - 1n)];
    return {
      kty: 'RSA',
      n: base64url(n),
      e: base64url(e),
      d: base64url(d),
      p: base64url(p),
      q: base64url(q),
      dp: base64url(dp),
      dq: base64url(dq),
      qi: base64url(qi),
    };
  }
  if (name === 'ssh-ed25519') {
    const open = secret.field();
    const both = secret.field();
    return {
      kty: 'OKP',
      crv: 'Ed25519',
      x: open.toString('base64url'),
      d: both.subarray(0, 32).toString('base64url'),
    };
  }
  const curve = Object.entries(SSH_CURVES).find(([, ssh]) => name === `ecdsa-sha2-${ssh}`)?.[0];
  if (curve === undefined) throw new Error('ssh: unhandled key type');
  secret.field();
  const both = secret.field();
  const size = (both.length - 1) / 2;
  return {
    kty: 'EC',
    crv: curve,
    x: both.subarray(1, 1 + size).toString('base64url'),
    y: both.subarray(1 + size).toString('base64url'),
    d: base64url(secret.big(), size),
  };
}
