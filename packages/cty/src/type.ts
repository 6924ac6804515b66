import { Bug } from './errors.ts';
import { compareText, normalizeText } from './text.ts';
import type { Value } from './value.ts';

/** A type or type constraint. Types are interned: equal types are the same object, so `===` is type equality. */
export type Type =
  | PrimitiveType
  | DynamicType
  | CollectionType
  | TupleType
  | ObjectType
  | CapsuleType;

/** bool, number or string. */
export interface PrimitiveType {
  readonly kind: 'bool' | 'number' | 'string';
  readonly id: number;
}

/** The type that is not known yet, or, in a constraint, any type. */
export interface DynamicType {
  readonly kind: 'dynamic';
  readonly id: number;
}

/** list, set or map, with the type of the elements. */
export interface CollectionType {
  readonly kind: 'list' | 'set' | 'map';
  readonly element: Type;
  readonly id: number;
}

/** A fixed sequence of elements, each with its own type. */
export interface TupleType {
  readonly kind: 'tuple';
  readonly elements: readonly Type[];
  readonly id: number;
}

/** A fixed set of named attributes, each with its own type. */
export interface ObjectType {
  readonly kind: 'object';
  readonly id: number;
  /** Attribute names, sorted by code point. */
  readonly names: readonly string[];
  /** Attribute types, at the index of the name. */
  readonly types: readonly Type[];
  /** Attributes that a value being converted may leave out. Only type constraints have any. */
  readonly optional: ReadonlySet<string>;
  /** The position of a name in `names`, or undefined. */
  indexOf(name: string): number | undefined;
}

/** A type that hides a foreign object. Two capsule types are equal only if they are the same object. */
export interface CapsuleType {
  readonly kind: 'capsule';
  readonly name: string;
  readonly id: number;
}

const NO_TYPES: readonly Type[] = [];
const NO_NAMES: readonly string[] = [];
const NO_OPTIONAL: ReadonlySet<string> = new Set();
let lastId = 0;

/**
 * The one shape behind all types, so that `type.kind` and the caches below stay monomorphic. Outside this package only
 * the interfaces above are seen.
 */
export class TypeNode {
  readonly id: number;
  readonly kind: Type['kind'];
  readonly element: Type;
  readonly elements: readonly Type[];
  readonly names: readonly string[];
  readonly types: readonly Type[];
  readonly optional: ReadonlySet<string>;
  readonly name: string;
  readonly hasDynamic: boolean;
  readonly hasOptional: boolean;

  // Caches, filled when first asked for.
  list: CollectionType | undefined = undefined;
  set: CollectionType | undefined = undefined;
  map: CollectionType | undefined = undefined;
  plain: Type | undefined = undefined;
  nullValue: Value | undefined = undefined;
  unknownValue: Value | undefined = undefined;
  notNullValue: Value | undefined = undefined;
  emptyValue: Value | undefined = undefined;
  safeConversions: Map<Type, unknown> | undefined = undefined;
  unsafeConversions: Map<Type, unknown> | undefined = undefined;
  #positions: Map<string, number> | undefined = undefined;

  constructor(kind: Type['kind'], parts: TypeParts) {
    this.id = ++lastId;
    this.kind = kind;
    this.element = parts.element ?? (this as unknown as Type);
    this.elements = parts.elements ?? NO_TYPES;
    this.names = parts.names ?? NO_NAMES;
    this.types = parts.types ?? NO_TYPES;
    this.optional = parts.optional ?? NO_OPTIONAL;
    this.name = parts.name ?? '';
    const inner = parts.element !== undefined ? [parts.element] : (parts.elements ?? this.types);
    this.hasDynamic = kind === 'dynamic' || inner.some((t) => nodeOf(t).hasDynamic);
    this.hasOptional = this.optional.size > 0 || inner.some((t) => nodeOf(t).hasOptional);
  }

