import { describe, expect, it } from 'vitest';
import { md4 } from './md4.ts';
import {
  authenticateMessage,
  lmV2Response,
  negotiateMessage,
  ntlmUser,
  ntlmV2Key,
  ntlmV2Response,
  readChallenge,
} from './ntlm.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

// The examples of [MS-NLMP], 4.2.1 and 4.2.4: User of Domain with Password.
const ASKED = hex('0123456789abcdef');
const OWN = hex('aaaaaaaaaaaaaaaa');
const TIME = Buffer.alloc(8);
const INFO = hex('02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000');
const KEY = hex('0c868a403bfd7a93a3001ef22ef02e3f');

describe('the examples of [MS-NLMP]', () => {
  it('computes MD4 of the password', () => {
    const digest = md4(Buffer.from('Password', 'utf16le'));
    expect(digest).toEqual(hex('a4f49c406510bdcab6824ee7c30fd852'));
  });

  it('the key of version 2', () => {
    expect(ntlmV2Key('Password', 'User', 'Domain')).toEqual(KEY);
  });

  it('the response of version 2', () => {
    const response = ntlmV2Response(KEY, ASKED, OWN, TIME, INFO);
    expect(response.subarray(0, 16)).toEqual(hex('68cd0ab851e51c96aabc927bebef6a1c'));
    expect(response.subarray(16)).toEqual(
      Buffer.concat([hex('0101000000000000'), TIME, OWN, hex('00000000'), INFO, hex('00000000')]),
    );
  });

  it('the shorter response of version 2', () => {
    expect(lmV2Response(KEY, ASKED, OWN)).toEqual(
      hex('86c35097ac9cec102554764a57cccc19 aaaaaaaaaaaaaaaa'),
    );
  });
});

/** The challenge of a server, by default of Windows. */
function challenge(targetName: string, info: Buffer, flags = 0xe2_8a_82_05 & ~0x4000_0000): Buffer {
  const name = Buffer.from(targetName, 'utf16le');
  const head = Buffer.alloc(56);
  head.write('NTLMSSP\0', 'latin1');
  head.writeUInt32LE(2, 8);
  head.writeUInt16LE(name.length, 12);
  head.writeUInt16LE(name.length, 14);
  head.writeUInt32LE(56, 16);
  head.writeUInt32LE(flags >>> 0, 20);
  ASKED.copy(head, 24);
  head.writeUInt16LE(info.length, 40);
  head.writeUInt16LE(info.length, 42);
  head.writeUInt32LE(56 + name.length, 44);
  return Buffer.concat([head, name, info]);
}

/** The parts of the message that proves the password. */
function partsOf(message: Buffer): Record<'lm' | 'nt' | 'domain' | 'user', Buffer> {
  const part = (at: number): Buffer => {
    const start = message.readUInt32LE(at + 4);
    return message.subarray(start, start + message.readUInt16LE(at));
  };
  return { lm: part(12), nt: part(20), domain: part(28), user: part(36) };
}

const FRESH = { challenge: OWN, now: new Date(0) };

it('the domain of the user precedes that of the machine, none if the name contains it', () => {
  const asked = readChallenge(challenge('WINBOX', INFO));
  const domain = (user: string): string =>
    partsOf(authenticateMessage(asked, ntlmUser(user, 'Password'), FRESH)).domain.toString(
      'utf16le',
    );
  expect(domain('User')).toBe('WINBOX');
  expect(domain('Domain\\User')).toBe('Domain');
  expect(domain('user@example.org')).toBe('');
});

it('the proof contains the time of the server if available, otherwise the local time', () => {
  const timeInfo = Buffer.concat([hex('07000800 0102030405060708'), hex('00000000')]);
  const timeIn = (info: Buffer): string => {
    const asked = readChallenge(challenge('Domain', info));
    const { nt } = partsOf(authenticateMessage(asked, ntlmUser('User', 'Password'), FRESH));
    return nt.subarray(24, 32).toString('hex');
  };
  expect(timeIn(timeInfo)).toBe('0102030405060708');
  expect(timeIn(INFO)).toBe('00803ed5deb19d01');
});

it('a server without target information gets both responses', () => {
  const asked = readChallenge(challenge('Domain', Buffer.alloc(0)));
  const { lm, user } = partsOf(authenticateMessage(asked, ntlmUser('User', 'Password'), FRESH));
  expect(lm).toEqual(hex('86c35097ac9cec102554764a57cccc19 aaaaaaaaaaaaaaaa'));
  expect(user.toString('utf16le')).toBe('User');
});

it('the first message names a domain that it can name', () => {
  const suppliedBy = (user: string): string =>
    negotiateMessage(ntlmUser(user, '')).subarray(40).toString('latin1');
  expect(suppliedBy('User')).toBe('');
  expect(suppliedBy('domain\\User')).toBe('DOMAIN');
  expect(suppliedBy('dömäne\\User')).toBe('');
});

it.each([
  ['nothing', Buffer.alloc(0), 'what is no challenge'],
  ['another message', challenge('D', INFO).fill(3, 8, 9), 'what is no challenge'],
  ['one cut short', challenge('Domain', INFO).subarray(0, 60), 'cut short'],
  ['one of version 1', challenge('D', INFO, 0x81), 'NTLM 1'],
  ['one with keys to exchange', challenge('D', INFO, 0x4000_0001), 'exchange of keys'],
  ['one without Unicode', challenge('D', INFO, 2), 'without Unicode'],
])('as a challenge, %s is an error', (_what, data, problem) => {
  expect(() => readChallenge(data)).toThrow(problem);
});
