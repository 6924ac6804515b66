import { exactNumber, isCollection, NUMBER, numToFloat, STRING, unknownOf } from '@terrane/cty';
import type { Refinement, Type, Value } from '@terrane/cty';

/** Guarantees about an unknown value. Omitted properties are not constrained. */
export interface KnownAbout {
  /** it will not be null */
  readonly notNull?: boolean;
  /** a known prefix of a string */
  readonly prefix?: string;
  /** the minimum of a number, inclusive */
  readonly min?: number;
  /** the maximum of a number, inclusive */
  readonly max?: number;
  /** the minimum number of elements of a collection */
  readonly minLength?: number;
  /** the maximum number of elements of a collection */
  readonly maxLength?: number;
}

/**
 * A value that is not known before the changes are applied. It is not a string, number or object of the schema; using
 * it as a string throws.
 */
export class Unknown {
  readonly #about: KnownAbout;
  readonly #value: Value | undefined;

  /** Created by `unknown(…)` or from a value, not by authors. */
  constructor(about: KnownAbout, value?: Value) {
    this.#about = about;
    this.#value = value;
  }

  /** The guarantees about this unknown value. */
  get about(): KnownAbout {
    const refinement = this.#value?.refinement;
    return refinement === undefined ? this.#about : aboutOf(refinement);
  }

  /**
   * Returns the unknown value of a type.
   *
   * @throws TypeError if the guarantees do not fit the type
   */
  toValue(type: Type): Value {
    // A dynamic type has the concrete type of the value.
    if (this.#value !== undefined && (this.#value.type === type || type.kind === 'dynamic')) {
      return this.#value;
    }
    const { about } = this;
    const refused = misfit(about, type);
    if (refused !== undefined) {
      throw new TypeError(`nothing of type ${type.kind} has a ${refused}`);
    }
    return unknownOf(type, refinementOf(about));
  }

  toString(): string {
    throw new TypeError('this value is not known before the changes are applied');
  }

  toJSON(): never {
    throw new TypeError('this value is not known before the changes are applied');
  }

  [Symbol.toPrimitive](): never {
    throw new TypeError('this value is not known before the changes are applied');
  }
}

/**
 * Creates a planned value that will be known after the apply. Guarantees about it help dependent expressions:
 * `unknown({ prefix: 'https://' })`.
 */
export function unknown(about: KnownAbout = {}): Unknown {
  return new Unknown(about);
}

/** Returns true if a value is not known yet. */
export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown;
}

/** Returns the value if it is known, otherwise `fallback` (or undefined). Null is known. */
export function ifKnown<T>(value: T): Exclude<T, Unknown> | undefined;
export function ifKnown<T, F>(value: T, fallback: F): Exclude<T, Unknown> | F;
export function ifKnown(value: unknown, fallback?: unknown): unknown {
  return isUnknown(value) ? fallback : value;
}

function misfit(about: KnownAbout, type: Type): string | undefined {
  if (about.prefix !== undefined && type !== STRING) return 'prefix';
  if ((about.min !== undefined || about.max !== undefined) && type !== NUMBER) return 'range';
  const sized = about.minLength !== undefined || about.maxLength !== undefined;
  return sized && !isCollection(type) ? 'length' : undefined;
}

function refinementOf(about: KnownAbout): Refinement {
  const { min, max, prefix, minLength, maxLength } = about;
  // A known prefix, bound or length implies that the value is not null.
  const more = [min, max, prefix, minLength, maxLength].some((bound) => bound !== undefined);
  return {
    ...((about.notNull ?? more) && { notNull: true }),
    ...(prefix !== undefined && { prefix }),
    ...(min !== undefined && { min: { value: exactNumber(min), inclusive: true } }),
    ...(max !== undefined && { max: { value: exactNumber(max), inclusive: true } }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function aboutOf(r: Refinement): KnownAbout {
  return {
    ...(r.notNull === true && { notNull: true }),
    ...(r.prefix !== undefined && { prefix: r.prefix }),
    ...(r.min !== undefined && { min: numToFloat(r.min.value) }),
    ...(r.max !== undefined && { max: numToFloat(r.max.value) }),
    ...(r.minLength !== undefined && { minLength: r.minLength }),
    ...(r.maxLength !== undefined && { maxLength: r.maxLength }),
  };
}
