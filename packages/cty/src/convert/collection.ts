import { CtyError, rethrowUnder } from '../cty-error.ts';
import { indexStep } from '../path.ts';
import { lengthRange } from '../range.ts';
import { withoutOptional } from '../object-type.ts';
import { DYNAMIC, isCollection, listType, type Type } from '../type.ts';
import { nullOf, plainUnknown, textValue, type Value } from '../value.ts';
import { commonType, list, map, set } from '../values.ts';
import type { Conversion, FindConversion } from './find-conversion.ts';
import { unifyTypes } from './unify.ts';

/** A null that was converted to a type with optional attributes has the type without them. */
export function plainNull(v: Value): Value {
  return v.isNull ? nullOf(withoutOptional(v.type)).withMarks(v.marks) : v;
}

function convertElements(v: Value, conversion: Conversion | undefined): readonly Value[] {
  const elements = v.elements();
  if (conversion === undefined) return elements;
  const converted = new Array<Value>(elements.length);
  let i = 0;
  try {
    for (; i < elements.length; i++) converted[i] = plainNull(conversion(elements[i] as Value));
  } catch (error) {
    rethrowUnder(error, indexStep(i));
  }
  return converted;
}

/**
 * Returns the element type of an empty result: the requested type, or the element type of the source if any type was
 * requested.
 */
function emptyElement(v: Value, element: Type): Type {
  if (element === DYNAMIC && isCollection(v.type)) return v.type.element;
  return withoutOptional(element);
}

/**
 * Converts a list or set to a list. The length of a set with unknown elements is unknown, so it becomes an unknown
 * list.
 */
export function collectionToList(element: Type, conversion: Conversion | undefined): Conversion {
  return (v) => {
    const { min, max } = lengthRange(v);
    if (min !== max && isCollection(v.type)) return plainUnknown(listType(v.type.element));
    const converted = convertElements(v, conversion);
    if (converted.length === 0) return list(emptyElement(v, element), []);
    return listOf(converted);
  };
}

/** Converts a list or set to a set. */
export function collectionToSet(element: Type, conversion: Conversion | undefined): Conversion {
  return (v) => {
    const converted = convertElements(v, conversion);
    if (converted.length === 0) return set(emptyElement(v, element), []);
    return setOf(converted);
  };
}

/** Converts a map to a map. */
export function collectionToMap(
  element: Type,
  conversion: Conversion,
  find: FindConversion,
): Conversion {
  return (v) => {
    const converted: [string, Value][] = [];
    for (const [key, part] of v.payload as ReadonlyMap<string, Value>) {
      try {
        converted.push([key, conversion(part)]);
      } catch (error) {
        rethrowUnder(error, indexStep(key));
      }
    }
    if (converted.length === 0) return map(emptyElement(v, element), []);
    if (element.kind === 'object' || isCollection(element)) {
      return mapOf(unifyEntries(converted, false, find), 'element');
    }
    return mapOf(converted, 'element');
  };
}

/** A list of values that must all have one type. */
export function listOf(values: readonly Value[]): Value {
  const type = commonType(values);
  if (type === undefined) {
    throw new CtyError('element types must all match for conversion to list');
  }
  return list(type, values);
}

/** A set of values that must all have one type. */
export function setOf(values: readonly Value[]): Value {
  const type = commonType(values);
  if (type === undefined) throw new CtyError('element types must all match for conversion to set');
  return set(type, values);
}

/** Creates a map of values that must all have one type; `noun` names them in messages. */
export function mapOf(
  entries: readonly (readonly [string, Value])[],
  noun: 'element' | 'attribute',
): Value {
  const type = commonType(entries.map((entry) => entry[1]));
  if (type === undefined) {
    throw new CtyError(`${noun} types must all match for conversion to map`);
  }
  return map(type, entries);
}

/** Converts the values of the entries to their common type. */
export function unifyEntries(
  entries: readonly (readonly [string, Value])[],
  unsafe: boolean,
  find: FindConversion,
): readonly (readonly [string, Value])[] {
  const unified = unifyValues(
    entries.map((entry) => entry[1]),
    unsafe,
    find,
    (i) => textValue((entries[i] as readonly [string, Value])[0]),
  );
  return unified.map((v, i) => [(entries[i] as readonly [string, Value])[0], v] as const);
}

/** Converts the values to their common type. */
export function unifyValues(
  values: readonly Value[],
  unsafe: boolean,
  find: FindConversion,
  keyOf: (i: number) => Value | number,
): readonly Value[] {
  const first = values[0]?.type;
  if (values.every((v) => v.type === first)) return values;
  const type = unifyTypes(
    values.map((v) => v.type),
    unsafe,
    find,
  );
  if (type === undefined) throw new CtyError('cannot find a common base type for all elements');
  return values.map((v, i) => {
    if (v.type === type) return v;
    const conversion = find(v.type, type, unsafe);
    if (conversion === undefined) return v;
    try {
      return conversion(v);
    } catch (error) {
      return rethrowUnder(error, indexStep(keyOf(i)));
    }
  });
}
