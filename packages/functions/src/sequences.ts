import {
  ArgumentError,
  BOOL,
  CtyError,
  DYNAMIC,
  EMPTY_TUPLE_VALUE,
  NUMBER,
  STRING,
  add,
  and,
  bool,
  convert,
  equal,
  equalityText,
  friendlyName,
  greaterOrEqual,
  integer,
  lengthOf,
  lessOrEqual,
  lessThan,
  list,
  listType,
  nullOf,
  number,
  or,
  tuple,
  tupleType,
  unify,
  unknownOf,
} from '@terrane/cty';
import type { FunctionSpec, Marks, Type, Value } from '@terrane/cty';
import { clusterCount } from './graphemes.ts';
import { sameType } from './same-type.ts';
import { anything, argument, define, numeric, parameter, STRINGS } from './spec.ts';
import { wholeArgument, wholeBigInt, wholeNumber } from './spec.ts';

const BOOLS = listType(BOOL);
const ANY_LIST = listType(DYNAMIC);

function lengthFunction(args: readonly Value[]): Value {
  const input = argument(args, 0);
  const value = input.unmark();
  switch (value.type.kind) {
    case 'tuple':
      return integer(value.type.elements.length).withSameMarks(input);
    case 'object':
      return integer(value.type.names.length).withSameMarks(input);
    case 'string': {
      const prefix = value.isKnown ? value.asString() : (value.refinement?.prefix ?? '');
      const count = clusterCount(prefix);
      if (value.isKnown) return integer(count).withSameMarks(input);
      const min = { value: count, inclusive: true };
      return unknownOf(NUMBER, { notNull: true, min }).withSameMarks(input);
    }
    case 'list':
    case 'set':
    case 'map':
      return lengthOf(value).withSameMarks(input);
    default:
      return unknownOf(NUMBER).withSameMarks(input);
  }
}

function lengthType(args: readonly Value[]): Type {
  const kind = argument(args, 0).type.kind;
  if (kind === 'number' || kind === 'bool' || kind === 'capsule') {
    throw new CtyError('argument must be a string, a collection type, or a structural type');
  }
  return NUMBER;
}

/** `alltrue` stops at the first that is not true, `anytrue` at the first that is. */
function allTrue(args: readonly Value[]): Value {
  let result = bool(true);
  for (const element of argument(args, 0).elements()) {
    if (!element.isKnown) return unknownOf(BOOL);
    if (element.isNull) return bool(false);
    result = and(result, element);
    if (!result.asBool()) return result;
  }
  return result;
}

function anyTrue(args: readonly Value[]): Value {
  let result = bool(false);
  let hasUnknown = false;
  for (const element of argument(args, 0).elements()) {
    if (!element.isKnown) {
      hasUnknown = true;
      continue;
    }
    if (element.isNull) continue;
    result = or(result, element);
    if (result.asBool()) return result;
  }
  return hasUnknown ? unknownOf(BOOL) : result;
}

const EMPTY_ELEMENT = 'cannot use element function with an empty list';

function elementType(args: readonly Value[]): Type {
  const { type } = argument(args, 0);
  const index = argument(args, 1);
  if (type.kind === 'list') return type.element;
  if (type.kind !== 'tuple') throw new CtyError(`cannot read elements from ${friendlyName(type)}`);
  if (!index.isKnown) return DYNAMIC;
  const position = elementPosition(index, type.elements.length);
  return type.elements[position] ?? DYNAMIC;
}

function elementPosition(index: Value, length: number): number {
  let at: bigint;
  try {
    at = wholeBigInt(index);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError(`invalid index: ${error.message}`);
  }
  if (length === 0) throw new CtyError(EMPTY_ELEMENT);
  const rest = Number(at % BigInt(length));
  return rest < 0 ? rest + length : rest;
}

/** Wholly known values, of which equal ones are found without a comparison with each. */
class KnownValues {
  /** the values with a text; only few texts have more than one */
  readonly #byText = new Map<string, Value | Value[]>();

  /** Adds a value, unless it is equal to one of the others; returns true if it was added. */
  add(value: Value): boolean {
    const text = textOf(value);
    const others = this.#byText.get(text);
    if (others === undefined) this.#byText.set(text, value);
    else if (includesEqual(others, value)) return false;
    else if (Array.isArray(others)) others.push(value);
    else this.#byText.set(text, [others, value]);
    return true;
  }

  has(value: Value): boolean {
    const others = this.#byText.get(textOf(value));
    return others !== undefined && includesEqual(others, value);
  }
}

