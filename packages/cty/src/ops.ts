import { CtyError } from './cty-error.ts';
import { type Tristate, equality, equal, fromTristate } from './equality.ts';
import { NO_MARKS, unionMarks } from './marks.ts';
import { addAt, compareNum, divAt, modAt, mulAt, negNum, type Num, subAt } from './number.ts';
import { lengthRange, numberMax, numberMin } from './range.ts';
import { refine } from './refine.ts';
import { BOOL, DYNAMIC, isCollection, NUMBER, STRING, type Type } from './type.ts';
import { friendlyName } from './type-name.ts';
import {
  indexValue,
  INFINITE_IN,
  integerValue,
  numberValue,
  plainUnknown,
  PRECISION_53,
  PRECISION_64,
  UNKNOWN_SELF,
  unknownNotNull,
  type Value,
} from './value.ts';
import { numFromBigInt } from './number.ts';
import { bool, FALSE, TRUE } from './constants.ts';

// The operators behave as in the language, which calls cty's operations through the function protocol: null operands
// are rejected, and arithmetic and logic on an unknown operand return a wholly unknown (but not null) result. Only
// comparisons and equality use the refinements of unknown operands.

const PRECISION_BITS = PRECISION_53 | PRECISION_64;

/** Bits of precision of a known number value. */
function precisionOfValue(v: Value): number {
  const n = v.payload as Num;
  if (typeof n !== 'number') return n.precision;
  if ((v.flags & PRECISION_BITS) === 0) return 512;
  return (v.flags & PRECISION_64) !== 0 ? 64 : 53;
}

function numberWith(n: Num, precision: number): Value {
  if (typeof n !== 'number') return numberValue(n, 0);
  const flags = precision === 64 ? PRECISION_64 : precision === 53 ? PRECISION_53 : 0;
  return flags === PRECISION_53 ? numberValue(n, flags) : integerValue(n, flags);
}

/** Rejects null and operands of another type. A dynamic operand passes, since it can only be unknown. */
function check(v: Value, type: Type): void {
  if (v.isNull) throw new CtyError('argument must not be null');
  if (v.type !== type && v.type !== DYNAMIC) {
    throw new CtyError(`${friendlyName(type)} required, but received ${friendlyName(v.type)}`);
  }
}

/**
 * Returns true if both are known, unmarked integers stored as JavaScript numbers with the precision of text or machine
 * integers, as most operands are.
 */
function areIntegers(a: Value, b: Value): boolean {
  return (
    typeof a.payload === 'number' &&
    typeof b.payload === 'number' &&
    a.type === NUMBER &&
    b.type === NUMBER &&
    a.marks === NO_MARKS &&
    b.marks === NO_MARKS &&
    ((a.flags | b.flags) & (INFINITE_IN | PRECISION_53)) === 0
  );
}

/**
 * Returns the value of an operation on two integers (see {@link areIntegers}). Undefined if the result is inexact, or
 * zero, whose sign depends on the operation.
 */
function integerResult(n: number, a: Value, b: Value): Value | undefined {
  if (n === 0 || !Number.isSafeInteger(n)) return undefined;
  return integerValue(n, (a.flags & b.flags & PRECISION_64) === 0 ? 0 : PRECISION_64);
}

type Operation = (a: Num, b: Num, precisionA: number, precisionB: number) => Num;

function arithmetic(a: Value, b: Value, operation: Operation): Value {
  check(a, NUMBER);
  check(b, NUMBER);
  const areKnown = ((a.flags | b.flags) & UNKNOWN_SELF) === 0;
  const result = areKnown ? compute(a, b, operation) : unknownNotNull(NUMBER);
  if (a.marks === NO_MARKS && b.marks === NO_MARKS) return result;
  return result.withMarks(unionMarks(a.marks, b.marks));
}

function compute(a: Value, b: Value, operation: Operation): Value {
  const precisionA = precisionOfValue(a);
  const precisionB = precisionOfValue(b);
  const result = operation(a.payload as Num, b.payload as Num, precisionA, precisionB);
  return numberWith(result, precisionA > precisionB ? precisionA : precisionB);
}

const sum: Operation = (a, b, p, q) => addAt(a, b, p > q ? p : q);
const difference: Operation = (a, b, p, q) => subAt(a, b, p > q ? p : q);
const product: Operation = (a, b, p, q) => mulAt(a, b, p > q ? p : q);
const quotient: Operation = (a, b, p, q) => divAt(a, b, p > q ? p : q);

