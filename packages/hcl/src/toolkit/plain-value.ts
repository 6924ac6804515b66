import {
  bool,
  CtyError,
  NULL,
  number,
  numFromBigInt,
  numToFloat,
  object,
  parseNumber,
  str,
  tuple,
  Value,
} from '@terrane/cty';
import { setProperty } from './json-types.ts';

/**
 * A value as plain JavaScript data: null, booleans, numbers, bigints, strings, arrays, plain objects. A `Value` is used
 * unchanged.
 */
export type PlainInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | Value
  | readonly PlainInput[]
  | { readonly [name: string]: PlainInput | undefined };

/** A value as plain JavaScript; numbers beyond its precision are rounded. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | PlainValue[]
  | { [name: string]: PlainValue };

/**
 * Converts a plain value to HCL: arrays become tuples, objects become objects; undefined properties are omitted. Throws
 * a TypeError for values that HCL does not have.
 */
export function valueFromPlain(input: PlainInput): Value {
  if (input instanceof Value) return input;
  switch (typeof input) {
    case 'boolean':
      return bool(input);
    case 'number':
      if (!Number.isFinite(input)) throw new TypeError(`${input} is not a number of HCL`);
      // The text of the number is parsed, so that 0.1 is a tenth.
      return number(parseNumber(String(input)) ?? input);
    case 'bigint':
      return number(numFromBigInt(input));
    case 'string':
      return str(input);
    case 'object': {
      if (input === null) return NULL;
      if (isArray(input)) return tuple(input.map(valueFromPlain));
      const attributes = new Map<string, Value>();
      for (const [name, value] of Object.entries(input)) {
        if (value !== undefined) attributes.set(name, valueFromPlain(value));
      }
      return object(attributes);
    }
    default:
      throw new TypeError(`HCL has no value for a ${typeof input}`);
  }
}

/**
 * A value as plain JavaScript: lists, sets and tuples as arrays, maps and objects as objects,
 * numbers as the nearest double. Throws a CtyError for a value that is not known; marks are dropped.
 */
export function plainFromValue(marked: Value): PlainValue {
  const value = marked.unmark();
  if (!value.isKnown) throw new CtyError('a value that is not known has no plain form');
  if (value.isNull) return null;
  switch (value.type.kind) {
    case 'bool':
      return value.asBool();
    case 'number':
      return numToFloat(value.asNum());
    case 'string':
      return value.asString();
    case 'list':
    case 'set':
    case 'tuple':
      return value.elements().map(plainFromValue);
    case 'map':
    case 'object': {
      const result: Record<string, PlainValue> = {};
      for (const [key, element] of value.entries()) {
        setProperty(result, key.asString(), plainFromValue(element));
      }
      return result;
    }
    default:
      throw new CtyError(`a value of type ${value.type.kind} has no plain form`);
  }
}

function isArray(input: object): input is readonly PlainInput[] {
  return Array.isArray(input);
}
