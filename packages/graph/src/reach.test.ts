import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphOf } from './graph.ts';
import { Reachability } from './reach.ts';

test('follows paths of any length and counts no node as reaching itself', () => {
  const reach = new Reachability(graphOf([[1], [2], [], [0]]));
  expect(reach.from(3)).toEqual([0, 1, 2]);
  expect(reach.from(2)).toEqual([]);
  expect(reach.has(3, 2)).toBe(true);
  expect(reach.has(2, 3)).toBe(false);
  expect(reach.has(0, 0)).toBe(false);
});

test('a node on a cycle reaches itself and everything that the cycle reaches', () => {
  const reach = new Reachability(graphOf([[1], [0, 2], []]));
  expect(reach.from(0)).toEqual([0, 1, 2]);
  expect(reach.from(2)).toEqual([]);
});

test('agrees with repeated squaring on graphs that span several words of bits', () => {
  const size = 70;
  const list = fc.array(fc.nat({ max: size - 1 }), { maxLength: 2 });
  fc.assert(
    fc.property(fc.array(list, { minLength: size, maxLength: size }), (targets) => {
      const reach = new Reachability(graphOf(targets));
      const rows = targets.map((row) => new Set(row));
      for (let grew = true; grew;) {
        grew = false;
        for (const row of rows) {
          const before = row.size;
          for (const node of row) for (const further of rows[node] ?? []) row.add(further);
          grew ||= row.size > before;
        }
      }
      for (const [node, row] of rows.entries()) {
        expect(reach.from(node)).toEqual([...row].sort((a, b) => a - b));
      }
    }),
    { numRuns: 20 },
  );
});
