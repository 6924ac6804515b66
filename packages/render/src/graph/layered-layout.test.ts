import { graphOf } from '@terrane/graph';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layeredLayout } from './layered-layout.ts';

const arbitrary = fc
  .array(fc.tuple(fc.nat({ max: 59 }), fc.nat({ max: 59 })), { maxLength: 200 })
  .map((pairs) => {
    const targets = Array.from({ length: 60 }, (): number[] => []);
    // Edges from later to earlier numbers make no cycle.
    for (const [a, b] of pairs) if (a !== b) targets[Math.max(a, b)]?.push(Math.min(a, b));
    return targets;
  });

test('no two nodes stand on one place, and what comes first stands further left', () => {
  fc.assert(
    fc.property(arbitrary, (targets) => {
      const layout = layeredLayout(graphOf(targets));
      const taken = new Set<string>();
      for (const [node, list] of targets.entries()) {
        const [column, row] = [layout.columns[node] ?? -1, layout.rows[node] ?? -1];
        expect(column).toBeGreaterThanOrEqual(0);
        expect(column).toBeLessThan(layout.width);
        expect(row).toBeGreaterThanOrEqual(0);
        expect(row).toBeLessThanOrEqual(layout.height - 1);
        taken.add(`${column} ${row}`);
        for (const target of list) expect(layout.columns[target]).toBeLessThan(column);
      }
      expect(taken.size).toBe(targets.length);
    }),
    { numRuns: 50 },
  );
});

test('a node stands near to what it leads to', () => {
  // Two chains side by side stay apart.
  const { rows } = layeredLayout(graphOf([[], [], [0], [1], [2], [3]]));
  expect([rows[2], rows[4]]).toEqual([rows[0], rows[0]]);
  expect([rows[3], rows[5]]).toEqual([rows[1], rows[1]]);
});

test('nothing is drawn of nothing', () => {
  const { width, height } = layeredLayout(graphOf([]));
  expect([width, height]).toEqual([0, 0]);
});

test('thousands of nodes side by side are about as wide as high', () => {
  const { width, height } = layeredLayout(graphOf(Array.from({ length: 5000 }, () => [])));
  expect(width * 5).toBeGreaterThan(height / 2);
  expect(height).toBeLessThan(200);
});