  indexOf(name: string): number | undefined {
    const names = this.names;
    if (names.length <= 8) {
      const i = names.indexOf(name);
      return i < 0 ? undefined : i;
    }
    if (this.#positions === undefined) {
      this.#positions = new Map();
      for (let i = 0; i < names.length; i++) this.#positions.set(names[i] as string, i);
    }
    return this.#positions.get(name);
  }
}

interface TypeParts {
  readonly element?: Type;
  readonly elements?: readonly Type[];
  readonly names?: readonly string[];
  readonly types?: readonly Type[];
  readonly optional?: ReadonlySet<string>;
  readonly name?: string;
}

/** The inside of a type: every `Type` is made here and is a {@link TypeNode}. */
export function nodeOf(t: Type): TypeNode {
  return t as unknown as TypeNode;
}

function make<T extends Type>(kind: T['kind'], parts: TypeParts = {}): T {
  return new TypeNode(kind, parts) as unknown as T;
}

/** The type of true and false. */
export const BOOL: Type = make<PrimitiveType>('bool');
/** The type of all numbers. */
export const NUMBER: Type = make<PrimitiveType>('number');
/** The type of Unicode strings. */
export const STRING: Type = make<PrimitiveType>('string');
/** The type of what has no type yet; as a constraint, any type. */
export const DYNAMIC: DynamicType = make<DynamicType>('dynamic');

/** The type of lists with elements of the given type. */
export function listType(element: Type): CollectionType {
  const node = nodeOf(element);
  return (node.list ??= make<CollectionType>('list', { element }));
}

/** The type of sets with elements of the given type. */
export function setType(element: Type): CollectionType {
  const node = nodeOf(element);
  return (node.set ??= make<CollectionType>('set', { element }));
}

/** The type of maps from strings to elements of the given type. */
export function mapType(element: Type): CollectionType {
  const node = nodeOf(element);
  return (node.map ??= make<CollectionType>('map', { element }));
}

/** The collection type of the same kind as `like`, for another element type. */
export function collectionType(kind: CollectionType['kind'], element: Type): CollectionType {
  return kind === 'list' ? listType(element) : kind === 'set' ? setType(element) : mapType(element);
}

/**
 * Where types made of a sequence of types are interned: a path from the root through the types of the sequence ends in
 * the node that holds the type. Finding one costs a map look-up per element and allocates nothing.
 */
class SequenceNode {
  type: Type | undefined = undefined;
  // The step taken last, which mostly is the next one too.
  lastType: Type | undefined = undefined;
  lastNode: SequenceNode | undefined = undefined;
  next: Map<Type, SequenceNode> | undefined = undefined;

  step(t: Type): SequenceNode {
    if (this.lastType === t) return this.lastNode as SequenceNode;
    this.next ??= new Map();
    let node = this.next.get(t);
    if (node === undefined) {
      node = new SequenceNode();
      this.next.set(t, node);
    }
    this.lastType = t;
    this.lastNode = node;
    return node;
  }
}

const tuples = new SequenceNode();

/** The type of tuples with elements of the given types. */
export function tupleType(elements: readonly Type[]): TupleType {
  let node = tuples;
  for (let i = 0; i < elements.length; i++) node = node.step(elements[i] as Type);
  return (node.type ??= make<TupleType>('tuple', { elements: elements.slice() })) as TupleType;
}

/** The attribute names of an object type, before the types are known. */
export class Shape {
  readonly names: readonly string[];
  readonly #root: SequenceNode = new SequenceNode();

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** The object type of this shape with these attribute types, by position. */
  typeOf(types: readonly Type[]): ObjectType {
    let node = this.#root;
    for (let i = 0; i < types.length; i++) node = node.step(types[i] as Type);
    return (node.type ??= make<ObjectType>('object', {
      names: this.names,
      types: types.slice(),
    })) as ObjectType;
  }

  /** As {@link typeOf}, taking the types of the given values. */
  typeOfValues(values: readonly Value[]): ObjectType {
    let node = this.#root;
    for (let i = 0; i < values.length; i++) node = node.step((values[i] as Value).type);
    return (node.type ??= make<ObjectType>('object', {
      names: this.names,
      types: values.map((v) => v.type),
    })) as ObjectType;
  }
}

