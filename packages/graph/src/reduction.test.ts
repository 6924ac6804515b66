import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphOf } from './graph.ts';
import { Reachability } from './reach.ts';
import { transitiveReduction } from './reduction.ts';

test('drops repeated and transitive edges', () => {
  const reduced = transitiveReduction(graphOf([[1, 2, 3, 1], [2], [3], []]));
  expect([0, 1, 2, 3].map((node) => [...reduced.edgesOf(node)])).toEqual([[1], [2], [3], []]);
});

test('refuses a cycle', () => {
  expect(() => transitiveReduction(graphOf([[1], [0]]))).toThrow(/cycle/);
});

test('preserves reachability with the fewest edges', () => {
  const size = 40;
  const edges = fc.array(fc.tuple(fc.nat({ max: size - 1 }), fc.nat({ max: size - 1 })), {
    maxLength: 150,
  });
  fc.assert(
    fc.property(edges, (pairs) => {
      const targets = Array.from({ length: size }, (): number[] => []);
      // Edges from later to earlier numbers make no cycle.
      for (const [a, b] of pairs) if (a !== b) targets[Math.max(a, b)]?.push(Math.min(a, b));
      const graph = graphOf(targets);
      const reduced = transitiveReduction(graph);
      const [before, after] = [new Reachability(graph), new Reachability(reduced)];
      for (let node = 0; node < size; node++) {
        expect(after.from(node)).toEqual(before.from(node));
        for (const target of reduced.edgesOf(node)) {
          const others = [...reduced.edgesOf(node)].filter((other) => other !== target);
          expect(others.some((other) => after.has(other, target))).toBe(false);
        }
      }
    }),
    { numRuns: 100 },
  );
});
