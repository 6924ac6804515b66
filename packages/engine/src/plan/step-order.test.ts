import { expect, it } from 'vitest';
import { StepOrder } from './step-order.ts';

/** An order of steps without edges, each of a resource of its own. */
function orderOf(count: number): {
  order: StepOrder;
  resolve: () => readonly (readonly number[])[];
} {
  const order = new StepOrder();
  for (let step = 0; step < count; step++) order.addStep([]);
  return { order, resolve: () => order.resolve((step) => `r${step}`) };
}

it('keeps all edges without a cycle', () => {
  const { order, resolve } = orderOf(3);
  order.require(1, 0);
  order.prefer({ later: 2, earlier: 1, class: 'shrinking', resource: 'r2' });
  expect(resolve()).toEqual([[], [0], [1]]);
});

it('drops the lowest class of a cycle, and only as many classes as are needed', () => {
  const { order, resolve } = orderOf(3);
  order.prefer({ later: 1, earlier: 0, class: 'dependents', resource: 'r1' });
  order.prefer({ later: 2, earlier: 1, class: 'updates', resource: 'r2' });
  order.prefer({ later: 0, earlier: 2, class: 'readability', resource: 'r0' });
  expect(resolve()).toEqual([[], [0], [1]]);
});

it('keeps edges of a dropped class that lead out of the component', () => {
  const { order, resolve } = orderOf(4);
  order.require(1, 0);
  order.prefer({ later: 0, earlier: 1, class: 'updates', resource: 'r0' });
  order.prefer({ later: 2, earlier: 0, class: 'updates', resource: 'r0' });
  order.prefer({ later: 3, earlier: 2, class: 'shrinking', resource: 'r0' });
  expect(resolve()).toEqual([[], [0], [0], [2]]);
});

it('resolves each component with its own class', () => {
  const { order, resolve } = orderOf(4);
  order.require(1, 0);
  order.prefer({ later: 0, earlier: 1, class: 'orphans', resource: 'r0' });
  order.require(3, 2);
  order.prefer({ later: 2, earlier: 3, class: 'shrinking', resource: 'r2' });
  expect(resolve()).toEqual([[], [0], [], [2]]);
});

it('replaces all edges of a resource by their alternatives once one of them is dropped', () => {
  const { order, resolve } = orderOf(4);
  order.require(1, 0);
  order.prefer({ later: 0, earlier: 1, class: 'storedPlacement', resource: 'r0' });
  order.prefer({ later: 2, earlier: 1, class: 'storedPlacement', resource: 'r0' });
  order.prefer({ later: 3, earlier: 1, class: 'storedPlacement', resource: 'r3' });
  order.provide({ later: 2, earlier: 0, replaces: 'storedPlacement', resource: 'r0' });
  order.provide({ later: 0, earlier: 3, replaces: 'storedPlacement', resource: 'r3' });
  expect(resolve()).toEqual([[], [0], [0], [1]]);
});

it('an alternative with a class can be dropped in turn', () => {
  const { order, resolve } = orderOf(2);
  order.require(1, 0);
  order.prefer({ later: 0, earlier: 1, class: 'storedPlacement', resource: 'r0' });
  order.provide({
    later: 0,
    earlier: 1,
    replaces: 'storedPlacement',
    class: 'dependents',
    resource: 'r0',
  });
  expect(resolve()).toEqual([[], [0]]);
});

it('an edge can have a class in some components only', () => {
  for (const isThere of [true, false]) {
    const { order, resolve } = orderOf(2);
    order.prefer({
      later: 0,
      earlier: 1,
      resource: 'r0',
      within: { class: 'providers', applies: (resources) => resources.has('r1') === isThere },
    });
    order.require(1, 0);
    expect(resolve()).toEqual(isThere ? [[], [0]] : [[1], [0]]);
  }
});
