import {
  BOOL,
  compareNum,
  CtyError,
  DYNAMIC,
  type FunctionSpec,
  integer,
  lengthOf,
  list,
  listType,
  map,
  mapType,
  NULL,
  nullOf,
  NUMBER,
  object,
  objectType,
  type Parameter,
  set,
  str,
  STRING,
  TRUE,
  tuple,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { constantScope } from '../evaluate/scope.ts';
import type { Scope } from '../model.ts';

const withA = objectType({ a: STRING });

/** The variables that the recorded expressions refer to. */
export const sampleVariables: Readonly<Record<string, Value>> = {
  s: str('hello'),
  n: integer(12),
  b: TRUE,
  nul: NULL,
  nuls: nullOf(STRING),
  dyn: UNKNOWN,
  us: unknownOf(STRING),
  un: unknownOf(NUMBER, { notNull: true }),
  unr: unknownOf(NUMBER, {
    notNull: true,
    min: { value: 5, inclusive: true },
    max: { value: 9, inclusive: true },
  }),
  ub: unknownOf(BOOL),
  nulb: nullOf(BOOL),
  hiddenb: TRUE.mark('sensitive'),
  hiddenub: unknownOf(BOOL).mark('sensitive'),
  ul: unknownOf(listType(STRING)),
  ulr: unknownOf(listType(withA), { notNull: true, minLength: 2, maxLength: 4 }),
  uo: unknownOf(withA),
  um: unknownOf(mapType(NUMBER)),
  sens: str('secret').mark('sensitive'),
  sensl: list(STRING, [str('x'), str('y')]).mark('sensitive'),
  senso: object({ a: str('x'), b: integer(2).mark('sensitive') }).mark('sensitive'),
  o: object({
    a: str('x'),
    b: integer(2),
    sens: str('q').mark('sensitive'),
    l: list(STRING, [str('p'), str('q')]),
  }),
  m: map(STRING, [
    ['k1', str('v1')],
    ['k2', str('v2')],
  ]),
  l: list(STRING, [str('p'), str('q'), str('r')]),
  ln: list(NUMBER, [integer(3), integer(1)]),
  le: list(STRING, []),
  st: set(STRING, [str('p'), str('q')]),
  lo: list(objectType({ a: STRING, n: listType(STRING) }), [
    object({ a: str('x'), n: list(STRING, [str('p')]) }),
    object({ a: str('y'), n: list(STRING, [str('q')]) }),
  ]),
  lnull: list(withA, [object({ a: nullOf(STRING) }), object({ a: str('x') })]),
  so: set(withA, [object({ a: str('x') }), object({ a: str('y') })]),
  t: tuple([str('p'), integer(1), TRUE]),
  lm: list(STRING, [str('p').mark('sensitive'), str('q')]),
};

function parameter(
  name: string,
  type: Parameter['type'],
  more: Partial<Parameter> = {},
): Parameter {
  return { name, type, ...more };
}

/** An argument that the protocol guarantees. */
function argument(args: readonly Value[], i: number): Value {
  const value = args[i];
  if (value === undefined) {
    throw new Error(`argument ${i} is missing`);
  }
  return value;
}

const dynamic = { allowDynamic: true };
const neverNull = (): { readonly notNull: true } => ({ notNull: true });

function upper(name: string): FunctionSpec {
  return {
    name,
    description: '',
    parameters: [parameter('str', STRING, dynamic)],
    returnType: STRING,
    refineResult: neverNull,
    implementation: (args) => str(argument(args, 0).asString().toUpperCase()),
  };
}

const functions: readonly FunctionSpec[] = [
  upper('upper'),
  upper('provider::a::b'),
  {
    name: 'try',
    description: '',
    parameters: [],
    variadic: parameter('expressions', DYNAMIC),
    returnType: DYNAMIC,
    implementation: () => UNKNOWN,
  },
  {
    name: 'can',
    description: '',
    parameters: [parameter('expression', DYNAMIC)],
    returnType: BOOL,
    implementation: () => TRUE,
  },
  {
    name: 'length',
    description: '',
    parameters: [
      parameter('collection', DYNAMIC, { ...dynamic, allowUnknown: true, allowMarked: true }),
    ],
    returnType: (args) => {
      const { kind } = argument(args, 0).type;
      if (!['list', 'set', 'map', 'tuple', 'dynamic'].includes(kind)) {
        throw new CtyError('collection must be a list, a map or a tuple');
      }
      return NUMBER;
    },
    refineResult: () => ({ notNull: true, min: { value: 0, inclusive: true } }),
    implementation: (args) => lengthOf(argument(args, 0)),
  },
  {
    name: 'max',
    description: '',
    parameters: [],
    variadic: parameter('numbers', NUMBER, dynamic),
    returnType: NUMBER,
    refineResult: neverNull,
    implementation: (args) => {
      if (args.length === 0) {
        throw new CtyError('must pass at least one number');
      }
      return args.reduce((a, b) => (compareNum(a.asNum(), b.asNum()) >= 0 ? a : b));
    },
  },
  {
    name: 'join',
    description: '',
    parameters: [parameter('separator', STRING)],
    variadic: parameter('lists', listType(STRING)),
    returnType: STRING,
    refineResult: neverNull,
    implementation: (args) =>
      str(
        args
          .slice(1)
          .flatMap((value) => value.elements().map((element) => element.asString()))
          .join(argument(args, 0).asString()),
      ),
  },
  {
    name: 'substr',
    description: '',
    parameters: [
      parameter('str', STRING, dynamic),
      parameter('offset', NUMBER, dynamic),
      parameter('length', NUMBER, dynamic),
    ],
    returnType: STRING,
    refineResult: neverNull,
    implementation: (args) => {
      const start = argument(args, 1).asInt();
      return str(
        argument(args, 0)
          .asString()
          .slice(start, start + argument(args, 2).asInt()),
      );
    },
  },
];

/** The scope that the recorded expressions were evaluated in. */
export const sampleScope: Scope = constantScope(
  sampleVariables,
  new Map(functions.map((spec) => [spec.name, spec])),
);
