import {
  ArgumentError,
  CtyError,
  NUMBER,
  STRING,
  add,
  convert,
  double,
  friendlyName,
  lessThan,
  num,
  numToFloat,
  number,
  quoteText,
  unknownOf,
} from '@terrane/cty';
import type { FunctionSpec, Value } from '@terrane/cty';
import { goLog } from './go-exponentials.ts';
import { goPow } from './go-math.ts';
import { anything, argument, define, numeric, parameter, wholeNumber } from './spec.ts';

const NUMBERS = parameter('numbers', NUMBER, 'dynamic');

function extreme(args: readonly Value[], better: (a: Value, b: Value) => boolean): Value {
  let best = args[0];
  if (best === undefined) throw new CtyError('must pass at least one number');
  for (const value of args) if (better(value, best)) best = value;
  return best;
}

const isLess = (a: Value, b: Value): boolean => lessThan(a, b).asBool();

function fromDouble(result: number): Value {
  // The originals crash on such results and print a stack trace.
  if (Number.isNaN(result)) throw new CtyError('result is not a number');
  return Number.isFinite(result) ? double(result) : number(result);
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Go's big.Int.SetString for bases 2 to 62. */
function parseInteger(text: string, base: number): bigint | undefined {
  const negative = text.startsWith('-');
  const digits = negative || text.startsWith('+') ? text.slice(1) : text;
  if (digits === '') return undefined;
  let result = 0n;
  const bigBase = BigInt(base);
  for (const character of base <= 36 ? digits.toLowerCase() : digits) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0 || digit >= base) return undefined;
    result = result * bigBase + BigInt(digit);
  }
  return negative ? -result : result;
}

/** Returns text for a message, redacted if one of its source values is sensitive or ephemeral. */
export function redacted(text: string, ...values: readonly Value[]): string {
  const isSensitive = values.some((value) => value.hasMark('sensitive'));
  if (values.some((value) => value.hasMark('ephemeral'))) {
    return isSensitive ? '(ephemeral sensitive value)' : '(ephemeral value)';
  }
  return isSensitive ? '(sensitive value)' : text;
}

const SUM_ELEMENTS = 'argument must be list, set, or tuple of number values';

/** Functions on numbers. */
export const NUMERIC_FUNCTIONS: readonly FunctionSpec[] = [
  define('abs', {
    description: 'The number without its sign.',
    parameters: [parameter('num', NUMBER, 'dynamic', 'marked')],
    returns: NUMBER,
    run: (args) => {
      const input = argument(args, 0);
      const value = input.unmark();
      const n = value.asNum();
      const sign = num.abs(n);
      return sign === n ? input : number(sign).withSameMarks(input);
    },
  }),
  define('ceil', {
    description: 'The nearest whole number that is not less.',
    parameters: [numeric('num')],
    returns: NUMBER,
    run: (args) => number(num.ceil(argument(args, 0).asNum())),
  }),
  define('floor', {
    description: 'The nearest whole number that is not greater.',
    parameters: [numeric('num')],
    returns: NUMBER,
    run: (args) => number(num.floor(argument(args, 0).asNum())),
  }),
  define('log', {
    description: 'The logarithm of a number in a base.',
    parameters: [numeric('num'), numeric('base')],
    returns: NUMBER,
    run: (args) =>
      fromDouble(
        goLog(numToFloat(argument(args, 0).asNum())) / goLog(numToFloat(argument(args, 1).asNum())),
      ),
  }),
  define('max', {
    description: 'The greatest of the numbers.',
    variadic: NUMBERS,
    returns: NUMBER,
    run: (args) => extreme(args, (a, b) => isLess(b, a)),
  }),
  define('min', {
    description: 'The least of the numbers.',
    variadic: NUMBERS,
    returns: NUMBER,
    run: (args) => extreme(args, isLess),
  }),
  define('parseint', {
    description: 'The whole number that a text stands for in a base from 2 to 62.',
    parameters: [
      anything('number', 'marked', 'unknown'),
      parameter('base', NUMBER, 'marked', 'unknown'),
    ],
    returns: (args) => {
      const inputType = argument(args, 0).type;
      if (inputType === STRING) return NUMBER;
      throw new ArgumentError(0, `first argument must be a string, not ${friendlyName(inputType)}`);
    },
    run: (args) => {
      const input = argument(args, 0);
      const givenBase = argument(args, 1);
      if (!input.isKnown || !givenBase.isKnown) {
        return unknownOf(NUMBER).withSameMarks(input, givenBase);
      }
      const base = baseOf(givenBase.unmark());
      const text = input.unmark().asString();
      const parsed = parseInteger(text, base);
      if (parsed !== undefined) return number(parsed).withSameMarks(input, givenBase);
      const displayText = redacted(quoteText(text), input);
      const shownBase = redacted(String(base), givenBase);
      throw new ArgumentError(0, `cannot parse ${displayText} as a base ${shownBase} integer`);
    },
  }),
  define('pow', {
    description: 'A number raised to a power.',
    parameters: [numeric('num'), numeric('power')],
    returns: NUMBER,
    run: (args) =>
      fromDouble(
        goPow(numToFloat(argument(args, 0).asNum()), numToFloat(argument(args, 1).asNum())),
      ),
  }),
  define('signum', {
    description: '-1, 0 or 1: the sign of a whole number.',
    parameters: [numeric('num')],
    returns: NUMBER,
    run: (args) => number(Math.sign(wholeNumber(argument(args, 0)))),
  }),
  define('sum', {
    description: 'The sum of the numbers in a list, set or tuple.',
    parameters: [anything('list')],
    returns: NUMBER,
    run: (args) => {
      const list = argument(args, 0);
      const kind = list.type.kind;
      if (!['list', 'set', 'tuple', 'map', 'object'].includes(kind)) {
        throw new ArgumentError(0, 'cannot sum noniterable');
      }
      if (list.length === 0) throw new ArgumentError(0, 'cannot sum an empty list');
      if (kind === 'map' || kind === 'object') {
        const typeName = friendlyName(list.type);
        throw new ArgumentError(0, `argument must be list, set, or tuple. Received ${typeName}`);
      }
      if (!list.isWhollyKnown()) return unknownOf(NUMBER);
      return list
        .elements()
        .map(toAddend)
        .reduce((a, b) => add(a, b));
    },
  }),
];

function baseOf(value: Value): number {
  let base: number;
  try {
    base = wholeNumber(value);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(1, error.message);
  }
  if (base >= 2 && base <= 62) return base;
  throw new ArgumentError(1, 'base must be a whole number between 2 and 62 inclusive');
}

function toAddend(value: Value): Value {
  if (value.isNull) throw new ArgumentError(0, SUM_ELEMENTS);
  try {
    return convert(value, NUMBER);
  } catch (error) {
    if (error instanceof CtyError) throw new ArgumentError(0, SUM_ELEMENTS);
    throw error;
  }
}
