import { expect, it } from 'vitest';
import { nodeRandom } from './node-random.ts';

it('UUIDs have version 4, the standard variant and random digits, and none is repeated', () => {
  const { uuid } = nodeRandom();
  const texts = Array.from({ length: 1000 }, () => uuid());
  for (const text of texts)
    expect(text).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(texts).size).toBe(texts.length);
  for (const position of Array.from({ length: 36 }, (_, i) => i)) {
    const digits = new Set(texts.map((text) => text[position]));
    const expected = [8, 13, 18, 23, 14].includes(position) ? 1 : position === 19 ? 4 : 16;
    expect(digits.size).toBe(expected);
  }
});
