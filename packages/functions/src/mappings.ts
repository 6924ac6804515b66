import {
  ArgumentError,
  CtyError,
  DYNAMIC,
  EMPTY_OBJECT,
  EMPTY_TUPLE,
  STRING,
  compareText,
  convert,
  friendlyName,
  list,
  listType,
  map,
  mapType,
  nullOf,
  object,
  objectType,
  quoteText,
  str,
  tuple,
  tupleType,
  unify,
  unknownOf,
} from '@terrane/cty';
import type { FunctionSpec, Marks, Type, Value } from '@terrane/cty';
import { anything, argument, define, parameter, STRINGS } from './spec.ts';
import { redacted } from './numeric.ts';

function keysType(args: readonly Value[]): Type {
  const { type } = argument(args, 0);
  if (type.kind === 'map') return STRINGS;
  if (type.kind === 'object') return tupleType(type.names.map(() => STRING));
  throw new ArgumentError(0, 'must have map or object type');
}

function keys(args: readonly Value[], type: Type): Value {
  const input = argument(args, 0);
  const value = input.unmark();
  if (value.type.kind === 'object') {
    return tuple(value.type.names.map(str)).withMarks(input.marks);
  }
  if (!value.isKnown) return unknownOf(type).withMarks(input.marks);
  const names = [...value.entries()].map(([key]) => key);
  return list(STRING, names).withMarks(input.marks);
}

function valuesType(args: readonly Value[]): Type {
  const { type } = argument(args, 0);
  if (type.kind === 'map') return listType(type.element);
  if (type.kind === 'object') return type.names.length === 0 ? EMPTY_TUPLE : tupleType(type.types);
  throw new CtyError('values() requires a map as the first argument');
}

function values(args: readonly Value[], type: Type): Value {
  const input = argument(args, 0);
  const elements = input.unmark().elements();
  const result = type.kind === 'list' ? list(type.element, elements) : tuple(elements);
  return result.withMarks(input.marks);
}

function lookupType(args: readonly Value[]): Type {
  if (args.length > 3) {
    throw new CtyError(`lookup() takes two or three arguments, got ${args.length}`);
  }
  const input = argument(args, 0);
  const { type } = input;
  const fallback = args[2];
  switch (type.kind) {
    case 'object': {
      const key = argument(args, 1);
      if (!key.isKnown) return DYNAMIC;
      const name = key.unmark().asString();
      const index = type.indexOf(name);
      if (index !== undefined) return input.attr(name).type;
      if (fallback !== undefined) return fallback.type;
      throw new ArgumentError(0, `the given object has no attribute ${quoteText(name)}`);
    }
    case 'map':
      if (fallback !== undefined) checkFallback(fallback, type.element);
      return type.element;
    default:
      throw new ArgumentError(0, 'lookup() requires a map as the first argument');
  }
}

function checkFallback(fallback: Value, element: Type): void {
  try {
    convert(fallback, element);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(2, 'the default value must have the same type as the map elements');
  }
}

function lookup(args: readonly Value[], type: Type): Value {
  const input = argument(args, 0);
  const givenKey = argument(args, 1);
  const mapping = input.unmark();
  const key = givenKey.unmark();
  if (!mapping.isKnown || !key.isKnown) return unknownOf(type).withSameMarks(input, givenKey);
  const element = mapping.get(key.asString());
  if (element !== undefined) return element.withSameMarks(input, givenKey);
  const fallback = args[2];
  if (fallback !== undefined) return convert(fallback, type).withSameMarks(input, givenKey);
  const displayKey = redacted(quoteText(key.asString()), givenKey);
  throw new CtyError(`lookup failed to find key ${displayKey}`);
}

function mergeType(args: readonly Value[]): Type {
  const first = args[0];
  if (first === undefined) return EMPTY_OBJECT;
  const attributes = new Map<string, Type>();
  let matching = true;
  let allKnown = true;
  for (const input of args) {
    const { type } = input;
    if (type === DYNAMIC) return DYNAMIC;
    if (type.kind === 'object') {
      if (!input.isNull)
        type.names.forEach((name, i) => attributes.set(name, type.types[i] ?? DYNAMIC));
    } else if (type.kind === 'map') {
      if (!input.isKnown) allKnown = false;
      else if (!input.isNull) {
        for (const [key] of input.unmark().entries()) attributes.set(key.asString(), type.element);
      }
    } else throw notMergeable(type);
    if (type !== first.type) matching = false;
  }
  if (matching) return first.type;
  return allKnown ? objectType(attributes) : DYNAMIC;
}

function notMergeable(type: Type): CtyError {
  return new CtyError(`arguments must be maps or objects, got ${quoteText(friendlyName(type))}`);
}

function merge(args: readonly Value[], type: Type): Value {
  const merged = new Map<string, Value>();
  let marks: Marks | undefined;
  let marked: Value = nullOf(DYNAMIC);
  for (const input of args) {
    if (input.isNull) continue;
    // After an untyped null the types are not checked; the reference implementation crashes here.
    if (input.type.kind !== 'map' && input.type.kind !== 'object') throw notMergeable(input.type);
    marked = marked.withMarks(input.marks);
    marks = marked.marks;
    for (const [key, value] of input.unmark().entries()) merged.set(key.asString(), value);
  }
  const result = type.kind === 'map' ? map(type.element, merged) : object(merged);
  return marks === undefined ? result : result.withMarks(marks);
}

