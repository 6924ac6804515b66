import type { AbsResource, InstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import { Bug } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type { StateEvent } from './event.ts';
import { InstanceMap } from './instance-map.ts';
import { LayeredMapDraft } from './layered-map.ts';
import type {
  CheckResults,
  DeposedKey,
  InstanceState,
  OutputState,
  State,
  StoredObject,
} from './model.ts';
import {
  currentOf,
  deposedOf,
  readRecord,
  recordOf,
  Snapshot,
  snapshotOf,
  type InstanceRecord,
  type ResourceRecord,
  type Slot,
} from './snapshot.ts';

/** A state being changed by events; one owner. */
export class StateDraft {
  readonly #records: LayeredMapDraft<InstanceAddr, InstanceRecord>;
  readonly #resources: LayeredMapDraft<AbsResource, ResourceRecord>;
  #outputs: ReadonlyMap<string, OutputState>;
  #checks: CheckResults | undefined;
  #frozen: Snapshot | undefined;

  constructor(base: State) {
    const snapshot = snapshotOf(base);
    this.#records = new LayeredMapDraft(snapshot.records, () => new InstanceMap());
    this.#resources = new LayeredMapDraft(snapshot.resourceRecords);
    this.#outputs = snapshot.outputs;
    this.#checks = snapshot.checks;
    this.#frozen = snapshot;
  }

  /** The objects of an instance as they are now. */
  instance(address: InstanceAddr): InstanceState | undefined {
    const record = this.#records.get(address);
    if (record === undefined) return undefined;
    const resource = this.#resources.get(address.resource);
    return resource === undefined ? undefined : readRecord(record, resource.provider);
  }

  /** Returns true if an instance has a current object, or a deposed one with this key. Parses nothing. */
  hasObject(address: InstanceAddr, deposed?: DeposedKey): boolean {
    const record = this.#records.get(address);
    if (deposed === undefined) return currentOf(record) !== undefined;
    return deposedOf(record)?.has(deposed) === true;
  }

  /** Returns true if an instance has deposed objects. Parses nothing. */
  hasDeposed(address: InstanceAddr): boolean {
    return deposedOf(this.#records.get(address)) !== undefined;
  }

  /** Applies an event to the state, in constant time. */
  apply(event: StateEvent): void {
    if (event.kind === 'intent' || event.kind === 'invoke' || event.kind === 'settled') return;
    this.#frozen = undefined;
    switch (event.kind) {
      case 'put':
        this.#put(event.addr, event.deposed, event.object);
        break;
      case 'drop':
        this.#drop(event.addr, event.deposed);
        break;
      case 'depose': {
        const record = this.#records.get(event.addr);
        const current = currentOf(record);
        if (current === undefined) break;
        this.#set(
          event.addr,
          record,
          recordOf(undefined, withDeposed(deposedOf(record), event.as, current)),
          undefined,
        );
        break;
      }
      case 'restore': {
        const record = this.#records.get(event.addr);
        const deposed = deposedOf(record);
        const object = deposed?.get(event.from);
        if (object === undefined || currentOf(record) !== undefined) break;
        this.#set(
          event.addr,
          record,
          recordOf(object, withoutDeposed(deposed, event.from)),
          undefined,
        );
        break;
      }
      case 'move':
        this.#move(event.from, event.to);
        break;
      case 'outputs':
        this.#outputs = outputsOf(event.values);
        break;
      case 'checks':
        this.#checks = event.results;
        break;
      case 'batch':
        for (const each of event.events) this.apply(each);
        break;
      default: {
        const never: never = event;
        throw new Bug(`unknown state event ${JSON.stringify(never)}`);
      }
    }
  }

  #put(addr: InstanceAddr, deposedKey: DeposedKey | undefined, object: StoredObject): void {
    const record = this.#records.get(addr);
    this.#set(
      addr,
      record,
      deposedKey === undefined
        ? recordOf(object, deposedOf(record))
        : recordOf(currentOf(record), withDeposed(deposedOf(record), deposedKey, object)),
      object.provider,
    );
  }

  #drop(addr: InstanceAddr, deposedKey: DeposedKey | undefined): void {
    const record = this.#records.get(addr);
    if (record === undefined) return;
    this.#set(
      addr,
      record,
      deposedKey === undefined
        ? recordOf(undefined, deposedOf(record))
        : recordOf(currentOf(record), withoutDeposed(deposedOf(record), deposedKey)),
      undefined,
    );
  }

  /** Changes the provider configuration of a resource. */
  setProvider(resource: AbsResource, provider: ProviderConfigAddr): void {
    const resourceEntry = this.#resources.get(resource);
    if (resourceEntry === undefined || resourceEntry.provider === provider) return;
    this.#frozen = undefined;
    this.#resources.set(resource, { ...resourceEntry, provider });
  }

  /** Removes a resource that has no instances, which only statefiles of others hold. */
  dropEmptyResource(resource: AbsResource): void {
    const resourceEntry = this.#resources.get(resource);
    if (resourceEntry === undefined || resourceEntry.instances > 0) return;
    this.#frozen = undefined;
    this.#resources.delete(resource);
  }

  #move(from: InstanceAddr, to: InstanceAddr): void {
    if (from === to) return;
    const record = this.#records.get(from);
    if (record === undefined) return;
    const target = this.#records.get(to);
    if (target !== undefined) {
      throw new Bug(`cannot move ${from.text} to ${to.text}: objects are there already`);
    }
    // An instance that joins others has their provider from now on.
    const source = this.#resources.get(from.resource);
    const provider = this.#resources.get(to.resource) ?? source;
    this.#set(from, record, undefined, undefined);
    this.#set(to, undefined, record, provider?.provider, source?.keyed);
  }

  /** Replaces the record `before` of an instance, which is looked up by the caller. */
  #set(
    address: InstanceAddr,
    before: InstanceRecord | undefined,
    record: InstanceRecord | undefined,
    provider: ProviderConfigAddr | undefined,
    hasKeys: boolean | undefined = provider?.key !== undefined,
  ): void {
    const { resource } = address;
    const existed = before !== undefined;
    const exists = record !== undefined;
    if (exists) this.#records.set(address, record, !existed);
    else this.#records.delete(address);

    const resourceEntry = this.#resources.get(resource);
    const instances = (resourceEntry?.instances ?? 0) + Number(exists) - Number(existed);
    const newProvider = provider?.configuration ?? resourceEntry?.provider;
    const keyed = hasKeys || resourceEntry?.keyed === true;
    if (instances <= 0 || newProvider === undefined) this.#resources.delete(resource);
    else if (
      resourceEntry?.instances !== instances ||
      resourceEntry.provider !== newProvider ||
      (resourceEntry.keyed ?? false) !== keyed
    ) {
      this.#resources.set(resource, {
        provider: newProvider,
        instances,
        ...(keyed ? { keyed } : {}),
      });
    }
  }

  /** Returns the current state. Cheap; the draft remains usable. */
  freeze(): State {
    this.#frozen ??= new Snapshot(
      this.#outputs,
      this.#checks,
      this.#records.freeze(),
      this.#resources.freeze(),
    );
    return this.#frozen;
  }
}

