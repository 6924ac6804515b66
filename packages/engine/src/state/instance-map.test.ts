import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InstanceMap } from './instance-map.ts';

const resources = ['a', 'b'].map((name) =>
  AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'test_thing', name)),
);
const key: fc.Arbitrary<InstanceKey> = fc.oneof(
  fc.constant(undefined),
  fc.nat(5),
  fc.constantFrom(-1, 0.5, 1e6, 2 ** 40),
  fc.constantFrom('0', 'x', '__proto__'),
);
const addr = fc
  .tuple(fc.constantFrom(...resources), key)
  .map(([resource, each]) => resource.instance(each));
const step = fc.record({ addr, value: fc.option(fc.nat(3), { nil: undefined }) });

/** Applies steps to a map: sets the values, and deletes without one. */
function apply(
  map: InstanceMap<number> | Map<InstanceAddr, number>,
  steps: readonly { readonly addr: InstanceAddr; readonly value: number | undefined }[],
): readonly boolean[] {
  return steps.map((each) => {
    if (each.value === undefined) return map.delete(each.addr);
    return map.set(each.addr, each.value) === map;
  });
}

const byText = (a: InstanceAddr, b: InstanceAddr): number => (a.text < b.text ? -1 : 1);

const ascending = (a: number, b: number): number => a - b;

describe('a map by instance', () => {
  it('has the entries of a map', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = new InstanceMap<number>();
        const model = new Map<InstanceAddr, number>();
        expect(apply(map, steps)).toEqual(apply(model, steps));
        expect(map.size).toBe(model.size);
        expect(new Map(map)).toEqual(model);
        expect([...map.keys()].sort(byText)).toEqual([...model.keys()].sort(byText));
        expect([...map.values()].sort(ascending)).toEqual([...model.values()].sort(ascending));
        const visited = new Map<InstanceAddr, number>();
        map.forEach((value, each) => visited.set(each, value));
        expect(visited).toEqual(model);
        for (const each of steps) {
          expect(map.get(each.addr)).toBe(model.get(each.addr));
          expect(map.has(each.addr)).toBe(model.has(each.addr));
        }
      }),
    );
  });

  it('keeps the entries of a resource together, numbered ones in order', () => {
    const [a, b] = resources;
    if (a === undefined || b === undefined) throw new Error('no resources');
    const map = new InstanceMap<number>();
    for (const each of [
      a.instance(0),
      b.instance(0),
      a.instance(1),
      b.instance('k'),
      b.instance(1),
    ])
      map.set(each, 1);
    expect([...map.keys()].map(({ text }) => text)).toEqual([
      'test_thing.a[0]',
      'test_thing.a[1]',
      'test_thing.b[0]',
      'test_thing.b[1]',
      'test_thing.b["k"]',
    ]);
  });
});