/** Names in the order somebody wrote them lead to the shape and to where each of them goes in it. */
export class WrittenShape {
  #lastName: string | undefined = undefined;
  #lastNode: WrittenShape | undefined = undefined;
  #next: Map<string, WrittenShape> | undefined = undefined;
  readonly #written: readonly string[];
  #shape: Shape | undefined = undefined;
  #positions: readonly number[] | undefined = undefined;

  constructor(written: readonly string[]) {
    this.#written = written;
  }

  step(name: string): WrittenShape {
    if (this.#lastName === name) return this.#lastNode as WrittenShape;
    this.#next ??= new Map();
    let node = this.#next.get(name);
    if (node === undefined) {
      node = new WrittenShape([...this.#written, name]);
      this.#next.set(name, node);
    }
    this.#lastName = name;
    this.#lastNode = node;
    return node;
  }

  get shape(): Shape {
    return (this.#shape ??= shapeOf(sortedNames(this.#written)));
  }

  /** For each written name its index in the shape. Names that normalise to the same one share an index. */
  get positions(): readonly number[] {
    if (this.#positions === undefined) {
      const index = new Map(this.shape.names.map((name, i) => [name, i]));
      this.#positions = this.#written.map((name) => index.get(normalizeText(name)) as number);
    }
    return this.#positions;
  }
}

/** Where every walk through written names begins. */
export const NO_ATTRIBUTES: WrittenShape = new WrittenShape([]);

const shapes = new Map<string, Shape>();

function sortedNames(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(normalizeText))].sort(compareText);
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
 * The type of objects with the given attributes. Names are normalised. `optional` names attributes that a value may
 * leave out when it is converted; such a type is a constraint only, no value has it.
 */
export function objectType(
  attributes: Readonly<Record<string, Type>> | ReadonlyMap<string, Type>,
  optional?: Iterable<string>,
): ObjectType {
  let written = NO_ATTRIBUTES;
  const given: Type[] = [];
  const pairs = attributes instanceof Map ? attributes : Object.entries(attributes);
  for (const [name, type] of pairs) {
    written = written.step(name);
    given.push(type);
  }
  const { shape, positions } = written;
  const types = new Array<Type>(shape.names.length);
  for (let i = 0; i < given.length; i++) types[positions[i] as number] = given[i] as Type;
  return objectTypeBySortedNames(shape.names, types, optional);
}

/** As {@link objectType} for names that are normalised, distinct and sorted by code point already. */
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
    type = make<ObjectType>('object', {
      names: plain.names,
      types: plain.types,
      optional: new Set(optionalNames),
    });
    withOptional.set(key, type);
  }
  return type;
}

/** A new capsule type, equal only to itself. */
export function capsuleType(name: string): CapsuleType {
  return make<CapsuleType>('capsule', { name });
}

/** The type of objects without attributes. */
export const EMPTY_OBJECT: ObjectType = objectType({});
/** The type of tuples without elements. */
export const EMPTY_TUPLE: TupleType = tupleType([]);

/** Whether the type is dynamic or has a dynamic type anywhere in it. Cached. */
export function hasDynamic(t: Type): boolean {
  return nodeOf(t).hasDynamic;
}

/** Whether an object type with optional attributes is anywhere in the type. Cached. */
export function hasOptional(t: Type): boolean {
  return nodeOf(t).hasOptional;
}

/** Whether the type is bool, number or string. */
export function isPrimitive(t: Type): t is PrimitiveType {
  return t.kind === 'string' || t.kind === 'number' || t.kind === 'bool';
}

/** Whether the type is a list, set or map type. */
export function isCollection(t: Type): t is CollectionType {
  return t.kind === 'list' || t.kind === 'set' || t.kind === 'map';
}

/** The type with all its attributes required, at every depth: the type that values of the constraint have. */
export function withoutOptional(t: Type): Type {
  const node = nodeOf(t);
  if (!node.hasOptional) return t;
  return (node.plain ??= computeWithoutOptional(t));
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