/** The sum of two numbers. */
export function add(a: Value, b: Value): Value {
  if (areIntegers(a, b)) {
    const result = integerResult((a.payload as number) + (b.payload as number), a, b);
    if (result !== undefined) return result;
  }
  return arithmetic(a, b, sum);
}

/** The difference of two numbers. */
export function subtract(a: Value, b: Value): Value {
  if (areIntegers(a, b)) {
    const result = integerResult((a.payload as number) - (b.payload as number), a, b);
    if (result !== undefined) return result;
  }
  return arithmetic(a, b, difference);
}

/** The product of two numbers. */
export function multiply(a: Value, b: Value): Value {
  if (areIntegers(a, b)) {
    const result = integerResult((a.payload as number) * (b.payload as number), a, b);
    if (result !== undefined) return result;
  }
  return arithmetic(a, b, product);
}

/** Divides two numbers; the result is an infinity if the divisor is zero (the language rejects that earlier). */
export function divide(a: Value, b: Value): Value {
  return arithmetic(a, b, quotient);
}

/** The remainder of dividing two numbers, with the sign of the first; the first itself if the second is zero. */
export function modulo(a: Value, b: Value): Value {
  if (areIntegers(a, b)) {
    const result = integerResult((a.payload as number) % (b.payload as number), a, b);
    if (result !== undefined) return result;
  }
  return arithmetic(a, b, modAt);
}

/** The number with its sign turned; zero becomes negative zero. */
export function negate(a: Value): Value {
  check(a, NUMBER);
  if (!a.isKnown) return unknownNotNull(NUMBER).withMarks(a.marks);
  return numberWith(negNum(a.payload as Num), precisionOfValue(a)).withMarks(a.marks);
}

function compare(a: Value, b: Value, decide: (a: Value, b: Value) => Tristate): Value {
  check(a, NUMBER);
  check(b, NUMBER);
  const result = fromTristate(decide(a, b));
  if (a.marks === NO_MARKS && b.marks === NO_MARKS) return result;
  return result.withMarks(unionMarks(a.marks, b.marks));
}

/** Ends of ranges count as excluded here even if they are included, as in cty. */
function isLess(a: Value, b: Value): Tristate {
  if (a.isKnown && b.isKnown) return compareNum(a.payload as Num, b.payload as Num) < 0;
  if (a.type !== NUMBER || b.type !== NUMBER) return undefined;
  if (compareNum(numberMax(a).value, numberMin(b).value) < 0) return true;
  if (compareNum(numberMin(a).value, numberMax(b).value) > 0) return false;
  return undefined;
}

function isLessOrEqual(a: Value, b: Value): Tristate {
  const less = isLess(a, b);
  if (less === true) return true;
  const equals = equality(a.unmark(), b.unmark());
  if (equals === true) return true;
  return less === undefined || equals === undefined ? undefined : false;
}

const isGreater: typeof isLess = (a, b) => isLess(b, a);
const isGreaterOrEqual: typeof isLess = (a, b) => isLessOrEqual(b, a);

/** Returns true if the first number is less than the second. */
export function lessThan(a: Value, b: Value): Value {
  return compare(a, b, isLess);
}

/** Returns true if the first number is less than the second or equal to it. */
export function lessOrEqual(a: Value, b: Value): Value {
  return compare(a, b, isLessOrEqual);
}

/** Returns true if the first number is greater than the second. */
export function greaterThan(a: Value, b: Value): Value {
  return compare(a, b, isGreater);
}

/** Returns true if the first number is greater than the second or equal to it. */
export function greaterOrEqual(a: Value, b: Value): Value {
  return compare(a, b, isGreaterOrEqual);
}

/** Returns true if two values differ: the opposite of {@link equal}, with the same rules. */
export function notEqual(a: Value, b: Value): Value {
  return not(equal(a, b));
}

/** Returns true if both bools are true. Unknown if one is unknown, even if the other is false, as in the language. */
export function and(a: Value, b: Value): Value {
  return logic(a, b, a.payload === true && b.payload === true);
}

/** Returns true if one of the bools is true. Unknown if one is unknown, even if the other is true, as in the language. */
export function or(a: Value, b: Value): Value {
  return logic(a, b, a.payload === true || b.payload === true);
}

function logic(a: Value, b: Value, result: boolean): Value {
  check(a, BOOL);
  check(b, BOOL);
  const value = a.isKnown && b.isKnown ? bool(result) : unknownNotNull(BOOL);
  return value.withMarks(a.marks).withMarks(b.marks);
}

