/** Represents a key of a lower layer that this one removes. */
const GONE: unique symbol = Symbol('gone');

type Layer<K, V> = ReadonlyMap<K, V | typeof GONE>;

/** A layer that is being changed: a `Map`, or one for a special kind of keys. */
export interface MutableLayer<K, V> extends Layer<K, V> {
  set(key: K, value: V | typeof GONE): unknown;
  delete(key: K): boolean;
}

type NewLayer<K, V> = () => MutableLayer<K, V>;

/**
 * An immutable map of layers, newest last, each at most half as large as the one below. A draft adds a layer, so that
 * neither freezing nor continuing copies unchanged entries; lookups take logarithmic time.
 */
export class LayeredMap<K, V> {
  static readonly #empty: LayeredMap<never, never> = new LayeredMap<never, never>([], 0);
  readonly layers: readonly Layer<K, V>[];
  readonly size: number;

  private constructor(layers: readonly Layer<K, V>[], size: number) {
    this.layers = layers;
    this.size = size;
  }

  /** The map without entries. */
  static empty<K, V>(): LayeredMap<K, V> {
    return LayeredMap.#empty as unknown as LayeredMap<K, V>; // it holds neither keys nor values
  }

  /** Returns a map with these entries, of which it takes ownership. */
  static of<K, V>(entries: ReadonlyMap<K, V>): LayeredMap<K, V> {
    return entries.size === 0 ? LayeredMap.empty() : new LayeredMap([entries], entries.size);
  }

  get(key: K): V | undefined {
    for (let i = this.layers.length - 1; i >= 0; i--) {
      const entry = this.layers[i]?.get(key);
      if (entry !== undefined) return entry === GONE ? undefined : entry;
    }
    return undefined;
  }

  /** Returns all entries, in unspecified order. */
  entries(): Iterable<readonly [K, V]> {
    const [only] = this.layers;
    // The lowest layer removes nothing, so a single one is iterated directly.
    return only !== undefined && this.layers.length === 1
      ? (only as ReadonlyMap<K, V>)
      : this.#visibleEntries();
  }

  *#visibleEntries(): Iterable<readonly [K, V]> {
    const { layers } = this;
    for (let i = 0; i < layers.length; i++) {
      for (const [key, value] of layers[i] ?? []) {
        if (value !== GONE && !this.#coveredAbove(i, key)) yield [key, value];
      }
    }
  }

  #coveredAbove(layer: number, key: K): boolean {
    for (let i = layer + 1; i < this.layers.length; i++) {
      if (this.layers[i]?.has(key) === true) return true;
    }
    return false;
  }

  /**
   * Returns this map with one more layer, of which it takes ownership. Layers that it merges become one that `newLayer`
   * creates.
   */
  over(top: Layer<K, V>, size: number, newLayer: NewLayer<K, V>): LayeredMap<K, V> {
    if (top.size === 0) return this;
    // A destroy leaves nothing, so there is nothing to merge.
    if (size === 0) return LayeredMap.empty();
    const layers = [...this.layers];
    let newest = top;
    for (;;) {
      const below = layers.at(-1);
      if (below === undefined || below.size >= newest.size * 2) break;
      layers.pop();
      const merged = newLayer();
      for (const [key, value] of below) merged.set(key, value);
      const isLowest = layers.length === 0;
      for (const [key, value] of newest) {
        if (value === GONE && isLowest) merged.delete(key);
        else merged.set(key, value);
      }
      newest = merged;
    }
    if (layers.length === 0) newest = withoutRemoved(newest, newLayer);
    layers.push(newest);
    return new LayeredMap(layers, size);
  }
}

function withoutRemoved<K, V>(layer: Layer<K, V>, newLayer: NewLayer<K, V>): Layer<K, V> {
  let isRemoved = false;
  for (const value of layer.values()) {
    if (value === GONE) {
      isRemoved = true;
      break;
    }
  }
  if (!isRemoved) return layer;
  const remaining = newLayer();
  for (const [key, value] of layer) if (value !== GONE) remaining.set(key, value);
  return remaining;
}

/** A map being changed; one owner. */
export class LayeredMapDraft<K, V> {
  #base: LayeredMap<K, V>;
  readonly #newLayer: NewLayer<K, V>;
  #top: MutableLayer<K, V>;
  #size: number;

  /** @param newLayer creates a layer; a `Map` by default */
  constructor(base: LayeredMap<K, V>, newLayer: NewLayer<K, V> = () => new Map()) {
    this.#base = base;
    this.#newLayer = newLayer;
    this.#top = newLayer();
    this.#size = base.size;
  }

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    const entry = this.#top.get(key);
    if (entry !== undefined) return entry === GONE ? undefined : entry;
    return this.#base.get(key);
  }

  /** Sets an entry. `isNew`: true if the map has none of this key; callers that know it spare a lookup. */
  set(key: K, value: V, isNew: boolean = this.get(key) === undefined): void {
    if (isNew) this.#size++;
    this.#top.set(key, value);
  }

  delete(key: K): void {
    if (this.get(key) === undefined) return;
    this.#size--;
    if (this.#base.get(key) === undefined) this.#top.delete(key);
    else this.#top.set(key, GONE);
  }

  /** Returns the current map; the draft continues from it. */
  freeze(): LayeredMap<K, V> {
    if (this.#top.size > 0) {
      this.#base = this.#base.over(this.#top, this.#size, this.#newLayer);
      this.#top = this.#newLayer();
    }
    return this.#base;
  }
}
