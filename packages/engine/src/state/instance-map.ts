import type { AbsResource, InstanceAddr, InstanceKey } from '@terrane/addresses';

/** The values of the instances of one resource. */
interface ResourceValues<V> {
  /** the value of the instance without a key */
  single: V | undefined;
  /** the values of the instances with the keys 0, 1, … in order; undefined after a deletion */
  readonly numbered: (V | undefined)[];
  /** the values of all other instances */
  others: Map<InstanceKey, V> | undefined;
}

/**
 * A map by instance that has one array for the numbered instances of a resource: a `Map` of a million instances takes
 * five times the memory, and each access reads memory that is in no cache. The entries of a resource follow each other,
 * numbered ones in the order of their keys. Values cannot be undefined or null.
 */
export class InstanceMap<V extends {}> implements ReadonlyMap<InstanceAddr, V> {
  readonly #resources = new Map<AbsResource, ResourceValues<V>>();
  /** The resource of the last access: most accesses are to the same one as the one before. */
  #lastResource: AbsResource | undefined;
  #last: ResourceValues<V> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ resource, key }: InstanceAddr): V | undefined {
    const values = resource === this.#lastResource ? this.#last : this.#find(resource);
    if (values === undefined) return undefined;
    if (key === undefined) return values.single;
    const numbered = typeof key === 'number' ? values.numbered[key] : undefined;
    return numbered ?? values.others?.get(key);
  }

  has(addr: InstanceAddr): boolean {
    return this.get(addr) !== undefined;
  }

  set({ resource, key }: InstanceAddr, value: V): this {
    const found = resource === this.#lastResource ? this.#last : this.#find(resource);
    const values = found ?? this.#add(resource);
    const { numbered, others } = values;
    if (key === undefined) {
      if (values.single === undefined) this.#size++;
      values.single = value;
    } else if (
      // The place of an element or the end of the list. States may have keys such as -1.
      typeof key === 'number' &&
      key >>> 0 === key &&
      key <= numbered.length &&
      others?.has(key) !== true
    ) {
      if (numbered[key] === undefined) this.#size++;
      numbered[key] = value;
    } else {
      if (others?.has(key) !== true) this.#size++;
      (values.others ??= new Map()).set(key, value);
    }
    return this;
  }

  /** Returns true if the map contained the instance. */
  delete(addr: InstanceAddr): boolean {
    const values = this.#find(addr.resource);
    if (values === undefined || !this.has(addr)) return false;
    this.#size--;
    const { key } = addr;
    if (key === undefined) values.single = undefined;
    else if (values.others?.delete(key) !== true && typeof key === 'number')
      values.numbered[key] = undefined;
    return true;
  }

  #find(resource: AbsResource): ResourceValues<V> | undefined {
    const values = this.#resources.get(resource);
    if (values !== undefined) this.#remember(resource, values);
    return values;
  }

  #add(resource: AbsResource): ResourceValues<V> {
    const values: ResourceValues<V> = { single: undefined, numbered: [], others: undefined };
    this.#resources.set(resource, values);
    this.#remember(resource, values);
    return values;
  }

  #remember(resource: AbsResource, values: ResourceValues<V>): void {
    this.#lastResource = resource;
    this.#last = values;
  }

  *entries(): MapIterator<[InstanceAddr, V]> {
    for (const [resource, { single, numbered, others }] of this.#resources) {
      if (single !== undefined) yield [resource.instance(undefined), single];
      for (let key = 0; key < numbered.length; key++) {
        const value = numbered[key];
        if (value !== undefined) yield [resource.instance(key), value];
      }
      if (others === undefined) continue;
      for (const [key, value] of others) yield [resource.instance(key), value];
    }
  }

  *keys(): MapIterator<InstanceAddr> {
    for (const [addr] of this.entries()) yield addr;
  }

  *values(): MapIterator<V> {
    for (const { single, numbered, others } of this.#resources.values()) {
      if (single !== undefined) yield single;
      for (let key = 0; key < numbered.length; key++) {
        const value = numbered[key];
        if (value !== undefined) yield value;
      }
      if (others !== undefined) yield* others.values();
    }
  }

  forEach(visit: (value: V, addr: InstanceAddr, map: ReadonlyMap<InstanceAddr, V>) => void): void {
    for (const [addr, value] of this.entries()) visit(value, addr, this);
  }

  [Symbol.iterator](): MapIterator<[InstanceAddr, V]> {
    return this.entries();
  }
}
