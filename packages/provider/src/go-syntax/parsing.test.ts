import { describe, expect, test } from 'vitest';
import { decodeBase64 } from './base64.ts';
import { parseInt64 } from './parse-int.ts';

// Positions and words are those of Go's encoding/base64 and strconv.
describe('decodeBase64', () => {
  test.each([
    ['', ''],
    ['aGVsbG8=', 'hello'],
    ['aGVs\r\nbG8=\n', 'hello'],
    ['aGU=', 'he'],
    ['aA==', 'h'],
  ])('reads %j', (text, decoded) => {
    expect(decodeBase64(text, 'standard').toString()).toBe(decoded);
  });

  test.each([
    ['aGVsbG8', 4],
    ['aGVsbG8!', 7],
    ['=', 0],
    ['a===', 1],
    ['aA=x', 2],
    ['aA=', 3],
    ['aGVsbG8=x', 8],
    ['a-_b', 1],
    ['aGVsbA', 4],
    ['é', 0],
  ])('reports the position of the first invalid character in %j', (text, position) => {
    expect(decodeBase64(text, 'standard')).toBe(`illegal base64 data at input byte ${position}`);
  });

  test('the raw alphabet for URLs has no padding', () => {
    expect(decodeBase64('_-8', 'raw-url')).toEqual(Buffer.from([0xff, 0xef]));
    expect(decodeBase64('_-8=', 'raw-url')).toBe('illegal base64 data at input byte 3');
    expect(decodeBase64('_', 'raw-url')).toBe('illegal base64 data at input byte 0');
  });
});

describe('parseInt64', () => {
  test.each([
    ['0', 0n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['+7', 7n],
  ])('reads %s', (text, value) => {
    expect(parseInt64(text)).toBe(value);
  });

  test.each([
    ['', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
  ])('refuses %j', (text, problem) => {
    expect(parseInt64(text)).toBe(problem);
  });
});
