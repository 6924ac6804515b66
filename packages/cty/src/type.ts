import { PathError } from './path-error.ts';

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
  /** Attributes that may be missing in a value to be converted. Only type constraints have any. */
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

/**
 * The maximum nesting depth of types. It bounds every recursion over values, as deeper ones would exhaust the stack.
 * Untrusted input may contain deeper types.
 */
export const MAX_TYPE_DEPTH = 500;

const NO_TYPES: readonly Type[] = [];
const NO_NAMES: readonly string[] = [];
const NO_OPTIONAL: ReadonlySet<string> = new Set();
let lastId = 0;

/** Values derived from a type, computed on first use. `V` is the class of values, which types do not know. */
export class TypeCaches<V> {
  list: CollectionType | undefined = undefined;
  set: CollectionType | undefined = undefined;
  map: CollectionType | undefined = undefined;
  plain: Type | undefined = undefined;
  nullValue: V | undefined = undefined;
  unknownValue: V | undefined = undefined;
  notNullValue: V | undefined = undefined;
  emptyValue: V | undefined = undefined;
  safeConversions: Map<Type, unknown> | undefined = undefined;
  unsafeConversions: Map<Type, unknown> | undefined = undefined;
}

/**
 * The only class of type nodes, so that `type.kind` and the caches below stay monomorphic. Other packages use only the
 * interfaces above.
 */
class TypeNode {
  readonly id: number;
  readonly kind: Type['kind'];
  readonly element: Type | undefined;
  readonly elements: readonly Type[];
  readonly names: readonly string[];
  readonly types: readonly Type[];
  readonly optional: ReadonlySet<string>;
  readonly name: string;
  readonly hasDynamic: boolean;
  readonly hasOptional: boolean;
  readonly depth: number;

  // Private, so that printing or comparing a type does not traverse its caches.
  readonly #caches: TypeCaches<unknown> = new TypeCaches();
  #positions: Map<string, number> | undefined = undefined;

  constructor(kind: Type['kind'], parts: TypeParts) {
    this.id = ++lastId;
    this.kind = kind;
    this.element = parts.element;
    this.elements = parts.elements ?? NO_TYPES;
    this.names = parts.names ?? NO_NAMES;
    this.types = parts.types ?? NO_TYPES;
    this.optional = parts.optional ?? NO_OPTIONAL;
    this.name = parts.name ?? '';
    const inner = parts.element !== undefined ? [parts.element] : (parts.elements ?? this.types);
    let hasDynamicPart = kind === 'dynamic';
    let hasOptionalPart = this.optional.size > 0;
    let depth = 0;
    let previous: Type | undefined = undefined;
    for (let i = 0; i < inner.length; i++) {
      const type = inner[i] as Type;
      // The elements of most long tuples have the same type.
      if (type === previous) continue;
      previous = type;
      const node = nodeOf(type);
      if (node.hasDynamic) hasDynamicPart = true;
      if (node.hasOptional) hasOptionalPart = true;
      if (node.depth >= depth) depth = node.depth + 1;
    }
    this.hasDynamic = hasDynamicPart;
    this.hasOptional = hasOptionalPart;
    this.depth = depth;
    if (depth > MAX_TYPE_DEPTH) {
      throw new PathError(`values may not be nested more than ${MAX_TYPE_DEPTH} levels deep`);
    }
  }

