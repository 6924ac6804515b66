import {
  AbsResource,
  type InstanceAddr,
  ProviderConfigAddr,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { describe, expect, it } from 'vitest';
import { StateDraft } from './draft.ts';
import type { StateEvent } from './event.ts';
import type { StoredObject } from './model.ts';
import { type RecoveredChange, RecoveredChanges } from './recovered-change.ts';
import { EMPTY_STATE } from './snapshot.ts';

const PROVIDER = ProviderConfigAddr.parse('provider["registry.terraform.io/hashicorp/null"]')!;

function address(name: string): InstanceAddr {
  const resource = ResourceAddr.of('managed', 'null_resource', name);
  return AbsResource.of(ROOT_INSTANCE, resource).instance(undefined);
}

function put(name: string, status: StoredObject['status'] = 'ready'): StateEvent {
  const object: StoredObject = {
    status,
    schemaVersion: 0,
    attributesJson: '{}',
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
    provider: PROVIDER,
  };
  return { kind: 'put', addr: address(name), object };
}

function drop(name: string, deposed?: string): StateEvent {
  return { kind: 'drop', addr: address(name), ...(deposed === undefined ? {} : { deposed }) };
}

/** The changes that events make of a state with the object null_resource.old. */
function changesOf(...events: readonly StateEvent[]): readonly RecoveredChange[] {
  const draft = new StateDraft(EMPTY_STATE);
  draft.apply(put('old'));
  const changes = new RecoveredChanges();
  for (const event of events) {
    changes.add(event, draft);
    draft.apply(event);
  }
  return changes.list();
}

describe('recovered changes', () => {
  it('name the last version of an object only, and whether it is tainted', () => {
    expect(changesOf(put('a', 'tainted'), put('b'), put('a'))).toEqual([
      { change: 'store', address: 'null_resource.a' },
      { change: 'store', address: 'null_resource.b' },
    ]);
    expect(changesOf(put('a'), put('a', 'tainted'))).toEqual([
      { change: 'store', address: 'null_resource.a', tainted: true },
    ]);
  });

  it('omit objects that were not in the state and no longer exist', () => {
    expect(changesOf(put('a'), drop('a'), drop('b'))).toEqual([]);
  });

  it('drop objects of the state, unless they were created again', () => {
    expect(changesOf(put('old'), drop('old'))).toEqual([
      { change: 'drop', address: 'null_resource.old' },
    ]);
    expect(changesOf(drop('old'), put('old'))).toEqual([
      { change: 'store', address: 'null_resource.old' },
    ]);
  });

  it('distinguish a deposed object from its replacement', () => {
    const depose: StateEvent = { kind: 'depose', addr: address('old'), as: '00000001' };
    const replaced = [
      { change: 'depose', address: 'null_resource.old', deposed: '00000001' },
      { change: 'store', address: 'null_resource.old' },
    ];
    expect(changesOf(depose, put('old'))).toEqual(replaced);
    expect(changesOf(depose, put('old'), drop('old', '00000001'))).toEqual([
      ...replaced,
      { change: 'drop', address: 'null_resource.old', deposed: '00000001' },
    ]);
    // The replacement failed: only the deposed object is left, and becomes the current one again.
    expect(
      changesOf(depose, drop('old'), { kind: 'restore', addr: address('old'), from: '00000001' }),
    ).toEqual([
      { change: 'depose', address: 'null_resource.old', deposed: '00000001' },
      { change: 'restore', address: 'null_resource.old', deposed: '00000001' },
    ]);
  });

  it('follow moves, and include outputs once', () => {
    const outputs: StateEvent = { kind: 'outputs', values: new Map() };
    expect(
      changesOf(
        outputs,
        { kind: 'move', from: address('old'), to: address('new') },
        drop('new'),
        outputs,
      ),
    ).toEqual([
      { change: 'outputs' },
      { change: 'move', address: 'null_resource.old', to: 'null_resource.new' },
      { change: 'drop', address: 'null_resource.new' },
    ]);
  });
});