/** The opposite of a bool. */
export function not(a: Value): Value {
  check(a, BOOL);
  if (!a.isKnown) return unknownNotNull(BOOL).withMarks(a.marks);
  return (a.payload === true ? FALSE : TRUE).withMarks(a.marks);
}

/**
 * Returns an element of a list or tuple by number, or of a map by string. Unknown collections and keys return unknown
 * elements. The element gets the marks of both. Throws CtyError for a key of the wrong type or a missing element.
 */
export function index(collection: Value, key: Value): Value {
  if (collection.isMarked || key.isMarked) {
    return index(collection.unmark(), key.unmark()).withSameMarks(collection, key);
  }
  const { type } = collection;
  if (type === DYNAMIC) return plainUnknown(DYNAMIC);
  if (collection.isNull) throw new CtyError('cannot index a null value');
  const elementType = keyedElement(type);
  if (key.type === DYNAMIC) return plainUnknown(elementType ?? DYNAMIC);
  const keyType = type.kind === 'map' ? STRING : NUMBER;
  if (key.type !== keyType) {
    throw new CtyError(`element key for ${type.kind} must be ${friendlyName(keyType)}`);
  }
  if (key.isNull) throw new CtyError('element key must not be null');
  if (!key.isKnown) return plainUnknown(elementType ?? DYNAMIC);
  if (!collection.isKnown) return unknownElement(type, key);
  const element =
    type.kind === 'map'
      ? collection.get(key.payload as string)
      : typeof key.payload === 'number'
        ? collection.at(key.payload)
        : undefined;
  if (element === undefined) throw new CtyError('value does not have given index key');
  return element;
}

/** The element type of a list or map, undefined for tuples; other types can't be indexed. */
function keyedElement(type: Type): Type | undefined {
  if (type.kind === 'list' || type.kind === 'map') return type.element;
  if (type.kind === 'tuple') return undefined;
  throw new CtyError('not a list, map, or tuple type');
}

function unknownElement(type: Type, key: Value): Value {
  if (type.kind !== 'tuple') return plainUnknown(keyedElement(type) ?? DYNAMIC);
  const n = key.payload;
  const element = typeof n === 'number' ? type.elements[n] : undefined;
  if (element === undefined) throw new CtyError('value does not have given index key');
  return plainUnknown(element);
}

/** Returns true if a list, tuple or map has an element for the key; false for a key of the wrong type. */
export function hasIndex(collection: Value, key: Value): Value {
  if (collection.isMarked || key.isMarked) {
    return hasIndex(collection.unmark(), key.unmark()).withSameMarks(collection, key);
  }
  const { type } = collection;
  if (type === DYNAMIC) return unknownNotNull(BOOL);
  if (collection.isNull) throw new CtyError('cannot index a null value');
  keyedElement(type);
  if (key.type === DYNAMIC) return unknownNotNull(BOOL);
  if (key.type !== (type.kind === 'map' ? STRING : NUMBER) || key.isNull) return FALSE;
  if (!key.isKnown) return unknownNotNull(BOOL);
  if (type.kind === 'tuple') {
    return bool(typeof key.payload === 'number' && type.elements[key.payload] !== undefined);
  }
  if (!collection.isKnown) return unknownNotNull(BOOL);
  if (type.kind === 'map') return bool(collection.get(key.payload as string) !== undefined);
  return bool(typeof key.payload === 'number' && collection.at(key.payload) !== undefined);
}

const MAX_LENGTH = numFromBigInt(2n ** 63n - 1n, 64);

/**
 * Returns the number of elements of a collection, tuple or object. For unknown collections, and sets with unknown
 * elements, it is an unknown number with the known bounds.
 */
export function lengthOf(v: Value): Value {
  if (v.isMarked) return lengthOf(v.unmark()).withMarks(v.marks);
  const { type } = v;
  if (type.kind === 'tuple') return indexValue(type.elements.length);
  if (type.kind === 'object') return indexValue(type.names.length);
  if (v.isNull) throw new CtyError('argument must not be null');
  if (!isCollection(type) && type !== DYNAMIC) throw new CtyError('value is not a collection');
  const { min, max } = type === DYNAMIC ? { min: 0, max: Infinity } : lengthRange(v);
  if (v.isKnown && min === max) return indexValue(min);
  return refine(plainUnknown(NUMBER), {
    notNull: true,
    min: { value: min, inclusive: true },
    max: { value: max === Infinity ? MAX_LENGTH : max, inclusive: true },
  });
}

export { equal };
