import type { Attribute } from '../model.ts';
import type { Range } from '../source/source.ts';

/** An attribute of the native syntax. */
export interface NativeAttribute extends Attribute {
  readonly equalsRange: Range;
}

/** The number of attributes up to which a linear search is faster than a map. */
const FEW = 8;
const NONE: readonly NativeAttribute[] = [];

/** The attributes of a body by name, in source order. Most bodies have few, for which a map is created only if iterated. */
export class AttributeList implements ReadonlyMap<string, NativeAttribute> {
  /** the attributes in order; only {@link add} changes them */
  items: readonly NativeAttribute[];
  #byName: Map<string, NativeAttribute> | undefined;

  /** @param items the attributes, whose names differ; the list owns the array */
  constructor(items: readonly NativeAttribute[] = NONE) {
    this.items = items;
  }

  get size(): number {
    return this.items.length;
  }

  /** Adds an attribute whose name is new. */
  add(attribute: NativeAttribute): void {
    // An array that was pushed to has room for 16 more elements.
    if (this.items.length === 0) this.items = [attribute];
    else (this.items as NativeAttribute[]).push(attribute);
    this.#byName?.set(attribute.name, attribute);
  }

  get(name: string): NativeAttribute | undefined {
    const { items } = this;
    if (items.length > FEW) return this.#map().get(name);
    for (let i = 0; i < items.length; i++) if (items[i]?.name === name) return items[i];
    return undefined;
  }

  has(name: string): boolean {
    const { items } = this;
    if (items.length > FEW) return this.#map().has(name);
    for (let i = 0; i < items.length; i++) if (items[i]?.name === name) return true;
    return false;
  }

  forEach(
    visit: (
      attribute: NativeAttribute,
      name: string,
      list: ReadonlyMap<string, NativeAttribute>,
    ) => void,
  ): void {
    for (let i = 0; i < this.items.length; i++) {
      const attribute = this.items[i] as NativeAttribute;
      visit(attribute, attribute.name, this);
    }
  }

  entries(): MapIterator<[string, NativeAttribute]> {
    return this.#map().entries();
  }

  keys(): MapIterator<string> {
    return this.#map().keys();
  }

  values(): MapIterator<NativeAttribute> {
    return this.#map().values();
  }

  [Symbol.iterator](): MapIterator<[string, NativeAttribute]> {
    return this.entries();
  }

  #map(): Map<string, NativeAttribute> {
    return (this.#byName ??= new Map(this.items.map((attribute) => [attribute.name, attribute])));
  }
}
