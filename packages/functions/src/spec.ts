import { ArgumentError, CtyError, DYNAMIC, NUMBER, STRING, listType, numToInt } from '@terrane/cty';
import type { FunctionSpec, Parameter, Type, Value } from '@terrane/cty';

/** Conditions on the argument of a parameter: see cty's `Parameter`. */
type Allowed = 'null' | 'unknown' | 'dynamic' | 'marked';

/** A parameter. */
export function parameter(name: string, type: Type, ...allowed: readonly Allowed[]): Parameter {
  return {
    name,
    type,
    ...(allowed.includes('null') ? { allowNull: true } : {}),
    ...(allowed.includes('unknown') ? { allowUnknown: true } : {}),
    ...(allowed.includes('dynamic') ? { allowDynamic: true } : {}),
    ...(allowed.includes('marked') ? { allowMarked: true } : {}),
  };
}

/** Returns a parameter that takes a string. */
export const text = (name: string): Parameter => parameter(name, STRING);
/** Returns a parameter that takes a number. */
export const numeric = (name: string): Parameter => parameter(name, NUMBER);
/** Returns a parameter that takes any value. */
export const anything = (name: string, ...allowed: readonly Allowed[]): Parameter =>
  parameter(name, DYNAMIC, ...allowed);
/** Lists of strings, a common parameter and result type. */
export const STRINGS: Type = listType(STRING);

const NOT_NULL = { notNull: true } as const;
const notNull = (): typeof NOT_NULL => NOT_NULL;

/** The options of {@link define} except the name. */
export interface Definition {
  /** one sentence of documentation */
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly variadic?: Parameter;
  readonly returns: FunctionSpec['returnType'];
  /** true if the result may be null; otherwise an unknown result is refined as not null */
  readonly nullable?: boolean;
  readonly run: FunctionSpec['implementation'];
}

/** A function of the language. */
export function define(name: string, definition: Definition): FunctionSpec {
  const { description, parameters = [], variadic, returns, nullable, run } = definition;
  return {
    name,
    description,
    parameters,
    returnType: returns,
    implementation: run,
    ...(variadic === undefined ? {} : { variadic }),
    ...(nullable === true ? {} : { refineResult: notNull }),
  };
}

/** Returns an argument that the call protocol guarantees to be present. */
export function argument(args: readonly Value[], i: number): Value {
  const value = args[i];
  if (value === undefined) throw new CtyError(`missing argument ${i + 1}`);
  return value;
}

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;

/** Returns the number as an exact machine integer; fails with the messages of Go's cty. */
export function wholeBigInt(value: Value): bigint {
  const integerValue = numToInt(value.asNum());
  if (integerValue === undefined || integerValue < MIN_INT || integerValue > MAX_INT) {
    throw new CtyError(`value must be a whole number, between ${MIN_INT} and ${MAX_INT}`);
  }
  return integerValue;
}

/**
 * Variant of {@link wholeBigInt} that returns a JavaScript number: for lengths, positions and sizes, which no value
 * exceeds. Beyond 2^53 it is rounded, so that calculations and messages need {@link wholeBigInt}.
 */
export function wholeNumber(value: Value): number {
  return Number(wholeBigInt(value));
}

/** The maximum number of UTF-16 units of a result of padding or repetition. */
const MAX_TEXT_LENGTH = 2 ** 26;

/** Throws CtyError if a text of that many UTF-16 units would exceed the limit. */
export function checkLength(units: number): void {
  if (units > MAX_TEXT_LENGTH) {
    throw new CtyError(`the result would be longer than ${MAX_TEXT_LENGTH} characters`);
  }
}

/** Variant of {@link wholeNumber} that reports argument `i`, with a prefix. */
export function wholeArgument(args: readonly Value[], i: number, prefix = ''): number {
  try {
    return wholeNumber(argument(args, i));
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(i, `${prefix}${error.message}`);
  }
}
