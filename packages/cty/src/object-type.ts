import { Bug } from './bug.ts';
import { normalizeText, textOrder } from './text.ts';
import {
  collectionType,
  makeType,
  nodeOf,
  type ObjectType,
  SequenceTable,
  tupleType,
  type Type,
  type Typed,
} from './type.ts';

/** The normalised and sorted attribute names of object types, with their types in the same order. */
export class Shape {
  readonly names: readonly string[];
  readonly #types: SequenceTable<ObjectType>;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#types = new SequenceTable<ObjectType>(
      (t) => t.types,
      (types) => makeType<ObjectType>('object', { names, types }),
    );
  }

  /** The object type of this shape with these attribute types, by position. */
  typeOf(types: readonly Type[]): ObjectType {
    return this.#types.find(types);
  }

  /** Variant of {@link typeOf} that takes the types of these values. */
  typeOfValues(values: readonly Typed[]): ObjectType {
    return this.#types.findForValues(values);
  }
}

/** The mapping of attributes from written order to shape order. */
export interface Arrangement {
  readonly shape: Shape;
  /** The index in the shape for each written name. Names that normalise to the same one share an index. */
  readonly positions: readonly number[];
}

/**
 * Names in source order, as a path from the root. Objects with the same names are created repeatedly, and walking the
 * path is cheaper than sorting the names.
 */
class WrittenName {
  readonly #before: WrittenName | undefined;
  readonly #name: string;
  #lastName: string | undefined = undefined;
  #lastNode: WrittenName | undefined = undefined;
  #next: Map<string, WrittenName> | undefined = undefined;
  #arrangement: Arrangement | undefined = undefined;

  constructor(before: WrittenName | undefined, name: string) {
    this.#before = before;
    this.#name = name;
  }

  step(name: string): WrittenName {
    if (this.#lastName === name) return this.#lastNode as WrittenName;
    this.#next ??= new Map();
    let node = this.#next.get(name);
    if (node === undefined) {
      node = new WrittenName(this, name);
      this.#next.set(name, node);
    }
    this.#lastName = name;
    this.#lastNode = node;
    return node;
  }

  get arrangement(): Arrangement {
    return (this.#arrangement ??= arrange(this.#names()));
  }

  #names(): readonly string[] {
    const names: string[] = [];
    let node: WrittenName = this;
    while (node.#before !== undefined) {
      names.push(node.#name);
      node = node.#before;
    }
    return names.reverse();
  }
}

const root = new WrittenName(undefined, '');
/** Longer lists of names come from data rather than from code and rarely recur in the same order. */
const MAX_REMEMBERED = 24;

/** Returns the shape of an object with these attribute names, and the position of each name in it. */
export function arrangementOf(names: readonly string[]): Arrangement {
  if (names.length > MAX_REMEMBERED) return arrange(names);
  let node = root;
  for (let i = 0; i < names.length; i++) node = node.step(names[i] as string);
  return node.arrangement;
}

function arrange(names: readonly string[]): Arrangement {
  const shape = shapeOf(sortedNames(names));
  const index = new Map<string, number>();
  for (let i = 0; i < shape.names.length; i++) index.set(shape.names[i] as string, i);
  return { shape, positions: names.map((name) => index.get(normalizeText(name)) as number) };
}

const shapes = new Map<string, Shape>();

function sortedNames(names: readonly string[]): readonly string[] {
  const distinct = [...new Set(names.map(normalizeText))];
  return distinct.sort(textOrder(distinct));
}

function shapeOf(sorted: readonly string[]): Shape {
  const key = JSON.stringify(sorted);
  let shape = shapes.get(key);
  if (shape === undefined) {
    shape = new Shape(sorted);
    shapes.set(key, shape);
  }
  return shape;
}

const shapeOfType = new WeakMap<ObjectType, Shape>();

/** The shape that an object type has. */
export function shapeOfObjectType(t: ObjectType): Shape {
  let shape = shapeOfType.get(t);
  if (shape === undefined) {
    shape = shapeOf(t.names);
    shapeOfType.set(t, shape);
  }
  return shape;
}

const withOptional = new Map<string, ObjectType>();

/**
 * Returns the type of objects with the given attributes. Names are normalised. `optional` names attributes that a value
 * may omit when it is converted; such a type is only a constraint, no value has it.
 */
export function objectType(
  attributes: Readonly<Record<string, Type>> | ReadonlyMap<string, Type>,
  optional?: Iterable<string>,
): ObjectType {
  const pairs = attributes instanceof Map ? [...attributes] : Object.entries(attributes);
  const { shape, positions } = arrangementOf(pairs.map((pair) => pair[0]));
  const types = new Array<Type>(shape.names.length);
  for (let i = 0; i < pairs.length; i++) types[positions[i] as number] = pairs[i]?.[1] as Type;
  return objectTypeBySortedNames(shape.names, types, optional);
}
/** Variant of {@link objectType} for names that are already normalised, distinct and sorted by code point. */
export function objectTypeBySortedNames(
  names: readonly string[],
  types: readonly Type[],
  optional?: Iterable<string>,
): ObjectType {
  const plain = shapeOf(names).typeOf(types);
  const optionalNames = optional === undefined ? [] : sortedNames([...optional]);
  if (optionalNames.length === 0) return plain;
  const key = `${plain.id} ${JSON.stringify(optionalNames)}`;
  let type = withOptional.get(key);
  if (type === undefined) {
    for (const name of optionalNames) {
      if (plain.indexOf(name) === undefined) {
        throw new Bug(`optional attribute "${name}" is not an attribute of the object type`);
      }
    }
    type = makeType<ObjectType>('object', {
      names: plain.names,
      types: plain.types,
      optional: new Set(optionalNames),
    });
    withOptional.set(key, type);
  }
  return type;
}

/** The type of objects without attributes. */
export const EMPTY_OBJECT: ObjectType = objectType({});

/** The type with all its attributes required, at every depth: the type that values of the constraint have. */
export function withoutOptional(t: Type): Type {
  const node = nodeOf(t);
  if (!node.hasOptional) return t;
  return (node.caches.plain ??= computeWithoutOptional(t));
}

function computeWithoutOptional(t: Type): Type {
  switch (t.kind) {
    case 'list':
    case 'set':
    case 'map':
      return collectionType(t.kind, withoutOptional(t.element));
    case 'tuple':
      return tupleType(t.elements.map(withoutOptional));
    case 'object':
      return shapeOfObjectType(t).typeOf(t.types.map(withoutOptional));
    default:
      return t;
  }
}
