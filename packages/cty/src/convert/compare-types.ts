import { isCollection, type Type } from '../type.ts';

/**
 * Compares two types for unification: negative if the first is preferred, positive for the second, 0 for neither. Does
 * not imply that a conversion exists.
 */
export function compareTypes(a: Type, b: Type): number {
  if (a === b) return 0;
  if (a.kind === 'dynamic') return 1;
  if (b.kind === 'dynamic') return -1;
  if (a.kind === b.kind) return compareSameKind(a, b);
  if (a.kind === 'string' && (b.kind === 'number' || b.kind === 'bool')) return -1;
  if (b.kind === 'string' && (a.kind === 'number' || a.kind === 'bool')) return 1;
  return moreGeneral(a, b) ? -1 : moreGeneral(b, a) ? 1 : 0;
}

/** Lists are more general than tuples, lists and tuples more than sets, maps more than objects. */
function moreGeneral(a: Type, b: Type): boolean {
  if (a.kind === 'map') return b.kind === 'object';
  if (a.kind === 'list') return b.kind === 'tuple' || b.kind === 'set';
  return a.kind === 'tuple' && b.kind === 'set';
}

function compareSameKind(a: Type, b: Type): number {
  if (isCollection(a) && isCollection(b)) return compareTypes(a.element, b.element);
  if (a.kind === 'object' && b.kind === 'object') {
    if (a.names.length !== b.names.length) return 0;
    if (a.names.some((name) => b.indexOf(name) === undefined)) return 0;
    return compareAll(a.types, b.types);
  }
  if (a.kind === 'tuple' && b.kind === 'tuple') {
    return a.elements.length === b.elements.length ? compareAll(a.elements, b.elements) : 0;
  }
  return 0;
}

/**
 * Compares element by element: a type is preferred if at least one of its elements is preferred, and none of the other
 * type's.
 */
function compareAll(a: readonly Type[], b: readonly Type[]): number {
  let first = false;
  let second = false;
  for (let i = 0; i < a.length; i++) {
    const order = compareTypes(a[i] as Type, b[i] as Type);
    if (order < 0) first = true;
    else if (order > 0) second = true;
  }
  if (first === second) return 0;
  return first ? -1 : 1;
}
