import {
  type AbsResource,
  compareKeys,
  type InstanceAddr,
  type InstanceKey,
  type ProviderConfigAddr,
} from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import { LayeredMap } from './layered-map.ts';
import type {
  CheckResults,
  DeposedKey,
  InstanceState,
  OutputState,
  State,
  StoredObject,
} from './model.ts';
import { ObjectSlice, readSlice } from './object-json.ts';

/** An object, or its position in its source buffer. */
export type Slot = StoredObject | ObjectSlice;

/** The objects of an instance, in the representation of a state. */
export interface InstanceRecord {
  readonly current: Slot | undefined;
  /** sorted by key; `undefined` when empty */
  readonly deposed: ReadonlyMap<DeposedKey, Slot> | undefined;
}

/** The data of a resource that its instances share. */
export interface ResourceRecord {
  /** the configuration; its instance is stored with each object */
  readonly provider: ProviderConfigAddr;
  /** true if objects may belong to instances of the configuration */
  readonly keyed?: boolean;
  /** number of its instances; a statefile may hold resources without any */
  readonly instances: number;
}

const NO_DEPOSED: ReadonlyMap<DeposedKey, StoredObject> = new Map();
const NO_INSTANCES: ReadonlyMap<InstanceKey, InstanceAddr> = new Map();

/** The objects of a record, all parsed. */
export function readRecord(record: InstanceRecord, provider: ProviderConfigAddr): InstanceState {
  let deposed = NO_DEPOSED;
  if (record.deposed !== undefined) {
    const read = new Map<DeposedKey, StoredObject>();
    for (const [key, slot] of record.deposed) read.set(key, readSlot(slot, provider));
    deposed = read;
  }
  return {
    current: record.current === undefined ? undefined : readSlot(record.current, provider),
    deposed,
  };
}

function readSlot(slot: Slot, provider: ProviderConfigAddr): StoredObject {
  if (slot instanceof ObjectSlice) return readSlice(slot, provider);
  const ownProvider = provider.instance(slot.provider.key);
  return slot.provider === ownProvider ? slot : { ...slot, provider: ownProvider };
}

/** The only implementation of `State`. */
export class Snapshot implements State {
  readonly outputs: ReadonlyMap<string, OutputState>;
  readonly checks: CheckResults | undefined;
  /** records by instance */
  readonly records: LayeredMap<InstanceAddr, InstanceRecord>;
  /** resources, also those without instances */
  readonly resourceRecords: LayeredMap<AbsResource, ResourceRecord>;
  #sorted: readonly AbsResource[] | undefined;
  #byResource: ReadonlyMap<AbsResource, ReadonlyMap<InstanceKey, InstanceAddr>> | undefined;

  constructor(
    outputs: ReadonlyMap<string, OutputState>,
    checks: CheckResults | undefined,
    records: LayeredMap<InstanceAddr, InstanceRecord>,
    resourceRecords: LayeredMap<AbsResource, ResourceRecord>,
  ) {
    this.outputs = outputs;
    this.checks = checks;
    this.records = records;
    this.resourceRecords = resourceRecords;
  }

  instance(address: InstanceAddr): InstanceState | undefined {
    const record = this.records.get(address);
    if (record === undefined) return undefined;
    const resource = this.resourceRecords.get(address.resource);
    return resource === undefined ? undefined : readRecord(record, resource.provider);
  }

  resourceInstances(resource: AbsResource): ReadonlyMap<InstanceKey, InstanceAddr> {
    return this.#index().get(resource) ?? NO_INSTANCES;
  }

  resources(): readonly AbsResource[] {
    this.#sorted ??= this.#sortResources();
    return this.#sorted;
  }

  resourceProvider(resource: AbsResource): ProviderConfigAddr | undefined {
    return this.resourceRecords.get(resource)?.provider;
  }

  *instances(): Iterable<InstanceAddr> {
    const index = this.#index();
    for (const resource of this.resources()) {
      const instances = index.get(resource);
      if (instances !== undefined) yield* instances.values();
    }
  }

  mayContain(text: string): boolean {
    // Objects of a file share its bytes, which are searched once.
    let searched: Uint8Array | undefined;
    const contains = (slot: Slot): boolean => {
      if (!(slot instanceof ObjectSlice)) return slot.attributesJson?.includes(text) === true;
      const { bytes } = slot.source.json;
      if (bytes === searched) return false;
      searched = bytes;
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text);
    };
    for (const [, { current, deposed }] of this.records.entries()) {
      if (current !== undefined && contains(current)) return true;
      if (deposed !== undefined && [...deposed.values()].some(contains)) return true;
    }
    return false;
  }

  *managedInstances(): Iterable<InstanceAddr> {
    const index = this.#index();
    for (const resource of this.resources()) {
      if (resource.resource.mode !== 'managed') continue;
      const instances = index.get(resource);
      if (instances !== undefined) yield* instances.values();
    }
  }

  get instanceCount(): number {
    return this.records.size;
  }

  get isEmpty(): boolean {
    return this.resourceRecords.size === 0 && this.outputs.size === 0;
  }

  #sortResources(): readonly AbsResource[] {
    const resources: AbsResource[] = [];
    for (const [resource] of this.resourceRecords.entries()) resources.push(resource);
    return resources.sort(compareInFile);
  }

  #index(): ReadonlyMap<AbsResource, ReadonlyMap<InstanceKey, InstanceAddr>> {
    if (this.#byResource !== undefined) return this.#byResource;
    const lists = new Map<AbsResource, InstanceAddr[]>();
    for (const [address] of this.records.entries()) {
      const list = lists.get(address.resource);
      if (list === undefined) lists.set(address.resource, [address]);
      else list.push(address);
    }
    const index = new Map<AbsResource, ReadonlyMap<InstanceKey, InstanceAddr>>();
    for (const [resource, list] of lists) {
      list.sort((a, b) => compareKeys(a.key, b.key));
      index.set(resource, new Map(list.map((address) => [address.key, address])));
    }
    this.#byResource = index;
    return index;
  }
}

/** Order of resources in a statefile: by texts of module address, mode, type and name. */
function compareInFile(a: AbsResource, b: AbsResource): number {
  return (
    compareText(a.module.text, b.module.text) ||
    compareText(a.resource.mode, b.resource.mode) ||
    compareText(a.resource.type, b.resource.type) ||
    compareText(a.resource.name, b.resource.name)
  );
}

/** A state without objects and outputs. */
export const EMPTY_STATE: State = new Snapshot(
  new Map(),
  undefined,
  LayeredMap.empty(),
  LayeredMap.empty(),
);

/** Returns the implementation of a state, of which there is only one. */
export function snapshotOf(state: State): Snapshot {
  if (state instanceof Snapshot) return state;
  throw new TypeError('a State can only be made by this package');
}