function withDeposed(
  deposed: ReadonlyMap<DeposedKey, Slot> | undefined,
  key: DeposedKey,
  object: Slot,
): ReadonlyMap<DeposedKey, Slot> {
  const entries = [...(deposed ?? [])].filter(([other]) => other !== key);
  entries.push([key, object]);
  return new Map(entries.sort(([a], [b]) => compareText(a, b)));
}

function withoutDeposed(
  deposed: ReadonlyMap<DeposedKey, Slot> | undefined,
  key: DeposedKey,
): ReadonlyMap<DeposedKey, Slot> | undefined {
  if (deposed?.has(key) !== true) return deposed;
  const rest = new Map(deposed);
  rest.delete(key);
  return rest.size === 0 ? undefined : rest;
}

function outputsOf(values: ReadonlyMap<string, Value>): ReadonlyMap<string, OutputState> {
  const outputs = new Map<string, OutputState>();
  for (const [name, value] of [...values].sort(([a], [b]) => compareText(a, b))) {
    const sensitive = value.hasMarkDeep('sensitive');
    outputs.set(name, {
      value: value.containsMarked() ? value.unmarkDeep().value : value,
      sensitive,
    });
  }
  return outputs;
}

/** Returns the state after events; for recovery and tests. */
export function replay(base: State, events: Iterable<StateEvent>): State {
  const draft = new StateDraft(base);
  for (const event of events) draft.apply(event);
  return draft.freeze();
}
