import {
  attrStep,
  convert,
  CtyError,
  DYNAMIC,
  EMPTY_TUPLE_VALUE,
  emptyCollection,
  friendlyName,
  indexStep,
  integer,
  list,
  map,
  object,
  type ObjectType,
  type Path,
  set,
  str,
  tuple,
  type Type,
  type Value,
} from '@terrane/cty';
import type { AttributeSchema } from '../schema/model.ts';
import { generatedAttribute, generatedValue, type RandomBytes } from './made-up-value.ts';
import { attributeType } from '../schema/implied-type.ts';

/** A mock value that cannot be converted to the attribute's type. */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
  readonly path: Path;

  constructor(message: string, path: Path) {
    super(message);
    this.path = path;
  }
}

/**
 * Converts a mock value to an attribute's type, generating missing members and dropping excess ones
 * (mocking.FillAttribute). Throws UnfitValue if this is impossible.
 */
export function filledAttribute(
  value: Value,
  attribute: AttributeSchema,
  random: RandomBytes,
  path: Path = [],
): Value {
  const { nested } = attribute;
  if (nested === undefined) return filledValue(value, attribute.type ?? DYNAMIC, random, path);
  if (value.type.kind !== 'object') {
    throw new UnfitValue(
      `incompatible types; expected object type, found ${friendlyName(value.type)}`,
      path,
    );
  }
  if (nested.nesting !== 'single') return emptyCollection(attributeType(attribute));
  const definedMembers = membersOf(value);
  const members = new Map<string, Value>();
  for (const name of Object.keys(nested.attributes).sort()) {
    const member = nested.attributes[name];
    if (member === undefined) continue;
    const definedMember = definedMembers.get(name);
    members.set(
      name,
      definedMember === undefined
        ? generatedAttribute(member, random)
        : filledAttribute(definedMember, member, random, [...path, attrStep(name)]),
    );
  }
  return object(members);
}

/** Variant of {@link filledAttribute} for a type. */
function filledValue(value: Value, target: Type, random: RandomBytes, path: Path = []): Value {
  if (target.kind === 'object') return filledObject(value, target, random, path);
  const { type } = value;
  const isCollection = target.kind === 'list' || target.kind === 'set' || target.kind === 'map';
  if (isCollection && target.element.kind === 'object') {
    const element = target.element;
    const at = (key: Value, part: Value): Value =>
      filledValue(part, element, random, [...path, indexStep(key)]);
    if (target.kind === 'map') {
      if (type.kind !== 'map' && type.kind !== 'object') throw unfit(value, target, path);
      const members = [...membersOf(value)].sort(([a], [b]) => (a < b ? -1 : 1));
      return map(
        element,
        members.map(([name, part]) => [name, at(str(name), part)] as const),
      );
    }
    if (type.kind !== 'list' && type.kind !== 'set' && type.kind !== 'tuple')
      throw unfit(value, target, path);
    const parts = value.entries().map(([key, part]) => at(key, part));
    return target.kind === 'list' ? list(element, parts) : set(element, parts);
  }
  if (target.kind === 'tuple' && type.kind === 'tuple') {
    if (target.elements.length !== type.elements.length) {
      throw new UnfitValue(
        `incompatible types; expected ${friendlyName(target)} with length ${target.elements.length}, found ${friendlyName(type)} with length ${type.elements.length}`,
        path,
      );
    }
    const parts = value
      .entries()
      .map(([, part], index) =>
        filledValue(part, target.elements[index] ?? DYNAMIC, random, [
          ...path,
          indexStep(integer(index)),
        ]),
      );
    return parts.length === 0 ? EMPTY_TUPLE_VALUE : tuple(parts);
  }
  try {
    return convert(value, target);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new UnfitValue(error.message, path);
  }
}

function filledObject(value: Value, target: ObjectType, random: RandomBytes, path: Path): Value {
  const { kind } = value.type;
  if (kind !== 'object' && kind !== 'map') throw unfit(value, target, path);
  const definedMembers = membersOf(value);
  const members = new Map<string, Value>();
  for (const name of [...target.names].sort()) {
    const type = target.types[target.indexOf(name) ?? -1] ?? DYNAMIC;
    const definedMember = definedMembers.get(name);
    members.set(
      name,
      definedMember === undefined
        ? generatedValue(type, random)
        : filledValue(definedMember, type, random, [...path, indexStep(str(name))]),
    );
  }
  return object(members);
}

/** Returns the members of an object or a map; a null value has none. */
export function membersOf(value: Value): ReadonlyMap<string, Value> {
  if (value.isNull || !value.isKnown) return new Map();
  return new Map(value.entries().map(([key, part]) => [key.asString(), part]));
}

function unfit(value: Value, target: Type, path: Path): UnfitValue {
  const actual = friendlyName(value.type);
  return new UnfitValue(
    `incompatible types; expected ${friendlyName(target)}, found ${actual}`,
    path,
  );
}
