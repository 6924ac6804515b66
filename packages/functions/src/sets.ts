import {
  ArgumentError,
  CtyError,
  DYNAMIC,
  NO_MARKS,
  convert,
  lengthOf,
  list,
  listType,
  refine,
  set,
  setType,
  tuple,
  tupleType,
  unify,
  unionMarks,
  unknownOf,
} from '@terrane/cty';
import type { FunctionSpec, Marks, Type, Value } from '@terrane/cty';
import { sameType } from './same-type.ts';
import { anything, define, parameter } from './spec.ts';

const ANY_SET = setType(DYNAMIC);

const INCOMPATIBLE = 'given sets must all have compatible element types';

function operationType(args: readonly Value[]): Type {
  const types: Type[] = [];
  for (const input of args) {
    if (input.type.kind !== 'set') return DYNAMIC;
    const { element } = input.type;
    // An empty set of dynamic type is compatible with any other.
    if (input.isKnown && input.length === 0 && element === DYNAMIC) continue;
    types.push(element);
  }
  if (types.length === 0) return ANY_SET;
  const common = unify(types, true);
  if (common === undefined) {
    throw new CtyError(INCOMPATIBLE);
  }
  return setType(common);
}

function operation(
  name: string,
  description: string,
  parameters: readonly string[],
  variadic: string | undefined,
  allowUnknown: boolean,
  combine: (first: readonly Value[], others: readonly (readonly Value[])[]) => readonly Value[],
): FunctionSpec {
  return define(name, {
    description,
    parameters: parameters.map((parameterName) => parameter(parameterName, ANY_SET, 'dynamic')),
    ...(variadic === undefined ? {} : { variadic: parameter(variadic, ANY_SET, 'dynamic') }),
    returns: operationType,
    run: (args, type) => {
      const sets: Value[] = [];
      for (const [i, input] of args.entries()) {
        const converted = convertSet(input, type, i);
        if (!allowUnknown && !converted.isWhollyKnown()) return unknownOf(type);
        sets.push(converted);
      }
      const [first = [], ...others] = sets.map((value) => value.elements());
      const element = type.kind === 'set' ? type.element : DYNAMIC;
      // Values without a type, such as null, do not affect sets of other types.
      if (element === DYNAMIC && new Set(sets.flatMap(elementTypes)).size > 1) {
        throw new CtyError(INCOMPATIBLE);
      }
      return set(element, combine(first, others));
    },
  });
}

function elementTypes(value: Value): readonly Type[] {
  return value.elements().map((element) => element.type);
}

