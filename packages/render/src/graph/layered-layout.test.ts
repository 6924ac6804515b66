import { graphOf } from '@terrane/graph';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layeredColumns } from './layered-layout.ts';

const pairs = fc.array(fc.tuple(fc.nat({ max: 59 }), fc.nat({ max: 59 })), { maxLength: 200 });

function targetsOf(edges: readonly (readonly [number, number])[]): number[][] {
  const targets = Array.from({ length: 60 }, (): number[] => []);
  for (const [from, to] of edges) if (from !== to) targets[from]?.push(to);
  return targets;
}

/** The column of each node; every node has exactly one. */
function columnOf(columns: readonly (readonly number[])[], size: number): number[] {
  const places = Array.from({ length: size }, () => -1);
  for (const [column, nodes] of columns.entries()) {
    for (const node of nodes) {
      expect(places[node]).toBe(-1);
      places[node] = column;
    }
  }
  expect(places).not.toContain(-1);
  return places;
}

const layout = (targets: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  layeredColumns(graphOf(targets), () => 50, 600);

test('dependencies are in columns further left', () => {
  fc.assert(
    fc.property(pairs, (edges) => {
      // Edges from later to earlier numbers make no cycle.
      const targets = targetsOf(edges.map(([a, b]) => [Math.max(a, b), Math.min(a, b)]));
      const columns = columnOf(layout(targets), 60);
      for (const [node, list] of targets.entries()) {
        for (const target of list) expect(columns[target]).toBeLessThan(columns[node] ?? -1);
      }
    }),
    { numRuns: 50 },
  );
});

test('all nodes of a graph with cycles have a place', () => {
  fc.assert(
    fc.property(pairs, (edges) => {
      columnOf(layout(targetsOf(edges)), 60);
    }),
    { numRuns: 50 },
  );
});

test('a node is near its neighbours', () => {
  // Two chains side by side stay apart.
  expect(layout([[], [], [0], [1], [2], [3]])).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
});

test('a high layer takes several columns', () => {
  const columns = layout(Array.from({ length: 30 }, () => []));
  expect(columns.map(({ length }) => length)).toEqual([12, 12, 6]);
});

test('no nodes have no columns', () => {
  expect(layout([])).toEqual([]);
});
