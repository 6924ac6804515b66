// NTLMv2 authentication of a client by password ([MS-NLMP]), without signing or encryption.
import { createHmac } from 'node:crypto';
import { md4 } from './md4.ts';

const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1');
const UNICODE = 0x0000_0001;
const LM_KEY = 0x0000_0080;
const DOMAIN_SUPPLIED = 0x0000_1000;
const EXTENDED_SECURITY = 0x0008_0000;
const TARGET_INFO = 0x0080_0000;
const VERSION = 0x0200_0000;
const STRENGTH_128 = 0x2000_0000;
const KEY_EXCHANGE = 0x4000_0000;
const STRENGTH_56 = 0x8000_0000;
/** Windows 7, by which servers only write their logs. */
const OWN_VERSION = Buffer.from([6, 1, 0xb1, 0x1d, 0, 0, 0, 15]);
const WORKSTATION = 'TERRANE';
const TIMESTAMP = 7;
/** The interval from 1601, the epoch of Windows, to 1970, in units of 100 ns. */
const EPOCH = 116_444_736_000_000_000n;

/** The user of a login. */
export interface NtlmUser {
  readonly name: string;
  /** undefined: that of the machine; empty: it is part of the name (`name@domain`) */
  readonly domain: string | undefined;
  readonly password: string;
}

/** A user as connections name it: `name`, `DOMAIN\name` or `name@domain`. */
export function ntlmUser(name: string, password: string): NtlmUser {
  const at = name.indexOf('\\');
  if (at >= 0) return { name: name.slice(at + 1), domain: name.slice(0, at), password };
  return { name, domain: name.includes('@') ? '' : undefined, password };
}

/** Returns the first message of a login. */
export function negotiateMessage({ domain = '' }: NtlmUser): Buffer {
  // This message does not support Unicode: a domain in other letters is only sent in the last one.
  const supplied = /^[\x21-\x7e]*$/.test(domain) ? domain.toUpperCase() : '';
  const flags =
    UNICODE |
    EXTENDED_SECURITY |
    TARGET_INFO |
    STRENGTH_128 |
    STRENGTH_56 |
    (supplied === '' ? 0 : DOMAIN_SUPPLIED);
  const fields = new Fields(40);
  const parts = [
    fields.take(Buffer.from(supplied, 'latin1')),
    fields.take(Buffer.alloc(0)),
    OWN_VERSION,
  ];
  return message(1, [uint32(flags), ...parts], fields);
}

/** A server challenge. */
export interface Challenge {
  readonly flags: number;
  readonly targetName: string;
  readonly challenge: Buffer;
  readonly targetInfo: Buffer | undefined;
}

/** Parses the challenge message of a server. Throws if it is malformed. */
export function readChallenge(data: Buffer): Challenge {
  const isOne =
    data.length >= 48 && data.subarray(0, 8).equals(SIGNATURE) && data.readUInt32LE(8) === 2;
  if (!isOne) throw new Error('the machine answered NTLM with what is no challenge');
  const flags = data.readUInt32LE(20);
  if ((flags & LM_KEY) !== 0) throw new Error('the machine asks for NTLM 1, which is not safe');
  if ((flags & KEY_EXCHANGE) !== 0) {
    throw new Error('the machine asks for an exchange of keys by NTLM, which was not offered');
  }
  if ((flags & UNICODE) === 0) throw new Error('the machine speaks NTLM without Unicode');
  const field = (at: number): Buffer => {
    const start = data.readUInt32LE(at + 4);
    const end = start + data.readUInt16LE(at);
    if (end > data.length) throw new Error('the machine answered NTLM with a challenge cut short');
    return data.subarray(start, end);
  };
  const info = field(40);
  return {
    flags,
    targetName: field(12).toString('utf16le'),
    challenge: data.subarray(24, 32),
    targetInfo: info.length === 0 ? undefined : info,
  };
}

/** The values that differ between logins. */
export interface NtlmFreshness {
  /** eight random bytes */
  readonly challenge: Uint8Array;
  readonly now: Date;
}

/** The message that proves the password. */
export function authenticateMessage(
  asked: Challenge,
  { name, domain = asked.targetName, password }: NtlmUser,
  { challenge, now }: NtlmFreshness,
): Buffer {
  const key = ntlmV2Key(password, name, domain);
  const time = timestampOf(asked.targetInfo) ?? fileTime(now);
  const info = asked.targetInfo ?? Buffer.alloc(0);
  const response = ntlmV2Response(key, asked.challenge, challenge, time, info);
  const fields = new Fields(64);
  const parts = [
    // The older response is for servers that send no target information.
    fields.take(
      asked.targetInfo === undefined
        ? lmV2Response(key, asked.challenge, challenge)
        : Buffer.alloc(0),
    ),
    fields.take(response),
    fields.take(wide(domain)),
    fields.take(wide(name)),
    fields.take(wide(WORKSTATION)),
    fields.take(Buffer.alloc(0)),
  ];
  return message(3, [...parts, uint32(asked.flags & ~VERSION)], fields);
}

/** Derives the key of a user from a password (NTOWFv2). */
export function ntlmV2Key(password: string, name: string, domain: string): Buffer {
  return hmac(md4(wide(password)), wide(upperCase(name) + domain));
}

/** Returns the NTLMv2 response to a challenge. */
export function ntlmV2Response(
  key: Uint8Array,
  asked: Uint8Array,
  challenge: Uint8Array,
  time: Uint8Array,
  targetInfo: Uint8Array,
): Buffer {
  const four = Buffer.alloc(4);
  const begin = Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]);
  const blob = Buffer.concat([begin, time, challenge, four, targetInfo, four]);
  return Buffer.concat([hmac(key, asked, blob), blob]);
}

/** Returns the LMv2 response to a challenge. */
export function lmV2Response(key: Uint8Array, asked: Uint8Array, challenge: Uint8Array): Buffer {
  return Buffer.concat([hmac(key, asked, challenge), challenge]);
}

/** Message fields, with the offsets of their data. */
class Fields {
  readonly bytes: Buffer[] = [];
  #at: number;

  constructor(start: number) {
    this.#at = start;
  }

  take(data: Buffer): Buffer {
    const field = Buffer.alloc(8);
    field.writeUInt16LE(data.length, 0);
    field.writeUInt16LE(data.length, 2);
    field.writeUInt32LE(this.#at, 4);
    this.bytes.push(data);
    this.#at += data.length;
    return field;
  }
}

function message(kind: number, parts: readonly Buffer[], { bytes }: Fields): Buffer {
  return Buffer.concat([SIGNATURE, uint32(kind), ...parts, ...bytes]);
}

/** Returns the server's time from its target information. */
function timestampOf(info: Buffer | undefined): Buffer | undefined {
  for (let at = 0; info !== undefined && at + 4 <= info.length;) {
    const kind = info.readUInt16LE(at);
    const length = info.readUInt16LE(at + 2);
    if (kind === 0) return undefined;
    if (kind === TIMESTAMP && length === 8) return info.subarray(at + 4, at + 12);
    at += 4 + length;
  }
  return undefined;
}

function fileTime(now: Date): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE(BigInt(now.getTime()) * 10_000n + EPOCH);
  return time;
}

/** Letter by letter, as Windows does it: none becomes two. */
function upperCase(text: string): string {
  return Array.from(text, (letter) => {
    const large = letter.toUpperCase();
    return large.length === letter.length ? large : letter;
  }).join('');
}

function wide(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function hmac(key: Uint8Array, ...data: readonly Uint8Array[]): Buffer {
  const digest = createHmac('md5', key);
  for (const part of data) digest.update(part);
  return digest.digest();
}
