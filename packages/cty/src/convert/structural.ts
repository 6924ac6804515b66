import { CtyError, rethrowUnder } from '../cty-error.ts';
import { attrStep, indexStep } from '../path.ts';
import { quoteText } from '../text.ts';
import { withoutOptional } from '../object-type.ts';
import {
  type CollectionType,
  DYNAMIC,
  isCollection,
  type ObjectType,
  type TupleType,
  type Type,
} from '../type.ts';
import { nullOf, type Value } from '../value.ts';
import { list, map, objectOf, set, tuple } from '../values.ts';
import { listOf, mapOf, plainNull, setOf, unifyEntries, unifyValues } from './collection.ts';
import type { Conversion, FindConversion } from './find-conversion.ts';
import { describeMismatch } from './mismatch.ts';
import { unifyTypes } from './unify.ts';

/** The conversion of a part of a value; `same` if no conversion is required. */
type PartConversion = Conversion | 'same';

/** Conversions of all parts, or undefined if one of them can't be converted. */
function partConversions(
  from: readonly Type[],
  toOf: (i: number) => Type,
  unsafe: boolean,
  find: FindConversion,
): readonly PartConversion[] | undefined {
  const conversions: PartConversion[] = [];
  for (let i = 0; i < from.length; i++) {
    const to = toOf(i);
    const part = from[i] as Type;
    const conversion = part === to ? 'same' : find(part, to, unsafe);
    if (conversion === undefined) return undefined;
    conversions.push(conversion);
  }
  return conversions;
}

function applyPart(conversion: PartConversion, v: Value): Value {
  return conversion === 'same' ? v : conversion(v);
}

/**
 * Converts an object to one with a subset of its attributes. Optional attributes of the target that the source lacks
 * become null.
 */
export function objectToObject(
  from: ObjectType,
  to: ObjectType,
  unsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  const sources: number[] = [];
  const conversions: PartConversion[] = [];
  for (let i = 0; i < to.names.length; i++) {
    const name = to.names[i] as string;
    const source = from.indexOf(name);
    const target = to.types[i] as Type;
    if (source === undefined) {
      if (!to.optional.has(name)) return undefined;
      const missing = nullOf(withoutOptional(target));
      sources.push(-1);
      conversions.push(() => missing);
      continue;
    }
    const conversion =
      from.types[source] === target ? 'same' : find(from.types[source] as Type, target, unsafe);
    if (conversion === undefined) return undefined;
    sources.push(source);
    conversions.push(conversion);
  }
  const plain = withoutOptional(to) as ObjectType;
  return (v) => {
    const elements = v.elements();
    const values = new Array<Value>(sources.length);
    let i = 0;
    try {
      for (; i < sources.length; i++) {
        const part = elements[sources[i] as number] ?? v;
        values[i] = plainNull(applyPart(conversions[i] as PartConversion, part));
      }
    } catch (error) {
      rethrowUnder(error, attrStep(to.names[i] as string));
    }
    return objectOf(plain, values);
  };
}

/** Converts a tuple to a tuple of the same length. */
export function tupleToTuple(
  from: TupleType,
  to: TupleType,
  unsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  if (from.elements.length !== to.elements.length) return undefined;
  const conversions = partConversions(from.elements, (i) => to.elements[i] as Type, unsafe, find);
  return conversions && ((v) => tuple(convertSequence(v, conversions)));
}

function convertSequence(v: Value, conversions: readonly PartConversion[]): readonly Value[] {
  const elements = v.elements();
  const converted = new Array<Value>(elements.length);
  let i = 0;
  try {
    for (; i < elements.length; i++) {
      converted[i] = applyPart(conversions[i] as PartConversion, elements[i] as Value);
    }
  } catch (error) {
    rethrowUnder(error, indexStep(i));
  }
  return converted;
}

/**
 * Returns the target type of the elements of a tuple. If the requested element type is dynamic, this is the common type
 * of the elements; it is dynamic only if all of them are.
 */
function elementTarget(
  types: readonly Type[],
  target: Type,
  unsafe: boolean,
  find: FindConversion,
): Type | undefined {
  if (target !== DYNAMIC) return target;
  const unified = unifyTypes(types, unsafe, find);
  if (unified === DYNAMIC && types.some((t) => t !== DYNAMIC)) return undefined;
  return unified;
}