/** Returns a text that equal values of one type have in common. */
function textOf(value: Value): string {
  const { type, payload } = value;
  return type === STRING && typeof payload === 'string' ? payload : equalityText(value);
}

function includesEqual(values: Value | readonly Value[], value: Value): boolean {
  return Array.isArray(values)
    ? values.some((each: Value) => isEqual(each, value))
    : isEqual(values as Value, value);
}

function isEqual(a: Value, b: Value): boolean {
  const same = equal(a, b);
  return same.isKnown && same.asBool();
}

/** The elements of a sequence, with nested sequences flattened. */
interface Flattened {
  readonly values: Value[];
  readonly marks: Marks[];
  isWhollyKnown: boolean;
}

function flattenInto(input: Value, into: Flattened): void {
  if (input.isMarked) into.marks.push(input.marks);
  const value = input.unmark();
  if (!hasKnownLength(value)) {
    into.isWhollyKnown = false;
    return;
  }
  const elements = value.elements();
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as Value;
    const unmarked = element.unmark();
    if (!unmarked.isKnown && unmarked.type === DYNAMIC) into.isWhollyKnown = false;
    const kind = unmarked.type.kind;
    if (unmarked.isNull || (kind !== 'list' && kind !== 'set' && kind !== 'tuple')) {
      into.values.push(element);
    } else if (unmarked.isKnown) flattenInto(element, into);
    else {
      into.isWhollyKnown = false;
      into.marks.push(element.marks);
    }
  }
}

function hasKnownLength(value: Value): boolean {
  return value.isKnown && lengthOf(value).isKnown;
}

/** Results that were computed for their types and have not been returned yet, by argument. */
const flattened = new WeakMap<Value, Value>();

function flatten(input: Value): Flattened {
  const result: Flattened = { values: [], marks: [], isWhollyKnown: true };
  flattenInto(input, result);
  return result;
}

function withAllMarks(value: Value, marks: readonly Marks[]): Value {
  return marks.reduce((marked, more) => marked.withMarks(more), value);
}

function concatType(args: readonly Value[]): Type {
  if (args.length === 0) throw new CtyError('at least one argument is required');
  const types = args.map((value) => value.type);
  if (types.every((type) => type.kind === 'list')) {
    const common = unify(types, true);
    if (common !== undefined) return common;
  }
  const elements: Type[] = [];
  for (const [i, input] of args.entries()) {
    const { type } = input;
    if (type.kind === 'tuple') {
      // As arguments of one call, very many elements would overflow the stack.
      for (const element of type.elements) elements.push(element);
    } else if (type.kind === 'list') {
      if (!input.isKnown) return DYNAMIC;
      for (let j = input.unmark().length; j > 0; j--) elements.push(type.element);
    } else {
      const typeName = friendlyName(type);
      throw new ArgumentError(i, `all arguments must be lists or tuples; got ${typeName}`);
    }
  }
  return tupleType(elements);
}

function concat(args: readonly Value[], type: Type): Value {
  const values: Value[] = [];
  const marks: Marks[] = [];
  for (const [i, input] of args.entries()) {
    let sequence = input;
    if (type.kind === 'list') {
      try {
        sequence = convert(input, type);
      } catch (error) {
        if (!(error instanceof CtyError)) throw error;
        throw new ArgumentError(i, error.message);
      }
    }
    if (sequence.isMarked) marks.push(sequence.marks);
    for (const element of sequence.unmark().elements()) values.push(element);
  }
  return withAllMarks(
    type.kind === 'list' ? list(sameType(values, type.element), values) : tuple(values),
    marks,
  );
}

const MAX_RANGE = 1024;

function range(args: readonly Value[]): Value {
  const [a, b, c] = args;
  const zero = number(0);
  if (a === undefined || args.length > 3) {
    throw new CtyError('must have one, two, or three arguments');
  }
  const start = b === undefined ? zero : a;
  const end = b ?? a;
  const step = c ?? number(isLess(end, start) ? -1 : 1);
  const down = isLess(step, zero);
  if (down && isLess(start, end)) {
    throw new ArgumentError(1, 'end must be less than start when step is negative');
  }
  if (!down && isLess(end, start)) {
    throw new ArgumentError(1, 'end must be greater than start when step is positive');
  }
  const values: Value[] = [];
  let current = start;
  while (!(down ? lessOrEqual(current, end) : greaterOrEqual(current, end)).asBool()) {
    if (values.length >= MAX_RANGE) {
      throw new CtyError(
        `more than ${MAX_RANGE} values were generated; either decrease the difference between start and end or use a smaller step`,
      );
    }
    values.push(current);
    current = add(current, step);
  }
  return list(NUMBER, values);
}

