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
import { ObjectSlice } from './object-json.ts';

/** An object, or its position in its source buffer. */
export type Slot = StoredObject | ObjectSlice;

/** The objects of an instance with deposed objects. */
export class DeposedRecord {
  readonly current: Slot | undefined;
  /** sorted by key, not empty */
  readonly deposed: ReadonlyMap<DeposedKey, Slot>;

  constructor(current: Slot | undefined, deposed: ReadonlyMap<DeposedKey, Slot>) {
    this.current = current;
    this.deposed = deposed;
  }
}

/**
 * The objects of an instance, in the representation of a state. Few instances have deposed objects, and a state has as
 * many records as instances, so the current object alone is its own record.
 */
export type InstanceRecord = Slot | DeposedRecord;

/** Returns the record of these objects; `undefined` if there are none. */
export function recordOf(
  current: Slot | undefined,
  deposed: ReadonlyMap<DeposedKey, Slot> | undefined,
): InstanceRecord | undefined {
  return deposed === undefined ? current : new DeposedRecord(current, deposed);
}

/** Returns the current object of a record. */
export function currentOf(record: InstanceRecord | undefined): Slot | undefined {
  return record instanceof DeposedRecord ? record.current : record;
}

/** Returns the deposed objects of a record, sorted by key; `undefined` if there are none. */
export function deposedOf(
  record: InstanceRecord | undefined,
): ReadonlyMap<DeposedKey, Slot> | undefined {
  return record instanceof DeposedRecord ? record.deposed : undefined;
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
const NO_ADDRESSES: readonly InstanceAddr[] = [];

/** The objects of a record, all parsed. */
export function readRecord(record: InstanceRecord, provider: ProviderConfigAddr): InstanceState {
  if (!(record instanceof DeposedRecord))
    return { current: readSlot(record, provider), deposed: NO_DEPOSED };
  const deposed = new Map<DeposedKey, StoredObject>();
  for (const [key, slot] of record.deposed) deposed.set(key, readSlot(slot, provider));
  const { current } = record;
  return { current: current === undefined ? undefined : readSlot(current, provider), deposed };
}

function readSlot(slot: Slot, provider: ProviderConfigAddr): StoredObject {
  if (slot instanceof ObjectSlice) return slot.source.object(slot, provider);
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
  #byResource: ReadonlyMap<AbsResource, readonly InstanceAddr[]> | undefined;
  readonly #byKey = new Map<AbsResource, ReadonlyMap<InstanceKey, InstanceAddr>>();

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
    const addresses = this.instancesOf(resource);
    if (addresses.length === 0) return NO_INSTANCES;
    let byKey = this.#byKey.get(resource);
    if (byKey === undefined) {
      const made = new Map<InstanceKey, InstanceAddr>();
      for (const address of addresses) made.set(address.key, address);
      this.#byKey.set(resource, (byKey = made));
    }
    return byKey;
  }

  /** Returns the instances of one resource, in the order of their keys. */
  instancesOf(resource: AbsResource): readonly InstanceAddr[] {
    return this.#index().get(resource) ?? NO_ADDRESSES;
  }

  /**
   * Returns a function that returns the record of an instance. It follows the order of the entries, in which an apply has
   * usually added the instances of a resource: a look-up among many takes several times as long as the next entry.
   */
  recordsInOrder(): (address: InstanceAddr) => InstanceRecord | undefined {
    const entries = this.records.entries()[Symbol.iterator]();
    let next = entries.next();
    return (address) => {
      if (next.done === true || next.value[0] !== address) return this.records.get(address);
      const [, record] = next.value;
      next = entries.next();
      return record;
    };
  }

  resources(): readonly AbsResource[] {
    this.#sorted ??= this.#sortResources();
    return this.#sorted;
  }

  resourceProvider(resource: AbsResource): ProviderConfigAddr | undefined {
    return this.resourceRecords.get(resource)?.provider;
  }

  *instances(): Iterable<InstanceAddr> {
    for (const resource of this.resources()) yield* this.instancesOf(resource);
  }

  mayContain(text: string): boolean {
    // Objects of a file share its bytes, which are searched once.
    let searched: Uint8Array | undefined;
    const contains = (slot: Slot): boolean => {
      if (!(slot instanceof ObjectSlice)) return slot.attributesJson?.includes(text) === true;
      const { bytes } = slot.source.json;
      if (bytes === searched) return false;
      searched = bytes;
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      // The first character is mostly a quote, which is so frequent that a search for it is slow.
      return buffer.includes(text.slice(1)) && buffer.includes(text);
    };
    for (const [, record] of this.records.entries()) {
      // Most objects are of the file that was searched for the first one.
      if (record instanceof ObjectSlice && record.source.json.bytes === searched) continue;
      const current = currentOf(record);
      if (current !== undefined && contains(current)) return true;
      const deposed = deposedOf(record);
      if (deposed !== undefined && [...deposed.values()].some(contains)) return true;
    }
    return false;
  }

  *managedInstances(): Iterable<InstanceAddr> {
    for (const resource of this.resources())
      if (resource.resource.mode === 'managed') yield* this.instancesOf(resource);
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

  #index(): ReadonlyMap<AbsResource, readonly InstanceAddr[]> {
    if (this.#byResource !== undefined) return this.#byResource;
    const lists = new Map<AbsResource, InstanceAddr[]>();
    for (const [address] of this.records.entries()) {
      const list = lists.get(address.resource);
      if (list === undefined) lists.set(address.resource, [address]);
      else list.push(address);
    }
    for (const list of lists.values()) list.sort((a, b) => compareKeys(a.key, b.key));
    this.#byResource = lists;
    return lists;
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