/** Converts a tuple to a list. */
export function tupleToList(
  from: TupleType,
  element: Type,
  unsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  if (from.elements.length === 0) {
    const empty = list(withoutOptional(element), []);
    return () => empty;
  }
  const target = elementTarget(from.elements, element, unsafe, find);
  if (target === undefined) return undefined;
  const conversions = partConversions(from.elements, () => target, unsafe, find);
  return (
    conversions &&
    ((v) => listOf(unifyValues(convertSequence(v, conversions), unsafe, find, (i) => i)))
  );
}

/** Converts a tuple to a set. */
export function tupleToSet(
  from: TupleType,
  element: Type,
  unsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  if (from.elements.length === 0) {
    const empty = set(withoutOptional(element), []);
    return () => empty;
  }
  const target = elementTarget(from.elements, element, unsafe, find);
  if (target === undefined) return undefined;
  const conversions = partConversions(from.elements, () => target, unsafe, find);
  return conversions && ((v) => setOf(convertSequence(v, conversions).map(plainNull)));
}

/** Converts an object to a map. */
export function objectToMap(
  from: ObjectType,
  element: Type,
  unsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  if (from.names.length === 0) {
    const empty = map(withoutOptional(element), []);
    return () => empty;
  }
  const target = element === DYNAMIC ? unifyTypes(from.types, unsafe, find) : element;
  if (target === undefined) return undefined;
  const conversions = partConversions(from.types, () => target, unsafe, find);
  if (conversions === undefined) return undefined;
  const needsUnifying = target.kind === 'object' || isCollection(target);
  return (v) => {
    const elements = v.elements();
    const entries: (readonly [string, Value])[] = [];
    for (let i = 0; i < elements.length; i++) {
      const name = from.names[i] as string;
      try {
        entries.push([name, applyPart(conversions[i] as PartConversion, elements[i] as Value)]);
      } catch (error) {
        rethrowUnder(error, indexStep(name));
      }
    }
    return mapOf(needsUnifying ? unifyEntries(entries, unsafe, find) : entries, 'attribute');
  };
}

/**
 * Converts a map to an object: keys without an attribute are dropped, optional attributes without a key become null. An
 * optional attribute whose type the elements can't be converted to is an error only if the map has its key.
 */
export function mapToObject(
  from: CollectionType,
  to: ObjectType,
  find: FindConversion,
): Conversion | undefined {
  const conversions: (PartConversion | undefined)[] = [];
  for (let i = 0; i < to.names.length; i++) {
    const target = to.types[i] as Type;
    const conversion = target === from.element ? 'same' : find(from.element, target, true);
    if (conversion === undefined && !to.optional.has(to.names[i] as string)) return undefined;
    conversions.push(conversion);
  }
  return (v) => {
    const members = v.payload as ReadonlyMap<string, Value>;
    const values: Value[] = [];
    for (let i = 0; i < to.names.length; i++) {
      const name = to.names[i] as string;
      const part = members.get(name);
      if (part === undefined) values.push(missingAttribute(to, i));
      else values.push(convertAttribute(part, name, to.types[i] as Type, conversions[i], find));
    }
    return objectOf(withoutOptional(to) as ObjectType, values);
  };
}

function missingAttribute(to: ObjectType, i: number): Value {
  const name = to.names[i] as string;
  if (!to.optional.has(name)) {
    throw new CtyError(`map has no element for required attribute ${quoteText(name)}`);
  }
  return nullOf(withoutOptional(to.types[i] as Type));
}

function convertAttribute(
  part: Value,
  name: string,
  target: Type,
  conversion: PartConversion | undefined,
  find: FindConversion,
): Value {
  if (conversion === undefined) {
    const reason = describeMismatch(part.type, target, find);
    throw new CtyError(
      `map element type is incompatible with attribute ${quoteText(name)}: ${reason}`,
    );
  }
  try {
    return plainNull(applyPart(conversion, part));
  } catch (error) {
    return rethrowUnder(error, indexStep(name));
  }
}
