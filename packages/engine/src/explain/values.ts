import {
  applyPath,
  convert,
  CtyError,
  indexStep,
  nullOf,
  type Path,
  type PathStep,
  STRING,
  type Type,
  type Value,
} from '@terrane/cty';
import { type Expression, evaluate, hasErrors, type Diagnostic, type Scope } from '@terrane/hcl';

/** Returns the part of a value at a path, with the enclosing marks; undefined if the path does not exist. */
export function partOf(value: Value | undefined, path: Path): Value | undefined {
  if (value === undefined || path.length === 0) return value;
  try {
    return path.reduce((part, step) => applyPath(part, [stepInto(part, step)]), value);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/**
 * Converts a step to the form of the type: expressions accept both forms for objects and maps, and convert numbers and
 * texts as keys.
 */
function stepInto({ type }: Value, step: PathStep): PathStep {
  if (step.kind === 'attr') return type.kind === 'map' ? indexStep(step.name) : step;
  const { key } = step;
  const isPlain = key.isKnown && !key.isNull && !key.isMarked;
  const text = isPlain ? asType(key, STRING)?.asString() : undefined;
  if (text === undefined) return step;
  switch (type.kind) {
    case 'object':
      return { kind: 'attr', name: text };
    case 'map':
      return indexStep(text);
    case 'list':
    case 'tuple':
      return /^\d+$/.test(text) ? indexStep(Number(text)) : step;
    default:
      return step;
  }
}

/** Evaluates an expression; undefined after errors, and without a scope. */
export function valueIn(expression: Expression, scope: Scope | undefined): Value | undefined {
  if (scope === undefined) return undefined;
  const problems: Diagnostic[] = [];
  const value = evaluate(expression, scope, problems);
  return hasErrors(problems) ? undefined : value;
}

/** Returns whether two values are equal, ignoring marks, after the first is converted to the type of the second. */
export function alike(a: Value, b: Value): boolean {
  const left = a.unmarkDeep().value;
  const right = b.unmarkDeep().value;
  if (left.rawEquals(right)) return true;
  if (left.isNull && right.isNull) return true;
  if (dropsAttributes(left.type, right.type)) return false;
  const converted = asType(left, right.type);
  return converted !== undefined && converted.rawEquals(right);
}

/** Returns whether a conversion drops attributes of an object, so that different values become equal. */
function dropsAttributes(source: Type, target: Type): boolean {
  switch (source.kind) {
    case 'object':
      return (
        target.kind === 'object' &&
        source.names.some((name, position) => {
          const index = target.indexOf(name);
          const [inner, outer] = [
            source.types[position],
            index === undefined ? undefined : target.types[index],
          ];
          return outer === undefined || (inner !== undefined && dropsAttributes(inner, outer));
        })
      );
    case 'tuple':
      return (
        target.kind === 'tuple' &&
        source.elements.some((inner, position) => {
          const outer = target.elements[position];
          return outer !== undefined && dropsAttributes(inner, outer);
        })
      );
    case 'list':
    case 'set':
    case 'map':
      return target.kind === source.kind && dropsAttributes(source.element, target.element);
    default:
      return false;
  }
}

/** Converts a value to a type; undefined if that is impossible. */
export function asType(value: Value, type: Type): Value | undefined {
  if (value.type === type) return value;
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** Returns whether a value cannot be converted to the type of its earlier value. */
export function isOfOtherKind(now: Value, was: Value): boolean {
  const [left, right] = [now.unmarkDeep().value, was.unmarkDeep().value];
  const arePlain = left.isKnown && right.isKnown && !left.isNull && !right.isNull;
  return arePlain && asType(left, right.type) === undefined;
}

/** Returns whether a value exists and is not null. */
export function isSet(value: Value | undefined): value is Value {
  return value !== undefined && !(value.isKnown && value.isNull);
}

/**
 * Returns the paths at which two values differ, down to the parts that only one of them has: attributes of objects,
 * keys of maps, positions of lists of equal length. An unknown part differs from every value.
 */
export function differingPaths(before: Value, after: Value): readonly Path[] {
  const paths: Path[] = [];
  compare(before, after, [], paths);
  return paths;
}

function compare(before: Value, after: Value, path: Path, paths: Path[]): void {
  if (before === after) return;
  const [a, b] = [before.unmark(), after.unmark()];
  if (a === b) return;
  if (!isSet(a) || !isSet(b)) {
    if (!(a.isKnown && a.isNull && b.isKnown && b.isNull)) paths.push(path);
    return;
  }
  if (!a.isKnown || !b.isKnown || a.type.kind !== b.type.kind) {
    paths.push(path);
    return;
  }
  switch (a.type.kind) {
    case 'object': {
      const names = a.type.names;
      const others = b.type.kind === 'object' ? b.type : undefined;
      for (const name of names) {
        const step: PathStep = { kind: 'attr', name };
        if (others?.indexOf(name) === undefined) paths.push([...path, step]);
        else compare(a.attr(name), b.attr(name), [...path, step], paths);
      }
      for (const name of others?.names ?? [])
        if (!names.includes(name)) paths.push([...path, { kind: 'attr', name }]);
      return;
    }
    case 'map': {
      for (const [key, value] of a.entries()) {
        const other = b.get(key.asString());
        const place = [...path, indexStep(key)];
        if (other === undefined) paths.push(place);
        else compare(value, other, place, paths);
      }
      for (const [key] of b.entries())
        if (a.get(key.asString()) === undefined) paths.push([...path, indexStep(key)]);
      return;
    }
    case 'list':
    case 'tuple': {
      if (a.length !== b.length) {
        paths.push(path);
        return;
      }
      for (let position = 0; position < a.length; position++) {
        const [left, right] = [a.at(position), b.at(position)];
        if (left !== undefined && right !== undefined)
          compare(left, right, [...path, indexStep(position)], paths);
      }
      return;
    }
    default:
      if (!alike(a, b) || !b.isWhollyKnown()) paths.push(path);
  }
}

/** Returns the paths of the unknown parts of a value. */
export function unknownPaths(value: Value): readonly Path[] {
  const paths: Path[] = [];
  collectUnknown(value, [], paths);
  return paths;
}

function collectUnknown(marked: Value, path: Path, paths: Path[]): void {
  if (marked.isWhollyKnown()) return;
  const value = marked.unmark();
  if (!value.isKnown) {
    paths.push(path);
    return;
  }
  if (value.isNull) return;
  switch (value.type.kind) {
    case 'object':
      for (const name of value.type.names)
        collectUnknown(value.attr(name), [...path, { kind: 'attr', name }], paths);
      return;
    case 'map':
      for (const [key, element] of value.entries())
        collectUnknown(element, [...path, indexStep(key)], paths);
      return;
    case 'list':
    case 'tuple':
      for (const [position, element] of value.elements().entries())
        collectUnknown(element, [...path, indexStep(position)], paths);
      return;
    default:
      paths.push(path);
  }
}

/** Returns a null of the type of a value. */
export function nothingLike(value: Value): Value {
  return nullOf(value.type);
}
