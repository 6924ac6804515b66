import { compareNum, equalNum, type Num } from './number.ts';

/** An end of the range of an unknown number. */
export interface Bound {
  readonly value: Num;
  readonly inclusive: boolean;
}

/**
 * Constraints on an unknown value: not null, string prefix, numeric bounds, collection length bounds. Omitted
 * properties are not constrained.
 */
export interface Refinement {
  readonly notNull?: boolean;
  readonly prefix?: string;
  readonly min?: Bound;
  readonly max?: Bound;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The payload of unknown values. */
export class Unknown {
  readonly refinement: Refinement | undefined;

  constructor(refinement: Refinement | undefined) {
    this.refinement = refinement;
  }
}

/** The payload of unknown values without refinements. */
export const TOTALLY_UNKNOWN: Unknown = new Unknown(undefined);
/** The payload of values of which only the type is known and that they are not null. */
export const UNKNOWN_NOT_NULL: Unknown = new Unknown({ notNull: true });

function equalBound(a: Bound | undefined, b: Bound | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.inclusive === b.inclusive && equalNum(a.value, b.value);
}

/** Returns true if two refinements are equal. */
export function equalRefinement(a: Refinement | undefined, b: Refinement | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return (
    a.notNull === b.notNull &&
    a.prefix === b.prefix &&
    a.minLength === b.minLength &&
    a.maxLength === b.maxLength &&
    equalBound(a.min, b.min) &&
    equalBound(a.max, b.max)
  );
}

/** The stricter of two lower bounds. */
export function higherBound(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  return stricter(a, b, 1);
}

/** The stricter of two upper bounds. */
export function lowerBound(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  return stricter(a, b, -1);
}

function stricter(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const order = compareNum(a.value, b.value) * sign;
  if (order !== 0) return order > 0 ? a : b;
  return a.inclusive ? b : a;
}
