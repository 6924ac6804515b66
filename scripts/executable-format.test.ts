import { closeSync, openSync, readSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  alignableCode,
  alignCode,
  codeIn,
  containsApplication,
  platformOfExecutable,
  replaceDigests,
} from './executable-format.ts';

/** A file of 256 bytes with these at their offsets. */
function fileWith(...pieces: readonly (readonly [number, readonly number[]])[]): Buffer {
  const bytes = Buffer.alloc(256);
  for (const [offset, piece] of pieces) bytes.set(piece, offset);
  return bytes;
}

const elf = [0x7f, 0x45, 0x4c, 0x46];
const mach = [0xcf, 0xfa, 0xed, 0xfe];
const pe = [0x50, 0x45, 0, 0];

it.each([
  ['linux-x64', fileWith([0, elf], [18, [0x3e, 0]])],
  ['linux-arm64', fileWith([0, elf], [18, [0xb7, 0]])],
  ['darwin-x64', fileWith([0, mach], [4, [7, 0, 0, 1]])],
  ['darwin-arm64', fileWith([0, mach], [4, [12, 0, 0, 1]])],
  ['win32-x64', fileWith([0, [0x4d, 0x5a]], [60, [128]], [128, pe], [132, [0x64, 0x86]])],
])('an executable for %s', (name, bytes) => {
  const { os, cpu } = platformOfExecutable(bytes) ?? {};
  expect(`${os}-${cpu}`).toBe(name);
});

it.each([
  ['a script', Buffer.from('#!/bin/sh\n'.padEnd(256))],
  ['a processor without Node', fileWith([0, elf], [18, [0x28, 0]])],
  ['a header outside of the file', fileWith([0, [0x4d, 0x5a]], [60, [0xff, 0xff]])],
  ['a truncated file', Buffer.from(elf)],
])('%s is none', (_, bytes) => expect(platformOfExecutable(bytes)).toBeUndefined());

it('the running Node.js is one for this platform', () => {
  const bytes = Buffer.alloc(4096);
  const file = openSync(process.execPath, 'r');
  readSync(file, bytes);
  closeSync(file);
  expect(platformOfExecutable(bytes)).toEqual({ os: process.platform, cpu: process.arch });
});

it('an application is one whose mark is set, with all of its files', () => {
  const mark = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:';
  const [first, other] = [Buffer.from('one file'), Buffer.from('another file')];
  const made = Buffer.from(`${mark}1 one file`);
  expect(containsApplication(made, [first])).toBe(true);
  expect(containsApplication(made, [first, other])).toBe(false);
  expect(containsApplication(Buffer.from(`${mark}0 one file`), [first])).toBe(false);
});

it.each([0, 1, 5, 7, 8, 13])('compiled code is aligned after %i other bytes', (length) => {
  const code = Buffer.from('the compiled code');
  const file = alignableCode(code);
  const end = Buffer.from('what follows');
  const executable = Buffer.concat([Buffer.alloc(length), file, end]);
  alignCode(executable, file);
  const placed = executable.subarray(length, length + file.length);
  expect(codeIn(placed)).toEqual(code);
  expect(executable.indexOf(code) % 8).toBe(0);
  expect(executable.subarray(length + file.length)).toEqual(end);
});

it('compiled code that an executable does not contain is an error', () => {
  expect(() => alignCode(Buffer.from('another file'), alignableCode(Buffer.from('code')))).toThrow(
    'does not contain the compiled code',
  );
});

it('digests of options are replaced in compiled code of the same version', () => {
  const code = (version: string, digest: string): Buffer =>
    Buffer.from(`mark000${version}size${digest}code`);
  const executable = Buffer.concat([
    code('1', 'abcd'),
    Buffer.from('text'),
    code('2', 'abcd'),
    code('1', 'efgh'),
    code('1', 'abcd'),
  ]);
  expect(replaceDigests(executable, code('1', 'abcd'), code('1', 'ijkl'))).toBe(2);
  expect(executable.toString()).toBe(
    `${code('1', 'ijkl')}text${code('2', 'abcd')}${code('1', 'efgh')}${code('1', 'ijkl')}`,
  );
});
