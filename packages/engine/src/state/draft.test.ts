import {
  AbsResource,
  type InstanceAddr,
  ProviderConfigAddr,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay, StateDraft } from './draft.ts';
import { sameState } from './equal.ts';
import type { StateEvent } from './event.ts';
import { eventFromJson, eventToJson } from './event-json.ts';
import type { State, StoredObject } from './model.ts';
import { EMPTY_STATE } from './snapshot.ts';
import { readStateFile } from './statefile-read.ts';
import { stateFileBytes } from './statefile-write.ts';

const PROVIDERS = ['a', 'b'].map((name) =>
  ProviderConfigAddr.parse(`provider["registry.terraform.io/hashicorp/${name}"]`)!,
);
const MODULES = [ROOT_INSTANCE, ROOT_INSTANCE.child('m', 0).child('n', 'k"<')];
const ADDRESSES: readonly InstanceAddr[] = MODULES.flatMap((module) =>
  ['x', 'y'].flatMap((name) => {
    const resource = AbsResource.of(module, ResourceAddr.of('managed', 'null_resource', name));
    return [undefined, 0, 1, 'a', 'é'].map((key) => resource.instance(key));
  }),
);

function bytesOf(state: State): string {
  return new TextDecoder().decode(
    stateFileBytes({ state, lineage: '', serial: 0, terraformVersion: '' }),
  );
}

const address = fc.constantFrom(...ADDRESSES);
const deposed = fc.constantFrom('00000001', '00000002');
const object: fc.Arbitrary<StoredObject> = fc
  .record({
    tainted: fc.boolean(),
    schemaVersion: fc.nat(3),
    attributes: fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'binary' }), fc.integer())),
    flat: fc.boolean(),
    private: fc.option(fc.uint8Array({ minLength: 1 }), { nil: undefined }),
    dependencies: fc.subarray(['null_resource.x', 'module.m.null_resource.y', 'data.a.b']),
    createBeforeDestroy: fc.boolean(),
    provider: fc.constantFrom(...PROVIDERS),
  })
  .map((r) => ({
    status: r.tainted ? 'tainted' : 'ready',
    schemaVersion: r.schemaVersion,
    ...(r.flat
      ? { attributesFlat: { id: 'x' } }
      : { attributesJson: JSON.stringify(r.attributes) }),
    sensitivePaths: [],
    ...(r.private === undefined ? {} : { private: r.private }),
    dependencies: r.dependencies,
    createBeforeDestroy: r.createBeforeDestroy,
    provider: r.provider,
  }));
const simple: fc.Arbitrary<StateEvent> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), addr: address, object }),
  fc.record({ kind: fc.constant('put' as const), addr: address, deposed, object }),
  fc.record({ kind: fc.constant('drop' as const), addr: address }),
  fc.record({ kind: fc.constant('drop' as const), addr: address, deposed }),
  fc.record({ kind: fc.constant('depose' as const), addr: address, as: deposed }),
  fc.record({ kind: fc.constant('restore' as const), addr: address, from: deposed }),
  fc.record({
    kind: fc.constant('intent' as const),
    step: fc.nat(),
    action: fc.string(),
    addr: address,
    planned: object,
  }),
);
const event: fc.Arbitrary<StateEvent> = fc.oneof(
  { weight: 8, arbitrary: simple },
  fc.record({ kind: fc.constant('batch' as const), events: fc.array(simple, { maxLength: 3 }) }),
);