function convertSet(value: Value, type: Type, i: number): Value {
  try {
    return convert(value, type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(i, error.message);
  }
}

/** A lookup of values by hash: elements here are wholly known and of one type, so raw equality is equality. */
class ValueLookup {
  readonly #byHash: Map<number, Value[]> = new Map();

  constructor(values: readonly Value[]) {
    for (const value of values) {
      const hash = value.hash();
      const same = this.#byHash.get(hash);
      if (same === undefined) this.#byHash.set(hash, [value]);
      else same.push(value);
    }
  }

  has(value: Value): boolean {
    return this.#byHash.get(value.hash())?.some((other) => other.rawEquals(value)) === true;
  }
}

/** Returns the elements that another set has, or, if `isMember` is false, those that it does not have. */
function elementsIn(
  elements: readonly Value[],
  other: readonly Value[],
  isMember: boolean,
): readonly Value[] {
  const lookup = new ValueLookup(other);
  return elements.filter((value) => lookup.has(value) === isMember);
}

const SET_OPERATIONS = [
  operation(
    'setintersection',
    'The elements that all given sets have.',
    ['first_set'],
    'other_sets',
    false,
    (first, others) => others.reduce((common, other) => elementsIn(common, other, true), first),
  ),
  operation(
    'setsubtract',
    'The elements that the first set has and the second has not.',
    ['a', 'b'],
    undefined,
    false,
    (first, others) => others.reduce((rest, other) => elementsIn(rest, other, false), first),
  ),
  operation(
    'setunion',
    'The elements that any of the given sets has.',
    ['first_set'],
    'other_sets',
    true,
    (first, others) => [first, ...others].flat(),
  ),
];

function productType(args: readonly Value[]): Type {
  if (args.length < 2) throw new CtyError('at least two arguments are required');
  const elements: Type[] = [];
  let lists = 0;
  for (const [i, { type }] of args.entries()) {
    if (type.kind === 'set') elements.push(type.element);
    else if (type.kind === 'list') {
      elements.push(type.element);
      lists++;
    } else if (type.kind === 'tuple') {
      elements.push(tupleElement(type.elements, i));
      lists++;
    } else throw new ArgumentError(i, 'a set or a list is required');
  }
  const element = tupleType(elements);
  return lists === args.length ? listType(element) : setType(element);
}

function tupleElement(types: readonly Type[], i: number): Type {
  if (types.length === 0) return DYNAMIC;
  const common = unify(types, true);
  if (common === undefined) throw new ArgumentError(i, 'all elements must be of the same type');
  return common;
}

const LARGE_ARGUMENT = 1024;
const LARGE_PRODUCT = 2048;
/** The most elements of a product; each is a tuple, so that more would not fit into memory. */
const MAX_ROWS = 1_000_000;

function product(args: readonly Value[], type: Type): Value {
  let marks: Marks = NO_MARKS;
  for (const input of args) marks = unionMarks(marks, input.marks);
  const unmarkedArgs = args.map((input) => input.unmark());
  if (!unmarkedArgs.every(hasKnownLength))
    return unknownProduct(unmarkedArgs, type).withMarks(marks);
  const element = type.kind === 'list' || type.kind === 'set' ? type.element : DYNAMIC;
  const types = element.kind === 'tuple' ? element.elements : [];
  const columns = unmarkedArgs.map((sequence, i) => {
    const elementType = types[i] ?? DYNAMIC;
    return sequence
      .elements()
      .map((value) => (value.type === elementType ? value : convert(value, elementType)));
  });
  const count = columns.reduce((total, column) => total * column.length, 1);
  if (count > MAX_ROWS) {
    throw new CtyError(`the result would have ${count} elements, more than ${MAX_ROWS}`);
  }
  let rows: Value[][] = [[]];
  for (const column of columns) {
    const longer: Value[][] = [];
    for (const row of rows) for (const value of column) longer.push([...row, value]);
    rows = longer;
  }
  const tuples = rows.map((row) => tuple(row));
  const row = sameType(tuples, element);
  const result = type.kind === 'list' ? list(row, tuples) : set(row, tuples);
  return result.withMarks(marks);
}

function hasKnownLength(value: Value): boolean {
  if (!value.isKnown) return false;
  return value.type.kind === 'tuple' || lengthOf(value).isKnown;
}

function unknownProduct(args: readonly Value[], type: Type): Value {
  const unknown = unknownOf(type);
  let longest = 1;
  for (const input of args) {
    const maxCount = maxLength(input);
    if (maxCount === undefined || maxCount > LARGE_ARGUMENT) return unknown;
    longest *= maxCount;
    if (longest > LARGE_PRODUCT) return unknown;
  }
  return longest === 0
    ? refine(unknown, { notNull: true, minLength: 0, maxLength: 0 })
    : refine(unknown, { notNull: true, minLength: 1, maxLength: longest });
}

function maxLength(value: Value): number | undefined {
  if (value.type.kind === 'tuple') return value.type.elements.length;
  if (!value.isKnown) return value.refinement?.maxLength;
  return hasKnownLength(value) ? value.length : undefined;
}

/** Functions on sets. */
export const SET_FUNCTIONS: readonly FunctionSpec[] = [
  ...SET_OPERATIONS,
  define('setproduct', {
    description: 'All combinations of one element of each of the given sets or lists.',
    variadic: anything('sets', 'marked', 'unknown'),
    returns: productType,
    run: product,
  }),
];
