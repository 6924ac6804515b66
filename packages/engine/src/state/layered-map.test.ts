import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LayeredMap, LayeredMapDraft } from './layered-map.ts';

type Step =
  | { readonly kind: 'set'; readonly key: number; readonly value: number }
  | { readonly kind: 'delete'; readonly key: number }
  | { readonly kind: 'freeze' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key: fc.nat(20), value: fc.nat(5) }),
  fc.record({ kind: fc.constant('delete' as const), key: fc.nat(20) }),
  fc.record({ kind: fc.constant('freeze' as const) }),
);

describe('a layered map', () => {
  it('is a map, and each frozen one stays as it was', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const draft = new LayeredMapDraft<number, number>(LayeredMap.empty());
        const model = new Map<number, number>();
        const frozen: {
          readonly map: LayeredMap<number, number>;
          readonly copy: Map<number, number>;
        }[] = [];
        for (const each of steps) {
          if (each.kind === 'set') {
            draft.set(each.key, each.value);
            model.set(each.key, each.value);
          } else if (each.kind === 'delete') {
            draft.delete(each.key);
            model.delete(each.key);
          } else {
            frozen.push({ map: draft.freeze(), copy: new Map(model) });
          }
          expect(draft.size).toBe(model.size);
        }
        frozen.push({ map: draft.freeze(), copy: model });
        for (const { map, copy } of frozen) {
          expect(map.size).toBe(copy.size);
          expect(new Map(map.entries())).toEqual(copy);
          for (let key = 0; key <= 20; key++) expect(map.get(key)).toBe(copy.get(key));
        }
      }),
    );
  });

  it('keeps the number of layers small', () => {
    const draft = new LayeredMapDraft<number, number>(LayeredMap.empty());
    let most = 0;
    for (let i = 0; i < 10_000; i++) {
      draft.set(i, i);
      most = Math.max(most, draft.freeze().layers.length);
    }
    expect(most).toBeLessThanOrEqual(15);
  });
});
