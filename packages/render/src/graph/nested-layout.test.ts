import { graphOf } from '@terrane/graph';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NestedLayout, nestedLayout, type Rectangle } from './nested-layout.ts';

const SIZE = 40;
const PATHS = [[], ['a'], ['a', 'a.x'], ['a', 'a.y'], ['b'], ['b', 'b.x', 'b.x.z']];

const arbitrary = fc.record({
  groups: fc.array(fc.constantFrom(...PATHS), { minLength: SIZE, maxLength: SIZE }),
  edges: fc.array(fc.tuple(fc.nat({ max: SIZE - 1 }), fc.nat({ max: SIZE - 1 })), {
    maxLength: 80,
  }),
});

/** Edges from later to earlier numbers, so that nodes make no cycle; groups may. */
function targetsOf(edges: readonly (readonly [number, number])[]): number[][] {
  const targets = Array.from({ length: SIZE }, (): number[] => []);
  for (const [a, b] of edges) if (a !== b) targets[Math.max(a, b)]?.push(Math.min(a, b));
  return targets;
}

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height;

const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  outer.left <= inner.left &&
  outer.top <= inner.top &&
  inner.left + inner.width <= outer.left + outer.width &&
  inner.top + inner.height <= outer.top + outer.height;

/** The horizontal parts of a route inside of columns: those whose ends are at one height. */
function crossings({ route }: NestedLayout, from: number, to: number): Rectangle[] {
  const points = route(from, to);
  const parts: Rectangle[] = [];
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points.slice(i, i + 4);
    if (y1 === y2 && x2 > x1) parts.push({ left: x1, top: y1, width: x2 - x1, height: 0.1 });
  }
  return parts;
}

test('boxes do not overlap, and a frame contains exactly its group', () => {
  fc.assert(
    fc.property(arbitrary, ({ groups, edges }) => {
      const layout = nestedLayout(groups, graphOf(targetsOf(edges)));
      for (const [node, rectangle] of layout.nodes.entries()) {
        for (const other of layout.nodes.slice(0, node))
          expect(overlap(rectangle, other)).toBe(false);
        const path: readonly string[] = groups[node] ?? [];
        for (const [group, frame] of layout.frames) {
          if (path.includes(group)) expect(contains(frame, rectangle)).toBe(true);
          else expect(overlap(frame, rectangle)).toBe(false);
        }
        expect(contains({ left: 0, top: 0, ...layout }, rectangle)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('edges are routed around boxes', () => {
  fc.assert(
    fc.property(arbitrary, ({ groups, edges }) => {
      const targets = targetsOf(edges);
      const layout = nestedLayout(groups, graphOf(targets));
      for (const [node, list] of targets.entries()) {
        for (const target of list) {
          const [from, to] = [layout.nodes[target], layout.nodes[node]];
          const points = layout.route(target, node);
          expect(points.slice(-2)).toEqual([
            to?.left,
            Math.round((to?.top ?? 0) + (to?.height ?? 0) / 2),
          ]);
          // An edge against the direction of its modules is a straight curve.
          if (points.length === 4) continue;
          for (let i = 2; i < points.length; i += 2) {
            expect(points[i]).toBeGreaterThanOrEqual(points[i - 2] ?? 0);
          }
          for (const part of crossings(layout, target, node)) {
            for (const box of layout.nodes) {
              if (box !== from && box !== to) expect(overlap(part, box)).toBe(false);
            }
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a graph of 20,000 nodes is laid out', () => {
  const size = 20_000;
  const targets = Array.from({ length: size }, (_, n) =>
    n < 100 ? [] : [Math.floor(n / 7), n - 90],
  );
  const groups = Array.from({ length: size }, (_, n) => [`m${n % 50}`]);
  const layout = nestedLayout(groups, graphOf(targets));
  expect(layout.nodes).toHaveLength(size);
  for (const [node, list] of targets.entries())
    for (const to of list) expect(layout.route(to, node).length).toBeGreaterThan(0);
});
