import { numToFloat, type Value } from '@terrane/cty';

/** Represents a planned value that is known only after the apply. */
export const UNKNOWN: unique symbol = Symbol('known after apply');

/** A value as plain JavaScript; `UNKNOWN` if it is unknown. Sensitive values are not hidden. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | typeof UNKNOWN
  | readonly Plain[]
  | { readonly [name: string]: Plain };

/** Attributes of an object. */
export type Attributes = { readonly [name: string]: Plain };

/** Converts a value to plain JavaScript data: sets become arrays in canonical order, numbers become doubles. */
export function plainValue(value: Value): Plain {
  if (!value.isKnown) return UNKNOWN;
  const bare = value.isMarked ? value.unmark() : value;
  if (bare.isNull) return null;
  switch (bare.type.kind) {
    case 'string':
      return bare.asString();
    case 'bool':
      return bare.asBool();
    case 'number':
      return numToFloat(bare.asNum());
    case 'list':
    case 'set':
    case 'tuple':
      return bare.elements().map((element) => plainValue(element));
    case 'map':
    case 'object':
      return Object.fromEntries(
        bare.entries().map(([key, element]) => [key.asString(), plainValue(element)]),
      );
    default:
      throw new TypeError(`a value of kind ${bare.type.kind} has no plain form`);
  }
}
