import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReadyHeap } from './ready-heap.ts';

test('returns the highest priority first, and the lowest number of equal ones', () => {
  // Few priorities, so that nodes are often pushed in their order, as the instances of a resource are.
  const priorities = fc.array(fc.nat(2), { minLength: 1, maxLength: 40 });
  const actions = fc.array(fc.boolean(), { maxLength: 80 });
  fc.assert(
    fc.property(priorities, actions, fc.boolean(), (priority, pushes, isShuffled) => {
      const heap = new ReadyHeap(priority);
      const before = (a: number, b: number): number =>
        (priority[b] ?? 0) - (priority[a] ?? 0) || a - b;
      const nodes = priority.map((_, node) => node);
      if (isShuffled) nodes.reverse();
      const present: number[] = [];
      for (const isPush of [...pushes, ...nodes.map(() => false)]) {
        const node = isPush ? nodes.shift() : undefined;
        if (node === undefined) expect(heap.pop()).toBe(present.sort(before).shift());
        else {
          heap.push(node);
          present.push(node);
        }
        expect(heap.size).toBe(present.length);
      }
    }),
    { numRuns: 300 },
  );
});

test('returns many nodes that are pushed in their order', () => {
  const size = 10_000;
  const heap = new ReadyHeap(new Array<number>(size).fill(1));
  for (let node = 0; node < size; node++) heap.push(node);
  const popped = Array.from({ length: size }, (_, index) => {
    // One that is pushed again precedes the rest.
    if (index === 5000) heap.push(0);
    return heap.pop();
  });
  expect(popped.slice(0, 5000)).toEqual(Array.from({ length: 5000 }, (_, node) => node));
  expect(popped[5000]).toBe(0);
  expect(popped.at(-1)).toBe(size - 2);
  expect(heap.pop()).toBe(size - 1);
  expect(heap.pop()).toBeUndefined();
});
