import { bool } from './constants.ts';
import { convert } from './convert/conversion.ts';
import { CtyError } from './cty-error.ts';
import type { JsonNode } from './json-node.ts';
import { parseNumber } from './number-text.ts';
import { indexStep } from './path.ts';
import { normalizeText, quoteText } from './text.ts';
import {
  BOOL,
  type CollectionType,
  hasDynamic,
  type ObjectType,
  type PrimitiveType,
  STRING,
  type Type,
} from './type.ts';
import { typeFromJson } from './type-json.ts';
import { nullOf, plainUnknown, textValue, type Value } from './value.ts';
import { commonType, list, map, number, set, str } from './values.ts';

/** Converts a JSON string. Throws CtyError if the type is another one that the text does not represent. */
export function primitiveFromText(text: string, type: PrimitiveType): Value {
  return type.kind === 'string' ? str(text) : convert(textValue(text), type);
}

/** Converts a JSON bool. Throws CtyError for a number type. */
export function primitiveFromBool(b: boolean, type: PrimitiveType): Value {
  if (type.kind === 'number') throw new CtyError('number is required');
  return type === BOOL ? bool(b) : convert(bool(b), STRING);
}

/** Converts a JSON number. One that is converted to a string keeps its notation. Throws CtyError for a bool type. */
export function primitiveFromNumber(text: string, type: PrimitiveType): Value {
  if (type.kind === 'string') return textValue(text);
  if (type.kind === 'bool') throw new CtyError('bool is required');
  const n = parseNumber(text);
  if (n === undefined) throw new CtyError('a number is required');
  return number(n);
}

/** Decodes the type of a dynamic value. Throws CtyError. */
export function typeOfDynamic(node: JsonNode): Type {
  try {
    return typeFromJson(node);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError(`failed to decode type for dynamic value: ${error.message}`);
  }
}

/** Returns the index of an attribute. Throws CtyError if the type does not have it. */
export function attributeIndex(type: ObjectType, key: string): number {
  const i = type.indexOf(key) ?? type.indexOf(normalizeText(key));
  if (i === undefined) throw new CtyError(`unsupported attribute ${quoteText(key)}`);
  return i;
}

/** Sets missing attributes to null. */
export function withNulls(type: ObjectType, values: (Value | undefined)[]): Value[] {
  for (let i = 0; i < values.length; i++) values[i] ??= nullOf(type.types[i] as Type);
  return values as Value[];
}

/** Returns the step to an element, for errors. Elements of a set have no index. */
export function elementStep(type: CollectionType, i: number): ReturnType<typeof indexStep> {
  return indexStep(type.kind === 'set' ? plainUnknown(type.element) : i);
}

/** Elements of a dynamic type bring their types; these must agree. */
export function settledElement(type: CollectionType, values: readonly Value[]): Type {
  if (values.length === 0 || !hasDynamic(type.element)) return type.element;
  const element = commonType(values);
  if (element === undefined) {
    throw new CtyError(`all ${type.kind} elements must have the same type`);
  }
  return element;
}

/** Returns a list or set. Throws CtyError if elements of a dynamic type differ in type. */
export function sequence(type: CollectionType, values: readonly Value[]): Value {
  const element = settledElement(type, values);
  return type.kind === 'set' ? set(element, values) : list(element, values);
}

/** Returns a map. Throws CtyError if elements of a dynamic type differ in type. */
export function mapOfEntries(
  type: CollectionType,
  entries: readonly (readonly [string, Value])[],
): Value {
  const element = settledElement(
    type,
    entries.map((entry) => entry[1]),
  );
  return map(element, entries);
}
