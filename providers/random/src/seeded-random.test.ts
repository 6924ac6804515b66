import { expect, test } from 'vitest';
import { crc64 } from '@terrane/host';
import { SeededRandom } from './seeded-random.ts';

// The numbers are those of Go's math/rand and hash/crc64.
test('the same seed yields the numbers of the published provider', () => {
  const random = new SeededRandom(42n);
  expect([1, 2, 3, 4, 5].map(() => random.below(1000n))).toEqual([305n, 987n, 668n, 750n, 423n]);
  expect(random.below(2n ** 40n)).toBe(419216651853n);
  expect(random.permutation(8)).toEqual([1, 0, 6, 3, 7, 5, 2, 4]);
});

test('a text is a seed by its checksum, which may be negative', () => {
  expect(crc64('hello')).toBe(4341169748886683648n);
  expect(crc64('terraform')).toBe(-8738447620360512062n);
  const random = new SeededRandom(crc64('hello'));
  expect([100n, 4294967296n, 64n].map((n) => random.below(n))).toEqual([58n, 3638552707n, 50n]);
});
