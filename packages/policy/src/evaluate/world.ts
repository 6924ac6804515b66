import { equal, type Value } from '@terrane/cty';

/** The objects and data sources that functions of policies look up. */
export interface PolicyWorld {
  /** the objects of a resource type */
  resourcesOf(type: string): ResourceSet;
  /** reads a data source; undefined if this evaluation has no providers */
  readonly readData?: (type: string, config: Value) => Promise<Value>;
  /** makes an HTTP request; undefined if this evaluation has no network */
  readonly request?: (url: string, headers: ReadonlyMap<string, string>) => Promise<Value>;
}

/** Objects that match a filter. */
export interface MatchedResources {
  readonly matched: readonly Value[];
  /** number of objects that may match, depending on unknown values; Infinity if deferred changes may add objects */
  readonly undecided: number;
}

/** The objects of one resource type, indexed by attribute values that filters ask for. */
export class ResourceSet {
  readonly #objects: readonly Value[];
  /** true if deferred changes may add objects, which cannot be listed yet */
  readonly #isPartial: boolean;
  readonly #indexes = new Map<string, AttributeIndex>();

  constructor(objects: readonly Value[], isPartial = false) {
    this.#objects = objects;
    this.#isPartial = isPartial;
  }

  /** Returns the objects whose attributes equal those of a filter; all for an empty one. */
  matching(filter: ReadonlyMap<string, Value>): MatchedResources {
    const matched: Value[] = [];
    let undecided = this.#isPartial ? Number.POSITIVE_INFINITY : 0;
    for (const object of this.#candidates(filter)) {
      const isMatch = matches(object, filter);
      if (isMatch === true) matched.push(object);
      else if (isMatch === undefined) undecided++;
    }
    return { matched, undecided };
  }

  /** Returns the objects that can match: those found by an index for the first known string, else all. */
  #candidates(filter: ReadonlyMap<string, Value>): readonly Value[] {
    for (const [name, value] of filter) {
      const text = textOf(value);
      if (text === undefined) continue;
      let index = this.#indexes.get(name);
      if (index === undefined) {
        index = new AttributeIndex(this.#objects, name);
        this.#indexes.set(name, index);
      }
      return index.candidates(text);
    }
    return this.#objects;
  }
}

/** Objects by the string value of an attribute. */
class AttributeIndex {
  readonly #byText = new Map<string, Value[]>();
  /** objects with an unknown value, which may equal any */
  readonly #others: Value[] = [];

  constructor(objects: readonly Value[], name: string) {
    for (const object of objects) {
      const value = attributeOf(object, name);
      const text = value === undefined ? undefined : textOf(value);
      if (text !== undefined) {
        const objectsWithText = this.#byText.get(text);
        if (objectsWithText === undefined) this.#byText.set(text, [object]);
        else objectsWithText.push(object);
      } else if (value !== undefined && !value.isKnown) this.#others.push(object);
    }
  }

  candidates(text: string): readonly Value[] {
    const objects = this.#byText.get(text) ?? [];
    return this.#others.length === 0 ? objects : [...objects, ...this.#others];
  }
}

function textOf(value: Value): string | undefined {
  const plain = value.unmark();
  const isText = plain.isKnown && !plain.isNull && plain.type.kind === 'string';
  return isText ? plain.asString() : undefined;
}

function attributeOf(object: Value, name: string): Value | undefined {
  const plain = object.unmark();
  if (!plain.isKnown || plain.isNull) return undefined;
  return plain.type.kind === 'object' || plain.type.kind === 'map' ? plain.get(name) : undefined;
}

/** Returns true if all attributes equal those of the filter; undefined if the result depends on unknown values. */
function matches(object: Value, filter: ReadonlyMap<string, Value>): boolean | undefined {
  const plain = object.unmark();
  if (plain.isKnown && plain.isNull) return false;
  let result: boolean | undefined = true;
  for (const [name, wanted] of filter) {
    const value = attributeOf(plain, name);
    if (value === undefined) return false;
    const same = equal(wanted, value).unmark();
    if (!same.isKnown) result = undefined;
    else if (!same.asBool()) return false;
  }
  return result;
}

/** A world without any objects, providers and network. */
export const EMPTY_WORLD: PolicyWorld = { resourcesOf: () => NO_RESOURCES };
const NO_RESOURCES = new ResourceSet([]);
