import {
  ArgumentCountError,
  ArgumentError,
  callFunction,
  convert,
  CtyError,
  DYNAMIC,
  type FunctionSpec,
  list,
  NULL,
  nullOf,
  number,
  object,
  type Parameter,
  parseNumber,
  str,
  STRING,
  tuple,
  type Type,
  unknownOf,
  UNKNOWN,
  type Value,
} from '@terrane/cty';
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { loadFunctionLibraries } from './libraries.ts';
import { functionTable } from './table.ts';
import { ORACLE_PORTS } from './testing/oracle-scope.ts';

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '0.5',
  '33',
  '1025',
  '9007199254740993',
  '-9007199254740993',
  '4294967296',
  '9223372036854775807',
  '-9223372036854775808',
  '1e70000',
  '1e-70000',
  '1e999999999',
  '-1e999999999',
].map((text) => number(parseNumber(text) ?? 0));

const TEXTS = [
  '',
  'a',
  '\n'.repeat(1000),
  'a'.repeat(10_000),
  '\u{1F468}\u200D\u{1F469}\u0301',
  '%999999999d',
  '%.999999999f%[999999999]s',
  '%99999999999999999999s',
  '('.repeat(5000),
  '(a*)*b',
  '['.repeat(100_000),
  '{"a":'.repeat(100_000),
  '- '.repeat(100_000),
  '{a: '.repeat(100_000),
  '"a","b"\n'.repeat(100),
  '${'.repeat(5000),
  '%{ if true }'.repeat(5000),
  '1e999999999',
  '10.0.0.0/8',
  'fd00::/8',
  '2020-01-01T00:00:00Z',
  '99999999999999h',
  'a: &a [*a]',
  '__proto__',
].map(str);

/** A value inside of so many tuples. */
function nested(levels: number): Value {
  let value: Value = str('a');
  for (let i = 0; i < levels; i++) value = tuple([value]);
  return value;
}

const OTHERS = [
  NULL,
  UNKNOWN,
  nullOf(STRING),
  unknownOf(STRING),
  str('secret').mark('sensitive'),
  tuple([]),
  tuple([NULL]),
  object({}),
  object(new Map([['__proto__', str('a')]])),
  list(STRING, [str('a'), str('a'), str('b')]),
  tuple([str('a'), NUMBERS[1] ?? NULL]),
  nested(490),
];

const VALUES: readonly Value[] = [...NUMBERS, ...TEXTS, ...OTHERS];

/** The values that a parameter takes, after the conversion that a call does. */
function fitting(parameter: Parameter): readonly Value[] {
  return VALUES.flatMap((value) => {
    const converted = convertedTo(value, parameter.type);
    return converted === undefined ? [] : [converted];
  });
}

function convertedTo(value: Value, type: Type): Value | undefined {
  if (type === DYNAMIC) return value;
  if (type.kind === 'capsule') return undefined;
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** An error that a call may report. */
function isReported(error: unknown): boolean {
  return (
    error instanceof CtyError ||
    error instanceof ArgumentError ||
    error instanceof ArgumentCountError
  );
}

function argumentsOf(spec: FunctionSpec): fc.Arbitrary<readonly Value[]> {
  const of = (parameter: Parameter): fc.Arbitrary<Value> => fc.constantFrom(...fitting(parameter));
  const fixed = spec.parameters.map(of);
  if (spec.variadic === undefined) return fc.tuple(...fixed);
  const more = fc.array(of(spec.variadic), { maxLength: 3 });
  return fc.tuple(fc.tuple(...fixed), more).map(([first, rest]) => [...first, ...rest]);
}

// Hashing passwords is slow on purpose, and the cost is an argument.
const SLOW: ReadonlySet<string> = new Set(['bcrypt']);

beforeAll(() => loadFunctionLibraries());

describe('extreme arguments return a value or an error that try can catch', () => {
  const table = functionTable(ORACLE_PORTS, { baseDir: '.', pure: false, consoleMode: true });
  const specs = [...table.values()].filter(
    (spec, i, all) =>
      all.indexOf(spec) === i &&
      !SLOW.has(spec.name) &&
      // Functions that take types or expressions are called only by the evaluator.
      spec.parameters.every((parameter) => fitting(parameter).length > 0),
  );
  it.each(specs.map((spec) => [spec.name, spec] as const))('%s', (_, spec) => {
    fc.assert(
      fc.property(argumentsOf(spec), (args) => {
        try {
          callFunction(spec, args);
        } catch (error) {
          if (!isReported(error)) throw error;
        }
      }),
      { numRuns: 30, interruptAfterTimeLimit: 200_000, markInterruptAsFailure: true },
    );
  });
});
