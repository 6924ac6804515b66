import {
  applyPath,
  convert,
  CtyError,
  indexStep,
  nullOf,
  type Path,
  type PathStep,
  type Type,
  type Value,
} from '@terrane/cty';
import { type Expression, evaluate, hasErrors, type Diagnostic, type Scope } from '@terrane/hcl';

/** The part of a value that a path leads to, with the marks on the way; undefined where there is none. */
export function partOf(value: Value | undefined, path: Path): Value | undefined {
  if (value === undefined || path.length === 0) return value;
  try {
    return path.reduce((at, step) => applyPath(at, [stepInto(at, step)]), value);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** Expressions take the attributes of objects and the keys of maps in either way. */
function stepInto({ type }: Value, step: PathStep): PathStep {
  if (type.kind === 'map' && step.kind === 'attr') return indexStep(step.name);
  if (type.kind !== 'object' || step.kind !== 'index') return step;
  const { key } = step;
  const isName = key.type.kind === 'string' && key.isKnown && !key.isNull && !key.isMarked;
  return isName ? { kind: 'attr', name: key.asString() } : step;
}

/** What an expression comes to in a scope, and the part of that; undefined where it cannot be told. */
export function valueIn(
  expression: Expression,
  scope: Scope | undefined,
  path: Path = [],
): Value | undefined {
  if (scope === undefined) return undefined;
  const problems: Diagnostic[] = [];
  const value = evaluate(expression, scope, problems);
  return hasErrors(problems) ? undefined : partOf(value, path);
}

/** Whether two values are the same but for marks, once the first is of the type of the second. */
export function alike(a: Value, b: Value): boolean {
  const left = a.unmarkDeep().value;
  const right = b.unmarkDeep().value;
  if (left.rawEquals(right)) return true;
  if (left.isNull && right.isNull) return true;
  if (dropsAttributes(left.type, right.type)) return false;
  const converted = asType(left, right.type);
  return converted !== undefined && converted.rawEquals(right);
}

/** Whether a conversion drops attributes of an object: then values that are equal after it differed before. */
function dropsAttributes(from: Type, to: Type): boolean {
  switch (from.kind) {
    case 'object':
      return (
        to.kind === 'object' &&
        from.names.some((name, at) => {
          const index = to.indexOf(name);
          const [inner, outer] = [
            from.types[at],
            index === undefined ? undefined : to.types[index],
          ];
          return outer === undefined || (inner !== undefined && dropsAttributes(inner, outer));
        })
      );
    case 'tuple':
      return (
        to.kind === 'tuple' &&
        from.elements.some((inner, at) => {
          const outer = to.elements[at];
          return outer !== undefined && dropsAttributes(inner, outer);
        })
      );
    case 'list':
    case 'set':
    case 'map':
      return to.kind === from.kind && dropsAttributes(from.element, to.element);
    default:
      return false;
  }
}

/** A value as another type; undefined where it cannot be one. */
export function asType(value: Value, type: Type): Value | undefined {
  if (value.type === type) return value;
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** Whether a value cannot be had as one of the type of what it was. */
export function isOfOtherKind(now: Value, was: Value): boolean {
  const [left, right] = [now.unmarkDeep().value, was.unmarkDeep().value];
  const arePlain = left.isKnown && right.isKnown && !left.isNull && !right.isNull;
  return arePlain && asType(left, right.type) === undefined;
}

/** Whether a value is there and not null. */
export function isSet(value: Value | undefined): value is Value {
  return value !== undefined && !(value.isKnown && value.isNull);
}

/**
 * The paths at which two values of one type differ, as deep as both have the same parts: attributes of
 * objects, keys of maps, positions of lists of one length. An unknown part differs from everything.
 */
export function differingPaths(before: Value, after: Value): readonly Path[] {
  const found: Path[] = [];
  compare(before, after, [], found);
  return found;
}

function compare(before: Value, after: Value, path: Path, found: Path[]): void {
  if (before === after) return;
  const [a, b] = [before.unmark(), after.unmark()];
  if (a === b) return;
  if (!isSet(a) || !isSet(b)) {
    if (!(a.isKnown && a.isNull && b.isKnown && b.isNull)) found.push(path);
    return;
  }
  if (!a.isKnown || !b.isKnown || a.type.kind !== b.type.kind) {
    found.push(path);
    return;
  }
  switch (a.type.kind) {
    case 'object': {
      const names = a.type.names;
      const others = b.type.kind === 'object' ? b.type : undefined;
      for (const name of names) {
        const step: PathStep = { kind: 'attr', name };
        if (others?.indexOf(name) === undefined) found.push([...path, step]);
        else compare(a.attr(name), b.attr(name), [...path, step], found);
      }
      for (const name of others?.names ?? [])
        if (!names.includes(name)) found.push([...path, { kind: 'attr', name }]);
      return;
    }
    case 'map': {
      for (const [key, value] of a.entries()) {
        const other = b.get(key.asString());
        const place = [...path, indexStep(key)];
        if (other === undefined) found.push(place);
        else compare(value, other, place, found);
      }
      for (const [key] of b.entries())
        if (a.get(key.asString()) === undefined) found.push([...path, indexStep(key)]);
      return;
    }
    case 'list':
    case 'tuple': {
      if (a.length !== b.length) {
        found.push(path);
        return;
      }
      for (let at = 0; at < a.length; at++) {
        const [left, right] = [a.at(at), b.at(at)];
        if (left !== undefined && right !== undefined)
          compare(left, right, [...path, indexStep(at)], found);
      }
      return;
    }
    default:
      if (!alike(a, b) || !b.isWhollyKnown()) found.push(path);
  }
}

/** The paths of the unknown parts of a value. */
export function unknownPaths(value: Value): readonly Path[] {
  const found: Path[] = [];
  collectUnknown(value, [], found);
  return found;
}

function collectUnknown(marked: Value, path: Path, found: Path[]): void {
  if (marked.isWhollyKnown()) return;
  const value = marked.unmark();
  if (!value.isKnown) {
    found.push(path);
    return;
  }
  if (value.isNull) return;
  switch (value.type.kind) {
    case 'object':
      for (const name of value.type.names)
        collectUnknown(value.attr(name), [...path, { kind: 'attr', name }], found);
      return;
    case 'map':
      for (const [key, element] of value.entries())
        collectUnknown(element, [...path, indexStep(key)], found);
      return;
    case 'list':
    case 'tuple':
      for (const [at, element] of value.elements().entries())
        collectUnknown(element, [...path, indexStep(at)], found);
      return;
    default:
      found.push(path);
  }
}

/** A null of the type of a value. */
export function nothingLike(value: Value): Value {
  return nullOf(value.type);
}
