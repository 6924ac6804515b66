// The server's side of NTLMv2 ([MS-NLMP]): asks, and sees whether the answer proves the password.
import { createHmac } from 'node:crypto';

const CHALLENGE = Buffer.from('0123456789abcdef', 'hex');
// Unicode, NTLM, a server as target, extended security, what the target is, a version, 128 and 56 bits.
const FLAGS = 0xa28a_8201;

/** The account that may log in. `hash` is MD4 of its password, in hexadecimal. */
export interface Account {
  readonly name: string;
  readonly hash: string;
}

/** The message that asks for a proof. */
export function challengeMessage(): Buffer {
  const name = wide('WINBOX');
  const info = Buffer.concat([
    pair(2, wide('WINBOX')),
    pair(1, wide('WINBOX')),
    pair(0, Buffer.alloc(0)),
  ]);
  const head = Buffer.alloc(56);
  head.write('NTLMSSP\0', 'latin1');
  head.writeUInt32LE(2, 8);
  head.writeUInt16LE(name.length, 12);
  head.writeUInt16LE(name.length, 14);
  head.writeUInt32LE(56, 16);
  head.writeUInt32LE(FLAGS, 20);
  CHALLENGE.copy(head, 24);
  head.writeUInt16LE(info.length, 40);
  head.writeUInt16LE(info.length, 42);
  head.writeUInt32LE(56 + name.length, 44);
  Buffer.from([10, 0, 0x63, 0x45, 0, 0, 0, 15]).copy(head, 48);
  return Buffer.concat([head, name, info]);
}

/** Returns the number of the message, of three. */
export function messageKind(message: Buffer): number {
  return message.subarray(0, 8).toString('latin1') === 'NTLMSSP\0' ? message.readUInt32LE(8) : 0;
}

/** Returns true if a message proves that its sender knows the password of the account. */
export function isProof(message: Buffer, { name, hash }: Account): boolean {
  const part = (at: number): Buffer => {
    const start = message.readUInt32LE(at + 4);
    return message.subarray(start, start + message.readUInt16LE(at));
  };
  const [response, domain, user] = [part(20), part(28), part(36)];
  if (user.toString('utf16le').toLowerCase() !== name.toLowerCase()) return false;
  const key = hmac(Buffer.from(hash, 'hex'), wide(name.toUpperCase()), domain);
  const proof = hmac(key, CHALLENGE, response.subarray(16));
  return response.subarray(0, 16).equals(proof);
}

function pair(kind: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(kind, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

function wide(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function hmac(key: Buffer, ...data: Buffer[]): Buffer {
  const digest = createHmac('md5', key);
  for (const part of data) digest.update(part);
  return digest.digest();
}
