import {
  ArgumentError,
  Bug,
  CtyError,
  DYNAMIC,
  STRING,
  convert,
  equal,
  friendlyName,
  lengthRange,
  listType,
  mapType,
  numToInt,
  refine,
  safePrefix,
  setType,
} from '@terrane/cty';
import type { FunctionSpec, Parameter, Refinement, Type, Value } from '@terrane/cty';
import { anything, argument, define, numeric, parameter, text } from './spec.ts';

// OpenTofu's functions that assume a property of a value: known values must satisfy it, and the plan relies on it for
// unknown ones.

const MAX_INT = 2n ** 63n - 1n;

function rejectAssumption(): never {
  throw new ArgumentError(0, 'assumption was not upheld');
}

/** Refines a value; known parts and prior refinements must satisfy the refinement. */
function assume(value: Value, refinement: Refinement): Value {
  if (!value.isKnown) {
    if ((refinement.maxLength ?? 0) < 0) return rejectAssumption();
    try {
      return refine(value, refinement);
    } catch (error) {
      if (error instanceof Bug) return rejectAssumption();
      throw error;
    }
  }
  return fits(value, refinement) ? value : rejectAssumption();
}

function fits(value: Value, refinement: Refinement): boolean {
  const { notNull, prefix, minLength, maxLength } = refinement;
  // A null value has no length. An assumption about the prefix does not apply to it.
  if (value.isNull) return notNull !== true && minLength === undefined && maxLength === undefined;
  if (prefix !== undefined && !value.asString().startsWith(prefix)) return false;
  if (minLength === undefined && maxLength === undefined) return true;
  const { min, max } = lengthRange(value);
  return max >= (minLength ?? 0) && min <= (maxLength ?? Infinity);
}

/** Defines a function that returns its first argument, refined by the other arguments. */
function assumption(
  name: string,
  description: string,
  type: Type,
  more: readonly Parameter[],
  refinementOf: (args: readonly Value[]) => Refinement,
): FunctionSpec {
  return define(name, {
    description,
    parameters: [parameter('value', type, 'null', 'unknown', 'dynamic'), ...more],
    nullable: true,
    returns: type,
    run: (args) => assume(argument(args, 0), refinementOf(args)),
  });
}

function assumeEqual(args: readonly Value[]): Value {
  const value = argument(args, 0);
  const expected = argument(args, 1);
  let actual: Value;
  try {
    actual = convert(value, expected.type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(
      0,
      `actual value type ${friendlyName(value.type)} does not match assumed value type ${friendlyName(expected.type)}`,
    );
  }
  const same = equal(actual, expected).unmark();
  if (same.isKnown && !same.asBool()) {
    throw new ArgumentError(0, 'the actual value does not match the assumed value');
  }
  // The result has the marks of the expected value.
  return expected;
}

const COLLECTIONS = [
  ['list', listType(DYNAMIC)],
  ['map', mapType(DYNAMIC)],
  ['set', setType(DYNAMIC)],
] as const;

function lengthArgument(args: readonly Value[], i: number, reportedArgument: number): number {
  const length = numToInt(argument(args, i).asNum());
  if (length === undefined || length >= MAX_INT) {
    throw new ArgumentError(reportedArgument, `must be a whole number between 0 and ${MAX_INT}`);
  }
  return Number(length);
}

/** Functions that assume a property of a value. */
export const ASSUMPTION_FUNCTIONS: readonly FunctionSpec[] = [
  define('assumeequal', {
    description: 'The second value, which the first is promised to be equal to.',
    parameters: [
      anything('actual_value', 'null', 'unknown', 'dynamic', 'marked'),
      anything('expected_value', 'null', 'unknown', 'dynamic', 'marked'),
    ],
    nullable: true,
    returns: (args) => argument(args, 1).type,
    run: assumeEqual,
  }),
  ...COLLECTIONS.flatMap(([noun, type]) => [
    assumption(
      `assume${noun}length`,
      `The ${noun}, promised to have a length between two numbers.`,
      type,
      [numeric('min_length'), numeric('max_length')],
      (args) => ({
        minLength: lengthArgument(args, 1, 1),
        maxLength: lengthArgument(args, 2, 2),
      }),
    ),
    assumption(
      `assume${noun}lengthmax`,
      `The ${noun}, promised to have at most so many elements.`,
      type,
      [numeric('max_length')],
      (args) => ({ maxLength: lengthArgument(args, 1, 0) }),
    ),
    assumption(
      `assume${noun}lengthmin`,
      `The ${noun}, promised to have at least so many elements.`,
      type,
      [numeric('min_length')],
      (args) => ({ minLength: lengthArgument(args, 1, 0) }),
    ),
  ]),
  define('assumenotnull', {
    description: 'The value, promised not to be null.',
    parameters: [anything('value', 'null', 'unknown', 'dynamic')],
    nullable: true,
    returns: DYNAMIC,
    run: (args) => {
      const value = argument(args, 0);
      if (value.type === DYNAMIC) {
        throw new ArgumentError(
          0,
          'given value must have a known type; consider using the "convert" function to specify a type to assume',
        );
      }
      return assume(value, { notNull: true });
    },
  }),
  assumption(
    'assumestringprefix',
    'The text, promised to begin with another.',
    STRING,
    [text('prefix')],
    (args) => ({ prefix: safePrefix(argument(args, 1).asString()) }),
  ),
];
