import type { Type } from '../type.ts';
import type { Value } from '../value.ts';

/**
 * Makes values of one type into values of another. Throws CtyError, with the path inside the value, for values that
 * can't be converted although their type can.
 */
export type Conversion = (v: Value) => Value;

/** Finds the conversion between two types. It is handed to the parts of conversion that need conversions of parts. */
export type FindConversion = (from: Type, to: Type, unsafe: boolean) => Conversion | undefined;