const isLess = (a: Value, b: Value): boolean => lessThan(a, b).asBool();

interface SliceBounds {
  readonly start: number;
  readonly end: number;
  readonly isKnown: boolean;
}

function sliceBounds(args: readonly Value[]): SliceBounds {
  const sequence = argument(args, 0).unmark();
  let length: number | undefined;
  if (sequence.type.kind === 'tuple') length = sequence.type.elements.length;
  else if (sequence.isKnown) length = sequence.length;
  const start = sliceBound(args, 1, 'start', length);
  const end = sliceBound(args, 2, 'end', length);
  if (start === undefined || end === undefined) {
    return { start: start ?? 0, end: end ?? 0, isKnown: false };
  }
  if (start > end) throw new ArgumentError(1, 'start index must not be greater than end index');
  return { start, end, isKnown: true };
}

function sliceBound(
  args: readonly Value[],
  i: number,
  boundName: string,
  length: number | undefined,
): number | undefined {
  if (!argument(args, i).isKnown) return undefined;
  const bound = wholeArgument(args, i, `invalid ${boundName} index: `);
  if (bound < 0) throw new ArgumentError(i, `${boundName} index must not be less than zero`);
  if (length !== undefined && bound > length) {
    throw new ArgumentError(
      i,
      `${boundName} index must not be greater than the length of the list`,
    );
  }
  return bound;
}

function sliceType(args: readonly Value[]): Type {
  const { type } = argument(args, 0);
  if (type.kind === 'set') {
    throw new ArgumentError(
      0,
      'cannot slice a set, because its elements do not have indices; explicitly convert to a list if the ordering of the result is not important',
    );
  }
  if (type.kind !== 'tuple') {
    if (type.kind !== 'list') throw new ArgumentError(0, 'must be a list or tuple value');
    sliceBounds(args);
    return type;
  }
  const { start, end, isKnown: known } = sliceBounds(args);
  return known ? tupleType(type.elements.slice(start, end)) : DYNAMIC;
}

const ONE_ELEMENT = 'must be a list, set, or tuple value with either zero or one elements';

function oneType(args: readonly Value[]): Type {
  const { type } = argument(args, 0);
  if (type.kind === 'list' || type.kind === 'set') return type.element;
  if (type.kind !== 'tuple' || type.elements.length > 1) throw new ArgumentError(0, ONE_ELEMENT);
  return type.elements[0] ?? DYNAMIC;
}

function one(args: readonly Value[], type: Type): Value {
  const input = argument(args, 0);
  if (input.type.kind !== 'tuple' && !hasKnownLength(input)) return unknownOf(type);
  if (input.length > 1) throw new ArgumentError(0, ONE_ELEMENT);
  return input.at(0) ?? nullOf(type);
}

function matchKeys(args: readonly Value[], type: Type): Value {
  const values = argument(args, 0);
  const elementType = type.kind === 'list' ? type.element : DYNAMIC;
  if (values.length !== argument(args, 1).length) {
    throw new CtyError('length of keys and values should be equal');
  }
  const common = matchType(args);
  const keys = convert(argument(args, 1), common);
  const search = convert(argument(args, 2), common);
  if (search.length === 0) return list(elementType, []);
  if (!values.isWhollyKnown() || !keys.isWhollyKnown()) return unknownOf(type);
  if (search.isWhollyKnown()) {
    const searched = new KnownValues();
    for (const each of search.elements()) searched.add(each);
    const matching = keys.elements().map((key) => searched.has(key));
    return list(
      elementType,
      values.elements().filter((_, i) => matching[i]),
    );
  }
  const matches: Value[] = [];
  for (const [i, key] of keys.elements().entries()) {
    for (const searched of search.elements()) {
      const same = equal(key, searched);
      if (!same.isKnown) return list(elementType, []);
      const value = values.at(i);
      if (!same.asBool() || value === undefined) continue;
      matches.push(value);
      break;
    }
  }
  return list(elementType, matches);
}

function matchType(args: readonly Value[]): Type {
  const common = unify([argument(args, 1).type, argument(args, 2).type], true);
  if (common === undefined) throw new CtyError('keys and searchset must be of the same type');
  return common;
}

