import { createECDH, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Clock, Random } from '@terrane/host';

/** A certificate for one run, both as PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/**
 * Creates a key and a self-signed certificate for `localhost`, for one side of the automatic mutual TLS between a
 * program and its plugins: each side trusts exactly the other's certificate.
 */
export function makeCertificate(clock: Clock, random: Random): Certificate {
  const privateKey = makeKey(random);
  const now = clock.now().getTime();
  const serial = Uint8Array.from(random.bytes(16));
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // positive, and of full length
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(
    der(0x31, sequence(oid('55040a'), text('Terrane'))),
    der(0x31, sequence(oid('550403'), text('localhost'))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, serial),
    algorithm,
    name,
    sequence(time(now - DAY_MS), time(now + 3650 * DAY_MS)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...EXTENSIONS)),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Uint8Array.of(0), signature));
  return {
    certificate: certificatePem(certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A certificate in DER as PEM. */
export function certificatePem(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A key on the curve P-256. */
function makeKey(random: Random): KeyObject {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(random.bytes(32));
  const point = pair.getPublicKey();
  const part = (bytes: Buffer): string => bytes.toString('base64url');
  const d = Buffer.from(pair.getPrivateKey());
  const padded = Buffer.concat([Buffer.alloc(32 - d.length), d]);
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: part(padded),
    x: part(point.subarray(1, 33)),
    y: part(point.subarray(33)),
  };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

const CRITICAL = Uint8Array.of(0x01, 0x01, 0xff);

const EXTENSIONS: readonly Uint8Array[] = [
  // Basic constraints: a certificate authority, as it is self-signed.
  sequence(oid('551d13'), CRITICAL, der(0x04, sequence(CRITICAL))),
  // Key usage: signatures, key encipherment, key agreement, certificates.
  sequence(oid('551d0f'), CRITICAL, der(0x04, Uint8Array.of(0x03, 0x02, 0x02, 0xac))),
  // Extended key usage: clients and servers.
  sequence(oid('551d25'), der(0x04, sequence(oid('2b06010505070302'), oid('2b06010505070301')))),
  // Alternative name.
  sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from('localhost'))))),
];

function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, length >>> 8, length & 0xff];
  return Buffer.concat([Uint8Array.of(tag, ...size), body]);
}

function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x30, ...parts);
}

function oid(hex: string): Uint8Array {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function text(value: string): Uint8Array {
  return der(0x0c, Buffer.from(value));
}

/** Encodes a time; from 2050 on with a year of four digits (RFC 5280, 4.1.2.5). */
function time(ms: number): Uint8Array {
  const digits = `${new Date(ms)
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[^0-9]/g, '')}Z`;
  return Number(digits.slice(0, 4)) < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}
