import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairSequences, pairSets } from './sequence.ts';

type Pair = readonly [number, number];

function pairs(before: string, after: string, objects = false): readonly Pair[] {
  const result: Pair[] = [];
  pairSequences(
    [...before],
    [...after],
    () => objects,
    (b, a) => result.push([b, a]),
  );
  return result;
}

test('sequences of one length are paired by position unless one reorders the other', () => {
  expect(pairs('abc', 'axc')).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  expect(pairs('ab', 'ba')).toEqual([
    [0, 2],
    [1, 0],
    [2, 1],
  ]);
});

test('others are paired by their common parts', () => {
  expect(pairs('abcde', 'abxcde')).toEqual([
    [0, 0],
    [1, 1],
    [5, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ]);
  expect(pairs('abc', '')).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
  expect(pairs('', 'ab')).toEqual([
    [0, 0],
    [0, 1],
  ]);
});

test('objects that differ are paired with each other', () => {
  expect(pairs('abc', 'axyc', true)).toEqual([
    [0, 0],
    [1, 1],
    [3, 2],
    [2, 3],
  ]);
});

// The algorithm as Terraform has it, with the whole table.
function tableSubsequence(xs: string, ys: string): string {
  const lengths = Array.from({ length: ys.length }, () => new Array<number>(xs.length).fill(0));
  const at = (x: number, y: number): number => lengths[y]?.[x] ?? 0;
  for (let y = 0; y < ys.length; y++) {
    for (let x = 0; x < xs.length; x++) {
      const row = lengths[y];
      if (row === undefined) continue;
      row[x] = xs[x] === ys[y] ? at(x - 1, y - 1) + 1 : Math.max(at(x - 1, y), at(x, y - 1));
    }
  }
  let [x, y] = [xs.length - 1, ys.length - 1];
  let result = '';
  while (x >= 0 && y >= 0) {
    if (xs[x] === ys[y]) {
      result = `${xs[x]}${result}`;
      x--;
      y--;
    } else if (at(x - 1, y) > at(x, y - 1)) x--;
    else y--;
  }
  return result;
}

test('of several common subsequences the one of the complete table is selected', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 14 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before.length !== after.length);
      const common = pairs(before, after).filter(([b, a]) => b < before.length && a < after.length);
      expect(common.map(([b]) => before[b]).join('')).toBe(tableSubsequence(before, after));
    }),
    { numRuns: 500 },
  );
});

test('every element occurs exactly once, in order', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const all = pairs(before, after);
      const indexes = (side: 0 | 1, length: number): number[] =>
        all.map((pair) => pair[side]).filter((i) => i < length);
      expect(indexes(0, before.length)).toEqual([...before].map((_, i) => i));
      expect(indexes(1, after.length)).toEqual([...after].map((_, i) => i));
    }),
  );
});

test('two texts of 3,000 different lines are compared quickly', () => {
  const lines = (start: string): string[] => Array.from({ length: 3000 }, (_, i) => `${start}${i}`);
  let count = 0;
  pairSequences(
    lines('a'),
    [...lines('b'), 'c'],
    () => false,
    () => count++,
  );
  expect(count).toBe(6001);
});

test('sets: equal elements first, then new ones; unknown elements equal nothing', () => {
  const result: Pair[] = [];
  pairSets(['a', 'b', 'c'], [undefined, 'c', 'a', 'd'], (b, a) => result.push([b, a]));
  expect(result).toEqual([
    [0, 2],
    [1, 4],
    [2, 1],
    [3, 0],
    [3, 3],
  ]);
});