  get caches(): TypeCaches<unknown> {
    return this.#caches;
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

/** The components of a type, as far as its kind has them. */
export interface TypeParts {
  readonly element?: Type;
  readonly elements?: readonly Type[];
  readonly names?: readonly string[];
  readonly types?: readonly Type[];
  readonly optional?: ReadonlySet<string>;
  readonly name?: string;
}

/** Returns the node of a type. Every `Type` is created here and is a {@link TypeNode}. */
export function nodeOf(t: Type): TypeNode {
  return t as unknown as TypeNode;
}

/** Creates a new type; the caller must ensure that equal types are created once. */
export function makeType<T extends Type>(kind: T['kind'], parts: TypeParts = {}): T {
  return new TypeNode(kind, parts) as unknown as T;
}

/** The type of true and false. */
export const BOOL: Type = makeType<PrimitiveType>('bool');
/** The type of all numbers. */
export const NUMBER: Type = makeType<PrimitiveType>('number');
/** The type of Unicode strings. */
export const STRING: Type = makeType<PrimitiveType>('string');
/** The type of values whose type is not known yet; as a constraint, any type. */
export const DYNAMIC: DynamicType = makeType<DynamicType>('dynamic');

/** The type of lists with elements of the given type. */
export function listType(element: Type): CollectionType {
  const { caches } = nodeOf(element);
  return (caches.list ??= makeType<CollectionType>('list', { element }));
}

/** The type of sets with elements of the given type. */
export function setType(element: Type): CollectionType {
  const { caches } = nodeOf(element);
  return (caches.set ??= makeType<CollectionType>('set', { element }));
}

/** The type of maps from strings to elements of the given type. */
export function mapType(element: Type): CollectionType {
  const { caches } = nodeOf(element);
  return (caches.map ??= makeType<CollectionType>('map', { element }));
}

/** The collection type of the same kind as `like`, for another element type. */
export function collectionType(kind: CollectionType['kind'], element: Type): CollectionType {
  return kind === 'list' ? listType(element) : kind === 'set' ? setType(element) : mapType(element);
}

/**
 * Types composed of a sequence of types, indexed by their parts. Only the type itself is stored per element, so that
 * tuples of many thousand elements stay cheap.
 */
export class SequenceTable<T extends Type> {
  readonly #byHash: Map<number, T | T[]> = new Map();
  readonly #partsOf: (t: T) => readonly Type[];
  readonly #make: (types: readonly Type[]) => T;
  /** The types found last, latest first: repeated work often alternates between two. */
  #last: T | undefined = undefined;
  #previous: T | undefined = undefined;

  constructor(partsOf: (t: T) => readonly Type[], create: (types: readonly Type[]) => T) {
    this.#partsOf = partsOf;
    this.#make = create;
  }

  /** Returns the type composed of these types. */
  find(types: readonly Type[]): T {
    const last = this.#last;
    if (last !== undefined && sameTypes(this.#partsOf(last), types)) return last;
    let hash = types.length;
    for (let i = 0; i < types.length; i++) hash = mix(hash, types[i] as Type);
    return this.#existing(hash, types) ?? this.#add(hash, types.slice());
  }

  /** Variant of {@link find} for the types of these values. */
  findForValues(values: readonly Typed[]): T {
    const last = this.#last;
    if (last !== undefined && haveTypes(values, this.#partsOf(last))) return last;
    const previous = this.#previous;
    if (previous !== undefined && haveTypes(values, this.#partsOf(previous)))
      return this.#remember(previous);
    let hash = values.length;
    for (let i = 0; i < values.length; i++) hash = mix(hash, (values[i] as Typed).type);
    const entry = this.#byHash.get(hash);
    if (entry !== undefined && !Array.isArray(entry) && haveTypes(values, this.#partsOf(entry)))
      return this.#remember(entry);
    const types = values.map((v) => v.type);
    return this.#existing(hash, types) ?? this.#add(hash, types);
  }

  #existing(hash: number, types: readonly Type[]): T | undefined {
    const type = this.#candidates(hash).find((one) => sameTypes(this.#partsOf(one), types));
    return type === undefined ? undefined : this.#remember(type);
  }

  #remember(type: T): T {
    this.#previous = this.#last;
    this.#last = type;
    return type;
  }

  #candidates(hash: number): readonly T[] {
    const entry = this.#byHash.get(hash);
    if (entry === undefined) return [];
    return Array.isArray(entry) ? entry : [entry];
  }

  /** Adds the type composed of these types. Takes ownership of the array. */
  #add(hash: number, types: readonly Type[]): T {
    const type = this.#make(types);
    const others = this.#candidates(hash);
    this.#byHash.set(hash, others.length === 0 ? type : [...others, type]);
    return this.#remember(type);
  }
}

function mix(hash: number, t: Type): number {
  return (Math.imul(hash, 0x01000193) ^ t.id) | 0;
}

function sameTypes(a: readonly Type[], b: readonly Type[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function haveTypes(values: readonly Typed[], types: readonly Type[]): boolean {
  if (values.length !== types.length) return false;
  for (let i = 0; i < values.length; i++) if ((values[i] as Typed).type !== types[i]) return false;
  return true;
}

const tuples = new SequenceTable<TupleType>(
  (t) => t.elements,
  (elements) => makeType<TupleType>('tuple', { elements }),
);

/** The type of tuples with elements of the given types. */
export function tupleType(elements: readonly Type[]): TupleType {
  return tuples.find(elements);
}

/** The type of the tuple of these values. */
export function tupleTypeOf(values: readonly Typed[]): TupleType {
  return tuples.findForValues(values);
}

/** An object with a type: a value, without the dependency on values. */
export interface Typed {
  readonly type: Type;
}

/** A new capsule type, equal only to itself. */
export function capsuleType(name: string): CapsuleType {
  return makeType<CapsuleType>('capsule', { name });
}

/** The type of tuples without elements. */
export const EMPTY_TUPLE: TupleType = tupleType([]);

/** Returns true if the type is dynamic or has a dynamic type anywhere in it. Cached. */
export function hasDynamic(t: Type): boolean {
  return nodeOf(t).hasDynamic;
}

/** Returns true if an object type with optional attributes is anywhere in the type. Cached. */
export function hasOptional(t: Type): boolean {
  return nodeOf(t).hasOptional;
}

/** Returns true if the type is bool, number or string. */
export function isPrimitive(t: Type): t is PrimitiveType {
  return t.kind === 'string' || t.kind === 'number' || t.kind === 'bool';
}

/** Returns true if the type is a list, set or map type. */
export function isCollection(t: Type): t is CollectionType {
  return t.kind === 'list' || t.kind === 'set' || t.kind === 'map';
}
