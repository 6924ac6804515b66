import { objectTypeBySortedNames } from '../object-type.ts';
import {
  collectionType,
  type CollectionType,
  DYNAMIC,
  isCollection,
  listType,
  mapType,
  type ObjectType,
  type TupleType,
  tupleType,
  type Type,
} from '../type.ts';
import { compareTypes } from './compare-types.ts';
import type { FindConversion } from './find-conversion.ts';

/** See `unify` in conversion.ts; `find` returns the conversions. */
export function unifyTypes(
  types: readonly Type[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  if (types.length === 0) return undefined;
  const first = types[0] as Type;
  if (types.every((t) => t === first)) return first;
  // Types of one kind may have a common type that differs from each of them, so try it before choosing one of them.
  const counts = countKinds(types);
  if (counts.object > 0 && counts.tuple > 0) return undefined;
  const all = (...kinds: (keyof KindCounts)[]): boolean =>
    kinds.reduce((sum, kind) => sum + counts[kind], counts.dynamic) === types.length;
  if (counts.map > 0 && all('map')) return unifyCollections('map', types, unsafe, find);
  if (counts.list > 0 && all('list')) return unifyCollections('list', types, unsafe, find);
  if (counts.set > 0 && all('set')) return unifyCollections('set', types, unsafe, find);
  if (counts.object > 0 && all('object')) {
    return counts.dynamic > 0
      ? DYNAMIC
      : unifyObjects(types as readonly ObjectType[], unsafe, find);
  }
  if (counts.tuple > 0 && all('tuple')) {
    return counts.dynamic > 0 ? DYNAMIC : unifyTuples(types as readonly TupleType[], unsafe, find);
  }
  return unifyDisguised(types, counts, unsafe, find) ?? preferredType(types, unsafe, find);
}

/** Unifies objects mixed with maps as maps, and tuples mixed with lists as lists. */
function unifyDisguised(
  types: readonly Type[],
  counts: KindCounts,
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  if (counts.map > 0 && counts.map + counts.object + counts.dynamic === types.length) {
    return unifyAs('object', types, unsafe, find);
  }
  if (counts.list > 0 && counts.list + counts.tuple + counts.dynamic === types.length) {
    return unifyAs('tuple', types, unsafe, find);
  }
  return undefined;
}

interface KindCounts {
  map: number;
  list: number;
  set: number;
  object: number;
  tuple: number;
  dynamic: number;
}

function countKinds(types: readonly Type[]): KindCounts {
  const counts: KindCounts = { map: 0, list: 0, set: 0, object: 0, tuple: 0, dynamic: 0 };
  for (const { kind } of types) {
    if (kind in counts) counts[kind as keyof KindCounts]++;
  }
  return counts;
}

/** The first type, in order of generality, that all others convert to. */
function preferredType(
  types: readonly Type[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  for (const i of generalFirst(distinct(types))) {
    if (types.every((t) => t === i || find(t, i, unsafe) !== undefined)) return i;
  }
  return undefined;
}

function distinct(types: readonly Type[]): readonly Type[] {
  return [...new Set(types)];
}

/** Topological order by preference; types that can't be compared keep their order. */
function generalFirst(types: readonly Type[]): readonly Type[] {
  const after = types.map((): number[] => []);
  const before = types.map(() => 0);
  for (let i = 0; i < types.length; i++) {
    for (let j = i + 1; j < types.length; j++) {
      const order = compareTypes(types[i] as Type, types[j] as Type);
      if (order === 0) continue;
      const [general, special] = order < 0 ? [i, j] : [j, i];
      (after[general] as number[]).push(special);
      before[special] = (before[special] as number) + 1;
    }
  }
  const queue: number[] = [];
  before.forEach((count, i) => {
    if (count === 0) queue.push(i);
  });
  for (let at = 0; at < queue.length; at++) {
    for (const next of after[queue[at] as number] as number[]) {
      before[next] = (before[next] as number) - 1;
      if (before[next] === 0) queue.push(next);
    }
  }
  return queue.map((i) => types[i] as Type);
}

function unifyAs(
  kind: 'object' | 'tuple',
  types: readonly Type[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  const disguised = types.filter((t) => t.kind === kind);
  const plain =
    kind === 'object'
      ? objectsAsMap(disguised as readonly ObjectType[], unsafe, find)
      : tuplesAsList(disguised as readonly TupleType[], unsafe, find);
  if (plain === undefined) return undefined;
  const type = unifyTypes(
    types.map((t) => (t.kind === kind ? plain : t)),
    unsafe,
    find,
  );
  return type?.kind === plain.kind ? type : undefined;
}

function unifyCollections(
  kind: CollectionType['kind'],
  types: readonly Type[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  const elements: Type[] = [];
  for (const t of types) {
    if (!isCollection(t)) return DYNAMIC;
    elements.push(t.element);
  }
  const element = unifyTypes(elements, unsafe, find);
  return element && allConvert(types, collectionType(kind, element), unsafe, find);
}

function allConvert(
  types: readonly Type[],
  to: Type,
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  const possible = types.every((t) => t === to || find(t, to, unsafe) !== undefined);
  return possible ? to : undefined;
}

/** Objects with the same attributes keep them, each with a type that fits all; others become a map. */
function unifyObjects(
  types: readonly ObjectType[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  const { names } = types[0] as ObjectType;
  const alike = types.every(
    (t) => t.names.length === names.length && t.names.every((name, i) => name === names[i]),
  );
  if (!alike) return objectsAsMap(types, unsafe, find);
  const attributes: Type[] = [];
  for (let i = 0; i < names.length; i++) {
    const type = unifyTypes(
      types.map((t) => t.types[i] as Type),
      unsafe,
      find,
    );
    if (type === undefined) return undefined;
    attributes.push(type);
  }
  const type = objectTypeBySortedNames(names, attributes);
  return allConvert(types, type, unsafe, find) ?? objectsAsMap(types, unsafe, find);
}

function objectsAsMap(
  types: readonly ObjectType[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  const element = unifyTypes(distinct(types.flatMap((t) => t.types)), unsafe, find);
  return element && allConvert(types, mapType(element), unsafe, find);
}

/** Tuples of the same length keep it, each element with a type that fits all; others become a list. */
function unifyTuples(
  types: readonly TupleType[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  const { length } = (types[0] as TupleType).elements;
  if (types.some((t) => t.elements.length !== length)) return tuplesAsList(types, unsafe, find);
  const elements: Type[] = [];
  for (let i = 0; i < length; i++) {
    const type = unifyTypes(
      types.map((t) => t.elements[i] as Type),
      unsafe,
      find,
    );
    if (type === undefined) return undefined;
    elements.push(type);
  }
  return allConvert(types, tupleType(elements), unsafe, find) ?? tuplesAsList(types, unsafe, find);
}

function tuplesAsList(
  types: readonly TupleType[],
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  const element = unifyTypes(distinct(types.flatMap((t) => t.elements)), unsafe, find);
  return element && allConvert(types, listType(element), unsafe, find);
}
