import { Bug } from './bug.ts';
import type { Path } from './path-step.ts';
import { attrStep, indexStep } from './path.ts';
import { DYNAMIC, type Type } from './type.ts';
import { nullOf, type Value } from './value.ts';
import { commonType, list, map, objectOf, set, tuple } from './values.ts';

/**
 * Visits a value and, if `visit` returns true, its parts, outside in, in the order of {@link Value.entries}. Null and
 * unknown values have no parts. Values are passed with their marks.
 */
export function walk(v: Value, visit: (path: Path, v: Value) => boolean): void {
  walkAt([], v, visit);
}

function walkAt(path: Path, v: Value, visit: (path: Path, v: Value) => boolean): void {
  if (!visit(path, v) || !hasParts(v)) return;
  if (v.type.kind === 'object') {
    const { names } = v.type;
    const parts = v.payload as readonly Value[];
    for (let i = 0; i < parts.length; i++) {
      walkAt([...path, attrStep(names[i] as string)], parts[i] as Value, visit);
    }
    return;
  }
  for (const [key, part] of v.unmark().entries()) walkAt([...path, indexStep(key)], part, visit);
}

/** Returns the paths of infinite numbers in a value. Takes constant time without any. */
export function infinitePaths(v: Value): readonly Path[] {
  const paths: Path[] = [];
  if (!v.containsInfinity()) return paths;
  walk(v, (path, part) => {
    if (isInfinite(part)) paths.push(path);
    return part.containsInfinity();
  });
  return paths;
}

/** Returns the value with null for each infinite number. */
export function infiniteAsNull(v: Value): Value {
  if (!v.containsInfinity()) return v;
  return transform(v, (_, part) =>
    isInfinite(part) ? nullOf(part.type).withMarks(part.marks) : part,
  );
}

function isInfinite(v: Value): boolean {
  return v.payload === Infinity || v.payload === -Infinity;
}

function hasParts(v: Value): boolean {
  return v.isKnown && (Array.isArray(v.payload) || (v.type.kind === 'map' && !v.isNull));
}

/**
 * Replaces each part of a value with the result of `f`, from the inside out, and finally the value itself. Unchanged
 * parts are shared. `f` may change types as far as the parents allow: elements of a collection must keep one type.
 */
export function transform(v: Value, f: (path: Path, v: Value) => Value): Value {
  return transformAt([], v, f);
}

function transformAt(path: Path, v: Value, f: (path: Path, v: Value) => Value): Value {
  return f(path, hasParts(v) ? transformParts(path, v, f) : v);
}

function transformParts(path: Path, v: Value, f: (path: Path, v: Value) => Value): Value {
  const { type } = v;
  const entries = v.unmark().entries();
  let changed = false;
  const parts = entries.map(([key, part]) => {
    const step = type.kind === 'object' ? attrStep(key.asString()) : indexStep(key);
    const replaced = transformAt([...path, step], part, f);
    if (replaced !== part) changed = true;
    return replaced;
  });
  return changed ? rebuilt(v, parts) : v;
}

/**
 * Returns a value of the same kind with other parts, in the order of {@link Value.elements}; marks are preserved. The
 * type is derived from the parts.
 */
export function rebuilt(v: Value, parts: readonly Value[]): Value {
  const { type } = v;
  switch (type.kind) {
    case 'object':
      return objectOf(type, parts).withMarks(v.marks);
    case 'tuple':
      return tuple(parts).withMarks(v.marks);
    case 'list':
      return list(elementTypeOf(parts, type.element), parts).withMarks(v.marks);
    case 'set':
      return set(elementTypeOf(parts, type.element), parts).withMarks(v.marks);
    case 'map': {
      const keys = [...(v.payload as ReadonlyMap<string, Value>).keys()];
      const element = elementTypeOf(parts, type.element);
      return map(
        element,
        parts.map((part, i) => [keys[i] as string, part] as const),
      ).withMarks(v.marks);
    }
    default:
      throw new Bug(`${type.kind} has no parts`);
  }
}

function elementTypeOf(parts: readonly Value[], previous: Type): Type {
  if (parts.length === 0) return previous;
  const type = commonType(parts);
  if (type === undefined) throw new Bug('elements of a collection must all have the same type');
  return type === DYNAMIC ? previous : type;
}