function zipmapType(args: readonly Value[]): Type {
  const names = argument(args, 0);
  const { type } = argument(args, 1);
  if (type.kind === 'list') return mapType(type.element);
  if (type.kind !== 'tuple') throw new CtyError('values argument must be a list or tuple value');
  if (!names.isWhollyKnown()) return DYNAMIC;
  const keyNames = names.unmark().elements();
  checkZipLengths(keyNames.length, type.elements.length);
  const attributes = new Map<string, Type>();
  keyNames.forEach((name, i) => {
    const unmarkedName = name.unmark();
    if (unmarkedName.isNull) throw new CtyError(`keys list has null value at index ${i}`);
    attributes.set(unmarkedName.asString(), type.elements[i] ?? DYNAMIC);
  });
  return objectType(attributes);
}

function checkZipLengths(names: number, values: number): void {
  if (names === values) return;
  throw new CtyError(`number of keys (${names}) does not match number of values (${values})`);
}

function zipmap(args: readonly Value[], type: Type): Value {
  const givenNames = argument(args, 0);
  const givenValues = argument(args, 1);
  const names = givenNames.unmark();
  if (!names.isWhollyKnown()) return unknownOf(type).withSameMarks(givenNames, givenValues);
  const elements = givenValues.unmark().elements();
  checkZipLengths(names.length, elements.length);
  const zipped = new Map<string, Value>();
  names.elements().forEach((keyValue, i) => {
    const name = keyValue.unmark();
    // The original crashes here.
    if (name.isNull) throw new CtyError(`keys list has null value at index ${i}`);
    zipped.set(name.asString(), elements[i] ?? nullOf(DYNAMIC));
  });
  const result = type.kind === 'map' ? map(type.element, zipped) : object(zipped);
  return result.withSameMarks(givenNames, givenValues, ...names.elements());
}

const STRING_LISTS = mapType(STRINGS);

function transpose(args: readonly Value[]): Value {
  const input = argument(args, 0);
  if (!input.isWhollyKnown()) return unknownOf(STRING_LISTS);
  const transposed = new Map<string, string[]>();
  for (const [key, texts] of input.entries()) {
    if (texts.isNull) throw new CtyError('input must not contain null list');
    for (const text of texts.elements()) {
      if (text.isNull) throw new CtyError('input list must not contain null string');
      const existingKeys = transposed.get(text.asString());
      if (existingKeys === undefined) transposed.set(text.asString(), [key.asString()]);
      else existingKeys.push(key.asString());
    }
  }
  return map(
    STRINGS,
    [...transposed].map(([key, texts]) => [key, list(STRING, texts.sort(compareText).map(str))]),
  );
}

function coalesce(args: readonly Value[], type: Type): Value {
  for (const candidate of args) {
    const value = convert(candidate, type);
    if (!value.isKnown) return unknownOf(type);
    if (value.isNull || (type === STRING && value.asString() === '')) continue;
    return value;
  }
  throw new CtyError('no non-null, non-empty-string arguments');
}

function coalesceType(args: readonly Value[]): Type {
  const common = unify(
    args.map((value) => value.type),
    true,
  );
  if (common === undefined) throw new CtyError('all arguments must have the same type');
  return common;
}

function removedFunction(name: string, replacement: string): FunctionSpec {
  const fail = (): never => {
    throw new CtyError(
      `the "${name}" function was deprecated in Terraform v0.12 and is no longer available; use ${replacement}`,
    );
  };
  return define(name, {
    description: `Not available since Terraform 0.12: use ${replacement}.`,
    variadic: anything('vals', 'unknown', 'dynamic', 'null'),
    returns: fail,
    nullable: true,
    run: fail,
  });
}

/** Functions on maps and objects, and those that choose among values. */
export const MAPPING_FUNCTIONS: readonly FunctionSpec[] = [
  define('coalesce', {
    description: 'The first value that is not null and no empty string.',
    variadic: anything('vals', 'unknown', 'dynamic', 'null'),
    returns: coalesceType,
    run: coalesce,
  }),
  define('keys', {
    description: 'The keys of a map or the attribute names of an object, in order.',
    parameters: [anything('inputMap', 'unknown', 'marked')],
    returns: keysType,
    run: keys,
  }),
  removedFunction('list', 'tolist([ ... ]) syntax to write a literal list'),
  define('lookup', {
    description: 'The element of a map at a key, or a default if there is none.',
    parameters: [
      anything('inputMap', 'marked', 'unknown'),
      parameter('key', STRING, 'marked', 'unknown'),
    ],
    variadic: anything('default', 'unknown', 'dynamic', 'null', 'marked'),
    returns: lookupType,
    nullable: true,
    run: lookup,
  }),
  removedFunction('map', 'tomap({ ... }) syntax to write a literal map'),
  define('merge', {
    description: 'The elements of several maps in one; of those with equal keys the last.',
    variadic: anything('maps', 'dynamic', 'null', 'marked'),
    returns: mergeType,
    run: merge,
  }),
  define('transpose', {
    description: 'A map of lists of strings with keys and elements exchanged.',
    parameters: [parameter('values', STRING_LISTS)],
    returns: STRING_LISTS,
    run: transpose,
  }),
  define('values', {
    description: 'The elements of a map or object, in the order of their keys.',
    parameters: [anything('mapping', 'marked')],
    returns: valuesType,
    run: values,
  }),
  define('zipmap', {
    description: 'A map from a list of keys and a list of values.',
    parameters: [parameter('keys', STRINGS, 'marked'), anything('values', 'marked')],
    returns: zipmapType,
    run: zipmap,
  }),
];