function chunk(args: readonly Value[], type: Type): Value {
  const input = argument(args, 0);
  const givenSize = argument(args, 1);
  const sequence = input.unmark();
  const elementType = sequence.type.kind === 'list' ? sequence.type.element : DYNAMIC;
  let size: number;
  try {
    size = wholeNumber(givenSize.unmark());
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new CtyError(`invalid size: ${error.message}`);
  }
  if (size < 0) throw new CtyError('the size argument must be positive');
  const chunks: Value[] = [];
  const elements = sequence.elements();
  const step = size === 0 ? elements.length : size;
  for (let i = 0; i < elements.length; i += step) {
    chunks.push(list(elementType, elements.slice(i, i + step)));
  }
  const inner = type.kind === 'list' ? type.element : sequence.type;
  return list(inner, chunks).withSameMarks(input, givenSize);
}

function contains(args: readonly Value[]): Value {
  const sequence = argument(args, 0);
  const searched = argument(args, 1);
  const kind = sequence.type.kind;
  if (kind !== 'list' && kind !== 'tuple' && kind !== 'set') {
    throw new CtyError('argument must be list, tuple, or set');
  }
  let hasUnknown = false;
  for (const element of sequence.elements()) {
    const same = equal(searched, element);
    if (!same.isKnown) hasUnknown = true;
    else if (same.asBool()) return bool(true);
  }
  return hasUnknown ? unknownOf(BOOL) : bool(false);
}

function indexOf(args: readonly Value[]): Value {
  const sequence = argument(args, 0);
  const kind = sequence.type.kind;
  if (kind !== 'list' && kind !== 'tuple') throw new CtyError('argument must be a list or tuple');
  if (sequence.length === 0) throw new CtyError('cannot search an empty list');
  for (const [i, element] of sequence.elements().entries()) {
    const same = equal(element, argument(args, 1));
    if (!same.isKnown) return unknownOf(NUMBER);
    if (same.asBool()) return integer(i);
  }
  throw new CtyError('item not found');
}

function reverseType(args: readonly Value[]): Type {
  const { type } = argument(args, 0);
  switch (type.kind) {
    case 'tuple':
      return tupleType([...type.elements].reverse());
    case 'list':
    case 'set':
      return listType(type.element);
    default:
      throw new ArgumentError(
        0,
        `can only reverse list or tuple values, not ${friendlyName(type)}`,
      );
  }
}

function coalesceListType(args: readonly Value[]): Type {
  const first = args[0];
  if (first === undefined) throw new CtyError('at least one argument is required');
  for (const value of args) {
    if (!value.isKnown) return DYNAMIC;
    if (value.type.kind !== 'list' && value.type.kind !== 'tuple') {
      throw new CtyError('coalescelist arguments must be lists or tuples');
    }
  }
  return args.every((value) => value.type === first.type) ? first.type : DYNAMIC;
}

