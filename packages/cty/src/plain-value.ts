import { FALSE, NULL, TRUE, UNKNOWN } from './constants.ts';
import { CtyError, rethrowUnder } from './cty-error.ts';
import { exactNumber } from './exact-number.ts';
import { type Num, numToFloat, numToInt } from './number.ts';
import { attrStep, indexStep } from './path.ts';
import { Value } from './value.ts';
import { integer, number, object, str, tuple } from './values.ts';

/** JavaScript data without elements: a primitive value, null, or an unknown or a sensitive value. */
type PlainScalar = null | boolean | number | bigint | string | UnknownValue | SensitiveValue;

/**
 * A value of the language as JavaScript data. Whole numbers beyond the range of safe integers are bigints, all other
 * numbers the nearest doubles (Infinity beyond 1.8e308). Lists, sets and tuples are arrays; maps and objects are objects.
 */
export type PlainValue =
  | PlainScalar
  | readonly PlainValue[]
  | { readonly [name: string]: PlainValue };

/**
 * JavaScript data that can be converted to a value: {@link PlainValue}, Maps with string keys for objects, and values
 * themselves. Properties that are `undefined` are omitted; elsewhere `undefined` is null.
 */
export type PlainInput =
  | undefined
  | PlainScalar
  | Value
  | readonly PlainInput[]
  | ReadonlyMap<string, PlainInput>
  | { readonly [name: string]: PlainInput };

/** Placeholder for a value that is not known before the plan is applied. The only instance is {@link UNKNOWN_VALUE}. */
class UnknownValue {
  toString(): string {
    return '(known after apply)';
  }

  toJSON(): string {
    return this.toString();
  }
}

export type { UnknownValue };

/** The placeholder for unknown values. */
export const UNKNOWN_VALUE: UnknownValue = new UnknownValue();

/** A sensitive value. It is printed as "(sensitive value)" in text, JSON and logs; `reveal` returns its content. */
export class SensitiveValue {
  readonly #content: PlainValue;

  constructor(content: PlainValue) {
    this.#content = content;
  }

  /** Returns the content. The caller must not print or store it where it can be read. */
  reveal(): PlainValue {
    return this.#content;
  }

  toString(): string {
    return '(sensitive value)';
  }

  toJSON(): string {
    return this.toString();
  }
}

// The representation for Node's `console.log` and `util.inspect`.
for (const { prototype } of [UnknownValue, SensitiveValue]) {
  Object.defineProperty(prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value: prototype.toString,
  });
}

/** Nesting beyond this depth is rejected; it is also how cycles are found. */
const MAX_DEPTH = 500;

/**
 * Converts JavaScript data to a value: arrays become tuples and objects become objects, which convert to the lists,
 * sets, maps and objects of a variable's type. `null` has no type of its own.
 *
 * @throws CtyError with the path to data that has no counterpart: NaN, functions, symbols, dates and other class
 * instances, cycles.
 */
export function valueFromPlain(input: PlainInput): Value {
  return fromPlain(input, 0);
}

function fromPlain(input: unknown, depth: number): Value {
  if (depth > MAX_DEPTH) throw new CtyError('is nested too deeply, or contains itself');
  switch (typeof input) {
    case 'undefined':
      return NULL;
    case 'boolean':
      return input ? TRUE : FALSE;
    case 'string':
      return str(input);
    case 'bigint':
      return number(input);
    case 'number':
      if (Number.isNaN(input)) throw new CtyError('NaN is not a number of the language');
      return number(exactNumber(input));
    case 'object':
      return input === null ? NULL : fromObject(input, depth);
    default:
      throw new CtyError(`a ${typeof input} cannot be a value`);
  }
}

function fromObject(input: object, depth: number): Value {
  if (input instanceof Value) return input;
  if (input instanceof UnknownValue) return UNKNOWN;
  if (input instanceof SensitiveValue) return fromPlain(input.reveal(), depth).mark('sensitive');
  if (Array.isArray(input)) {
    return tuple(
      input.map((element: unknown, index) => {
        try {
          return fromPlain(element, depth + 1);
        } catch (error) {
          return rethrowUnder(error, indexStep(integer(index)));
        }
      }),
    );
  }
  const isMap = input instanceof Map;
  if (!isMap && !isPlainObject(input)) {
    const name: unknown = input.constructor?.name;
    throw new CtyError(`an instance of ${String(name)} cannot be a value`);
  }
  const attributes = new Map<string, Value>();
  for (const [name, member] of isMap ? input : Object.entries(input)) {
    if (typeof name !== 'string') throw new CtyError('keys of a Map must be strings');
    if (member === undefined) continue;
    try {
      attributes.set(name, fromPlain(member, depth + 1));
    } catch (error) {
      rethrowUnder(error, attrStep(name));
    }
  }
  return object(attributes);
}

function isPlainObject(input: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(input);
  // Objects of other realms, such as a worker or a test environment, have another Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Converts a value to JavaScript data. Unknown values become {@link UNKNOWN_VALUE}; sensitive and ephemeral values
 * become a {@link SensitiveValue}. Capsules have no JavaScript form and become null.
 */
export function plainFromValue(value: Value): PlainValue {
  if (value.hasMark('sensitive') || value.hasMark('ephemeral')) {
    return new SensitiveValue(plainFromValue(value.unmark()));
  }
  if (!value.isKnown) return UNKNOWN_VALUE;
  if (value.isNull) return null;
  const plain = value.isMarked ? value.unmark() : value;
  switch (plain.type.kind) {
    case 'bool':
      return plain.asBool();
    case 'string':
      return plain.asString();
    case 'number':
      return plainNumber(plain.asNum());
    case 'list':
    case 'set':
    case 'tuple':
      return plain.elements().map(plainFromValue);
    case 'map':
    case 'object':
      // Unlike assignment, this makes "__proto__" an ordinary property.
      return Object.fromEntries(
        plain.entries().map(([key, element]) => [key.asString(), plainFromValue(element)]),
      );
    case 'dynamic':
    case 'capsule':
      return null;
  }
}

function plainNumber(n: Num): number | bigint {
  const nearest = numToFloat(n);
  if (Number.isSafeInteger(nearest) || !Number.isFinite(nearest)) return nearest;
  return numToInt(n) ?? nearest;
}
