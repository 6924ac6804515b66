import { expect, it } from 'vitest';
import { crc64 } from './crc64.ts';

it.each([
  ['', 0n],
  // The check value of CRC-64/GO-ISO, 0xb90956c775a41001, as a signed integer.
  ['123456789', -0x46f6a9388a5befffn],
])('CRC-64 of "%s"', (text, expected) => {
  expect(crc64(text)).toBe(expected);
});