describe('events and states', () => {
  it('reduce and replay agree for all events and freezes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(event, fc.boolean()), { maxLength: 60 }),
        fc.nat(10),
        (steps, reread) => {
          const draft = new StateDraft(EMPTY_STATE);
          const frozen: { state: State; text: string; n: number }[] = [];
          steps.forEach(([each, freeze], i) => {
            draft.apply(each);
            if (freeze) {
              const state = draft.freeze();
              frozen.push({ state, text: bytesOf(state), n: i + 1 });
            }
          });
          const events = steps.map(([each]) => each);
          const recorded = events.map((each) =>
            eventFromJson(new TextEncoder().encode(eventToJson(each))),
          );
          const end = draft.freeze();
          expect(bytesOf(replay(EMPTY_STATE, recorded))).toBe(bytesOf(end));
          for (const { state, text, n } of frozen) {
            // The frozen state has not changed, and equals the replay of its events.
            expect(bytesOf(state)).toBe(text);
            expect(bytesOf(replay(EMPTY_STATE, recorded.slice(0, n)))).toBe(text);
          }
          // The same on top of a state that was read from a file.
          const at = frozen[reread % Math.max(1, frozen.length)];
          if (at === undefined) return;
          const file = readStateFile(new TextEncoder().encode(at.text)).file;
          expect(file === undefined ? '' : bytesOf(file.state)).toBe(at.text);
          expect(sameState(file!.state, at.state)).toBe(true);
          expect(bytesOf(replay(file!.state, recorded.slice(at.n)))).toBe(bytesOf(end));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('counts, lists and finds objects', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.boolean()), { maxLength: 60 }), (steps) => {
        const draft = new StateDraft(EMPTY_STATE);
        for (const [each, freeze] of steps) {
          draft.apply(each);
          if (freeze) draft.freeze();
        }
        const state = draft.freeze();
        const listed = [...state.instances()];
        expect(listed.length).toBe(state.instanceCount);
        expect(new Set(listed).size).toBe(listed.length);
        for (const each of ADDRESSES) {
          const instance = state.instance(each);
          expect(instance !== undefined).toBe(listed.includes(each));
          expect(state.resourceInstances(each.resource).has(each.key)).toBe(instance !== undefined);
          expect(draft.instance(each)).toEqual(instance);
          expect(draft.hasObject(each)).toBe(instance?.current !== undefined);
          for (const key of ['00000001', '00000002'])
            expect(draft.hasObject(each, key)).toBe(instance?.deposed.has(key) ?? false);
          if (instance !== undefined) {
            expect(instance.current !== undefined || instance.deposed.size > 0).toBe(true);
          }
        }
        for (const resource of state.resources()) {
          expect(state.resourceInstances(resource).size).toBeGreaterThan(0);
        }
        expect(state.isEmpty).toBe(listed.length === 0);
      }),
      { numRuns: 150 },
    );
  });

  it('moves an instance with all its objects, and refuses to overwrite', () => {
    const [from, to] = [ADDRESSES[0]!, ADDRESSES[6]!];
    const storedObject: StoredObject = {
      status: 'ready',
      schemaVersion: 0,
      attributesJson: '{}',
      sensitivePaths: [],
      dependencies: [],
      createBeforeDestroy: false,
      provider: PROVIDERS[0]!,
    };
    const base = replay(EMPTY_STATE, [
      { kind: 'put', addr: from, object: storedObject },
      { kind: 'put', addr: from, deposed: '00000001', object: storedObject },
    ]);
    const moved = replay(base, [{ kind: 'move', from, to }]);
    expect(moved.instance(from)).toBeUndefined();
    expect(moved.instance(to)).toEqual(base.instance(from));
    expect(moved.instanceCount).toBe(1);
    const both = replay(base, [{ kind: 'put', addr: to, object: storedObject }]);
    expect(() => replay(both, [{ kind: 'move', from, to }])).toThrow('objects are there already');
  });

  it('is frozen after each event without a copy of the whole', () => {
    const resource = ADDRESSES[0]!.resource;
    const putEvent = (i: number): StateEvent => ({
      kind: 'put',
      addr: resource.instance(i),
      object: {
        status: 'ready',
        schemaVersion: 0,
        attributesJson: `{"i":${i}}`,
        sensitivePaths: [],
        dependencies: [],
        createBeforeDestroy: false,
        provider: PROVIDERS[0]!,
      },
    });
    const draft = new StateDraft(EMPTY_STATE);
    const count = 100_000;
    for (let i = 0; i < count; i++) draft.apply(putEvent(i));
    for (let i = 0; i < count; i++) {
      draft.apply(putEvent(i));
      draft.freeze();
    }
    expect(draft.freeze().instance(resource.instance(count - 1))).toBeDefined();
  });
});