/** Functions on lists, tuples and other sequences. */
export const SEQUENCE_FUNCTIONS: readonly FunctionSpec[] = [
  define('alltrue', {
    description: 'Whether all elements of a list are true; so it is of an empty list.',
    parameters: [parameter('list', BOOLS)],
    returns: BOOL,
    run: allTrue,
  }),
  define('anytrue', {
    description: 'Whether any element of a list is true.',
    parameters: [parameter('list', BOOLS)],
    returns: BOOL,
    run: anyTrue,
  }),
  define('chunklist', {
    description: 'The elements of a list in lists of a certain length.',
    parameters: [parameter('list', ANY_LIST, 'marked'), parameter('size', NUMBER, 'marked')],
    returns: (args) => listType(argument(args, 0).type),
    run: chunk,
  }),
  define('coalescelist', {
    description: 'The first of several lists that is not empty.',
    variadic: anything('vals', 'unknown', 'dynamic', 'null'),
    returns: coalesceListType,
    run: (args, type) => {
      for (const value of args) {
        if (!value.isKnown) return unknownOf(type);
        if (!value.isNull && value.length > 0) return value;
      }
      throw new CtyError('no non-null arguments');
    },
  }),
  define('compact', {
    description: 'A list of strings without those that are null or empty.',
    parameters: [parameter('list', STRINGS)],
    returns: STRINGS,
    run: (args) => {
      const input = argument(args, 0);
      if (!input.isWhollyKnown()) return unknownOf(STRINGS);
      const nonEmpty = input.elements().filter((value) => !value.isNull && value.asString() !== '');
      return list(STRING, nonEmpty);
    },
  }),
  define('concat', {
    description: 'The elements of several lists in one list.',
    variadic: anything('seqs', 'marked'),
    returns: concatType,
    run: concat,
  }),
  define('contains', {
    description: 'Whether a list, tuple or set has a certain element.',
    parameters: [anything('list'), anything('value', 'null')],
    returns: BOOL,
    run: contains,
  }),
  define('distinct', {
    description: 'A list without elements that are equal to earlier ones.',
    parameters: [parameter('list', ANY_LIST)],
    returns: (args) => argument(args, 0).type,
    run: (args, type) => {
      const input = argument(args, 0);
      if (!input.isWhollyKnown()) return unknownOf(type);
      const element = type.kind === 'list' ? type.element : DYNAMIC;
      const values = new KnownValues();
      return list(
        element,
        input.elements().filter((each) => values.add(each)),
      );
    },
  }),
  define('element', {
    description: 'The element at an index, counted around as often as needed.',
    parameters: [anything('list', 'marked'), numeric('index')],
    returns: elementType,
    nullable: true,
    run: (args) => {
      const input = argument(args, 0);
      const sequence = input.unmark();
      const position = elementPosition(argument(args, 1), sequence.length);
      const element = sequence.at(position);
      if (element === undefined) throw new CtyError(EMPTY_ELEMENT);
      return element.withMarks(input.marks);
    },
  }),
  define('flatten', {
    description: 'The elements of a sequence, with those of sequences in it in their place.',
    parameters: [anything('list', 'marked')],
    returns: (args) => {
      const input = argument(args, 0);
      if (!input.isWhollyKnown()) return DYNAMIC;
      const kind = input.type.kind;
      if (kind !== 'list' && kind !== 'set' && kind !== 'tuple') {
        throw new CtyError('can only flatten lists, sets and tuples');
      }
      const result = flatten(input);
      if (!result.isWhollyKnown) return DYNAMIC;
      const value = tuple(result.values);
      flattened.set(input, withAllMarks(value, result.marks));
      return value.type;
    },
    run: (args, type) => {
      const input = argument(args, 0);
      const computed = flattened.get(input);
      if (computed !== undefined) {
        flattened.delete(input);
        return computed;
      }
      if (input.unmark().length === 0) return EMPTY_TUPLE_VALUE.withMarks(input.marks);
      const { values, marks, isWhollyKnown: known } = flatten(input);
      return withAllMarks(known ? tuple(values) : unknownOf(type), marks);
    },
  }),
  define('index', {
    description: 'Where in a list a certain element is.',
    parameters: [anything('list'), anything('value')],
    returns: NUMBER,
    run: indexOf,
  }),
  define('length', {
    description: 'How many elements, attributes or characters a value has.',
    parameters: [anything('value', 'dynamic', 'unknown', 'marked')],
    returns: lengthType,
    run: lengthFunction,
  }),
  define('matchkeys', {
    description: 'Those elements of a list whose counterparts in another are in a third.',
    parameters: [
      parameter('values', ANY_LIST),
      parameter('keys', ANY_LIST),
      parameter('searchset', ANY_LIST),
    ],
    returns: (args) => {
      matchType(args);
      return argument(args, 0).type;
    },
    run: matchKeys,
  }),
  define('one', {
    description: 'The only element of a sequence, or null if it has none.',
    parameters: [anything('list')],
    returns: oneType,
    nullable: true,
    run: one,
  }),
  define('range', {
    description: 'Numbers from a start to before an end, a step apart.',
    variadic: numeric('params'),
    returns: listType(NUMBER),
    run: range,
  }),
  define('reverse', {
    description: 'A sequence with its elements in reverse order.',
    parameters: [anything('list', 'marked')],
    returns: reverseType,
    run: (args, type) => {
      const input = argument(args, 0);
      const reversed = [...input.unmark().elements()].reverse();
      const result = type.kind === 'list' ? list(type.element, reversed) : tuple(reversed);
      return result.withMarks(input.marks);
    },
  }),
  define('slice', {
    description: 'The elements of a sequence from one index to before another.',
    parameters: [anything('list', 'marked'), numeric('start_index'), numeric('end_index')],
    returns: sliceType,
    run: (args, type) => {
      const input = argument(args, 0);
      const { start, end } = sliceBounds(args);
      const part = input.unmark().elements().slice(start, end);
      const result = type.kind === 'list' ? list(type.element, part) : tuple(part);
      return result.withMarks(input.marks);
    },
  }),
];
