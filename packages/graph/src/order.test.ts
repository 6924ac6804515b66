import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { componentsOf } from './components.ts';
import { type Graph, GraphBuilder, graphOf, reversed } from './graph.ts';
import { cycleThrough, orderOf } from './order.ts';

function order(targets: readonly (readonly number[])[]): number[] {
  return [...orderOf(graphOf(targets)).order];
}

describe('a graph', () => {
  test('keeps the edges of each node in the order of their adding', () => {
    const builder = new GraphBuilder(2);
    const third = builder.addNode();
    builder.addEdge(third, 1);
    builder.addEdge(0, third);
    builder.addEdge(third, 0);
    const graph = builder.build();
    expect(graph.size).toBe(3);
    expect([...graph.edgesOf(third)]).toEqual([1, 0]);
    expect([...graph.edgesOf(1)]).toEqual([]);
  });

  test('refuses an edge to a node that it does not have', () => {
    expect(() => graphOf([[1]])).toThrow('edge 0 → 1 leaves a graph of 1 nodes');
  });

  test('turned round twice is itself', () => {
    const graph = graphOf([[1, 2], [2], [], [0, 0]]);
    expect([...reversed(graph).edgesOf(2)]).toEqual([0, 1]);
    expect(reversed(reversed(graph))).toEqual(graph);
  });
});

describe('orderOf', () => {
  test.each([
    ['no nodes', [], []],
    ['unrelated nodes stay in the order of their numbers', [[], [], []], [0, 1, 2]],
    ['a dependency comes first', [[1], [2], []], [2, 1, 0]],
    ['a diamond', [[1, 2], [3], [3], []], [3, 1, 2, 0]],
  ])('%s', (_, targets, expected) => {
    expect(order(targets)).toEqual(expected);
  });

  test('finds each cycle and a node that depends on itself', () => {
    const graph = graphOf([[1], [2], [0], [3], [0], [6], [5]]);
    expect(orderOf(graph).cycles).toEqual([[0, 1, 2], [3], [5, 6]]);
  });

  test('orders a chain of 200,000 nodes without overflowing the stack', () => {
    const size = 200_000;
    const builder = new GraphBuilder(size);
    for (let node = 1; node < size; node++) builder.addEdge(node - 1, node);
    expect(orderOf(builder.build()).order[0]).toBe(size - 1);
  });

  test('places every node after its dependencies, in any graph without cycles', () => {
    fc.assert(
      fc.property(acyclic, (graph) => {
        const { order, cycles } = orderOf(graph);
        const place = new Map([...order].map((node, index) => [node, index]));
        expect(cycles).toEqual([]);
        expect(place.size).toBe(graph.size);
        for (const [from, to] of edges(graph)) {
          expect(place.get(to)).toBeLessThan(place.get(from) ?? -1);
        }
      }),
    );
  });
});

describe('componentsOf', () => {
  test('two nodes share a component exactly when each reaches the other', () => {
    fc.assert(
      fc.property(any, (graph) => {
        const { of } = componentsOf(graph);
        for (let a = 0; a < graph.size; a++) {
          for (let b = 0; b < graph.size; b++) {
            const mutual = a === b || (reaches(graph, a, b) && reaches(graph, b, a));
            expect(of[a] === of[b]).toBe(mutual);
          }
        }
      }),
    );
  });

  test('an edge never leads to a later component', () => {
    fc.assert(
      fc.property(any, (graph) => {
        const { of } = componentsOf(graph);
        for (const [from, to] of edges(graph)) expect(of[to]).toBeLessThanOrEqual(of[from] ?? -1);
      }),
    );
  });
});

describe('cycleThrough', () => {
  test('returns a shortest cycle', () => {
    const graph = graphOf([[1], [2, 3], [3], [0]]);
    expect(cycleThrough(graph, 0)).toEqual([0, 1, 3]);
    expect(cycleThrough(graphOf([[0]]), 0)).toEqual([0]);
    expect(cycleThrough(graphOf([[1], []]), 0)).toBeUndefined();
  });
});

const any = fc
  .integer({ min: 1, max: 9 })
  .chain((size) =>
    fc.array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 3 }), {
      minLength: size,
      maxLength: size,
    }),
  )
  .map(graphOf);

const acyclic = fc
  .array(fc.array(fc.nat({ max: 20 }), { maxLength: 4 }), { maxLength: 20 })
  .map((lists) => graphOf(lists.map((list, node) => list.filter((target) => target < node))));

function* edges(graph: Graph): Generator<[number, number]> {
  for (let node = 0; node < graph.size; node++) {
    for (const target of graph.edgesOf(node)) yield [node, target];
  }
}

/** Returns true if a path of at least one edge leads from `from` to `to`; a simple reference implementation. */
function reaches(graph: Graph, from: number, to: number): boolean {
  const seen = new Set<number>();
  const queue = [...graph.edgesOf(from)];
  for (const node of queue) {
    if (seen.has(node)) continue;
    seen.add(node);
    queue.push(...graph.edgesOf(node));
  }
  return seen.has(to);
}
